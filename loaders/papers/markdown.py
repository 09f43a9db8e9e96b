"""Lists, sections and tables of papers in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from loaders.papers.decoding import Line, Source, head_lines
from loaders.papers.field_names import field_of
from loaders.papers.fields import paper_from
from loaders.papers.labels import label_of
from loaders.papers.markdown_items import cell_fields, fields_of, heading_fields
from loaders.papers.name_lines import are_names
from loaders.papers.names import venue_id_of
from loaders.papers.records import Found, Records

_HEADING: Final = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_ITEM: Final = re.compile(r"^(\s*)(?:[-*+•]|\d{1,5}[.)])\s+(?=\S)(.*)$", re.DOTALL)
_RULE_ROW: Final = re.compile(r"^\s*(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")
_NOISE: Final = re.compile(
    r"^\s*(?:!?\[[^\]]*\]\([^)]*\)[\s,|/·•]*)+$|^\s*</?(?:details|p|br|div|ul|li|center)[^>]*>\s*$"
)
_SUMMARY: Final = re.compile(r"<summary>.*?abstract.*?</summary>", re.IGNORECASE)
_HTML: Final = re.compile(r"</?(?:details|summary|p|br|div|b|i|em|strong|blockquote)[^>]*>", re.IGNORECASE)
_LINKED_ITEM: Final = re.compile(
    r"(?m)^[ \t]*(?:[-*+]|\d{1,5}[.)])[ \t]+(?:[\[(`].{0,40}?[\])`]\s*)?(?:\*\*|__|\[|<a |[\"“])"
)
_SECTION: Final = re.compile(r"(?m)^#{2,6} \S")


@dataclass(slots=True)
class _Item:
    """A paper that is being put together, and the lines below it."""

    line: int
    fields: dict[str, str]
    level: int = 0
    body: list[str] = field(default_factory=list)


def looks(head: str) -> bool:
    """Say whether a text is a list, a series of sections or a table of papers in Markdown."""
    lines = [text.strip() for _, text in head_lines(head)]
    table = any(_RULE_ROW.match(line) and "|" in above and _columns(above) for above, line in pairwise(lines))
    return table or len(_LINKED_ITEM.findall(head)) > 1 or len(_SECTION.findall(head)) > 1


def read(source: Source) -> Records:
    """Yield the papers of a Markdown file."""
    item: _Item | None = None
    columns: list[str] = []
    above = ""
    for line in _without_code(source.lines()):
        text = line.text.rstrip("\r\n")
        if _RULE_ROW.match(text) and "|" in above:
            columns = [cell.strip() for cell in _cells(above)]
            if item and item.body:
                item.body.pop()
        elif columns and "|" in text:
            yield from _row(line, columns)
        elif begun := _begun(line, item):
            if not _opens_section(item, begun):
                yield from _finished(item)
            item, columns = begun, []
        else:
            columns = columns if text.strip() else []
            if item:
                item.body.append(text)
        above = text
    yield from _finished(item)


def _without_code(lines: Iterator[Line]) -> Iterator[Line]:
    inside = False
    for line in lines:
        if _FENCE.match(line.text):
            inside = not inside
        elif not inside:
            yield line


def _begun(line: Line, item: _Item | None) -> _Item | None:
    """Return the item that begins on a line: a heading, or a bullet that is no part of another item."""
    text = line.text.rstrip("\r\n")
    if heading := _HEADING.match(text):
        return _Item(line.number, heading_fields(heading.group(2)), level=len(heading.group(1)))
    bullet = _ITEM.match(text)
    if not bullet or label_of(bullet.group(2))[0]:
        return None
    indent = len(bullet.group(1).expandtabs(4))
    if indent >= 2 and item and not item.level:
        return None
    fields = fields_of(bullet.group(2))
    return _Item(line.number, fields) if fields else None


def _opens_section(item: _Item | None, below: _Item) -> bool:
    """Say whether a heading stands over papers (and its text is an introduction), or is a paper itself."""
    if item is None or not item.level:
        return False
    return (not below.level or below.level > item.level) and "abstract" not in _read_body(item.body)[0]


def _finished(item: _Item | None) -> Records:
    """Yield the paper of an item; a heading without a text of its own is only a heading."""
    if item is None or not item.fields.keys() & {"title", "abstract"}:
        return
    labelled, abstract = _read_body(item.body)
    given = {**item.fields, **labelled}
    if abstract:
        given["abstract"] = "\n".join(part for part in (given.get("abstract", ""), abstract) if part)
    if item.level and "abstract" not in given and not labelled.keys() & {"authors", "url", "doi"}:
        return
    paper = paper_from(given)
    yield Found(item.line, paper, venue_id_of(paper.url))


def _read_body(lines: list[str]) -> tuple[dict[str, str], str]:
    """Return what labels name below a title, and the text that none names."""
    labelled: dict[str, list[str]] = {}
    loose: list[str] = []
    current = ""
    for text in lines:
        if _SUMMARY.search(text):
            current = "abstract"
            text = _SUMMARY.sub("", text)
        bare = _HTML.sub("", re.sub(r"^\s*>\s?", "", text)).rstrip()
        bullet = _ITEM.match(bare)
        name, start = label_of(bullet.group(2) if bullet else bare)
        if name:
            current = name
            labelled.setdefault(name, []).append((bullet.group(2) if bullet else bare)[start:])
        elif current and (bare.strip() or current == "abstract"):
            labelled.setdefault(current, []).append(bare)
        elif _NOISE.match(bare):
            continue
        elif are_names(bare.strip(" *_")) and not any(loose):
            labelled["authors"] = [bare.strip(" *_")]
        else:
            loose.append(bare)
        if not bare.strip() and current != "abstract":
            current = ""
    fields = {name: "\n".join(texts).strip() for name, texts in labelled.items()}
    return {name: text for name, text in fields.items() if text}, "\n".join(loose).strip("\n")


def _columns(text: str) -> bool:
    return bool({field_of(cell) for cell in _cells(text)} & {"title", "abstract"})


def _cells(text: str) -> list[str]:
    return re.split(r"(?<!\\)\|", text.strip().removeprefix("|").removesuffix("|"))


def _row(line: Line, columns: list[str]) -> Records:
    given: dict[str, str] = {}
    for column, cell in zip(columns, _cells(line.text), strict=False):
        words, url = cell_fields(cell.strip())
        name = field_of(column)
        if words and name:
            given.setdefault(name, words)
        if url and (name in ("title", "url") or not given.get("url", "").startswith("http")):
            given["url"] = url
    paper = paper_from(given)
    if paper.raw:
        yield Found(line.number, paper, venue_id_of(paper.url))
