"""Linking: which claims of different papers speak of one thing.

Conservative, and a pure function of the set of papers: their order does not matter. Each claim gets a decision,
the node it belongs to and the rule that says so:

1. the paper's own definition ties an acronym to its long form;
2. elsewhere an acronym follows its long form where one reading dominates (see `kg.acronyms.reading`);
3. otherwise the normal form of the name decides;
4. variants of a normal form that exist in the corpus are joined (see `kg.variants`), at last those that mean the
   same by their vectors (see `kg.similarity`);
5. what different papers introduce under one name, or define differently, stays apart (see `kg.senses`);
6. overrides made by hand go before all of these (see `kg.overrides`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kg.acronyms import Expansions, shipped_table
from kg.anchors import Anchored, anchor_claims, corpus_readings
from kg.facts import PaperFacts
from kg.overrides import OVERRIDE, Overrides
from kg.schema import family
from kg.senses import Member, Sense, split_senses
from kg.similarity import Similarity
from kg.variants import FormStats, Merge, find_variants

_PREFIX: Final = {"Method": "method", "Task": "task", "Data": "data", "Metric": "metric"}


@dataclass(frozen=True, slots=True)
class Entity:
    """One node: a thing that papers name.

    ``aliases`` are its other surfaces, sorted. ``papers`` counts those that mention it, ``introduced_in`` lists
    those that present it as their own. ``sense`` tells it from others of its name, "" where there are none.
    """

    id: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    papers: int = 0
    introduced_in: tuple[str, ...] = ()
    sense: str = ""


@dataclass(frozen=True, slots=True)
class Linking:
    """The entities of a corpus in the order of their ids, and a decision for each claim.

    ``nodes[i][j]`` is the index of the entity that claim j of paper i belongs to, ``rules[i][j]`` the rule and
    ``scores[i][j]`` how sure it is, 0..1. ``forms`` holds the entities that each normal form stands for.
    """

    entities: tuple[Entity, ...]
    nodes: tuple[tuple[int, ...], ...]
    rules: tuple[tuple[str, ...], ...]
    scores: tuple[tuple[float, ...], ...]
    forms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def link(
    papers: Sequence[PaperFacts], overrides: Overrides | None = None, similarity: Similarity | None = None
) -> Linking:
    """Return the entities that papers speak of; ``papers`` must be sorted by id.

    Forms are compared only within groups, so the work grows with the number of claims.
    """
    overrides = overrides or Overrides()
    anchored = anchor_claims(papers, overrides)
    readings = Expansions(corpus_readings(papers), shipped_table())
    roots, merges = find_variants(_stats(papers, anchored), readings, overrides, similarity)
    decided = _with_variants(anchored, merges)
    groups: dict[str, list[Member]] = defaultdict(list)
    for item in anchored:
        facts = papers[item.paper]
        member = Member(facts.paper.id, item.paper, item.claim, facts.claims[item.claim], item.form)
        groups[roots.get(item.form, item.form)].append(member)
    senses = [
        corrected(sense, overrides)
        for form in sorted(groups)
        for sense in split_senses(form, groups[form], whole=form in overrides.whole)
    ]
    return _linking(papers, senses, decided)


def _stats(papers: Sequence[PaperFacts], anchored: Iterable[Anchored]) -> dict[str, FormStats]:
    stats: dict[str, FormStats] = {}
    for item in anchored:
        claim = papers[item.paper].claims[item.claim]
        name = claim.name if claim.key == item.form else claim.long or item.form
        if item.form not in stats:
            stats[item.form] = FormStats()
        stats[item.form].add(claim.type, name, introduced=claim.introduced)
    return stats


def _with_variants(anchored: Sequence[Anchored], merges: Iterable[Merge]) -> list[Anchored]:
    """Return the anchors with the rule that joined their form to another, where that is the less sure one."""
    joined = {merge.second: merge for merge in merges}
    return [
        replace(item, rule=joined[item.form].rule, score=min(item.score, joined[item.form].score))
        if item.form in joined and item.rule != OVERRIDE
        else item
        for item in anchored
    ]


def corrected(sense: Sense, overrides: Overrides) -> Sense:
    """Return a sense with the type and name that overrides give to one of its forms."""
    if not overrides.digest:
        return sense
    forms = sorted({sense.form, *(form for member in sense.members for form in (member.anchor, member.claim.key))})
    kind = next((overrides.types[form] for form in forms if form in overrides.types), sense.type)
    name = next((overrides.rename[form] for form in forms if form in overrides.rename), sense.name)
    return replace(sense, type=kind, name=name)


def _linking(papers: Sequence[PaperFacts], senses: Sequence[Sense], decided: Sequence[Anchored]) -> Linking:
    ids = sense_ids(senses)
    nodes = [[-1] * len(facts.claims) for facts in papers]
    forms: dict[str, set[int]] = defaultdict(set)
    entities = []
    for place, index in enumerate(sorted(range(len(senses)), key=lambda index: ids[index])):
        entities.append(make_entity(ids[index], senses[index]))
        for member in senses[index].members:
            nodes[member.number][member.index] = place
            forms[member.anchor].add(place)
            forms[member.claim.key].add(place)
    rules: list[list[str]] = [[] for _ in papers]
    scores: list[list[float]] = [[] for _ in papers]
    for item in decided:
        rules[item.paper].append(item.rule)
        scores[item.paper].append(item.score)
    return Linking(
        tuple(entities),
        tuple(map(tuple, nodes)),
        tuple(map(tuple, rules)),
        tuple(map(tuple, scores)),
        {form: tuple(sorted(places)) for form, places in forms.items()},
    )


def sense_ids(senses: Sequence[Sense]) -> list[str]:
    """Return an id for each sense: the sense is part of it only where a name has several."""
    plain = [plain_id(sense) for sense in senses]
    several = Counter(plain)
    return [
        f"{name}#{sense.label}" if several[name] > 1 and sense.label else name
        for name, sense in zip(plain, senses, strict=True)
    ]


def plain_id(sense: Sense) -> str:
    """Return the id of a sense whose form has no other."""
    return f"{_PREFIX[family(sense.type)]}:{sense.form}"


def make_entity(node: str, sense: Sense) -> Entity:
    """Return the node of a sense."""
    surfaces = {surface for member in sense.members for surface in member.claim.surfaces}
    return Entity(
        id=node,
        name=sense.name,
        type=sense.type,
        aliases=tuple(sorted(surfaces - {sense.name})),
        papers=len({member.paper for member in sense.members}),
        introduced_in=tuple(sorted({member.paper for member in sense.members if member.claim.introduced})),
        sense=sense.label if "#" in node else "",
    )
