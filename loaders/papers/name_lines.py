"""Lines that hold nothing but the names of people."""

from __future__ import annotations

import re
from typing import Final

_PARTICLES: Final = frozenset(
    (
        *("de", "del", "della", "der", "den", "di", "da", "do", "dos", "du", "la", "le", "las", "van", "von", "ter"),
        *("ten", "bin", "ibn", "al", "el", "y", "zu", "af", "av"),
    )
)
_BETWEEN: Final = re.compile(r"\s*[,;，；、]\s*(?:and\s+|&\s*)?|\s+and\s+|\s*&\s*")
_MARKS: Final = re.compile(r"[\d*†‡§¶∗⋆,]+$|\(\d+\)$")
_ET_AL: Final = re.compile(r",?\s*(?:and others|et al\.?)$")
_MAX_CHARS: Final = 3_000
_MAX_WORDS: Final = 6
#: Words that begin with a capital in titles but stand in no name.
_NO_NAMES: Final = frozenset(
    (
        *("The", "Of", "For", "With", "And", "From", "Via", "Are", "This", "Using", "Learning", "Networks", "Network"),
        *("Models", "Model", "Data", "Deep", "Neural", "Analysis", "Systems"),
    )
)


def are_names(text: str, *, alone: bool = False) -> bool:
    """Say whether a line holds names of people and nothing else: two or more, or ``alone`` one.

    >>> are_names("Jane Doe, Rick van den Roe and Ann M. Poe"), are_names("Learning to See, Hear and Speak")
    (True, False)
    >>> are_names("Jane Doe"), are_names("Jane Doe", alone=True)
    (False, True)
    """
    if len(text) > _MAX_CHARS:
        return False
    bare = _ET_AL.sub("", text.strip().rstrip(",;."))
    names = [name for name in _BETWEEN.split(bare) if name]
    enough = len(names) > 1 or bool(names and (alone or bare != text.strip().rstrip(",;.")))
    return enough and all(_is_name(name) for name in names)


def _is_name(text: str) -> bool:
    words = _MARKS.sub("", text.strip()).replace("(", "").replace(")", "").split()
    if not 2 <= len(words) <= _MAX_WORDS or any(word in _NO_NAMES for word in words):
        return False
    return words[-1][:1].isupper() and all(word[:1].isupper() or word.lower() in _PARTICLES for word in words)
