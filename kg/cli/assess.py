"""Commands about inputs and quality: check, extract, evaluate, train."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kg.cli import options
from kg.cli.output import progress, say, write_json, write_rows
from kg.config import SEED, ReadConfig
from kg.errors import InputError


@click.command()
@options.inputs
@options.output
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
) -> None:
    """Read the papers of INPUTS and write what they state, one JSON object a paper."""
    from kg.pipeline import extract_records, write_jsonl
    from kg.types import ReadReport

    report = ReadReport()
    config = ReadConfig(reader=reader) if reader else ReadConfig()
    records = extract_records(inputs, config=config, processes=processes, report=report)
    count = write_jsonl(progress(records, label="Reading papers", quiet=quiet), output)
    tell_skipped(report, quiet=quiet)
    say(f"{count} papers -> {output}", quiet=quiet)
    if strict and report.skipped:
        context.exit(1)


@click.command()
@click.argument("gold", type=options.FILE)
@click.option("--predicted", type=options.FILE, help="Score this file (of `kg extract`) instead of reading the papers.")
@options.reader
@options.processes
@click.option("--errors", type=click.IntRange(0), default=0, help="List the errors of the first N papers.")
@options.as_json
@options.quiet
def evaluate(
    gold: Path,
    predicted: Path | None,
    reader: str | None,
    processes: int,
    errors: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Read the annotated papers of GOLD and score what was found (rules in kg/evaluation.py)."""
    from kg.evaluation import error_list, score_with_intervals

    papers = read_jsonl(gold)
    config = ReadConfig(reader=reader) if reader else ReadConfig()
    found = read_jsonl(predicted) if predicted else _extract_gold(gold, config, processes, quiet)
    scores = score_with_intervals(papers, found, seed=SEED)
    if as_json:
        write_json(scores.as_dict())
        return
    write_rows(("what", "precision", "recall", "F1", "95% interval", "gold", "found"), scores.rows())
    for line in error_list(papers, found, limit=errors) if errors else ():
        click.echo(line)


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON objects, one a line.

    Raises:
        InputError: the file is missing or a line is no JSON object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text; expected one JSON object a line") from None
    records = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            records.append(_json_object(line, f"{path}:{number}"))
    return records


def tell_skipped(report: Any, *, quiet: bool) -> None:
    """Say on stderr which records were skipped or used in part."""
    for kind, notes in (("skipped", report.skipped), ("note", report.warnings)):
        for note in notes[:20]:
            say(f"{kind}: {note.file}:{note.line} {note.reason}", quiet=quiet)
        if len(notes) > 20:
            say(f"{kind}: and {len(notes) - 20} more", quiet=quiet)


def _json_object(line: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{place} is no JSON ({error.msg}); expected one object a line") from None
    if not isinstance(record, dict):
        raise InputError(f"{place} holds a {type(record).__name__}; expected one JSON object a line")
    return record


def _extract_gold(gold: Path, config: ReadConfig, processes: int, quiet: bool) -> list[dict[str, Any]]:
    from kg.pipeline import extract_records
    from kg.types import ReadReport

    records = extract_records([gold], config=config, processes=processes, report=ReadReport())
    return list(progress(records, label="Reading papers", quiet=quiet))


COMMANDS = (extract, evaluate)
