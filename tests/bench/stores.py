"""How fast the stores load and answer, on a made-up literature.

``python -m tests.bench.stores embedded`` loads it into an embedded store and asks typical queries.
``python -m tests.bench.stores neo4j`` loads it over the driver and by neo4j-admin into servers of its own (fetched
by Maven), and a slice of it one edge a transaction, as a naive loader would.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx

from loaders.exports import export
from loaders.exports.neo4j_admin import import_arguments
from loaders.stores import load_store, neo4j_server, query
from loaders.stores.limits import server_rows
from loaders.stores.neo4j_address import Address
from loaders.stores.neo4j_store import Neo4jStore
from loaders.stores.records import EdgeGroup
from loaders.stores.statements import WRITE_EDGES
from tests.bench.literature import literature

#: Asked about the most connected nodes of their label ($method, $task, ...), which are the dearest to ask about.
QUERIES = {
    "lookup by name": "MATCH (m:Method {name: $method}) RETURN m.id, m.papers",
    "neighbours": "MATCH (m:Method {name: $method})-[r:USED_FOR]->(t) RETURN t.name, r.support LIMIT 20",
    "two hops": "MATCH (m:Method {name: $method})-[:USED_FOR]->(t)<-[:USED_FOR]-(o:Method) "
    "RETURN o.name, count(DISTINCT t) AS n ORDER BY n DESC, o.name LIMIT 10",
    "two hops over papers": "MATCH (m:Method {name: $method})<-[:MENTIONS]-(p)-[:MENTIONS]->(d:Dataset) "
    "RETURN d.name, count(*) AS n ORDER BY n DESC, d.name LIMIT 10",
    "top methods of a task": "MATCH (m:Method)-[r:USED_FOR]->(t:Task {name: $task}) "
    "RETURN m.name, r.support ORDER BY r.support DESC, m.name LIMIT 10",
    "top tasks": "MATCH (m:Method)-[:USED_FOR]->(t:Task) RETURN t.name, count(*) AS n ORDER BY n DESC, t.name LIMIT 10",
    "shortest path": "MATCH (a:Method {name: $rare}), (b:Dataset {name: $dataset}), "
    "p = shortestPath((a)-[*..6]-(b)) RETURN [n IN nodes(p) | n.name] AS names",
    "papers of a year on a topic": "MATCH (p:Paper)-[:HAS_TOPIC]->(t:Topic {name: $topic}) WHERE p.year = 2024 "
    "RETURN p.title ORDER BY p.title LIMIT 10",
    "count all": "MATCH (n) RETURN count(n) AS n",
}


def asked(graph: nx.MultiDiGraph) -> dict[str, str]:
    """Return the parameters of the queries: the most connected node of each label, and a method of few edges."""
    best: dict[str, str] = {}
    for node, data in graph.nodes(data=True):
        label = data["label"].lower()
        if graph.degree(node) > graph.degree(best.get(label, node)) or label not in best:
            best[label] = node
    best["rare"] = next(node for node in graph if node.startswith("method:") and graph.degree(node) == 2)
    return {name: graph.nodes[node]["name"] for name, node in best.items()}


def timed(name: str, work: Callable[[], Any]) -> float:
    """Run, print how long it took, and return that."""
    start, busy = time.perf_counter(), time.process_time()
    work()
    seconds = time.perf_counter() - start
    print(f"{name:<44} {seconds:8.2f} s ({time.process_time() - busy:.2f} s of this process)", flush=True)
    return seconds


def embedded(graph: nx.MultiDiGraph, folder: Path) -> None:
    """Load into an embedded store, then ask each query twice, with the start of the process that answers."""
    timed("embedded bulk load", lambda: load_store(graph, folder / "store"))
    size = sum(path.stat().st_size for path in (folder / "store").rglob("*") if path.is_file())
    print(f"{'embedded store on disk':<44} {size / 1e6:8.0f} MB")
    parameters = asked(graph)
    for name, cypher in QUERIES.items():
        wanted = {key: value for key, value in parameters.items() if f"${key}" in cypher}
        for when in ("first", "again"):
            timed(f"query, {when}: {name}", lambda: query(folder / "store", cypher, wanted))  # noqa: B023
        assert query(folder / "store", cypher, wanted).values, name


def row_by_row(store: Neo4jStore, graph: nx.MultiDiGraph, count: int) -> float:
    """Return how many edges a second a loader writes that sends one MERGE on indexed ids a transaction."""
    group = EdgeGroup("Method", "USED_FOR", "Task")
    rows = server_rows(graph)[1][group][:count]
    start = time.perf_counter()
    for row in rows:
        store.run(WRITE_EDGES[group], {"rows": [{**row_parameter(row), "properties": row.properties}]})
    return len(rows) / (time.perf_counter() - start)


def row_parameter(row: Any) -> dict[str, str]:
    """Return the place of an edge, under a key of its own so that it is a new edge each time."""
    return {"head": row.head, "tail": row.tail, "key": f"{row.key}:again"}


def neo4j(graph: nx.MultiDiGraph, folder: Path, slice_: int) -> None:
    """Load over the driver and by neo4j-admin, and compare with a slice that is loaded row by row."""
    items = graph.number_of_nodes() + graph.number_of_edges()
    server = neo4j_server.start(folder / "driver")
    try:
        with Neo4jStore(Address(server.uri, "neo4j", server.password), "literature") as store:
            store.prepare()
            driver = timed("Neo4j over the driver", lambda: store.load(graph))
            timed("Neo4j over the driver, again (nothing new)", lambda: store.load(graph))
            rate = row_by_row(store, graph, slice_)
            print(f"{'edges a second over the driver':<44} {items / driver:8.0f}")
            print(f"{f'edges a second row by row ({slice_} edges)':<44} {rate:8.0f}")
            print(f"{'driver to row by row':<44} {items / driver / rate:8.1f} times", flush=True)
    finally:
        neo4j_server.stop(folder / "driver")
    timed("export for neo4j-admin", lambda: export(graph, folder / "files", "neo4j-admin"))
    neo4j_server.admin(folder / "bulk", ["--version"])
    report = f"--report-file={folder / 'import.report'}"
    command = ["database", "import", "full", "neo4j", report, *import_arguments(folder / "files")]
    bulk = timed("neo4j-admin import", lambda: neo4j_server.admin(folder / "bulk", command))
    print(f"{'neo4j-admin to driver':<44} {driver / bulk:8.1f} times")


def main() -> None:
    """Run one benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("embedded", "neo4j"))
    parser.add_argument("--nodes", type=int, default=160_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--slice", type=int, default=500, help="edges that are loaded row by row")
    given = parser.parse_args()
    start = time.perf_counter()
    graph = literature(given.nodes, given.edges)
    print(
        f"{graph.number_of_nodes()} nodes, {graph.number_of_edges()} edges made in {time.perf_counter() - start:.0f} s"
    )
    folder = Path(tempfile.mkdtemp(prefix="kg-bench-"))
    try:
        if given.what == "embedded":
            embedded(graph, folder)
        else:
            neo4j(graph, folder, given.slice)
    finally:
        shutil.rmtree(folder)
    print(f"{'peak memory of this process':<44} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:8.1f} GB")


if __name__ == "__main__":
    main()
