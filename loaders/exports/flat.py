"""Lists as text for formats that have none, and back.

A list is written as JSON text (``["a", "b"]``). Each export names its list attributes, so that reading it
gives lists again and text that only looks like JSON stays text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import networkx as nx

LIST: Final = "list"
_NAMES: Final = {bool: "bool", int: "int", float: "float", str: "str", list: LIST}


def attribute_types(records: Iterable[Mapping[str, Any]], *, where: str) -> dict[str, str]:
    """Return each attribute's type (bool, int, float, str or list), sorted by name.

    An attribute that is int here and float there is float.

    Raises:
        TypeError: when an attribute is of two other types, or of none of these.
    """
    found: dict[str, str] = {}
    # A million edges come in few shapes: one record of each tells as much as all.
    shapes = {(tuple(record), tuple(map(type, record.values()))): record for record in records}
    for record in shapes.values():
        for name, value in record.items():
            kind = _NAMES.get(type(value))
            before = found.setdefault(name, kind or "")
            if kind is None:
                raise TypeError(f"attribute {name} of {where} is a {type(value).__name__}")
            if before != kind:
                found[name] = _wider(before, kind, f"{name} of {where}")
    return dict(sorted(found.items()))


def _wider(first: str, second: str, what: str) -> str:
    if {first, second} == {"int", "float"}:
        return "float"
    raise TypeError(f"attribute {what} is {first} in one place and {second} in another")


def node_types(graph: nx.MultiDiGraph) -> dict[str, str]:
    """Return the type of each node attribute."""
    return attribute_types((data for _, data in graph.nodes(data=True)), where="a node")


def edge_types(graph: nx.MultiDiGraph) -> dict[str, str]:
    """Return the type of each edge attribute."""
    return attribute_types((data for *_, data in graph.edges(data=True)), where="an edge")


def to_text(value: Any) -> str:
    """Return a value as text: lists as JSON, booleans as true and false.

    >>> to_text(["a", 1]), to_text(0.5), to_text(True)
    ('["a", 1]', '0.5', 'true')
    """
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def from_text(text: str, kind: str) -> Any:
    """Return the value that `to_text` wrote.

    >>> from_text('["a", 1]', "list"), from_text("0.5", "float"), from_text("true", "bool")
    (['a', 1], 0.5, True)
    """
    if kind == LIST:
        return json.loads(text)
    if kind == "bool":
        return text == "true"
    return {"int": int, "float": float, "str": str}[kind](text)
