"""Plain text: abstracts parted by blank lines, with or without titles, labels, numbers and a heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from kg.types import Paper
from loaders.papers.decoding import Line, Source
from loaders.papers.fields import abstract_of, complete, keywords_of
from loaders.papers.names import arxiv_id_of, doi_of, people, year_of
from loaders.papers.records import Faulty, Found, Records
from loaders.papers.text_blocks import (
    Block,
    after_number,
    are_names,
    blocks,
    is_short,
    label_of,
    split_run,
    starts_with_title,
    text_of,
)

_SAMPLE_BLOCKS: Final = 400
#: Fewer words alone in a block are odd abstracts; as many are titles ("FLAG").
_MIN_LONE: Final = 3
_HEADING: Final = re.compile(
    r"\b(?:papers|abstracts|proceedings|accepted|bibliography|publications|reading list|sessions?|track"
    r"|orals?|posters?|spotlights?|part [ivx\d]+|chapter|workshop on)\b|论文|摘要集|列表|文献|会议录",
    re.IGNORECASE,
)
_URL_ALONE: Final = re.compile(r"^\s*<?(https?://\S+?)>?\s*$")


@dataclass(slots=True)
class _Draft:
    """The record that is being put together."""

    line: int
    fields: dict[str, str] = field(default_factory=dict)
    labelled: bool = False


@dataclass(frozen=True, slots=True)
class _Habit:
    """How a file is written, judged by its first blocks."""

    with_titles: bool
    only_titles: bool
    has_heading: bool


def read(source: Source) -> Records:
    """Yield the papers of a plain text file."""
    habit = _habit(source)
    stream = _runs(source.lines(), habit)
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


def _runs(lines: Iterable[Line], habit: _Habit | None = None) -> Iterator[Block]:
    for block in blocks(lines):
        if habit and habit.only_titles:
            yield from ([line] for line in block)
        else:
            yield from split_run(block)


def _habit(source: Source) -> _Habit:
    head = source.head if source.whole else source.head[: source.head.rfind("\n\n") + 1] or source.head
    numbered = (Line(number, text) for number, text in enumerate(head.splitlines(keepends=True), 1))
    sample = list(islice(_runs(numbered), _SAMPLE_BLOCKS))
    short = [is_short(block) and not label_of(block[0].text)[0] for block in sample]
    labelled = any(label_of(block[0].text[after_number(block[0].text) :])[0] for block in sample)
    longs = len(short) - sum(short)
    titles = [text_of(block) for block, is_one in zip(sample, short, strict=True) if is_one]
    words = [len(title.split()) for title in titles if not _is_heading(title)]
    lone = words.count(1)
    shorts = len(words) - (lone if lone < _MIN_LONE else 0)
    with_titles = shorts >= 0.6 * longs
    if not longs:
        return _Habit(True, True, bool(sample) and _opens_with_heading(sample, False))
    heading = short[0] and (_opens_with_heading(sample, labelled) or not with_titles or short[1])
    tight = starts_with_title(sample[0]) and not with_titles and _opens_with_heading(sample, False)
    return _Habit(with_titles, False, bool(heading or tight))


def _opens_with_heading(sample: list[Block], labelled: bool) -> bool:
    return labelled or _is_heading(sample[0][0].text)


def _is_heading(text: str) -> bool:
    return len(text.split()) <= 10 and bool(_HEADING.search(text))


def _drafts(stream: Iterator[Block], habit: _Habit) -> Iterator[_Draft]:
    """Put blocks together: a short one is the title of what follows, labels go with the title before."""
    draft: _Draft | None = None
    for block in stream:
        fields, labelled = _read_block(block, habit)
        if not fields:
            continue
        if draft and _belongs(draft, fields, labelled):
            for name, text in fields.items():
                draft.fields[name] = "\n\n".join(part for part in (draft.fields.get(name, ""), text) if part)
            draft.labelled |= labelled
            continue
        if draft:
            yield from _finished(draft, habit)
        draft = _Draft(block[0].number, fields, labelled)
    if draft:
        yield from _finished(draft, habit)


def _belongs(draft: _Draft, fields: dict[str, str], labelled: bool) -> bool:
    has = draft.fields
    if labelled:
        return not any(name in has for name in fields) and "title" not in fields
    if fields.keys() == {"abstract"}:
        return "abstract" not in has or (draft.labelled and "abstract" in has and "title" in has)
    return fields.keys() <= {"authors", "url"} and not fields.keys() & has.keys()


def _finished(draft: _Draft, habit: _Habit) -> Iterator[_Draft]:
    """Drop headings between records; read a lone word among bare abstracts as an abstract."""
    if draft.fields.keys() == {"title"} and not draft.labelled:
        title = draft.fields["title"]
        if _is_heading(title) and not habit.only_titles:
            return
        if not habit.with_titles:
            draft.fields = {"abstract": title}
    yield draft


def _read_block(block: Block, habit: _Habit) -> tuple[dict[str, str], bool]:
    """Return the fields of one block and whether labels named them."""
    start = after_number(block[0].text)
    block = [Line(block[0].number, block[0].text[start:]), *block[1:]]
    block = [line for line in block if line.text.strip()]
    if not block:
        return {}, False
    if any(label_of(line.text)[0] for line in block):
        return _by_labels(block), True
    text = text_of(block)
    if url := _URL_ALONE.match(text):
        return {"url": url.group(1)}, False
    if len(block) == 1 and are_names(text):
        return {"authors": text}, False
    if is_short(block):
        if _is_heading(text) and not habit.with_titles:
            return {}, False
        lone = len(text.split()) == 1 and not habit.with_titles and text.isascii()
        return {"abstract" if lone else "title": bare(text)}, False
    return (_titled(block) if starts_with_title(block) else {"abstract": text}), False


def _titled(block: Block) -> dict[str, str]:
    fields = {"title": bare(block[0].text.strip())}
    rest = block[1:]
    if len(rest) > 1 and are_names(rest[0].text.strip()):
        fields["authors"] = rest.pop(0).text.strip()
    if len(rest) > 1 and (url := _URL_ALONE.match(rest[-1].text)):
        fields["url"] = url.group(1)
        rest.pop()
    fields["abstract"] = text_of(rest)
    return fields


def _by_labels(block: Block) -> dict[str, str]:
    parts: dict[str, list[str]] = {}
    current = "title" if is_short(block[:1]) else "abstract"
    for line in block:
        name, start = label_of(line.text)
        current = name or ("authors" if parts.keys() == {"title"} and are_names(line.text.strip()) else current)
        parts.setdefault(current, []).append(line.text[start:])
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
