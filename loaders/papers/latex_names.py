r"""Accented letters in the names of BibTeX files (``M{\"u}ller``), turned into the letters themselves.

Only for names and venues, which no evidence points into: titles and abstracts stay as they were written.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_COMBINING: Final = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "b": "\u0331",
    "d": "\u0323",
}
_LETTERS: Final = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "l": "ł",
    "L": "Ł",
    "i": "i",
    "j": "j",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
    "&": "&",
    "_": "_",
    "%": "%",
    "$": "$",
    "#": "#",
}
_ACCENT: Final = re.compile(
    r"\\(?:([\"'`^~=.])\s*|([uvHckrbd])(?:\s+|(?=\{)))(?:\{\s*(\\?[A-Za-z])\s*\}|(\\?[A-Za-z]))"
)
_LETTER: Final = re.compile(r"\\(ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|[oOlLij])(?![A-Za-z])(?:\{\})?\s*|\\([&_%$#])")


def spelled_out(text: str) -> str:
    r"""Return a name with its accents and without braces.

    >>> spelled_out(r'M{\"u}ller'), spelled_out(r"{\O}rsted"), spelled_out(r"Science \& Technology")
    ('Müller', 'Ørsted', 'Science & Technology')
    """
    if "\\" in text:
        text = _ACCENT.sub(_accented, text)
        text = _LETTER.sub(lambda found: _LETTERS[found.group(1) or found.group(2)], text)
    if "{" in text:
        text = text.replace("{", "").replace("}", "")
    return " ".join(text.replace("~", " ").split())


def _accented(found: re.Match[str]) -> str:
    mark = _COMBINING[found.group(1) or found.group(2)]
    letter = (found.group(3) or found.group(4)).lstrip("\\")
    return unicodedata.normalize("NFC", letter + mark)
