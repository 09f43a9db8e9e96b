"""Split Cypher into tokens that know strings, comments and quoted names: text is never taken for code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kg.errors import QueryError

NAME: Final = "name"
QUOTED_NAME: Final = "quoted name"
STRING: Final = "string"
NUMBER: Final = "number"
PARAMETER: Final = "parameter"
SYMBOL: Final = "symbol"

_SPACES: Final = " \t\r\n"
_UNICODE_ESCAPE_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, its value (names without their back quotes) and where it stands in the query."""

    kind: str
    value: str
    start: int
    end: int


def tokenize(cypher: str) -> list[Token]:
    """Return the tokens of a query, without white space and comments.

    Raises:
        QueryError: for an unclosed string, name or comment, and for characters that two Cypher parsers may
            read differently (control characters, a backslash outside a string, an escaped ASCII character).
    """
    tokens: list[Token] = []
    at = 0
    while at < len(cypher):
        if cypher[at] in _SPACES:
            at += 1
        elif cypher.startswith(("//", "/*"), at):
            at = _comment_end(cypher, at)
        else:
            token = _token(cypher, at)
            tokens.append(token)
            at = token.end
    return tokens


def _comment_end(cypher: str, start: int) -> int:
    if cypher.startswith("/*", start):
        end = cypher.find("*/", start + 2)
        if end < 0:
            raise QueryError(f"the comment at character {start + 1} is not closed; add */")
        end += 2
    else:
        newline = cypher.find("\n", start)
        end = len(cypher) if newline < 0 else newline
    for at in range(start, end):
        _refuse_control(cypher, at)
        # Engines differ on whether a lone carriage return ends a comment and code follows it.
        if cypher[at] == "\r" and cypher[at + 1 : at + 2] != "\n":
            raise QueryError(
                f"a lone carriage return stands in the comment at character {start + 1}; end lines with \\n"
            )
        if cypher[at] == "\\":
            raise QueryError(f"a backslash stands in the comment at character {start + 1}; take it out")
    return end


def _refuse_control(cypher: str, at: int) -> None:
    character = cypher[at]
    if (character < " " and character not in _SPACES) or character in "\x7f\x85\u2028\u2029":
        raise QueryError(f"character {at + 1} of the query is the control character {character!r}; take it out")


def _token(cypher: str, start: int) -> Token:
    character = cypher[start]
    if character in "'\"":
        return _string(cypher, start)
    if character == "`":
        return _quoted_name(cypher, start)
    if character == "$":
        return _parameter(cypher, start)
    if character == "_" or character.isalpha():
        end = _name_end(cypher, start)
        return Token(NAME, cypher[start:end], start, end)
    if character.isdigit():
        return _number(cypher, start)
    _refuse_control(cypher, start)
    if character == "\\" or (character > "\x7f" and not character.isalnum()):
        raise QueryError(f"character {start + 1} of the query is {character!r}, which is not Cypher outside a string")
    return Token(SYMBOL, character, start, start + 1)


def _name_end(cypher: str, start: int) -> int:
    end = start
    while end < len(cypher) and (cypher[end] == "_" or cypher[end].isalnum()):
        end += 1
    return end


def _number(cypher: str, start: int) -> Token:
    end = _name_end(cypher, start)
    # `1..3` is a range, `1.5` a number.
    if cypher[end : end + 1] == "." and cypher[end + 1 : end + 2].isdigit():
        end = _name_end(cypher, end + 1)
    return Token(NUMBER, cypher[start:end], start, end)


def _parameter(cypher: str, start: int) -> Token:
    if cypher[start + 1 : start + 2] == "`":
        name = _quoted_name(cypher, start + 1)
        return Token(PARAMETER, name.value, start, name.end)
    end = _name_end(cypher, start + 1)
    if end == start + 1:
        return Token(SYMBOL, "$", start, end)
    return Token(PARAMETER, cypher[start + 1 : end], start, end)


def _string(cypher: str, start: int) -> Token:
    quote, at = cypher[start], start + 1
    while at < len(cypher) and cypher[at] != quote:
        if cypher[at] == "\\":
            _check_escape(cypher, at)
            at += 1
        at += 1
    if at >= len(cypher):
        raise QueryError(f"the string at character {start + 1} is not closed; add {quote}")
    return Token(STRING, cypher[start + 1 : at], start, at + 1)


def _check_escape(cypher: str, at: int) -> None:
    """Refuse an escaped ASCII character: Neo4j decodes it before it looks for the end of the string."""
    if cypher[at + 1 : at + 2] not in ("u", "U"):
        return
    digits = cypher[at + 2 :].lstrip("u")[:_UNICODE_ESCAPE_DIGITS]
    try:
        ascii_character = int(digits, 16) < 0x80
    except ValueError:
        ascii_character = True
    if ascii_character:
        raise QueryError(f"the escape at character {at + 1} stands for an ASCII character; write the character itself")


def _quoted_name(cypher: str, start: int) -> Token:
    at = start + 1
    parts: list[str] = []
    while at < len(cypher):
        if cypher[at] == "\\":
            raise QueryError(f"a backslash stands in the quoted name at character {start + 1}; take it out")
        if cypher[at] == "`":
            if cypher[at + 1 : at + 2] != "`":
                return Token(QUOTED_NAME, "".join(parts), start, at + 1)
            at += 1
        parts.append(cypher[at])
        at += 1
    raise QueryError(f"the quoted name at character {start + 1} is not closed; add `")
