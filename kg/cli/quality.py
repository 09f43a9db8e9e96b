"""Commands about quality: evaluate, train."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli import options
from kg.cli.assess import read_config
from kg.cli.output import progress, say, write_json, write_rows
from kg.config import SEED, ReadConfig
from kg.errors import InputError, MissingExtra, UsageError

if TYPE_CHECKING:
    from kg.evaluation import Counts, Scores
    from kg.types import Paper

PAPERS, SCIER = "papers", "scier"
RULES = "rules"
COLUMNS = ("what", "precision", "recall", "F1", "95% low", "95% high", "gold", "found")
COMPARED = ("entities", "introduced", "relations", "results (values)", "results (tied)", "urls")
"""Scores that a comparison of readers shows."""

Records = Sequence[Mapping[str, Any]]


@click.command()
@click.argument("gold", type=options.FILE)
@click.option("--predicted", type=options.FILE, help="Score this file (of `kg extract`) instead of reading the papers.")
@click.option(
    "--format",
    "form",
    type=click.Choice((PAPERS, SCIER)),
    default=PAPERS,
    show_default=True,
    help="Annotated papers, or documents of SciER: strict NER, Rel and Rel+.",
)
@click.option("--compare", is_flag=True, help="Also score the rules alone and the model alone.")
@options.reader
@options.processes
@click.option("--errors", type=click.IntRange(0), default=0, help="List so many errors of each kind.")
@options.as_json
@options.quiet
def evaluate(
    gold: Path,
    predicted: Path | None,
    form: str,
    compare: bool,
    reader: str | None,
    processes: int,
    errors: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Read the annotated papers of GOLD and score what was found (rules in kg/evaluation.py)."""
    if compare and (predicted or reader == RULES):
        raise UsageError("--compare reads the papers itself, with a model: give neither --predicted nor --reader rules")
    if form == SCIER:
        if predicted or compare or errors:
            raise UsageError("--format scier takes neither --predicted, --compare nor --errors")
        counts = _score_scier(gold, reader, quiet)
        _write_scores(counts, as_json=as_json)
        return
    annotated = _annotated(gold)
    read = _Reading(annotated, read_config(reader), processes, quiet)
    if compare:
        _compare(annotated, read, errors=errors, as_json=as_json)
        return
    from kg.evaluation import score

    scores = score(annotated, _records(predicted) if predicted else read.whole())
    _write_scores(scores.papers, as_json=as_json)
    if not as_json:
        _write_rest(scores, errors)


def _records(file: Path) -> list[dict[str, Any]]:
    from extractors.training.lines import json_lines

    return [line.record for line in json_lines(file)]


def _annotated(file: Path) -> list[dict[str, Any]]:
    records = _records(file)
    if any("ner" in record for record in records):
        raise InputError(f"{file} looks like SciER; score it with --format {SCIER}")
    if not any("entities" in record for record in records):
        raise InputError(f"{file} holds no annotations; expected papers with 'entities' (see kg/evaluation.py)")
    return records


class _Reading:
    """Reads annotated papers, each once a reader."""

    def __init__(self, annotated: Records, config: ReadConfig, processes: int, quiet: bool) -> None:
        self._annotated, self._config, self._processes, self._quiet = annotated, config, processes, quiet

    def whole(self, *, reader: str = "") -> list[dict[str, Any]]:
        """Return what the pipeline finds, with another reader if one is named."""
        from kg.pipeline import extract_records

        config = ReadConfig(reader=reader) if reader else self._config
        records = extract_records(self._papers(), config=config, processes=self._processes)
        return [*self._shown(records, config)]

    def apart(self) -> tuple[Records, Records]:
        """Return what the reader alone finds, and what the pipeline does."""
        from kg.pipeline import extract_apart

        pairs = extract_apart(self._papers(), config=self._config, processes=self._processes)
        alone, whole = zip(*self._shown(pairs, self._config), strict=True)
        return alone, whole

    def _papers(self) -> Iterator[Paper]:
        from kg.types import Paper

        for record in self._annotated:
            try:
                yield Paper(str(record["id"]), title=record.get("title") or "", abstract=record.get("abstract") or "")
            except KeyError:
                raise InputError("an annotated paper has no 'id'") from None

    def _shown(self, items: Iterable[Any], config: ReadConfig) -> Iterator[Any]:
        label = f"Reading papers ({config.reader})"
        return progress(items, label=label, total=len(self._annotated), quiet=self._quiet)


def _compare(annotated: Records, read: _Reading, *, errors: int, as_json: bool) -> None:
    """Score the rules alone, the model alone and both.

    Rules alone: the pipeline with the rule reader. Model alone: what the trained reader says, without the rules
    around it (joined acronyms, results, links). Both: the pipeline with the trained reader, as `kg build` runs it.
    """
    from kg.evaluation import score

    rules = score(annotated, read.whole(reader=RULES))
    alone, whole = (score(annotated, records) for records in read.apart())
    three = {"rules alone": rules, "model alone": alone, "both": whole}
    if as_json:
        write_json({name: {row: _record(scores.papers[row]) for row in COMPARED} for name, scores in three.items()})
        return
    _write_scores(whole.papers, as_json=False)
    cells = [(row, *(_brief(scores.papers[row]) for scores in three.values())) for row in COMPARED]
    write_rows(("F1 [95% interval]", *three), cells)
    _write_rest(whole, errors)


def _write_scores(scores: Mapping[str, Sequence[Counts]], *, as_json: bool) -> None:
    if as_json:
        write_json({name: _record(papers) for name, papers in scores.items()})
    else:
        write_rows(COLUMNS, [(name, *_record(papers).values()) for name, papers in scores.items()])


def _write_rest(scores: Scores, errors: int) -> None:
    """Print how many main contributions work, and the errors by kind with examples."""
    from kg.mistakes import KINDS

    if scores.systems:
        works = sum(row.works for row in scores.systems)
        click.echo(f"main contribution found, flagged and tied: {works} of {len(scores.systems)}")
    by_kind = {kind: [m for m in scores.mistakes if m.kind == kind] for kind in KINDS}
    write_rows(("error", "count"), [(kind, len(found)) for kind, found in by_kind.items()])
    for kind, found in by_kind.items():
        for m in found[:errors]:
            click.echo(f"{kind}: {m.paper_id} {m.type}: {' | '.join(part for part in (m.gold, m.predicted) if part)}")


def _record(papers: Sequence[Counts]) -> dict[str, Any]:
    from kg.evaluation import Counts, interval

    total = sum(papers, Counts())
    low, high = interval(papers, seed=SEED)
    shares = {"P": total.precision, "R": total.recall, "F1": total.f1, "low": low, "high": high}
    return {name: round(share, 1) for name, share in shares.items()} | {"gold": total.gold, "pred": total.predicted}


def _brief(papers: Sequence[Counts]) -> str:
    record = _record(papers)
    return f"{record['F1']} [{record['low']}, {record['high']}]" if record["pred"] else "-"


def _score_scier(file: Path, reader: str | None, quiet: bool) -> dict[str, list[Counts]]:
    """Return the counts of each document by row; intervals draw whole documents."""
    from extractors.reader.session import Session
    from extractors.readers import model_folder
    from extractors.training.scier import read_documents
    from extractors.training.scier_scoring import ROWS, score
    from kg.evaluation import Counts

    if reader == RULES:
        raise UsageError("the rules know nothing of SciER's relations; give --model a folder that `kg train` wrote")
    documents = read_documents(file)
    session = Session(model_folder(reader or "auto"))
    scored = score(session, documents)
    shown = list(progress(scored, label="Reading documents", total=len(documents), quiet=quiet))
    return {row: [Counts(c[row].right, c[row].said, c[row].right, c[row].wanted) for c in shown] for row in ROWS}


@click.command()
@click.option("--train", "papers", type=options.FILE, required=True, help="Annotated papers to learn from.")
@click.option("--dev", type=options.FILE, required=True, help="Annotated papers to set thresholds on.")
@click.option("-o", "--output", type=options.FILE, required=True, help="Folder of the model.")
@click.option(
    "--format",
    "form",
    type=click.Choice((PAPERS, SCIER)),
    help="What the files hold.  [default: told from their first line]",
)
@click.option("--encoder", type=options.FILE, help="Folder of a BERT encoder.  [default: all-MiniLM-L6-v2]")
@click.option("--epochs", type=click.FloatRange(0.01), default=4.0, show_default=True, help="Passes over the papers.")
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Processes of one thread each.")
def train(
    papers: Path, dev: Path, output: Path, form: str | None, encoder: Path | None, epochs: float, processes: int
) -> None:
    """Train a reader on annotated papers; made again after a stop, it goes on where it was (extra: train).

    -o holds the model, learning.png (the losses and scores on the way) and the checkpoints in `run`.
    """
    from importlib.util import find_spec

    missing = [name for name in ("torch", "onnx", "safetensors", "matplotlib") if find_spec(name) is None]
    if missing:
        raise MissingExtra(f"training needs {', '.join(missing)}; pip install 'paperkg[train]'")
    from extractors.training.formats import format_of
    from extractors.training.run import train as learn

    for file in (papers, dev):
        if form and format_of(file) != form:
            raise InputError(f"{file} holds {format_of(file)}, not {form}")
    try:
        scores = learn(papers, dev, output, encoder=encoder, epochs=epochs, processes=processes)
    except KeyboardInterrupt:
        say("\nthe same command goes on from the last checkpoint")
        raise
    write_rows(("what", "F1"), [(name, round(f1, 1)) for name, f1 in scores.items()])


COMMANDS = (evaluate, train)
