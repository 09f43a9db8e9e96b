"""Read SciER, and lay its documents out for the reader.

Sentences are read in windows of their neighbours, since a name alone rarely tells its type. Unlike in papers
annotated by the project, a mention stands for itself: relations hold between two mentions of one sentence.
Digits that SciER's tokeniser split ("4 2") are joined again.

References:
    Zhang et al., 2024: SciER: An Entity and Relation Extraction Dataset for Datasets, Methods, and Tasks in
        Scientific Documents.
    Zhong and Chen, 2021: A Frustratingly Easy Approach for Entity and Relation Extraction (sentences with
        their neighbours, relations of marked mentions).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from extractors.reader.labels import RELATIONS, SAME, TYPES
from extractors.reader.pieces import Pieces
from extractors.reader.units import SHAPES, UNIT, Units, shape_of, windows
from extractors.training.annotations import Example
from extractors.training.lines import json_lines
from kg.errors import InputError

SYNONYM = "Synonym-Of"
CLASSES = {
    name: SAME if name == SYNONYM else RELATIONS.index(ours) + 1
    for name, ours in {
        "Used-For": "USED_FOR",
        "Evaluated-With": "EVALUATED_ON",
        "Trained-With": "TRAINED_ON",
        "Compare-With": "COMPARED_WITH",
        "Part-Of": "PART_OF",
        "SubClass-Of": "SUBCLASS_OF",
        "SubTask-Of": "SUBTASK_OF",
        "Benchmark-For": "BENCHMARK_FOR",
        SYNONYM: SYNONYM,
    }.items()
}
"""Class of a pair by the name that SciER gives it: a synonym is what the reader calls the same thing."""
SYMMETRIC = frozenset(("Compare-With", SYNONYM))
KINDS = {name: TYPES.index(name) + 1 for name in ("Method", "Task", "Dataset")}
WINDOW = 256
"""Word pieces of a window, about eight sentences: as much as PL-Marker and HGERE see."""

Place = tuple[int, int]
Entity = tuple[int, int, str]
Relation = tuple[Place, str, Place]


@dataclass(frozen=True, slots=True)
class Document:
    """A document in tokens.

    Attributes:
        id: Its name.
        tokens: Its tokens.
        sentences: Number of the sentence of each token, rising from 0.
        entities: (first token, last token, type) of each mention.
        relations: (place of the head, type, place of the tail).
    """

    id: str
    tokens: tuple[str, ...]
    sentences: tuple[int, ...]
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A document in units, and which token begins or ends at a unit's edge (by offset)."""

    units: Units
    first_at: Mapping[int, int]
    last_at: Mapping[int, int]

    def place(self, first: int, last: int) -> Place | None:
        """Return the tokens of the units first to last; None if an edge cuts a token."""
        a, b = self.first_at.get(self.units.starts[first]), self.last_at.get(self.units.ends[last])
        return None if a is None or b is None else (a, b)


def is_scier(record: Mapping[str, Any]) -> bool:
    """Say whether a record looks like a line of SciER."""
    return "ner" in record and ("sentences" in record or "sentence" in record)


def read_documents(file: Path) -> list[Document]:
    """Read a file of SciER: one document a line (token spans) or one sentence a line (strings).

    Raises:
        InputError: the file cannot be read, or a line is not of either form.
    """
    sentences: dict[str, list[_Sentence]] = {}
    for line in json_lines(file):
        record = line.record
        try:
            key = str(record["doc_key"] if "doc_key" in record else record["doc_id"])
            found = _of_tokens(record) if "sentences" in record else [_of_strings(record)]
            _check(found)
        except KeyError as error:
            raise InputError(f"{line.place} is no record of SciER: it has no {error}") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{line.place} is no record of SciER: {error}") from None
        sentences.setdefault(key, []).extend(found)
    return [_joined_document(key, found) for key, found in sentences.items()]


_Sentence = tuple[Sequence[str], Sequence[Entity], Sequence[Relation]]
"""Tokens, entities and relations of one sentence, in tokens that count from its own start."""


def _check(sentences: Iterable[_Sentence]) -> None:
    for tokens, entities, relations in sentences:
        for a, b, kind in entities:
            if not 0 <= a <= b < len(tokens):
                raise ValueError(f"the span {a}-{b} lies outside of its sentence of {len(tokens)} tokens")
            if kind not in KINDS:
                raise ValueError(f"{kind!r} is not one of {', '.join(KINDS)}")
        for _, name, _ in relations:
            if name not in CLASSES:
                raise ValueError(f"{name!r} is not one of {', '.join(CLASSES)}")


def _of_tokens(record: Mapping[str, Any]) -> list[_Sentence]:
    found: list[_Sentence] = []
    start = 0
    for tokens, ner, stated in zip(record["sentences"], record["ner"], record["relations"], strict=True):
        entities = [(a - start, b - start, kind) for a, b, kind in ner]
        relations = [((a - start, b - start), name, (c - start, d - start)) for a, b, c, d, name in stated]
        found.append((tokens, entities, relations))
        start += len(tokens)
    return found


def _joined_document(key: str, parts: Sequence[_Sentence]) -> Document:
    tokens: list[str] = []
    numbers: list[int] = []
    entities: list[Entity] = []
    relations: list[Relation] = []
    for number, (words, found, stated) in enumerate(parts):
        at = len(tokens)
        tokens += words
        numbers += [number] * len(words)
        entities += [(a + at, b + at, kind) for a, b, kind in found]
        relations += [((a + at, b + at), name, (c + at, d + at)) for (a, b), name, (c, d) in stated]
    return Document(key, tuple(tokens), tuple(numbers), tuple(entities), tuple(relations))


def _of_strings(record: Mapping[str, Any]) -> _Sentence:
    tokens = record["sentence"].split(" ")
    spans = place_strings(tokens, record["ner"])
    relations = []
    for head, name, tail in record["rel_plus"]:
        heads, tails = _named(head, tokens, spans), _named(tail, tokens, spans)
        near = [(abs(h[0] - t[0]), h, t) for h in heads for t in tails if h != t]
        if near:
            _, h, t = min(near)
            relations.append((h, name, t))
    return tokens, spans, relations


def place_strings(tokens: Sequence[str], named: Iterable[Sequence[str]]) -> list[Entity]:
    """Find each named string among the tokens, from left to right, each place once.

    >>> place_strings("a net beats a net".split(), [("net", "Method"), ("net", "Method")])
    [(1, 1, 'Method'), (4, 4, 'Method')]
    """
    spans: list[Entity] = []
    last = 0
    for string, kind in named:
        words = string.split(" ")
        places = [i for i in range(len(tokens) - len(words) + 1) if list(tokens[i : i + len(words)]) == words]
        free = [i for i in places if not any(a <= i + len(words) - 1 and i <= b for a, b, _ in spans)]
        if free:
            first = next((i for i in free if i >= last), free[0])
            spans.append((first, first + len(words) - 1, kind))
            last = first
    return spans


def _named(string: str, tokens: Sequence[str], spans: Sequence[Entity]) -> list[Place]:
    name, _, kind = string.rpartition(":")
    return [(a, b) for a, b, k in spans if k == kind and " ".join(tokens[a : b + 1]) == name]


def joined(tokens: Sequence[str]) -> tuple[str, list[Place]]:
    """Return a sentence as text, with split numbers joined, and the character span of each token.

    >>> joined(["4", "2", ".", "2", "%"])[0]
    '42 . 2 %'
    """
    text, spans = "", []
    for before, token in pairwise(["", *tokens]):
        digits = len(before) == len(token) == 1 and before.isdigit() and token.isdigit()
        text += token if digits or not text else f" {token}"
        spans.append((len(text) - len(token), len(text)))
    return text, spans


def lay_out(document: Document) -> Layout:
    """Cut a document into units; its own sentences, not guessed ones, bound its spans."""
    text, places = "", list[Place]()
    units = list[tuple[int, int, int]]()
    for number, group in groupby(zip(document.sentences, document.tokens, strict=True), key=lambda pair: pair[0]):
        sentence, spans = joined([token for _, token in group])
        at = len(text)
        text += sentence + "\n"
        places += [(a + at, b + at) for a, b in spans]
        units += [(match.start() + at, match.end() + at, number) for match in UNIT.finditer(sentence)]
    starts, ends, sentences = (tuple(column) for column in zip(*units, strict=True)) if units else ((), (), ())
    glued = (False, *(before[1] == unit[0] for before, unit in pairwise(units)))
    forms = tuple(shape_of(text[a:b]) + SHAPES * own for (a, b, _), own in zip(units, glued, strict=False))
    return Layout(
        Units(text, starts, ends, sentences, forms, 0),
        first_at={start: i for i, (start, _) in enumerate(places)},
        last_at={end: i for i, (_, end) in enumerate(places)},
    )


def window_ranges(units: Units, pieces: Pieces, *, begin: int = 0) -> list[tuple[int, int]]:
    """Return the unit ranges that a document is read in, from unit `begin` on; they end where sentences do."""
    rest = part_of(units, begin, len(units))
    return [(a + begin, b + begin) for a, b in windows(rest, pieces.lengths(rest), limit=WINDOW)]


def part_of(units: Units, first: int, after: int) -> Units:
    """Return the units [first, after) of a text."""
    cut = slice(first, after)
    return Units(units.text, units.starts[cut], units.ends[cut], units.sentences[cut], units.forms[cut], 0)


def examples_of(document: Document, pieces: Pieces) -> Iterator[Example]:
    """Yield a document's windows as training examples, cut twice so that each sentence has two surroundings."""
    layout = lay_out(document)
    ranges = window_ranges(layout.units, pieces)
    middle = _sentence_after(layout.units, ranges[0][1] // 2) if len(ranges) > 1 else 0
    if 0 < middle < ranges[0][1]:
        ranges += [(0, middle), *window_ranges(layout.units, pieces, begin=middle)]
    for first, after in ranges:
        yield _example(document, layout, pieces, first, after)


def _sentence_after(units: Units, unit: int) -> int:
    """Return the first unit of the next sentence that begins at or after a unit, 0 if none does."""
    begins = (i for i in range(max(unit, 1), len(units)) if units.sentences[i] != units.sentences[i - 1])
    return next(begins, 0)


def _example(document: Document, layout: Layout, pieces: Pieces, first: int, after: int) -> Example:
    units = part_of(layout.units, first, after)
    first_unit = _by_token(layout.first_at, units.starts)
    last_unit = _by_token(layout.last_at, units.ends)
    places = [e for e in document.entities if e[0] in first_unit and e[1] in last_unit]
    number = {(a, b): i for i, (a, b, _) in enumerate(places)}
    return Example(
        id=f"{document.id}:{first}",
        units=units,
        row=pieces.row(units, 0, len(units)),
        spans=tuple((first_unit[a], last_unit[b], KINDS[kind], i) for i, (a, b, kind) in enumerate(places)),
        types=tuple(KINDS[kind] for *_, kind in places),
        forms=(frozenset[str](),) * len(places),
        core=(True,) * len(places),
        introduced=(False,) * len(places),
        relations=tuple((number[h], CLASSES[r], number[t]) for h, r, t in document.relations if {h, t} <= {*number}),
        alone=True,
    )


def _by_token(token_at: Mapping[int, int], offsets: Sequence[int]) -> dict[int, int]:
    """Return token -> unit, from offset -> token and the offset of each unit."""
    return {token_at[offset]: unit for unit, offset in enumerate(offsets) if offset in token_at}


def ordered(relation: Relation) -> Relation:
    """Return a relation with the earlier mention first where it has no direction."""
    head, name, tail = relation
    return (tail, name, head) if name in SYMMETRIC and tail < head else relation
