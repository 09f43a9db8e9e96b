"""Commands that draw: view, report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from kg.cli import options
from kg.cli.output import say
from kg.config import VIEW_NODES
from kg.errors import UsageError


class _Years(click.ParamType):
    """First and last year as A-B; one year alone is both."""

    name = "years"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        first, _, last = str(value).partition("-")
        if not first.isdigit() or not (last or first).isdigit():
            self.fail(f"{value!r} is not like 2022-2025", param, ctx)
        return int(first), int(last or first)


YEARS = _Years()


@click.command()
@options.graph_name
@click.option("--around", metavar="ENTITY", help="What is near this entity.")
@click.option("--depth", type=click.IntRange(1), default=1, show_default=True, help="Edges away from it, at most.")
@options.entity_types
@click.option("--paper", metavar="ID", help="One paper with all it speaks of.")
@click.option("--community", type=click.IntRange(1), help="One community, 1 being the largest.")
@click.option(
    "--path", "between", nargs=2, metavar="A B", default=None, help="The shortest paths between two entities."
)
@click.option("--query", "cypher", metavar="CYPHER", help="The nodes that a query returns.")
@click.option("--years", type=YEARS, metavar="A-B", help="Papers of these years only.")
@click.option("--top", type=click.IntRange(1), default=VIEW_NODES, show_default=True, help="Nodes shown at first.")
@options.edge_filters
@click.option("--site", type=options.FILE, metavar="DIR", help="Write a folder of static pages instead.")
@click.option("-o", "--output", type=options.FILE, help="File to write.  [default: view.html in the graph's folder]")
@options.quiet
@options.graphs
def view(
    name: str, cypher: str | None, site: Path | None, output: Path | None, quiet: bool, graphs: Path, **choice: Any
) -> None:
    """Draw graph NAME as one HTML file that works offline."""
    from kg.knowledge_graph import load

    graph = load(name, graphs=graphs)
    if site:
        say(f"{graph.site(site)} pages -> {site / 'index.html'}", quiet=quiet)
        return
    nodes = tuple(node_ids(graph.rows(cypher).values)) if cypher else None
    if cypher and not nodes:
        raise UsageError("the query returned no nodes; return nodes or paths, as in MATCH (n:Task) RETURN n")
    say(str(graph.view(output, nodes=nodes, **choice)), quiet=quiet)


@click.command()
@options.graph_name
@options.output
@click.option("--top", type=click.IntRange(1), default=15, show_default=True, help="Rows of each list.")
@options.quiet
@options.graphs
def report(name: str, output: Path, top: int, quiet: bool, graphs: Path) -> None:
    """Write what one asks first of graph NAME: top and rising names, comparisons, leaderboards."""
    from kg.knowledge_graph import load

    say(str(load(name, graphs=graphs).report(output, top=top)), quiet=quiet)


def node_ids(values: Iterable[Any]) -> Iterator[str]:
    """Yield the ids of all nodes in an answer, within paths and lists too, each once.

    >>> list(node_ids([({"label": "Task", "id": "task:x", "name": "x"}, 1), (["a"],)]))
    ['task:x']
    """
    yield from dict.fromkeys(_node_ids(values))


def _node_ids(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if "label" in value and "id" in value:
            yield str(value["id"])
        else:
            yield from _node_ids(value.values())
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for part in value:
            yield from _node_ids(part)


COMMANDS = (view, report)
