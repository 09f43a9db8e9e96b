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
    CIRCLES,
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
from kg.splicing import Rows, is_one_of, joined, place_of, rows_of, splice, take
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
    heard = {*relinking.moved, *papers_of_kinds, *old.circles["paper"].to_pylist()}
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
        spliced.circles,
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
    gone = is_one_of(old.kinds["child"], {*relinking.gone, *named})
    kinds = splice(old.kinds.filter(pa.array(~gone)), fresh, ["child"])
    children = {row[0] for row in _said(old.kinds.filter(pa.array(gone))) ^ _said(fresh)}
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
    """The edges and their evidence after a change: what some papers say is taken out and put in anew."""

    def __init__(self, old: GraphTables, heard: Collection[str], draft: Draft) -> None:
        self.touched = self._splice(old, heard, draft)
        self.circles = self._break_circles()

    def _splice(self, old: GraphTables, heard: Collection[str], draft: Draft) -> set[EdgeName]:
        counts = np.asarray(old.edges["evidence"], dtype=np.int64)
        owner = np.repeat(np.arange(len(counts)), counts)
        leaving = is_one_of(old.evidence["paper"], heard)
        reached = np.zeros(len(counts), dtype=bool)
        reached[owner[leaving]] = True
        left = np.zeros(len(counts), dtype=np.int64)
        np.add.at(left, owner[~leaving], 1)
        rows = np.flatnonzero(reached)
        part = take(old.edges, rows)
        part = part.set_column(part.schema.get_field_index("evidence"), "evidence", pa.array(left[rows], pa.int32()))
        staying = read_edges(part, old.evidence.filter(pa.array(reached[owner] & ~leaving)))
        made = dict(draft.edges)
        for edge in staying:
            name = (edge.source, edge.target, edge.key)
            if name in made:
                made[name].evidence.extend(edge.evidence)
            elif edge.evidence:
                made[name] = edge
        more = [made[name] for name in sorted(made)]
        known = {(edge.source, edge.target, edge.key) for edge in staying}
        fresh_names = {name for name in made if name not in known}
        kept = old.edges.filter(pa.array(~reached))
        kept_evidence = old.evidence.filter(pa.array(~reached[owner]))
        # An edge that only said something new in papers heard again may be there with evidence of others.
        kept, kept_evidence, more = _with_known(kept, kept_evidence, more, fresh_names)
        for edge in more:
            edge.settle()
        fresh = edge_table(more)
        order = place_of(kept, fresh, _EDGE)
        self.edges = take(joined(kept, fresh), order).combine_chunks()
        self.evidence = _in_order(kept, kept_evidence, fresh, evidence_table(more), order)
        return known | made.keys()

    def _break_circles(self) -> pa.Table:
        """Take out the weakest kind-of edges that make a thing a kind of itself; return the papers behind them."""
        rows = rows_of(self.edges["type"], set(hierarchy.HIERARCHICAL))
        part = take(self.edges, rows)
        names = ("type", "source", "target", "support", "confidence")
        by_type: dict[str, list[tuple[str, str, int, float]]] = defaultdict(list)
        place: dict[tuple[str, str, str], int] = {}
        for row, kind, *edge in zip(rows, *(part[name].to_pylist() for name in names), strict=True):
            by_type[kind].append((edge[0], edge[1], edge[2], edge[3]))
            place[kind, edge[0], edge[1]] = row
        gone = np.zeros(len(self.edges), dtype=bool)
        for kind, edges in by_type.items():
            for pair in hierarchy.closing_circles(edges):
                gone[place[kind, *pair]] = True
        if not gone.any():
            return CIRCLES.empty_table()
        counts = np.asarray(self.edges["evidence"], dtype=np.int64)
        leaving = np.repeat(gone, counts)
        left_out = read_edges(self.edges.filter(pa.array(gone)), self.evidence.filter(pa.array(leaving)))
        self.touched.update((edge.source, edge.target, edge.key) for edge in left_out)
        self.edges = self.edges.filter(pa.array(~gone)).combine_chunks()
        self.evidence = self.evidence.filter(pa.array(~leaving)).combine_chunks()
        said = {(row.paper, f"{edge.source} {edge.key} {edge.target}") for edge in left_out for row in edge.evidence}
        return table_of(sorted(said), CIRCLES)


def _with_known(
    kept: pa.Table, evidence: pa.Table, made: list[Edge], fresh: set[EdgeName]
) -> tuple[pa.Table, pa.Table, list[Edge]]:
    """Move the kept rows of edges that got more evidence to the edges that are made."""
    sources = rows_of(kept["source"], {source for source, _, _ in fresh})
    part = take(kept, sources)
    names = zip(*(part[name].to_pylist() for name in _EDGE), strict=True)
    rows = np.array([row for row, name in zip(sources, names, strict=True) if name in fresh], dtype=np.int64)
    if not len(rows):
        return kept, evidence, made
    moved = np.zeros(len(kept), dtype=bool)
    moved[rows] = True
    owned = np.repeat(moved, np.asarray(kept["evidence"], dtype=np.int64))
    by_name = {(edge.source, edge.target, edge.key): edge for edge in made}
    for edge in read_edges(take(kept, rows), evidence.filter(pa.array(owned))):
        by_name[edge.source, edge.target, edge.key].evidence.extend(edge.evidence)
    return kept.filter(pa.array(~moved)), evidence.filter(pa.array(~owned)), made


def _in_order(kept: pa.Table, kept_evidence: pa.Table, fresh: pa.Table, evidence: pa.Table, order: Rows) -> pa.Table:
    """Return the evidence of edges in the order that their rows were given."""
    counts = np.concatenate([np.asarray(table["evidence"], dtype=np.int64) for table in (kept, fresh)])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(counts) else counts
    ordered = counts[order]
    ends = np.cumsum(ordered)
    rows = np.arange(counts.sum()) - np.repeat(ends - ordered, ordered) + np.repeat(starts[order], ordered)
    return take(joined(kept_evidence, evidence), rows).combine_chunks()


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
    kept = old.nodes.filter(pa.array(~is_one_of(old.nodes["id"], reached)))
    return _Nodes(splice(kept, node_table(made), ["id"]), all_others), (reached, made)


def _replaced(table: pa.Table, papers: Collection[str], rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    """Return a table by paper with other rows for some papers; ``rows`` must be sorted by paper."""
    return splice(table.filter(pa.array(~is_one_of(table["paper"], papers))), table_of(rows, schema), ["paper"])


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
    kept = old.mentions.filter(pa.array(~is_one_of(old.mentions["paper"], relinking.decided)))
    return splice(kept, rows_table(mention_rows(_decisions(rows)), MENTIONS), ["paper"])


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
