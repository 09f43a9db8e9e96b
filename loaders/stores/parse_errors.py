"""Why the engine cannot read a query: its Bolt server does not say, its HTTP server does.

The engine's Bolt server takes a query that it cannot parse for one that writes, and complains of the read-only
database. The HTTP server of the same process answers the same text with what is wrong in it.
"""

from __future__ import annotations

import base64
import http.client
import json
import re
from typing import Final

from .bolt_wire import FAILURE, Behind
from .engine import first_line
from .packstream import Structure, pack, unpack

_SYNTAX_ERROR: Final = "Neo.ClientError.Statement.SyntaxError"
_TAKEN_FOR_A_WRITE: Final = "on a read only database"
# The names of Java exceptions without a message, which the HTTP server adds.
_CAUSES: Final = re.compile(r"(?: -> \w+(?:Exception|Error))+$")


def explain_failure(behind: Behind, failure: bytes, *, query: str, seconds: float) -> bytes:
    """Return the engine's failure, or a syntax error that says what is wrong if it took the query for a write.

    Args:
        behind: the engine's server.
        failure: its packed answer to the query.
        query: a query that has passed the guard, so that it is none that writes.
        seconds: how long the engine may take to explain itself.
    """
    message = unpack(failure)
    if not isinstance(message, Structure) or _TAKEN_FOR_A_WRITE not in str(message.fields[0].get("message")):
        return failure
    reason = _ask_why(behind, query, seconds)
    return pack(Structure(FAILURE, ({"code": _SYNTAX_ERROR, "message": reason},))) if reason else failure


def _ask_why(behind: Behind, query: str, seconds: float) -> str:
    """Return what the engine finds wrong in the query; "" if nothing, or if it does not answer."""
    connection = http.client.HTTPConnection("127.0.0.1", behind.http_port, timeout=seconds)
    key = base64.b64encode(f"{behind.user}:{behind.password}".encode()).decode()
    headers = {"Authorization": f"Basic {key}", "Content-Type": "application/json"}
    body = json.dumps({"language": "opencypher", "command": query})
    try:
        connection.request("POST", f"/api/v1/query/{behind.database}", body, headers)
        detail = json.loads(connection.getresponse().read()).get("detail", "")
    except (OSError, http.client.HTTPException, ValueError):
        return ""
    finally:
        connection.close()
    return plain_reason(str(detail))


def plain_reason(detail: str) -> str:
    """Return the reason as the engine gives it to a query that runs in this process.

    >>> plain_reason("Syntax error at line 1:3 - no viable alternative at input '(a) -> b' -> NoViableAltException")
    "Syntax error at line 1:3 - no viable alternative at input '(a) -> b'"
    """
    return _CAUSES.sub("", first_line(Exception(detail)))
