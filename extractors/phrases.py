"""Phrases that may name something: stretches of words that are not plain running text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from extractors.words import Word

#: The longest phrase, in words.
MAX_WORDS = 8
#: Words that stand within a name ("number of queries") but never begin or end one.
JOINTS = frozenset(
    (
        "of", "for", "in", "with", "from", "on", "to", "by", "and", "or", "under", "without", "via", "over", "between",
        "into", "against", "vs", "&", "'", "'s", "’s",
    )
)  # fmt: skip
_INSIDE_MARKS = frozenset(("'", "’", "&", "'s", "’s"))


@cache
def running_words() -> frozenset[str]:
    """Return the words of plain running text, which names hardly ever hold (counted in annotated papers)."""
    text = files("extractors").joinpath("weights", "running_words.json").read_text(encoding="utf-8")
    return frozenset(json.loads(text))


@cache
def edge_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that often begin names and those that often end them (counted in annotated papers)."""
    text = files("extractors").joinpath("weights", "edge_words.json").read_text(encoding="utf-8")
    edges = json.loads(text)
    return frozenset(edges["first"]), frozenset(edges["last"])


class Phrase(NamedTuple):
    """A stretch of ``words[first:last]`` of one sentence that may be a name."""

    start: int
    end: int
    sentence: int
    first: int
    last: int


def find_phrases(words: list[list[Word]]) -> list[Phrase]:
    """Return all stretches of up to ``MAX_WORDS`` words without running text, in order, longest last."""
    phrases: list[Phrase] = []
    for number, sentence in enumerate(words):
        for first, last in find_runs(sentence):
            phrases += _parts(sentence, number, first, last)
    return phrases


def _parts(words: list[Word], number: int, first: int, last: int) -> Iterator[Phrase]:
    for begin in range(first, last):
        if words[begin].lower in JOINTS:
            continue
        for end in range(begin + 1, min(last, begin + MAX_WORDS) + 1):
            if words[end - 1].lower not in JOINTS:
                yield Phrase(words[begin].start, words[end - 1].end, number, begin, end)


def find_runs(words: list[Word], *, also: frozenset[str] = frozenset()) -> Iterator[tuple[int, int]]:
    """Yield the maximal stretches of words that are no running text, nor words of ``also``, by position."""
    plain = running_words() | also
    first = None
    for position, word in enumerate(words):
        if word.lower in plain or not (word.is_name or word.text in _INSIDE_MARKS):
            if first is not None:
                yield first, position
            first = None
        elif first is None:
            first = position
    if first is not None:
        yield first, len(words)
