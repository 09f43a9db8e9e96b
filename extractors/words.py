"""Words and sentences of a cleaned text, with their places."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from kg.types import Span

_WORD = re.compile(r"['’]s\b|\w+(?:(?!['’]s\b)[-'’./+@]\w+)*\+{0,2}|[^\w\s]")
_STOP = re.compile(
    r"[.!?][\"”’')\]]*(?=\s)"  # a full stop before white space
    r"|(?<=[a-z]{3}[.!?])(?=[A-Z][a-z])"  # two sentences pasted together: "artifacts.The"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:e\.g|i\.e|et al|etc|vs|cf|fig|figs|eq|eqs|sec|tab|no|nos|resp|approx|w\.r\.t|viz|ca|"
    r"dr|prof|mr|mrs|ms|st|[A-Za-z])\.$",
    re.IGNORECASE,
)
_SMALL = frozenset("the a an of for in on and to with".split())
_CONTINUES = re.compile(r"\s+[a-z,;)]")


class Word(NamedTuple):
    """A word or a single mark: ``text[start:end] == text``; hyphenated words are one."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def is_name(self) -> bool:
        """Whether it begins with a letter or digit, as a mark does not."""
        return self.text[0].isalnum()


def split_words(text: str, span: Span | None = None) -> list[Word]:
    """Return the words of a text, or of a span of it, in order.

    >>> [word.text for word in split_words("GPT-4o beats t-SNE, C++.")]
    ['GPT-4o', 'beats', 't-SNE', ',', 'C++', '.']
    """
    start, end = span or (0, len(text))
    return [Word(match.group(), *match.span()) for match in _WORD.finditer(text, start, end)]


def split_sentences(text: str, *, title_end: int = 0) -> tuple[Span, ...]:
    """Return the sentences of a text, trimmed, in order; the title (up to ``title_end``) is one.

    >>> text = "We use BERT, e.g. on GLUE. It wins."
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['We use BERT, e.g. on GLUE.', 'It wins.']
    """
    cuts = [title_end] if 0 < title_end < len(text) else []
    for match in _STOP.finditer(text, title_end):
        if not _is_abbreviation(text, match.start(), match.end()):
            cuts.append(match.end())
    bounds = [0, *cuts, len(text)]
    spans = (_trim(text, start, end) for start, end in pairwise(bounds))
    return tuple(span for span in spans if span.start < span.end)


def _is_abbreviation(text: str, stop: int, end: int) -> bool:
    if text[stop : stop + 1] != ".":
        return False
    if _CONTINUES.match(text, end):
        return True
    return _ABBREVIATION.search(text[max(0, stop - 8) : stop + 1]) is not None


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def sentence_at(sentences: tuple[Span, ...], position: int) -> int:
    """Return the index of the sentence that holds a position, or of the last one before it (0 at least)."""
    low, high = 0, len(sentences)
    while low < high:
        middle = (low + high) // 2
        if sentences[middle].start <= position:
            low = middle + 1
        else:
            high = middle
    return max(low - 1, 0)


def fold(text: str) -> str:
    """Return a form in which case, hyphens, quotes and a plural s on the last word do not count.

    >>> fold("Graph Neural-Networks"), fold("the F1 Score")
    ('graph neural network', 'f1 score')
    """
    folded = re.sub(r"[-–—‐‑_/\s]+", " ", re.sub(r"[\"'“”‘’`*]", "", text.casefold())).strip(" .,;:()")
    folded = re.sub(r"^(?:the|a|an|our) ", "", folded)
    if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss"):
        last = folded.rsplit(" ", 1)[-1]
        return folded[:-1] if len(last) > 3 else folded
    return folded


def content_words(name: str) -> frozenset[str]:
    """Return the folded words of a name but for articles and prepositions.

    >>> sorted(content_words("the Detection of Birds"))
    ['bird', 'detection']
    """
    return frozenset(fold(name).split()) - _SMALL


def nearly_same(left: frozenset[str], right: frozenset[str]) -> bool:
    """Say whether two names, by their content words, share half of them.

    >>> nearly_same(content_words("ImageNet dataset"), content_words("ImageNet"))
    True
    """
    return left == right or 4 * len(left & right) >= len(left) + len(right)
