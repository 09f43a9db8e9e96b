"""What linking decided: the node and rule of every surface, and which names became one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from kg.acronyms import short_key
from kg.anchors import BY_DEFINITION, BY_NAME
from kg.facts import Claim
from kg.naming import normal_form

#: A surface that its paper uses for the same thing, in the eyes of the reader.
BY_READER: Final = "same thing in its paper"


@dataclass(frozen=True, slots=True)
class MentionRow:
    """One surface of one paper: the node that it stands for, and the rule that says so."""

    paper: str
    name: str
    node: str
    rule: str

    def record(self) -> dict[str, Any]:
        """Return the row as a line of `kg mentions`."""
        return {"paper": self.paper, "name": self.name, "node": self.node, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class MergeRow:
    """A name that became one with a node's main name: by which rule, how sure (0..1), in how many papers."""

    node: str
    name: str
    other: str
    rule: str
    score: float
    papers: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A claim of a paper, the node that it belongs to, the rule that says so and how sure it is."""

    paper: str
    claim: Claim
    node: str
    rule: str
    score: float


def mention_rows(decisions: Iterable[Decision]) -> Iterator[MentionRow]:
    """Yield a row for each paper and surface, sorted by both, given decisions in the order of papers."""
    for paper, group in groupby(decisions, key=attrgetter("paper")):
        rows = {
            (surface, item.node, _surface_rule(item.claim, surface, item.rule))
            for item in group
            for surface in item.claim.surfaces
        }
        for row in sorted(rows):
            yield MentionRow(paper, *row)


def merge_rows(decisions: Iterable[Decision], names: Mapping[str, str]) -> list[MergeRow]:
    """Return which names became one, the most doubtful first, then by how many papers it concerns.

    Args:
        decisions: All claims of some entities.
        names: The name of each entity by id.
    """
    found: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    for item in decisions:
        found[item.node, item.claim.key].append(item)
    rows = []
    for (node, key), members in found.items():
        main = normal_form(names[node])
        if key != main:
            both = [*members, *found.get((node, main), ())]
            score, rule = min((item.score, item.rule) for item in both)
            other = min((item.claim.name for item in members), key=lambda name: (len(name), name))
            papers = len({item.paper for item in members})
            rows.append(MergeRow(node, names[node], other, rule, score, papers))
    return sorted(rows, key=merge_order)


def merge_order(row: MergeRow) -> tuple[float, int, str, str, str]:
    """Order merges: the most doubtful first, then those of most papers."""
    return row.score, -row.papers, row.node, row.other, row.rule


def _surface_rule(claim: Claim, surface: str, rule: str) -> str:
    if surface == claim.name:
        return rule
    if normal_form(surface) == claim.key:
        return rule if rule != BY_DEFINITION else BY_NAME
    if claim.long_key and (normal_form(surface) == claim.long_key or short_key(surface) == claim.short):
        return BY_DEFINITION
    return BY_READER
