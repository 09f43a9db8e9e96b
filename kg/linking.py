"""Linking: which claims of different papers speak of one thing.

Conservative, and a pure function of the set of papers: their order does not matter. Each claim gets a decision,
the node it belongs to and the rule that says so:

1. the paper's own definition ties an acronym to its long form;
2. elsewhere an acronym follows its long form where one reading dominates (see `kg.acronyms.reading`);
3. otherwise the normal form of the name decides;
4. variants of a normal form that exist in the corpus are joined (see `kg.variants`);
5. what different papers introduce under one name, or define differently, stays apart (see `kg.senses`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kg.acronyms import Readings, expansions, reading, readings, shipped_table
from kg.facts import Claim, PaperFacts
from kg.schema import family
from kg.senses import Member, Sense, split_senses
from kg.variants import FormStats, Merge, find_variants

BY_NAME: Final = "normal form"
BY_DEFINITION: Final = "own definition"
BY_CORPUS: Final = "acronym (corpus)"
BY_TABLE: Final = "acronym (table)"

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

    ``nodes[i][j]`` is the index of the entity that claim j of paper i belongs to, ``rules[i][j]`` the rule.
    """

    entities: tuple[Entity, ...]
    nodes: tuple[tuple[int, ...], ...]
    rules: tuple[tuple[str, ...], ...]
    merges: tuple[Merge, ...] = ()


@dataclass(frozen=True, slots=True)
class _Anchored:
    paper: int
    claim: int
    anchor: str
    rule: str


def link(papers: Sequence[PaperFacts]) -> Linking:
    """Return the entities that papers speak of; ``papers`` must be sorted by id.

    Forms are compared only within groups, so the work grows with the number of claims.
    """
    anchored = _anchor(papers)
    stats = _stats(papers, anchored)
    representatives, merges = find_variants(stats, expansions(corpus_readings(papers), shipped_table()))
    groups: dict[str, list[Member]] = defaultdict(list)
    for item in anchored:
        anchor = representatives.get(item.anchor, item.anchor)
        claim = papers[item.paper].claims[item.claim]
        groups[anchor].append(Member(papers[item.paper].paper.id, item.paper, item.claim, claim, item.anchor))
    senses = [sense for anchor in sorted(groups) for sense in split_senses(anchor, groups[anchor])]
    return _linking(papers, senses, {(item.paper, item.claim): item.rule for item in anchored}, merges)


def corpus_readings(papers: Sequence[PaperFacts]) -> dict[str, Readings]:
    """Return how many papers of a corpus give each long form for each acronym."""
    rows: Counter[tuple[str, str]] = Counter()
    for facts in papers:
        own = {(claim.short, claim.long_key) for claim in facts.claims if claim.short and claim.long_key}
        rows.update(own.union(facts.acronyms))
    return readings((short, long, count) for (short, long), count in rows.items())


def _anchor(papers: Sequence[PaperFacts]) -> list[_Anchored]:
    """Give each claim the normal form that it stands for: of the long form where that is known."""
    corpus, table = corpus_readings(papers), shipped_table()
    known, users = _families(papers), _users(papers)
    found: dict[str, tuple[str, str]] = {}
    anchored = []
    for number, facts in enumerate(papers):
        for index, claim in enumerate(facts.claims):
            anchor, rule = claim.key, BY_NAME
            if claim.long_key:
                anchor, rule = claim.long_key, BY_NAME if claim.key == claim.long_key else BY_DEFINITION
            elif claim.short and not claim.introduced:
                if claim.short not in found:
                    found[claim.short] = reading(claim.short, corpus, table, users=users[claim.short])
                long, who = found[claim.short]
                if long and _fits(claim, known.get(long)):
                    anchor, rule = long, BY_CORPUS if who == "corpus" else BY_TABLE
            anchored.append(_Anchored(number, index, anchor, rule))
    return anchored


def _families(papers: Sequence[PaperFacts]) -> dict[str, Counter[str]]:
    known: dict[str, Counter[str]] = defaultdict(Counter)
    for facts in papers:
        for claim in facts.claims:
            known[claim.long_key or claim.key][family(claim.type)] += 1
    return known


def _users(papers: Sequence[PaperFacts]) -> Counter[str]:
    return Counter(
        claim.short for facts in papers for claim in facts.claims if claim.short and not claim.long_key
    )


def _fits(claim: Claim, families: Counter[str] | None) -> bool:
    """Say whether an acronym of a type can stand for a long form that is used under these families."""
    if not families:
        return True
    kind = family(claim.type)
    return kind in families or (kind in ("Method", "Task") and bool({"Method", "Task"} & families.keys()))


def _stats(papers: Sequence[PaperFacts], anchored: Sequence[_Anchored]) -> dict[str, FormStats]:
    stats: dict[str, FormStats] = {}
    for item in anchored:
        claim = papers[item.paper].claims[item.claim]
        form = stats.setdefault(item.anchor, FormStats())
        form.papers += 1
        form.introduced += claim.introduced
        form.types[claim.type] += 1
        form.names[claim.name if claim.key == item.anchor else claim.long or item.anchor] += 1
    return stats


def _linking(
    papers: Sequence[PaperFacts],
    senses: Sequence[Sense],
    rules: Mapping[tuple[int, int], str],
    merges: tuple[Merge, ...],
) -> Linking:
    named = _ids(senses)
    order = sorted(range(len(senses)), key=lambda index: named[index])
    nodes = [[-1] * len(facts.claims) for facts in papers]
    entities = []
    for place, index in enumerate(order):
        sense = senses[index]
        entities.append(_entity(named[index], sense))
        for member in sense.members:
            nodes[member.number][member.index] = place
    return Linking(
        tuple(entities),
        tuple(map(tuple, nodes)),
        tuple(tuple(rules[i, j] for j in range(len(facts.claims))) for i, facts in enumerate(papers)),
        merges,
    )


def _ids(senses: Sequence[Sense]) -> list[str]:
    """Return an id for each sense: the sense is part of it only where a name has several."""
    plain = [f"{_PREFIX[family(sense.type)]}:{sense.form}" for sense in senses]
    several = Counter(plain)
    return [
        f"{name}#{sense.label}" if several[name] > 1 and sense.label else name
        for name, sense in zip(plain, senses, strict=True)
    ]


def _entity(node: str, sense: Sense) -> Entity:
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
