"""Commands that make and change graphs: build, remove."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli import options
from kg.cli.assess import read_config, tell_skipped
from kg.cli.output import progress, say, write_json
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.building import BuildOptions


@click.command()
@options.inputs
@click.option("--name", help="Name of the graph.  [default: from the first input]")
@options.graphs
@options.reader
@options.processes
@options.paper_filters
@click.option("--with", "extra", metavar="LIST", help="Nodes for these too: authors,venues.")
@click.option("--replace", is_flag=True, help="Start anew instead of adding to the graph of that name.")
@click.option("--extractions", type=options.FILE, help="Build from these records (of `kg extract`, corrected).")
@click.option("--overrides", type=options.FILE, help="Corrections of names and types, kept with the graph.")
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
    extractions: Path | None,
    overrides: Path | None,
    view: bool,
    strict: bool,
    quiet: bool,
    as_json: bool,
    extra: str | None,
    **filters: Any,
) -> None:
    """Read the papers of INPUTS into a graph; on a graph that exists, add and replace papers."""
    from kg import pipeline

    built = pipeline.build(
        inputs,
        name=name,
        graphs=graphs,
        config=read_config(reader),
        processes=processes,
        options=people(extra),
        replace=replace,
        extractions=extractions,
        overrides=overrides,
        filters=filters,
        track=partial(progress, quiet=quiet),
    )
    tell_skipped(built.report, quiet=quiet)
    tell_missing_topics(quiet=quiet)
    for form in built.built.version.manifest()["overrides_unused"]:
        say(f"note: the overrides speak of {form!r}, which no paper of the graph names", quiet=quiet)
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


@click.command()
@options.graph_name
@click.argument("papers", nargs=-1, required=True)
@options.graphs
@options.quiet
@options.as_json
def remove(name: str, papers: Sequence[str], graphs: Path, quiet: bool, as_json: bool) -> None:
    """Take PAPERS (ids) out of graph NAME, with everything that only they support."""
    from kg import pipeline

    left = pipeline.remove(name, papers, graphs=graphs)
    if as_json:
        write_json(left.summary())
    else:
        say(left.sentence(), quiet=quiet)


def tell_missing_topics(*, quiet: bool) -> None:
    """Say why a graph has no topics, where KeyBERT is not installed."""
    from extractors.keyphrases import is_installed

    if not is_installed():
        say("topics are left out: KeyBERT is not installed (pip install --no-deps keybert==0.9.0)", quiet=quiet)


def people(extra: str | None) -> BuildOptions | None:
    """Read the list of --with; None where the option is not given.

    Raises:
        UsageError: it names something else than authors and venues.
    """
    if extra is None:
        return None
    from kg.building import BuildOptions

    wanted = {word.strip() for word in extra.split(",")}
    unknown = sorted(wanted - {"authors", "venues"})
    if unknown:
        raise UsageError(f"--with {extra} names {unknown[0]!r}; it takes authors, venues or authors,venues")
    return BuildOptions(authors="authors" in wanted, venues="venues" in wanted)


COMMANDS = (build, remove)
