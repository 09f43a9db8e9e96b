"""Acronyms: which short form stands for which long one, in one text and across papers.

References:
    Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in biomedical text".
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Final

from kg.naming import compact, plain
from kg.wordforms import singular

_TABLE: Final = "acronyms.tsv.gz"
_SHORT: Final = re.compile(r"^(?=.*[A-Za-z])[A-Za-z0-9α-ωΑ-Ω][\w\-+/*.&]{1,14}$")
#: A reading dominates when at least this share of the defining papers agree on it.
DOMINANT_SHARE: Final = 0.9
#: A corpus with so many defining papers of an acronym decides alone; below, the shipped table joins in.
_ENOUGH_IN_CORPUS: Final = 10
#: So many papers must define an acronym before it is spelled out inside longer names.
_SEVERAL: Final = 3
#: A long form that so many papers define is common property.
_COMMON: Final = 10
#: One defining paper speaks for so many that use the acronym without a definition.
_USERS_A_DEFINER: Final = 10


def short_key(name: str) -> str:
    """Return the key of an acronym: its case stays (mAP is not MAP), a plural s and hyphens go.

    >>> short_key("LLMs"), short_key("mAP"), short_key("Mo-CO")
    ('LLM', 'mAP', 'MoCO')
    """
    return singular(plain(name).replace("-", "").replace(" ", ""))


def looks_short(name: str) -> bool:
    """Say whether a name may be an acronym: one word with a capital inside or at least two capitals.

    >>> [looks_short(name) for name in ("LLMs", "mAP", "GRAM", "t-SNE", "Adam", "model", "reinforcement learning")]
    [True, True, True, True, False, False, False]
    """
    return sum(map(str.isupper, name)) > 1 and " " not in name and bool(_SHORT.match(plain(name)))


def is_acronym(name: str) -> bool:
    """Say whether a name is made of initials: short, and most of its letters capitals.

    >>> [is_acronym(name) for name in ("LLMs", "mAP", "ImageNet", "CIFAR-10")]
    [True, True, False, True]
    """
    word = singular(plain(name))
    return looks_short(word) and len(word) <= 10 and 2 * sum(map(str.isupper, word)) > sum(map(str.isalpha, word))


def spells(short: str, long: str) -> bool:
    """Say whether the letters of a short form appear in order in a long one, the first at the start of a word.

    >>> spells("LLM", "large language model"), spells("RL", "reinforcement learning"), spells("CNN", "graph network")
    (True, True, False)
    """
    letters = [char for char in singular(plain(short)).casefold() if char.isalnum()]
    text = plain(long).casefold()
    if not letters or len(text) <= len(letters):
        return False
    place = len(text) - 1
    for at in range(len(letters) - 1, -1, -1):
        while place >= 0 and (text[place] != letters[at] or (at == 0 and place > 0 and text[place - 1].isalnum())):
            place -= 1
        if place < 0:
            return False
        place -= 1
    return True


def is_long_form(short: str, long: str) -> bool:
    """Say whether a name reads like the long form of an acronym, without a text that says so.

    >>> is_long_form("QA", "question answering"), is_long_form("QA", "open-domain question answering")
    (True, False)
    """
    small, parts = singular(plain(short)).casefold(), plain(long).casefold().replace("-", " ").split()
    return (
        is_acronym(short)
        and len(parts) > 1
        and small not in parts
        and parts[0][0] == small[0]
        and (spells(short, long) and len(parts) <= len(small) + 1)
    )


@dataclass(frozen=True, slots=True)
class Readings:
    """How many papers give each long form (a normal form) for one acronym."""

    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of defining papers."""
        return sum(self.counts.values())

    def dominant(self, *, share: float = DOMINANT_SHARE) -> str:
        """Return the long form that at least a share of the papers agree on, else "".

        Papers that spell the same reading a little differently agree.
        """
        if not self.counts:
            return ""
        best = min(self.counts, key=lambda long: (-self.counts[long], long))
        agree = sum(count for long, count in self.counts.items() if _same_reading(best, long))
        return best if agree >= share * self.total else ""


def _same_reading(best: str, long: str) -> bool:
    """Say whether a long form is the best one, misspelt or with a word more: "convolution neural network model"."""
    words_of_best, others = best.split(), long.split()
    if set(words_of_best) <= set(others) or compact(best) == compact(long):
        return True
    alike = sum(any(_alike(word, other) for other in others) for word in words_of_best)
    return alike == len(words_of_best) and len(others) <= len(words_of_best) + 2


def _alike(word: str, other: str) -> bool:
    """Say whether two words share their first four letters, or all letters of the shorter one."""
    size = min(len(word), len(other), 4)
    return word[:size] == other[:size] and size > 2


class Expansions:
    """The dominant reading of each acronym that several papers define, for use inside longer names."""

    def __init__(self, corpus: Mapping[str, Readings], table: Mapping[str, Readings]) -> None:
        self._corpus = corpus
        self._table = table
        self._found: dict[str, str] = {}

    def get(self, short: str, otherwise: str = "") -> str:
        """Return the long form of an acronym by its key, or something else where none dominates."""
        if short not in self._found:
            defined = sum(side[short].total for side in (self._corpus, self._table) if short in side)
            self._found[short] = reading(short, self._corpus, self._table)[0] if defined >= _SEVERAL else ""
        return self._found[short] or otherwise


def reading(
    short: str, corpus: Mapping[str, Readings], table: Mapping[str, Readings], *, users: int = 0
) -> tuple[str, str]:
    """Return the long form that dominates for an acronym and who says so: "corpus", "table" or "".

    A corpus with at least ten defining papers decides alone; with fewer, its counts and the shipped table's are
    added up. ``users`` is how many papers of the corpus use the acronym without a definition: a paper that spells
    out ImageNet in its own way does not speak for eighty others.
    """
    own, shipped = corpus.get(short, Readings()), table.get(short, Readings())
    if own.total >= _ENOUGH_IN_CORPUS or not shipped.counts:
        return (own.dominant() if own.total * _USERS_A_DEFINER >= users else ""), "corpus"
    both = dict(shipped.counts)
    for long, count in own.counts.items():
        both[long] = both.get(long, 0) + count
    return Readings(both).dominant(), "table"


@lru_cache(maxsize=1)
def shipped_table() -> Mapping[str, Readings]:
    """Return the acronym table that ships with the package: acronym, long form, number of papers.

    It was mined from the abstracts of 30,000 papers by `kg.acronym_table`.
    """
    path = resources.files("kg") / "data" / _TABLE
    if not path.is_file():
        return {}
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return readings((row[0], row[1], int(row[2])) for row in (line.split("\t") for line in lines[1:]))


@lru_cache(maxsize=1)
def common_long_forms() -> frozenset[str]:
    """Return the long forms that so many papers of the shipped table define that no paper introduces them anew."""
    known = (pair for item in shipped_table().values() for pair in item.counts.items())
    return frozenset(long for long, papers in known if papers >= _COMMON)


def readings(rows: Iterable[tuple[str, str, int]]) -> dict[str, Readings]:
    """Group (acronym, long form, papers) rows by acronym."""
    grouped: dict[str, dict[str, int]] = {}
    for short, long, papers in rows:
        counts = grouped.setdefault(short, {})
        counts[long] = counts.get(long, 0) + papers
    return {short: Readings(counts) for short, counts in grouped.items()}
