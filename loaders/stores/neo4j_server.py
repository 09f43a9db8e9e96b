"""Fetch, start and stop a Neo4j 5.26 Community server of one's own, for tests and for users without Docker.

``python -m loaders.stores.neo4j_server start`` fetches the server's libraries by Maven into a cache folder
(once), starts it on 127.0.0.1 and prints the lines that tell a shell where it is. Java 17 or 21 and Maven are
needed. Neo4j Community is GPL-3 software of its own: nothing of it is part of this package.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from kg.errors import KgError, StoreError

from .neo4j_libraries import cache_folder, fetch, java_command
from .ports import free_port

_START_SECONDS: Final = 180
_STOP_SECONDS: Final = 60
_SERVER_CLASS: Final = "org.neo4j.server.CommunityEntryPoint"
_ADMIN_CLASS: Final = "org.neo4j.cli.AdminTool"
_CONFIG: Final = """server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.heap.max_size=1g
server.memory.pagecache.size=512m
dbms.usage_report.enabled=false
"""
_STATE: Final = "server.json"
_PASSWORD: Final = "password"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that was started: its process, Bolt port and home folder, with the file ``password``."""

    pid: int
    port: int
    home: str

    @property
    def uri(self) -> str:
        """The address for drivers."""
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def password(self) -> str:
        """The password of the user neo4j, made at random for this home folder."""
        return (Path(self.home) / _PASSWORD).read_text(encoding="utf-8").strip()


def start(home: Path, *, port: int = 0, cache: Path | None = None) -> Server:
    """Start a server with its data in ``home`` and wait until it answers; a running one is returned as it is.

    Args:
        home: folder of data, logs, configuration and password; made if it is not there.
        port: Bolt port on 127.0.0.1, or 0 for a free one.
        cache: folder of the libraries, `cache_folder` if not given.

    Raises:
        StoreError: when the server does not come up.
    """
    running = current(home)
    if running is not None:
        return running
    libraries = fetch(cache)
    port = port or free_port()
    _configure(home, port)
    if not (home / _PASSWORD).exists():
        password = secrets.token_hex(24)  # neo4j-admin takes a leading dash for an option
        admin(home, ["dbms", "set-initial-password", password], cache=cache)
        _write_private(home / _PASSWORD, password)
    command = [*java_command(libraries), _SERVER_CLASS, f"--home-dir={home}", f"--config-dir={home / 'conf'}"]
    with (home / "server.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
    server = Server(process.pid, port, str(home))
    _write_private(home / _STATE, json.dumps(asdict(server)))
    _wait_for_bolt(server, process)
    return server


def _configure(home: Path, port: int) -> None:
    (home / "conf").mkdir(parents=True, exist_ok=True)
    (home / "conf" / "neo4j.conf").write_text(_CONFIG.format(port=port), encoding="utf-8")


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text + "\n", encoding="utf-8")


def _wait_for_bolt(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not _speaks_bolt(server.port):
        if process.poll() is not None or time.monotonic() > deadline:
            stop(Path(server.home))
            raise StoreError(f"Neo4j did not start; its log is {server.home}/server.log")
        time.sleep(0.5)


def _speaks_bolt(port: int) -> bool:
    """Say whether a Bolt server answers the handshake: it listens before it is ready."""
    handshake = bytes.fromhex("6060b017 00000405 00000005 00000404 00000000")
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(handshake)
            return any(connection.recv(4))
    except OSError:
        return False


def current(home: Path) -> Server | None:
    """Return the server that runs in ``home``, or None."""
    try:
        server = Server(**json.loads((home / _STATE).read_text(encoding="utf-8")))
        os.kill(server.pid, 0)
    except (OSError, ValueError, TypeError):
        return None
    return server if _speaks_bolt(server.port) else None


def stop(home: Path) -> None:
    """Stop the server in ``home`` by its process id; nothing happens if none runs."""
    try:
        pid = int(json.loads((home / _STATE).read_text(encoding="utf-8"))["pid"])
    except (OSError, ValueError, KeyError):
        return
    deadline = time.monotonic() + _STOP_SECONDS
    try:
        os.kill(pid, signal.SIGTERM)
        while time.monotonic() < deadline and not _ended(pid):
            time.sleep(0.2)
        if time.monotonic() >= deadline:
            os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    (home / _STATE).unlink(missing_ok=True)


def _ended(pid: int) -> bool:
    """Say whether the process is gone, and take its status if it is a child of this one."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        os.kill(pid, 0)
        return False


def admin(home: Path, arguments: Sequence[str], *, cache: Path | None = None) -> str:
    """Run neo4j-admin on the server in ``home`` and return what it printed.

    Raises:
        StoreError: when it fails.
    """
    if not (home / "conf" / "neo4j.conf").exists():
        _configure(home, free_port())
    environment = {**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    command = [*java_command(fetch(cache)), _ADMIN_CLASS, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()
        raise StoreError(f"neo4j-admin {' '.join(arguments[:2])} failed: {said}")
    return done.stdout + done.stderr


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``fetch``, ``start``, ``status``, ``stop`` or ``admin ...`` from a command line."""
    parser = argparse.ArgumentParser(prog="python -m loaders.stores.neo4j_server", description=__doc__)
    parser.add_argument("what", choices=("fetch", "start", "status", "stop", "admin"))
    parser.add_argument("--home", type=Path, default=cache_folder() / "home", help="data, logs and password")
    parser.add_argument("--port", type=int, default=0, help="Bolt port on 127.0.0.1 (default: a free one)")
    given, rest = parser.parse_known_args(arguments)
    home = given.home.resolve()
    try:
        if given.what == "fetch":
            print(fetch())
        elif given.what == "start":
            print(_shell_lines(start(home, port=given.port)))
        elif given.what == "stop":
            stop(home)
        elif given.what == "admin":
            print(admin(home, rest), end="")
        elif (server := current(home)) is None:
            print(f"no server runs in {home}", file=sys.stderr)
            return 1
        else:
            print(_shell_lines(server))
    except KgError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _shell_lines(server: Server) -> str:
    return (
        f"export NEO4J_URI={server.uri} NEO4J_USERNAME=neo4j\n"
        f"export NEO4J_PASSWORD=\"$(cat '{server.home}/{_PASSWORD}')\""
    )


if __name__ == "__main__":
    sys.exit(main())
