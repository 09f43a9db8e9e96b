"""Records of tagged lines (RIS, MEDLINE, EndNote, Web of Science), split before anything is made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from loaders.papers.decoding import Line

#: tag -> its values in order, each as it stands in the file (continuation lines and all).
Fields = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a tagged format writes a line and where its records begin and end.

    ``begins`` are the tags that open a record; without any, the first tag of the file does. ``lists`` are
    tags whose continuation lines are further values, ``ignored`` those of the file's head.
    """

    line: re.Pattern[str]
    begins: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()


@dataclass(slots=True)
class Tagged:
    """One record: the line it begins at and its fields."""

    line: int
    fields: Fields = field(default_factory=dict)

    def first(self, *tags: str) -> str:
        """Return the first value of the first of these tags that has one."""
        return next((value for tag in tags for value in self.fields.get(tag, ()) if value), "")

    def all(self, *tags: str) -> list[str]:
        """Return all values of the first of these tags that has any."""
        return next((values for tag in tags if (values := [v for v in self.fields.get(tag, ()) if v])), [])


RIS: Final = Syntax(
    re.compile(r"^\s{0,3}([A-Z][A-Z0-9])\s{0,2}-(?:\s|$)(.*)", re.DOTALL),
    begins=frozenset({"TY"}),
    ends=frozenset({"ER"}),
)
MEDLINE: Final = Syntax(re.compile(r"^([A-Z]{2,4})\s{0,2}-(?:\s|$)(.*)", re.DOTALL))
ENDNOTE: Final = Syntax(re.compile(r"^%([0-9A-Z@!#$&()*+?\[\]^><~])(?:\s|$)(.*)", re.DOTALL))
WEB_OF_SCIENCE: Final = Syntax(
    re.compile(r"^([A-Z][A-Z0-9])(?: |\s*$)(.*)", re.DOTALL),
    begins=frozenset({"PT"}),
    ends=frozenset({"ER", "EF"}),
    lists=frozenset({"AU", "AF", "BA", "BF", "CA"}),
    ignored=frozenset({"FN", "VR"}),
)


REFWORKS: Final = Syntax(re.compile(r"^([A-Z][A-Z0-9])(?: |\s*$)(.*)", re.DOTALL), begins=frozenset({"RT"}))
COCHRANE: Final = Syntax(re.compile(r"^([A-Z]{2,3}): ?(.*)", re.DOTALL))


def split_records(lines: Iterable[Line], syntax: Syntax) -> Iterator[Tagged]:
    """Cut lines into records; a missing end costs nothing where the next record begins."""
    record: Tagged | None = None
    begins = syntax.begins
    tag = ""
    for number, text in lines:
        found = syntax.line.match(text)
        if not found or found.group(1) in syntax.ignored:
            if record and tag and not found:
                _continue(record, tag, text, listed=tag in syntax.lists)
            continue
        tag, value = found.group(1), found.group(2)
        begins = begins or frozenset({tag})
        if record and tag in begins | syntax.ends:
            yield _trimmed(record)
            record = None
        if tag in syntax.ends:
            tag = ""
        else:
            record = record or Tagged(number)
            record.fields.setdefault(tag, []).append(value)
    if record:
        yield _trimmed(record)


def _continue(record: Tagged, tag: str, text: str, *, listed: bool) -> None:
    values = record.fields[tag]
    if listed and text.strip():
        values.append(text)
    else:
        values[-1] += text


def _trimmed(record: Tagged) -> Tagged:
    record.fields = {tag: [value.strip() for value in values] for tag, values in record.fields.items()}
    return record
