"""The child process that runs the embedded engine's Bolt server, until its standard input is closed.

It reads one JSON object from standard input (``root``, a folder with ``databases``; ``port``, ``http_port``,
``password`` and ``read_only``), writes a line when it listens, and never outlives its parent.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from loaders.stores.engine import import_engine

DATABASE = "kg"
USER = "root"


def main() -> None:
    """Serve until standard input is closed."""
    request = json.loads(sys.stdin.readline())
    arcadedb = import_engine()
    server = arcadedb.create_server(request["root"], request["password"], _settings(request))
    server.start()
    print("listening", flush=True)
    try:
        sys.stdin.read()
    finally:
        server.stop()


def _settings(request: dict[str, Any]) -> dict[str, Any]:
    return {
        # In production mode the engine keeps what is wrong with a query to itself.
        "mode": "development",
        "host": "127.0.0.1",
        "http_port": request["http_port"],
        "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "bolt_host": "127.0.0.1",
        "bolt_port": request["port"],
        "bolt_defaultDatabase": DATABASE,
        "server_defaultDatabaseMode": "READ_ONLY" if request["read_only"] else "READ_WRITE",
    }


if __name__ == "__main__":
    main()
