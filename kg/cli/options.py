"""Options that several commands share, each defined once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kg.cli.output import FORMATS
from kg.config import DEFAULT_GRAPHS
from kg.schema import ENTITY_TYPES

Command = TypeVar("Command", bound=Callable[..., Any])
FILE = click.Path(path_type=Path)

graph_name = click.argument("name")
graphs = click.option(
    "--graphs", type=FILE, default=DEFAULT_GRAPHS, envvar="KG_GRAPHS", show_default=True, help="Folder of graphs."
)
quiet = click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
form = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="Shape of the output."
)
output = click.option("-o", "--output", type=FILE, required=True, help="File to write.")
inputs = click.argument("inputs", nargs=-1, required=True)
processes = click.option(
    "--processes", type=click.IntRange(1), default=1, show_default=True, help="Processes that read papers."
)
reader = click.option(
    "--reader", "--model", "reader", help="rules, a shipped model, or a folder of weights.  [default: the best shipped]"
)
entity_types = click.option(
    "--type", "types", type=click.Choice(ENTITY_TYPES), multiple=True, help="Only nodes of this type (repeatable)."
)
strict = click.option("--strict", is_flag=True, help="Exit with 1 if a record was skipped.")


def paper_filters(command: Command) -> Command:
    """Add --limit, --since, --year, --venue and --all: which papers of the inputs are taken."""
    for option in (
        click.option("--limit", type=click.IntRange(1), help="Papers, at most."),
        click.option("--since", type=int, metavar="YEAR", help="Papers of this year and later."),
        click.option("--year", type=int, help="Papers of this year."),
        click.option("--venue", default="", help="Papers whose venue holds this text."),
        click.option("--all", "rejected", is_flag=True, help="Rejected and withdrawn submissions too."),
    ):
        command = option(command)
    return command


def edge_filters(command: Command) -> Command:
    """Add --min-support and --min-confidence: which edges are shown."""
    support = click.option(
        "--min-support", type=click.IntRange(1), default=1, show_default=True, help="Papers behind an edge, at least."
    )
    confidence = click.option(
        "--min-confidence", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="Confidence, at least."
    )
    return support(confidence(command))


def server(command: Command) -> Command:
    """Add --uri, --user and --database of a Neo4j server; the password comes from the environment alone."""
    uri = click.option("--uri", envvar="NEO4J_URI", help="Address, such as neo4j://localhost:7687.")
    user = click.option("--user", envvar="NEO4J_USERNAME", help="User; the password is read from NEO4J_PASSWORD.")
    database = click.option("--database", envvar="NEO4J_DATABASE", help="Database.  [default: the user's own]")
    return uri(user(database(command)))
