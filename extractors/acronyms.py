"""Acronyms as a paper defines them: "Contrastive Learning (CL)", "CL (Contrastive Learning)", "CL, short for ...".

References:
    A. S. Schwartz and M. A. Hearst, A simple algorithm for identifying abbreviation definitions in biomedical
    text, Pacific Symposium on Biocomputing, 2003.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from extractors.words import Word, split_words
from kg.types import Span

_BRACKET = re.compile(r"[(\[]([^()\[\]]{2,120})[)\]]")
_SHORT = re.compile(r"[^\W_](?:[\w./+@-]|(?<=\w)[-&^](?=\w)){0,14}\+{0,2}")
_LEADING = frozenset(
    "a an the our of for in on and to with by via or is are that which this these using called named termed "
    "dubbed namely propose introduce present we".split()
)
_MAX_LONG_WORDS = 12
#: Characters before a bracket in which its long form is looked for.
_REACH = 240


class Acronym(NamedTuple):
    """A short form and its long form, both as spans of the text."""

    short: Span
    long: Span


def find_acronyms(text: str, sentences: tuple[Span, ...]) -> tuple[Acronym, ...]:
    """Return the acronyms that the text defines, in order of definition, each short form once.

    >>> text = "We use in-context learning (ICL)."
    >>> [(text[slice(*a.short)], text[slice(*a.long)]) for a in find_acronyms(text, (Span(0, len(text)),))]
    [('ICL', 'in-context learning')]
    """
    found: dict[str, Acronym] = {}
    for sentence in sentences:
        for match in _BRACKET.finditer(text, *sentence):
            acronym = _definition(text, sentence, Span(*match.span(1)), match.start())
            if acronym:
                found.setdefault(text[slice(*acronym.short)].casefold(), acronym)
    return tuple(found.values())


def _definition(text: str, sentence: Span, inside: Span, bracket: int) -> Acronym | None:
    content = _first_part(text, inside)
    if _looks_short(text[slice(*content)]):
        long = _long_before(text, sentence, bracket, text[slice(*content)])
        if long:
            return Acronym(content, long)
    return _long_inside(text, sentence, inside, bracket)


def _first_part(text: str, inside: Span) -> Span:
    """Cut "(CL, ours)" and "(CL; Smith 2020)" to the first part, and white space at the ends."""
    part = re.split(r"[,;]", text[slice(*inside)], maxsplit=1)[0]
    start = inside.start + len(part) - len(part.lstrip())
    return Span(start, start + len(part.strip()))


def _looks_short(text: str) -> bool:
    if not _SHORT.fullmatch(text) or not 2 <= len(text) <= 15:
        return False
    return any(character.isupper() for character in text) and sum(map(str.isalpha, text)) >= 2


def _long_before(text: str, sentence: Span, bracket: int, short: str) -> Span | None:
    words = [word for word in split_words(text, _before(text, sentence, bracket)) if word.is_name]
    if not words or text[words[-1].end : bracket].strip("\"'”’ *"):
        return None
    stem = short[:-1] if short.endswith("s") and short[:-1].isupper() else short
    letters = [character.lower() for character in stem if character.isalnum()]
    limit = min(len(letters) + 5, 2 * len(letters), _MAX_LONG_WORDS)
    start = _match_letters(text, words[-limit:], letters)
    return _check_long(text, start, words, short)


def _before(text: str, sentence: Span, bracket: int) -> Span:
    """Return the stretch before a bracket that may hold a long form, cut at white space."""
    start = bracket - _REACH
    if start <= sentence.start:
        return Span(sentence.start, bracket)
    space = text.find(" ", start, bracket)
    return Span(space if space >= 0 else start, bracket)


def _match_letters(text: str, words: list[Word], letters: list[str]) -> int | None:
    """Find each letter from right to left; the first one must begin a word (Schwartz and Hearst)."""
    first, position = words[0].start, words[-1].end - 1
    for index in range(len(letters) - 1, -1, -1):
        while position >= first and not _fits(text, position, letters[index], is_first=index == 0):
            position -= 1
        if position < first:
            return None
        position -= 1
    return position + 1


def _fits(text: str, position: int, letter: str, *, is_first: bool) -> bool:
    if text[position].lower() != letter:
        return False
    return not is_first or position == 0 or not text[position - 1].isalnum()


def _check_long(text: str, start: int | None, words: list[Word], short: str) -> Span | None:
    if start is None:
        return None
    inside = [word for word in words if word.end > start]
    inside[0] = Word(text[start : inside[0].end], start, inside[0].end)
    while inside and inside[0].lower in _LEADING:
        inside.pop(0)
    if not inside:
        return None
    long = Span(inside[0].start, inside[-1].end)
    if long.end - long.start <= len(short) or short.lower() in {word.lower for word in inside}:
        return None
    return long if _is_one_phrase(text[slice(*long)]) else None


def _is_one_phrase(long: str) -> bool:
    return not re.search(r"[.;:!?()](?:\s|$)|\b(?:we|is|are|was|were|that|which)\b", long)


def _long_inside(text: str, sentence: Span, inside: Span, bracket: int) -> Acronym | None:
    """Read "CL (Contrastive Learning)" and "CL (short for Contrastive Learning)"."""
    before = split_words(text, _before(text, sentence, bracket))
    if not before or not _looks_short(before[-1].text) or text[before[-1].end : bracket].strip():
        return None
    lead = re.match(r"\s*(?:short for|i\.e\.,?|stands for|abbreviation of)?\s*", text[slice(*inside)])
    start = inside.start + (lead.end() if lead else 0)
    words = [word for word in split_words(text, Span(start, inside.end)) if word.is_name]
    short = before[-1]
    if len(words) < 2 or words[0].start != start or len(words) > _MAX_LONG_WORDS:
        return None
    letters = [character.lower() for character in short.text if character.isalnum()]
    begin = _match_letters(text, words, letters)
    if begin != start or _check_long(text, begin, words, short.text) is None:
        return None
    return Acronym(Span(short.start, short.end), Span(start, words[-1].end))
