"""What a reader hands on: a paper it found, a record it could not use, or one that was not asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kg.types import Paper


@dataclass(frozen=True, slots=True)
class Found:
    """A paper and the line its record starts at.

    ``venue_id`` is the identity its publisher or index gave it (``openreview:abc``), the same in every dump.
    ``half`` marks one side of a bulk join (an abstract whose title stands in another file).
    """

    line: int
    paper: Paper
    venue_id: str = ""
    half: bool = False
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Faulty:
    """A record that could not be used, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """A sound record that is not asked for unless the user says so (a rejected submission).

    ``found`` is what it would be then; None for what is no paper at all (a review among papers).
    """

    line: int
    reason: str
    found: Found | None = None


Record = Found | Faulty | Excluded
Records = Iterator[Record]
