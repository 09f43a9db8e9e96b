"""Cypher stores: derived copies of a graph in engines that answer queries. The graph is the truth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .store import LoadCounts, Rows, Store

if TYPE_CHECKING:
    import networkx as nx

    from .embedded import Progress

__all__ = ["LoadCounts", "Rows", "Store", "is_store", "load_store", "query"]


def load_store(graph: nx.MultiDiGraph, folder: Path, *, progress: Progress | None = None) -> LoadCounts:
    """Write the graph as an embedded store into ``folder``. See `loaders.stores.embedded.load_store`."""
    from .embedded import load_store as load

    return load(graph, folder, progress=progress)


def is_store(folder: Path) -> bool:
    """Say whether ``folder`` holds a whole embedded store of the current layout."""
    from .embedded import is_store as check

    return check(folder)


def query(folder: Path, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = 60.0) -> Rows:
    """Answer a query that only reads from the embedded store in ``folder``, within ``timeout`` seconds.

    Raises:
        QueryError: when the query is refused or wrong, or ran past its time.
        StoreError: when the store is missing or damaged: load it again from the graph.
    """
    from .embedded import query_store

    return query_store(folder, cypher, parameters, timeout=timeout)
