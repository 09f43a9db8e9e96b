"""What went wrong with the entities and relations of a paper, sorted into kinds that ask for different remedies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kg.agreement import Named, Pages, Triple, gold_names, gold_relations, relation_key
from kg.schema import family

KINDS = (
    "missed",
    "spurious",
    "wrong boundary",
    "wrong type",
    "merged with another",
    "split in two",
    "introduced, not flagged",
    "flagged, not introduced",
    "relation missed",
    "relation missed, for an end is",
    "relation of wrong type",
    "relation turned round",
    "relation spurious",
    "relation spurious, as an end is",
)
"""All kinds, in the order in which a table shows them."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing gone wrong: its kind (one of KINDS), its type, and what is annotated and what was found, or ""."""

    paper_id: str
    kind: str
    type: str
    gold: str = ""
    predicted: str = ""


def mistakes_of(page: Pages) -> list[Mistake]:
    """Return the mistakes of one paper; what is optional is none."""
    return [*_entities(page), *_flags(page), *_relations(page)]


def _entities(page: Pages) -> Iterator[Mistake]:
    """Yield each missed or spurious entity once, under the first kind that explains it."""
    taken = {i: j for j, i in page.by_family.items()}
    missed = {i: e for i, e in enumerate(page.gold.entities) if e.core and i not in taken}
    spurious = {j: e for j, e in enumerate(page.predicted.entities) if j not in page.by_family}
    paired = [page.predicted.entities[j] for j in page.by_family]
    for i, theirs in [*missed.items()]:
        if holder := next((e for e in paired if _shares_name(theirs, e)), None):
            del missed[i]
            yield Mistake(page.gold.id, "merged with another", theirs.type, theirs.name, holder.name)
    for j, mine in [*spurious.items()]:
        if whole := next((page.gold.entities[i] for i in taken if _shares_name(page.gold.entities[i], mine)), None):
            del spurious[j]
            yield Mistake(page.gold.id, "split in two", whole.type, whole.name, mine.name)
    for kind, pairs in (("wrong type", page.by_name), ("wrong boundary", page.relaxed)):
        for j, i in pairs.items():
            if i in missed and j in spurious:
                theirs, mine = missed.pop(i), spurious.pop(j)
                yield Mistake(page.gold.id, kind, theirs.type, theirs.name, mine.name)
    yield from (Mistake(page.gold.id, "missed", e.type, gold=e.name) for e in missed.values())
    yield from (Mistake(page.gold.id, "spurious", e.type, predicted=e.name) for e in spurious.values())


def _shares_name(gold: Named, predicted: Named) -> bool:
    return family(gold.type) == family(predicted.type) and not gold.forms.isdisjoint(predicted.forms)


def _flags(page: Pages) -> Iterator[Mistake]:
    for j, i in page.by_family.items():
        mine, theirs = page.predicted.entities[j], page.gold.entities[i]
        if theirs.core and mine.introduced != theirs.introduced:
            kind = "introduced, not flagged" if theirs.introduced else "flagged, not introduced"
            yield Mistake(page.gold.id, kind, theirs.type, theirs.name, mine.name)


def _relations(page: Pages) -> Iterator[Mistake]:
    names = gold_names(page, page.by_family)
    gold = gold_relations(page)
    wrong: dict[Triple, None] = {}
    right: set[Triple] = set()
    for head, relation, tail in page.predicted.relations:
        if head not in names or tail not in names:
            shown = f"{head} {relation} {tail}"
            yield Mistake(page.gold.id, "relation spurious, as an end is", relation, predicted=shown)
        elif (key := relation_key(names[head], relation, names[tail])) in gold:
            right.add(key)
        else:
            wrong[key] = None
    for key in (key for key, core in gold.items() if core and key not in right):
        kind, instead = _explain(key, wrong, {*names.values()})
        if instead:
            del wrong[instead]
        yield Mistake(page.gold.id, kind, key[0], _shown(key), _shown(instead) if instead else "")
    yield from (Mistake(page.gold.id, "relation spurious", key[0], predicted=_shown(key)) for key in wrong)


def _explain(key: Triple, wrong: dict[Triple, None], found: set[str]) -> tuple[str, Triple | None]:
    """Return why a relation is missed, and the wrong one that was found in its place."""
    relation, head, tail = key
    if head not in found or tail not in found:
        return "relation missed, for an end is", None
    if (turned := (relation, tail, head)) in wrong:
        return "relation turned round", turned
    other = next((k for k in wrong if {*k[1:]} == {head, tail}), None)
    return ("relation of wrong type", other) if other else ("relation missed", None)


def _shown(key: Triple) -> str:
    relation, head, tail = key
    return f"{head} {relation} {tail}"
