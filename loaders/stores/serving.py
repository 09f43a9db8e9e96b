"""Share an embedded store over Bolt: a disposable copy behind a server that lets only reading through."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.errors import StoreError, UsageError

from .bolt_proxy import Gate, serve_bolt
from .bolt_wire import Behind
from .embedded import DATABASE as STORED
from .embedded import is_store
from .engine_server import DATABASE, USER
from .ports import free_port
from .queries import engine_environment

USER_NAME: Final = "neo4j"
_SHORTEST_PASSWORD: Final = 12
QUERY_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Served:
    """Where a graph is shared."""

    host: str
    port: int
    user: str

    @property
    def uri(self) -> str:
        """The address for drivers."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"bolt://{host}:{self.port}"


def check_exposure(host: str, password: str) -> None:
    """Refuse to listen beyond this machine under a weak password.

    Raises:
        UsageError: for an empty password, or one of fewer than 12 characters or of few different ones
        elsewhere.
    """
    if not password:
        raise UsageError("the server needs a password")
    weak = len(password) < _SHORTEST_PASSWORD or len(set(password)) < _SHORTEST_PASSWORD // 2
    if not is_loopback(host) and weak:
        raise UsageError(
            f"listening on {host} lets other machines in: give a password of at least {_SHORTEST_PASSWORD} "
            f"characters, "
            f"{_SHORTEST_PASSWORD // 2} of them different"
        )


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach the host address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("example.org")
    (True, True, False, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    folder: Path,
    *,
    password: str,
    host: str = "127.0.0.1",
    port: int = 7687,
    seconds: float = QUERY_SECONDS,
    ready: Callable[[Served], object] = lambda served: None,
) -> None:
    """Share the store in ``folder`` until interrupted (Ctrl-C or SIGTERM); the folder itself is not touched.

    Args:
        folder: an embedded store.
        password: what clients must give, with the user ``neo4j``.
        host: address to listen on; others than this machine's own need a strong password.
        port: Bolt port, 0 for a free one.
        seconds: time limit of a query.
        ready: called once it listens.

    Raises:
        UsageError: for a weak password on an open address, or a port that cannot be had.
        StoreError: when there is no whole store, or the engine does not start.
    """
    check_exposure(host, password)
    if not is_store(folder):
        raise StoreError(f"there is no whole store at {folder}; make it again from the graph")
    with tempfile.TemporaryDirectory(prefix="kg-serve-") as root:
        shutil.copytree(folder / STORED, Path(root) / "databases" / DATABASE)
        gate = Gate(USER_NAME, password, f"{host}:{port}", seconds)
        with EngineServer(Path(root)) as engine:
            asyncio.run(_serve(engine, gate, host, port, ready))


async def _serve(engine: EngineServer, gate: Gate, host: str, port: int, ready: Callable[[Served], object]) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not on Windows, nor in a thread; there KeyboardInterrupt ends it.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stopped.set)
    try:
        server = await serve_bolt(gate, engine, host=host, port=port)
    except OSError as error:
        raise UsageError(f"cannot listen on {host} port {port}: {error.strerror}; choose another port") from error
    async with server:
        ready(Served(host, server.sockets[0].getsockname()[1], USER_NAME))
        await stopped.wait()


class EngineServer:
    """The engine's own Bolt server on ``root``/databases, in a child process, under a random password.

    Use as a context manager. It listens on this machine only and ends with this process.
    """

    def __init__(self, root: Path, *, read_only: bool = True) -> None:
        """Name the folder; it has the sub-folder ``databases``."""
        self.root = root.resolve()
        self.read_only = read_only
        self.behind = self._fresh()
        self._child: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> EngineServer:
        """Start it and wait until it listens."""
        self._start()
        return self

    def __exit__(self, *raised: object) -> None:
        """End it."""
        self._end()

    def replace(self, stuck: Behind) -> None:
        """End the given server and start another, unless another runs already."""
        with self._lock:
            if self.behind == stuck:
                self._end()
                self.behind = self._fresh()
                self._start()

    def _fresh(self) -> Behind:
        return Behind(free_port(), free_port(), USER, secrets.token_hex(32), DATABASE)

    def _start(self) -> None:
        for users in (self.root / "config").glob("server-users*"):
            users.unlink()
        request = {
            "root": str(self.root),
            "port": self.behind.port,
            "http_port": self.behind.http_port,
            "password": self.behind.password,
            "read_only": self.read_only,
        }
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "loaders.stores.engine_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.root,
            env=engine_environment(log=self.root / "log"),
            start_new_session=True,
            text=True,
        )
        self._await_listening(json.dumps(request))

    def _await_listening(self, request: str) -> None:
        child = self._child
        if child is None or child.stdin is None or child.stdout is None:
            raise StoreError("the engine's server was not started")
        child.stdin.write(request + "\n")
        child.stdin.flush()
        if not any(line.strip() == "listening" for line in child.stdout):
            self._end()
            raise StoreError("the engine's server did not start; is there room on the disk of the temporary folder?")

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None
