"""What linking decided: the node and rule of every surface, and which names became one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kg.acronyms import short_key
from kg.anchors import BY_DEFINITION, BY_NAME
from kg.facts import Claim, PaperFacts
from kg.linking import Linking
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


def mention_rows(papers: Sequence[PaperFacts], linking: Linking) -> Iterator[MentionRow]:
    """Yield a row for each paper and surface, sorted by both."""
    for number, facts in enumerate(papers):
        rows = set()
        for index, claim in enumerate(facts.claims):
            node = linking.entities[linking.nodes[number][index]].id
            for surface in claim.surfaces:
                rows.add((surface, node, _surface_rule(claim, surface, linking.rules[number][index])))
        for surface, node, rule in sorted(rows):
            yield MentionRow(facts.paper.id, surface, node, rule)


def merge_rows(papers: Sequence[PaperFacts], linking: Linking) -> list[MergeRow]:
    """Return which names became one, the most doubtful first, then by how many papers it concerns."""
    found: dict[tuple[int, str], list[tuple[str, Claim, str, float]]] = defaultdict(list)
    for number, facts in enumerate(papers):
        for index, claim in enumerate(facts.claims):
            rule, score = linking.rules[number][index], linking.scores[number][index]
            found[linking.nodes[number][index], claim.key].append((facts.paper.id, claim, rule, score))
    rows = []
    for (node, key), members in found.items():
        entity = linking.entities[node]
        main = normal_form(entity.name)
        if key != main:
            both = [*members, *found.get((node, main), ())]
            score, rule = min((score, rule) for _, _, rule, score in both)
            other = min((claim.name for _, claim, _, _ in members), key=lambda name: (len(name), name))
            papers_of_key = len({paper for paper, *_ in members})
            rows.append(MergeRow(entity.id, entity.name, other, rule, score, papers_of_key))
    return sorted(rows, key=lambda row: (row.score, -row.papers, row.node, row.other))


def _surface_rule(claim: Claim, surface: str, rule: str) -> str:
    if surface == claim.name:
        return rule
    if normal_form(surface) == claim.key:
        return rule if rule != BY_DEFINITION else BY_NAME
    if claim.long_key and (normal_form(surface) == claim.long_key or short_key(surface) == claim.short):
        return BY_DEFINITION
    return BY_READER
