"""Write one HTML file that needs nothing else: no server, no network, no script but its own."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import networkx as nx
from jinja2 import Environment, FunctionLoader
from markupsafe import Markup

from kg.config import VIEW_NODES
from kg.errors import UsageError
from kg.types import Paper
from kg.views.selection import Choice, select

_SCRIPTS = (
    "state.js",
    "shapes.js",
    "paint.js",
    "panel.js",
    "search.js",
    "controls.js",
    "picture.js",
    "main.js",
)
_NETWORK_SCRIPT = "templates/lib/vis-9.1.2/vis-network.min.js"


def write_view(
    G: nx.MultiDiGraph,
    path: str | Path,
    *,
    title: str = "Knowledge graph",
    around: str | None = None,
    depth: int = 1,
    types: tuple[str, ...] = (),
    paper: str | None = None,
    community: int | None = None,
    between: tuple[str, str] | None = None,
    nodes: tuple[str, ...] | None = None,
    top: int = VIEW_NODES,
    years: tuple[int, int] | None = None,
    min_support: int = 1,
    min_confidence: float = 0.0,
    papers: Mapping[str, Paper] | None = None,
) -> int:
    """Write a picture of a graph as one self-contained HTML file; return how many nodes it shows at first.

    Args:
        G: the graph.
        path: the file to write.
        title: heading of the page.
        around: an entity; the picture shows what is at most ``depth`` edges away from it.
        depth: see ``around``.
        types: labels to show; empty for the entities, and papers where they fit.
        paper: id or title of a paper, shown with all it speaks of.
        community: number of a community, 1 being the largest.
        between: two names; the picture shows the shortest paths between them.
        nodes: node ids to show, such as the answer of a query.
        top: how many nodes to show at first.
        years: first and last year of the papers.
        min_support: least number of papers behind an edge between entities.
        min_confidence: least confidence of an edge.
        papers: papers by id; with them, evidence marks the very surfaces that were read.

    Raises:
        EntityNotFound: a name that no node bears; the message proposes near ones.
        UsageError: options that contradict each other or leave nothing to show.
    """
    from kg.views.data import page_data

    choice = Choice(
        around=around,
        depth=depth,
        types=tuple(types),
        paper=paper,
        community=community,
        between=between,
        nodes=nodes,
        top=top,
        years=years,
        min_support=min_support,
        min_confidence=min_confidence,
    )
    data = page_data(G, select(G, choice), choice, title=title, papers=papers)
    write_text(Path(path), view_html(data, title=title))
    return int(data["levels"][0]["count"])


def view_html(data: Mapping[str, Any], *, title: str) -> str:
    """Return the page of :func:`write_view` for page data."""
    script = "(() => {\n" + "\n".join(asset(name) for name in _SCRIPTS) + "})();"
    return render(
        "view.html",
        title=title,
        styles=[asset("base.css"), asset("view.css")],
        scripts=[network_script(), script],
        data=data,
    )


def render(template: str, *, styles: list[str], scripts: list[str], data: object = None, **values: object) -> str:
    """Return an autoescaped template filled in; its policy lets only these styles and scripts run."""
    html = (
        environment()
        .get_template(template)
        .render(
            policy=content_policy(styles, scripts),
            styles=[Markup(style) for style in styles],
            scripts=[Markup(script) for script in scripts],
            data=script_json(data),
            **values,
        )
    )
    return html + "\n"


def content_policy(styles: list[str], scripts: list[str]) -> str:
    """Return a Content-Security-Policy: nothing may load from anywhere, only what bears these hashes runs."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, scripts)) or _NONE}",
            f"style-src {' '.join(map(_hash, styles)) or _NONE}",
            "img-src data: blob:",
            "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


_NONE = "'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def script_json(data: object) -> Markup:
    """Return JSON that may stand in a script block: nothing in it can end the block or open a comment.

    >>> str(script_json("</script>"))
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(data, separators=(",", ":"))
    # Every other character beyond ASCII is escaped by json itself.
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def write_text(path: Path, text: str) -> None:
    """Write a file as UTF-8 with plain line ends, whatever the locale; whole or not at all.

    Raises:
        UsageError: the path is a folder, or cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A lone surrogate, which JSON can smuggle in, has no UTF-8: it becomes a question mark.
        part.write_bytes(text.encode("utf-8", "replace"))
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(
            f"cannot write {path}: {error.strerror}; name a file in a folder that you may write to"
        ) from error


@cache
def asset(name: str) -> str:
    """Return one of the page's own files."""
    return files("kg.views").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def network_script() -> str:
    """Return the vis-network library from PyVis's own files."""
    text = files("pyvis").joinpath(_NETWORK_SCRIPT).read_text(encoding="utf-8")
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("this vis-network cannot stand in a script block; install pyvis 0.3.2")
    return text


@cache
def environment() -> Environment:
    """Return the template environment: everything is escaped; what a node lacks is left out."""
    return Environment(
        loader=FunctionLoader(lambda name: asset(f"{name}.j2")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
