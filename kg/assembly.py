"""From claims and decisions to the nodes and edges of the graph, each in one fixed order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
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

_NOWHERE: Final = Span(-1, -1)


@dataclass(slots=True)
class _Draft:
    linking: Linking
    edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    topics: dict[str, Counter[str]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    people: dict[str, dict[str, Counter[str]]] = field(default_factory=lambda: {schema.AUTHOR: {}, schema.VENUE: {}})

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
    draft = _Draft(linking)
    for number, facts in enumerate(papers):
        _add_mentions(draft, number, facts)
        for statement in facts.statements:
            _add_statement(draft, number, facts, statement)
        if authors:
            _add_people(draft, facts.paper, schema.AUTHOR, facts.paper.authors)
        if venues and facts.paper.venue:
            _add_people(draft, facts.paper, schema.VENUE, (facts.paper.venue,))
        draft.dropped.extend(facts.dropped)
    _add_hierarchy(draft, papers)
    for edge in draft.edges.values():
        edge.settle()
    _break_circles(draft)
    nodes = sorted(_nodes(papers, draft), key=lambda node: node.id)
    return Assembly(tuple(nodes), tuple(draft.edges[name] for name in sorted(draft.edges)), tuple(draft.dropped))


def paper_node(paper_id: str) -> str:
    """Return the node id of a paper."""
    return f"paper:{paper_id}"


def _add_mentions(draft: _Draft, number: int, facts: PaperFacts) -> None:
    paper, nodes = paper_node(facts.paper.id), draft.linking.nodes[number]
    counts: Counter[str] = Counter()
    salience: dict[str, float] = {}
    for place in facts.places:
        claim, entity = facts.claims[place.claim], draft.linking.entities[nodes[place.claim]].id
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


def _add_statement(draft: _Draft, number: int, facts: PaperFacts, statement: Statement) -> None:
    if statement.head == PAPER_END:
        _add_paper_statement(draft, facts, statement)
        return
    nodes = draft.linking.nodes[number]
    head, tail = (draft.linking.entities[nodes[end]] for end in (statement.head, statement.tail))
    text = f"{head.name} {statement.type} {tail.name}"
    fitting = retype(head.type, statement.type, tail.type)
    if head.id == tail.id:
        draft.dropped.append(Dropped(text, "both ends are one entity"))
    elif fitting is None:
        draft.dropped.append(Dropped(text, f"no {statement.type} from {head.type} to {tail.type}"))
    else:
        _add_relation(draft, facts, statement, (head, tail), fitting)


def _add_relation(
    draft: _Draft,
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


def _add_paper_statement(draft: _Draft, facts: PaperFacts, statement: Statement) -> None:
    paper = paper_node(facts.paper.id)
    evidence = Evidence(facts.paper.id, -1, -1, *statement.tail_raw, "", rounded(statement.score), statement.source)
    if statement.type == schema.HAS_TOPIC:
        topic = f"topic:{normal_form(statement.other)}"
        draft.topics.setdefault(topic, Counter())[statement.other] += 1
        draft.add(paper, topic, schema.HAS_TOPIC, evidence, score=rounded(statement.score))
    else:
        link = f"link:{statement.other}"
        draft.links.setdefault(link, statement.kind)
        draft.add(paper, link, schema.LINKS_TO, evidence, kind=statement.kind)


def _add_hierarchy(draft: _Draft, papers: Sequence[PaperFacts]) -> None:
    """Tie entities to those that their names say they are kinds of.

    The evidence in each paper is the first mention that holds the parent's name; an acronym says nothing.
    """
    entities = draft.linking.entities
    parents = {found.child: found for found in hierarchy.find_parents(entities, draft.linking.forms)}
    for number, facts in enumerate(papers):
        seen: set[int] = set()
        for place in facts.places:
            child = draft.linking.nodes[number][place.claim]
            if child not in seen and child in parents and _add_kind_of(draft, facts, place, parents[child]):
                seen.add(child)


def _add_kind_of(draft: _Draft, facts: PaperFacts, place: Place, found: hierarchy.Parent) -> bool:
    """Add the edge if the mention at this place holds the parent's name; say whether it does."""
    words = re.compile(re.escape(found.words), re.IGNORECASE).search(facts.paper.raw, *place.raw)
    if not words:
        return False
    child, parent = draft.linking.entities[found.child], draft.linking.entities[found.parent]
    sentence = facts.sentences[place.sentence]
    evidence = Evidence(facts.paper.id, *place.raw, *words.span(), sentence, hierarchy.SCORE, hierarchy.SOURCE)
    draft.add(child.id, parent.id, hierarchy.relation_for(child.type), evidence)
    return True


def _break_circles(draft: _Draft) -> None:
    """Leave out the weakest kind-of edges that would make a thing a kind of itself."""
    for kind in hierarchy.HIERARCHICAL:
        edges = [edge for edge in draft.edges.values() if edge.type == kind]
        strength = [(edge.source, edge.target, edge.support, edge.confidence) for edge in edges]
        for child, parent in sorted(hierarchy.closing_circles(strength)):
            del draft.edges[child, parent, kind]
            draft.dropped.append(Dropped(f"{child} {kind} {parent}", "a thing would be a kind of itself"))


def _sentence(facts: PaperFacts, statement: Statement) -> str:
    return facts.sentences[statement.sentence] if statement.sentence >= 0 else ""


def _add_people(draft: _Draft, paper: Paper, label: str, names: Iterable[str]) -> None:
    for name in names:
        node = f"{label.lower()}:{' '.join(name.casefold().split())}"
        draft.people[label].setdefault(node, Counter())[name] += 1
        evidence = Evidence(paper.id, *_NOWHERE, *_NOWHERE, "", 1.0, "record")
        if label == schema.AUTHOR:
            draft.add(node, paper_node(paper.id), schema.AUTHORED, evidence)
        else:
            draft.add(paper_node(paper.id), node, schema.PUBLISHED_IN, evidence)


def _nodes(papers: Sequence[PaperFacts], draft: _Draft) -> Iterable[Node]:
    for facts in papers:
        yield _paper(facts)
    for entity in draft.linking.entities:
        yield _entity(entity)
    for topic, names in draft.topics.items():
        yield Node(topic, {"label": schema.TOPIC, "name": _most_common(names), "papers": names.total()})
    for link, kind in draft.links.items():
        url = link.removeprefix("link:")
        yield Node(link, {"label": schema.LINK, "name": url, "url": url, "kind": kind})
    for label, people in draft.people.items():
        for node, names in people.items():
            yield Node(node, {"label": label, "name": _most_common(names), "papers": names.total()})


def _most_common(names: Counter[str]) -> str:
    return min(names, key=lambda name: (-names[name], name))


def _paper(facts: PaperFacts) -> Node:
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


def _entity(entity: Entity) -> Node:
    attributes: dict[str, Value] = {
        "label": entity.type,
        "name": entity.name,
        "aliases": list(entity.aliases),
        "papers": entity.papers,
        "introduced_in": list(entity.introduced_in),
        "sense": entity.sense,
    }
    return Node(entity.id, {name: value for name, value in attributes.items() if value})
