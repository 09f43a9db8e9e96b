"""The scorer's rules on examples in units: what thresholds are set by.

An entity is right when it shares a surface with an annotated one of its family; optional ones never count.
Relations and introduced entities count by the entities they stand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from extractors.reader.clusters import normal_form
from extractors.reader.decode import Found, FoundEntity
from extractors.reader.labels import FAMILY, RELATIONS, SYMMETRIC, TYPES
from extractors.training.annotations import Example
from kg.types import without_vague_head

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

    def add(self, row: str, *, right: bool | None) -> None:
        """Count what was found; None counts as neither."""
        if right is not None:
            (self.right if right else self.wrong)[row] += 1


def align_found(found: Found, example: Example) -> dict[int, int]:
    """Return found entity -> annotated entity, one to one, core ones first."""
    forms = [_forms(entity, example) for entity in found.entities]
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


def _forms(entity: FoundEntity, example: Example) -> set[str]:
    """Return the forms that the entity will go by; see `PaperEntity.surfaces`."""
    surfaces = {example.units.surface(a, b) for a, b in entity.mentions}
    return {normal_form(form) for form in (*surfaces, *map(without_vague_head, surfaces)) if form}


def count_papers(found: Sequence[Found], examples: Sequence[Example], *, introduced: float) -> Counts:
    """Count what was found in papers; `introduced` is the lowest probability that flags an entity."""
    counts = Counts()
    for paper, example in zip(found, examples, strict=True):
        pairs = align_found(paper, example)
        _count_entities(counts, paper, example, pairs, introduced=introduced)
        _count_relations(counts, paper, example, pairs)
    return counts


def judge_entities(found: Found, example: Example, pairs: dict[int, int]) -> list[bool | None]:
    """Say of each found entity whether it is right; None if it is optional."""
    return [(example.core[pairs[j]] or None) if j in pairs else False for j in range(len(found.entities))]


def judge_relations(found: Found, example: Example, pairs: dict[int, int]) -> list[bool | None]:
    """Say of each found relation whether it is right; None if it is optional or was stated before."""
    gold = stated_relations(example)
    verdicts: list[bool | None] = []
    hit = set()
    for relation in found.relations:
        key = None
        if relation.head in pairs and relation.tail in pairs:
            key = _key(pairs[relation.head], RELATIONS.index(relation.type) + 1, pairs[relation.tail])
        verdicts.append(False if key not in gold else None if key in hit else gold[key] or None)
        hit.add(key)
    return verdicts


def stated_relations(example: Example) -> dict[tuple[int, int, int], bool]:
    """Return the annotated relations (class, head, tail), and whether both ends are core."""
    return {_key(h, r, t): example.core[h] and example.core[t] for h, r, t in example.relations}


def _key(head: int, kind: int, tail: int) -> tuple[int, int, int]:
    swap = RELATIONS[kind - 1] == SYMMETRIC and head > tail
    return (kind, tail, head) if swap else (kind, head, tail)


def _count_entities(
    counts: Counts, found: Found, example: Example, pairs: dict[int, int], *, introduced: float
) -> None:
    for j, (entity, right) in enumerate(zip(found.entities, judge_entities(found, example, pairs), strict=True)):
        counts.add("entities", right=right)
        if entity.introduced >= introduced:
            own = j in pairs and example.introduced[pairs[j]]
            counts.add("introduced", right=right if own else False)
    counts.wanted["entities"] += sum(example.core)
    counts.wanted["introduced"] += sum(a and b for a, b in zip(example.core, example.introduced, strict=True))


def _count_relations(counts: Counts, found: Found, example: Example, pairs: dict[int, int]) -> None:
    for right in judge_relations(found, example, pairs):
        counts.add("relations", right=right)
    counts.wanted["relations"] += sum(stated_relations(example).values())
