"""Cut a paper's text into units (words and punctuation marks) that keep their character offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

UNIT = re.compile(r"\w+|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”)\]]*\s+(?=[\"“(\[]?[A-Z0-9])|\n\s*\n")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|et al|vs|cf|Fig|Eq|resp|w\.r\.t|etc|approx|No)\.|\b[A-Z]\.)$")

SHAPES = 8
"""Letter shapes of a unit; see `shape_of`."""
FORMS = SHAPES * 4
"""Values of `Units.forms`: shape, times glued to the unit before or not, times in the title or not."""


@dataclass(frozen=True, slots=True)
class Units:
    """The units of one text, in order.

    Attributes:
        text: The text the offsets point into.
        starts: Character offset of each unit's first character.
        ends: Character offset after each unit's last character.
        sentences: Sentence number of each unit, rising from 0; the title has its own.
        forms: What an uncased encoder cannot see, 0 <= form < FORMS.
        title: Number of units of the title; 0 if the text has none.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[int, ...]
    forms: tuple[int, ...]
    title: int

    def __len__(self) -> int:
        return len(self.starts)

    def words(self) -> list[str]:
        """Return the units as strings."""
        return [self.text[a:b] for a, b in zip(self.starts, self.ends, strict=True)]

    def surface(self, first: int, last: int) -> str:
        """Return the text from unit `first` to unit `last`, both included."""
        return self.text[self.starts[first] : self.ends[last]]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the character span of each sentence; a blank line always ends one.

    >>> sentence_spans("Title\\n\\nOne. Two.")
    [(0, 5), (7, 11), (12, 16)]
    """
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        if "\n" not in match.group() and _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start()]):
            continue
        spans.append((start, match.start()))
        start = match.end()
    spans.append((start, len(text)))
    return [(a, b) for a, b in spans if text[a:b].strip()]


@lru_cache(maxsize=50_000)
def shape_of(unit: str) -> int:
    """Return the letter shape of a unit, 0 to SHAPES - 1.

    >>> [shape_of(u) for u in ("bert", "10", "-", "v2", "GPT", "A", "Bert", "mBERT")]
    [1, 2, 3, 4, 5, 6, 7, 0]
    """
    if unit.islower() and unit.isalpha():
        return 1
    if unit.isdigit():
        return 2
    if not any(c.isalnum() for c in unit):
        return 3
    if any(c.isdigit() for c in unit):
        return 4
    if unit.isupper():
        return 5 if len(unit) > 1 else 6
    return 7 if unit[0].isupper() and unit[1:].islower() else 0


def cut(text: str, *, title_end: int | None = None) -> Units:
    """Cut a text into units.

    Args:
        text: Title, blank line, abstract.
        title_end: Where the title ends, 0 without one; at the first blank line if None.
    """
    starts: list[int] = []
    ends: list[int] = []
    sentences: list[int] = []
    forms: list[int] = []
    if title_end is None:
        title_end = text.find("\n\n")
    title = 0
    for number, (begin, stop) in enumerate(sentence_spans(text)):
        for match in UNIT.finditer(text, begin, stop):
            start = match.start()
            glued = bool(ends) and ends[-1] == start
            in_title = start < title_end
            title += in_title
            starts.append(start)
            ends.append(match.end())
            sentences.append(number)
            forms.append(shape_of(match.group()) + SHAPES * glued + 2 * SHAPES * in_title)
    return Units(text, tuple(starts), tuple(ends), tuple(sentences), tuple(forms), title)


def windows(units: Units, lengths: list[int], *, limit: int) -> Iterator[tuple[int, int]]:
    """Yield unit ranges [first, after) of at most `limit` word pieces that together hold every unit.

    Ranges end at sentence ends where a sentence fits; `lengths` are the word pieces of each unit.
    """
    first, used, boundary = 0, 0, 0
    for position, length in enumerate(lengths):
        if position and units.sentences[position] != units.sentences[position - 1]:
            boundary = position
        while used + length > limit and position > first:
            after = boundary if boundary > first else position
            yield first, after
            first, used = after, sum(lengths[after:position])
        used += length
    if first < len(lengths):
        yield first, len(lengths)
