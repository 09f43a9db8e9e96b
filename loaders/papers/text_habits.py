"""How a plain text file is written, judged by its first blocks: with titles or without, with a heading or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from loaders.papers.decoding import Line, Source, head_lines
from loaders.papers.labels import OTHER, after_number, label_of
from loaders.papers.text_blocks import (
    Block,
    blocks,
    is_short,
    may_start_with_title,
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
#: So many blocks whose first line was surely ended on purpose show that all may begin with their titles.
_TITLED_SHARE: Final = 0.15


@dataclass(frozen=True, slots=True)
class Habit:
    """How a file is written.

    ``with_titles``: short blocks are titles of what follows. ``only_titles``: each line is a title. ``titled``:
    blocks begin with a line that is their title. ``width``: of the longest wrapped line. ``first_label``: the field
    that begins a record where labels name the fields.
    """

    with_titles: bool = False
    only_titles: bool = False
    has_heading: bool = False
    titled: bool = False
    width: int = 0
    first_label: str = "title"

    def begins_with_title(self, block: Block) -> bool:
        """Say whether the first line of a block is its title."""
        return may_start_with_title(block) if self.titled else starts_with_title(block, width=self.width)


def habit_of(source: Source) -> Habit:
    """Judge a file by its first characters."""
    head = source.head if source.whole else source.head[: source.head.rfind("\n\n") + 1] or source.head
    sample = list(islice(runs(head_lines(head)), _SAMPLE_BLOCKS))
    if not sample:
        return Habit(with_titles=True, only_titles=True)
    short = [is_short(block) and not label_of(block[0].text)[0] for block in sample]
    longs = len(short) - sum(short)
    if not longs:
        return Habit(with_titles=True, only_titles=True, has_heading=is_heading(sample[0][0].text))
    with_titles = _titles(sample, short) >= 0.6 * longs
    return Habit(
        with_titles=with_titles,
        has_heading=_has_heading(sample, short, with_titles=with_titles),
        titled=_are_titled(sample),
        width=_width(sample),
        first_label=_first_label(sample),
    )


def runs(lines: Iterable[Line], *, only_titles: bool = False) -> Iterator[Block]:
    """Group lines into blocks of one record or less."""
    for block in blocks(lines):
        yield from ([line] for line in block) if only_titles else split_run(block)


def is_heading(text: str) -> bool:
    """Say whether a line reads as a heading of a list or of a part of it.

    >>> is_heading("ICML 2026 Papers"), is_heading("Pruning by Entropy")
    (True, False)
    """
    return len(text.split()) <= 10 and bool(_HEADING.search(text))


def _titles(sample: list[Block], short: list[bool]) -> int:
    """Count the short blocks that can be titles."""
    texts = [text_of(block) for block, is_one in zip(sample, short, strict=True) if is_one]
    words = [len(text.split()) for text in texts if not is_heading(text)]
    lone = words.count(1)
    return len(words) - (lone if lone < _MIN_LONE else 0)


def _has_heading(sample: list[Block], short: list[bool], *, with_titles: bool) -> bool:
    """Say whether the first block, or its first line, is a heading and not the title of the first paper."""
    first = sample[0][0].text
    if short[0]:
        labelled = any(label_of(block[0].text[after_number(block[0].text) :])[0] for block in sample[1:])
        follows = short[1] or (len(sample) == 2 and is_heading(first))
        return labelled or follows or not with_titles
    return not with_titles and not _are_titled(sample[1:]) and starts_with_title(sample[0]) and is_heading(first)


def _are_titled(sample: list[Block]) -> bool:
    wrapped = [block for block in sample if len(block) > 1 and not is_short(block)]
    return sum(map(starts_with_title, wrapped)) > _TITLED_SHARE * len(wrapped)


def _first_label(sample: list[Block]) -> str:
    """Return the field that the first labelled block begins with, unless it names no title before an abstract."""
    labels = (label_of(block[0].text[after_number(block[0].text) :])[0] for block in sample)
    first = next(filter(None, labels), "title")
    return "title" if first == OTHER else first


def _width(sample: list[Block]) -> int:
    """Return the width of the longest line that was wrapped, 0 where none was."""
    return max((len(line.text.strip()) for block in sample if len(block) > 3 for line in block[1:]), default=0)
