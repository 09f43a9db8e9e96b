"""Queries of users on an embedded store: checked, run in a child process, stopped in time or at Ctrl-C."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kg.errors import QueryError, StoreError

from .columns import column_names
from .cypher_tokens import SYMBOL, Token
from .read_guard import check_reading
from .store import Rows

_PACKAGES: Final = Path(__file__).resolve().parents[2]


def run_query(
    database: Path, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = 60.0
) -> Rows:
    """Answer a query that only reads from the database folder, within ``timeout`` seconds.

    Raises:
        QueryError: when the query is refused or wrong, or ran past its time.
        StoreError: when the folder cannot be opened: make the store again from the graph.
    """
    if not timeout > 0:
        raise QueryError(f"the time limit is {timeout} seconds; give more than 0")
    tokens = check_reading(cypher)
    request = {
        "database": str(database.resolve()),
        "cypher": cypher,
        "parameters": checked_parameters(parameters or {}),
        "timeout": timeout,
        "with_paths": _binds_path(tokens),
    }
    reply = _ask_child(request, timeout)
    if reply.get("where") == "opening":
        raise StoreError(f"the store at {database} does not open ({reply['error']}); make it again from the graph")
    if "error" in reply:
        raise QueryError(str(reply["error"]))
    return _rows(reply, column_names(cypher, tokens))


def checked_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters if every store can take them.

    Raises:
        QueryError: for a value that is neither text, number, true, false, null, list nor map.
    """
    try:
        text = json.dumps(parameters, allow_nan=False, ensure_ascii=False)
        text.encode("utf-8")
        json.loads(text, parse_int=_small)
    except (TypeError, ValueError) as error:
        raise QueryError(f"a parameter is neither text, number, true, false, null, list nor map ({error})") from error
    return dict(parameters)


def _small(digits: str) -> int:
    number = int(digits)
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"{digits} does not fit into 64 bits")
    return number


def _binds_path(tokens: Sequence[Token]) -> bool:
    """Say whether the query may answer a path: it gives one a name (``p = (...)``) or asks for one."""
    equals = [at for at, token in enumerate(tokens[:-1]) if token.kind == SYMBOL and token.value == "="]
    after = (tokens[at + 1] for at in equals)
    return any(
        token.value == "(" or token.value.upper().endswith(("SHORTESTPATH", "SHORTEST", "ANY", "ALL"))
        for token in after
    )


def _ask_child(request: Mapping[str, Any], timeout: float) -> dict[str, Any]:
    # A session of its own: Ctrl-C reaches this process only, which then ends the child at once.
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "loaders.stores.engine_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=engine_environment(),
        start_new_session=True,
    )
    try:
        out, err = child.communicate(json.dumps(request).encode("utf-8"), timeout)
    except subprocess.TimeoutExpired as error:
        raise QueryError(
            f"the query ran past its limit of {timeout:g} seconds and was stopped; raise the limit"
        ) from error
    finally:
        child.kill()
        child.communicate()
    try:
        reply = json.loads(out)
    except ValueError as error:
        last = err.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise QueryError(f"the engine stopped with status {child.returncode} while it ran the query: {last}") from error
    return dict(reply)


def engine_environment(*, log: Path | None = None) -> dict[str, str]:
    """Return the environment of a child process that finds this package and logs to files only."""
    paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {"ARCADEDB_LOG_DIR": str(log)} if log else {}
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "ARCADEDB_LOG_CONSOLE": "0", **own}


def _rows(reply: Mapping[str, Any], named: tuple[str, ...]) -> Rows:
    columns = tuple(reply["columns"])
    if set(named) != set(columns) or len(named) != len(columns):
        return Rows(columns or named, [tuple(row) for row in reply["rows"]])
    order = [columns.index(name) for name in named]
    return Rows(named, [tuple(row[at] for at in order) for row in reply["rows"]])
