"""Nodes and edges after a change of some papers: only those that the change can reach are made again.

The rows of edges count their evidence; taking out what a paper said and putting in what it says now leaves all other
rows as they are, so that the tables come out as if all papers had been assembled (see `kg.assembly`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg import hierarchy
from kg.assembly import Draft, Other, add_kinds, add_paper, entity_record, other_records, paper_record
from kg.changes import Changes
from kg.decisions import Decision, MergeRow, mention_rows, merge_order, merge_rows
from kg.elements import Edge, Node
from kg.facts import PaperFacts
from kg.graph_tables import (
    DROPPED,
    KINDS,
    OTHERS,
    GraphTables,
    edge_table,
    evidence_table,
    node_table,
    read_edges,
)
from kg.hierarchy import Parent
from kg.link_tables import LinkTables, read_claims, table_of
from kg.linking import Entity
from kg.relinking import Relinking
from kg.schema import family
from kg.splicing import Edit, Rows, edit_of, is_one_of, ranges, rows_of, splice, take
from kg.tables import MENTIONS, MERGES, rows_table

EdgeName = tuple[str, str, str]
_EDGE: Final = ("source", "target", "key")
#: The papers of a corpus with these ids, sorted; those that are not there are left out.
FactsOf = Callable[[Collection[str]], list[PaperFacts]]


@dataclass(frozen=True, slots=True)
class Reassembly:
    """The tables after a change, and what is different in them."""

    tables: GraphTables
    changes: Changes


def reassemble(
    old: GraphTables,
    old_links: LinkTables,
    relinking: Relinking,
    touched: Collection[str],
    facts_of: FactsOf,
    *,
    authors: bool = False,
    venues: bool = False,
) -> Reassembly:
    """Assemble after a change.

    Args:
        old: The tables before; empty ones for a new graph.
        old_links: What linking kept before.
        relinking: What linking made of the change.
        touched: The papers that are new, changed or gone.
        facts_of: The papers as they are now.
        authors: Whether there are Author nodes, as before.
        venues: Whether there are Venue nodes, as before.
    """
    kinds, papers_of_kinds = _kinds(old, old_links, relinking)
    heard = relinking.moved | papers_of_kinds
    draft, dropped = Draft(), Counter[tuple[str, str]]()
    entities = _Entities(relinking.tables)
    facts = facts_of(heard)
    parents = {row["child"]: Parent(row["child"], row["parent"], row["said"], row["type"]) for row in _parents(kinds)}
    for item, own in zip(facts, entities.of_papers([item.paper.id for item in facts]), strict=True):
        before = len(draft.dropped)
        add_paper(draft, item, own, authors=authors, venues=venues)
        add_kinds(draft, item, own, parents)
        dropped.update((item.paper.id, reason.reason) for reason in draft.dropped[before:])
    spliced = _Edges(old, heard, draft)
    nodes, changed_nodes = _nodes(old, relinking, touched, facts, draft.others)
    tables = GraphTables(
        nodes.table,
        spliced.edges,
        spliced.evidence,
        _mentions(old, relinking),
        _merges(old, relinking),
        nodes.others,
        kinds,
        *spliced.circles,
        _replaced(old.dropped, heard, sorted((*key, count) for key, count in dropped.items()), DROPPED),
    )
    return Reassembly(tables, _changes(old, tables, changed_nodes, spliced))


class _Entities:
    """The entities that papers speak of, read from the tables as they are asked for."""

    def __init__(self, tables: LinkTables) -> None:
        self._claims = tables.claims
        self._entities = tables.entities

    def of_papers(self, papers: Sequence[str]) -> Iterator[list[Entity]]:
        """Yield the entity of each claim of each paper; ``papers`` must be sorted."""
        rows = rows_of(self._claims["paper"], set(papers))
        nodes = self._claims["node"].take(rows).to_pylist()
        known = self.by_id(set(nodes))
        found: dict[str, list[Entity]] = defaultdict(list)
        for paper, node in zip(self._claims["paper"].take(rows).to_pylist(), nodes, strict=True):
            found[paper].append(known[node])
        return (found[paper] for paper in papers)

    def by_id(self, nodes: Collection[str]) -> dict[str, Entity]:
        """Return entities by id, without their aliases and papers."""
        rows = take(self._entities, rows_of(self._entities["node"], nodes))
        names = ("node", "name", "type", "papers")
        columns = zip(*(rows[name].to_pylist() for name in names), strict=True)
        return {node: Entity(node, name, kind, papers=papers) for node, name, kind, papers in columns}

    def by_form(self, forms: Collection[str]) -> dict[str, list[Entity]]:
        """Return the entities that some normal forms stand for."""
        found: dict[str, set[str]] = defaultdict(set)
        for name in ("form", "key"):
            rows = rows_of(self._claims[name], forms)
            columns = (self._claims[column].take(rows).to_pylist() for column in (name, "node"))
            for form, node in zip(*columns, strict=True):
                found[form].add(node)
        known = self.by_id({node for nodes in found.values() for node in nodes})
        return {form: [known[node] for node in sorted(nodes)] for form, nodes in found.items()}


def _kinds(old: GraphTables, old_links: LinkTables, relinking: Relinking) -> tuple[pa.Table, set[str]]:
    """Return what each entity is a kind of, and the papers that mention one of which that is not the same as before."""
    linked = {entity.id: entity for entity in relinking.entities}
    entities = _Entities(relinking.tables)
    before = _meanings(old_links, relinking.gone)
    after = _meanings(relinking.tables, linked.keys())
    other_forms = {form for form, *_ in before ^ after}
    column = old.kinds["forms"].combine_chunks()
    places = np.unique(np.asarray(pc.list_parent_indices(column))[is_one_of(pc.list_flatten(column), other_forms)])
    affected = set(old.kinds["child"].take(pa.array(places, pa.int64())).to_pylist()) - relinking.gone
    again = [*linked.values(), *entities.by_id(affected).values()]
    named = {entity.id: hierarchy.parent_names(entity.name) for entity in again}
    known = entities.by_form({form for names in named.values() for _, form in names})
    rows = []
    for entity in sorted(again, key=lambda entity: entity.id):
        found = hierarchy.nearest_parent(entity, named[entity.id], known)
        said = (found.parent, found.words, found.type) if found else ("", "", "")
        rows.append((entity.id, [name for name, _ in named[entity.id]], [form for _, form in named[entity.id]], *said))
    fresh = table_of(rows, KINDS)
    gone = rows_of(old.kinds["child"], {*relinking.gone, *named})
    kinds = splice(old.kinds, gone, fresh, ["child"])
    children = {row[0] for row in _said(take(old.kinds, gone)) ^ _said(fresh)}
    rows_there = rows_of(relinking.tables.claims["node"], children)
    return kinds, set(relinking.tables.claims["paper"].take(rows_there).to_pylist())


def _meanings(tables: LinkTables, nodes: Collection[str]) -> set[tuple[Any, ...]]:
    """Return what the normal forms of some entities stand for, as far as it makes an entity a parent."""
    rows = rows_of(tables.claims["node"], nodes)
    known = _Entities(tables).by_id(nodes)
    found: set[tuple[Any, ...]] = set()
    for form, key, node in zip(
        *(tables.claims[name].take(rows).to_pylist() for name in ("form", "key", "node")), strict=True
    ):
        entity = known[node]
        told = (node, family(entity.type), entity.name, hierarchy.is_known_word(entity.papers))
        found.update(((form, *told), (key, *told)))
    return found


def _said(kinds: pa.Table) -> set[tuple[str, ...]]:
    return set(zip(*(kinds[name].to_pylist() for name in ("child", "parent", "said", "type")), strict=True))


def _parents(kinds: pa.Table) -> list[dict[str, str]]:
    rows = kinds.select(["child", "parent", "said", "type"])
    return rows.filter(pa.array(~is_one_of(rows["parent"], {""}))).to_pylist()


class _Edges:
    """The edges and their evidence after a change: what some papers say is taken out and put in anew.

    Edges that would close a circle are kept aside, since what they depend on may change; they are few.
    """

    def __init__(self, old: GraphTables, heard: Collection[str], draft: Draft) -> None:
        self._old = old
        self._starts = np.concatenate([[0], np.cumsum(np.asarray(old.edges["evidence"], dtype=np.int64))])
        gone, made = self._made(heard, draft)
        left_out = self._circles(gone, made)
        circles = [made.pop(name) for name in sorted(left_out)]
        self.circles = edge_table(circles), evidence_table(circles)
        more = [made[name] for name in sorted(made)]
        fresh, rows = edge_table(more), np.array(sorted(gone), dtype=np.int64)
        edit = edit_of(old.edges, rows, fresh, _EDGE)
        of_edges = np.array([len(edge.evidence) for edge in more], dtype=np.int64)
        for_evidence = Edit(self._evidence_rows(rows), np.repeat(self._starts[edit.places], of_edges))
        self.edges = edit.applied(old.edges, fresh)
        self.evidence = for_evidence.applied(old.evidence, evidence_table(more))
        self.touched = {*gone.values(), *made}

    def _made(self, heard: Collection[str], draft: Draft) -> tuple[dict[int, EdgeName], dict[EdgeName, Edge]]:
        """Return the rows of the edges that are made again, and all edges that are made."""
        leaving = rows_of(self._old.evidence["paper"], heard)
        reached = set(np.unique(np.searchsorted(self._starts, leaving, side="right") - 1).tolist())
        reached |= self._rows_named(draft.edges)
        rows = np.array(sorted(reached), dtype=np.int64)
        known = self._read(rows)
        made = dict(draft.edges)
        aside = read_edges(self._old.circles, self._old.circle_evidence)
        for edge in (*known, *aside):
            staying = [row for row in edge.evidence if row.paper not in heard]
            if edge.name in made:
                made[edge.name].evidence.extend(staying)
            elif staying:
                edge.evidence = staying
                made[edge.name] = edge
        for edge in made.values():
            edge.settle()
        return dict(zip(rows.tolist(), (edge.name for edge in known), strict=True)), made

    def _rows_named(self, names: Collection[EdgeName]) -> set[int]:
        """Return the rows of those of the edges that are there."""
        rows = rows_of(self._old.edges["source"], {source for source, _, _ in names})
        columns = (self._old.edges[name].take(rows).to_pylist() for name in _EDGE)
        return {row for row, name in zip(rows.tolist(), zip(*columns, strict=True), strict=True) if name in names}

    def _read(self, rows: Rows) -> list[Edge]:
        return read_edges(take(self._old.edges, rows), take(self._old.evidence, self._evidence_rows(rows)))

    def _evidence_rows(self, rows: Rows) -> Rows:
        return ranges(self._starts[rows], self._starts[rows + 1])

    def _circles(self, gone: dict[int, EdgeName], made: dict[EdgeName, Edge]) -> set[EdgeName]:
        """Return the weakest kind-of edges that make a thing a kind of itself; they are among those made then."""
        rows = np.setdiff1d(rows_of(self._old.edges["type"], set(hierarchy.HIERARCHICAL)), np.array([*gone], np.int64))
        part = take(self._old.edges, rows)
        names = ("source", "target", "type", "support", "confidence")
        found = list(zip(*(part[name].to_pylist() for name in names), strict=True))
        place = {(source, target, kind): row for row, (source, target, kind, *_) in zip(rows, found, strict=True)}
        found += [(edge.source, edge.target, edge.type, edge.support, edge.confidence) for edge in made.values()]
        left_out: set[EdgeName] = set()
        for kind in hierarchy.HIERARCHICAL:
            edges = [(source, target, *strength) for source, target, of_kind, *strength in found if of_kind == kind]
            left_out |= {(*pair, kind) for pair in hierarchy.closing_circles(edges)}
        late = sorted(int(place[name]) for name in left_out if name in place)
        for row, edge in zip(late, self._read(np.array(late, dtype=np.int64)), strict=True):
            gone[row], made[edge.name] = edge.name, edge
        return left_out


@dataclass(frozen=True, slots=True)
class _Nodes:
    table: pa.Table
    others: pa.Table


def _nodes(
    old: GraphTables,
    relinking: Relinking,
    touched: Collection[str],
    facts: Iterable[PaperFacts],
    others: Iterable[Other],
) -> tuple[_Nodes, tuple[set[str], list[Node]]]:
    """Return the nodes after a change, and the ids that are made again or gone with the nodes that are there now."""
    fresh = [(item.paper, item.node, item.label, item.name) for item in others if item.paper in touched]
    going = old.others.filter(pa.array(is_one_of(old.others["paper"], touched)))
    all_others = _replaced(old.others, touched, fresh, OTHERS)
    reached = {*going["node"].to_pylist(), *(row[1] for row in fresh)}
    said = take(all_others, rows_of(all_others["node"], reached)).to_pylist()
    made = [
        *(paper_record(item) for item in facts if item.paper.id in touched),
        *map(entity_record, relinking.entities),
        *other_records(Other(**row) for row in said),
    ]
    made.sort(key=lambda node: node.id)
    reached |= {f"paper:{paper}" for paper in touched} | relinking.gone | {node.id for node in made}
    table = splice(old.nodes, rows_of(old.nodes["id"], reached), node_table(made), ["id"])
    return _Nodes(table, all_others), (reached, made)


def _replaced(table: pa.Table, papers: Collection[str], rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    """Return a table by paper with other rows for some papers; ``rows`` must be sorted by paper."""
    return splice(table, rows_of(table["paper"], papers), table_of(rows, schema), ["paper"])


def _decisions(claims: pa.Table) -> Iterator[Decision]:
    columns = (
        claims["paper"].to_pylist(),
        read_claims(claims),
        *(claims[n].to_pylist() for n in ("node", "rule", "score")),
    )
    return map(Decision, *columns)


def _mentions(old: GraphTables, relinking: Relinking) -> pa.Table:
    claims = relinking.tables.claims
    rows = take(claims, rows_of(claims["paper"], relinking.decided))
    gone = rows_of(old.mentions["paper"], relinking.decided)
    return splice(old.mentions, gone, rows_table(mention_rows(_decisions(rows)), MENTIONS), ["paper"])


def _merges(old: GraphTables, relinking: Relinking) -> pa.Table:
    names = {entity.id: entity.name for entity in relinking.entities}
    claims = relinking.tables.claims
    fresh = merge_rows(_decisions(take(claims, rows_of(claims["node"], names.keys()))), names)
    kept = old.merges.filter(pa.array(~is_one_of(old.merges["node"], {*relinking.gone, *names})))
    rows: list[MergeRow] = [*fresh, *(MergeRow(**row) for row in kept.to_pylist())]
    rows.sort(key=merge_order)
    return rows_table(rows, MERGES)


def _changes(old: GraphTables, new: GraphTables, nodes: tuple[set[str], list[Node]], spliced: _Edges) -> Changes:
    reached, made = nodes
    ids = rows_of(old.nodes["id"], reached)
    digests = dict(zip(*(old.nodes[name].take(ids).to_pylist() for name in ("id", "digest")), strict=True))
    old_edges = _edges_named(old, spliced.touched)
    edges = _edges_named(new, spliced.touched)
    ends = {end for source, target, _ in (*old_edges, *edges) for end in (source, target)} | digests.keys()
    changes = Changes(
        nodes_gone=tuple(sorted(digests.keys() - {node.id for node in made})),
        edges_gone=tuple(sorted(old_edges.keys() - edges.keys())),
        nodes=tuple(node for node in made if digests.get(node.id) != node.digest),
        edges=_whole_edges(
            new, [row for name, (row, digest) in edges.items() if old_edges.get(name, (0, ""))[1] != digest]
        ),
        old_labels=_labels(old.nodes, ends),
        labels=_labels(new.nodes, ends | {node.id for node in made}),
    )
    labels = changes.labels
    relabelled = tuple(
        sorted(id for id, label in changes.old_labels.items() if id in digests and labels.get(id, label) != label)
    )
    if not relabelled:
        return changes
    at = is_one_of(new.edges["source"], relabelled) | is_one_of(new.edges["target"], relabelled)
    around = _whole_edges(new, np.flatnonzero(at).tolist())
    ends |= {end for edge in around for end in (edge.source, edge.target)} | {node.id for node in made}
    return replace(changes, relabelled=relabelled, around=around, labels=_labels(new.nodes, ends))


def _labels(nodes: pa.Table, ids: Collection[str]) -> dict[str, str]:
    rows = rows_of(nodes["id"], ids)
    return dict(zip(*(nodes[name].take(rows).to_pylist() for name in ("id", "label")), strict=True))


def _edges_named(tables: GraphTables, names: Collection[EdgeName]) -> dict[EdgeName, tuple[int, str]]:
    """Return the row and the digest of those of the edges that are there."""
    rows = rows_of(tables.edges["source"], {source for source, _, _ in names})
    part = tables.edges.select([*_EDGE, "digest"]).take(pa.array(rows))
    columns = (part[name].to_pylist() for name in (*_EDGE, "digest"))
    wanted = set(names)
    return {
        (source, target, key): (row, digest)
        for row, source, target, key, digest in zip(rows.tolist(), *columns, strict=True)
        if (source, target, key) in wanted
    }


def _whole_edges(tables: GraphTables, rows: Sequence[int]) -> tuple[Edge, ...]:
    chosen = np.zeros(len(tables.edges), dtype=bool)
    chosen[list(rows)] = True
    owned = np.repeat(chosen, np.asarray(tables.edges["evidence"], dtype=np.int64))
    return tuple(read_edges(tables.edges.filter(pa.array(chosen)), tables.evidence.filter(pa.array(owned))))
