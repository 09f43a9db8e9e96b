"""The embedded engine itself: how it is imported and how its messages are read."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
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


def edges_text(edge_type: str, heads: Sequence[str], tails: Sequence[str], properties: Sequence[str]) -> bytes:
    """Return edges of one type between record numbers as the engine reads them; ``properties`` are JSON objects."""
    ends = json.dumps({"src": heads, "type": edge_type, "dst": tails})
    return f'{ends[:-1]}, "props": [{", ".join(properties)}]}}'.encode("ascii")


def add_edges(batch: Any, text: bytes) -> None:
    """Hand edges, as `edges_text` made them, to a batch of the engine.

    The package's own ``new_edges`` first walks every value for types that JSON lacks, which takes longer than the
    engine's work. So the text goes straight to the engine; a build without this entry gets the edges as usual.
    """
    try:
        from arcadedb._native.database import _call as call

        handle = batch._gb
    except (ImportError, AttributeError):
        edges = json.loads(text)
        batch.new_edges(edges["src"], edges["type"], edges["dst"], edges["props"])
    else:
        call("The edges were refused", "arcadedb_n_gb", handle, b"new_edges", text)


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
