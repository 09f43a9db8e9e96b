"""The embedded store, a real Neo4j and NetworkX give the same answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from kg import schema
from loaders.stores import Rows, load_store, query
from loaders.stores.embedded import DATABASE
from loaders.stores.engine import import_engine
from loaders.stores.neo4j_store import Neo4jStore
from tests.bolt_servers import WIPE, neo4j_address
from tests.parity_queries import QUERIES, Parity
from tests.toygraph import NASTY, toy_graph

EVERY_QUERY = pytest.mark.parametrize("parity", QUERIES, ids=lambda parity: parity.name)


def graph_for_parity() -> nx.MultiDiGraph:
    """The toy graph without the name that is too long for an index of Neo4j."""
    graph = toy_graph()
    graph.remove_node(f"method:{NASTY['long']}")
    return graph


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph") / "store"
    load_store(graph_for_parity(), folder)
    return folder


@pytest.fixture(scope="module")
def neo4j() -> Iterator[Neo4jStore]:
    with Neo4jStore(neo4j_address(), "toy") as opened:
        opened.load(graph_for_parity())
        yield opened
        opened.run(WIPE, {})


def comparable(value: Any) -> Any:
    """Numbers as numbers (800.0 is 800), rounded where sums of floats may differ in the last digit."""
    if isinstance(value, float | int) and not isinstance(value, bool):
        return ("number", round(float(value), 9) if math.isfinite(value) else str(value))
    if isinstance(value, dict):
        return ("map", tuple(sorted((name, comparable(item)) for name, item in value.items())))
    if isinstance(value, list | tuple):
        return ("list", tuple(comparable(item) for item in value))
    return (type(value).__name__, value)


def rows_of(parity: Parity, rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    compared = [comparable(row) for row in rows]
    return compared if parity.ordered else sorted(compared, key=repr)


def test_parity_suite_is_large_enough() -> None:
    assert len(QUERIES) >= 40
    assert len({parity.name for parity in QUERIES}) == len({parity.cypher for parity in QUERIES}) == len(QUERIES)


@EVERY_QUERY
def test_embedded_store_answers_with_rows_as_networkx_does(store: Path, parity: Parity) -> None:
    answer = query(store, parity.cypher, parity.parameters)
    assert answer.values
    if parity.by_networkx is not None:
        assert rows_of(parity, answer.values) == rows_of(parity, parity.by_networkx(graph_for_parity()))


@pytest.mark.neo4j
@EVERY_QUERY
def test_neo4j_answers_as_the_embedded_store_does(store: Path, neo4j: Neo4jStore, parity: Parity) -> None:
    embedded, served = (
        query(store, parity.cypher, parity.parameters),
        neo4j.query(parity.cypher, parity.parameters),
    )
    assert embedded.columns == served.columns
    assert rows_of(parity, embedded.values) == rows_of(parity, served.values)


@pytest.mark.parametrize("edge_type", list(schema.EDGES))
def test_some_query_needs_each_edge_type(tmp_path: Path, edge_type: str) -> None:
    graph = graph_for_parity()
    graph.remove_edges_from([edge for edge in graph.edges(keys=True) if edge[2].split(":")[0] == edge_type])
    load_store(graph, tmp_path / "store")
    with import_engine().open_database(str(tmp_path / "store" / DATABASE), read_only=True) as database:
        empty = [
            parity.name
            for parity in QUERIES
            if not database.query("opencypher", parity.cypher, dict(parity.parameters)).to_list()
        ]
    assert empty


def test_rows_are_dicts_by_column() -> None:
    assert list(Rows(("a", "b"), [(1, 2)]).dicts()) == [{"a": 1, "b": 2}]
