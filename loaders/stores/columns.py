"""Name the columns of a query from its text, for results without rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .cypher_tokens import NAME, SYMBOL, Token
from .read_guard import is_word

_ENDS: Final = frozenset({"ORDER", "SKIP", "OFFSET", "LIMIT", "UNION"})


def column_names(cypher: str, tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the columns of the last RETURN (or of a lone CALL's YIELD); () where the text does not tell.

    >>> from .cypher_tokens import tokenize
    >>> query = "MATCH (m) RETURN m.name, count(*) AS n LIMIT 3"
    >>> column_names(query, tokenize(query))
    ('m.name', 'n')
    """
    start = _last_return(tokens)
    if start is None:
        return ()
    names: list[str] = []
    item: list[Token] = []
    for token in [*_projection(tokens, start), None]:
        if token is None or (token.kind == SYMBOL and token.value == ","):
            names.append(_name(cypher, item))
            item = []
        else:
            item.append(token)
    return () if any(name in ("", "*") for name in names) else tuple(names)


def _depths(tokens: Sequence[Token]) -> list[int]:
    depths, depth = [], 0
    for token in tokens:
        closing = token.kind == SYMBOL and token.value in ")]}"
        depth -= closing
        depths.append(depth)
        depth += token.kind == SYMBOL and token.value in "([{"
    return depths


def _last_return(tokens: Sequence[Token]) -> int | None:
    depths = _depths(tokens)
    for word in ("RETURN", "YIELD"):
        places = [at for at in range(len(tokens)) if depths[at] == 0 and is_word(tokens, at, frozenset({word}))]
        if places:
            return places[-1]
    return None


def _projection(tokens: Sequence[Token], start: int) -> list[Token]:
    """Return the tokens after RETURN up to its end; those inside brackets lose their kind."""
    depths = _depths(tokens)
    merged: list[Token] = []
    for at in range(start + 1, len(tokens)):
        token = tokens[at]
        if depths[at] == 0 and is_word(tokens, at, _ENDS):
            break
        if not merged and is_word(tokens, at, frozenset({"DISTINCT"})):
            continue
        inside = depths[at] > 0 or (token.kind == SYMBOL and token.value in "([{)]}")
        merged.append(Token("inner", token.value, token.start, token.end) if inside else token)
    return merged


def _name(cypher: str, item: Sequence[Token]) -> str:
    if not item:
        return ""
    if len(item) > 2 and item[-2].kind == NAME and item[-2].value.upper() == "AS":
        return item[-1].value
    if len(item) == 1:
        return item[0].value
    return cypher[item[0].start : item[-1].end]
