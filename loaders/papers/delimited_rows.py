"""Rows of comma, tab, semicolon or bar separated files; a faulty quote costs one row, not the rest."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from loaders.papers.decoding import MAX_LINE_BYTES, Line

#: No abstract has more line breaks within its quotes; a row that does has lost its closing quote.
_MAX_ROW_LINES: Final = 300


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line it begins at and its cells; no cells when a quote was never closed."""

    line: int
    cells: tuple[str, ...]


def rows(lines: Iterable[Line], *, delimiter: str, quoted: bool = True) -> Iterator[Row]:
    """Yield the rows that are not blank; a quoted cell may hold line breaks."""
    csv.field_size_limit(MAX_LINE_BYTES)
    source = iter(lines)
    waiting: deque[Line] = deque()
    while first := _next(waiting, source):
        if not first.text.strip():
            continue
        if not quoted or '"' not in first.text:
            yield Row(first.number, tuple(first.text.rstrip("\r\n").split(delimiter)))
            continue
        taken = [first]
        while (cells := _cells("".join(line.text for line in taken), delimiter)) is None:
            following = _next(waiting, source) if len(taken) < _MAX_ROW_LINES else None
            if following is None:
                break
            taken.append(following)
        if not cells:
            waiting.extendleft(reversed(taken[1:]))
        yield Row(first.number, tuple(cells or ()))


def _next(waiting: deque[Line], source: Iterator[Line]) -> Line | None:
    return waiting.popleft() if waiting else next(source, None)


def _cells(text: str, delimiter: str) -> list[str] | None:
    """Return the cells of a row; None while a quote is open, none when it was closed in another row."""
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):
            return None
    if text.count("\n") > text.endswith("\n"):
        return []
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:  # an odd carriage return outside of quotes
        return text.rstrip("\r\n").split(delimiter)
