"""Bolt on the wire: messages in chunks, and a connection to the engine's server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from .packstream import Structure, pack

MAGIC: Final = b"\x60\x60\xb0\x17"
HELLO, GOODBYE, RESET, RUN, BEGIN = 0x01, 0x02, 0x0F, 0x10, 0x11
COMMIT, ROLLBACK, DISCARD, PULL = 0x12, 0x13, 0x2F, 0x3F
TELEMETRY, ROUTE, LOGON, LOGOFF = 0x54, 0x66, 0x6A, 0x6B
SUCCESS, RECORD, IGNORED, FAILURE = 0x70, 0x71, 0x7E, 0x7F
# Drivers ask for this beginning; the rest says who answers.
AGENT: Final = "Neo4j/5.26.0 compatible (paperkg, ArcadeDB)"


@dataclass(frozen=True, slots=True)
class Behind:
    """The engine's server: where it listens for Bolt and for HTTP, its user, password and database."""

    port: int
    http_port: int
    user: str
    password: str = field(repr=False)
    database: str


class EngineGone(Exception):
    """The engine's server does not answer: it ended, or another took its place."""


@dataclass(frozen=True, slots=True)
class EngineLine:
    """A connection to the engine, logged on."""

    behind: Behind
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, behind: Behind, version: tuple[int, int]) -> EngineLine:
        """Connect, agree on the version and log on.

        Raises:
            EngineGone: when there is no engine.
            ValueError: when the engine refuses.
        """
        wanted = bytes((0, 0, version[1], version[0]))
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", behind.port)
            writer.write(MAGIC + wanted + bytes(12))
            await writer.drain()
            agreed = await reader.readexactly(4)
        except (OSError, EOFError) as error:
            raise EngineGone from error
        if agreed != wanted:
            raise ValueError("the engine does not know this version")
        line = cls(behind, reader, writer)
        await line._log_on(version)
        return line

    async def _log_on(self, version: tuple[int, int]) -> None:
        own = {"scheme": "basic", "principal": self.behind.user, "credentials": self.behind.password}
        messages = [Structure(HELLO, ({"user_agent": AGENT, **(own if version < (5, 1) else {})},))]
        if version >= (5, 1):
            messages.append(Structure(LOGON, (own,)))
        for message in messages:
            async for answer in self.answers(message):
                if answer[1] != SUCCESS:
                    raise ValueError("the engine does not let us in")

    async def answers(self, message: Structure) -> AsyncIterator[bytes]:
        """Send a message and yield the engine's answers, up to the one that is no record.

        Raises:
            EngineGone: when the engine ends before that.
        """
        try:
            await write_message(self.writer, pack(message))
        except OSError as error:
            raise EngineGone from error
        more = True
        while more:
            try:
                answer = await read_message(self.reader, None)
            except (OSError, EOFError) as error:
                raise EngineGone from error
            # The second byte of a message is its tag.
            more = answer[1] == RECORD
            yield answer


async def read_message(reader: asyncio.StreamReader, largest: int | None) -> bytes:
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


async def write_message(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send one message in chunks."""
    for start in range(0, len(data), 0xFFFF):
        chunk = data[start : start + 0xFFFF]
        writer.write(len(chunk).to_bytes(2, "big") + chunk)
    writer.write(b"\x00\x00")
    await writer.drain()
