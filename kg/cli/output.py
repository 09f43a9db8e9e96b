"""How rows, counts and progress are shown: data on stdout, everything else on stderr."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

FORMATS = ("table", "json", "jsonl", "csv")
PIPE_WIDTH = 200
"""Columns of a table that is not on a terminal: wide enough not to fold a name."""

Item = TypeVar("Item")


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, form: str = "table") -> None:
    """Print rows in one of FORMATS; json is a list of objects keyed by column."""
    if form == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_cell(value) for value in row] for row in rows)
    elif form == "json":
        write_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif form == "jsonl":
        for row in rows:
            click.echo(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False))
    else:
        _write_table(columns, list(rows))


def write_json(value: Any) -> None:
    """Print one JSON value, readable and in Unicode."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def say(text: str, *, quiet: bool = False) -> None:
    """Print a line for the person at the terminal (stderr)."""
    if not quiet:
        click.echo(text, err=True)


def progress(items: Iterable[Item], *, label: str, total: int | None = None, quiet: bool = False) -> Iterator[Item]:
    """Pass items on and show a bar on stderr, if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=label, total=total, console=Console(stderr=True), transient=True)


@contextmanager
def counter(label: str, *, total: int, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """Give a function that moves a bar on by so many; the bar shows only on a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)


def _cell(value: Any) -> Any:
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else value


def _write_table(columns: Sequence[str], rows: list[Sequence[Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for position, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[position], (int, float)) for row in rows)
        table.add_column(Text(column), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(_cell(value))) for value in row))
    console.print(table)
