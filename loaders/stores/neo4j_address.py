"""Where a Neo4j server is and who asks, and its errors in words that help."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from kg.errors import MissingExtra, QueryError, StoreError, UsageError

_SCHEMES: Final = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Address:
    """A server, a user and a database ("" for the user's home database). The password is never shown."""

    uri: str
    user: str = "neo4j"
    password: str = field(default="", repr=False)
    database: str = ""

    def __post_init__(self) -> None:
        """Check the URI before anything is sent."""
        parts = urlsplit(self.uri)
        if parts.scheme not in _SCHEMES or not parts.hostname:
            raise UsageError(f"the server's URI must be like neo4j://host:7687 ({', '.join(_SCHEMES)}), not this one")
        if parts.username or parts.password:
            raise UsageError(
                "the server's URI holds a user or password; give them by NEO4J_USERNAME and NEO4J_PASSWORD"
            )


def address(
    uri: str | None = None, user: str | None = None, password: str | None = None, database: str | None = None
) -> Address:
    """Return an address from options and, for those not given, from NEO4J_URI and its kin.

    Raises:
        UsageError: when no URI is given at all, or a wrong one.
    """
    uri = uri or os.environ.get("NEO4J_URI")
    if not uri:
        raise UsageError("no Neo4j server is named; set NEO4J_URI (and NEO4J_USERNAME, NEO4J_PASSWORD) or give --uri")
    return Address(
        uri,
        user or os.environ.get("NEO4J_USERNAME") or "neo4j",
        password if password is not None else os.environ.get("NEO4J_PASSWORD", ""),
        database or os.environ.get("NEO4J_DATABASE") or "",
    )


def import_driver() -> Any:
    """Import the official driver.

    Raises:
        MissingExtra: when it is not installed.
    """
    try:
        import neo4j
    except ImportError as error:
        raise MissingExtra("Neo4j needs its driver; install it with pip install 'paperkg[neo4j]'") from error
    return neo4j


@contextmanager
def told(place: Address) -> Iterator[None]:
    """Turn the driver's errors into ours."""
    neo4j = import_driver()
    try:
        yield
    except neo4j.exceptions.AuthError as error:
        raise StoreError(
            f"{place.uri} refuses user {place.user!r} or the password; set NEO4J_USERNAME and NEO4J_PASSWORD"
        ) from error
    except neo4j.exceptions.Neo4jError as error:
        raise _server_error(error, place) from error
    except (neo4j.exceptions.ServiceUnavailable, neo4j.exceptions.SessionExpired) as error:
        raise StoreError(
            f"no answer from a Neo4j server at {place.uri} ({one_line(error)}); if it broke off while "
            f"loading, run again"
        ) from error
    except (neo4j.exceptions.DriverError, OSError) as error:
        raise StoreError(f"the driver cannot talk to {place.uri}: {one_line(error)}") from error


def _server_error(error: Any, place: Address) -> StoreError | QueryError:
    code, message = str(error.code), one_line(error.message or error)
    if code.endswith("DatabaseNotFound"):
        return StoreError(f"{place.uri} has no database {place.database!r}; set NEO4J_DATABASE or give --database")
    if "TransactionTimedOut" in code or "TransactionTimedOut" in message:
        return QueryError("the query ran past its time limit and was stopped by the server; raise the limit")
    if code.startswith("Neo.ClientError.Statement") or "ArithmeticError" in code:
        return QueryError(message)
    return StoreError(f"{place.uri} reports {code}: {message}")


def one_line(error: object) -> str:
    """Return the first line of a message, not too long."""
    text = str(error).strip().partition("\n")[0]
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
