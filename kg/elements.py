"""Nodes and edges of a graph with their evidence: what the tables hold and the NetworkX graph is made of."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from kg.types import Dropped

Value = str | int | float | list[str]
_PLACES: Final = 4
_ENCODER: Final = msgspec.msgpack.Encoder()


class Evidence(NamedTuple):
    """Where a paper says it: raw offsets of both ends (-1 for the paper itself), sentence, score, source."""

    paper: str
    head_start: int
    head_end: int
    tail_start: int
    tail_end: int
    sentence: str
    score: float
    source: str


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its id and its attributes beside it."""

    id: str
    attributes: Mapping[str, Value]

    @property
    def digest(self) -> str:
        """A short text that differs whenever the node does."""
        return digest(sorted(self.attributes.items()))


@dataclass(slots=True)
class Edge:
    """An edge with its evidence, sorted by paper and offsets, and what only its type has.

    ``support`` counts the distinct papers behind it. ``confidence`` is one minus the chance that every paper is wrong,
    each taken at its best score, 0..1.
    """

    source: str
    target: str
    key: str
    type: str
    evidence: list[Evidence] = field(default_factory=list)
    extra: dict[str, Value] = field(default_factory=dict)
    support: int = 0
    confidence: float = 0.0

    @property
    def name(self) -> tuple[str, str, str]:
        """Source, target and key: no other edge has all three."""
        return self.source, self.target, self.key

    def settle(self) -> None:
        """Sort the evidence and sum it up."""
        self.evidence.sort()
        best: dict[str, float] = {}
        for item in self.evidence:
            best[item.paper] = max(best.get(item.paper, 0.0), min(item.score, 1.0))
        self.support = len(best)
        self.confidence = rounded(1.0 - math.prod(1.0 - score for score in best.values()))

    @property
    def digest(self) -> str:
        """A short text that differs whenever the edge does."""
        return digest((sorted(self.extra.items()), self.evidence))


@dataclass(frozen=True, slots=True)
class Assembly:
    """All nodes by id and all edges by (source, target, key), and what was left out for which reason."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    dropped: tuple[Dropped, ...]


def digest(value: object) -> str:
    """Return a short text that differs when a plain value does."""
    return hashlib.blake2b(_ENCODER.encode(value), digest_size=8).hexdigest()


def rounded(number: float) -> float:
    """Return a number at the precision that graphs keep."""
    return round(float(number), _PLACES)
