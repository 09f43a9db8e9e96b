"""Which normal forms of a corpus are variants of one another.

Forms of one family that share a signature (see `kg.signatures`) are one; that is an equality, so it may chain.
Likeness is none: forms that look alike join only where every pair of the group agrees, and only slips of the pen are
taken for likeness, since in names of methods most of the letters say little ("semi-supervised", "self-supervised").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from kg.naming import numbers
from kg.schema import family
from kg.signatures import HEAD_NOUN, LEVELS, signature

SLIP: Final = "slip of the pen"
_SLIP_SCORE: Final = 0.8
#: A misspelt word has at least so many letters; in shorter ones a letter more or less is another word.
_SLIP_LENGTH: Final = 7
#: From this level on names must be of one family; before, it is one name spelled differently, of whatever type.
_BY_FAMILY: Final = 2
#: How many times more names must hold the right word than the misspelt one.
_SLIP_RATIO: Final = 20


@dataclass(slots=True)
class FormStats:
    """How a normal form is used in a corpus: by how many claims, under which types, written how, introduced how often."""

    papers: int = 0
    introduced: int = 0
    types: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)

    @property
    def family(self) -> str:
        """The family of most claims; ties go to the first in the alphabet."""
        families: Counter[str] = Counter()
        for kind, count in self.types.items():
            families[family(kind)] += count
        return min(families, key=lambda name: (-families[name], name), default="")

    @property
    def name(self) -> str:
        """The most frequent surface; ties go to the first in the alphabet."""
        return min(self.names, key=lambda name: (-self.names[name], name), default="")


@dataclass(frozen=True, slots=True)
class Merge:
    """Two normal forms that are taken for one, by which rule, with a score of 0..1."""

    first: str
    second: str
    rule: str
    score: float


def find_variants(
    stats: Mapping[str, FormStats], readings: Mapping[str, str]
) -> tuple[dict[str, str], tuple[Merge, ...]]:
    """Return the representative of each form that has variants, and the merges behind it, sorted.

    The representative is the form that most papers use.
    """
    kinds = {form: item.family for form, item in stats.items()}
    parent: dict[str, str] = {}
    merges: list[Merge] = []
    for level, (rule, score) in enumerate(LEVELS):
        for group in _by_signature(stats, kinds, level, readings):
            roots = sorted(
                {_root(parent, form) for form in group}, key=lambda form: (-stats[form].papers, form)
            )
            for other in roots[1:]:
                parent[other] = roots[0]
                merges.append(Merge(roots[0], other, rule, score))
    merges.extend(_join_slips(stats, kinds, parent))
    merges.sort(key=lambda merge: (merge.first, merge.second))
    return {form: _root(parent, form) for form in parent}, tuple(merges)


def _root(parent: Mapping[str, str], form: str) -> str:
    while form in parent:
        form = parent[form]
    return form


def _by_signature(
    stats: Mapping[str, FormStats], kinds: Mapping[str, str], level: int, readings: Mapping[str, str]
) -> Iterator[list[str]]:
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    head_noun = LEVELS[level][0] == HEAD_NOUN
    for form, item in stats.items():
        # A framework that a paper introduces is its own, not the general thing that it is named after.
        if not head_noun or 2 * item.introduced < item.papers:
            kind = kinds[form] if level >= _BY_FAMILY or kinds[form] == "Data" else ""
            groups[kind, signature(item.name, kinds[form], level, readings)].append(form)
    for (_, text), forms in groups.items():
        if len(forms) > 1 and text and len({numbers(form) for form in forms if level == 0}) < 2:
            yield sorted(forms)


def _join_slips(
    stats: Mapping[str, FormStats], kinds: Mapping[str, str], parent: dict[str, str]
) -> Iterator[Merge]:
    """Join misspelt forms; a group forms only where each pair of its forms differs by one slip."""
    pairs = {tuple(sorted(pair)): pair for pair in _slips(stats, kinds)}
    clusters: dict[str, set[str]] = {}
    for right, wrong in (pairs[key] for key in sorted(pairs)):
        one, other = clusters.get(right, {right}), clusters.get(wrong, {wrong})
        if one is other or any(
            tuple(sorted(pair)) not in pairs for pair in ((a, b) for a in one for b in other)
        ):
            continue
        joined = one | other
        clusters.update(dict.fromkeys(joined, joined))
        roots = sorted(
            {_root(parent, right), _root(parent, wrong)}, key=lambda form: (-stats[form].papers, form)
        )
        if len(roots) > 1:
            parent[roots[1]] = roots[0]
            yield Merge(right, wrong, SLIP, _SLIP_SCORE)


def _slips(stats: Mapping[str, FormStats], kinds: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yield (right form, misspelt form): one long word differs by one letter, and the right one is far more common.

    Forms are compared only with those that share all other words.
    """
    common: Counter[str] = Counter(word for form in stats for word in set(form.split()))
    blocks: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for form in stats:
        parts = form.split()
        for place, word in enumerate(parts):
            if len(word) >= _SLIP_LENGTH and word.isalpha():
                blocks[kinds[form], word[:2], *parts[:place], "", *parts[place + 1 :]].append((word, form))
    for members in blocks.values():
        for (one, first), (other, second) in combinations(sorted(members), 2):
            if one != other and _is_one_slip(one, other):
                if common[one] >= _SLIP_RATIO * common[other]:
                    yield first, second
                elif common[other] >= _SLIP_RATIO * common[one]:
                    yield second, first


def _is_one_slip(one: str, other: str) -> bool:
    """Say whether two words differ by one letter left out, doubled or put in, or two that changed places.

    >>> _is_one_slip("constrastive", "contrastive"), _is_one_slip("learning", "leaning"), _is_one_slip("causal", "casual")
    (True, True, True)
    """
    if len(one) == len(other):
        places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        swapped = len(places) == 2 and places[1] == places[0] + 1
        return swapped and one[places[0]] == other[places[1]] and one[places[1]] == other[places[0]]
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
