"""Write a graph as a folder of plain pages: an overview, and a page for every entity and paper."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx

from kg.lookup import evidence_of
from kg.schema import ENTITY_TYPES, INTRODUCES, LINKS_TO, MENTIONS, PAPER, RELATIONS, REPORTED
from kg.types import Paper
from kg.views import palette
from kg.views.evidence import locate
from kg.views.links import paper_links, web_address
from kg.views.map import Map, draw_map
from kg.views.page import asset, render, write_text, write_view
from kg.views.selection import PAPER_KEY, mentions

_LISTED = 60
"""Entities of each type listed on the overview; search finds the others."""

_SENTENCES = 5
"""Sentences shown for a relation, as in the picture."""

_SITE_STYLES = ("base.css", "site.css")


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the site: its node and its file below the folder."""

    node: str
    file: str


def write_site(
    G: nx.MultiDiGraph,
    folder: str | Path,
    *,
    title: str = "Knowledge graph",
    top: int | None = None,
    papers: Mapping[str, Paper] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write a static site of a graph; return the number of its pages.

    Args:
        G: the graph.
        folder: where to write; files of an earlier site with the same names are replaced.
        title: heading of the overview.
        top: pages for this many entities at most, those of most papers first; None for all.
        papers: papers by id; with them, evidence marks the very surfaces that were read.
        progress: called with (pages written, pages in all).
    """
    root = Path(folder)
    pages = site_pages(G, top)
    write_text(root / "style.css", "\n".join(asset(name) for name in _SITE_STYLES))
    write_view(G, root / "graph.html", title=title, papers=papers)
    write_text(root / "index.html", index_html(G, pages, title))
    for number, page in enumerate(pages.values(), start=1):
        is_paper = G.nodes[page.node]["label"] == PAPER
        html = paper_html(G, page, pages, title) if is_paper else entity_html(G, page, pages, title, papers)
        write_text(root / page.file, html)
        if progress:
            progress(number, len(pages))
    return len(pages) + 2


def site_pages(G: nx.MultiDiGraph, top: int | None) -> dict[str, Page]:
    """Return the pages of a site by node: entities, most papers first, then papers."""
    entities = [n for n, label in G.nodes(data="label") if label in ENTITY_TYPES]
    entities.sort(key=lambda node: (-G.nodes[node].get("papers", 0), node))
    papers = sorted(n for n, label in G.nodes(data="label") if label == PAPER)
    chosen = [*entities[:top], *papers]
    return {node: Page(node, f"{_folder(G, node)}/{file_name(G.nodes[node]['name'], node)}") for node in chosen}


def file_name(name: str, node: str) -> str:
    """Return a file name that depends on the node alone: readable, safe on every system, its own.

    >>> file_name("GPT-4 (Vision)", "method:gpt-4 vision")
    'gpt-4-vision-cae60a67.html'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:48].strip("-")
    mark = hashlib.blake2b(node.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{words}-{mark}.html" if words else f"{mark}.html"


def _folder(G: nx.MultiDiGraph, node: str) -> str:
    return "paper" if G.nodes[node]["label"] == PAPER else "entity"


def index_html(G: nx.MultiDiGraph, pages: Mapping[str, Page], title: str) -> str:
    """Return the overview: counts, a map, papers by year, the best known of each type, and a search."""
    by_type = {label: [p for p in pages.values() if G.nodes[p.node]["label"] == label] for label in ENTITY_TYPES}
    names = [
        [G.nodes[p.node]["name"], G.nodes[p.node]["label"], p.file, G.nodes[p.node].get("aliases", [])]
        for p in pages.values()
    ]
    script = "(() => {\n" + asset("site.js") + "})();"
    return render(
        "site_index.html",
        styles=[asset(name) for name in _SITE_STYLES],
        scripts=[script],
        data=names,
        title=title,
        counts=_counts(G),
        map=site_map(G, pages),
        years=_years(G),
        lists=[(label, palette.TYPES[label], shown[:_LISTED], len(shown)) for label, shown in by_type.items() if shown],
        G=G,
        types=palette.TYPES,
    )


def site_map(G: nx.MultiDiGraph, pages: Mapping[str, Page]) -> Map:
    """Return the map of the overview; its nodes link to their pages."""
    return draw_map(G, {node: page.file for node, page in pages.items()})


def _counts(G: nx.MultiDiGraph) -> list[tuple[str, int]]:
    labels = Counter(label for _, label in G.nodes(data="label"))
    shown = [(palette.TYPES[label].plural, labels[label]) for label in (PAPER, *ENTITY_TYPES) if labels[label]]
    relations = sum(data["type"] in RELATIONS for *_, data in G.edges(data=True))
    return [*shown, ("Relations", relations)]


def _years(G: nx.MultiDiGraph) -> list[tuple[int, int, float]]:
    """(year, papers, share of the busiest year)."""
    counts = Counter(data["year"] for _, data in G.nodes(data=True) if data["label"] == PAPER and "year" in data)
    most = max(counts.values(), default=1)
    return [(year, counts[year], counts[year] / most) for year in sorted(counts)]


def entity_html(
    G: nx.MultiDiGraph, page: Page, pages: Mapping[str, Page], title: str, papers: Mapping[str, Paper] | None
) -> str:
    """Return the page of an entity: names, what introduced it, relations with their sentences, papers."""
    told = mentions(G, page.node)
    return render(
        "site_entity.html",
        styles=[],
        scripts=[],
        title=title,
        node=G.nodes[page.node],
        type=palette.TYPES[G.nodes[page.node]["label"]],
        introduced=[paper for paper, edge in told if edge["type"] == INTRODUCES],
        mentioned=[paper for paper, edge in told if edge["type"] == MENTIONS],
        groups=relation_groups(G, page.node, papers),
        pages=pages,
        G=G,
        types=palette.TYPES,
    )


def relation_groups(
    G: nx.MultiDiGraph, node: str, papers: Mapping[str, Paper] | None
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return (words, relations) of a node, best supported first, each with the parts of its sentences."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    edges = [*G.out_edges(node, data=True), *G.in_edges(node, data=True)]
    for head, tail, data in edges:
        if data["type"] in RELATIONS or data["type"] == REPORTED:
            style = palette.RELATIONS[data["type"]]
            words = style.words if head == node else style.inverse
            other = tail if head == node else head
            sentences = [
                (item.paper, parts(item.sentence, locate(G, head, tail, item, papers)))
                for item in sorted(evidence_of(data), key=lambda item: -item.score)[:_SENTENCES]
            ]
            groups[words].append({"node": other, "data": data, "sentences": sentences})
    for relations in groups.values():
        relations.sort(key=lambda r: (-r["data"]["support"], -r["data"]["confidence"], r["node"]))
    order = [words for style in palette.RELATIONS.values() for words in (style.words, style.inverse)]
    return sorted(groups.items(), key=lambda group: order.index(group[0]))


def parts(sentence: str, spans: Sequence[tuple[int, int] | None]) -> list[tuple[str, str]]:
    """Cut a sentence at its marked spans: (text, "head", "tail" or "").

    >>> parts("A uses B", [(0, 1), (7, 8)])
    [('A', 'head'), (' uses ', ''), ('B', 'tail')]
    """
    marked = sorted((*span, name) for span, name in zip(spans, ("head", "tail"), strict=True) if span)
    cut, done = [], 0
    for start, end, name in marked:
        cut += [(sentence[done:start], ""), (sentence[start:end], name)]
        done = end
    return [(text, name) for text, name in (*cut, (sentence[done:], "")) if text]


def paper_html(G: nx.MultiDiGraph, page: Page, pages: Mapping[str, Page], title: str) -> str:
    """Return the page of a paper: where to read it, what it introduces, mentions and reports."""
    entities: dict[str, bool] = {}
    links = paper_links(G.nodes[page.node])
    for _, tail, data in G.out_edges(page.node, data=True):
        if data["type"] == LINKS_TO:
            url = G.nodes[tail]["url"]
            links.append([web_address(url), url, data.get("kind", "")])
        elif data["type"] in (INTRODUCES, MENTIONS):
            entities[tail] = entities.get(tail, False) or data["type"] == INTRODUCES
    ordered = sorted(entities, key=lambda node: (ENTITY_TYPES.index(G.nodes[node]["label"]), G.nodes[node]["name"]))
    return render(
        "site_paper.html",
        styles=[],
        scripts=[],
        title=title,
        node=G.nodes[page.node],
        id=page.node.removeprefix(PAPER_KEY),
        links=links,
        introduced=[node for node in ordered if entities[node]],
        mentioned=[node for node in ordered if not entities[node]],
        pages=pages,
        G=G,
        types=palette.TYPES,
    )
