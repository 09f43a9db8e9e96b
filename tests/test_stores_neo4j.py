"""Loading over Bolt: the same tests on the embedded engine's own server and on a real Neo4j."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from kg import schema
from kg.errors import QueryError, StoreError, UsageError
from loaders.stores import load_store, query, statements
from loaders.stores.limits import server_id
from loaders.stores.neo4j_address import Address, address
from loaders.stores.neo4j_store import Neo4jStore
from loaders.stores.records import EdgeGroup
from tests.bolt_servers import WIPE, cut_after, engine_address, neo4j_address, server_that_says
from tests.toygraph import NASTY, toy_graph

pytest.importorskip("neo4j", reason="needs the extra neo4j")

SERVERS = [pytest.param("engine"), pytest.param("neo4j", marks=pytest.mark.neo4j)]


@pytest.fixture(scope="module", params=SERVERS)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    if request.param == "neo4j":
        yield neo4j_address()
    else:
        with engine_address(tmp_path_factory.mktemp("engine")) as found:
            yield found


@pytest.fixture
def store(place: Address) -> Iterator[Neo4jStore]:
    with Neo4jStore(place, "toy") as opened:
        yield opened
        opened.run(WIPE, {})


def held(store: Neo4jStore, *, marks: bool = False) -> tuple[dict[str, Any], list[Any]]:
    """All nodes and edges of ours on the server, as the graph has them."""
    nodes = store.run("MATCH (n) WHERE n.kg_graph = 'toy' RETURN labels(n) AS labels, properties(n) AS p", {})
    edges = store.run(
        "MATCH (a)-[r]->(b) WHERE r.kg_graph = 'toy' RETURN a.id AS a, b.id AS b, type(r) AS t, properties(r) AS p", {}
    )
    return (
        {row["p"]["id"]: {"label": label_of(row["labels"]), **plain(row["p"], marks)} for row in nodes},
        sorted(((r["a"], r["b"], {"type": r["t"], **plain(r["p"], marks)}) for r in edges), key=repr_of),
    )


def label_of(labels: list[str]) -> str:
    return next(label for label in labels if label in schema.NODE_LABELS)


def plain(properties: dict[str, Any], marks: bool) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if marks or not name.startswith("kg_")}


def repr_of(edge: tuple[str, str, dict[str, Any]]) -> str:
    return f"{edge[0]} {edge[1]} {sorted(edge[2].items())}"


def expected(graph: nx.MultiDiGraph) -> tuple[dict[str, Any], list[Any]]:
    nodes = {server_id(node): {**data, "id": server_id(node)} for node, data in graph.nodes(data=True)}
    edges = [(server_id(a), server_id(b), dict(data)) for a, b, data in graph.edges(data=True)]
    return nodes, sorted(edges, key=repr_of)


def changed_graph() -> nx.MultiDiGraph:
    """The toy graph after a rebuild: renamed, cleared, added, removed and moved from Dataset to Benchmark."""
    graph = toy_graph()
    graph.nodes["method:lamp"]["name"] = "LAMP2"
    del graph.nodes["method:lamp"]["aliases"]
    graph.nodes["data:toyset"]["label"] = "Benchmark"
    graph.edges["paper:p1", "method:lamp", "MENTIONS"]["count"] = 9
    del graph.edges["method:lamp", "data:toyset", "REPORTED:accuracy:90%:p2"]["metric"]
    graph.remove_edge("method:lamp", "data:toybench", key="EVALUATED_ON")
    graph.remove_node("paper:p3")
    graph.add_node("task:new", id="task:new", label="Task", name="new", papers=1)
    graph.add_edge("method:lamp", "task:new", key="USED_FOR", type="USED_FOR", support=1, confidence=0.5)
    return graph


def test_load_gives_the_graph_and_twice_changes_nothing(store: Neo4jStore) -> None:
    counts = store.load(toy_graph())
    assert (counts.nodes, counts.edges, counts.nodes_written, counts.edges_written) == (34, 72, 34, 72)
    assert held(store) == expected(toy_graph())
    before = held(store, marks=True)
    counts = store.load(toy_graph())
    assert (counts.nodes, counts.edges, counts.nodes_written, counts.edges_written) == (34, 72, 0, 0)
    assert held(store, marks=True) == before


def test_load_follows_the_graph(store: Neo4jStore) -> None:
    store.load(toy_graph())
    counts = store.load(changed_graph())
    assert held(store) == expected(changed_graph())
    assert (counts.nodes_written, counts.edges_written) == (3, 3)
    assert (counts.nodes_removed, counts.edges_removed, counts.foreign_edges_removed) == (1, 13, 0)
    store.load(toy_graph())
    assert held(store) == expected(toy_graph())


def test_load_mends_edges_that_two_loads_at_once_wrote_twice(store: Neo4jStore) -> None:
    store.load(toy_graph())
    group = EdgeGroup("Method", "USED_FOR", "Task")
    twice = {"head": "method:lamp", "key": "USED_FOR", "tail": "task:mapping", "properties": {"kg_graph": "toy"}}
    store.run(statements.NEW_EDGES[group], {"rows": [twice, twice]})
    counts = store.load(toy_graph())
    assert (counts.edges_written, counts.edges_removed) == (1, 1)
    assert held(store) == expected(toy_graph())


def test_load_leaves_what_others_added(store: Neo4jStore) -> None:
    store.load(toy_graph())
    store.run(
        "MATCH (m:Method {id: 'method:lamp'}) SET m.note = 'mine' CREATE (m)<-[:READ {on: 'Monday'}]-(:Reader {id: 1})",
        {},
    )
    store.run("MATCH (d {id: 'data:toyset'}) SET d.note = 'kept'", {})
    store.run(
        "MATCH (m:Method {id: 'method:lamp'})-[r:USED_FOR]->(t:Task) SET r.stars = 5 "
        "CREATE (m)-[:USED_FOR {own: 1}]->(t)",
        {},
    )
    store.run("MATCH (p:Paper {id: 'paper:p3'}), (n:Reader) CREATE (n)-[:READ]->(p)", {})
    counts = store.load(changed_graph())
    assert counts.foreign_edges_removed == 1
    mine = store.run(
        "MATCH (m:Method {id: 'method:lamp'})<-[r:READ]-(n) RETURN m.note AS note, m.name AS name, r.on AS day", {}
    )
    assert mine == [{"note": "mine", "name": "LAMP2", "day": "Monday"}]
    assert store.run("MATCH (d {id: 'data:toyset'}) RETURN d.note AS note", {}) == [{"note": "kept"}]
    used = store.run(
        "MATCH (:Method {id: 'method:lamp'})-[r:USED_FOR]->({id: 'task:mapping'}) RETURN r.stars AS s, r.own AS o", {}
    )
    assert sorted(used, key=str) == [{"s": 5, "o": None}, {"s": None, "o": 1}]
    assert store.run("MATCH (n:Reader) RETURN count(n) AS n", {}) == [{"n": 1}]
    store.load(nx.MultiDiGraph())
    assert store.run("MATCH (n) RETURN labels(n) AS labels", {}) == [{"labels": ["Reader"]}]


def test_load_refuses_a_database_with_another_graph(store: Neo4jStore) -> None:
    store.load(toy_graph())
    with pytest.raises(StoreError, match="holds the graph 'toy'"):
        Neo4jStore(store.address, "other").load(nx.MultiDiGraph())
    assert held(store) == expected(toy_graph())


def test_load_that_lost_its_connection_goes_on_when_run_again(store: Neo4jStore) -> None:
    store.prepare()
    with (
        cut_after(store.address, 20_000) as broken,
        Neo4jStore(broken, "toy", retry_seconds=0.5) as other,
        pytest.raises(StoreError, match="run again"),
    ):
        other.load(toy_graph())
    assert store.run("MATCH (n) RETURN count(n) > 0 AS some", {}) == [{"some": True}]
    store.load(toy_graph())
    assert held(store) == expected(toy_graph())


@pytest.mark.parametrize("size", [50_000, 60_000, 65_000, 70_000, 75_000])
def test_load_goes_on_over_lost_connections_and_doubles_nothing(store: Neo4jStore, size: int) -> None:
    store.prepare()
    with cut_after(store.address, size) as broken, Neo4jStore(broken, "toy") as other:
        other.load(toy_graph())
    assert held(store) == expected(toy_graph())


def test_load_stopped_in_the_middle_goes_on_when_run_again(store: Neo4jStore) -> None:
    written = 0

    def stop(more: int) -> None:
        nonlocal written
        written += more
        if written > 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Neo4jStore(store.address, "toy", stop).load(toy_graph())
    counts = store.load(toy_graph())
    assert 0 < counts.edges_written < 72
    assert held(store) == expected(toy_graph())


def test_update_and_remove_touch_what_they_name(store: Neo4jStore) -> None:
    store.load(toy_graph())
    graph = changed_graph()
    removed = store.remove(["paper:p3", "paper:nowhere"])
    assert (removed.nodes, removed.edges, removed.nodes_removed, removed.edges_removed) == (33, 60, 1, 12)
    counts = store.update(graph, ["method:lamp", "task:new", "data:toyset"])
    assert (counts.nodes_written, counts.edges_removed) == (3, 1)
    assert held(store) == expected(graph)


@pytest.mark.parametrize("name", NASTY.values(), ids=NASTY)
def test_query_finds_a_nasty_name(store: Neo4jStore, name: str) -> None:
    graph = toy_graph().subgraph([f"method:{name}"])
    store.load(nx.MultiDiGraph(graph))
    rows = store.query("MATCH (m:Method {name: $name}) RETURN m.id, m.name", {"name": name})
    assert rows.values == [(server_id(f"method:{name}"), name)]


def test_query_answers_as_the_embedded_store_does(store: Neo4jStore, tmp_path: Path) -> None:
    graph = toy_graph()
    graph.remove_node(f"method:{NASTY['long']}")
    store.load(graph)
    load_store(graph, tmp_path / "store")
    for cypher in (
        "MATCH p = (m:Method {name: 'Lantern'})-[r:TRAINED_ON]->(d) RETURN p, r, d, [r] AS rs, {d: d} AS map",
        "MATCH (m:Method) RETURN m ORDER BY m.id",
        "MATCH (m:Method {name: 'zz'}) RETURN m.name, m AS node",
        "RETURN date('2026-01-31') AS day, 1.5 AS x, null AS nothing, [1, 'a'] AS list",
    ):
        assert store.query(cypher) == query(tmp_path / "store", cypher)


def test_query_reads_only(store: Neo4jStore) -> None:
    store.load(toy_graph())
    for cypher in ("MATCH (n) DETACH DELETE n", "LOAD CSV FROM 'file:///etc/hostname' AS l RETURN l", "SHOW USERS"):
        with pytest.raises(QueryError):
            store.query(cypher)
    with pytest.raises(QueryError, match=r"yntax|Invalid input"):
        store.query("MATCH (n RETURN n")
    assert store.query("MATCH (n) RETURN count(n) AS n").values == [(34,)]


def test_store_tells_a_wrong_password_without_showing_it(place: Address) -> None:
    wrong = Address(place.uri, place.user, "not-the-secret", place.database)
    with pytest.raises(StoreError) as caught:
        Neo4jStore(wrong, "toy").load(toy_graph())
    assert "refuses user" in str(caught.value)
    assert "not-the-secret" not in f"{caught.value} {wrong!r} {Neo4jStore(wrong)!r}"


@pytest.mark.neo4j
def test_store_tells_an_unknown_database() -> None:
    place = neo4j_address()
    with pytest.raises(StoreError, match="has no database 'nowhere'"):
        Neo4jStore(Address(place.uri, place.user, place.password, "nowhere")).load(toy_graph())


@pytest.mark.neo4j
def test_neo4j_stops_a_query_at_its_time_limit() -> None:
    endless = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b % 7)"
    with Neo4jStore(neo4j_address()) as store, pytest.raises(QueryError, match="time limit"):
        store.query(endless, timeout=1)


@pytest.mark.neo4j
def test_neo4j_finds_names_and_aliases_in_the_full_text_index_and_keeps_labels() -> None:
    with Neo4jStore(neo4j_address(), "toy") as store:
        store.load(toy_graph())
        found = "CALL db.index.fulltext.queryNodes($index, $text) YIELD node, score RETURN node.id"
        for text in ("GN", '"light map"'):
            rows = store.query(found, {"index": statements.NAMES_INDEX, "text": text}).values
            assert rows[0] in (("method:graph network",), ("method:lamp",), ("topic:light maps",))
        store.run("MATCH (m {id: 'method:lamp'}) SET m:Favourite", {})
        store.run("MATCH (d {id: 'data:toyset'}) SET d:Favourite", {})
        store.load(changed_graph())
        kept = store.run("MATCH (m:Favourite) RETURN m.id AS id, labels(m) AS labels ORDER BY id", {})
        assert [(row["id"], sorted(row["labels"])) for row in kept] == [
            ("data:toyset", ["Benchmark", "Favourite"]),
            ("method:lamp", ["Favourite", "Method"]),
        ]
        assert store.query("MATCH (m:Favourite:Method) RETURN m").values[0][0]["label"] == "Method"
        online = store.run(
            "SHOW INDEXES YIELD name, state, type WHERE name STARTS WITH 'paperkg' RETURN state, type", {}
        )
        assert {row["state"] for row in online} == {"ONLINE"}
        assert [row["type"] for row in online].count("TEXT") == len(schema.NODE_LABELS)
        store.run(WIPE, {})


def test_store_tells_a_server_that_is_down() -> None:
    with pytest.raises(StoreError, match="no answer from a Neo4j server at"):
        Neo4jStore(Address("bolt://127.0.0.1:1")).load(toy_graph())


@pytest.mark.parametrize(
    ("agent", "said"),
    [("Neo4j/4.4.27", "is Neo4j 4.4.27; 5.0 or newer is needed"), ("Other/1.0", "is 'Other/1.0', not Neo4j")],
)
def test_store_tells_a_server_that_is_too_old(agent: str, said: str) -> None:
    with server_that_says(agent) as uri, pytest.raises(StoreError, match=said):
        Neo4jStore(Address(uri)).load(toy_graph())


def test_address_comes_from_options_then_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URI", "USERNAME", "PASSWORD", "DATABASE"):
        monkeypatch.delenv(f"NEO4J_{name}", raising=False)
    with pytest.raises(UsageError, match="set NEO4J_URI"):
        address()
    monkeypatch.setenv("NEO4J_URI", "neo4j+s://example.org")
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    assert address() == Address("neo4j+s://example.org", "neo4j", "secret", "")
    assert address("bolt://other:1", "ada", "pw", "db") == Address("bolt://other:1", "ada", "pw", "db")
    assert "secret" not in repr(address())
    for uri in ("bolt://neo4j:secret@example.org", "http://example.org", "example.org", "bolt://"):
        with pytest.raises(UsageError) as caught:
            address(uri)
        assert "secret" not in str(caught.value)


def test_statements_name_labels_and_types_of_the_schema_only() -> None:
    for group, text in statements.WRITE_EDGES.items():
        assert schema.allows(group.head_label, group.type, group.tail_label)
        assert text.count("`") == 6
    pairs = sum(len(pairs) for pairs in schema.EDGES.values())
    assert len(statements.WRITE_EDGES) == pairs
    assert set(statements.WRITE_NODES) == set(schema.NODE_LABELS)
