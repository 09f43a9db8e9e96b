"""What an index of Neo4j can hold: longer ids and names are cut there, in the same way each time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from .records import EdgeGroup, EdgeRow, edge_rows, node_rows

if TYPE_CHECKING:
    import networkx as nx

# A range index holds values of up to 8,167 bytes and a text index of up to 32,766.
_LONGEST_ID: Final = 4_000
_LONGEST_NAME: Final = 32_000
_KEPT: Final = 200


def server_id(node: str) -> str:
    """Return the id of a node on a server: itself, or its beginning and a digest if it is very long.

    >>> server_id("method:lamp"), len(server_id("method:" + "x" * 10_000))
    ('method:lamp', 225)
    """
    text = node.encode("utf-8")
    if len(text) <= _LONGEST_ID:
        return node
    return f"{node[:_KEPT]}…{hashlib.blake2b(text, digest_size=12).hexdigest()}"


def server_node(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of a node with an id and a name that an index can hold."""
    fitted = {**properties, "id": server_id(properties["id"])}
    name = str(fitted.get("name", ""))
    if len(name.encode("utf-8")) > _LONGEST_NAME:
        fitted["name"] = name.encode("utf-8")[:_LONGEST_NAME].decode("utf-8", "ignore") + "…"
    return fitted


def server_edge(edge: EdgeRow) -> EdgeRow:
    """Return an edge between the ids that a server knows."""
    return EdgeRow(server_id(edge.head), edge.key, server_id(edge.tail), edge.properties)


def server_rows(
    graph: nx.MultiDiGraph, nodes: Iterable[str] | None = None
) -> tuple[dict[str, list[dict[str, Any]]], dict[EdgeGroup, list[EdgeRow]]]:
    """Return the nodes by label and the edges by group as a server can hold them."""
    chosen = None if nodes is None else list(nodes)
    rows = {label: [server_node(row) for row in members] for label, members in node_rows(graph, chosen).items()}
    return rows, {kind: [server_edge(row) for row in members] for kind, members in edge_rows(graph, chosen).items()}
