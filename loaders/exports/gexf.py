"""GEXF 1.2, which Gephi and ``nx.read_gexf`` read.

In GEXF a node's label is what is shown, so the label of the graph (Method, Task, ...) is the attribute
``node_label``, and an edge's weight is its support. Lists are JSON text; the titles of their attributes end
in ``_list``. The key that an edge has between two nodes is the attribute ``networkx_key``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from .flat import LIST, edge_types, from_text, node_types, to_text
from .whole import whole_file
from .xml_text import xml_text

if TYPE_CHECKING:
    import networkx as nx

_HEAD: Final = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
<graph defaultedgetype="directed" mode="static">
"""
_TYPES: Final = {"bool": "boolean", "int": "long", "float": "double", "str": "string", LIST: "string"}
_LIST_END: Final = "_list"
_LABEL: Final = "node_label"
_KEY: Final = "networkx_key"


def write_gexf(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write the whole graph."""
    nodes = {_LABEL if name == "label" else name: kind for name, kind in node_types(graph).items()}
    edges = {**edge_types(graph), _KEY: "str"}
    with whole_file(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_HEAD)
        node_numbers = _declare(file, nodes, "node")
        edge_numbers = _declare(file, edges, "edge")
        file.write("<nodes>\n")
        for node, data in graph.nodes(data=True):
            file.write(_node(node, data, node_numbers))
        file.write("</nodes>\n<edges>\n")
        for number, (head, tail, key, data) in enumerate(graph.edges(keys=True, data=True)):
            file.write(_edge(number, (head, tail), {**data, _KEY: str(key)}, edge_numbers))
        file.write("</edges>\n</graph>\n</gexf>\n")


def _declare(file: IO[str], types: Mapping[str, str], what: str) -> dict[str, int]:
    """Declare the attributes and return the number of each."""
    numbers = {name: number for number, name in enumerate(types)}
    file.write(f'<attributes class="{what}" mode="static">\n')
    for name, kind in types.items():
        title = name + _LIST_END if kind == LIST else name
        file.write(f'<attribute id="{numbers[name]}" title="{title}" type="{_TYPES[kind]}"/>\n')
    file.write("</attributes>\n")
    return numbers


def _node(node: str, data: Mapping[str, Any], numbers: Mapping[str, int]) -> str:
    shown = xml_text(str(data.get("name", node)))
    renamed = {_LABEL if name == "label" else name: value for name, value in data.items()}
    return f'<node id="{xml_text(node)}" label="{shown}">{_values(renamed, numbers)}</node>\n'


def _edge(number: int, ends: tuple[str, str], data: Mapping[str, Any], numbers: Mapping[str, int]) -> str:
    head, tail = map(xml_text, ends)
    weight = f' weight="{data["support"]}"' if "support" in data else ""
    return f'<edge id="{number}" source="{head}" target="{tail}"{weight}>{_values(data, numbers)}</edge>\n'


def _values(data: Mapping[str, Any], numbers: Mapping[str, int]) -> str:
    values = (f'<attvalue for="{numbers[name]}" value="{xml_text(to_text(value))}"/>' for name, value in data.items())
    return f"<attvalues>{''.join(values)}</attvalues>"


def read_gexf(path: Path) -> nx.MultiDiGraph:
    """Read a graph that `write_gexf` wrote; lists are lists again."""
    import networkx as nx

    read = nx.MultiDiGraph(nx.read_gexf(path))
    graph = nx.MultiDiGraph()
    for node, data in read.nodes(data=True):
        label = data.pop(_LABEL, None)
        graph.add_node(node, **_restored({**data, "label": label} if label else data))
    for head, tail, key, data in read.edges(keys=True, data=True):
        added = {name: value for name, value in data.items() if name not in ("id", "weight")}
        graph.add_edge(head, tail, key=key, **_restored(added))
    return graph


def _restored(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.removesuffix(_LIST_END): from_text(value, LIST) if name.endswith(_LIST_END) else value
        for name, value in data.items()
    }
