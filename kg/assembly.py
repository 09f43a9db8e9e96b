"""From claims and decisions to the nodes and edges of the graph, each in one fixed order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kg import hierarchy, schema
from kg.contribution import paper_name
from kg.elements import Assembly, Edge, Evidence, Node, Value, rounded
from kg.facts import PAPER_END, PaperFacts, Place, Statement
from kg.linking import Entity, Linking
from kg.naming import normal_form
from kg.retyping import retype
from kg.types import Dropped, Paper, Span

#: The reason why a kind-of edge is left out.
CLOSES_CIRCLE: Final = "a thing would be a kind of itself"
_NOWHERE: Final = Span(-1, -1)


@dataclass(frozen=True, slots=True)
class Other:
    """A node beside the entities as one paper names it: ``name`` is how it is written, of a Link the kind."""

    paper: str
    node: str
    label: str
    name: str


@dataclass(slots=True)
class Draft:
    """The edges of papers while they are gathered, the nodes beside entities, and what was left out."""

    edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    others: list[Other] = field(default_factory=list)

    def add(
        self, source: str, target: str, edge_type: str, evidence: Evidence, *, key: str = "", **extra: Value
    ) -> None:
        """Add one piece of evidence for an edge; ``extra`` is what the first piece says of it."""
        name = (source, target, key or edge_type)
        if name not in self.edges:
            self.edges[name] = Edge(*name, edge_type, extra=dict(extra))
        self.edges[name].evidence.append(evidence)


def assemble(
    papers: Sequence[PaperFacts], linking: Linking, *, authors: bool = False, venues: bool = False
) -> Assembly:
    """Return the nodes and edges for papers, which must be sorted by id."""
    draft = Draft()
    parents = {found.child: found for found in hierarchy.find_parents(linking.entities, linking.forms)}
    for number, facts in enumerate(papers):
        entities = [linking.entities[node] for node in linking.nodes[number]]
        add_paper(draft, facts, entities, authors=authors, venues=venues)
        add_kinds(draft, facts, entities, parents)
    for edge in draft.edges.values():
        edge.settle()
    _break_circles(draft)
    nodes = [*map(paper_record, papers), *map(entity_record, linking.entities), *other_records(draft.others)]
    return Assembly(
        tuple(sorted(nodes, key=lambda node: node.id)),
        tuple(draft.edges[name] for name in sorted(draft.edges)),
        tuple(draft.dropped),
    )


def add_paper(
    draft: Draft, facts: PaperFacts, entities: Sequence[Entity], *, authors: bool = False, venues: bool = False
) -> None:
    """Add what a paper states, given the entity of each of its claims."""
    _add_mentions(draft, facts, entities)
    for statement in facts.statements:
        _add_statement(draft, facts, entities, statement)
    if authors:
        _add_people(draft, facts.paper, schema.AUTHOR, facts.paper.authors)
    if venues and facts.paper.venue:
        _add_people(draft, facts.paper, schema.VENUE, (facts.paper.venue,))
    draft.dropped.extend(facts.dropped)


def add_kinds(
    draft: Draft, facts: PaperFacts, entities: Sequence[Entity], parents: Mapping[str, hierarchy.Parent]
) -> None:
    """Tie the entities of a paper to those that their names say they are kinds of.

    The evidence is the first mention that holds the parent's name; an acronym says nothing.
    """
    seen: set[str] = set()
    for place in facts.places:
        child = entities[place.claim].id
        if child not in seen and child in parents and _add_kind_of(draft, facts, place, parents[child]):
            seen.add(child)


def paper_node(paper_id: str) -> str:
    """Return the node id of a paper."""
    return f"paper:{paper_id}"


def _add_mentions(draft: Draft, facts: PaperFacts, entities: Sequence[Entity]) -> None:
    paper = paper_node(facts.paper.id)
    counts: Counter[str] = Counter()
    salience: dict[str, float] = {}
    for place in facts.places:
        claim, entity = facts.claims[place.claim], entities[place.claim].id
        counts[entity] += 1
        salience[entity] = max(salience.get(entity, 0.0), claim.salience)
        evidence = Evidence(
            facts.paper.id,
            -1,
            -1,
            *place.raw,
            facts.sentences[place.sentence],
            rounded(claim.score),
            claim.source,
        )
        for kind in (schema.MENTIONS, schema.INTRODUCES) if claim.introduced else (schema.MENTIONS,):
            draft.add(paper, entity, kind, evidence)
    for entity, count in counts.items():
        for kind in (schema.MENTIONS, schema.INTRODUCES):
            edge = draft.edges.get((paper, entity, kind))
            if edge:
                edge.extra.update(count=count, salience=rounded(salience[entity]))


def _add_statement(draft: Draft, facts: PaperFacts, entities: Sequence[Entity], statement: Statement) -> None:
    if statement.head == PAPER_END:
        _add_paper_statement(draft, facts, statement)
        return
    head, tail = entities[statement.head], entities[statement.tail]
    text = f"{head.name} {statement.type} {tail.name}"
    fitting = retype(head.type, statement.type, tail.type)
    if head.id == tail.id:
        draft.dropped.append(Dropped(text, "both ends are one entity"))
    elif fitting is None:
        draft.dropped.append(Dropped(text, f"no {statement.type} from {head.type} to {tail.type}"))
    else:
        _add_relation(draft, facts, statement, (head, tail), fitting)


def _add_relation(
    draft: Draft,
    facts: PaperFacts,
    statement: Statement,
    ends: tuple[Entity, Entity],
    fitting: tuple[str, bool],
) -> None:
    kind, turned = fitting
    head, tail = ends[::-1] if turned else ends
    raw = (*statement.tail_raw, *statement.head_raw) if turned else (*statement.head_raw, *statement.tail_raw)
    evidence = Evidence(facts.paper.id, *raw, _sentence(facts, statement), rounded(statement.score), statement.source)
    if kind == schema.REPORTED:
        key = f"{kind}:{statement.metric}:{statement.value}:{facts.paper.id}"
        extra = {"value": statement.value, "metric": statement.metric, "baseline": statement.baseline}
        given: dict[str, Value] = {name: value for name, value in extra.items() if value}
        draft.add(head.id, tail.id, kind, evidence, key=key, paper=facts.paper.id, **given)
    else:
        draft.add(head.id, tail.id, kind, evidence)


def _add_paper_statement(draft: Draft, facts: PaperFacts, statement: Statement) -> None:
    paper = paper_node(facts.paper.id)
    evidence = Evidence(facts.paper.id, -1, -1, *statement.tail_raw, "", rounded(statement.score), statement.source)
    if statement.type == schema.HAS_TOPIC:
        topic = f"topic:{normal_form(statement.other)}"
        draft.others.append(Other(facts.paper.id, topic, schema.TOPIC, statement.other))
        draft.add(paper, topic, schema.HAS_TOPIC, evidence, score=rounded(statement.score))
    else:
        link = f"link:{statement.other}"
        draft.others.append(Other(facts.paper.id, link, schema.LINK, statement.kind))
        draft.add(paper, link, schema.LINKS_TO, evidence, kind=statement.kind)


def _add_kind_of(draft: Draft, facts: PaperFacts, place: Place, found: hierarchy.Parent) -> bool:
    """Add the edge if the mention at this place holds the parent's name; say whether it does."""
    words = re.compile(re.escape(found.words), re.IGNORECASE).search(facts.paper.raw, *place.raw)
    if not words:
        return False
    sentence = facts.sentences[place.sentence]
    evidence = Evidence(facts.paper.id, *place.raw, *words.span(), sentence, hierarchy.SCORE, hierarchy.SOURCE)
    draft.add(found.child, found.parent, found.type, evidence)
    return True


def _break_circles(draft: Draft) -> None:
    """Leave out the weakest kind-of edges that would make a thing a kind of itself."""
    for kind in hierarchy.HIERARCHICAL:
        edges = [edge for edge in draft.edges.values() if edge.type == kind]
        strength = [(edge.source, edge.target, edge.support, edge.confidence) for edge in edges]
        for child, parent in sorted(hierarchy.closing_circles(strength)):
            del draft.edges[child, parent, kind]
            draft.dropped.append(Dropped(f"{child} {kind} {parent}", CLOSES_CIRCLE))


def _sentence(facts: PaperFacts, statement: Statement) -> str:
    return facts.sentences[statement.sentence] if statement.sentence >= 0 else ""


def _add_people(draft: Draft, paper: Paper, label: str, names: Iterable[str]) -> None:
    for name in names:
        node = f"{label.lower()}:{' '.join(name.casefold().split())}"
        draft.others.append(Other(paper.id, node, label, name))
        evidence = Evidence(paper.id, *_NOWHERE, *_NOWHERE, "", 1.0, "record")
        if label == schema.AUTHOR:
            draft.add(node, paper_node(paper.id), schema.AUTHORED, evidence)
        else:
            draft.add(paper_node(paper.id), node, schema.PUBLISHED_IN, evidence)


def other_records(others: Iterable[Other]) -> Iterator[Node]:
    """Yield the nodes beside papers and entities, given all that papers say of them in the order of papers."""
    named: dict[tuple[str, str], list[str]] = {}
    for other in others:
        named.setdefault((other.node, other.label), []).append(other.name)
    for (node, label), names in named.items():
        if label == schema.LINK:
            url = node.removeprefix("link:")
            yield Node(node, {"label": label, "name": url, "url": url, "kind": names[0]})
        else:
            yield Node(node, {"label": label, "name": _most_common(Counter(names)), "papers": len(names)})


def _most_common(names: Counter[str]) -> str:
    return min(names, key=lambda name: (-names[name], name))


def paper_record(facts: PaperFacts) -> Node:
    """Return the node of a paper."""
    paper = facts.paper
    attributes: dict[str, Value | None] = {
        "label": schema.PAPER,
        "paper_id": paper.id,
        "name": paper_name(facts),
        "title": paper.title,
        "year": paper.year,
        "venue": paper.venue,
        "url": paper.url,
        "doi": paper.doi,
        "arxiv_id": paper.arxiv_id,
        "authors": list(paper.authors),
    }
    return Node(paper_node(paper.id), {name: value for name, value in attributes.items() if value})


def entity_record(entity: Entity) -> Node:
    """Return the node of an entity."""
    attributes: dict[str, Value] = {
        "label": entity.type,
        "name": entity.name,
        "aliases": list(entity.aliases),
        "papers": entity.papers,
        "introduced_in": list(entity.introduced_in),
        "sense": entity.sense,
    }
    return Node(entity.id, {name: value for name, value in attributes.items() if value})
