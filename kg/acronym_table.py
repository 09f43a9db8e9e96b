"""Mine the acronym table that ships with the package: which long forms papers give for which acronym.

    python -m kg.acronym_table PAPERS.jsonl.gz

writes kg/data/acronyms.tsv.gz (acronym, long form as a normal form, number of papers). Only these facts are kept,
no text of any paper.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from kg.acronyms import looks_short, short_key, spells
from kg.naming import compact, normal_form, plain
from kg.wordforms import singular, words

_BRACKET: Final = re.compile(r"\(([^()]{2,60})\)")
_LONG_LIMIT: Final = 12
_SMALL_WORDS: Final = words("a an and as at by for from in of on or over the to via with")
TABLE = Path(__file__).parent / "data" / "acronyms.tsv.gz"
LONGEST = 8
"""Words of a long form at most: longer ones are slips of the finder."""


def mine(path: Path) -> Counter[tuple[str, str]]:
    """Return in how many papers each (acronym, long form) is defined."""
    counts: Counter[tuple[str, str]] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            paper = json.loads(line)
            text = f"{paper.get('title') or ''}\n\n{paper.get('abstract') or ''}"
            pairs = {(short_key(short), normal_form(long)) for short, long in find_definitions(text)}
            counts.update(pair for pair in pairs if all(pair) and len(pair[1].split()) <= LONGEST)
    return counts


def find_definitions(text: str) -> tuple[tuple[str, str], ...]:
    """Return the (short, long) pairs that a text defines as ``long (short)`` or ``short (long)``, in order.

    >>> find_definitions("We study large language models (LLMs) and RL (reinforcement learning).")
    (('LLMs', 'large language models'), ('RL', 'reinforcement learning'))
    """
    found: dict[tuple[str, str], None] = {}
    for match in _BRACKET.finditer(text):
        inside = re.split(r"[;,]| e\.g\.| i\.e\.", match[1])[0].strip()
        before = text[max(0, match.start() - 200) : match.start()].rstrip()
        pair = _pair(inside, before)
        if pair:
            found[pair] = None
    return tuple(found)


def _pair(inside: str, before: str) -> tuple[str, str] | None:
    if looks_short(inside):
        long = _long_form(inside, before)
        return (inside, long) if long else None
    last = (before.split() or [""])[-1].strip(",.;:'\"")
    if looks_short(last) and len(inside.split()) > 1 and spells(last, inside):
        return last, inside
    return None


def _long_form(short: str, before: str) -> str:
    """Return the stretch of words right before a bracket that a short form stands for.

    Its initials decide where they spell the short form; else the shortest stretch that has its letters in order.
    """
    parts = re.split(r"[.;:!?]\s|\(|\)|, ", before)[-1].split()
    letters = [char for char in singular(plain(short)).casefold() if char.isalnum()]
    limit = min(len(parts), len(letters) + 5, 2 * len(letters), _LONG_LIMIT)
    spelled = [
        long
        for count in range(1, limit + 1)
        if parts[-count][:1].casefold() == letters[0] and spells(short, long := " ".join(parts[-count:]))
    ]
    by_initials = [long for long in spelled if _initials(long) == letters]
    best = next(iter(by_initials or spelled), "")
    return _strip(best) if _fits(short, best) else ""


def _initials(long: str) -> list[str]:
    """Return the first letters of the words of a long form, small words aside."""
    parts = [part for part in re.split(r"[\s\-/]+", plain(long).casefold()) if part]
    return [part[0] for part in parts if part not in _SMALL_WORDS]


def _fits(short: str, long: str) -> bool:
    """Say whether a stretch that has the letters of a short form can be its long form."""
    small = singular(plain(short)).casefold()
    if small in long.casefold().split() or compact(normal_form(long)).startswith(compact(normal_form(short))):
        return False
    letters = [char for char in small if char.isalnum()]
    # Most letters of an acronym in capitals begin a word: GAN is no "generative modeling".
    return not singular(short).isupper() or " " not in long or 2 * _in_order(letters, _initials(long)) >= len(letters)


def _in_order(letters: list[str], initials: list[str]) -> int:
    """Return how many of the initials are found among the letters, in order."""
    place, count = 0, 0
    for initial in initials:
        if initial in letters[place:]:
            place = letters.index(initial, place) + 1
            count += 1
    return count


def _strip(long: str) -> str:
    return long.strip(" ,.;:'\"`")


def write(counts: Counter[tuple[str, str]], path: Path) -> None:
    """Write the table sorted, with no time in it, so that the same papers give the same bytes."""
    rows = [f"{short}\t{long}\t{count}" for (short, long), count in sorted(counts.items())]
    text = "\n".join(["acronym\tlong form\tpapers", *rows]) + "\n"
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


if __name__ == "__main__":
    write(mine(Path(sys.argv[1])), TABLE)
