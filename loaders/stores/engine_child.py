"""The child process that runs one query of a user on the embedded engine, opened read-only.

It reads one JSON object from standard input and writes one to standard output: ``{"columns", "rows"}`` or
``{"error"}`` with ``"where"`` (opening or running). A process can be stopped at any moment, a call into the
engine cannot.
"""

from __future__ import annotations

import json
import math
import signal
import sys
from collections.abc import Mapping
from typing import Any

from kg.errors import StoreError
from loaders.stores.engine import first_line, import_engine
from loaders.stores.results import plain_rows


def main() -> None:
    """Answer the request on standard input."""
    # The engine's package imports numpy if it can, which takes longer than the query and is not needed here.
    sys.modules["numpy"] = None  # type: ignore[assignment]
    request = json.load(sys.stdin)
    if hasattr(signal, "alarm"):
        # Should the parent vanish, the default action of this signal ends the process even inside the engine.
        signal.alarm(math.ceil(request["timeout"]) + 2)
    sys.stdout.write(json.dumps(_answer(request)))
    sys.stdout.flush()


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    try:
        arcadedb = import_engine()
    except StoreError as error:
        return {"error": str(error), "where": "opening"}
    try:
        database = arcadedb.open_database(request["database"], read_only=True)
    except arcadedb.ArcadeDBError as error:
        return {"error": first_line(error), "where": "opening"}
    try:
        return _run(database, request)
    except arcadedb.ArcadeDBError as error:
        return {"error": first_line(error), "where": "running"}
    finally:
        database.close()


def _run(database: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    answered = database.query("opencypher", request["cypher"], request["parameters"])
    rows = [row.to_dict() for row in answered]
    columns = list(dict.fromkeys(name for row in rows for name in row))

    def look_up(sql: str) -> list[dict[str, Any]]:
        found = []
        for row in database.query("sql", sql):
            record = row.get_element()
            kind = {} if record is None else {"@rid": row.get_rid(), "@type": record.get_type_name()}
            found.append({**row.to_dict(), **kind})
        return found

    plain = plain_rows(rows, look_up, with_paths=request["with_paths"])
    return {"columns": columns, "rows": [[row.get(name) for name in columns] for row in plain]}


if __name__ == "__main__":
    main()
