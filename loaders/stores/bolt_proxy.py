"""A Bolt server that lets reading queries through to another one, and nothing else.

The embedded engine's own Bolt server lets clients write and read local files. This one stands before it: it
checks the user and password itself, passes on only the messages it knows, and of queries only those that
`check_reading` lets through. The engine's server behind it listens on the local host under a password that no
client is told.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from kg.errors import QueryError

from .packstream import Structure, pack, unpack
from .read_guard import check_reading

_MAGIC: Final = b"\x60\x60\xb0\x17"
_VERSIONS: Final = ((5, 4), (5, 3), (5, 2), (5, 1), (5, 0), (4, 4))
_HELLO, _GOODBYE, _RESET, _RUN, _BEGIN = 0x01, 0x02, 0x0F, 0x10, 0x11
_COMMIT, _ROLLBACK, _DISCARD, _PULL = 0x12, 0x13, 0x2F, 0x3F
_TELEMETRY, _ROUTE, _LOGON, _LOGOFF = 0x54, 0x66, 0x6A, 0x6B
_PASSED: Final = frozenset({_RESET, _DISCARD, _PULL, _TELEMETRY})
_SUCCESS, _RECORD, _IGNORED, _FAILURE = 0x70, 0x71, 0x7E, 0x7F
_UNAUTHORIZED: Final = "Neo.ClientError.Security.Unauthorized"
_FORBIDDEN: Final = "Neo.ClientError.Statement.AccessMode"
_TIMED_OUT: Final = "Neo.ClientError.Transaction.TransactionTimedOut"
# Drivers ask for this beginning; the rest says who answers.
_AGENT: Final = "Neo4j/5.26.0 compatible (paperkg, ArcadeDB)"
_LARGEST_BEFORE_LOGON: Final = 1 << 16
_LARGEST: Final = 1 << 24
_ROUTE_SECONDS: Final = 300


@dataclass(frozen=True, slots=True)
class Behind:
    """The engine's server: where it listens, its user, password and database."""

    port: int
    user: str
    password: str = field(repr=False)
    database: str


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
        self.line: _EngineLine | None = None

    async def run(self) -> None:
        try:
            await self._shake_hands()
            while (message := await self._receive()).tag != _GOODBYE:
                await self._answer(message)
        finally:
            self._hang_up()

    async def _shake_hands(self) -> None:
        if await self.reader.readexactly(4) != _MAGIC:
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
        message = unpack(await _read_message(self.reader, largest))
        if not isinstance(message, Structure):
            raise ValueError("not a message")
        return message

    async def _answer(self, message: Structure) -> None:
        if message.tag == _RESET and self.admitted:
            self.failed = False
            await self._pass_on(message)
        elif self.failed:
            await self._send(Structure(_IGNORED, ({},)))
        elif message.tag in (_HELLO, _LOGON):
            await self._admit(message)
        elif not self.admitted:
            raise ValueError("not logged on")
        elif message.tag in (_RUN, _BEGIN):
            await self._check(message)
        elif message.tag == _ROUTE:
            await self._send(Structure(_SUCCESS, ({"rt": self._route(message)},)))
        elif message.tag == _LOGOFF:
            self.admitted = False
            await self._send(Structure(_SUCCESS, ({},)))
        elif message.tag in (_COMMIT, _ROLLBACK):
            # Nothing can have been written; the engine cannot commit on a database that is open for reading
            # only.
            await self._pass_on(Structure(_RESET, ()))
        elif message.tag in _PASSED:
            await self._pass_on(message)
        else:
            raise ValueError("an unknown message")

    async def _admit(self, message: Structure) -> None:
        """Check the client's user and password; the engine is called under another when it is needed."""
        offered = _map(message, 0)
        if message.tag == _LOGON or self.version < (5, 1):
            if not self.gate.admits(offered):
                await self._fail(_UNAUTHORIZED, "The client is unauthorized due to authentication failure.")
                raise ValueError("wrong user or password")
            self.admitted = True
        told = {"server": _AGENT, "connection_id": "bolt-1", "hints": {}} if message.tag == _HELLO else {}
        await self._send(Structure(_SUCCESS, (told,)))

    async def _check(self, message: Structure) -> None:
        """Pass on a query that reads, or the start of a transaction, in read mode on the one database."""
        extra = {**_map(message, -1), "db": self.engine.behind.database, "mode": "r"}
        extra.pop("imp_user", None)
        if message.tag == _BEGIN:
            await self._pass_on(Structure(_BEGIN, (extra,)))
            return
        query, parameters = message.fields[0], _map(message, 1)
        try:
            check_reading(str(query))
        except QueryError as error:
            await self._fail(_FORBIDDEN, str(error))
            return
        await self._pass_on(Structure(_RUN, (str(query), parameters, extra)))

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
            stuck = self.line.behind if self.line else self.engine.behind
            self._hang_up()
            await asyncio.to_thread(self.engine.replace, stuck)
            await self._fail(_TIMED_OUT, f"The query ran past its limit of {self.gate.seconds:g} seconds.")

    async def _exchange(self, message: Structure) -> None:
        if self.line is None:
            self.line = await _EngineLine.open(self.engine.behind, self.version)
        async for answer in self.line.answers(message):
            await _write_message(self.writer, answer)
            self.failed = self.failed or answer[1] == _FAILURE

    def _hang_up(self) -> None:
        if self.line is not None:
            self.line.writer.close()
            self.line = None

    async def _fail(self, code: str, text: str) -> None:
        self.failed = True
        await self._send(Structure(_FAILURE, ({"code": code, "message": text},)))

    async def _send(self, message: Structure) -> None:
        await _write_message(self.writer, pack(message))


@dataclass(frozen=True, slots=True)
class _EngineLine:
    """A connection to the engine, logged on."""

    behind: Behind
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, behind: Behind, version: tuple[int, int]) -> _EngineLine:
        reader, writer = await asyncio.open_connection("127.0.0.1", behind.port)
        line = cls(behind, reader, writer)
        wanted = bytes((0, 0, version[1], version[0]))
        writer.write(_MAGIC + wanted + bytes(12))
        await writer.drain()
        if await reader.readexactly(4) != wanted:
            raise ValueError("the engine does not know this version")
        logon = {"scheme": "basic", "principal": behind.user, "credentials": behind.password}
        hello = {"user_agent": _AGENT, **(logon if version < (5, 1) else {})}
        messages = [
            Structure(_HELLO, (hello,)),
            *([Structure(_LOGON, (logon,))] if version >= (5, 1) else []),
        ]
        for message in messages:
            async for answer in line.answers(message):
                if answer[1] != _SUCCESS:
                    raise ValueError("the engine does not let us in")
        return line

    async def answers(self, message: Structure) -> AsyncIterator[bytes]:
        """Send a message and yield the engine's answers, up to the one that is no record."""
        await _write_message(self.writer, pack(message))
        while True:
            answer = await _read_message(self.reader, None)
            yield answer
            # The second byte of a message is its tag.
            if answer[1] != _RECORD:
                return


def _map(message: Structure, at: int) -> dict[str, Any]:
    """Return a field that must be a map; {} if the message has no fields."""
    value = message.fields[at] if message.fields else {}
    if not isinstance(value, dict):
        raise ValueError("a field is not a map")
    return value


async def _read_message(reader: asyncio.StreamReader, largest: int | None) -> bytes:
    """Return one message, put together from its chunks; empty ones before it keep a line alive."""
    parts: list[bytes] = []
    held = 0
    while True:
        size = int.from_bytes(await reader.readexactly(2), "big")
        if size == 0 and parts:
            return b"".join(parts)
        held += size
        if largest is not None and held > largest:
            raise ValueError("the message is too large")
        if size:
            parts.append(await reader.readexactly(size))


async def _write_message(writer: asyncio.StreamWriter, data: bytes) -> None:
    for start in range(0, len(data), 0xFFFF):
        chunk = data[start : start + 0xFFFF]
        writer.write(len(chunk).to_bytes(2, "big") + chunk)
    writer.write(b"\x00\x00")
    await writer.drain()
