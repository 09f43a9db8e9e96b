"""Plain text: abstracts parted by blank lines, with or without titles, labels, numbers and a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from kg.types import Paper
from loaders.papers.decoding import Line, Source
from loaders.papers.fields import abstract_of, complete, keywords_of
from loaders.papers.labels import OTHER, after_number, label_of, labels_of
from loaders.papers.name_lines import are_names
from loaders.papers.names import arxiv_id_of, doi_of, people, year_of
from loaders.papers.records import Faulty, Found, Records
from loaders.papers.text_blocks import Block, is_short, text_of
from loaders.papers.text_habits import Habit, habit_of, is_heading, runs

#: An address on its own line; within "\\\\ ( ... , 8kb)" it closes a paper in the mails of arXiv.
_URL_ALONE: Final = re.compile(r"^\s*(?:<?(https?://\S+?)>?|\\\\ \( (https?://\S+) ,.*\))\s*$")
#: "Title: ... Abstract: ..." on one line.
_INLINE: Final = re.compile(r"\s[*_]*(?:Authors?|Abstract|作者|摘要)[*_]*\s*[:：][*_]*\s*")


@dataclass(slots=True)
class _Draft:
    """The record that is being put together."""

    line: int
    fields: dict[str, str] = field(default_factory=dict)
    labelled: bool = False


def read(source: Source) -> Records:
    """Yield the papers of a plain text file."""
    habit = habit_of(source)
    stream = runs(source.lines(), only_titles=habit.only_titles)
    if habit.has_heading:
        stream = _without_heading(stream)
    for draft in _drafts(stream, habit):
        paper = _paper(draft)
        yield Found(draft.line, paper) if paper.raw else Faulty(draft.line, "has neither a title nor an abstract")


def _without_heading(stream: Iterator[Block]) -> Iterator[Block]:
    first = next(stream, [])
    if not is_short(first):  # the first abstract stands right below
        yield first[1:]
    yield from stream


def _drafts(stream: Iterator[Block], habit: Habit) -> Iterator[_Draft]:
    """Put blocks together: a short one is the title of what follows, labels go with the title before."""
    draft: _Draft | None = None
    for block in stream:
        fields, labelled = _read_block(block, habit)
        if not fields:
            continue
        if draft and _belongs(draft, fields, labelled, habit):
            for name, text in fields.items():
                draft.fields[name] = "\n\n".join(part for part in (draft.fields.get(name, ""), text) if part)
            draft.labelled |= labelled
            continue
        if draft:
            yield from _finished(draft, habit)
        draft = _Draft(block[0].number, fields, labelled)
    if draft:
        yield from _finished(draft, habit)


def _belongs(draft: _Draft, fields: dict[str, str], labelled: bool, habit: Habit) -> bool:
    has = draft.fields
    if labelled:
        begins = habit.first_label in fields or ("title" in fields and has.keys() & {"title", "abstract"})
        return not begins and not fields.keys() & has.keys()
    if fields.keys() == {"abstract"}:
        return "abstract" not in has or (draft.labelled and "abstract" in has and "title" in has)
    return fields.keys() <= {"authors", "url"} and not fields.keys() & has.keys()


def _finished(draft: _Draft, habit: Habit) -> Iterator[_Draft]:
    """Drop headings between records; read a lone word among bare abstracts as an abstract."""
    if draft.fields.keys() == {"title"} and not draft.labelled:
        title = draft.fields["title"]
        if is_heading(title) and not habit.only_titles:
            return
        if not habit.with_titles:
            draft.fields = {"abstract": title}
    yield draft


def _read_block(block: Block, habit: Habit) -> tuple[dict[str, str], bool]:
    """Return the fields of one block and whether labels named them."""
    start = after_number(block[0].text)
    block = [Line(block[0].number, block[0].text[start:]), *block[1:]]
    block = [line for line in block if line.text.strip()]
    if not block:
        return {}, False
    labels = labels_of([line.text for line in block])
    if any(name for name, _ in labels):
        return _by_labels(block, labels), True
    text = text_of(block)
    if url := _URL_ALONE.match(text):
        return {"url": url.group(1) or url.group(2)}, False
    if len(block) == 1 and are_names(text):
        return {"authors": text}, False
    if len(block) == 2 and are_names(block[1].text) and is_short(block[:1]):
        return {"title": bare(block[0].text), "authors": block[1].text.strip()}, False
    if is_short(block):
        if is_heading(text) and not habit.with_titles:
            return {}, False
        lone = len(text.split()) == 1 and not habit.with_titles and text.isascii()
        return {"abstract" if lone else "title": bare(text)}, False
    return (_titled(block) if habit.begins_with_title(block) else {"abstract": text}), False


def _titled(block: Block) -> dict[str, str]:
    fields = {"title": bare(block[0].text.strip())}
    rest = block[1:]
    if len(rest) > 1 and are_names(rest[0].text.strip(), alone=True):
        fields["authors"] = rest.pop(0).text.strip()
    if len(rest) > 1 and (url := _URL_ALONE.match(rest[-1].text)):
        fields["url"] = url.group(1) or url.group(2)
        rest.pop()
    fields["abstract"] = text_of(rest)
    return fields


def _by_labels(block: Block, labels: list[tuple[str, int]]) -> dict[str, str]:
    parts: dict[str, list[str]] = {}
    current = "title" if is_short(block[:1]) else "abstract"
    for line, (name, start) in zip(block, labels, strict=True):
        current = name or ("authors" if parts.keys() == {"title"} and are_names(line.text.strip()) else current)
        inline = _INLINE.search(line.text, start) if name == "title" else None
        parts.setdefault(current, []).append(line.text[start : inline.start() if inline else None])
        if inline:
            current = label_of(inline.group().strip())[0]
            parts.setdefault(current, []).append(line.text[inline.end() :])
    parts.pop(OTHER, None)
    fields = {name: "".join(texts).strip() for name, texts in parts.items()}
    return {name: bare(text) if name == "title" else text for name, text in fields.items()}


def bare(title: str) -> str:
    """Take off the emphasis, quotes or heading marks around a whole title.

    >>> bare("**On graphs**"), bare("## On *big* graphs"), bare("**A** and **B**")
    ('On graphs', 'On *big* graphs', '**A** and **B**')
    """
    title = re.sub(r"^#{1,6}\s+|\s+#+$", "", title.strip())
    for mark in ("***", "**", "__", "*", "_"):
        inner = title[len(mark) : -len(mark)]
        if title.startswith(mark) and title.endswith(mark) and inner.strip() and mark[0] not in inner:
            return inner.strip()
    return title


def _paper(draft: _Draft) -> Paper:
    given = draft.fields
    return complete(
        Paper(
            id=given.get("id", ""),
            title=given.get("title", ""),
            abstract=abstract_of(given.get("abstract", "")),
            authors=people(given.get("authors", "")),
            venue=given.get("venue", ""),
            year=year_of(given.get("year", "")),
            url=given.get("url", ""),
            doi=doi_of(given.get("doi", "")),
            arxiv_id=arxiv_id_of(given.get("arxiv_id", "")),
            keywords=keywords_of(given.get("keywords", "")),
        )
    )


def looks(head: str) -> bool:
    """Say whether there are words: what is in no other format is plain text."""
    return any(character.isalpha() for character in head)
