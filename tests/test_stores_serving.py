"""A shared store answers any Bolt client, and no client reaches the graph or the disk."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.errors import QueryError, StoreError, UsageError
from loaders.stores import load_store
from loaders.stores.packstream import Structure, pack, unpack
from loaders.stores.queries import run_query
from loaders.stores.serving import EngineServer, Served, check_exposure, serve
from tests.toygraph import toy_graph

neo4j = pytest.importorskip("neo4j", reason="needs the extra neo4j")

PASSWORD = "a long password"
ENDLESS = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b % 7)"
ROOT = Path(__file__).parent.parent
SCRIPT = """
import sys
from pathlib import Path
from loaders.stores.queries import run_query
from loaders.stores.serving import serve
serve(Path(sys.argv[1]), password=sys.argv[2], port=0, seconds=3, ready=lambda served: print(served.port, flush=True))
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph") / "store"
    load_store(toy_graph(), folder)
    return folder


@pytest.fixture(scope="module")
def served(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """The port of a running server and the folder that holds its disposable copy."""
    temporary = tmp_path_factory.mktemp("temporary")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    server = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(store), PASSWORD], stdout=subprocess.PIPE, env=environment, text=True
    )
    assert server.stdout is not None
    yield int(server.stdout.readline()), temporary
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=30)
    assert server.returncode == 0
    assert list(temporary.iterdir()) == []


def connect(port: int, scheme: str = "bolt", password: str = PASSWORD) -> Any:
    return neo4j.GraphDatabase.driver(f"{scheme}://127.0.0.1:{port}", auth=("neo4j", password))


def digest(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_serve_answers_a_driver(served: tuple[int, Path], scheme: str) -> None:
    with connect(served[0], scheme) as driver:
        driver.verify_connectivity()
        records = driver.execute_query("MATCH (m:Method {name: $name}) RETURN m", name="LAMP").records
        assert records[0]["m"]["aliases"] == ["Lamp", "light map"]
        assert records[0]["m"].labels == {"Method"}
        with driver.session() as session:
            assert session.run("MATCH (n) RETURN count(n) AS n").single()["n"] == 34
            assert session.execute_read(lambda tx: tx.run("MATCH ()-[r]->() RETURN count(r) AS n").single()["n"]) == 72
            assert [row["x"] for row in session.run("UNWIND range(1, 3000) AS x RETURN x")] == list(range(1, 3001))
            path = session.run("MATCH p = (:Method {name: 'Lantern'})-[:TRAINED_ON]->() RETURN p").single()["p"]
            assert [node["id"] for node in path.nodes] == ["method:lantern", "data:toyset mini"]


ATTACKS = [
    "CREATE (n:Method {id: 'x'}) RETURN n",
    "MATCH (n) SET n.name = 'x'",
    "MATCH (n) DETACH DELETE n",
    "MERGE (n:Method {id: 'x'})",
    "LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
    "LOAD CSV FROM 'file://{inside}' AS line RETURN line",
    "LOAD CSV FROM 'http://127.0.0.1:1/x' AS line RETURN line",
    "CALL apoc.load.json('file:///etc/hostname') YIELD value RETURN value",
    "CALL apoc.export.csv.all('{outside}', {})",
    "CALL db.index.fulltext.createNodeIndex('x', ['Method'], ['name'])",
    "CALL dbms.listConfig()",
    "EXPORT DATABASE file://{outside}",
    "IMPORT DATABASE file:///etc/hostname",
    "BACKUP DATABASE file://{outside}",
    "CREATE DATABASE other",
    "DROP DATABASE kg",
    "ALTER DATABASE `arcadedb.opencypher.loadCsv.allowFileUrls` true",
    "CREATE USER x SET PASSWORD 'y'",
    "CREATE CONSTRAINT x FOR (n:Method) REQUIRE n.name IS UNIQUE",
    "DROP INDEX x",
    "SELECT FROM Method",
    "INSERT INTO Method SET id = 'x'",
    "RETURN eval('1')",
    "CALL { CREATE (n:Method) RETURN n } RETURN n",
    "MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS",
    "UNWIND [1] AS x FOREACH (y IN [1] | CREATE (:Method))",
    "RETURN '\\u0027 CREATE (n) //'",
]


def test_serve_lets_no_client_reach_the_graph_or_the_disk(
    served: tuple[int, Path], store: Path, tmp_path: Path
) -> None:
    before, outside = digest(store), tmp_path / "outside"
    copies = set(served[1].rglob("*"))
    with connect(served[0]) as driver:
        for mode in (neo4j.READ_ACCESS, neo4j.WRITE_ACCESS):
            for database in (None, "kg", "system"):
                with driver.session(default_access_mode=mode, database=database) as session:
                    for text in ATTACKS:
                        attack = text.replace("{outside}", str(outside)).replace("{inside}", str(store / "store.json"))
                        with pytest.raises(neo4j.exceptions.Neo4jError):
                            session.run(attack).consume()
                        with pytest.raises(neo4j.exceptions.Neo4jError), session.begin_transaction() as transaction:
                            transaction.run(attack).consume()
            with driver.session(default_access_mode=mode) as session:
                assert session.run("MATCH (n) RETURN count(n) AS n").single()["n"] == 34
    assert digest(store) == before
    assert not outside.exists()
    new = {path for path in set(served[1].rglob("*")) - copies if "log" not in path.parts}
    assert {path.name for path in new} <= {"statistics.json", "last-tx-id.bin", "server-groups.json"}


def test_serve_knows_its_users(served: tuple[int, Path]) -> None:
    for password in ("", "wrong", PASSWORD + "x"):
        with connect(served[0], password=password) as driver, pytest.raises(neo4j.exceptions.AuthError):
            driver.verify_connectivity()


def test_serve_stops_a_query_at_its_limit_and_goes_on(served: tuple[int, Path]) -> None:
    with connect(served[0]) as driver, driver.session() as session:
        with pytest.raises(neo4j.exceptions.Neo4jError, match="limit of 3 seconds"):
            session.run(ENDLESS).consume()
        assert session.run("RETURN 1 AS x").single()["x"] == 1


def test_serve_goes_on_when_the_engine_ends(store: Path) -> None:
    served: list[Served] = []
    listening = threading.Event()

    def note(where: Served) -> None:
        served.append(where)
        listening.set()

    others = engines()
    threading.Thread(target=lambda: serve(store, password="pw", port=0, ready=note), daemon=True).start()
    assert listening.wait(120)
    with neo4j.GraphDatabase.driver(served[0].uri, auth=("neo4j", "pw")) as driver, driver.session() as session:
        assert session.run("RETURN 1 AS x").single()["x"] == 1
        for engine in engines() - others:
            os.kill(engine, signal.SIGKILL)
        with pytest.raises(neo4j.exceptions.TransientError, match="ask again"):
            session.run("RETURN 2 AS x").consume()
        assert session.run("RETURN 3 AS x").single()["x"] == 3


def engines() -> set[int]:
    """The engine servers that are children of this process."""
    listed = list(Path("/proc/self/task").glob("*/children"))
    if not listed:
        pytest.skip("needs /proc to see child processes")
    children = {int(child) for path in listed for child in path.read_text().split()}
    return {pid for pid in children if b"engine_server" in Path(f"/proc/{pid}/cmdline").read_bytes()}


WRONG = [
    ("MATCH (n RETURN", "Syntax error at line 1:9 - no viable alternative at input '(n RETURN'"),
    (
        "MATCH (n)\nWHERE n.x = = 1 RETURN n",
        "Syntax error at line 2:12 - extraneous input '=', expected: an expression",
    ),
    ("MATCH (n) RETURN m", "UndefinedVariable: Variable 'm' not defined"),
    ("EXPLAIN RETURN m", "UndefinedVariable: Variable 'm' not defined"),
    ("RETURN 1 AS a, 2 AS a", "ColumnNameConflict: Column name 'a' is defined more than once"),
    ("RETURN sum(sum(1))", "NestedAggregation: Nested aggregation functions are not allowed"),
    ("RETURN abs('x')", "Type mismatch: abs() expects an INTEGER or a FLOAT argument but got STRING"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=[wrong for wrong, _ in WRONG])
def test_serve_says_what_is_wrong_with_a_query_as_the_store_itself_does(
    served: tuple[int, Path], store: Path, wrong: str, message: str
) -> None:
    with pytest.raises(QueryError) as inside:
        run_query(store / "database", wrong)
    with connect(served[0]) as driver, pytest.raises(neo4j.exceptions.CypherSyntaxError) as outside:
        driver.execute_query(wrong)
    assert outside.value.code == "Neo.ClientError.Statement.SyntaxError"
    assert outside.value.message == str(inside.value) == message


FAILING = [
    ("MATCH (n RETURN", "Neo.ClientError.Statement.SyntaxError"),
    ("MATCH (n) RETURN m", "Neo.ClientError.Statement.SyntaxError"),
    ("RETURN 1 / 0", "Neo.ClientError.Statement.ArithmeticError"),
    ("UNWIND [1, 0] AS x RETURN 1 / x", "Neo.ClientError.Statement.ArithmeticError"),
    ("RETURN $missing", "Neo.ClientError.Statement.ParameterMissing"),
    ("CREATE (n)", "Neo.ClientError.Statement.AccessMode"),
]


def in_a_driver_query(driver: Any, query: str) -> list[Any]:
    return [record.values() for record in driver.execute_query(query).records]


def in_a_session(driver: Any, query: str) -> list[Any]:
    with driver.session() as session:
        return [record.values() for record in session.run(query)]


def in_a_managed_transaction(driver: Any, query: str) -> list[Any]:
    with driver.session() as session:
        return list(session.execute_read(lambda transaction: transaction.run(query).values()))


def in_an_explicit_transaction(driver: Any, query: str) -> list[Any]:
    with driver.session() as session, session.begin_transaction() as transaction:
        assert transaction.run("RETURN 1 AS x").single()["x"] == 1
        values = list(transaction.run(query).values())
        transaction.commit()
        return values


WAYS = [in_a_driver_query, in_a_session, in_a_managed_transaction, in_an_explicit_transaction]


@pytest.mark.parametrize(("wrong", "code"), FAILING, ids=[wrong for wrong, _ in FAILING])
@pytest.mark.parametrize("ask", WAYS, ids=[way.__name__ for way in WAYS])
def test_serve_answers_on_a_connection_after_ten_failures(
    served: tuple[int, Path], ask: Callable[[Any, str], list[Any]], wrong: str, code: str
) -> None:
    with neo4j.GraphDatabase.driver(
        f"bolt://127.0.0.1:{served[0]}", auth=("neo4j", PASSWORD), max_connection_pool_size=1
    ) as driver:
        for _ in range(10):
            with pytest.raises(neo4j.exceptions.ClientError) as failure:
                ask(driver, wrong)
            assert failure.value.code == code
        for way in (ask, *WAYS):
            assert way(driver, "MATCH (n) RETURN count(n) AS n") == [[34]]


@pytest.mark.parametrize("ask", WAYS, ids=[way.__name__ for way in WAYS])
def test_serve_answers_many_queries_on_a_connection(
    served: tuple[int, Path], ask: Callable[[Any, str], list[Any]]
) -> None:
    with connect(served[0]) as driver:
        for _ in range(50):
            assert ask(driver, "RETURN 1 AS x") == [[1]]


def test_serve_answers_on_a_session_after_ten_failures(served: tuple[int, Path]) -> None:
    with connect(served[0]) as driver, driver.session() as session:
        for _ in range(10):
            with pytest.raises(neo4j.exceptions.CypherSyntaxError):
                session.run("MATCH (n RETURN").consume()
            assert session.run("RETURN 1 AS x").single()["x"] == 1
        for _ in range(10):
            transaction = session.begin_transaction()
            assert transaction.run("RETURN 1 AS x").single()["x"] == 1
            transaction.rollback()
        assert session.run("MATCH (n) RETURN count(n) AS n").single()["n"] == 34


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x60\x60\xb0\x17" + b"\x00" * 16,
        b"\x60\x60\xb0\x17" + bytes((0, 0, 4, 5)) * 4 + b"\xff" * 70_000,
    ],
    ids=["nothing", "http", "no version", "garbage"],
)
def test_serve_hangs_up_on_nonsense_and_goes_on(served: tuple[int, Path], message: bytes) -> None:
    import socket

    with socket.create_connection(("127.0.0.1", served[0]), timeout=10) as client:
        client.sendall(message)
        client.shutdown(socket.SHUT_WR)
        while client.recv(1 << 16):
            pass
    with connect(served[0]) as driver:
        driver.verify_connectivity()


def test_serve_wants_a_logon_before_a_query(served: tuple[int, Path]) -> None:
    import socket

    run = pack(Structure(0x10, ("RETURN 1", {}, {})))
    with socket.create_connection(("127.0.0.1", served[0]), timeout=10) as client:
        client.sendall(b"\x60\x60\xb0\x17" + bytes((0, 0, 4, 5)) + bytes(12))
        client.sendall(len(run).to_bytes(2, "big") + run + b"\0\0")
        assert client.recv(4) == bytes((0, 0, 4, 5))
        assert client.recv(1 << 16) == b""


def test_engine_behind_refuses_writes_and_files_by_itself(store: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(store / "database", tmp_path / "databases" / "kg")
    with EngineServer(tmp_path) as engine:
        behind = engine.behind
        uri = f"bolt://127.0.0.1:{behind.port}"
        with neo4j.GraphDatabase.driver(uri, auth=(behind.user, behind.password)) as driver:
            for attack in ("CREATE (:Method {id: 'x'})", "LOAD CSV FROM 'file:///etc/hostname' AS l RETURN l"):
                with pytest.raises(neo4j.exceptions.Neo4jError), driver.session() as session:
                    session.run(attack).consume()
        with (
            neo4j.GraphDatabase.driver(uri, auth=(behind.user, PASSWORD)) as driver,
            pytest.raises(neo4j.exceptions.ClientError),
        ):
            driver.verify_connectivity()


def test_serve_refuses_weak_passwords_beyond_this_machine_and_taken_ports(
    store: Path, served: tuple[int, Path]
) -> None:
    for host in ("0.0.0.0", "192.168.1.5", "example.org"):
        for password in ("short", "aaaaaaaaaaaaaaa"):
            with pytest.raises(UsageError, match="lets other machines in"):
                check_exposure(host, password)
        check_exposure(host, "correct horse battery")
    check_exposure("127.0.0.1", "short")
    with pytest.raises(UsageError, match="needs a password"):
        check_exposure("127.0.0.1", "")
    with pytest.raises(UsageError, match="choose another port"):
        serve(store, password=PASSWORD, port=served[0])
    with pytest.raises(StoreError, match="make it again from the graph"):
        serve(store / "nothing", password=PASSWORD)


def test_serve_runs_in_a_thread(store: Path) -> None:
    ready: list[Served] = []
    listening = threading.Event()

    def note(where: Served) -> None:
        ready.append(where)
        listening.set()

    threading.Thread(target=lambda: serve(store, password="pw", port=0, ready=note), daemon=True).start()
    assert listening.wait(60)
    with neo4j.GraphDatabase.driver(ready[0].uri, auth=(ready[0].user, "pw")) as driver:
        assert driver.execute_query("RETURN 1 AS x").records[0]["x"] == 1


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        -16,
        -17,
        127,
        128,
        -129,
        40_000,
        -40_000,
        1 << 40,
        -(1 << 63),
        1.5,
        "",
        "é" * 300,
        "x" * 70_000,
        b"ab",
        [1, [2]],
        {"a": {"b": None}},
        list(range(300)),
        {str(n): n for n in range(300)},
    ],
    ids=lambda value: repr(value)[:20],
)
def test_packstream_reads_what_it_writes(value: object) -> None:
    assert unpack(pack(value)) == value
    assert unpack(pack(Structure(0x10, (value,)))) == Structure(0x10, (value,))


@pytest.mark.parametrize(
    "data", [b"", b"\x81", b"\xd0\xff", b"\xc7", b"\xc0\xc0", b"\x81\xff", b"\x91" * 100, b"\xa1\x90\x01"]
)
def test_packstream_refuses_nonsense(data: bytes) -> None:
    with pytest.raises(ValueError, match="not PackStream"):
        unpack(data)
    with pytest.raises((TypeError, OverflowError)):
        pack({"x": 1 << 70})
