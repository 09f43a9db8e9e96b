"""Read one text: cut it into windows, run the network on each, and join what the windows found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from extractors.reader.clusters import normal_form
from extractors.reader.decode import Found, FoundEntity, FoundRelation, cluster_scores, decide
from extractors.reader.labels import FAMILY, TYPES
from extractors.reader.session import Session, Vectors
from extractors.reader.units import Units, cut, windows

WINDOW = 480
"""Word pieces of a window: nearly every abstract is one, and the encoder has 512 places."""


@dataclass(frozen=True, slots=True)
class TextReading:
    """What one text holds.

    Attributes:
        units: The text in units; mentions and words count in them.
        entities: Found things, in order of first mention.
        relations: Relations between them, by number.
        nearly: Things that were left out for a score just below the threshold.
        document: Vector of the text, shape (m,); zeros for an empty text.
        words: Vectors of its units, shape (units, m); a phrase's vector is the mean of its units'.
        windows: The parts that were read in one pass, each with its unit vectors, shape (units of the part, width).
    """

    units: Units
    entities: tuple[FoundEntity, ...]
    relations: tuple[FoundRelation, ...]
    nearly: tuple[FoundEntity, ...]
    document: np.ndarray
    words: np.ndarray
    windows: tuple[tuple[Units, np.ndarray], ...] = ()


def read_text(session: Session, text: str, *, title_end: int | None = None) -> TextReading:
    """Read a clean text (title, blank line, abstract) of any length; nothing is cut off."""
    settings = session.settings
    units = cut(text, title_end=title_end)
    found: list[Found] = []
    vectors: list[Vectors] = []
    passes: list[tuple[Units, np.ndarray]] = []
    ranges = list(windows(units, session.pieces.lengths(units), limit=WINDOW))
    for first, after in ranges:
        part = _part(units, first, after)
        x, logits, vector = session.read(session.pieces.row(part, 0, len(part)))
        vectors.append(vector)
        passes.append((part, x))
        scores = cluster_scores(session, x, logits, part, settings)
        if scores:
            found.append(_moved(decide(scores, settings), first))
    entities, relations = join_windows(found, units)
    nearly = tuple(e for part in found for e in part.nearly)
    if not vectors:
        return TextReading(units, (), (), (), np.zeros(384, np.float32), np.zeros((0, 384), np.float32))
    sizes = np.array([after - first for first, after in ranges], np.float32)
    document = (np.stack([v.document for v in vectors]) * sizes[:, None]).sum(0) / sizes.sum()
    words = np.concatenate([v.words for v in vectors])
    return TextReading(units, entities, relations, nearly, document, words, tuple(passes))


def join_windows(found: Sequence[Found], units: Units) -> tuple[tuple[FoundEntity, ...], tuple[FoundRelation, ...]]:
    """Make one entity of those of several windows that share a surface and a family."""
    entities: list[FoundEntity] = []
    known: dict[tuple[str, int], int] = {}
    relations: dict[tuple[int, str, int], float] = {}
    for window in found:
        places = []
        for entity in window.entities:
            family = FAMILY[TYPES.index(entity.type) + 1]
            keys = [(normal_form(units.surface(a, b)), family) for a, b in entity.mentions]
            place = next((known[key] for key in keys if key in known), len(entities))
            if place == len(entities):
                entities.append(entity)
            else:
                entities[place] = _joined(entities[place], entity)
            for key in keys:
                known.setdefault(key, place)
            places.append(place)
        for relation in window.relations:
            stated = (places[relation.head], relation.type, places[relation.tail])
            if stated[0] != stated[2]:
                relations[stated] = max(relations.get(stated, 0.0), relation.score)
    return tuple(entities), tuple(FoundRelation(*stated, score) for stated, score in relations.items())


def _joined(a: FoundEntity, b: FoundEntity) -> FoundEntity:
    return FoundEntity(
        a.type if a.score >= b.score else b.type,
        tuple(sorted({*a.mentions, *b.mentions})),
        max(a.score, b.score),
        max(a.introduced, b.introduced),
        max(a.salience, b.salience),
    )


def _moved(found: Found, by: int) -> Found:
    def moved(entity: FoundEntity) -> FoundEntity:
        return replace(entity, mentions=tuple((a + by, b + by) for a, b in entity.mentions))

    return Found([moved(e) for e in found.entities], found.relations, [moved(e) for e in found.nearly])


def _part(units: Units, first: int, after: int) -> Units:
    if (first, after) == (0, len(units)):
        return units
    return Units(
        units.text,
        units.starts[first:after],
        units.ends[first:after],
        units.sentences[first:after],
        units.forms[first:after],
        min(max(units.title - first, 0), after - first),
    )
