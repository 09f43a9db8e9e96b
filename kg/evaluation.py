"""Scores of extracted facts against annotated ones, paper by paper.

An entity matches when one of its forms equals one of the annotated forms, both normalised, and the type
agrees; Dataset and Benchmark are one family except under "five types". Annotated entities that are optional
are never counted, neither found nor missed. A relation matches when its type and both ends do, COMPARED_WITH
in either direction; it is optional unless both its ends are core. A result is scored by its value alone, and
"tied": value, method, metric and `on`.

Every score is a sum of counts per paper, so that a bootstrap can resample papers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kg.agreement import (
    Named,
    Pages,
    Pairs,
    Record,
    gold_facts,
    gold_names,
    gold_relations,
    normalise,
    overlap,
    pair,
    predicted_facts,
    relation_key,
    value_key,
)
from kg.mistakes import Mistake, mistakes_of
from kg.schema import (
    BENCHMARK,
    BENCHMARK_FOR,
    DATASET,
    EVALUATED_ON,
    METHOD,
    METRIC,
    TASK,
    USED_FOR,
    family,
)

TIED_OVERLAP = 1 / 2


@dataclass(frozen=True, slots=True)
class Counts:
    """What one score is made of. ``right`` of ``predicted`` are right; ``found`` of ``gold`` are found."""

    right: int = 0
    predicted: int = 0
    found: int = 0
    gold: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.right + other.right,
            self.predicted + other.predicted,
            self.found + other.found,
            self.gold + other.gold,
        )

    @property
    def precision(self) -> float:
        """Per cent of the predictions that are right, 0 when there are none."""
        return 100 * self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Per cent of the annotated facts that are found, 0 when there are none."""
        return 100 * self.found / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in per cent."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class SystemRow:
    """Whether a paper's main contribution was found, flagged as introduced and tied to what it is for."""

    paper_id: str
    name: str
    found: bool
    introduced: bool
    tied: bool

    @property
    def works(self) -> bool:
        """Say whether all three hold."""
        return self.found and self.introduced and self.tied


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores: ``papers[name]`` holds the counts of each paper, in the order of the annotated papers."""

    papers: Mapping[str, tuple[Counts, ...]]
    systems: tuple[SystemRow, ...]
    mistakes: tuple[Mistake, ...]

    def total(self, name: str) -> Counts:
        """Return the counts of one score over all papers."""
        return sum(self.papers[name], Counts())


Measure = Callable[[Pages], Counts]


def score(gold: Iterable[Record], predicted: Iterable[Record]) -> Scores:
    """Score predictions against annotations; papers without a prediction count as empty ones.

    Args:
        gold: annotated papers, with ``level`` and ``surface`` at their entities.
        predicted: papers as `kg extract` writes them. The last one of an id counts.

    Raises:
        InputError: a record has no id, or an entity no name or type.
    """
    by_id = {facts.id: facts for facts in map(predicted_facts, predicted)}
    pages = [pair(facts, by_id.get(facts.id)) for facts in map(gold_facts, gold)]
    measures = _measures(sorted({relation for page in pages for _, relation, _ in page.gold.relations}))
    return Scores(
        papers={name: tuple(map(measure, pages)) for name, measure in measures.items()},
        systems=tuple(_system_row(page) for page in pages if page.gold.system),
        mistakes=tuple(mistake for page in pages for mistake in mistakes_of(page)),
    )


def interval(papers: Sequence[Counts], *, samples: int = 1000, seed: int = 0) -> tuple[float, float]:
    """Return the 95 % interval of F1 (per cent) when the papers are drawn anew, with replacement.

    References:
        Efron, B. (1979). Bootstrap methods: another look at the jackknife. Annals of Statistics 7(1).
    """
    if not papers:
        return 0.0, 0.0
    counts = np.array([(c.right, c.predicted, c.found, c.gold) for c in papers])
    draw = np.random.default_rng(seed)
    sums = (counts[draw.integers(len(papers), size=len(papers))].sum(0).tolist() for _ in range(samples))
    values = sorted(Counts(*row).f1 for row in sums)
    return values[int(0.025 * samples)], values[min(int(0.975 * samples), samples - 1)]


def _measures(relation_types: Iterable[str]) -> dict[str, Measure]:
    """Return every score by its name, in the order in which a table shows them."""
    return {
        "entities": lambda page: _entities(page, page.by_family),
        "entities, five types": lambda page: _entities(page, page.by_type),
        "entities, any type": lambda page: _entities(page, page.by_name),
        "entities, relaxed": lambda page: _entities(page, page.relaxed),
        **{name: _of_family(name) for name in (METHOD, TASK, family(DATASET), METRIC)},
        **{name: _of_type(name) for name in (DATASET, BENCHMARK)},
        "introduced": _introduced,
        "relations": lambda page: _relations(page, page.by_family),
        "relations, relaxed ends": lambda page: _relations(page, page.relaxed),
        **{name: _of_relation(name) for name in relation_types},
        "results (values)": _result_values,
        "results (tied)": _tied_results,
        "urls": _urls,
    }


def _of_family(name: str) -> Measure:
    return lambda page: _entities(page, page.by_family, wanted=lambda entity: family(entity.type) == name)


def _of_type(name: str) -> Measure:
    return lambda page: _entities(page, page.by_type, wanted=lambda entity: entity.type == name)


def _of_relation(name: str) -> Measure:
    return lambda page: _relations(page, page.by_family, only=name)


def _entities(page: Pages, pairs: Pairs, *, wanted: Callable[[Named], bool] = lambda _: True) -> Counts:
    gold, taken = page.gold.entities, set(pairs.values())
    matched = [gold[pairs[j]] if j in pairs else None for j, e in enumerate(page.predicted.entities) if wanted(e)]
    core = [i for i, entity in enumerate(gold) if entity.core and wanted(entity)]
    return Counts(
        right=sum(entity is not None and entity.core for entity in matched),
        predicted=sum(entity is None or entity.core for entity in matched),
        found=sum(i in taken for i in core),
        gold=len(core),
    )


def _introduced(page: Pages) -> Counts:
    gold, pairs = page.gold.entities, page.by_family
    flagged = [j for j, entity in enumerate(page.predicted.entities) if entity.introduced]
    agreed = [j for j in flagged if j in pairs and gold[pairs[j]].introduced]
    right = sum(gold[pairs[j]].core for j in agreed)
    core = [i for i, entity in enumerate(gold) if entity.introduced and entity.core]
    reached = {pairs[j] for j in flagged if j in pairs}
    return Counts(right, right + len(flagged) - len(agreed), sum(i in reached for i in core), len(core))


def _relations(page: Pages, pairs: Pairs, *, only: str = "") -> Counts:
    gold = {key: core for key, core in gold_relations(page).items() if not only or key[0] == only}
    names = gold_names(page, pairs)
    keys = [
        relation_key(names[head], relation, names[tail]) if head in names and tail in names else None
        for head, relation, tail in page.predicted.relations
        if not only or relation == only
    ]
    right = sum(gold[key] for key in {key for key in keys if key in gold and key is not None})
    wrong = sum(key is None or key not in gold for key in keys)
    return Counts(right, right + wrong, right, sum(gold.values()))


def _result_values(page: Pages) -> Counts:
    gold = Counter(value_key(result["value"]) for result in page.gold.results)
    mine = Counter(value_key(result["value"]) for result in page.predicted.results)
    both = (gold & mine).total()
    return Counts(both, mine.total(), both, gold.total())


def _tied_results(page: Pages) -> Counts:
    left = list(page.gold.results)
    for mine in page.predicted.results:
        hit = next((i for i, theirs in enumerate(left) if _tied(theirs, mine, page.gold.entities)), None)
        if hit is not None:
            del left[hit]
    hits = len(page.gold.results) - len(left)
    return Counts(hits, len(page.predicted.results), hits, len(page.gold.results))


def _tied(gold: Record, mine: Record, entities: Sequence[Named]) -> bool:
    if value_key(gold["value"]) != value_key(mine["value"]):
        return False
    return all(_same_name(gold.get(part), mine.get(part), entities) for part in ("method", "metric", "on"))


def _same_name(name: str | None, other: str | None, entities: Sequence[Named]) -> bool:
    """Say whether two names are equal, forms of one annotated entity, or share half of their words."""
    if not name or not other:
        return not name and not other
    x, y = normalise(str(name)), normalise(str(other))
    of_one_entity = any(x in entity.forms and y in entity.forms for entity in entities)
    return x == y or of_one_entity or overlap((x,), (y,)) >= TIED_OVERLAP


def _urls(page: Pages) -> Counts:
    both = len(page.gold.urls & page.predicted.urls)
    return Counts(both, len(page.predicted.urls), both, len(page.gold.urls))


_PURPOSES = (USED_FOR, EVALUATED_ON, BENCHMARK_FOR)


def _system_row(page: Pages) -> SystemRow:
    name = page.gold.system
    target = next((i for i, entity in enumerate(page.gold.entities) if entity.name == name), None)
    hit = next((page.predicted.entities[j] for j, i in page.by_family.items() if i == target), None)
    names = gold_names(page, page.by_family)
    wanted = {(kind, tail) for head, kind, tail in page.gold.relations if head == name and kind in _PURPOSES}
    ours = [(kind, tail) for head, kind, tail in page.predicted.relations if names.get(head) == name]
    tied = not wanted or any((kind, names.get(tail)) in wanted for kind, tail in ours)
    return SystemRow(page.gold.id, name, hit is not None, hit is not None and hit.introduced, tied)
