"""Turn what the Neo4j driver answers into the same plain values that the embedded store gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kg import schema

from .results import own_properties, plain_scalar

#: Element id of an edge -> ids of the nodes at its ends.
Ends = Mapping[str, tuple[Any, Any]]


def plain_rows(rows: Sequence[Sequence[Any]], look_up: Callable[[list[str]], Ends]) -> list[tuple[Any, ...]]:
    """Return rows of plain values; ``look_up`` finds the ends of edges, which the driver leaves bare."""
    edges = sorted({edge.element_id for row in rows for edge in _edges(row)})
    ends = look_up(edges) if edges else {}
    return [tuple(_plain(value, ends) for value in row) for row in rows]


def _edges(value: Any) -> Iterator[Any]:
    from neo4j.graph import Path, Relationship

    if isinstance(value, Relationship):
        yield value
    elif isinstance(value, Path):
        yield from value.relationships
    elif isinstance(value, Mapping):
        yield from _edges(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _edges(item)


def _plain(value: Any, ends: Ends) -> Any:
    from neo4j.graph import Node, Path, Relationship

    if isinstance(value, Node):
        return {"label": _label(value.labels), **own_properties(dict(value))}
    if isinstance(value, Relationship):
        head, tail = ends.get(value.element_id, (None, None))
        return {"type": value.type, "from": head, "to": tail, **own_properties(dict(value))}
    if isinstance(value, Path):
        return {
            "nodes": [_plain(node, ends) for node in value.nodes],
            "relationships": [_plain(edge, ends) for edge in value.relationships],
        }
    if isinstance(value, Mapping):
        return {str(name): _plain(item, ends) for name, item in value.items()}
    if hasattr(value, "iso_format"):  # asked before the tuples, of which a duration is one
        return value.iso_format()
    if isinstance(value, list | tuple):
        return [_plain(item, ends) for item in value]
    return plain_scalar(value)


def _label(labels: Iterable[str]) -> str:
    """Return our label of a node that may carry others too."""
    return min(labels, key=lambda label: (label not in schema.NODE_LABELS, label), default="")
