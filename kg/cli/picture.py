"""Commands that draw: view."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli import options
from kg.cli.output import say
from kg.config import VIEW_NODES


@click.command()
@options.graph_name
@click.option("--around", metavar="ENTITY", help="What is near this entity.")
@click.option("--depth", type=click.IntRange(1), default=1, show_default=True, help="Edges away from it, at most.")
@options.entity_types
@click.option("--paper", metavar="ID", help="One paper with all it speaks of.")
@click.option("--community", type=click.IntRange(1), help="One community, 1 being the largest.")
@click.option("--path", "between", nargs=2, metavar="A B", help="The shortest paths between two entities.")
@click.option("--top", type=click.IntRange(1), default=VIEW_NODES, show_default=True, help="Nodes shown at first.")
@options.edge_filters
@click.option("-o", "--output", type=options.FILE, help="File to write.  [default: view.html in the graph's folder]")
@options.quiet
@options.graphs
def view(
    name: str,
    around: str | None,
    depth: int,
    types: tuple[str, ...],
    paper: str | None,
    community: int | None,
    between: tuple[str, str] | None,
    top: int,
    min_support: int,
    min_confidence: float,
    output: Path | None,
    quiet: bool,
    graphs: Path,
) -> None:
    """Draw graph NAME as one HTML file that works offline."""
    from kg.knowledge_graph import load

    page = load(name, graphs=graphs).view(
        output,
        around=around,
        depth=depth,
        types=types,
        paper=paper,
        community=community,
        between=between or None,
        top=top,
        min_support=min_support,
        min_confidence=min_confidence,
    )
    say(str(page), quiet=quiet)


COMMANDS = (view,)
