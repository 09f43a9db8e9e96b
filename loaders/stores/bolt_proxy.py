"""A Bolt server that lets reading queries through to another one, and nothing else.

The embedded engine's own Bolt server lets clients write and read local files. This one stands before it: it
checks the user and password itself, passes on only the messages it knows, and of queries only those that
`check_reading` lets through. The engine's server behind it listens on the local host under a password that no
client is told. The engine cannot stop a query; one that runs past its time has the engine replaced.
"""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from kg.errors import QueryError

from . import bolt_wire as wire
from .bolt_wire import Behind, EngineLine, read_message, write_message
from .packstream import Structure, pack, unpack
from .parse_errors import explain_failure
from .read_guard import check_reading

_VERSIONS: Final = ((5, 4), (5, 3), (5, 2), (5, 1), (5, 0), (4, 4))
_PASSED: Final = frozenset({wire.DISCARD, wire.PULL, wire.TELEMETRY})
_UNAUTHORIZED: Final = "Neo.ClientError.Security.Unauthorized"
_FORBIDDEN: Final = "Neo.ClientError.Statement.AccessMode"
_TIMED_OUT: Final = "Neo.ClientError.Transaction.TransactionTimedOut"
_UNAVAILABLE: Final = "Neo.TransientError.General.DatabaseUnavailable"
_LARGEST_BEFORE_LOGON: Final = 1 << 16
_LARGEST: Final = 1 << 24
_ROUTE_SECONDS: Final = 300
_SECONDS_AFTER_A_WRONG_PASSWORD: Final = 0.5


class Engine(Protocol):
    """The engine's server that runs now, and how to put a fresh one in its place."""

    behind: Behind

    def replace(self, stuck: Behind) -> None:
        """End the given server and start another, unless another runs already."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What clients must give, the address they are told for routing, and the time limit of their queries."""

    user: str
    password: str = field(repr=False)
    address: str
    seconds: float

    def admits(self, offered: dict[str, Any]) -> bool:
        """Say whether the offered user and password are right."""
        given = (str(offered.get("principal", "")), str(offered.get("credentials", "")))
        wanted = (self.user, self.password)
        matches = [hmac.compare_digest(a.encode(), b.encode()) for a, b in zip(given, wanted, strict=True)]
        return offered.get("scheme") == "basic" and all(matches)


async def serve_bolt(gate: Gate, engine: Engine, *, host: str, port: int) -> asyncio.Server:
    """Start the server on ``host`` and ``port`` (0: a free one); it runs until closed."""

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _Connection(gate, engine, reader, writer).run()
        except (OSError, EOFError, ValueError, asyncio.IncompleteReadError):
            pass  # a client that goes away or speaks nonsense is let go; nothing was changed
        finally:
            writer.close()

    return await asyncio.start_server(meet, host, port)


class _Connection:
    """One client: its messages are answered one after the other, in order."""

    def __init__(self, gate: Gate, engine: Engine, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.gate = gate
        self.engine = engine
        self.reader = reader
        self.writer = writer
        self.version = (0, 0)
        self.admitted = False
        self.failed = False
        self.line: EngineLine | None = None

    async def run(self) -> None:
        try:
            await self._shake_hands()
            while (message := await self._receive()).tag != wire.GOODBYE:
                await self._answer(message)
        finally:
            self._hang_up()

    async def _shake_hands(self) -> None:
        if await self.reader.readexactly(4) != wire.MAGIC:
            raise ValueError("not Bolt")
        proposals = await self.reader.readexactly(16)
        offered = {
            (major, minor - back)
            for _, back, minor, major in (proposals[at : at + 4] for at in range(0, 16, 4))
            for back in range(back + 1)
        }
        agreed = next((version for version in _VERSIONS if version in offered), (0, 0))
        self.writer.write(bytes((0, 0, agreed[1], agreed[0])))
        await self.writer.drain()
        if agreed == (0, 0):
            raise ValueError("no common version")
        self.version = agreed

    async def _receive(self) -> Structure:
        largest = _LARGEST if self.admitted else _LARGEST_BEFORE_LOGON
        message = unpack(await read_message(self.reader, largest))
        if not isinstance(message, Structure):
            raise ValueError("not a message")
        return message

    async def _answer(self, message: Structure) -> None:
        if message.tag == wire.RESET and self.admitted:
            await self._start_afresh()
        elif self.failed:
            await self._send(Structure(wire.IGNORED, ({},)))
        elif message.tag in (wire.HELLO, wire.LOGON):
            await self._admit(message)
        elif not self.admitted:
            raise ValueError("not logged on")
        elif message.tag in (wire.RUN, wire.BEGIN):
            await self._check(message)
        elif message.tag == wire.ROUTE:
            await self._send(Structure(wire.SUCCESS, ({"rt": self._route(message)},)))
        elif message.tag == wire.LOGOFF:
            self.admitted = False
            await self._send(Structure(wire.SUCCESS, ({},)))
        elif message.tag in (wire.COMMIT, wire.ROLLBACK):
            # Nothing can have been written.
            await self._start_afresh()
        elif message.tag in _PASSED:
            await self._pass_on(message)
        else:
            raise ValueError("an unknown message")

    async def _admit(self, message: Structure) -> None:
        """Check the client's user and password; the engine is called under another when it is needed."""
        offered = _map(message, 0)
        if message.tag == wire.LOGON or self.version < (5, 1):
            if not self.gate.admits(offered):
                # Guessing takes time.
                await asyncio.sleep(_SECONDS_AFTER_A_WRONG_PASSWORD)
                await self._fail(_UNAUTHORIZED, "The client is unauthorized due to authentication failure.")
                raise ValueError("wrong user or password")
            self.admitted = True
        told = {"server": wire.AGENT, "connection_id": "bolt-1", "hints": {}} if message.tag == wire.HELLO else {}
        await self._send(Structure(wire.SUCCESS, (told,)))

    async def _check(self, message: Structure) -> None:
        """Pass on a query that reads, or the start of a transaction, in read mode on the one database."""
        extra = {**_map(message, -1), "db": self.engine.behind.database, "mode": "r"}
        extra.pop("imp_user", None)
        if message.tag == wire.BEGIN:
            await self._pass_on(Structure(wire.BEGIN, (extra,)))
            return
        query, parameters = message.fields[0], _map(message, 1)
        try:
            check_reading(str(query))
        except QueryError as error:
            await self._fail(_FORBIDDEN, str(error))
            return
        await self._pass_on(Structure(wire.RUN, (str(query), parameters, extra)))

    def _route(self, message: Structure) -> dict[str, Any]:
        """Return a routing table that leads back here, by the address that the client used."""
        here = str(_map(message, 0).get("address") or self.gate.address)
        servers = [{"addresses": [here], "role": role} for role in ("WRITE", "READ", "ROUTE")]
        return {"ttl": _ROUTE_SECONDS, "db": self.engine.behind.database, "servers": servers}

    async def _pass_on(self, message: Structure) -> None:
        """Send a message to the engine and its answers to the client."""
        try:
            await asyncio.wait_for(self._exchange(message), self.gate.seconds)
        except TimeoutError:
            await self._replace_engine()
            await self._fail(_TIMED_OUT, f"The query ran past its limit of {self.gate.seconds:g} seconds.")
        except wire.EngineGone:
            await self._replace_engine()
            await self._fail(_UNAVAILABLE, "The engine ended while it ran this or another query; ask again.")

    async def _start_afresh(self) -> None:
        """End the transaction and forget failures; the next query gets a fresh line to the engine.

        The engine keeps transactions open when it is told to reset or to roll back, and refuses the fourth on a
        line.
        """
        self.failed = False
        self._hang_up()
        await self._send(Structure(wire.SUCCESS, ({},)))

    async def _replace_engine(self) -> None:
        stuck = self.line.behind if self.line else self.engine.behind
        self._hang_up()
        await asyncio.to_thread(self.engine.replace, stuck)

    async def _exchange(self, message: Structure) -> None:
        if self.line is None:
            self.line = await EngineLine.open(self.engine.behind, self.version)
        async for answer in self.line.answers(message):
            if answer[1] == wire.FAILURE:
                self.failed = True
                answer = await self._explain(message, answer, self.line.behind)
            await write_message(self.writer, answer)

    async def _explain(self, message: Structure, failure: bytes, behind: Behind) -> bytes:
        if message.tag != wire.RUN:
            return failure
        query, seconds = message.fields[0], self.gate.seconds
        return await asyncio.to_thread(explain_failure, behind, failure, query=query, seconds=seconds)

    def _hang_up(self) -> None:
        if self.line is not None:
            self.line.writer.close()
            self.line = None

    async def _fail(self, code: str, text: str) -> None:
        self.failed = True
        await self._send(Structure(wire.FAILURE, ({"code": code, "message": text},)))

    async def _send(self, message: Structure) -> None:
        await write_message(self.writer, pack(message))


def _map(message: Structure, at: int) -> dict[str, Any]:
    """Return a field that must be a map; {} if the message has no fields."""
    value = message.fields[at] if message.fields else {}
    if not isinstance(value, dict):
        raise ValueError("a field is not a map")
    return value
