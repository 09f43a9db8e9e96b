"""Locks between processes: one builder a graph, and readers whose version must not be pruned.

They are the operating system's own file locks, so a process that is killed holds none.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from kg.errors import GraphBusy

_PAUSE: Final = 0.1


@contextmanager
def exclusive(path: Path, *, wait: float, busy: str) -> Iterator[None]:
    """Hold a lock that one process has at a time.

    Args:
        path: The lock file, made when missing.
        wait: Seconds to wait for another holder.
        busy: What to tell when it is still held.

    Raises:
        GraphBusy: The lock is still held by another process after the wait.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + wait
    with path.open("a") as file:
        while not _try(file, fcntl.LOCK_EX):
            if time.monotonic() >= end:
                raise GraphBusy(busy)
            time.sleep(_PAUSE)
        yield


def hold_shared(path: Path) -> IO[str] | None:
    """Return an open file that keeps `is_free` false until it is closed; None when the file has gone meanwhile."""
    try:
        file = path.open("r")
    except FileNotFoundError:
        return None
    fcntl.flock(file, fcntl.LOCK_SH)
    if path.exists() and os.fstat(file.fileno()).st_ino == path.stat().st_ino:
        return file
    file.close()
    return None


@contextmanager
def unless_shared(path: Path) -> Iterator[bool]:
    """Hold a lock that no reader shares and say True, or say False when one does."""
    try:
        file = path.open("r")
    except FileNotFoundError:
        yield True
        return
    with file:
        yield _try(file, fcntl.LOCK_EX)


def _try(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
