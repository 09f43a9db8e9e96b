"""Records of one paper from all inputs, brought together on disk.

All records are written to a temporary database first, with the keys by which they can be one paper; sorting
the keys brings likely duplicates together whatever the order of the inputs. Memory holds 16 bytes a record.
"""

from __future__ import annotations

import pickle
import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

from kg.errors import InputError
from kg.types import Paper
from loaders.papers.likeness import RUNG_NAMES, Rung, are_one, keys
from loaders.papers.records import Found

_BATCH: Final = 2000
#: Beyond this many different papers under one key the key tells nothing (a boilerplate abstract).
_MAX_CLUSTERS: Final = 100
#: Records under one key that are compared richest first; more are taken as they come, to save memory.
_MAX_SORTED: Final = 1000
_FIELDS: Final = tuple(field.name for field in fields(Paper))


@dataclass(frozen=True, slots=True)
class Stored:
    """A record with the number of the file it came from."""

    row: int
    file: int
    found: Found


#: The records of one paper, each with what it shares with those before it ("" for the first).
Group = list[tuple[Stored, str]]


class Spool:
    """All records on disk (a temporary database that vanishes when closed), and which are one paper.

    ``abstract_chars`` is how much of each abstract is kept, where no more is needed; None keeps it all.
    """

    def __init__(self, *, abstract_chars: int | None = None) -> None:
        self._abstract_chars = abstract_chars
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.executescript(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -16384;
            PRAGMA temp_store = FILE;
            CREATE TABLE records (row INTEGER PRIMARY KEY, file INTEGER, record BLOB);
            CREATE TABLE keys (rung INTEGER, key INTEGER, row INTEGER);
            """
        )
        self._records: list[tuple[int, int, bytes]] = []
        self._keys: list[tuple[int, int, int]] = []
        self._size = 0
        self._clashes: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        self._database.close()
        if isinstance(error, sqlite3.OperationalError):
            raise InputError(
                f"no room for the temporary index of papers ({error}); set TMPDIR to a larger disk"
            ) from error

    def __len__(self) -> int:
        return self._size

    def add(self, found: Found, *, file: int) -> None:
        """Write a record down."""
        self._records.append((self._size, file, _packed(found, self._abstract_chars)))
        self._keys.extend((rung, key, self._size) for rung, key in keys(found))
        self._size += 1
        if len(self._records) >= _BATCH:
            self._flush()

    def groups(self) -> Iterator[Group]:
        """Yield the records of each paper with what brought each in, papers by first appearance."""
        self._flush()
        self._database.execute("BEGIN")
        links = _Links(self._size)
        for rung in Rung:
            self._link(rung, links)
        for row in range(self._size):
            if links.first(row) == row:
                members = sorted(links.members(row))
                yield [(self._load(member), links.by.get(member, "")) for member in members]
        self._database.execute("COMMIT")

    def clashes(self, stored: Stored) -> bool:
        """Say whether another paper has the same id as this record (known once the groups were made)."""
        return stored.row in self._clashes

    def _flush(self) -> None:
        self._database.execute("BEGIN")
        self._database.executemany("INSERT INTO records VALUES (?, ?, ?)", self._records)
        self._database.executemany("INSERT INTO keys VALUES (?, ?, ?)", self._keys)
        self._database.execute("COMMIT")
        self._records.clear()
        self._keys.clear()

    def _load(self, row: int) -> Stored:
        query = "SELECT file, record FROM records WHERE row = ?"
        file, record = self._database.execute(query, (row,)).fetchone()
        return Stored(row, file, _unpacked(record))

    def _link(self, rung: Rung, links: _Links) -> None:
        query = "SELECT group_concat(row) FROM keys WHERE rung = ? GROUP BY key HAVING count(*) > 1"
        shared = self._database.execute(f"{query} ORDER BY min(row)", (rung,))
        for (rows,) in shared:
            bucket = [int(row) for row in rows.split(",")]
            if rung <= Rung.VENUE_ID:
                for row in bucket[1:]:
                    links.join(bucket[0], row, rung)
            else:
                self._cluster(bucket, rung, links)

    def _cluster(self, bucket: list[int], rung: Rung, links: _Links) -> None:
        """Join the records under one key that can be one paper; the richest record stands for each."""
        stored: Iterable[Stored] = map(self._load, bucket)
        if len(bucket) <= _MAX_SORTED:
            stored = sorted(stored, key=lambda one: richness(one.found.paper), reverse=True)
        clusters: list[Stored] = []
        for one in stored:
            same = next((head for head in clusters if are_one(head.found, one.found, rung)), None)
            if same:
                links.join(same.row, one.row, rung)
            elif len(clusters) < _MAX_CLUSTERS:
                clusters.append(one)
        if rung == Rung.ID and len({links.first(head.row) for head in clusters}) > 1:
            self._clashes.update(bucket)


class _Links:
    """Which rows are one paper: union-find, with the members of each paper in a ring."""

    def __init__(self, size: int) -> None:
        self._parent = array("q", range(size))
        self._next = array("q", range(size))
        self.by: dict[int, str] = {}

    def first(self, row: int) -> int:
        """Return the first row of the paper that a row belongs to."""
        while self._parent[row] != row:
            self._parent[row] = self._parent[self._parent[row]]
            row = self._parent[row]
        return row

    def join(self, one: int, other: int, rung: Rung) -> None:
        """Make two rows one paper."""
        low, high = sorted((self.first(one), self.first(other)))
        if low != high:
            self._parent[high] = low
            self._next[low], self._next[high] = self._next[high], self._next[low]
            self.by[high] = RUNG_NAMES[rung]

    def members(self, row: int) -> Iterator[int]:
        """Yield all rows of a paper."""
        yield row
        other = self._next[row]
        while other != row:
            yield other
            other = self._next[other]


def _packed(found: Found, abstract_chars: int | None) -> bytes:
    given = found.paper
    paper = given if abstract_chars is None else replace(given, abstract=given.abstract[:abstract_chars])
    values = tuple(getattr(paper, name) for name in _FIELDS)
    return pickle.dumps((found.line, values, found.venue_id, found.half, found.warning))


def _unpacked(record: bytes) -> Found:
    line, paper, *rest = pickle.loads(record)  # our own bytes, from a file that no one else can open
    return Found(line, Paper(*paper), *rest)


def richness(paper: Paper) -> tuple[Any, ...]:
    """Return what to rank papers by: abstract, title, fields, length of text; never the order of input."""
    given = sum(1 for name in _FIELDS if getattr(paper, name))
    return bool(paper.abstract), bool(paper.title), given, len(paper.abstract), paper.raw, paper.id


def merge(papers: list[Paper]) -> Paper:
    """Return the richest of several records of one paper, its gaps filled from the next richest."""
    if len(papers) == 1:
        return papers[0]
    best, *others = sorted(papers, key=richness, reverse=True)
    gaps: dict[str, Any] = {}
    for name in _FIELDS:
        if not getattr(best, name):
            gaps[name] = next((value for other in others if (value := getattr(other, name))), getattr(best, name))
    return replace(best, **gaps) if gaps else best
