"""Servers that tests talk Bolt to: the embedded engine's own, and a real Neo4j where one is named."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from loaders.stores.engine import import_engine
from loaders.stores.engine_server import DATABASE
from loaders.stores.neo4j_address import Address, address
from loaders.stores.packstream import Structure, pack, unpack
from loaders.stores.serving import EngineServer
from loaders.stores.statements import EMBEDDED_SCHEMA, EMBEDDED_SWITCHES

WIPE = "MATCH (n) DETACH DELETE n"


@contextmanager
def engine_address(root: Path) -> Iterator[Address]:
    """Run the embedded engine's Bolt server on an empty database that may be written."""
    with import_engine().create_database(str(root / "databases" / DATABASE)) as database:
        for statement in (*EMBEDDED_SWITCHES, *EMBEDDED_SCHEMA):
            database.command("sql", statement)
    with EngineServer(root, read_only=False) as engine:
        behind = engine.behind
        yield Address(f"bolt://127.0.0.1:{behind.port}", behind.user, behind.password, behind.database)


def neo4j_address() -> Address:
    """Return the Neo4j server that NEO4J_URI names; skip where there is none or where it holds anything."""
    driver = pytest.importorskip("neo4j", reason="needs the extra neo4j")
    if not os.environ.get("NEO4J_URI"):
        pytest.skip("needs a Neo4j server in NEO4J_URI; make neo4j starts one")
    place = address()
    with driver.GraphDatabase.driver(place.uri, auth=(place.user, place.password)) as connected:
        held = connected.execute_query("MATCH (n) RETURN count(n) AS n").records[0]["n"]
    if held:
        pytest.skip(f"needs an empty database, which the tests may wipe; the one in NEO4J_URI holds {held} nodes")
    return place


@contextmanager
def cut_after(place: Address, size: int) -> Iterator[Address]:
    """Yield an address that leads to ``place``, and breaks each connection after ``size`` bytes from the client."""
    host, _, port = place.uri.rpartition("//")[2].partition(":")
    listener = socket.create_server(("127.0.0.1", 0))

    def forward() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection((host, int(port)))
                threading.Thread(target=copy, args=(client, server, size), daemon=True).start()
                threading.Thread(target=copy, args=(server, client, 1 << 60), daemon=True).start()

    threading.Thread(target=forward, daemon=True).start()
    try:
        uri = f"bolt://127.0.0.1:{listener.getsockname()[1]}"
        yield Address(uri, place.user, place.password, place.database)
    finally:
        listener.close()


def copy(source: socket.socket, target: socket.socket, left: int) -> None:
    with suppress(OSError):
        while left > 0 and (data := source.recv(min(left, 65_536))):
            target.sendall(data)
            left -= len(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def server_that_says(agent: str) -> Iterator[str]:
    """Yield the URI of a Bolt server that greets with a name and knows nothing else."""
    listener = socket.create_server(("127.0.0.1", 0))

    def greet() -> None:
        with suppress(OSError, ValueError):
            while True:
                client, _ = listener.accept()
                client.recv(20)
                client.sendall(bytes((0, 0, 4, 4)))
                while (data := client.recv(65_536)) and len(data) > 4:
                    said = {"server": agent, "connection_id": "bolt-1"} if unpack(data[2:-2]).tag == 1 else {}
                    answer = pack(Structure(0x70, (said,)))
                    client.sendall(len(answer).to_bytes(2, "big") + answer + b"\0\0")

    threading.Thread(target=greet, daemon=True).start()
    try:
        yield f"bolt://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()
