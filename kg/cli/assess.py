"""Commands about inputs and quality: check, extract, evaluate, train."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli import options
from kg.cli.output import progress, say, write_json, write_rows
from kg.config import SEED, ReadConfig
from kg.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from kg.evaluation import Scores


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


@click.command()
@click.argument("gold", type=options.FILE)
@click.option("--predicted", type=options.FILE, help="Score this file (of `kg extract`) instead of reading the papers.")
@options.reader
@options.processes
@click.option("--errors", type=click.IntRange(0), default=0, help="List so many errors.")
@options.as_json
@options.quiet
def evaluate(
    gold: Path, predicted: Path | None, reader: str | None, processes: int, errors: int, as_json: bool, quiet: bool
) -> None:
    """Read the annotated papers of GOLD and score what was found (rules in kg/evaluation.py)."""
    from kg.evaluation import score

    annotated = read_jsonl(gold)
    if not any("entities" in record for record in annotated):
        raise InputError(f"{gold} holds no annotations; expected papers with 'entities' (see kg/evaluation.py)")
    found = read_jsonl(predicted) if predicted else _extract_annotated(annotated, reader, processes, quiet)
    scores = score(annotated, found)
    if as_json:
        write_json({name: _score_record(scores, name) for name in scores.papers})
        return
    rows = [(name, *_score_record(scores, name).values()) for name in scores.papers]
    write_rows(("what", "precision", "recall", "F1", "95% low", "95% high", "gold", "found"), rows)
    if scores.systems:
        works = sum(row.works for row in scores.systems)
        say(f"main contribution found, flagged and tied: {works} of {len(scores.systems)}")
    for error in scores.errors[:errors]:
        click.echo(f"{error.paper_id}  {error.kind}  {error.type}  {error.gold} | {error.predicted}")


def read_config(reader: str | None) -> ReadConfig:
    """Return the configuration for a --reader that may be left out."""
    return ReadConfig(reader=reader) if reader else ReadConfig()


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


def _extract_annotated(
    annotated: Sequence[dict[str, Any]], reader: str | None, processes: int, quiet: bool
) -> list[dict[str, Any]]:
    from kg.pipeline import extract_records
    from kg.types import Paper

    papers = [Paper(str(r["id"]), title=r.get("title") or "", abstract=r.get("abstract") or "") for r in annotated]
    records = extract_records(papers, config=read_config(reader), processes=processes)
    return list(progress(records, label="Reading papers", total=len(papers), quiet=quiet))


def _score_record(scores: Scores, name: str) -> dict[str, Any]:
    from kg.evaluation import interval

    counts = scores.total(name)
    low, high = interval(scores.papers[name], seed=SEED)
    rounded = {
        key: round(value, 1) for key, value in (("P", counts.precision), ("R", counts.recall), ("F1", counts.f1))
    }
    return {**rounded, "low": round(low, 1), "high": round(high, 1), "gold": counts.gold, "pred": counts.predicted}


@click.command()
@click.option("--train", "papers", type=options.FILE, required=True, help="Annotated papers to learn from.")
@click.option("--dev", type=options.FILE, required=True, help="Annotated papers to set thresholds on.")
@click.option("-o", "--output", type=options.FILE, required=True, help="Folder of the model.")
@click.option("--encoder", type=options.FILE, help="Folder of a BERT encoder.  [default: all-MiniLM-L6-v2]")
@click.option("--epochs", type=click.FloatRange(0.01), default=4.0, show_default=True, help="Passes over the papers.")
@options.processes
def train(papers: Path, dev: Path, output: Path, encoder: Path | None, epochs: float, processes: int) -> None:
    """Train a reader on annotated papers; made again after a stop, it goes on where it was (extra: train)."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise MissingExtra("training needs torch; pip install 'paperkg[train]'")
    from extractors.training.run import train as learn

    scores = learn(papers, dev, output, encoder=encoder, epochs=epochs, processes=processes)
    write_rows(("what", "F1"), [(name, round(f1, 1)) for name, f1 in scores.items()])


COMMANDS = (check, extract, evaluate, train)
