"""The tables of a graph that a build changes: those that graphs are read from, and what the next build has to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from kg.elements import Edge, Evidence, Node
from kg.link_tables import table_of
from kg.tables import EDGES, EVIDENCE, EXTRA, MENTIONS, MERGES, NODES, TEXTS

_TEXT: Final = pa.string()
#: What papers call the nodes beside entities (see `kg.assembly.Other`).
OTHERS: Final = pa.schema(dict.fromkeys(("paper", "node", "label", "name"), _TEXT))
#: What the name of an entity may say that it is a kind of, as words and as normal forms, and what it is a kind of.
KINDS: Final = pa.schema(
    {"child": _TEXT, "words": TEXTS, "forms": TEXTS, "parent": _TEXT, "said": _TEXT, "type": _TEXT}
)
#: How much of a paper was left out, by reason.
DROPPED: Final = pa.schema({"paper": _TEXT, "reason": _TEXT, "count": pa.int32()})


@dataclass(frozen=True, slots=True)
class GraphTables:
    """All tables of a graph beside those of papers and of linking.

    ``circles`` are the kind-of edges that would make a thing a kind of itself: a graph does without them, but the next
    one may not.
    """

    nodes: pa.Table = field(default_factory=NODES.empty_table)
    edges: pa.Table = field(default_factory=EDGES.empty_table)
    evidence: pa.Table = field(default_factory=EVIDENCE.empty_table)
    mentions: pa.Table = field(default_factory=MENTIONS.empty_table)
    merges: pa.Table = field(default_factory=MERGES.empty_table)
    others: pa.Table = field(default_factory=OTHERS.empty_table)
    kinds: pa.Table = field(default_factory=KINDS.empty_table)
    circles: pa.Table = field(default_factory=EDGES.empty_table)
    circle_evidence: pa.Table = field(default_factory=EVIDENCE.empty_table)
    dropped: pa.Table = field(default_factory=DROPPED.empty_table)


def node_table(nodes: Sequence[Node]) -> pa.Table:
    """Return nodes as a table."""
    columns: dict[str, list[Any]] = {name: [node.attributes.get(name) for node in nodes] for name in NODES.names}
    columns["id"] = [node.id for node in nodes]
    columns["digest"] = [node.digest for node in nodes]
    return pa.table([columns[name] for name in NODES.names], schema=NODES)


def edge_table(edges: Sequence[Edge]) -> pa.Table:
    """Return edges as a table, without their evidence."""
    columns: dict[str, list[Any]] = {name: [edge.extra.get(name) for edge in edges] for name in EXTRA}
    for name in ("source", "target", "key", "type", "support", "confidence"):
        columns[name] = [getattr(edge, name) for edge in edges]
    columns["evidence"] = [len(edge.evidence) for edge in edges]
    columns["digest"] = [edge.digest for edge in edges]
    return pa.table([columns[name] for name in EDGES.names], schema=EDGES)


def evidence_table(edges: Sequence[Edge]) -> pa.Table:
    """Return the evidence of edges, in their order, as a table."""
    return table_of([row for edge in edges for row in edge.evidence], EVIDENCE)


def read_edges(edges: pa.Table, evidence: pa.Table) -> list[Edge]:
    """Return rows of `EDGES` with the rows of evidence that belong to them, in their order."""
    rows = list(map(Evidence._make, zip(*(evidence[name].to_pylist() for name in EVIDENCE.names), strict=True)))
    made, start = [], 0
    for row in edges.to_pylist():
        end = start + row["evidence"]
        extra = {name: row[name] for name in EXTRA if row[name] is not None}
        names = (row["source"], row["target"], row["key"], row["type"])
        made.append(Edge(*names, rows[start:end], extra, row["support"], row["confidence"]))
        start = end
    return made
