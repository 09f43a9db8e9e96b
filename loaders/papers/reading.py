"""Read papers from any number of inputs, whatever their formats, each paper once."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Final

from kg.errors import FaultyRecords, InputError
from kg.types import Merged, Paper, ReadReport, Skipped
from loaders.papers.filters import Wanted
from loaders.papers.merging import Group, Spool, Stored, merge
from loaders.papers.records import Excluded, Faulty, Found
from loaders.papers.registry import recognise
from loaders.papers.sources import opened

#: An abstract of more characters is read, but told: it is a whole paper, or a file that was not parted.
LONG_ABSTRACT: Final = 20_000
_MAX_MERGES: Final = 10_000
_MAX_TOLD: Final = 1_000


@dataclass(slots=True)
class _Reading:
    """The state of one reading: the inputs' names, the records on disk, the report."""

    spool: Spool
    report: ReadReport
    wanted: Wanted
    files: list[str] = field(default_factory=list)
    warned: Counter[tuple[str, str]] = field(default_factory=Counter)


def read_papers(
    inputs: Sequence[str | Path],
    *,
    report: ReadReport,
    strict: bool = False,
    limit: int | None = None,
    since: int | None = None,
    venue: str = "",
    year: int | None = None,
    rejected: bool = False,
    abstract_chars: int | None = None,
) -> Iterator[Paper]:
    """Yield each paper of the inputs once, in the order of first appearance.

    The first paper comes when all inputs are read (or ``limit`` papers found), so that records of one paper
    merge wherever they stand; they wait on disk, and memory does not grow with the size of the inputs.

    Args:
        inputs: files, plain or compressed, zip archives, or ``-`` for standard input.
        report: is filled while reading.
        strict: raise instead of going on without faulty records.
        limit: how many papers at most.
        since: the earliest year.
        venue: a part of the venue's name, in any case.
        year: the only year.
        rejected: also the submissions that a venue rejected or that were withdrawn.
        abstract_chars: cut abstracts after so many characters; None leaves them whole.

    Raises:
        InputError: for an input that cannot be read or holds no paper.
        FaultyRecords: with ``strict``, when a record could not be used.
    """
    wanted = Wanted(limit, since, venue, year, rejected)
    with Spool(abstract_chars=abstract_chars) as spool:
        reading = _Reading(spool, report, wanted)
        with closing(_records(reading, inputs)) as records:
            _collect(reading, records)
        if strict and report.skipped:
            raise FaultyRecords(_faults_said(report.skipped))
        yield from islice(_papers(reading), limit)
        _close(reading)


def _faults_said(skipped: list[Skipped]) -> str:
    first = skipped[0]
    more = f", and {len(skipped) - 1} more" if len(skipped) > 1 else ""
    return f"{first.file}:{first.line}: {first.reason}{more}; correct this or read without strict"


def _collect(reading: _Reading, records: Iterator[Found]) -> None:
    """Read all records, or until as many papers as asked for are on disk."""
    limit = reading.wanted.limit
    if limit is None:
        for _ in records:
            pass
        return
    missing = limit
    while missing > 0 and _took(reading, records, missing):
        missing = limit - sum(1 for group in reading.spool.groups() if not _refusal(reading, group))


def _took(reading: _Reading, records: Iterator[Found], count: int) -> bool:
    """Read on until that many more records are asked for; say whether there were any records left."""
    any_left = False
    for found in records:
        any_left = True
        count -= not reading.wanted.refusal(found.paper)
        if count <= 0:
            break
    return any_left


def _refusal(reading: _Reading, group: Group) -> str:
    return reading.wanted.refusal(merge([stored.found.paper for stored, _ in group]))


def _records(reading: _Reading, inputs: Sequence[str | Path]) -> Generator[Found, None, None]:
    """Put every record of the inputs on disk and yield it."""
    if not inputs:
        raise InputError("no input was given; name at least one file, or - for standard input")
    for given in inputs:
        with opened(given) as parts:
            found = 0
            for name, stream in parts:
                try:
                    for record in _of_stream(reading, name, stream):
                        found += isinstance(record, Found)
                        yield record
                except InputError as error:
                    if name == str(given):
                        raise
                    reading.report.skipped.append(Skipped(name, 0, str(error)))
            if not found and not reading.report.filtered:
                raise InputError(f"{given} holds no paper that can be read")


def _of_stream(reading: _Reading, name: str, stream: io.BufferedReader) -> Iterator[Found]:
    recognised = recognise(name, stream)
    source = recognised.source
    reading.report.formats[name] = recognised.form
    number, found, excluded = len(reading.files), 0, 0
    reading.files.append(name)
    for record in chain(recognised.records, source.faults if source else ()):
        reading.report.records += 1
        if isinstance(record, Excluded) and record.found and reading.wanted.rejected:
            record = record.found
        match record:
            case Found():
                found += 1
                reading.spool.add(_told_long(record), file=number)
                yield record
            case Excluded():
                excluded += 1
                _count(reading.report.filtered, record.reason)
            case Faulty():
                reading.report.skipped.append(Skipped(name, record.line, record.reason))
    if source and source.recoded:
        _warn(
            reading,
            name,
            source.recoded[0],
            f"{len(source.recoded)} line(s) are not UTF-8 and were read as Windows-1252",
        )
    if not found and not excluded:
        raise InputError(_no_paper_said(name, recognised.form, reading.report.skipped))


def _told_long(found: Found) -> Found:
    length = len(found.paper.abstract)
    return found if length <= LONG_ABSTRACT else replace(found, warning=f"has an abstract of {length:,} characters")


def _no_paper_said(name: str, form: str, skipped: list[Skipped]) -> str:
    first = next((f": line {fault.line} {fault.reason}" for fault in skipped if fault.file == name), "")
    return f"{name} (read as {form}) holds no paper{first}"


def _papers(reading: _Reading) -> Iterator[Paper]:
    """Yield the merged papers that are asked for, and fill the report."""
    report = reading.report
    for group in reading.spool.groups():
        paper = merge([stored.found.paper for stored, _ in group])
        if refusal := reading.wanted.refusal(paper):
            for _ in group:
                _count(report.filtered, refusal)
            continue
        kept = next(stored for stored, _ in group if stored.found.paper.id == paper.id)
        if reading.spool.clashes(kept):
            paper = replace(paper, id=f"{paper.id}~{paper.content_hash[:8]}")
            _warn(
                reading,
                reading.files[kept.file],
                kept.found.line,
                f"its id is another paper's too; read as {paper.id}",
            )
        _note_merges(reading, group, paper)
        _note_oddities(reading, kept, paper)
        report.papers += 1
        report.with_abstract += bool(paper.abstract)
        yield paper


def _note_merges(reading: _Reading, group: Group, paper: Paper) -> None:
    report = reading.report
    joined = group[0][0].found.half
    for stored, by in group[1:]:
        if stored.found.half or joined:
            by, joined = "bulk join", joined and stored.found.half
        else:
            report.duplicates += 1
        _count(report.merged, by)
        if len(report.merges) < _MAX_MERGES:
            report.merges.append(Merged(paper.id, reading.files[stored.file], stored.found.line, by))


def _note_oddities(reading: _Reading, kept: Stored, paper: Paper) -> None:
    """Tell of papers that are kept but will say little, or cannot be what they seem."""
    reasons = [kept.found.warning]
    if not paper.abstract:
        reasons.append("has no abstract")
    elif not kept.found.warning and len(paper.abstract.split()) == 1 and paper.abstract.isascii():
        reasons.append("has an abstract of one word")
    for reason in filter(None, reasons):
        _warn(reading, reading.files[kept.file], kept.found.line, reason)


def _warn(reading: _Reading, file: str, line: int, reason: str) -> None:
    """Tell the first thousand cases of one kind in one file with their lines, then only count them."""
    reading.warned[file, reason] += 1
    if reading.warned[file, reason] <= _MAX_TOLD:
        reading.report.warnings.append(Skipped(file, line, reason))


def _close(reading: _Reading) -> None:
    for (file, reason), count in reading.warned.items():
        if count > _MAX_TOLD:
            reading.report.warnings.append(Skipped(file, 0, f"{count - _MAX_TOLD} more: {reason}"))
    if not reading.report.papers:
        reasons = ", ".join(f"{count} {reason}" for reason, count in reading.report.filtered.items())
        raise InputError(f"no paper is left of {reading.report.records} records ({reasons}); widen the filters")


def _count(counts: dict[str, int], reason: str) -> None:
    counts[reason] = counts.get(reason, 0) + 1
