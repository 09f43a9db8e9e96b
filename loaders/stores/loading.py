"""Make a server hold exactly a graph, and leave alone what others added to it.

Every node and edge of ours carries the name of the graph (``kg_graph``) and a digest of what was last written
(``kg_hash``), edges also their key (``kg_key``). A load compares digests, writes what differs and removes
what is gone. So loading twice writes nothing, a load that broke off goes on where it stopped, and properties,
labels, nodes and edges of others survive.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kg import schema
from kg.errors import StoreError

from . import statements
from .batches import batches, sized_batches
from .limits import server_id, server_rows
from .records import EdgeGroup, EdgeRow, property_names
from .store import LoadCounts

if TYPE_CHECKING:
    import networkx as nx

#: Runs a statement in a transaction of its own (repeated after transient errors) and returns its rows.
Run = Callable[[str, Mapping[str, Any]], list[dict[str, Any]]]
#: Called with the number of nodes and edges written or removed since the last call.
Progress = Callable[[int], object]

# Sorted, as the digest of an element is the same in whatever order its properties come.
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


class EdgePlace(NamedTuple):
    """What makes an edge the same edge in another load."""

    head: str
    key: str
    tail: str


@dataclass(slots=True)
class _Counted:
    counts: LoadCounts = field(default_factory=LoadCounts)

    def add(self, **more: int) -> None:
        self.counts = replace(self.counts, **{name: getattr(self.counts, name) + n for name, n in more.items()})


@dataclass(frozen=True, slots=True)
class Loader:
    """Loads graphs of one name through ``run``, which ``writers`` threads call at once for nodes and new edges."""

    run: Run
    graph_name: str
    progress: Progress = lambda written: None
    writers: int = 1

    def load(self, graph: nx.MultiDiGraph) -> LoadCounts:
        """Write what differs, remove what is gone, and check the counts.

        Raises:
            StoreError: when the server holds another graph of ours, or fewer nodes or edges in the end.
        """
        self.refuse_other_graph()
        counted = _Counted()
        nodes, edges = server_rows(graph)
        held = {label: self._node_state(label) for label in schema.NODE_LABELS}
        self._relabel(nodes, held)
        fresh = not any(held.values())
        for label in schema.NODE_LABELS:
            self._remove_nodes(label, held[label].keys() - {row["id"] for row in nodes.get(label, ())}, counted)
        for label, rows in nodes.items():
            self._write_nodes(label, rows, held[label], counted)
        for group in statements.WRITE_EDGES:
            self._follow_edges(group, edges.get(group, []), {} if fresh else self._edge_state(group), counted)
        return self._checked(graph, counted.counts)

    def update(self, graph: nx.MultiDiGraph, chosen: Iterable[str]) -> LoadCounts:
        """Write these nodes and the edges at them; edges at them that are gone from the graph are removed."""
        self.refuse_other_graph()
        counted, chosen = _Counted(), list(dict.fromkeys(chosen))
        nodes, edges = server_rows(graph, chosen)
        ids = [server_id(node) for node in chosen]
        # Whether the server has them, and under which label, is not asked: they are written in any case.
        self._relabel(nodes, {label: dict.fromkeys(ids, "") for label in schema.NODE_LABELS})
        for label, rows in nodes.items():
            self._write_nodes(label, rows, dict.fromkeys(ids, ""), counted)
        for group in statements.WRITE_EDGES:
            self._follow_edges(group, edges.get(group, []), self._edge_state(group, ids), counted)
        return self._with_totals(counted.counts)

    def remove(self, ids: Iterable[str]) -> LoadCounts:
        """Remove these nodes of ours with the edges at them."""
        counted, gone = _Counted(), sorted({server_id(node) for node in ids})
        for label in schema.NODE_LABELS:
            self._remove_nodes(label, gone, counted)
        return self._with_totals(counted.counts)

    def refuse_other_graph(self) -> None:
        """Refuse a database that holds another graph of ours: loading would remove it."""
        for statement in statements.OTHER_GRAPH.values():
            for row in self.run(statement, {"graph": self.graph_name}):
                raise StoreError(
                    f"the database holds the graph {row['graph']!r}; load {self.graph_name!r} into another "
                    f"database, "
                    f"or load it under the name {row['graph']!r} to replace that one"
                )

    def _node_state(self, label: str) -> dict[str, str]:
        rows = self.run(statements.NODE_STATE[label], {"graph": self.graph_name})
        return {row["id"]: row["hash"] for row in rows}

    def _edge_state(self, group: EdgeGroup, ids: Sequence[str] | None = None) -> dict[EdgePlace, list[str]]:
        """Return the digests of the edges that the server holds (at the given nodes, if any are given)."""
        if ids is None:
            rows = self.run(statements.EDGE_STATE[group], {"graph": self.graph_name})
        else:
            pairs = [(statement, batch) for statement in statements.EDGE_STATE_AT[group] for batch in batches(ids)]
            rows = [row for s, batch in pairs for row in self.run(s, {"graph": self.graph_name, "ids": batch})]
        edges = {row["edge"]: (EdgePlace(row["head"], row["key"], row["tail"]), row["hash"]) for row in rows}
        held: dict[EdgePlace, list[str]] = {}
        for place, digest in edges.values():
            held.setdefault(place, []).append(digest)
        return held

    def _follow_edges(
        self, group: EdgeGroup, rows: Sequence[EdgeRow], held: dict[EdgePlace, list[str]], counted: _Counted
    ) -> None:
        """Make the edges of a group on the server those of the graph."""
        # Two loads at the same time may have written an edge twice.
        doubled = {place for place, digests in held.items() if len(digests) > 1}
        self._remove_edges(group, (held.keys() - {_place(row) for row in rows}) | doubled, counted)
        self._write_edges(group, rows, {place: held[place][0] for place in held.keys() - doubled}, counted)

    def _relabel(self, nodes: Mapping[str, Sequence[Mapping[str, Any]]], held: dict[str, dict[str, str]]) -> None:
        """Give nodes that changed their label the new one, and note that they are there."""
        for (old, new), statement in statements.RELABEL.items():
            moved = sorted({row["id"] for row in nodes.get(new, ())} & held[old].keys())
            for batch in batches(moved):
                self.run(statement, {"ids": batch, "graph": self.graph_name})
            for node in moved:
                del held[old][node]
                # The digest holds the label too, so the node counts as changed.
                held[new][node] = ""

    def _write_nodes(
        self, label: str, rows: Sequence[dict[str, Any]], held: Mapping[str, str], counted: _Counted
    ) -> None:
        # What an earlier load wrote is cleared by nulls; a new node needs none.
        cleared = dict.fromkeys(property_names(label, rows))
        changed = (
            ({"id": row["id"], "properties": {**(cleared if row["id"] in held else {}), **row, **marks}}, size)
            for row in rows
            for marks, size in [self._marks(label, row)]
            if held.get(row["id"]) != marks["kg_hash"]
        )
        for written in self._write_at_once(statements.WRITE_NODES[label], sized_batches(changed)):
            counted.add(nodes_written=written)
            self.progress(written)

    def _write_edges(
        self, group: EdgeGroup, rows: Sequence[EdgeRow], held: Mapping[EdgePlace, str], counted: _Counted
    ) -> None:
        marked = ((row, *self._marks(group.type, row.properties)) for row in rows if _place(row) not in held)
        new = ((_edge(row, marks, {}), size) for row, marks, size in marked)
        for written in self._write_at_once(statements.NEW_EDGES[group], sized_batches(new)):
            counted.add(edges_written=written)
            self.progress(written)
        cleared = dict.fromkeys(property_names(group.type, [row.properties for row in rows])) if held else {}
        changed = (
            (_edge(row, marks, cleared), size)
            for row in rows
            if _place(row) in held
            for marks, size in [self._marks(group.type, row.properties)]
            if held[_place(row)] != marks["kg_hash"]
        )
        for batch in sized_batches(changed):
            self.run(statements.WRITE_EDGES[group], {"rows": batch})
            counted.add(edges_written=len(batch))
            self.progress(len(batch))

    def _write_at_once(self, statement: str, made: Iterable[list[dict[str, Any]]]) -> Iterator[int]:
        """Write the batches, a few at the same time, and yield how many rows each held; few are in memory."""
        with ThreadPoolExecutor(self.writers) as pool:
            waiting: deque[tuple[Future[list[dict[str, Any]]], int]] = deque()
            for batch in made:
                waiting.append((pool.submit(self.run, statement, {"rows": batch}), len(batch)))
                if len(waiting) > self.writers:
                    yield _finished(*waiting.popleft())
            while waiting:
                yield _finished(*waiting.popleft())

    def _marks(self, kind: str, properties: Mapping[str, Any]) -> tuple[dict[str, str], int]:
        digest, size = _digest(kind, properties)
        return {"kg_graph": self.graph_name, "kg_hash": digest}, size

    def _remove_nodes(self, label: str, ids: Iterable[str], counted: _Counted) -> None:
        for batch in batches(sorted(ids)):
            parameters = {"ids": batch, "graph": self.graph_name}
            edges = sum(row["removed"] for row in self.run(statements.REMOVE_EDGES_AT[label], parameters))
            for row in self.run(statements.REMOVE_NODES[label], parameters):
                counted.add(nodes_removed=row["removed"], foreign_edges_removed=row["others"])
            counted.add(edges_removed=edges)
            self.progress(len(batch))

    def _remove_edges(self, group: EdgeGroup, places: Iterable[EdgePlace], counted: _Counted) -> None:
        for batch in batches(sorted(places)):
            self.run(statements.REMOVE_EDGES[group], {"rows": [place._asdict() for place in batch]})
            counted.add(edges_removed=len(batch))
            self.progress(len(batch))

    def _with_totals(self, counts: LoadCounts) -> LoadCounts:
        parameters = {"graph": self.graph_name}
        nodes = sum(self.run(statement, parameters)[0]["n"] for statement in statements.COUNT_NODES.values())
        edges = sum(self.run(statement, parameters)[0]["n"] for statement in statements.COUNT_EDGES.values())
        return replace(counts, nodes=nodes, edges=edges)

    def _checked(self, graph: nx.MultiDiGraph, counts: LoadCounts) -> LoadCounts:
        counts = self._with_totals(counts)
        expected = (graph.number_of_nodes(), graph.number_of_edges())
        if (counts.nodes, counts.edges) != expected:
            raise StoreError(
                f"the server holds {counts.nodes} nodes and {counts.edges} edges of {expected[0]} and "
                f"{expected[1]}; "
                "did someone else write at the same time? Load again"
            )
        return counts


def bookkeeping(kind: str, properties: Mapping[str, Any], graph_name: str) -> dict[str, str]:
    """Return the properties that a load adds to a node of this label or an edge of this type."""
    return {"kg_graph": graph_name, "kg_hash": _digest(kind, properties)[0]}


def _digest(kind: str, properties: Mapping[str, Any]) -> tuple[str, int]:
    """Return a digest of what is written and its size in bytes."""
    text = _ENCODER.encode((kind, properties))
    return hashlib.blake2b(text, digest_size=12).hexdigest(), len(text)


def _edge(row: EdgeRow, marks: Mapping[str, str], cleared: Mapping[str, None]) -> dict[str, Any]:
    properties = {**cleared, **row.properties, **marks}
    return {"head": row.head, "key": row.key, "tail": row.tail, "properties": properties}


def _finished(writing: Future[list[dict[str, Any]]], rows: int) -> int:
    writing.result()
    return rows


def _place(row: EdgeRow) -> EdgePlace:
    return EdgePlace(row.head, row.key, row.tail)
