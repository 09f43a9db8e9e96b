"""Which normal forms of a corpus are variants of one another.

Forms of one family that share a signature (see `kg.signatures`) are one; that is an equality, so it may chain.
Likeness is none: forms that are alike join only where every pair of the group agrees. Two kinds count: slips of the
pen, since otherwise letters say little ("semi-supervised", "self-supervised"), and words that mean the same (see
`kg.similarity`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

from kg.acronyms import Expansions
from kg.naming import is_proper
from kg.overrides import OVERRIDE, Overrides
from kg.schema import family
from kg.signatures import HEAD_NOUN, LEVELS, signatures
from kg.similarity import SIMILAR, Similarity, agreeing, similar_pairs

SLIP: Final = "slip of the pen"
_SLIP_SCORE: Final = 0.8
#: A misspelt word has at least so many letters; in shorter ones a letter more or less is another word.
_SLIP_LENGTH: Final = 7
#: From this level on names must be of one family; before, it is one name spelled differently, of whatever type.
BY_FAMILY: Final = 2
#: How many times more names must hold the right word than the misspelt one.
_SLIP_RATIO: Final = 20


@dataclass(slots=True)
class FormStats:
    """How a normal form is used in a corpus: by how many claims, of which types, written how, introduced how often."""

    papers: int = 0
    introduced: int = 0
    types: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def add(self, claim_type: str, name: str, *, introduced: bool) -> None:
        """Count one claim."""
        self.papers += 1
        self.introduced += introduced
        self.types[claim_type] = self.types.get(claim_type, 0) + 1
        self.names[name] = self.names.get(name, 0) + 1

    @property
    def mostly_introduced(self) -> bool:
        """Whether at least half of its claims introduce it."""
        return 2 * self.introduced >= self.papers

    @property
    def family(self) -> str:
        """The family of most claims; ties go to the first in the alphabet."""
        families: dict[str, int] = {}
        for kind, count in self.types.items():
            families[family(kind)] = families.get(family(kind), 0) + count
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
    stats: Mapping[str, FormStats],
    readings: Expansions,
    overrides: Overrides,
    similarity: Similarity | None = None,
    misspelt: Mapping[str, Sequence[str]] | None = None,
) -> tuple[dict[str, str], tuple[Merge, ...]]:
    """Return the representative of each form that has variants, and the merges behind it, sorted.

    The representative is the form that most papers use; each merge goes from it to another form. ``misspelt`` tells
    the words that are slips of others where ``stats`` are those of a part of the corpus (see `misspelt_words`).
    """
    groups = _Groups(stats, overrides)
    for group in overrides.same:
        there = [form for form in group if form in stats]
        for other in there[1:]:
            groups.join(there[0], other, OVERRIDE, 1.0)
    kinds = {form: item.family for form, item in stats.items()}
    for level, forms in _by_signature(stats, kinds, readings):
        for other in forms[1:]:
            groups.join(forms[0], other, *LEVELS[level])
    slips = dict.fromkeys(_slips(stats, kinds, misspelt_words(stats) if misspelt is None else misspelt), _SLIP_SCORE)
    known = ((form, kinds[form], item.name) for form, item in stats.items() if not item.mostly_introduced)
    alike = similar_pairs(known, similarity)
    for rule, pairs in ((SLIP, slips), (SIMILAR, alike)):
        scores = groups.between(pairs)
        for one, other in agreeing(scores):
            groups.join(one, other, rule, scores[one, other])
    return groups.roots(), tuple(sorted(groups.merges, key=lambda merge: (merge.first, merge.second)))


class _Groups:
    """Forms that were joined so far. Joining never brings together what overrides keep apart."""

    def __init__(self, stats: Mapping[str, FormStats], overrides: Overrides) -> None:
        self._stats = stats
        self._overrides = overrides
        self._root: dict[str, str] = {}
        self._members: dict[str, list[str]] = {}
        self.merges: list[Merge] = []

    def roots(self) -> dict[str, str]:
        """Return the representative of each form that was joined."""
        return dict(self._root)

    def between(self, pairs: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
        """Return pairs of forms as pairs of the representatives of their groups, each with its best score."""
        found: dict[tuple[str, str], float] = {}
        for (one, other), score in pairs.items():
            first, second = sorted((self._root.get(one, one), self._root.get(other, other)))
            if first != second:
                found[first, second] = max(score, found.get((first, second), 0.0))
        return found

    def join(self, one: str, other: str, rule: str, score: float) -> None:
        """Join the groups of two forms under the form that more papers use."""
        roots = {self._root.get(form, form) for form in (one, other)}
        if len(roots) < 2:
            return
        root, gone = sorted(roots, key=lambda form: (-self._stats[form].papers, form))
        ours, theirs = self._members.get(root, [root]), self._members.get(gone, [gone])
        if self._overrides.different and any(self._overrides.keeps_apart(a, b) for a in ours for b in theirs):
            return
        self._members[root] = ours + theirs
        self._root.update(dict.fromkeys(self._members[root], root))
        likeness = 0.5 + 0.5 * _likeness(root, gone)
        self.merges.append(Merge(root, gone, rule, score if rule == OVERRIDE else round(score * likeness, 4)))


def _likeness(one: str, other: str) -> float:
    """Return how much two forms look alike, 0..1: the share of letter triples they have in common (Dice)."""
    ours, theirs = ({form[i : i + 3] for i in range(-1, len(form) - 1)} for form in (one, other))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def _by_signature(
    stats: Mapping[str, FormStats], kinds: Mapping[str, str], readings: Expansions
) -> Iterator[tuple[int, list[str]]]:
    """Yield (level, forms that agree there), the form that most papers use first."""
    signed = {form: signatures(item.name, form, kinds[form], readings) for form, item in stats.items()}
    for level, (rule, _) in enumerate(LEVELS):
        groups: dict[tuple[str, str], list[str]] = defaultdict(list)
        soft: list[str] = []
        for form, item in stats.items():
            if rule == HEAD_NOUN and item.mostly_introduced:
                # A framework that a paper introduces is its own, not the general thing that it is named after.
                continue
            if rule == HEAD_NOUN and signed[form].without_soft_head:
                soft.append(form)
            kind = kinds[form] if level >= BY_FAMILY or kinds[form] == "Data" else ""
            groups[kind, signed[form].levels[level]].append(form)
        for form in soft:
            bare = groups.get((kinds[form], signed[form].without_soft_head))
            if bare:
                bare.append(form)
        # In an order that the other names of the corpus have no part in.
        for key in sorted(key for key, forms in groups.items() if len(forms) > 1):
            yield level, sorted(groups[key], key=lambda form: (-stats[form].papers, form))


def with_other_words(form: str, others: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a form with one of its words exchanged for another.

    >>> list(with_other_words("casual model", {"casual": ["causal"]}))
    ['causal model']
    """
    parts = form.split()
    for place, word in enumerate(parts):
        for other in others.get(word, ()):
            yield " ".join([*parts[:place], other, *parts[place + 1 :]])


def _slips(
    stats: Mapping[str, FormStats], kinds: Mapping[str, str], misspelt: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield (right form, misspelt form): one long word differs by one letter, and the right one is far more common."""
    for form, item in stats.items():
        for other in with_other_words(form, misspelt):
            if other in stats and kinds[other] == kinds[form] and not is_proper(item.name):
                yield other, form


def misspelt_words(forms: Iterable[str]) -> dict[str, list[str]]:
    """Return the common words that each rare one in the forms of a corpus may be a slip of; words are compared only if
    they share all but one letter."""
    common = Counter(word for form in forms for word in set(form.split()))
    blocks: dict[str, list[str]] = defaultdict(list)
    for word in common:
        if len(word) >= _SLIP_LENGTH and word.isalpha():
            for part in {word, *(word[:i] + word[i + 1 :] for i in range(2, len(word)))}:
                blocks[part].append(word)
    found: dict[str, set[str]] = defaultdict(set)
    for words_alike in blocks.values():
        for one, other in permutations(words_alike, 2):
            if common[one] >= _SLIP_RATIO * common[other] and _is_one_slip(one, other):
                found[other].add(one)
    return {word: sorted(rights) for word, rights in found.items()}


def _is_one_slip(one: str, other: str) -> bool:
    """Say whether two words differ by one letter left out, doubled or put in, or two that changed places.

    >>> _is_one_slip("constrastive", "contrastive"), _is_one_slip("causal", "casual"), _is_one_slip("text", "test")
    (True, True, False)
    """
    if len(one) == len(other):
        places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        swapped = len(places) == 2 and places[1] == places[0] + 1
        return swapped and one[places[0]] == other[places[1]] and one[places[1]] == other[places[0]]
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
