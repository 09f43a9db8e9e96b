"""Tell the language of an abstract by its script and its commonest words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

UNKNOWN: Final = "und"

#: ISO 639-1 code -> short words that are frequent in it and rare in the others.
_WORDS: Final = """
en: the of and to in is that for we with this are by on as which from our an be
de: der die das und ist von mit für auf wir den zur einer eines nicht wird werden sind ein eine
fr: le les des et est une dans pour nous sur par qui du au avec ce cette sont aux
es: el los las y es una para que con por del se como en este esta al son su
pt: os as e uma para que com por do da dos das não em este esta ao são sua
it: il lo gli di e una per che con del della dei nel questo questa è sono si alla
nl: de het een en van is voor met wij niet dat zijn wordt op te deze dit aan
sv: och att det som en är för med vi av på den till inte ett har kan denna
pl: i w na z do jest się że dla oraz są przez od tym który które nie jako
tr: ve bir bu için ile olarak olan da de çok daha gibi ise tarafından
id: yang dan di dengan untuk ini dari pada dalam adalah ke oleh sebagai
"""
_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("uk", re.compile(r"[іїєґІЇЄҐ]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAMPLE_CHARS: Final = 400
#: A text in another script still holds Latin names, and an English one a Greek letter.
_MIN_SCRIPT_SHARE: Final = 0.2


def _languages_by_word(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        code, words = line.split(": ")
        for word in words.split():
            found[word] = (*found.get(word, ()), code)
    return found


_LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_languages_by_word(_WORDS))


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of a text's language, "und" when it cannot be told.

    >>> language_of("We prune the heads of a model."), language_of("Wir kürzen die Köpfe und das Modell.")
    ('en', 'de')
    >>> language_of("我们提出一种方法 PINE。"), language_of("x")
    ('zh', 'und')
    """
    sample = text[:_SAMPLE_CHARS]
    if not sample.isascii():
        letters = len(_LETTER.findall(sample))
        for code, script in _SCRIPTS:
            if len(script.findall(sample)) > _MIN_SCRIPT_SHARE * letters * (0.25 if code in ("ja", "uk") else 1):
                return code
    words = re.findall(r"[^\W\d_]+", sample.casefold())
    scores = Counter(code for word in words for code in _LANGUAGES.get(word, ()))
    best, score = scores.most_common(1)[0] if scores else (UNKNOWN, 0)
    return best if score >= max(2, 0.08 * len(words)) else UNKNOWN
