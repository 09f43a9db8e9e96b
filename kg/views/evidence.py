"""Find the two ends of a relation in the sentence that states it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx

from kg.lookup import Evidence
from kg.types import Paper

Mark = tuple[int, int]


def mark(sentence: str, heads: Sequence[str], tails: Sequence[str]) -> tuple[Mark | None, Mark | None]:
    """Return where head and tail stand in a sentence, as half-open spans that do not overlap, or None.

    Args:
        sentence: the sentence.
        heads: surfaces of the head; earlier ones are preferred.
        tails: surfaces of the tail, likewise.

    >>> mark("We test ARK on ARK-Bench.", ["ARK"], ["ARK-Bench"])
    ((8, 11), (15, 24))
    """
    head_spots = _spots(sentence, heads)
    tail_spots = _spots(sentence, tails)
    for head in head_spots:
        for tail in tail_spots:
            if head[1] <= tail[0] or tail[1] <= head[0]:
                return head, tail
    if head_spots:
        return head_spots[0], None
    return None, tail_spots[0] if tail_spots else None


def surfaces(node: Mapping[str, Any], exact: str = "") -> list[str]:
    """Return how a node may be written: the exact surface, longer forms before shorter ones, its initials."""
    names = sorted({node["name"], *node.get("aliases", ())}, key=lambda name: (-len(name), name))
    initials = "".join(word[0] for word in node["name"].replace("-", " ").split()).upper()
    return [name for name in (exact, *names, initials if len(initials) > 1 else "") if name]


def locate(
    G: nx.MultiDiGraph, head: str, tail: str, evidence: Evidence, papers: Mapping[str, Paper] | None
) -> tuple[Mark | None, Mark | None]:
    """Return where the ends of an edge stand in its evidence sentence, in code points.

    With the papers at hand the offsets of the evidence say which surface was read; a paper has no place.
    """
    paper = papers.get(evidence.paper) if papers else None
    ends: list[list[str]] = []
    for node, span in ((head, evidence.head), (tail, evidence.tail)):
        if span[0] < 0:
            ends.append([])
            continue
        ends.append(surfaces(G.nodes[node], paper.raw[slice(*span)] if paper else ""))
    return mark(evidence.sentence, ends[0], ends[1])


def utf16(sentence: str, span: Mark | None) -> list[int]:
    """Return a span in UTF-16 units, as JavaScript counts; empty for None.

    >>> utf16("\\U0001f600 ab", (2, 4))
    [3, 5]
    """
    if span is None:
        return []
    start = len(sentence[: span[0]].encode("utf-16-le", "surrogatepass")) // 2
    return [start, start + len(sentence[span[0] : span[1]].encode("utf-16-le", "surrogatepass")) // 2]


def _spots(sentence: str, names: Sequence[str]) -> list[Mark]:
    """Where any of the names stands as whole words: as written first, then in any case."""
    folded = sentence.lower()
    same_length = len(folded) == len(sentence)
    found: dict[Mark, None] = {}
    for name in names:
        found.update(dict.fromkeys(_whole_words(sentence, name)))
        if same_length and not name.isupper():
            # An acronym in small letters is another word: IS and "is".
            found.update(dict.fromkeys(_whole_words(folded, name.lower())))
    return list(found)


def _whole_words(text: str, name: str) -> list[Mark]:
    spots = []
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not _word(text[start - 1 : start], text[start]) and not _word(text[end - 1], text[end : end + 1]):
            spots.append((start, end))
        start = text.find(name, start + 1)
    return spots


def _word(left: str, right: str) -> bool:
    """Say whether a cut between two characters would part a word."""
    return left.isalnum() and right.isalnum()
