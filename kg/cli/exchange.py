"""Commands that hand a graph to other programs: export."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli import options
from kg.cli.output import say


@click.command()
@options.graph_name
@click.option("--format", "form", required=True, help="json, graphml, gexf or csv.")
@click.option("-o", "--output", type=options.FILE, help="File to write.  [default: NAME and the format's ending]")
@options.quiet
@options.graphs
def export(name: str, form: str, output: Path | None, quiet: bool, graphs: Path) -> None:
    """Write graph NAME to a file of another format."""
    from kg.knowledge_graph import load
    from loaders.exports import export_path

    path = load(name, graphs=graphs).export(output or export_path(name, form), form)
    say(str(path), quiet=quiet)


COMMANDS = (export,)
