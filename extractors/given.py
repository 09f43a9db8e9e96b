"""Extractions from records that someone else made or corrected: the format that `kg extract` writes.

A record names entities by their surfaces; where they stand is found in the text of the paper.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from extractors.acronyms import find_acronyms
from extractors.words import split_sentences
from kg.errors import InputError
from kg.types import GIVEN, CleanText, Dropped, Extraction, Link, Mention, Paper, PaperEntity, Relation, Result, Span

Clean = Callable[[str], CleanText]


def unchanged(raw: str) -> CleanText:
    """Return a text as it is: the cleaning of a text without mark-up."""
    return CleanText(raw, raw, tuple(range(len(raw))), tuple(range(1, len(raw) + 1)))


@dataclass(frozen=True, slots=True)
class GivenRecords:
    """A file of records by paper id. ``version`` differs whenever the file does, so a corrected file is read anew."""

    records: Mapping[str, Mapping[str, Any]]
    version: str
    clean: Clean = unchanged

    def read(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """Yield the extraction of each paper; a paper without a record gets an empty one that says so."""
        for paper in papers:
            record = self.records.get(paper.id)
            if record is None:
                missing = (Dropped(paper.id, "paper without a given record"),)
                yield Extraction(paper.id, paper.content_hash, dropped=missing, extractor=self.version)
            else:
                yield replace(given_extraction(record, paper, clean=self.clean), extractor=self.version)


def read_given(path: Path, *, clean: Clean = unchanged) -> GivenRecords:
    """Read a file of records, one JSON object a line with the ``id`` of a paper, plain or gzipped.

    Raises:
        InputError: The file is missing, or a line is no record; the message names the line.
    """
    try:
        data = path.read_bytes()
        lines = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is no UTF-8 text; expected one JSON object a line") from None
    records: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            record = _record(line, f"{path}:{number}")
            records[str(record["id"])] = record
    return GivenRecords(records, f"{GIVEN}:{hashlib.sha256(data).hexdigest()[:16]}", clean)


def _record(line: str, place: str) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{place} is no JSON ({error.msg}); expected the format of `kg extract`") from None
    if not isinstance(record, dict) or "id" not in record:
        raise InputError(f"{place} has no 'id'; expected the format of `kg extract`")
    return record


def given_extraction(record: Mapping[str, Any], paper: Paper, *, clean: Clean = unchanged) -> Extraction:
    """Return a record as the extraction of its paper; what cannot be found in the text is dropped with a reason.

    Args:
        record: ``{"entities": [{"name", "type", "surfaces", "introduced", "score"}], "relations": [{"head", "type",
            "tail", "score"}], "results": [...], "urls": [...]}``; gold annotations ("surface", relations as triples)
            are read as well.
        paper: The paper it speaks of.
        clean: How its raw text becomes readable text.
    """
    text = clean(paper.raw)
    sentences = split_sentences(text.text)
    defined = find_acronyms(text.text, sentences)
    listed = [item for item in record.get("entities", ()) if item.get("name") and item.get("type")]
    places = _find_surfaces(text.text, [_surfaces(item) for item in listed])
    dropped: list[Dropped] = []
    entities: list[PaperEntity] = []
    index: dict[str, int] = {}
    for item, spans in zip(listed, places, strict=True):
        if spans:
            index.setdefault(item["name"], len(entities))
            entities.append(_entity(item, spans, text))
        else:
            dropped.append(Dropped(item["name"], "surface not in the text"))
    relations = tuple(_relations(record.get("relations", ()), entities, index, sentences, dropped))
    return Extraction(
        paper.id,
        paper.content_hash,
        text=text.text,
        sentences=sentences,
        entities=tuple(entities),
        relations=relations,
        results=tuple(_results(record.get("results", ()), text, sentences, dropped)),
        links=tuple(_links(record.get("urls", ()), text, dropped)),
        acronyms=tuple((text.text[slice(*a.short)], text.text[slice(*a.long)]) for a in defined),
        dropped=tuple(dropped),
        extractor=GIVEN,
    )


def _surfaces(item: Mapping[str, Any]) -> list[str]:
    given = item.get("surfaces") or item.get("surface") or []
    return [surface for surface in dict.fromkeys([*given, item["name"]]) if surface.strip()]


def _find_surfaces(text: str, surfaces: Sequence[Sequence[str]]) -> list[list[Span]]:
    """Return where the surfaces of each entity stand: longer surfaces first, no place twice, whole words only."""
    owner: dict[str, int] = {}
    for number, names in enumerate(surfaces):
        for name in names:
            owner.setdefault(name, number)
    found: list[list[Span]] = [[] for _ in surfaces]
    for match in _occurrences(text, owner):
        found[owner[match[0]]].append(Span(*match.span()))
    missing = {name.casefold(): number for name, number in owner.items() if not found[number]}
    if missing:
        taken = [span for spans in found for span in spans]
        for match in _occurrences(text, missing, re.IGNORECASE):
            number = missing.get(match[0].casefold(), -1)
            if number >= 0 and not any(span.start < match.end() and match.start() < span.end for span in taken):
                found[number].append(Span(*match.span()))
    return found


def _occurrences(text: str, names: Mapping[str, int], flags: int = 0) -> Iterator[re.Match[str]]:
    if names:
        options = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
        yield from re.finditer(rf"(?<![^\W_])(?:{options})(?![^\W_])", text, flags)


def _entity(item: Mapping[str, Any], spans: Sequence[Span], text: CleanText) -> PaperEntity:
    mentions = tuple(
        Mention(span.start, span.end, text.text[span.start : span.end], text.raw_span(*span)) for span in spans
    )
    return PaperEntity(
        item["name"],
        item["type"],
        mentions,
        introduced=bool(item.get("introduced")),
        score=float(item.get("score", 1.0)),
        salience=float(item.get("salience", 0.0)),
        source=GIVEN,
        definition=str(item.get("definition") or ""),
    )


def _relations(
    records: Sequence[Any],
    entities: Sequence[PaperEntity],
    index: Mapping[str, int],
    sentences: Sequence[Span],
    dropped: list[Dropped],
) -> Iterator[Relation]:
    for record in records:
        if isinstance(record, Mapping):
            head, kind, tail, score = (
                record["head"],
                record["type"],
                record["tail"],
                float(record.get("score", 1.0)),
            )
        else:
            (head, kind, tail), score = record, 1.0
        if head not in index or tail not in index:
            dropped.append(Dropped(f"{head} {kind} {tail}", "an end of the relation is not in the text"))
            continue
        one, other = entities[index[head]], entities[index[tail]]
        pair = _closest(one.mentions, other.mentions, sentences)
        span = _stretch(one.mentions[pair[0]], other.mentions[pair[1]], sentences)
        yield Relation(index[head], kind, index[tail], span, *pair, score=score, source=GIVEN)


def _closest(ones: Sequence[Mention], others: Sequence[Mention], sentences: Sequence[Span]) -> tuple[int, int]:
    """Return the pair of mentions that stand nearest to each other; the first of equals."""
    pairs = [(abs(one.start - other.start), i, j) for i, one in enumerate(ones) for j, other in enumerate(others)]
    _, i, j = min(pairs)
    return i, j


def _stretch(one: Mention, other: Mention, sentences: Sequence[Span]) -> Span:
    start, end = min(one.start, other.start), max(one.end, other.end)
    touched = [span for span in sentences if span.start < end and start < span.end]
    return Span(touched[0].start, touched[-1].end) if touched else Span(start, end)


def _results(
    records: Sequence[Mapping[str, Any]], text: CleanText, sentences: Sequence[Span], dropped: list[Dropped]
) -> Iterator[Result]:
    for record in records:
        value = str(record.get("value") or "")
        start = text.text.find(value) if value else -1
        if start < 0:
            dropped.append(Dropped(value or "result", "value not in the text"))
            continue
        span = Span(start, start + len(value))
        whole = next((sentence for sentence in sentences if sentence.start <= start < sentence.end), span)
        yield Result(
            value,
            span,
            text.raw_span(*span),
            whole,
            method=str(record.get("method") or ""),
            metric=str(record.get("metric") or ""),
            on=str(record.get("on") or ""),
            baseline=str(record.get("baseline") or ""),
            source=GIVEN,
        )


def _links(urls: Sequence[str], text: CleanText, dropped: list[Dropped]) -> Iterator[Link]:
    for url in urls:
        start = text.text.find(url)
        if start < 0:
            dropped.append(Dropped(url, "address not in the text"))
            continue
        kind = "code" if re.search(r"(?:github|gitlab|bitbucket)\.", url) else "other"
        yield Link(url, kind, text.raw_span(start, start + len(url)))
