"""Commands that make and change graphs: build, remove."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from kg.cli import options
from kg.cli.assess import read_config, tell_skipped
from kg.cli.output import progress, say, write_json


@click.command()
@options.inputs
@click.option("--name", help="Name of the graph.  [default: from the first input]")
@options.graphs
@options.reader
@options.processes
@click.option("--replace", is_flag=True, help="Start anew instead of adding to the graph of that name.")
@click.option("--view", is_flag=True, help="Also write the HTML view into the graph's folder.")
@options.strict
@options.quiet
@options.as_json
@click.pass_context
def build(
    context: click.Context,
    inputs: Sequence[str],
    name: str | None,
    graphs: Path,
    reader: str | None,
    processes: int,
    replace: bool,
    view: bool,
    strict: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read the papers of INPUTS into a graph; on a graph that exists, add and replace papers."""
    from kg import pipeline

    built = pipeline.build(
        inputs,
        name=name,
        graphs=graphs,
        config=read_config(reader),
        processes=processes,
        replace=replace,
        track=partial(progress, quiet=quiet),
    )
    tell_skipped(built.report, quiet=quiet)
    if as_json:
        write_json(built.summary())
    else:
        say(built.sentence(), quiet=quiet)
    if view:
        from kg.knowledge_graph import load

        page = load(built.name, graphs=graphs).view()
        say(f"view: {page}", quiet=quiet)
    if strict and built.report.skipped:
        context.exit(1)


COMMANDS = (build,)
