"""Read documents of SciER with a model, score what it finds, and set its thresholds.

python -m extractors.training.scier_scoring MODEL_FOLDER DEV.jsonl      # sets the thresholds
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from extractors.reader.clusters import Cluster, describe
from extractors.reader.decode import Network, Settings, softmax
from extractors.reader.labels import RELATIONS, TYPES
from extractors.reader.pieces import Pieces
from extractors.reader.session import CONFIG, Session
from extractors.reader.spans import Span, band, choose_spans
from extractors.reader.units import Units
from extractors.training.scier import (
    CLASSES,
    KINDS,
    SYMMETRIC,
    SYNONYM,
    Document,
    Entity,
    Layout,
    Place,
    Relation,
    lay_out,
    ordered,
    part_of,
    read_documents,
    window_ranges,
)

ROWS = ("NER", "Rel", "Rel+")
_DATA, _METHOD, _TASK = "Dataset", "Method", "Task"
_LIKE = ((_METHOD, _METHOD), (_DATA, _DATA), (_TASK, _TASK))
ALLOWED = {
    "Benchmark-For": ((_DATA, _TASK),),
    "Compare-With": _LIKE,
    "Evaluated-With": ((_METHOD, _DATA),),
    "Part-Of": ((_METHOD, _METHOD),),
    "SubClass-Of": _LIKE,
    "SubTask-Of": ((_TASK, _TASK),),
    SYNONYM: _LIKE,
    "Trained-With": ((_METHOD, _DATA), (_METHOD, _METHOD), (_METHOD, _TASK)),
    "Used-For": (
        (_METHOD, _TASK), (_METHOD, _METHOD), (_METHOD, _DATA),
        (_TASK, _TASK), (_TASK, _METHOD), (_DATA, _METHOD), (_DATA, _TASK),
    ),
}  # fmt: skip
"""Types of head and tail of each relation: 99.6 % of those in the training split."""
_OURS = {name: RELATIONS[number - 1] for name, number in CLASSES.items() if name != SYNONYM}
GRID = tuple(np.round(np.arange(0.1, 0.8, 0.05), 2).tolist())
NEAR = (-0.15, -0.1, -0.05, 0.05, 0.1, 0.15)
TRIED = tuple((bias, vote) for bias in (-0.5, 0.0, 0.5, 1.0) for vote in (0.0, 0.5))
"""Span biases and votes."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the encoder gives for one document: its windows and their vectors, and the scores of all its spans."""

    layout: Layout
    ranges: list[tuple[int, int]]
    vectors: list[np.ndarray]
    logits: np.ndarray


@dataclass(frozen=True, slots=True)
class Heard:
    """What the network says of one window, before thresholds: each mention's type and each pair's likeliest relation.

    Attributes:
        places: Tokens of each mention.
        kinds: Its likeliest type.
        scores: The probability of that type.
        pairs: (head, relation, tail, probability), by number of the mentions, one for each pair of a sentence.
    """

    places: list[Place]
    kinds: list[str]
    scores: list[float]
    pairs: list[tuple[int, str, int, float]]


@dataclass(frozen=True, slots=True)
class Count:
    """How many are right, said and wanted."""

    right: int
    said: int
    wanted: int


def see(network: Network, pieces: Pieces, document: Document) -> Seen:
    """Run the encoder over a document, window by window."""
    layout = lay_out(document)
    units = layout.units
    rows = np.cumsum([0, *np.bincount(band(len(units))[0], minlength=len(units))])
    logits = np.full((int(rows[-1]), len(TYPES) + 1), -50.0, np.float32)
    logits[:, 0] = 0.0  # a span across windows is none
    ranges, vectors = window_ranges(units, pieces), []
    for a, b in ranges:
        x, scores = network.spans(pieces.row(part_of(units, a, b), 0, b - a))
        first, last = band(b - a)
        logits[rows[first + a] + last - first] = scores
        vectors.append(x)
    return Seen(layout, ranges, vectors, logits)


def hear(network: Network, seen: Seen, settings: Settings) -> list[Heard]:
    """Choose a document's mentions, voting over all of it, and score them and their pairs in each window."""
    layout = seen.layout
    spans = choose_spans(seen.logits, layout.units, bias=settings.span_bias, vote=settings.vote)
    heard = []
    for (a, b), x in zip(seen.ranges, seen.vectors, strict=True):
        inside = [s for s in spans if a <= s.first and s.last < b and layout.place(s.first, s.last)]
        if inside:
            local = [Span(s.first - a, s.last - a, s.scores) for s in inside]
            places = [place for s in inside if (place := layout.place(s.first, s.last))]
            heard.append(_heard(network, x, part_of(layout.units, a, b), local, places))
    return heard


def _heard(network: Network, x: np.ndarray, units: Units, spans: Sequence[Span], places: list[Place]) -> Heard:
    kind_logits, _, pair_logits = network.clusters(x, describe([Cluster((span,)) for span in spans], units))
    # the span's own class saw its words, the cluster's the others around it
    both = (softmax(kind_logits) + np.exp(np.stack([span.scores for span in spans]))) / 2
    scores = both[:, list(KINDS.values())]
    kinds = [list(KINDS)[k] for k in scores.argmax(1)]
    pairs = softmax(pair_logits)
    sentences = [units.sentences[span.first] for span in spans]
    found = [
        _likeliest(pairs, kinds, i, j)
        for i in range(len(spans))
        for j in range(i + 1, len(spans))
        if sentences[i] == sentences[j]
    ]
    return Heard(places, kinds, scores.max(1).tolist(), found)


def _likeliest(pairs: np.ndarray, kinds: Sequence[str], i: int, j: int) -> tuple[int, str, int, float]:
    """Return the likeliest relation of two mentions, in either direction, among those that their types allow."""
    tried = [(0.0, i, "", j)]
    for name, number in CLASSES.items():
        forth, back = float(pairs[i, j, number]), float(pairs[j, i, number])
        if name in SYMMETRIC:
            forth = back = (forth + back) / 2
        if (kinds[i], kinds[j]) in ALLOWED[name]:
            tried.append((forth, i, name, j))
        if (kinds[j], kinds[i]) in ALLOWED[name] and name not in SYMMETRIC:
            tried.append((back, j, name, i))
    score, head, name, tail = max(tried)
    return head, name, tail, score


def level(settings: Settings, name: str) -> float:
    """Return the lowest score of a relation."""
    return settings.same if name == SYNONYM else settings.relations[_OURS[name]]


def decide(heard: Sequence[Heard], settings: Settings) -> tuple[set[Entity], set[Relation]]:
    """Apply the thresholds to what was said of a document's windows."""
    entities: set[Entity] = set()
    relations: set[Relation] = set()
    for window in heard:
        kept = {
            i
            for i, (kind, score) in enumerate(zip(window.kinds, window.scores, strict=True))
            if score >= settings.keep[kind]
        }
        entities |= {(*window.places[i], window.kinds[i]) for i in kept}
        relations |= {
            ordered((window.places[head], name, window.places[tail]))
            for head, name, tail, score in window.pairs
            if name and head in kept and tail in kept and score >= level(settings, name)
        }
    return entities, relations


def count(document: Document, entities: set[Entity], relations: set[Relation]) -> dict[str, Count]:
    """Count strictly, as PL-Marker and HGERE do.

    NER asks for both ends and the type of a mention, Rel for both ends of both mentions and the relation's
    type, Rel+ also for both mentions' types. Compare-With and Synonym-Of have no direction.
    """
    stated = set(map(ordered, document.relations))
    pairs: tuple[tuple[set[Any], set[Any]], ...] = (
        (entities, set(document.entities)),
        (relations, stated),
        (_typed(relations, entities), _typed(stated, document.entities)),
    )
    return {
        row: Count(len(ours & theirs), len(ours), len(theirs)) for row, (ours, theirs) in zip(ROWS, pairs, strict=True)
    }


def _typed(relations: set[Relation], entities: set[Entity] | tuple[Entity, ...]) -> set[tuple[Any, ...]]:
    kind = {(a, b): name for a, b, name in entities}
    return {(head, kind.get(head), name, tail, kind.get(tail)) for head, name, tail in relations}


def f1(counts: Sequence[dict[str, Count]], row: str) -> float:
    """Return micro F1 over documents, 0 to 100."""
    total = sum(c[row].said + c[row].wanted for c in counts)
    return 200 * sum(c[row].right for c in counts) / total if total else 0.0


def score(session: Session, documents: Iterable[Document]) -> Iterator[dict[str, Count]]:
    """Yield the counts of each document, read with a model folder."""
    for document in documents:
        heard = hear(session, see(session, session.pieces, document), session.settings)
        yield count(document, *decide(heard, session.settings))


def search(heard: Sequence[Sequence[Heard]], documents: Sequence[Document], settings: Settings) -> Settings:
    """Set the thresholds one after the other, each to the best of a grid: those of entities first."""

    def best(current: Settings, row: str, trials: Sequence[Settings]) -> Settings:
        def value(trial: Settings) -> float:
            return f1([count(d, *decide(h, trial)) for d, h in zip(documents, heard, strict=True)], row)

        return max([current, *trials], key=value)

    current = best(settings, "NER", [replace(settings, keep=dict.fromkeys(TYPES, t)) for t in GRID])
    for kind in KINDS:
        near = [replace(current, keep={**current.keep, kind: current.keep[kind] + d}) for d in NEAR]
        current = best(current, "NER", near)
    everywhere = [replace(current, same=t, relations=dict.fromkeys(current.relations, t)) for t in GRID]
    current = best(current, "Rel+", everywhere)
    current = best(current, "Rel+", [replace(current, same=current.same + d) for d in NEAR])
    for name in _OURS.values():
        near = [replace(current, relations={**current.relations, name: current.relations[name] + d}) for d in NEAR]
        current = best(current, "Rel+", near)
    return current


def tune(folder: Path, dev: Path, *, network: Network | None = None) -> dict[str, float]:
    """Set the thresholds of a model folder on documents and return their F1 by row, 0 to 100."""
    session = Session(folder)
    network = network or session
    documents = read_documents(dev)
    seen = [see(network, session.pieces, document) for document in documents]
    chosen, table = Settings(), dict.fromkeys(ROWS, -1.0)
    for bias, vote in TRIED:
        settings = Settings(span_bias=bias, vote=vote)
        heard = [hear(network, each, settings) for each in seen]
        settings = search(heard, documents, settings)
        counts = [count(d, *decide(h, settings)) for d, h in zip(documents, heard, strict=True)]
        scores = {row: round(f1(counts, row), 2) for row in ROWS}
        if scores["NER"] + scores["Rel+"] > table["NER"] + table["Rel+"]:
            chosen, table = settings, scores
    config = json.loads((folder / CONFIG).read_text("utf-8"))
    config |= {"settings": asdict(chosen), "dev": table}
    (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    return table


if __name__ == "__main__":
    print(tune(Path(sys.argv[1]), Path(sys.argv[2])))
