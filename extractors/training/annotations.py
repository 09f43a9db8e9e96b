"""Annotated papers as training examples in units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from extractors.reader.answers import AnswerInput
from extractors.reader.clusters import Cluster, group, normal_form
from extractors.reader.labels import FAMILY, RELATIONS, SAME, SYMMETRIC, TYPES
from extractors.reader.pieces import PieceRow, Pieces
from extractors.reader.spans import Span
from extractors.reader.units import Units, cut
from extractors.training.lines import json_lines
from kg.errors import InputError

LIMIT = 480
"""Word pieces of a window; the encoder has 512 places."""
UNKNOWN = -100
"""A label that no loss counts."""
_MIRRORED = (RELATIONS.index(SYMMETRIC) + 1, SAME)


@dataclass(frozen=True, slots=True)
class NumberExample:
    """A result with the options of its three roles, and which of them are right, shape (options,)."""

    given: AnswerInput
    right: np.ndarray


@dataclass(frozen=True, slots=True)
class Example:
    """One annotated paper.

    Attributes:
        id: The paper's id.
        units: Its text.
        row: Its word pieces.
        spans: (first unit, last unit, class, entity) of each annotated mention.
        types: Class of each entity, 1 to types.
        forms: Normal forms of each entity's surfaces.
        core: Whether each entity is core.
        introduced: Whether each entity is introduced.
        relations: (head entity, relation class, tail entity).
        alone: Whether each mention stands for itself, related only to those of its sentence (SciER).
        read: Whether entities and relations are annotated; if not, only `numbers` teach anything.
        numbers: Its results among the entities that a reader found, and again among the annotated ones.
    """

    id: str
    units: Units
    row: PieceRow
    spans: tuple[tuple[int, int, int, int], ...]
    types: tuple[int, ...]
    forms: tuple[frozenset[str], ...]
    core: tuple[bool, ...]
    introduced: tuple[bool, ...]
    relations: tuple[tuple[int, int, int], ...]
    alone: bool = False
    read: bool = True
    numbers: tuple[tuple[NumberExample, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ClusterTargets:
    """What the relation network should say about C clusters.

    Attributes:
        kind: Class of each cluster, 0 if it is no annotated entity, shape (C,).
        keep: Whether the class counts in full (1) or only among types, as optional entities never count (0).
        flags: Introduced and core, shape (C, 2).
        relation: Class of each pair, UNKNOWN on the diagonal, shape (C, C).
    """

    kind: np.ndarray
    keep: np.ndarray
    flags: np.ndarray
    relation: np.ndarray


def read_examples(file: Path, pieces: Pieces) -> list[Example]:
    """Read annotated papers, one JSON object a line; a window of the text is all of nearly every paper.

    Raises:
        InputError: the file cannot be read, or a record is not of this form.
    """
    examples = []
    for line in json_lines(file):
        try:
            examples.append(example_of(line.record, pieces))
        except KeyError as error:
            raise InputError(f"{line.place} is no annotated paper: it has no {error}") from None
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            raise InputError(f"{line.place} is no annotated paper: {error}") from None
    return examples


def example_of(record: Mapping[str, Any], pieces: Pieces) -> Example:
    """Turn a record with text, spans, entities and relations into units; spans that cut words are dropped.

    Raises:
        ValueError: a span lies outside of the text or names no entity, or a type is unknown.
    """
    _check(record)
    units = _shortened(cut(record["text"]), pieces)
    first_at = {start: i for i, start in enumerate(units.starts)}
    last_at = {end: i for i, end in enumerate(units.ends)}
    spans = tuple(
        (first_at[s], last_at[e], TYPES.index(kind) + 1, entity)
        for s, e, kind, entity, *_ in record["spans"]
        if s in first_at and e in last_at
    )
    entities = record["entities"]
    number = {e["name"]: i for i, e in enumerate(entities)}
    relations = tuple(
        (number[h], RELATIONS.index(r) + 1, number[t])
        for h, r, t in record["relations"]
        if h in number and t in number and h != t and r in RELATIONS
    )
    return Example(
        id=str(record["id"]),
        units=units,
        row=pieces.row(units, 0, len(units)),
        spans=spans,
        types=tuple(TYPES.index(e["type"]) + 1 for e in entities),
        forms=tuple(frozenset(map(normal_form, [*e["surface"], e["name"]])) - {""} for e in entities),
        core=tuple(e.get("level", "core") == "core" for e in entities),
        introduced=tuple(bool(e.get("introduced")) for e in entities),
        relations=relations,
    )


def unread_example(paper: str, text: str, title_end: int, pieces: Pieces) -> Example:
    """Return a text whose entities are not annotated."""
    units = _shortened(cut(text, title_end=title_end), pieces)
    return Example(paper, units, pieces.row(units, 0, len(units)), (), (), (), (), (), (), read=False)


def _check(record: Mapping[str, Any]) -> None:
    size, count = len(record["text"]), len(record["entities"])
    for start, end, kind, entity, *_ in record["spans"]:
        if not 0 <= start < end <= size:
            raise ValueError(f"the span {start}-{end} lies outside of its text of {size} characters")
        if not 0 <= entity < count:
            raise ValueError(f"the span {start}-{end} is of entity {entity}, but there are {count} entities")
        _check_type(kind)
    for entity in record["entities"]:
        _check_type(entity["type"])


def _check_type(kind: str) -> None:
    if kind not in TYPES:
        raise ValueError(f"{kind!r} is not one of {', '.join(TYPES)}")


def _shortened(units: Units, pieces: Pieces) -> Units:
    total = np.cumsum(pieces.lengths(units))
    fit = int(np.searchsorted(total, LIMIT, side="right"))
    if fit == len(units):
        return units
    return Units(
        units.text,
        units.starts[:fit],
        units.ends[:fit],
        units.sentences[:fit],
        units.forms[:fit],
        min(units.title, fit),
    )


def grouped(spans: Sequence[Span], example: Example) -> list[Cluster]:
    """Group spans as the example's relations need it: by name, or each alone."""
    return [Cluster((span,)) for span in spans] if example.alone else group(spans, example.units)


def targets_for(clusters: Sequence[Cluster], example: Example) -> ClusterTargets:
    """Return what the relation network should say about clusters of an example."""
    if not example.alone:
        return targets_of(align(clusters, example), example)
    entity_at = {(a, b): entity for a, b, _, entity in example.spans}
    targets = targets_of([entity_at.get((c.spans[0].first, c.spans[0].last), -1) for c in clusters], example)
    numbers = np.asarray(example.units.sentences)[[c.spans[0].first for c in clusters]]
    targets.relation[numbers[:, None] != numbers[None]] = UNKNOWN
    return targets


def align(clusters: Iterable[Cluster], example: Example) -> list[int]:
    """Return the annotated entity of each cluster by the scorer's rule, -1 for none.

    A cluster is an entity when one of its surfaces is one of the entity's; where two fit, the one that shares
    the likeliest family, then a core one.
    """
    out = []
    for cluster in clusters:
        forms = {normal_form(example.units.surface(s.first, s.last)) for s in cluster.spans}
        likely = FAMILY[int(np.mean([s.scores for s in cluster.spans], 0)[1:].argmax()) + 1]
        fits = [
            (FAMILY[example.types[i]] == likely, example.core[i], -i)
            for i, known in enumerate(example.forms)
            if not forms.isdisjoint(known)
        ]
        out.append(-max(fits)[2] if fits else -1)
    return out


def targets_of(entities: list[int], example: Example) -> ClusterTargets:
    """Return the targets of clusters that stand for the given annotated entities (-1: none)."""
    count = len(entities)
    known = np.array(entities)
    found = known >= 0
    pick = lambda values: np.where(found, np.array([*values, 0])[known], 0)  # noqa: E731
    core, introduced = pick(example.core), pick(example.introduced)
    table = {(h, t): r for h, r, t in reversed(example.relations)}
    table |= {(t, h): r for (h, t), r in table.items() if r in _MIRRORED and (t, h) not in table}
    relation = np.zeros((count, count), np.int64)
    for i, head in enumerate(entities):
        for j, tail in enumerate(entities):
            if head >= 0 and tail >= 0:
                relation[i, j] = SAME if head == tail else table.get((head, tail), 0)
    np.fill_diagonal(relation, UNKNOWN)
    return ClusterTargets(
        kind=pick(example.types).astype(np.int64),
        keep=(core.astype(bool) | ~found).astype(np.float32),
        flags=np.stack([introduced, core], -1).astype(np.float32),
        relation=relation,
    )
