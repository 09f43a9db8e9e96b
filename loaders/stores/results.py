"""Turn what the embedded engine answers into plain values: nodes, edges and paths as dicts, dates as text.

The engine gives records as dicts with ``@rid`` and ``@type``, without the ends of an edge, and paths as text
like ``(#1:0)-[#7:0]->(#4:0)``. The missing parts are looked up in one go for a whole answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

from kg import schema

from . import statements

_RECORD: Final = re.compile(r"#\d+:\d+")
_PATH: Final = re.compile(r"\(#\d+:\d+\)(?:<?-\[#\d+:\d+\]->?\(#\d+:\d+\))*")
_RECORDS_A_LOOKUP: Final = 1_000
#: Properties with this prefix are the bookkeeping of a store, not of the graph.
BOOKKEEPING: Final = "kg_"

#: Runs a SQL statement and returns its rows as dicts.
Run = Callable[[str], Iterable[Mapping[str, Any]]]


def plain_rows(rows: Sequence[Mapping[str, Any]], run: Run, *, with_paths: bool) -> list[dict[str, Any]]:
    """Return the rows with plain values only.

    Args:
        rows: what the engine answered.
        run: how to look up records.
        with_paths: whether the query binds paths; only then is text that looks like one taken for a path.
    """
    paths = {text for row in rows for text in _texts(row) if _PATH.fullmatch(text)} if with_paths else set()
    on_paths = {record for path in paths for record in _RECORD.findall(path)}
    looked_up = {record["@rid"]: record for record in _look_up(statements.EMBEDDED_RECORDS, on_paths, run)}
    edges = {str(r["@rid"]) for row in rows for r in _records(row) if r["@type"] in schema.EDGES}
    edges |= {record for record, found in looked_up.items() if found["@type"] in schema.EDGES}
    ends = {str(row["edge"]): row for row in _look_up(statements.EMBEDDED_EDGE_ENDS, edges, run)}
    return [{name: _plain(value, paths, looked_up, ends) for name, value in row.items()} for row in rows]


def _look_up(statement: str, records: Iterable[str], run: Run) -> Iterator[Mapping[str, Any]]:
    numbers = sorted(records)
    for start in range(0, len(numbers), _RECORDS_A_LOOKUP):
        yield from run(statement.format(records=",".join(numbers[start : start + _RECORDS_A_LOOKUP])))


def _values(value: Any) -> Iterator[Any]:
    """Yield a value and all inside it."""
    yield value
    inside: Iterable[Any] = ()
    if isinstance(value, Mapping):
        inside = value.values()
    elif isinstance(value, list | tuple | set):
        inside = value
    for item in inside:
        yield from _values(item)


def _texts(value: Any) -> Iterator[str]:
    return (item for item in _values(value) if isinstance(item, str))


def _records(value: Any) -> Iterator[Mapping[str, Any]]:
    return (item for item in _values(value) if isinstance(item, Mapping) and "@rid" in item and "@type" in item)


def _plain(
    value: Any,
    paths: set[str],
    records: Mapping[str, Mapping[str, Any]],
    ends: Mapping[str, Mapping[str, Any]],
) -> Any:
    if isinstance(value, str):
        if value in paths:
            numbers = _RECORD.findall(value)
            found = [_plain(records[number], set(), records, ends) for number in numbers if number in records]
            return {"nodes": found[::2], "relationships": found[1::2]} if len(found) == len(numbers) else value
        return value
    if isinstance(value, Mapping):
        if "@rid" in value and "@type" in value:
            return _plain_record(value, ends)
        return {str(name): _plain(item, paths, records, ends) for name, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(item, paths, records, ends) for item in value]
    return plain_scalar(value)


def _plain_record(record: Mapping[str, Any], ends: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    kind = str(record["@type"])
    end = ends.get(str(record["@rid"]))
    if kind in schema.EDGES and end is not None:
        return {"type": kind, "from": end["head"], "to": end["tail"], **own_properties(record)}
    return {"label": kind, **own_properties(record)}


def own_properties(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties that come from the graph: id and name first, the others in alphabetic order."""
    names = [name for name in record if not name.startswith(("@", BOOKKEEPING))]
    return {name: record[name] for name in sorted(names, key=lambda name: (name != "id", name != "name", name))}


def plain_scalar(value: Any) -> Any:
    """Return a single value as JSON knows it; dates and durations as ISO text, exact numbers as floats."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return str(value)
