"""Commands about inputs: check, extract."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from kg.cli import options
from kg.cli.output import progress, say, write_json, write_rows
from kg.config import ReadConfig
from kg.errors import InputError


@click.command()
@options.inputs
@options.output
@options.paper_filters
@options.reader
@options.processes
@options.strict
@options.quiet
@click.pass_context
def extract(
    context: click.Context,
    inputs: Sequence[str],
    output: Path,
    reader: str | None,
    processes: int,
    strict: bool,
    quiet: bool,
    **filters: Any,
) -> None:
    """Read the papers of INPUTS and write what they state, one JSON object a paper."""
    from kg.pipeline import as_files, extract_records, read_inputs
    from kg.types import ReadReport

    report = ReadReport()
    papers = read_inputs(as_files(list(inputs)), report, filters)
    records = extract_records(papers, config=read_config(reader), processes=processes)
    count = write_jsonl(progress(records, label="Reading papers", quiet=quiet), output)
    tell_skipped(report, quiet=quiet)
    say(f"{count} papers -> {output}", quiet=quiet)
    if strict and report.skipped:
        context.exit(1)


@click.command()
@options.inputs
@options.paper_filters
@options.as_json
def check(inputs: Sequence[str], as_json: bool, **filters: Any) -> None:
    """Read INPUTS without building: counts, what is skipped and why, fields, duplicates, languages."""
    from kg.cli.ask import flatten
    from loaders.papers import check as look_through

    found = look_through(inputs, **filters)
    record = found.as_record()
    if as_json:
        write_json(record)
        return
    tell_skipped(found.report, quiet=False)
    lists = ("skipped", "warnings", "merges")
    counts = {key: len(value) if key in lists else value for key, value in record.items()}
    write_rows(("what", "value"), flatten(counts))


def read_config(reader: str | None) -> ReadConfig:
    """Return the configuration for a --reader that may be left out."""
    return ReadConfig(reader=reader) if reader else ReadConfig()


def tell_skipped(report: Any, *, quiet: bool) -> None:
    """Say on stderr which records were skipped or used in part."""
    for kind, notes in (("skipped", report.skipped), ("note", report.warnings)):
        for note in notes[:20]:
            say(f"{kind}: {note.file}:{note.line} {note.reason}", quiet=quiet)
        if len(notes) > 20:
            say(f"{kind}: and {len(notes) - 20} more", quiet=quiet)


def write_jsonl(records: Iterable[dict[str, Any]], path: Path) -> int:
    """Write records to a file that is whole or not there; return how many.

    Raises:
        InputError: the file cannot be written.
    """
    partial = path.with_name(f".{path.name}.partial")
    count = 0
    try:
        with partial.open("w", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
        partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)
    return count


COMMANDS = (check, extract)
