"""Senses: where one name means several things, and what each is called.

A name seen in two papers is one thing unless the papers define it differently: another long form (those never
meet here), or each introduces its own, as with two systems called GRAM.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kg.acronyms import common_long_forms, shipped_table
from kg.facts import Claim
from kg.naming import is_proper
from kg.schema import ENTITY_TYPES, family

#: From so many papers a thing that others introduced, a name is common property: a paper that seems to introduce
#: "contrastive learning" again means the same.
_COMMON: Final = 2
#: From so many papers in the shipped table that define an acronym, its reading is common property.
_COMMON_PAPERS: Final = 3
#: A family used by less than this share of the papers follows the others: it is a slip of the reader.
_SLIP: Final = 0.25


@dataclass(frozen=True, slots=True)
class Member:
    """A claim on its way to a node: paper id, number of the paper, index of the claim, and its own normal form."""

    paper: str
    number: int
    index: int
    claim: Claim
    anchor: str


@dataclass(frozen=True, slots=True)
class Sense:
    """One thing: its normal form, label, type, name and claims. ``label`` tells it from others of its form."""

    form: str
    label: str
    type: str
    name: str
    members: tuple[Member, ...]


def split_senses(anchor: str, members: Sequence[Member], *, whole: bool = False) -> list[Sense]:
    """Return the senses among the claims of one normal form; one only if ``whole``."""
    if whole:
        return [_sense(anchor, _long_form(members), members)]
    return [sense for part in _by_family(members) for sense in _by_introduction(anchor, part)]


def _by_family(members: Sequence[Member]) -> list[list[Member]]:
    """Part data from the rest, unless one of them is so rare that it is a slip and introduces nothing."""
    if len(members) == 1:
        return [list(members)]
    data = [member for member in members if family(member.claim.type) == "Data"]
    rest = [member for member in members if family(member.claim.type) != "Data"]
    few = min((data, rest), key=len)
    if not few or (len(few) < _SLIP * len(members) and not any(member.claim.introduced for member in few)):
        return [list(members)]
    return [data, rest]


def _by_introduction(anchor: str, members: Sequence[Member]) -> list[Sense]:
    """Part what different papers introduce, unless the name is common property."""
    own: dict[str, list[Member]] = {}
    for member in members:
        if member.claim.introduced and member.anchor not in common_long_forms():
            own.setdefault(member.claim.long_key or member.paper, []).append(member)
    papers = {member.paper for group in own.values() for member in group}
    others = {member.paper for member in members} - papers
    if len(own) < 2 or len(others) >= _COMMON * len(papers):
        label = min(own) if len(own) == 1 else _long_form(members)
        return [_sense(anchor, label, members)]
    parted = {member for group in own.values() for member in group}
    rest = [member for member in members if member not in parted]
    senses = [_sense(anchor, label, group) for label, group in sorted(own.items())]
    return [*senses, *([_sense(anchor, "", rest)] if rest else [])]


def _long_form(members: Sequence[Member]) -> str:
    longs = Counter(member.claim.long_key for member in members if member.claim.long_key)
    return min(longs, key=lambda long: (-longs[long], long), default="")


def _sense(anchor: str, label: str, members: Sequence[Member]) -> Sense:
    return Sense(_form(anchor, members), label, _majority_type(members), _name(anchor, members), tuple(members))


def _form(anchor: str, members: Sequence[Member]) -> str:
    """Return the form for the id: an acronym that a paper introduces, else the form that the group stands for.

    Acronyms that are common property (the shipped table knows several papers that define them) go by their long
    form, so that one paper more or less leaves the id alone.
    """
    own = Counter(
        member.claim.key
        for member in members
        if member.claim.introduced and member.claim.long_key and not _is_common(member.claim)
    )
    return min(own, key=lambda key: (-own[key], key), default=anchor)


def _is_common(claim: Claim) -> bool:
    known = shipped_table().get(claim.short)
    return known is not None and known.counts.get(claim.long_key, 0) >= _COMMON_PAPERS


def _majority_type(members: Sequence[Member]) -> str:
    """Return the type of most claims, the family first; ties go to the order of the schema."""
    if len(members) == 1:
        return members[0].claim.type
    types = Counter(member.claim.type for member in members)
    families: Counter[str] = Counter()
    for kind, count in types.items():
        families[family(kind)] += count
    best = min(families, key=lambda name: (-families[name], _rank(name)))
    return min((kind for kind in types if family(kind) == best), key=lambda kind: (-types[kind], _rank(kind)))


def _rank(name: str) -> int:
    return ENTITY_TYPES.index(name) if name in ENTITY_TYPES else len(ENTITY_TYPES)


def _name(anchor: str, members: Sequence[Member]) -> str:
    """Return the most frequent surface of the most frequent form; introducing papers decide unless they are few."""
    if len(members) == 1:
        return members[0].claim.name
    own = [member for member in members if member.claim.introduced]
    voters = own if _COMMON * len(own) >= len(members) - len(own) else members
    forms = Counter(member.claim.key for member in voters)
    form = min(forms, key=lambda key: (-forms[key], key != anchor, -len(key), key))
    names = Counter(member.claim.name for member in voters if member.claim.key == form)
    return min(names, key=lambda name: (-names[name], *_looks(name)))


def _looks(name: str) -> tuple[bool, int, str]:
    """Order equally frequent surfaces: proper names as they are written, others without capitals."""
    proper = is_proper(name)
    return not proper, 0 if proper else sum(map(str.isupper, name)), name
