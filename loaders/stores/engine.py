"""The embedded engine itself: how it is imported and how its messages are read."""

from __future__ import annotations

import os
from typing import Any

from kg.errors import StoreError


def import_engine() -> Any:
    """Import the engine with its log on the console switched off (it still writes a log file of its own)."""
    os.environ.setdefault("ARCADEDB_LOG_CONSOLE", "0")
    try:
        import arcadedb
    except ImportError as error:
        raise StoreError(f"the embedded store needs the package arcadedb, which does not load here: {error}") from error
    return arcadedb


def first_line(error: BaseException) -> str:
    """Return the first line of an engine's message, without the Java class names in it.

    >>> first_line(Exception("Query failed: com.x.ParsingException: Syntax error at 1 (caused by a.C: null)"))
    'Syntax error at 1'
    """
    text = str(error).strip().partition("\n")[0]
    for part in ("Reading the result set failed: ", "Query failed: ", "Command failed: "):
        text = text.removeprefix(part)
    text = text.partition(" (caused by ")[0]
    head, _, rest = text.partition(": ")
    return rest if "." in head and " " not in head and rest else text
