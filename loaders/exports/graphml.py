"""GraphML, which ``nx.read_graphml``, yEd, Cytoscape and Gephi read.

Lists are JSON text in string attributes; the graph's attribute ``list_attributes`` names them (a JSON list),
and the edges carry the key they have between two nodes as attribute ``edge_key``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from .flat import LIST, edge_types, from_text, node_types, to_text
from .whole import whole_file
from .xml_text import xml_text

if TYPE_CHECKING:
    import networkx as nx

_HEAD: Final = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns
 http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""
_TYPES: Final = {"bool": "boolean", "int": "long", "float": "double", "str": "string", LIST: "string"}
_LISTS: Final = "list_attributes"
_KEY: Final = "edge_key"


def write_graphml(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write the whole graph."""
    nodes, edges = node_types(graph), {**edge_types(graph), _KEY: "str"}
    with whole_file(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_HEAD)
        node_keys = _declare(file, nodes, "node")
        edge_keys = _declare(file, edges, "edge")
        file.write(f'<key id="g0" for="graph" attr.name="{_LISTS}" attr.type="string"/>\n')
        lists = sorted({name for name, kind in (*nodes.items(), *edges.items()) if kind == LIST})
        file.write(f'<graph edgedefault="directed"><data key="g0">{xml_text(json.dumps(lists))}</data>\n')
        for node, data in graph.nodes(data=True):
            file.write(f'<node id="{xml_text(node)}">{_values(data, node_keys)}</node>\n')
        for number, (head, tail, key, data) in enumerate(graph.edges(keys=True, data=True)):
            ends = f'id="e{number}" source="{xml_text(head)}" target="{xml_text(tail)}"'
            file.write(f"<edge {ends}>{_values({**data, _KEY: str(key)}, edge_keys)}</edge>\n")
        file.write("</graph>\n</graphml>\n")


def _declare(file: IO[str], types: Mapping[str, str], what: str) -> dict[str, str]:
    """Declare the attributes and return the key of each."""
    keys = {name: f"{what[0]}{number}" for number, name in enumerate(types)}
    for name, kind in types.items():
        names = f'id="{keys[name]}" for="{what}" attr.name="{name}"'
        file.write(f'<key {names} attr.type="{_TYPES[kind]}"/>\n')
    return keys


def _values(data: Mapping[str, Any], keys: Mapping[str, str]) -> str:
    return "".join(f'<data key="{keys[name]}">{xml_text(to_text(value))}</data>' for name, value in data.items())


def read_graphml(path: Path) -> nx.MultiDiGraph:
    """Read a graph that `write_graphml` wrote; lists are lists again."""
    import networkx as nx

    read = nx.read_graphml(path, force_multigraph=True)
    lists = set(json.loads(read.graph[_LISTS]))
    graph = nx.MultiDiGraph()
    graph.add_nodes_from((node, _restored(data, lists)) for node, data in read.nodes(data=True))
    for head, tail, data in read.edges(data=True):
        graph.add_edge(head, tail, key=data.pop(_KEY), **_restored(data, lists))
    return graph


def _restored(data: Mapping[str, Any], lists: set[str]) -> dict[str, Any]:
    return {name: from_text(value, LIST) if name in lists else value for name, value in data.items()}
