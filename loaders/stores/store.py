"""What every Cypher store can do, and the records it answers with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer of a query: column names in order and one tuple a row.

    Nodes are dicts with ``label`` and their properties; relationships dicts with ``type``, ``from``, ``to``
    (ids of the nodes) and their properties; paths dicts with ``nodes`` and ``relationships``, in order.
    """

    columns: tuple[str, ...]
    values: list[tuple[Any, ...]]

    def dicts(self) -> Iterator[dict[str, Any]]:
        """Yield each row as a dict keyed by column."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.values)


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """What a load changed, and what the store holds of the graph afterwards."""

    nodes: int = 0
    edges: int = 0
    nodes_written: int = 0
    edges_written: int = 0
    nodes_removed: int = 0
    edges_removed: int = 0
    foreign_edges_removed: int = 0


class Store(Protocol):
    """A place that holds a graph and answers Cypher."""

    def load(self, graph: nx.MultiDiGraph) -> LoadCounts:
        """Make the store hold exactly this graph; loading twice changes nothing."""

    def update(self, graph: nx.MultiDiGraph, nodes: Iterable[str]) -> LoadCounts:
        """Write these nodes of the graph and the edges at them, and leave the rest alone."""

    def remove(self, nodes: Sequence[str]) -> LoadCounts:
        """Remove these nodes and the edges at them."""

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = 60.0) -> Rows:
        """Answer a query that only reads, within ``timeout`` seconds."""

    def close(self) -> None:
        """Let go of the store."""
