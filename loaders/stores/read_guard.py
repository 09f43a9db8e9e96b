"""Let only reading Cypher through: known clauses, functions and procedures; what is not known is refused.

The guard does not parse expressions. It uses that in Cypher a word after an operand can only be an operator
or the start of a clause: such a word must be a reading one. A clause that starts elsewhere (first, after
UNION, in a subquery) either is followed by an operand, or looks like a call of a function that is not listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from kg.errors import QueryError

from .cypher_tokens import NAME, NUMBER, PARAMETER, QUOTED_NAME, STRING, SYMBOL, Token, tokenize


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STARTS: Final = _words("MATCH OPTIONAL WITH UNWIND RETURN CALL EXPLAIN PROFILE")
#: Words after which an expression or a pattern goes on. They may also stand after an operand.
_WORDS: Final = _STARTS | _words(
    "WHERE ORDER BY SKIP OFFSET LIMIT UNION ALL DISTINCT AS AND OR XOR NOT IN STARTS ENDS CONTAINS IS CASE "
    "WHEN "
    "THEN ELSE ASC ASCENDING DESC DESCENDING YIELD SHORTEST"
)
_AFTER_OPERAND: Final = _WORDS | {"END"}
#: Words that start a clause that writes, administrates or reads a file: refused wherever they are not a name.
_FORBIDDEN: Final = _words(
    "CREATE MERGE DELETE DETACH NODETACH SET REMOVE INSERT DROP ALTER FOREACH LOAD CSV GRANT DENY REVOKE "
    "SHOW USE "
    "TERMINATE STOP RENAME ENABLE REALLOCATE DEALLOCATE TRANSACTIONS PERIODIC COMMIT FINISH USING CYPHER"
)

FUNCTIONS: Final = _words(
    "abs acos all allshortestpaths any asin atan atan2 avg ceil char_length character_length coalesce "
    "collect cos "
    "cot count date datetime degrees duration e elementid endnode exists exp floor haversin head id isempty "
    "isnan "
    "keys labels last left length localdatetime localtime log log10 lower ltrim max min nodes none normalize "
    "nullif percentilecont percentiledisc pi point properties radians rand randomuuid range reduce "
    "relationships "
    "replace reverse right round rtrim btrim shortestpath sign sin single size split sqrt startnode stdev "
    "stdevp "
    "substring sum tail tan time timestamp toboolean tobooleanlist tobooleanornull tofloat tofloatlist "
    "tofloatornull tointeger tointegerlist tointegerornull tolower tostring tostringlist tostringornull "
    "toupper "
    "trim type upper valuetype date.truncate datetime.truncate localdatetime.truncate duration.between "
    "duration.indays duration.inmonths duration.inseconds point.distance vector.similarity.cosine "
    "vector.similarity.euclidean"
)
PROCEDURES: Final = _words(
    "db.labels db.relationshiptypes db.propertykeys db.schema.visualization db.index.fulltext.querynodes "
    "db.index.fulltext.queryrelationships db.index.vector.querynodes db.index.vector.queryrelationships"
)


def check_reading(cypher: str) -> list[Token]:
    """Return the tokens of a query that only reads.

    Raises:
        QueryError: for an empty query, several statements, or anything but listed reading clauses, functions
            and procedures.
    """
    tokens = tokenize(cypher)
    while tokens and tokens[-1].value == ";" and tokens[-1].kind == SYMBOL:
        tokens.pop()
    if not tokens:
        raise QueryError("the query is empty; write for example MATCH (m:Method) RETURN m.name LIMIT 10")
    if any(token.kind == SYMBOL and token.value == ";" for token in tokens):
        raise QueryError("the query has several statements; run them one at a time")
    _check_start(tokens[0])
    for at in range(len(tokens)):
        _check_word(tokens, at)
    for previous, token in pairwise(range(len(tokens))):
        _check_neighbours(tokens, previous, token)
    _check_calls(tokens)
    return tokens


def _check_start(token: Token) -> None:
    if token.kind != NAME or token.value.upper() not in _STARTS:
        raise QueryError(
            f"the query starts with {token.value[:40]!r}; queries here only read and start with "
            "MATCH, OPTIONAL MATCH, WITH, UNWIND, RETURN or CALL"
        )


def is_plain_name(tokens: Sequence[Token], at: int) -> bool:
    """Say whether the word here can only be a name: a property, a label, a type or the key of a map."""
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if before is not None and before.kind == SYMBOL and before.value in ".:" and not _is_range(tokens, at - 1):
        return True
    in_map = before is not None and before.kind == SYMBOL and before.value in "{,"
    return in_map and after is not None and after.kind == SYMBOL and after.value == ":"


def _is_range(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at].value == "." and tokens[at - 1].value == "."


def is_word(tokens: Sequence[Token], at: int, words: frozenset[str]) -> bool:
    """Say whether the token is one of these words (upper case), used as a word of the language."""
    token = tokens[at]
    return token.kind == NAME and token.value.upper() in words and not is_plain_name(tokens, at)


def _check_word(tokens: Sequence[Token], at: int) -> None:
    if is_word(tokens, at, _FORBIDDEN):
        word = tokens[at].value
        raise QueryError(
            f"{word.upper()} is refused: queries here only read, and never a file or an address "
            f"(a name that is spelled like this goes in back quotes: `{word}`)"
        )


def _ends_operand(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if token.kind == SYMBOL:
        return token.value in ")]}"
    return token.kind != NAME or not is_word(tokens, at, _WORDS)


def _check_neighbours(tokens: Sequence[Token], at: int, following: int) -> None:
    token = tokens[following]
    if not _ends_operand(tokens, at):
        return
    if token.kind in (STRING, NUMBER, PARAMETER, QUOTED_NAME):
        raise QueryError(f"{_near(tokens[at], token)} is no reading Cypher")
    if token.kind == NAME and not is_word(tokens, following, _AFTER_OPERAND):
        raise QueryError(f"{token.value.upper()} is no reading clause (near {_near(tokens[at], token)})")


def _near(first: Token, second: Token) -> str:
    return repr(f"{first.value[-30:]} {second.value[:30]}")


def _check_calls(tokens: Sequence[Token]) -> None:
    for at, token in enumerate(tokens):
        if is_word(tokens, at, frozenset({"CALL"})):
            _check_procedure(tokens, at + 1)
        elif token.kind == SYMBOL and token.value == "(" and at:
            _check_function(tokens, at - 1)
        elif token.kind == SYMBOL and token.value == "{" and at:
            _check_brace(tokens, at - 1)


def _check_procedure(tokens: Sequence[Token], at: int) -> None:
    if at < len(tokens) and tokens[at].kind == SYMBOL and tokens[at].value in "{(":
        return
    parts: list[str] = []
    while at < len(tokens) and tokens[at].kind in (NAME, QUOTED_NAME):
        parts.append(tokens[at].value)
        if not (at + 1 < len(tokens) and tokens[at + 1].value == "."):
            break
        at += 2
    name = ".".join(parts)
    if name.lower() not in PROCEDURES:
        raise QueryError(f"the procedure {name or '?'} may not be called here, only {', '.join(sorted(PROCEDURES))}")


def _check_function(tokens: Sequence[Token], at: int) -> None:
    name = _called_name(tokens, at)
    if name and name.lower() not in FUNCTIONS and name.lower() not in PROCEDURES:
        raise QueryError(f"{name}(...) is neither a listed function nor the start of a reading clause")


def _called_name(tokens: Sequence[Token], at: int) -> str:
    """Return the dotted name that ends at this token, or "" where it calls nothing."""
    if tokens[at].kind not in (NAME, QUOTED_NAME) or is_word(tokens, at, _WORDS - {"ALL"}):
        return ""
    parts = [tokens[at].value]
    while at >= 2 and tokens[at - 1].value == "." and tokens[at - 2].kind in (NAME, QUOTED_NAME):
        parts.append(tokens[at - 2].value)
        at -= 2
    if len(parts) == 1 and parts[0].upper() == "ALL":
        return ""
    return ".".join(reversed(parts))


def _check_brace(tokens: Sequence[Token], at: int) -> None:
    """Refuse a brace after a literal: only names of variables, labels and subqueries have one."""
    token = tokens[at]
    if token.kind in (STRING, NUMBER):
        raise QueryError(f"a brace after {token.value[:30]!r} is no reading Cypher")
