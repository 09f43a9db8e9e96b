"""Choose entity spans from the scores of all short spans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from extractors.reader.labels import WIDEST
from extractors.reader.units import Units

_CONJUNCTIONS = frozenset(("and", "or"))
_PREPOSITIONS = frozenset("at for from in on over under via with without".split())


@dataclass(frozen=True, slots=True)
class Span:
    """A span of units, both ends included, with its class log-probabilities, shape (types + 1,)."""

    first: int
    last: int
    scores: np.ndarray

    @property
    def odds(self) -> float:
        """Log-odds that the span is an entity of any type."""
        return float(_odds(self.scores[None])[0])


@lru_cache(maxsize=64)
def band(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return first and last unit of every span of at most WIDEST units, each shape (spans,), row by row."""
    first = np.repeat(np.arange(count), WIDEST)
    last = first + np.tile(np.arange(WIDEST), count)
    inside = last < count
    return first[inside], last[inside]


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Return log-probabilities over the last axis."""
    shifted = logits - logits.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def _odds(scores: np.ndarray) -> np.ndarray:
    some = scores[:, 1:]
    most = some.max(-1)
    return most + np.log(np.exp(some - most[:, None]).sum(-1)) - scores[:, 0]


def choose_spans(logits: np.ndarray, units: Units, *, bias: float, vote: float) -> list[Span]:
    """Choose spans that do not overlap, the surest first.

    Args:
        logits: Class scores of the spans of `band(len(units))`, shape (spans, types + 1).
        units: The text.
        bias: Added to the log-odds of being an entity; above 0 finds more.
        vote: 0 to 1, how far the scores of a repeated surface move to their mean over the paper.
    """
    first, last = band(len(units))
    sentences = np.asarray(units.sentences)
    scores = log_softmax(logits.astype(np.float32))
    near = (_odds(scores) > -6.0) & (sentences[first] == sentences[last])
    first, last, scores = first[near], last[near], scores[near]
    if vote and len(first):
        scores = _voted(first, last, scores, units=units, vote=vote)
    odds = _odds(scores) + bias
    likely = np.argsort(-odds, kind="stable")[: int((odds > 0).sum())]
    taken = bytearray(len(units))
    chosen = []
    for k, a, b in zip(likely.tolist(), first[likely].tolist(), last[likely].tolist(), strict=True):
        if not any(taken[a : b + 1]):
            taken[a : b + 1] = b"\1" * (b + 1 - a)
            chosen.append(Span(a, b, scores[k]))
    return sorted(_parted(chosen, units), key=lambda span: span.first)


def _parted(spans: list[Span], units: Units) -> Iterator[Span]:
    """Yield the spans, and two for one that holds "A and on B": the words between begin a second name."""
    words = [word.lower() for word in units.words()]
    for span in spans:
        pairs = enumerate(pairwise(words[span.first : span.last + 1]), span.first)
        joint = next((i for i, (a, b) in pairs if a in _CONJUNCTIONS and b in _PREPOSITIONS), None)
        if joint is None or joint == span.first or joint + 1 == span.last:
            yield span
        else:
            yield Span(span.first, joint - 1, span.scores)
            yield Span(joint + 2, span.last, span.scores)


def _voted(first: np.ndarray, last: np.ndarray, scores: np.ndarray, *, units: Units, vote: float) -> np.ndarray:
    surfaces: dict[str, list[int]] = {}
    for k, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        surfaces.setdefault(units.surface(a, b).casefold(), []).append(k)
    out = scores.copy()
    for places in surfaces.values():
        if len(places) > 1:
            out[places] += vote * (scores[places].mean(0) - scores[places])
    return log_softmax(out)
