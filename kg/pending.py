"""What an unfinished build has read so far, so that a killed build goes on where it was."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from kg.records import decode_extraction, encode
from kg.types import Extraction, Paper

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS extractions (content TEXT, extractor TEXT, record BLOB, PRIMARY KEY (content, extractor))
"""
_PUT: Final = "INSERT OR REPLACE INTO extractions VALUES (?, ?, ?)"
_GET: Final = "SELECT record FROM extractions WHERE content = ? AND extractor = ?"
#: Seconds between commits: what a killed build has to read again at most.
_COMMIT_EVERY: Final = 2.0


class Pending:
    """Extractions by the content they were read from and the extractor that read them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._committed = time.monotonic()

    def get(self, paper: Paper, extractor: str) -> Extraction | None:
        """Return what this extractor read from this content, under the id of this paper."""
        row = self._connection.execute(_GET, (paper.content_hash, extractor)).fetchone()
        return replace(decode_extraction(row[0]), paper_id=paper.id) if row else None

    def put(self, extraction: Extraction, extractor: str) -> None:
        """Keep an extraction; it is on the disk within seconds."""
        record = encode(extraction)
        self._connection.execute(_PUT, (extraction.content_hash, extractor, record))
        if time.monotonic() - self._committed > _COMMIT_EVERY:
            self._connection.commit()
            self._committed = time.monotonic()


@contextmanager
def open_pending(path: Path) -> Iterator[Pending]:
    """Open the pending extractions of a graph; they stay until `discard_pending`."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(_TABLE)
        try:
            yield Pending(connection)
        finally:
            connection.commit()


def discard_pending(path: Path) -> None:
    """Remove the pending extractions: a version holds them now."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
