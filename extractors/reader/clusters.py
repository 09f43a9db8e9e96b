"""Group a paper's spans into clusters (one thing under its spellings) and describe them to the network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from extractors.reader.labels import TYPES
from extractors.reader.spans import Span
from extractors.reader.units import Units

FEATURES = 14
"""Numbers that describe a cluster; see `_features`."""
DISTANCES = 48
"""Values of the distance between two clusters: 12 lengths, times two orders, times same sentence or not."""
OVERLAPS = 12
"""Values of the likeness of two clusters' words, 6, times told apart by name or not; see `_overlap`."""
MOST_MENTIONS = 10
"""Mentions of a cluster that the network sees; more add nothing."""
FARTHEST = 60
"""Units between two mentions beyond which the words between them are left out."""
_DASHES = str.maketrans("‐‑–—’", "----'")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Spans of one thing, in order of place; `defined` if the text gives it as "long form (short form)"."""

    spans: tuple[Span, ...]
    defined: bool = False


@dataclass(frozen=True, slots=True)
class ClusterInput:
    """What the relation network reads of a paper of U units with C clusters of at most K mentions.

    Attributes:
        markers: Where mentions start and go on, by type probability, shape (U, 2 * types).
        mentions: First and last unit of each mention, shape (C, K, 2), int64.
        present: Which of them exist, shape (C, K), bool.
        features: Shape (C, FEATURES).
        pairs: Distance and overlap class of each pair of clusters, shape (C, C, 2), int64.
        between: Range of units between the nearest mentions of each pair, shape (C, C, 2), int64.
    """

    markers: np.ndarray
    mentions: np.ndarray
    present: np.ndarray
    features: np.ndarray
    pairs: np.ndarray
    between: np.ndarray


@lru_cache(maxsize=50_000)
def normal_form(surface: str) -> str:
    """Fold case, hyphens, spaces, a leading article and a plural s.

    >>> normal_form("Graph-Neural  Networks"), normal_form("the CLASS")
    ('graph neural network', 'class')
    """
    text = re.sub(r"[$*`{}\\\"“”]", "", surface.casefold().translate(_DASHES))
    text = re.sub(r"[-_/\s]+", " ", text).strip(" .,;:()'")
    text = re.sub(r"^(?:the|an?|our) ", "", text)
    if len(text) > 3 and text[-1] == "s" and text[-2] != "s" and len(text.rsplit(" ", 1)[-1]) > 3:
        text = text[:-1]
    return text


def abbreviates(short: str, long: str) -> bool:
    """Say whether the letters of `short` stand in `long` in order, the first one at the start of a word.

    >>> abbreviates("GNNs", "graph neural networks"), abbreviates("GNN", "a benchmark")
    (True, False)
    """
    letters = re.sub(r"[^a-z0-9]", "", short.casefold().removesuffix("s"))
    words = re.findall(r"[a-z0-9]+", long.casefold())
    if not letters or len(letters) > 12 or len(short) >= len(long):
        return False
    for begin, word in enumerate(words):
        if word[0] == letters[0]:
            rest = "".join(words[begin:])
            place = -1
            for letter in letters:
                place = rest.find(letter, place + 1)
                if place < 0:
                    break
            else:
                return True
    return False


def group(spans: Sequence[Span], units: Units) -> list[Cluster]:
    """Group spans by normal form, and short forms with the long forms they stand beside in brackets."""
    keys = [normal_form(units.surface(s.first, s.last)) for s in spans]
    root = {key: key for key in keys}
    defined: set[str] = set()

    def find(key: str) -> str:
        while root[key] != key:
            key = root[key]
        return key

    words = units.words()
    for (a, ka), (b, kb) in zip(zip(spans, keys, strict=True), list(zip(spans, keys, strict=True))[1:], strict=False):
        if b.first == a.last + 2 and words[a.last + 1] == "(" and words[b.last + 1 : b.last + 2] == [")"]:
            x, y = units.surface(a.first, a.last), units.surface(b.first, b.last)
            if abbreviates(y, x) or abbreviates(x, y):
                root[find(kb)] = find(ka)
                defined.add(ka)
    members: dict[str, list[Span]] = {}
    for span, key in zip(spans, keys, strict=True):
        members.setdefault(find(key), []).append(span)
    sure = {find(key) for key in defined}
    return [Cluster(tuple(found), key in sure) for key, found in members.items()]


def describe(clusters: Sequence[Cluster], units: Units, *, first: int = 0) -> ClusterInput:
    """Lay out clusters for the relation network; unit numbers count from `first`."""
    count = len(units)
    most = min(MOST_MENTIONS, max(len(c.spans) for c in clusters))
    markers = np.zeros((count, 2 * len(TYPES)), np.float32)
    mentions = np.zeros((len(clusters), most, 2), np.int64)
    present = np.zeros((len(clusters), most), bool)
    features = np.zeros((len(clusters), FEATURES), np.float32)
    for c, cluster in enumerate(clusters):
        probabilities = np.exp(np.stack([s.scores for s in cluster.spans]))
        for k, span in enumerate(cluster.spans):
            weight = probabilities[k, 1:] / max(probabilities[k, 1:].sum(), 1e-9)
            markers[span.first, : len(TYPES)] = weight
            markers[span.first + 1 : span.last + 1, len(TYPES) :] = weight
            if k < most:
                mentions[c, k] = span.first, span.last
                present[c, k] = True
        features[c] = _features(cluster, probabilities, units)
    pairs, between = _pairs(clusters, units)
    return ClusterInput(markers, mentions, present, features, pairs, between)


def _features(cluster: Cluster, probabilities: np.ndarray, units: Units) -> list[float]:
    odds = np.clip(np.log1p(-np.minimum(probabilities[:, 0], 1 - 1e-6)) - np.log(probabilities[:, 0] + 1e-6), -8, 8)
    spans = cluster.spans
    return [
        *probabilities.mean(0).tolist(),
        float(odds.mean()) / 4,
        float(odds.max()) / 4,
        float(np.log1p(len(spans))),
        float(any(s.first < units.title for s in spans)),
        spans[0].first / len(units),
        float(np.log1p(max(s.last - s.first for s in spans))),
        float(len({units.surface(s.first, s.last) for s in spans}) > 1),
        float(cluster.defined),
    ]


def _pairs(clusters: Sequence[Cluster], units: Units) -> tuple[np.ndarray, np.ndarray]:
    spans = [s for c in clusters for s in c.spans]
    heads = np.cumsum([0, *(len(c.spans) for c in clusters[:-1])])
    first = np.array([s.first for s in spans])
    last = np.array([s.last for s in spans])
    total = len(spans)
    gap = np.maximum(np.maximum(first[:, None] - last[None], first[None] - last[:, None]) - 1, 0)
    # the nearest pair of mentions: the lowest of (gap, i, j), packed into one number
    packed = gap * total * total + np.arange(total)[:, None] * total + np.arange(total)[None]
    nearest = np.minimum.reduceat(np.minimum.reduceat(packed, heads, axis=0), heads, axis=1)
    distance, i, j = nearest // (total * total), nearest // total % total, nearest % total
    sentences = np.asarray(units.sentences)
    length = np.minimum((np.log2(distance + 1) * 2).astype(np.int64), 11)
    same = sentences[first[i]] == sentences[first[j]]
    low = np.minimum(last[i], last[j]) + 1
    high = np.where(distance < FARTHEST, np.maximum(np.maximum(first[i], first[j]), low), low)
    pairs = np.stack([length + 12 * (first[i] < first[j]) + 24 * same, _overlap(clusters, units)], -1)
    return pairs.astype(np.int64), np.stack([low, high], -1).astype(np.int64)


def _overlap(clusters: Sequence[Cluster], units: Units) -> np.ndarray:
    """Say how clusters share words: 0 not, 1 some, 2 / 3 tail in head / head in tail, 4 / 5 so at its end.

    6 more where their names tell them apart; see `_apart`.
    """
    surfaces = [sorted({units.surface(s.first, s.last) for s in c.spans}) for c in clusters]
    forms = [{tuple(normal_form(surface).split()) for surface in own} for own in surfaces]
    bags = [{word for form in f for word in form} for f in forms]
    out = np.zeros((len(clusters), len(clusters)), np.int64)
    for i in range(len(clusters)):
        for j in range(len(clusters)):
            if i != j and not bags[i].isdisjoint(bags[j]):
                apart = any(_apart(a, b) for a in surfaces[i] for b in surfaces[j])
                out[i, j] = _likeness(forms[i], forms[j]) + 6 * apart
    return out


@lru_cache(maxsize=50_000)
def _apart(a: str, b: str) -> bool:
    """Say whether names differ by their numbers, or one is a named thing that the other adds a name to.

    >>> _apart("Aro-7B", "Aro-70B"), _apart("AroNet", "AroNet-XL"), _apart("AroNet", "AroNet model")
    (True, True, False)
    """
    numbers = re.findall(r"\d+", a), re.findall(r"\d+", b)
    if all(numbers) and sorted(numbers[0]) != sorted(numbers[1]):
        return True
    short, long = sorted((re.split(r"[\s-]+", a), re.split(r"[\s-]+", b)), key=len)
    if len(short) == len(long) or not any(re.search(r".[A-Z0-9]", word) for word in short):
        return False
    if long[: len(short)] == short:
        rest = long[len(short) :]
    elif long[-len(short) :] == short:
        rest = long[: -len(short)]
    else:
        return False
    return all(word[:1].isupper() or word[:1].isdigit() for word in rest)


def _likeness(head: set[tuple[str, ...]], tail: set[tuple[str, ...]]) -> int:
    best = 1
    for x in head:
        for y in tail:
            long, short, inside, end = (x, y, 2, 4) if len(x) >= len(y) else (y, x, 3, 5)
            if short and len(short) < len(long):
                if long[-len(short) :] == short:
                    return end
                if set(short) <= set(long):
                    best = inside
    return best
