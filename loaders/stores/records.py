"""Turn a graph into the rows that stores hold: nodes by label, edges by (head label, type, tail label)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kg import schema
from kg.errors import StoreError

if TYPE_CHECKING:
    import networkx as nx


class EdgeGroup(NamedTuple):
    """Edges that one statement can write: labels and type are part of its text."""

    head_label: str
    type: str
    tail_label: str


class EdgeRow(NamedTuple):
    """One edge: ids of its ends, its key between them and its properties."""

    head: str
    key: str
    tail: str
    properties: dict[str, Any]


_COMMON: Final = frozenset({"support", "confidence"}) | {
    f"evidence_{part}"
    for part in (
        "papers",
        "sentences",
        "head_starts",
        "head_ends",
        "tail_starts",
        "tail_ends",
        "scores",
        "sources",
    )
}
_ENTITY: Final = frozenset({"name", "aliases", "papers", "introduced_in", "sense"})
_OF_LABEL: Final = MappingProxyType(
    {
        schema.PAPER: frozenset({"paper_id", "name", "title", "year", "venue", "url", "doi", "arxiv_id", "authors"}),
        schema.LINK: frozenset({"name", "url", "kind"}),
        **dict.fromkeys(schema.ENTITY_TYPES, _ENTITY),
    }
)
_OF_TYPE: Final = MappingProxyType(
    {
        schema.INTRODUCES: frozenset({"count", "salience"}),
        schema.MENTIONS: frozenset({"count", "salience"}),
        schema.HAS_TOPIC: frozenset({"score"}),
        schema.LINKS_TO: frozenset({"kind"}),
        schema.REPORTED: frozenset({"value", "metric", "baseline", "paper"}),
    }
)


_WHOLE: Final = frozenset({int})


def property_names(kind: str, rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the properties of a label or type that a graph may set or clear, and those in the rows."""
    if kind in schema.EDGES:
        known = _COMMON | _OF_TYPE.get(kind, frozenset())
    else:
        known = _OF_LABEL.get(kind, frozenset({"name", "papers"}))
    return sorted(known.union(*rows))


def node_rows(graph: nx.MultiDiGraph, nodes: Iterable[str] | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return the properties of the nodes by label, in graph order; ``id`` is one of them.

    Raises:
        StoreError: for a label that the schema does not have.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    for node in graph if nodes is None else nodes:
        attributes = graph.nodes[node]
        label = _known(attributes.get("label"), schema.NODE_LABELS, node)
        rows.setdefault(label, []).append({**_properties(attributes, "label"), "id": storable(node)})
    return rows


def edge_rows(graph: nx.MultiDiGraph, nodes: Iterable[str] | None = None) -> dict[EdgeGroup, list[EdgeRow]]:
    """Return the edges (those at the given nodes, if any are given) by group, in graph order.

    Raises:
        StoreError: for an edge that the schema does not have.
    """
    rows: dict[EdgeGroup, list[EdgeRow]] = {}
    for group, row in _grouped(graph, nodes):
        rows.setdefault(group, []).append(row)
    return rows


def edge_batches(graph: nx.MultiDiGraph, size: int) -> Iterator[tuple[str, list[EdgeRow]]]:
    """Yield (type, up to ``size`` edges of that type) until all edges were given; few are held at a time.

    Raises:
        StoreError: for an edge that the schema does not have.
    """
    held: dict[str, list[EdgeRow]] = {}
    for group, row in _grouped(graph, None):
        rows = held.setdefault(group.type, [])
        rows.append(row)
        if len(rows) == size:
            yield group.type, held.pop(group.type)
    yield from held.items()


def _grouped(graph: nx.MultiDiGraph, nodes: Iterable[str] | None) -> Iterator[tuple[EdgeGroup, EdgeRow]]:
    labels = {node: str(data.get("label", "")) for node, data in graph.nodes(data=True)}
    ids = {node: storable(node) for node in labels}
    checked: set[EdgeGroup] = set()
    for head, tail, key, attributes in _edges(graph, nodes):
        group = EdgeGroup(labels[head], attributes.get("type", ""), labels[tail])
        if group not in checked:
            _check_group(group, f"{head} -> {tail}")
            checked.add(group)
        yield group, EdgeRow(ids[head], storable(str(key)), ids[tail], _properties(attributes, "type"))


def _check_group(group: EdgeGroup, where: str) -> None:
    edge_type = _known(group.type, schema.EDGES, where)
    if (group.head_label, group.tail_label) not in schema.EDGES[edge_type]:
        raise StoreError(
            f"edge {where} of type {edge_type} joins {group.head_label} and {group.tail_label}: the schema forbids it"
        )


def _edges(graph: nx.MultiDiGraph, nodes: Iterable[str] | None) -> Iterable[tuple[str, str, str, dict[str, Any]]]:
    if nodes is None:
        yield from graph.edges(keys=True, data=True)
        return
    seen: set[tuple[str, str, str]] = set()
    for node in nodes:
        for head, tail, key, attributes in (
            *graph.out_edges(node, keys=True, data=True),
            *graph.in_edges(node, keys=True, data=True),
        ):
            if (head, tail, key) not in seen:
                seen.add((head, tail, key))
                yield head, tail, key, attributes


def _known(name: object, names: Iterable[str] | Mapping[str, object], where: str) -> str:
    if not isinstance(name, str) or name not in names:
        raise StoreError(f"{where} is a {name!r}, which the schema does not have; expected one of {', '.join(names)}")
    return name


def _properties(attributes: Mapping[str, Any], left_out: str) -> dict[str, Any]:
    # Runs over every value of a graph: what needs no change is told by its type, most lists by that of their one item.
    kept = {}
    for name, value in attributes.items():
        one = value[0] if type(value) is list and len(value) == 1 else value
        kind = type(one)
        if kind is int or kind is float or (kind is str and one.isascii()):
            kept[name] = value
        elif value is not None and value != []:
            kept[name] = storable(value)
    kept.pop(left_out, None)
    return kept


def storable(value: Any) -> Any:
    """Return a value that every store can hold: text that UTF-8 can encode, lists of one type of number.

    >>> storable([1, 0.5]), storable("a\\ud800b")
    ([1.0, 0.5], 'a\\ufffdb')
    """
    if isinstance(value, str):
        return _encodable(value)
    if isinstance(value, list | tuple):
        kinds = set(map(type, value))
        if kinds <= _WHOLE or kinds == {float} or (kinds == {str} and "".join(value).isascii()):
            return value
        items = [storable(item) for item in value]
        return [float(item) for item in items] if float in kinds else items
    return value


def _encodable(text: str) -> str:
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    # Through UTF-16 a pair of surrogates becomes its character, a lone one U+FFFD.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
