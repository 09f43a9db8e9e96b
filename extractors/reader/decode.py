"""From the network's scores to a paper's entities and relations, in numpy; one code for training and use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import numpy as np

from extractors.reader.clusters import Cluster, ClusterInput, describe, group
from extractors.reader.labels import AIMS, FAMILY, PURPOSES, RELATIONS, SAME, SYMMETRIC, TYPES
from extractors.reader.pieces import PieceRow
from extractors.reader.spans import choose_spans
from extractors.reader.units import Units
from kg.schema import allows

MOST_CLUSTERS = 60
"""Clusters of a window that are paired: their pairs grow with the square, and no abstract has so many."""

PURPOSE = 0.1
"""What a paper introduces is for something: where no relation that says so reaches its threshold, the likeliest is
stated from this score on. On dev, F1 of the relations stays as it is, and fewer systems are left without a purpose."""
_AIMS = np.array([[r in PURPOSES and t in AIMS for r in RELATIONS] for t in TYPES])
"""Which relations tell what their head is for, by type of the tail, shape (types, relations)."""


class Network(Protocol):
    """What scores texts: the ONNX session in use, the torch module in training."""

    def spans(self, row: PieceRow) -> tuple[np.ndarray, np.ndarray]:
        """Return unit vectors (units, width) and class logits of the spans of `band(units)`."""
        ...

    def clusters(self, x: np.ndarray, given: ClusterInput) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return class logits (C, types + 1), flag logits (C, 2) and pair logits (C, C, relations + 2)."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    """Thresholds that are set on the dev papers.

    Attributes:
        span_bias: Added to a span's log-odds of being an entity.
        vote: How far a repeated surface's scores move to their mean.
        keep: Lowest score of an entity, by type.
        introduced: Lowest probability of being the paper's own.
        same: Lowest probability that makes one entity of two clusters.
        relations: Lowest score of a relation, by type.
        entity_scale: Slope and offset on the log-odds of an entity, so that its score is a frequency.
        relation_scale: The same of a relation; thresholds are on the scaled scores.
    """

    span_bias: float = 0.3
    vote: float = 0.5
    keep: dict[str, float] = field(default_factory=lambda: dict.fromkeys(TYPES, 0.4))
    introduced: float = 0.5
    same: float = 0.5
    relations: dict[str, float] = field(default_factory=lambda: dict.fromkeys(RELATIONS, 0.35))
    entity_scale: tuple[float, float] = (1.0, 0.0)
    relation_scale: tuple[float, float] = (1.0, 0.0)


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """A thing found in one window: (first, last) units of its mentions, and probabilities, all 0 to 1."""

    type: str
    mentions: tuple[tuple[int, int], ...]
    score: float
    introduced: float
    salience: float


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation between two found entities, by their numbers."""

    head: int
    type: str
    tail: int
    score: float


@dataclass(frozen=True, slots=True)
class Scores:
    """All the network said of one window; thresholds turn it into entities and relations.

    Attributes:
        clusters: Clusters of its spans.
        kind: Class logits, shape (C, types + 1).
        flags: Probabilities of introduced and core, shape (C, 2).
        pairs: Class probabilities of pairs, shape (C, C, relations + 2).
    """

    clusters: tuple[Cluster, ...]
    kind: np.ndarray
    flags: np.ndarray
    pairs: np.ndarray


def softmax(logits: np.ndarray) -> np.ndarray:
    """Return probabilities over the last axis."""
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def cluster_scores(
    network: Network, x: np.ndarray, logits: np.ndarray, units: Units, settings: Settings
) -> Scores | None:
    """Choose spans, cluster them and score the clusters; None if nothing was found."""
    spans = choose_spans(logits, units, bias=settings.span_bias, vote=settings.vote)
    clusters = group(spans, units)
    if not clusters:
        return None
    if len(clusters) > MOST_CLUSTERS:
        clusters = sorted(clusters, key=lambda c: -max(s.odds for s in c.spans))[:MOST_CLUSTERS]
    clusters.sort(key=lambda c: c.spans[0].first)
    kind, flags, pairs = network.clusters(x, describe(clusters, units))
    return Scores(tuple(clusters), kind, 1 / (1 + np.exp(-flags)), softmax(pairs))


@dataclass(frozen=True, slots=True)
class Found:
    """What one window holds: entities, relations of them by number, and entities that were nearly kept."""

    entities: list[FoundEntity]
    relations: list[FoundRelation]
    nearly: list[FoundEntity]


NEARLY = 0.1
"""Entities dropped for a score at most this far below the threshold are reported; the rest is plain text."""


def decide(scores: Scores, settings: Settings) -> Found:
    """Apply thresholds: merge clusters that are the same, keep the likely, relate them by the schema."""
    groups = _merged(scores.pairs[:, :, SAME], settings.same)
    probabilities = softmax(scores.kind)
    entities: list[FoundEntity] = []
    nearly: list[FoundEntity] = []
    kept: list[list[int]] = []
    for members in groups:
        entity = _entity(members, scores, probabilities, scale=settings.entity_scale)
        if entity.score >= settings.keep[entity.type]:
            entities.append(entity)
            kept.append(members)
        elif entity.score >= settings.keep[entity.type] - NEARLY:
            nearly.append(entity)
    return Found(entities, _relations(entities, kept, scores, settings), nearly)


def _merged(same: np.ndarray, threshold: float) -> list[list[int]]:
    """Join clusters whose mean probability of being one reaches a threshold, the surest pair first."""
    likeness = (same + same.T) / 2
    groups = {i: [i] for i in range(len(likeness))}
    owner = list(range(len(likeness)))
    first, second = np.triu_indices(len(likeness), 1)
    likely = likeness[first, second] >= threshold
    order = np.argsort(-likeness[first, second][likely], kind="stable")
    for i, j in zip(first[likely][order].tolist(), second[likely][order].tolist(), strict=True):
        a, b = sorted((owner[i], owner[j]))
        # all of one group must be like all of the other: a chain of doubtful likeness joins nothing
        if a != b and likeness[np.ix_(groups[a], groups[b])].mean() >= threshold:
            groups[a] += groups.pop(b)
            for member in groups[a]:
                owner[member] = a
    return [sorted(members) for _, members in sorted(groups.items())]


def scaled(probability: np.ndarray, scale: tuple[float, float]) -> np.ndarray:
    """Return probabilities whose log-odds are stretched and moved (Platt, 1999)."""
    safe = np.clip(probability, 1e-6, 1 - 1e-6)
    return 1 / (1 + np.exp(-(scale[0] * (np.log(safe) - np.log1p(-safe)) + scale[1])))


def _entity(
    members: Sequence[int], scores: Scores, probabilities: np.ndarray, *, scale: tuple[float, float]
) -> FoundEntity:
    weight = np.array([len(scores.clusters[m].spans) for m in members], float)
    mean = (probabilities[members] * weight[:, None]).sum(0) / weight.sum()
    family = np.bincount(FAMILY, weights=[0.0, *mean[1:]])
    best = int(family[1:].argmax()) + 1
    kind = max((k for k in range(1, len(FAMILY)) if FAMILY[k] == best), key=lambda k: mean[k])
    flags = scores.flags[members].max(0)
    spans = sorted((s.first, s.last) for m in members for s in scores.clusters[m].spans)
    score = float(scaled(family[best], scale))
    return FoundEntity(TYPES[kind - 1], tuple(spans), score, float(flags[0]), float(flags[1]))


def _relations(
    entities: list[FoundEntity], kept: list[list[int]], scores: Scores, settings: Settings
) -> list[FoundRelation]:
    if len(entities) < 2:
        return []
    order = [member for members in kept for member in members]
    begins = np.cumsum([0, *(len(members) for members in kept[:-1])])
    among = scores.pairs[np.ix_(order, order)]
    best = np.maximum.reduceat(np.maximum.reduceat(among, begins, axis=0), begins, axis=1)[..., 1:SAME]
    symmetric = RELATIONS.index(SYMMETRIC)
    # stated once, from the earlier entity, by both directions' mean
    best[..., symmetric] = (best[..., symmetric] + best[..., symmetric].T) / 2
    ends = np.sqrt([e.score for e in entities])  # a relation is no surer than what it stands on
    best = scaled(best * np.outer(ends, ends)[..., None], settings.relation_scale)
    best[..., symmetric] = np.triu(best[..., symmetric], 1)
    kinds = [TYPES.index(e.type) for e in entities]
    level = np.array([settings.relations[name] for name in RELATIONS])
    possible = _allowed()[np.ix_(kinds, kinds)] & ~np.eye(len(entities), dtype=bool)[..., None]
    likely = (best >= level) & possible
    aims = possible & _AIMS[kinds]
    for i, entity in enumerate(entities):
        if entity.introduced >= settings.introduced and not (likely[i] & aims[i]).any():
            hope = np.where(aims[i], best[i], 0)
            likely[i] |= (hope == hope.max()) & (hope >= PURPOSE)
    return [
        FoundRelation(int(i), RELATIONS[r], int(j), float(best[i, j, r]))
        for i, j, r in zip(*np.nonzero(likely), strict=True)
    ]


@cache
def _allowed() -> np.ndarray:
    """Return what the schema allows, shape (types, types, relations), bool."""
    return np.array([[[allows(h, r, t) for r in RELATIONS] for t in TYPES] for h in TYPES])
