"""Which normal forms of a corpus are variants of one another.

Rules that rewrite a form into another one that exists in the corpus (joined words, head nouns) are equivalences and
may chain. Likeness is none: likely pairs form a group only where every pair of it agrees.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from kg.naming import compact
from kg.schema import family

JOINED: Final = "joined or split words"
HEAD_NOUN: Final = "head noun"

_SHORTEST_JOINED: Final = 5
_DATA_HEADS: Final = frozenset(
    {"dataset", "benchmark", "corpus", "suite", "challenge", "database", "collection"}
)
_METHOD_HEADS: Final = frozenset(
    {
        "algorithm",
        "method",
        "technique",
        "approach",
        "framework",
        "model",
        "architecture",
        "strategy",
        "optimizer",
        "mechanism",
    }
)
_METRIC_HEADS: Final = frozenset({"score", "metric", "measure"})
_TASK_HEADS: Final = frozenset({"task", "problem"})


@dataclass(slots=True)
class FormStats:
    """How a normal form is used in a corpus: in how many papers, under which types, written how."""

    papers: int = 0
    types: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)

    @property
    def family(self) -> str:
        """The family of most papers; ties go to the first in the alphabet."""
        families: Counter[str] = Counter()
        for kind, count in self.types.items():
            families[family(kind)] += count
        return min(families, key=lambda name: (-families[name], name), default="")


@dataclass(frozen=True, slots=True)
class Merge:
    """Two normal forms that are taken for one, by which rule, with a score of 0..1."""

    first: str
    second: str
    rule: str
    score: float


def find_variants(stats: Mapping[str, FormStats]) -> tuple[dict[str, str], tuple[Merge, ...]]:
    """Return the representative of each form that has variants, and the merges behind it, sorted."""
    merges = sorted(
        {*_joined(stats), *_head_nouns(stats)}, key=lambda merge: (merge.first, merge.second, merge.rule)
    )
    return _representatives(merges, stats), tuple(merges)


def _joined(stats: Mapping[str, FormStats]) -> Iterable[Merge]:
    groups: dict[str, list[str]] = defaultdict(list)
    for form in stats:
        groups[compact(form)].append(form)
    for joined, forms in groups.items():
        if len(forms) > 1 and len(joined) >= _SHORTEST_JOINED:
            first, *rest = sorted(forms)
            for other in rest:
                yield Merge(first, other, JOINED, 0.95)


def _head_nouns(stats: Mapping[str, FormStats]) -> Iterable[Merge]:
    for form, own in stats.items():
        head, _, noun = form.rpartition(" ")
        if head and head in stats and _is_empty_head(noun, head, own.family, stats[head]):
            yield Merge(head, form, HEAD_NOUN, 0.9)


def _is_empty_head(noun: str, head: str, kind: str, other: FormStats) -> bool:
    if other.family != kind:
        return False
    if kind == "Data":
        return noun in _DATA_HEADS
    if kind == "Metric":
        return noun in _METRIC_HEADS
    if kind == "Task":
        return noun in _TASK_HEADS and " " in head
    return kind == "Method" and noun in _METHOD_HEADS and " " in head


def _representatives(merges: Iterable[Merge], stats: Mapping[str, FormStats]) -> dict[str, str]:
    parent: dict[str, str] = {}

    def root(form: str) -> str:
        while parent.get(form, form) != form:
            form = parent[form]
        return form

    for merge in merges:
        ends = sorted((root(merge.first), root(merge.second)), key=lambda form: (-stats[form].papers, form))
        parent[ends[1]] = ends[0]
        parent.setdefault(ends[0], ends[0])
    return {form: root(form) for form in parent}
