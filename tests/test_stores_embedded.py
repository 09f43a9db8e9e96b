"""The embedded store holds the graph, answers Cypher and gives way to nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import networkx as nx
import pytest

from kg import schema
from kg.errors import QueryError, StoreError
from loaders.stores import is_store, load_store, query
from loaders.stores.embedded import DATABASE, EmbeddedStore
from loaders.stores.engine import add_edges, edges_text, first_line, import_engine
from tests.toygraph import NASTY, toy_graph

ENDLESS = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b % 7)"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph") / "store"
    load_store(toy_graph(), folder)
    return folder


def dump(folder: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """All that a store holds, sorted."""
    nodes = query(folder, "MATCH (n) RETURN n.id, labels(n), properties(n)").values
    edges = query(folder, "MATCH (a)-[r]->(b) RETURN a.id, type(r), b.id, properties(r)").values
    return sorted(map(repr, map(_sorted, nodes))), sorted(map(repr, map(_sorted, edges)))  # type: ignore[return-value]


def _sorted(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(sorted(item.items()) if isinstance(item, dict) else item for item in row)


def test_store_holds_every_node_with_its_attributes(store: Path) -> None:
    graph = toy_graph()
    rows = query(store, "MATCH (n) RETURN n.id AS id, labels(n) AS labels, properties(n) AS properties").dicts()
    held = {row["id"]: {"label": row["labels"][0], **row["properties"]} for row in rows}
    assert held == dict(graph.nodes(data=True))


def test_store_holds_every_edge_with_its_attributes(store: Path) -> None:
    graph = toy_graph()
    rows = query(
        store, "MATCH (a)-[r]->(b) RETURN a.id AS a, b.id AS b, type(r) AS type, properties(r) AS properties"
    ).dicts()
    held = sorted(((r["a"], r["b"], {"type": r["type"], **r["properties"]}) for r in rows), key=repr_of_edge)
    expected = sorted(((a, b, dict(d)) for a, b, d in graph.edges(data=True)), key=repr_of_edge)
    assert held == expected


@pytest.mark.parametrize("entry", ["_gb", "no such entry"])
def test_add_edges_writes_the_same_with_and_without_the_entry_of_the_engine(tmp_path: Path, entry: str) -> None:
    edges = [{"support": 2, "confidence": 0.5, "sources": ["a\n", '"é🜁'], "starts": [-1, 7], "sure": True}, {}]
    database = import_engine().create_database(str(tmp_path / "database"))
    for statement in ("CREATE VERTEX TYPE Place", "CREATE EDGE TYPE Way"):
        database.command("sql", statement)
    with database.graph_batch(use_wal=False) as batch:
        one, two = batch.create_vertices("Place", 2)
        seen = SimpleNamespace(new_edges=batch.new_edges, **{entry: batch._gb})
        add_edges(seen, edges_text("Way", [one, two], [two, one], [json.dumps(edge) for edge in edges]))
    found = database.query("opencypher", "MATCH (a:Place)-[r:Way]->(b) RETURN a, b, properties(r) AS held")
    rows = sorted(
        ((row["a"]["@rid"], row["b"]["@rid"], row["held"]) for row in found.to_list()), key=lambda row: row[0]
    )
    database.close()
    assert rows == [(one, two, edges[0]), (two, one, edges[1])]


def test_store_holds_edges_of_many_papers(tmp_path: Path) -> None:
    graph = toy_graph()
    head, tail, key = next(edge for edge in graph.edges(keys=True) if edge[2] == schema.USED_FOR)
    sentences = [f"In paper {i} the lantern maps Tromsø at night." for i in range(5000)]
    graph.edges[head, tail, key]["evidence_sentences"] = sentences
    counts = load_store(graph, tmp_path / "store")
    rows = query(
        tmp_path / "store",
        "MATCH ({id: $head})-[r:USED_FOR]->({id: $tail}) RETURN r.evidence_sentences AS sentences",
        {"head": head, "tail": tail},
    )
    assert rows.values == [(sentences,)]
    assert query(tmp_path / "store", "MATCH ()-[r]->() RETURN count(r)").values == [(counts.edges,)]


def repr_of_edge(edge: tuple[str, str, dict[str, object]]) -> str:
    return f"{edge[0]} {edge[1]} {sorted(edge[2].items())}"


@pytest.mark.parametrize("name", NASTY.values(), ids=NASTY)
def test_query_finds_a_nasty_name_by_parameter(store: Path, name: str) -> None:
    rows = query(store, "MATCH (m:Method {name: $name}) RETURN m.id, m.name", {"name": name})
    assert rows.values == [(f"method:{name}", name)]
    assert query(store, "MATCH (n) RETURN count(n) AS n").values == [(34,)]


def test_query_keeps_the_order_of_columns_and_names_those_of_no_rows(store: Path) -> None:
    cypher = "MATCH (t:Task {name: $name}) RETURN t.name, t.papers AS papers, t.nothing AS a"
    assert query(store, cypher, {"name": "mapping"}).columns == ("t.name", "papers", "a")
    assert query(store, cypher, {"name": "mapping"}).values == [("mapping", 3, None)]
    empty = query(store, cypher, {"name": "zz"})
    assert (empty.columns, empty.values) == (("t.name", "papers", "a"), [])


def test_query_answers_nodes_relationships_and_paths_as_plain_dicts(store: Path) -> None:
    rows = query(store, "MATCH p = (m:Method {name: 'Lantern'})-[r:TRAINED_ON]->(d) RETURN p, [r] AS rs, {d: d} AS map")
    (path, relationships, held) = rows.values[0]
    assert [node["id"] for node in path["nodes"]] == ["method:lantern", "data:toyset mini"]
    assert path["relationships"] == relationships
    assert {name: relationships[0][name] for name in ("type", "from", "to", "support", "evidence_papers")} == {
        "type": "TRAINED_ON",
        "from": "method:lantern",
        "to": "data:toyset mini",
        "support": 1,
        "evidence_papers": ["p2"],
    }
    assert held == {"d": {"label": "Dataset", "id": "data:toyset mini", "name": "ToySet-mini", "papers": 1}}
    assert list(path["nodes"][0]) == ["label", "id", "name", "introduced_in", "papers"]


def test_query_follows_a_path_against_its_edges(store: Path) -> None:
    ends = "(a:Paper {id: 'paper:p4'})-[*..4]-(b:Dataset {id: 'data:toyset'})"
    (path, length) = query(store, f"MATCH p = shortestPath({ends}) RETURN p, length(p) AS n").values[0]
    undirected = nx.Graph(toy_graph())
    assert length == nx.shortest_path_length(undirected, "paper:p4", "data:toyset") == len(path["relationships"])
    assert all(
        {edge["from"], edge["to"]} == {head["id"], tail["id"]}
        for head, edge, tail in zip(path["nodes"], path["relationships"], path["nodes"][1:], strict=False)
    )


def test_query_leaves_text_that_looks_like_a_path_alone(store: Path) -> None:
    assert query(store, "RETURN '(#1:0)-[#7:0]->(#4:0)' AS text").values == [("(#1:0)-[#7:0]->(#4:0)",)]


@pytest.mark.parametrize(
    ("cypher", "said"),
    [
        ("MATCH (n RETURN n", "Syntax error at line 1:9"),
        ("RETURN 1/0 AS x", "/ by zero"),
        ("MATCH (n) RETURN m", "m"),
        ("CREATE (n)", "only read"),
        ("LOAD CSV FROM 'file:///etc/hostname' AS l RETURN l", "only read"),
        ("MATCH (n:Method) RETURN n.name = $missing", "missing"),
    ],
)
def test_query_tells_an_error_in_one_line(store: Path, cypher: str, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        query(store, cypher)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "com.arcadedb" not in str(caught.value)


def test_query_refuses_parameters_that_cypher_does_not_know(store: Path) -> None:
    for value in (object(), b"x", float("nan"), 1 << 63, "\ud800", {1, 2}):
        with pytest.raises(QueryError, match="a parameter is neither"):
            query(store, "RETURN $x AS x", {"x": value})
    with pytest.raises(QueryError, match="time limit is 0 seconds"):
        query(store, "RETURN 1 AS x", timeout=0)


def test_query_stops_at_its_time_limit_and_the_store_stays_whole(store: Path) -> None:
    with pytest.raises(QueryError, match="ran past its limit of 1 seconds"):
        query(store, ENDLESS, timeout=1)
    assert query(store, "RETURN 1 AS x").values == [(1,)]


def test_query_ends_its_child_at_an_interrupt(store: Path) -> None:
    call = f"query(Path({str(store)!r}), {ENDLESS!r}, timeout=300)"
    # A shell starts what runs in the background with interrupts ignored; here they count in any case.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{heed}\nfrom pathlib import Path\nfrom loaders.stores import query\n{call}"
    root = Path(__file__).resolve().parents[1]
    parent = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(root)}, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 120
    while not (children := children_of(parent.pid)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    parent.send_signal(signal.SIGINT)
    parent.communicate(timeout=60)
    # A child that was still starting ends by itself when it finds no request.
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert query(store, "RETURN 1 AS x").values == [(1,)]


def children_of(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if not Path("/proc/self/task").exists():
        pytest.skip("needs /proc to see child processes")
    return [int(child) for child in listed.read_text().split()]


@pytest.mark.parametrize("kind", ["file:///etc/hostname", "http://127.0.0.1:1/x"])
def test_store_itself_refuses_to_load_files_and_addresses(store: Path, kind: str) -> None:
    arcadedb = import_engine()
    with arcadedb.open_database(str(store / DATABASE), read_only=True) as database:
        with pytest.raises(arcadedb.ArcadeDBError) as caught:
            database.query("opencypher", f"LOAD CSV FROM '{kind}' AS line RETURN line").to_list()
        assert "disabled" in first_line(caught.value)


def test_store_missing_or_damaged_is_said_and_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with pytest.raises(StoreError, match="make it again from the graph"):
        query(folder, "RETURN 1 AS x")
    assert not is_store(folder)
    load_store(toy_graph(), folder)
    assert is_store(folder)
    (folder / DATABASE / "schema.json").write_text("{")
    (folder / DATABASE / "schema.prev.json").unlink(missing_ok=True)
    with pytest.raises(StoreError, match="make it again from the graph"):
        query(folder, "MATCH (m:Method) RETURN m.name")
    load_store(toy_graph(), folder)
    assert query(folder, "MATCH (n) RETURN count(n) AS n").values == [(34,)]


def test_load_store_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    load_store(toy_graph(), folder)
    broken = toy_graph()
    broken.add_edge("task:mapping", "paper:p1", key="MENTIONS", type="MENTIONS")
    with pytest.raises(StoreError, match="the schema forbids"):
        load_store(broken, folder)
    broken = toy_graph()
    broken.add_node("x:x", id="x:x", label="Method`) DETACH DELETE n //", name="x")
    with pytest.raises(StoreError, match="which the schema does not have"):
        load_store(broken, folder)

    def interrupt(written: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_store(toy_graph(), folder, progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
    assert query(folder, "MATCH (n) RETURN count(n) AS n").values == [(34,)]


def test_load_store_twice_is_loading_once(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    load_store(toy_graph(), first)
    load_store(toy_graph(), second)
    counts = load_store(toy_graph(), second)
    assert (counts.nodes, counts.edges) == (34, 72)
    assert dump(first) == dump(second)


def test_load_store_reports_progress_and_takes_an_empty_graph(tmp_path: Path) -> None:
    steps: list[int] = []
    load_store(toy_graph(), tmp_path / "store", progress=steps.append)
    assert sum(steps) == 34 + 72
    load_store(nx.MultiDiGraph(), tmp_path / "empty")
    assert query(tmp_path / "empty", "MATCH (n:Method) RETURN n.name").values == []


def test_update_and_remove_give_what_loading_anew_gives(tmp_path: Path) -> None:
    graph = toy_graph()
    store = EmbeddedStore(tmp_path / "store")
    store.load(graph)
    graph.nodes["method:lamp"]["name"] = "LAMP2"
    del graph.nodes["method:lamp"]["aliases"]
    graph.nodes["data:toyset"]["label"] = "Benchmark"
    graph.remove_edge("method:lamp", "data:toybench", key="EVALUATED_ON")
    graph.add_node("task:new", id="task:new", label="Task", name="new", papers=1)
    graph.add_edge("method:lamp", "task:new", key="USED_FOR", type="USED_FOR", support=1, confidence=0.5)
    graph.remove_node("paper:p3")
    removed = store.remove(["paper:p3", "paper:nowhere"])
    assert (removed.nodes_removed, removed.edges_removed) == (1, 12)
    counts = store.update(graph, ["method:lamp", "task:new", "data:toyset"])
    assert (counts.nodes, counts.edges) == (graph.number_of_nodes(), graph.number_of_edges())
    load_store(graph, tmp_path / "anew")
    assert dump(tmp_path / "store") == dump(tmp_path / "anew")


def test_store_lists_the_labels_and_types_of_the_schema(store: Path) -> None:
    labels = query(store, "CALL db.labels() YIELD label RETURN label").values
    types = query(store, "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType").values
    assert {label for (label,) in labels} == set(schema.NODE_LABELS)
    assert {edge_type for (edge_type,) in types} == set(schema.EDGES)
