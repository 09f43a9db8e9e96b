"""JSON in the node-link form of NetworkX: ``nx.node_link_graph(json.load(file), edges="edges")`` reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .whole import whole_file

if TYPE_CHECKING:
    import networkx as nx


def write_json(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write ``{"directed", "multigraph", "graph", "nodes", "edges"}``, one node or edge a line."""
    with whole_file(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.write('{"directed": true, "multigraph": true, "graph": {},\n"nodes": [')
        for number, (node, data) in enumerate(graph.nodes(data=True)):
            file.write(_line(number, {**data, "id": node}))
        file.write('\n],\n"edges": [')
        for number, (head, tail, key, data) in enumerate(graph.edges(keys=True, data=True)):
            file.write(_line(number, {"source": head, "target": tail, "key": key, **data}))
        file.write("\n]}\n")


def _line(number: int, record: dict[str, Any]) -> str:
    # Lone surrogates cannot be written as UTF-8; as \\u escapes they can.
    text = json.dumps(record, ensure_ascii=False)
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        text = json.dumps(record)
    return (",\n" if number else "\n") + text


def read_json(path: Path) -> nx.MultiDiGraph:
    """Read a graph that `write_json` wrote."""
    import networkx as nx

    graph = nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")
    for node, data in graph.nodes(data=True):
        data["id"] = node
    return graph
