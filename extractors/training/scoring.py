"""The scorer's rules on examples in units: what thresholds are set by.

An entity is right when it shares a surface with an annotated one of its family; optional ones never count.
Relations and introduced entities count by the entities they stand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from extractors.reader.clusters import normal_form
from extractors.reader.decode import Found
from extractors.reader.labels import FAMILY, RELATIONS, SYMMETRIC, TYPES
from extractors.training.annotations import Example

ROWS = ("entities", "introduced", "relations")


@dataclass(slots=True)
class Counts:
    """Right, wrong, found and wanted of each row."""

    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ROWS, 0))
    wrong: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ROWS, 0))
    wanted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ROWS, 0))

    def f1(self, row: str) -> float:
        """Return the F1 of a row, 0 to 100."""
        total = self.right[row] + self.wrong[row] + self.wanted[row]
        return 200 * self.right[row] / total if total else 0.0

    def add(self, row: str, *, right: bool | None, times: int = 1) -> None:
        """Count what was found; None counts as neither."""
        if right is not None:
            (self.right if right else self.wrong)[row] += times


def align_found(found: Found, example: Example) -> dict[int, int]:
    """Return found entity -> annotated entity, one to one, core ones first."""
    forms = [{normal_form(example.units.surface(a, b)) for a, b in e.mentions} for e in found.entities]
    families = [FAMILY[TYPES.index(e.type) + 1] for e in found.entities]
    pairs: dict[int, int] = {}
    for core in (True, False):
        for j, form in enumerate(forms):
            if j not in pairs:
                fits = (
                    i
                    for i, known in enumerate(example.forms)
                    if example.core[i] == core
                    and FAMILY[example.types[i]] == families[j]
                    and not form.isdisjoint(known)
                    and i not in pairs.values()
                )
                if (i := next(fits, None)) is not None:
                    pairs[j] = i
    return pairs


def count_papers(found: Sequence[Found], examples: Sequence[Example], *, introduced: float) -> Counts:
    """Count what was found in papers; `introduced` is the lowest probability that flags an entity."""
    counts = Counts()
    for paper, example in zip(found, examples, strict=True):
        pairs = align_found(paper, example)
        _count_entities(counts, paper, example, pairs, introduced=introduced)
        _count_relations(counts, paper, example, pairs)
    return counts


def _count_entities(
    counts: Counts, found: Found, example: Example, pairs: dict[int, int], *, introduced: float
) -> None:
    for j, entity in enumerate(found.entities):
        gold = pairs.get(j)
        core = gold is not None and example.core[gold]
        counts.add("entities", right=False if gold is None else core or None)
        if entity.introduced >= introduced:
            own = gold is not None and example.introduced[gold]
            counts.add("introduced", right=(core or None) if own else False)
    counts.wanted["entities"] += sum(example.core)
    counts.wanted["introduced"] += sum(a and b for a, b in zip(example.core, example.introduced, strict=True))


def _count_relations(counts: Counts, found: Found, example: Example, pairs: dict[int, int]) -> None:
    def key(head: int, kind: int, tail: int) -> tuple[int, int, int]:
        swap = RELATIONS[kind - 1] == SYMMETRIC and head > tail
        return (kind, tail, head) if swap else (kind, head, tail)

    gold = {
        key(*relation): example.core[relation[0]] and example.core[relation[2]]
        for relation in example.relations
    }
    counts.wanted["relations"] += sum(gold.values())
    hit = set()
    for relation in found.relations:
        head, tail = pairs.get(relation.head), pairs.get(relation.tail)
        stated = None
        if head is not None and tail is not None:
            stated = key(head, RELATIONS.index(relation.type) + 1, tail)
        if stated not in gold:
            counts.add("relations", right=False)
        elif stated not in hit:
            counts.add("relations", right=gold[stated] or None)
        hit.add(stated)
