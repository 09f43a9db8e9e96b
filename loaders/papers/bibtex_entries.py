"""BibTeX cut into entries, and one entry parsed.

The text is cut at each ``@type{`` that begins a line before anything is parsed, so an entry that is never
closed costs only itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from loaders.papers.decoding import Line

_BEGIN: Final = re.compile(r"^[ \t\ufeff]*@\s*[A-Za-z]+\s*[{(]")
_ENTRY: Final = re.compile(r"@\s*([A-Za-z]+)\s*([{(])\s*")
_KEY: Final = re.compile(r"([^,={}\"\n]*+)\s*+(?:,|(?=[})]))")
_FIELD: Final = re.compile(r"[\s,]*([A-Za-z][\w:.+/-]*)\s*=\s*")
_CLOSE: Final = re.compile(r"[\s,]*[})]")
_BARE: Final = re.compile(r"[^\s,#{}()\"]+")
_JOIN: Final = re.compile(r"\s*#\s*")
_BRACE: Final = re.compile(r"[{}]")
_QUOTE: Final = re.compile(r"[{}\"]")
_NO_ENTRIES: Final = ("comment", "preamble")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its line, type, key and fields (names in lower case; the first of several counts)."""

    line: int
    kind: str
    key: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BrokenEntry:
    """An entry that could not be parsed, and why."""

    line: int
    reason: str


def entries(lines: Iterable[Line]) -> Iterator[Entry | BrokenEntry]:
    """Yield the entries of a file; @string abbreviations hold from where they stand."""
    abbreviations: dict[str, str] = {}
    for start, text in _chunks(lines):
        at = 0
        while found := _ENTRY.search(text, at):
            line = start + text.count("\n", 0, found.start())
            kind = found.group(1).lower()
            if kind in _NO_ENTRIES:
                break
            try:
                entry, at = _parse(text, found, line, abbreviations)
            except ValueError as error:
                yield BrokenEntry(line, f"@{kind}: {error}")
                break
            if kind == "string":
                abbreviations.update(entry.fields)
            else:
                yield entry


def _chunks(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    start, parts = 0, list[str]()
    for number, text in lines:
        if _BEGIN.match(text):
            if parts:
                yield start, "".join(parts)
            start, parts = number, []
        if parts or _BEGIN.match(text):
            parts.append(text)
    if parts:
        yield start, "".join(parts)


def _parse(text: str, begin: re.Match[str], line: int, abbreviations: Mapping[str, str]) -> tuple[Entry, int]:
    kind, at = begin.group(1).lower(), begin.end()
    key = _KEY.match(text, at) if kind != "string" else None
    at = key.end() if key else at
    fields: dict[str, str] = {}
    while not (close := _CLOSE.match(text, at)):
        field = _FIELD.match(text, at)
        if not field:
            rest = text[at:].strip()
            raise ValueError(f"expected a field, saw {rest[:20]!r}" if rest else "is never closed")
        value, at = _value(text, field.end(), abbreviations)
        fields.setdefault(field.group(1).lower(), value)
    return Entry(line, kind, key.group(1).strip() if key else "", fields), close.end()


def _value(text: str, at: int, abbreviations: Mapping[str, str]) -> tuple[str, int]:
    parts = []
    while True:
        part, at = _part(text, at, abbreviations)
        parts.append(part)
        join = _JOIN.match(text, at)
        if not join:
            return "".join(parts), at
        at = join.end()


def _part(text: str, at: int, abbreviations: Mapping[str, str]) -> tuple[str, int]:
    if text.startswith("{", at):
        end = _closing(text, at + 1, _BRACE)
        return text[at + 1 : end], end + 1
    if text.startswith('"', at):
        end = _closing(text, at + 1, _QUOTE)
        return text[at + 1 : end], end + 1
    found = _BARE.match(text, at)
    if not found:
        raise ValueError("a field has no value")
    return abbreviations.get(found.group().lower(), found.group()), found.end()


def _closing(text: str, at: int, marks: re.Pattern[str]) -> int:
    """Return where a value ends: at the brace or quote on its own level."""
    depth = 0
    for found in marks.finditer(text, at):
        if found.group() == "{":
            depth += 1
        elif depth == 0 and found.group() == ('"' if marks is _QUOTE else "}"):
            return found.start()
        elif found.group() == "}":
            depth -= 1
    raise ValueError("a brace or quote is never closed")
