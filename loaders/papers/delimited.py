"""Papers from tables: CSV and TSV of indexes and publishers, of reference managers, and hand-made ones.

Column names vary by vendor and year; ``field_names`` knows them. References:
    Scopus: https://service.elsevier.com/app/answers/detail/a_id/14805
    Web of Science: https://images.webofknowledge.com/images/help/WOS/hs_wos_fieldtags.html
    IEEE Xplore: https://ieeexplore.ieee.org/Xplorehelp/searching-ieee-xplore/search-results-page
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from loaders.papers.decoding import Line, Source, head_lines
from loaders.papers.delimited_rows import Row, rows
from loaders.papers.field_names import field_of
from loaders.papers.fields import paper_from
from loaders.papers.names import venue_id_of
from loaders.papers.records import Faulty, Found, Record, Records

_DELIMITERS: Final = ("\t", ",", ";", "|")
_PREFACE_LINES: Final = 12
_MAX_NAME: Final = 60
_LONG_CELL: Final = 120
_SENTENCE_END: Final = re.compile(r"\w \w.*[.!]$")
#: The line below the header of a table in Markdown.
_RULE: Final = re.compile(r"\s*(?:\|\s*)?:?-{2,}:?\s*\|")
#: Web of Science names its columns by its two-letter tags, of which ID is no id but keywords.
_WEB_OF_SCIENCE: Final = {
    "UT": "id",
    "TI": "title",
    "AB": "abstract",
    "AF": "authorfullnames",
    "AU": "authors",
    "SO": "venue",
    "PY": "year",
    "DI": "doi",
    "DE": "keywords",
    "ID": "indexkeywords",
}
#: SpringerLink joins names without anything between: "Jane DoeRick Roe".
_GLUED: Final = re.compile(
    r"(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLe)(?<!\bLa)(?<!\bDi)(?<!\bDu)(?<=[a-zà-ÿ.])(?=[A-ZÀ-Þ][a-zà-ÿ.])"
)


@dataclass(frozen=True, slots=True)
class Table:
    """How a table is written. ``line`` is where the header stands; 0 without one (columns are guessed)."""

    delimiter: str
    header: tuple[str, ...]
    line: int
    quoted: bool = True


def looks(head: str) -> bool:
    """Say whether a file begins with known column names, or is a regular table without."""
    return table_of(head) is not None


def looks_tabs(head: str) -> bool:
    """Say whether a file is a table whose cells are parted by tabs."""
    table = table_of(head)
    return table is not None and table.delimiter == "\t"


def table_of(head: str) -> Table | None:
    """Return how the table in a file is written; None when the file is no table."""
    lines = head_lines(head)
    if not head.endswith(("\n", "\r")) and len(lines) > 2:
        lines.pop()  # the head may end within a row
    for line in lines[:_PREFACE_LINES]:
        for delimiter in _DELIMITERS:
            header = _header(line.text, delimiter)
            below = lines[line.number :]
            if header and _fits(below, delimiter, header) and not (below and _RULE.match(below[0].text)):
                quoted = not ({"PT", "TI", "UT"} <= set(header) and delimiter == "\t")
                return Table(delimiter, header, line.number, quoted)
    return _headless(lines)


def _header(text: str, delimiter: str) -> tuple[str, ...]:
    """Return the column names in a line; empty when it is no header."""
    if delimiter not in text:
        return ()
    try:
        cells = tuple(cell.strip() for cell in next(csv.reader([text], delimiter=delimiter), []))
    except csv.Error:
        return ()
    known = {field for cell in cells if (field := field_of(cell))}
    telling = known & {"title", "abstract"} and len(known) > 1
    plausible = not any(len(cell) > _MAX_NAME or _SENTENCE_END.search(cell) for cell in cells)
    return cells if telling and plausible and (len(known) * 2 >= len(cells) or len(cells) >= 8) else ()


def _fits(lines: Sequence[Line], delimiter: str, header: tuple[str, ...]) -> bool:
    """Say whether the rows below a header have cells for it (a sentence with commas is no header)."""
    below = [row for row in islice(rows(lines, delimiter=delimiter), 20) if row.cells]
    fitting = sum(1 for row in below if len(row.cells) > 1)
    cut = not below and any(delimiter in line.text for line in lines)  # the first row is longer than the head
    return fitting * 2 >= len(below) and (bool(below) or cut or len(header) > 2)


def _headless(lines: Sequence[Line]) -> Table | None:
    """Guess the columns of a table without names: the longest is the abstract, the next the title."""
    for delimiter in ("\t", ",", ";"):
        sample = [row.cells for row in islice(rows(lines, delimiter=delimiter), 50)]
        widths = {len(cells) for cells in sample}
        if len(sample) < 2 or len(widths) != 1 or widths <= {0, 1}:
            continue
        means = [sum(map(len, column)) / len(sample) for column in zip(*sample, strict=True)]
        order = sorted(range(len(means)), key=lambda index: -means[index])
        if delimiter != "\t" and not all(line.text.lstrip().startswith('"') for line in lines[:1]):
            continue
        if means[order[0]] >= _LONG_CELL:
            names = [""] * len(means)
            names[order[0]], names[order[1]] = "abstract", "title"
            return Table(delimiter, tuple(names), 0)
    return None


def read(source: Source) -> Records:
    """Yield the papers of a table."""
    table = table_of(source.head)
    if table is None:
        return
    lines = source.lines()
    for _ in islice(lines, table.line):
        pass
    names = _names(table.header)
    for row in rows(lines, delimiter=table.delimiter, quoted=table.quoted):
        if any(cell.strip() for cell in row.cells) or not row.cells:
            yield from _record(row, table, names)


def _names(header: tuple[str, ...]) -> tuple[str, ...]:
    if {"PT", "TI", "UT"} <= set(header):
        return tuple(_WEB_OF_SCIENCE.get(name, "") for name in header)
    return header


def _record(row: Row, table: Table, names: tuple[str, ...]) -> Iterator[Record]:
    cells, width = row.cells, len(names)
    if not cells:
        yield Faulty(row.line, "a quote is never closed")
        return
    if len(cells) > width and field_of(names[-1]) == "abstract":
        cells = (*cells[: width - 1], table.delimiter.join(cells[width - 1 :]))
    if len(cells) > width and any(cell.strip() for cell in cells[width:]):
        yield Faulty(row.line, f"has {len(cells)} cells, the header {width}")
        return
    paper = paper_from(_given(names, cells))
    if paper.raw:
        yield Found(row.line, paper, _venue_id(paper.id) or venue_id_of(paper.url))
    else:
        yield Faulty(row.line, "has neither a title nor an abstract")


def _given(names: tuple[str, ...], cells: tuple[str, ...]) -> Mapping[str, str]:
    given: dict[str, str] = {}
    for name, cell in zip(names, cells, strict=False):
        if name and cell.strip():
            given.setdefault(name, cell.strip())
    if "Item Title" in given and not re.search(r"[;,]", authors := given.get("Authors", "")):
        given["Authors"] = ";".join(_GLUED.split(authors))
    return given


def _venue_id(identity: str) -> str:
    if identity.startswith("WOS:"):
        return f"wos:{identity}"
    return f"scopus:{identity}" if identity.startswith("2-s2.0-") else ""
