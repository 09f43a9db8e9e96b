"""Annotated and predicted facts of one paper, and which entity of the one is which of the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from kg.errors import InputError
from kg.schema import COMPARED_WITH, family

Record = Mapping[str, Any]
Pairs = Mapping[int, int]
Triple = tuple[str, str, str]

RELAXED_OVERLAP = 2 / 3


@dataclass(frozen=True, slots=True)
class Named:
    """An entity of one paper; ``forms`` are its name and surfaces, normalised. Predictions are all core."""

    name: str
    type: str
    forms: frozenset[str]
    introduced: bool
    core: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What one paper says, as annotated or as predicted; ``system`` names its main contribution, or is ""."""

    id: str
    entities: tuple[Named, ...]
    relations: tuple[Triple, ...]
    results: tuple[Record, ...]
    urls: frozenset[str]
    system: str


@dataclass(frozen=True, slots=True)
class Pages:
    """One paper twice, annotated and predicted, and its entities paired up (index predicted: index gold)."""

    gold: Facts
    predicted: Facts
    by_family: Pairs
    by_type: Pairs
    by_name: Pairs
    relaxed: Pairs


_COMMAND = re.compile(r"\\(?:textbf|textit|emph|texttt|textsc|text|mathrm|mathbf)\s*\{([^{}]*)\}")
_ONE_HYPHEN = str.maketrans("‐‑–—’", "----'")


def normalise(name: str) -> str:
    """Fold what does not tell two names apart: case, hyphens, quotes, marks, an article, a plural s.

    >>> normalise("the Vision-Language Models")
    'vision language model'
    """
    text = _COMMAND.sub(r"\1", name).translate(_ONE_HYPHEN).casefold()
    text = re.sub(r"[$*`{}\\\"“”]", "", text)
    text = re.sub(r"[-_/\s]+", " ", text).strip(" .,;:()'")
    text = re.sub(r"^(?:the|a|an|our) ", "", text)
    last = text.rpartition(" ")[2]
    plural = len(last) > 3 and last.endswith("s") and not last.endswith("ss")
    return text[:-1] if plural else text


_SMALL_WORDS = frozenset(("the", "a", "an", "of", "for", "in", "on", "and", "to", "with"))


def overlap(names: Iterable[str], others: Iterable[str]) -> float:
    """Return the best Dice coefficient (0..1) of the words of two normalised names, small words aside."""
    left = [words for name in names if (words := set(name.split()) - _SMALL_WORDS)]
    right = [words for name in others if (words := set(name.split()) - _SMALL_WORDS)]
    return max((2 * len(p & q) / (len(p) + len(q)) for p in left for q in right), default=0.0)


def gold_facts(record: Record) -> Facts:
    """Read an annotated paper, whose relations are triples."""
    return _facts(record, _triple, what="gold")


def predicted_facts(record: Record) -> Facts:
    """Read a predicted paper, whose relations are objects."""
    return _facts(record, itemgetter("head", "type", "tail"), what="predicted")


def _triple(relation: Sequence[str]) -> Triple:
    head, name, tail = relation
    return head, name, tail


def _facts(record: Record, triple: Callable[[Any], Triple], *, what: str) -> Facts:
    try:
        return Facts(
            id=record["id"],
            entities=tuple(map(_named, record.get("entities") or ())),
            relations=tuple(map(triple, record.get("relations") or ())),
            results=tuple(r for r in record.get("results") or () if value_key(r["value"])),
            urls=frozenset(map(_url_key, record.get("urls") or ())),
            system=record.get("system") or "",
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        identity = record.get("id", "without id") if isinstance(record, Mapping) else record
        raise InputError(f"{what} record {identity!r} is not of the expected form: {error!r}") from error


def _named(entity: Record) -> Named:
    surfaces = entity.get("surface") or entity.get("surfaces") or ()
    forms = frozenset(form for form in map(normalise, (*surfaces, entity["name"])) if form)
    core = entity.get("level", "core") == "core"
    return Named(entity["name"], entity["type"], forms, bool(entity.get("introduced")), core)


def value_key(value: object) -> str:
    """Return a value without its words and signs: "2.3 times" is "2.3x"; "" when it has no number."""
    text = str(value).casefold().replace("×", "x").replace("times", "x")
    return re.sub(r"[^0-9.x%]", "", text)


def _url_key(url: str) -> str:
    return re.sub(r"^https?://", "", url).rstrip("/.").casefold()


def pair(gold: Facts, predicted: Facts | None) -> Pages:
    """Pair up the entities of one paper; without a prediction all are missed."""
    found = predicted or Facts(gold.id, (), (), (), frozenset(), "")
    by_family = _align(gold, found, kind=family)
    return Pages(
        gold,
        found,
        by_family=by_family,
        by_type=_align(gold, found, kind=str),
        by_name=_align(gold, found, kind=lambda _: ""),
        relaxed=_align(gold, found, kind=family, start=by_family, match=_alike),
    )


def _equal(gold: Named, predicted: Named) -> bool:
    return not gold.forms.isdisjoint(predicted.forms)


def _alike(gold: Named, predicted: Named) -> bool:
    return overlap(gold.forms, predicted.forms) >= RELAXED_OVERLAP


def _align(
    gold: Facts,
    predicted: Facts,
    *,
    kind: Callable[[str], str],
    start: Pairs | None = None,
    match: Callable[[Named, Named], bool] = _equal,
) -> dict[int, int]:
    """Pair predictions with annotations one to one, core ones first; the pairs of ``start`` stay."""
    pairs = dict(start or {})
    taken = set(pairs.values())
    for core in (True, False):
        for j, mine in enumerate(predicted.entities):
            if j in pairs:
                continue
            for i, theirs in enumerate(gold.entities):
                same_kind = theirs.core == core and kind(theirs.type) == kind(mine.type)
                if i not in taken and same_kind and match(theirs, mine):
                    pairs[j] = i
                    taken.add(i)
                    break
    return pairs


def gold_names(page: Pages, pairs: Pairs) -> dict[str, str]:
    """Return what each predicted entity that is paired is called in the annotation."""
    return {page.predicted.entities[j].name: page.gold.entities[i].name for j, i in sorted(pairs.items())}


def relation_key(head: str, relation: str, tail: str) -> Triple:
    """Return a relation as (type, head, tail), COMPARED_WITH in one direction."""
    if relation == COMPARED_WITH:
        head, tail = sorted((head, tail))
    return relation, head, tail


def gold_relations(page: Pages) -> dict[Triple, bool]:
    """Return the annotated relations by key, and whether both ends are core."""
    core = {entity.name: entity.core for entity in page.gold.entities}
    return {
        relation_key(head, relation, tail): core.get(head, False) and core.get(tail, False)
        for head, relation, tail in page.gold.relations
    }
