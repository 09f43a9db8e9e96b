"""Plain text cut into blocks between blank lines, and what their lines look like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from loaders.papers.decoding import Line
from loaders.papers.labels import is_number, labels_of

Block = list[Line]

#: More lines than any record has: such a block is read one line at a time.
_MAX_BLOCK_LINES: Final = 20_000
_TITLE_CHARS: Final = 200
_LONG_CHARS: Final = 250
_MIDDLING_CHARS: Final = 120
#: A paragraph of more lines has one that is nearly as long as its column is wide.
_MANY_LINES: Final = 4
_SLACK: Final = 3

#: Before the address that closes a paper in the mails of arXiv.
_MAIL_END: Final = "\\\\ ("
_RULE: Final = re.compile(r"^\s*(?:([-=*_~#+.])(?:\s*\1){2,}|\\\\)\s*$")
_TERMINAL: Final = re.compile(r"[.;:…。；：]['\"”’)\]*_]*\s*$")
_STOP: Final = re.compile(r"[.!?。！？]['\"”’)\]*_$]*\s*$")
#: "Methods: We ...", a section of an abstract.
_SECTION: Final = re.compile(
    r"\s*(?:background|objectives?|aims?|purpose|methods?|methodology|materials? and methods?|approach|design|setting"
    r"|results?|findings?|discussion|conclusions?|interpretation|significance|motivation|context|contributions?)\s*:",
    re.IGNORECASE,
)


def blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """Group lines into blocks: a blank line, a rule (---) or a page break after a full stop ends one."""
    block: Block = []
    for line in lines:
        parted = "\f" in line.text[:1] and bool(block) and bool(_STOP.search(block[-1].text))
        if parted or not line.text.strip() or _RULE.match(line.text) or len(block) >= _MAX_BLOCK_LINES:
            if block:
                yield block
            block = []
        if line.text.startswith(_MAIL_END):
            yield from ([block] if block else [])
            yield [line]
            block = []
        elif line.text.strip() and not _RULE.match(line.text) and not (not block and is_number(line.text)):
            block.append(line)
    if block:
        yield block


def is_short(block: Block) -> bool:
    """Say whether a block could be a title or a heading: short, and not ended as a sentence is."""
    text = text_of(block)
    limit = _TITLE_CHARS if text.isascii() or len(text.encode()) < 2 * len(text) else _TITLE_CHARS // 3
    return len(block) <= 3 and len(text) <= limit and not _TERMINAL.search(text)


def text_of(block: Block) -> str:
    """Return a block's text as it stands in the file, without white space at its ends."""
    return "".join(line.text for line in block).strip()


def starts_with_title(block: Block, *, width: int = 0) -> bool:
    """Say whether a block's first line was ended on purpose.

    Wrapping fills lines: it was where the next word would have fitted in, or where the line is longer than all
    below. ``width`` is the width of the longest wrapped line elsewhere in the file, if that is known.
    """
    if not may_start_with_title(block):
        return False
    first, second = block[0].text.strip(), block[1].text.strip()
    below = max(len(line.text.strip()) for line in block[1:])
    next_word = second.split(maxsplit=1)[0]
    fits = len(first) + 1 + len(next_word) <= max(below, width)
    return fits or (len(block) > _MANY_LINES and len(first) > max(below, width) + _SLACK)


def may_start_with_title(block: Block) -> bool:
    """Say whether nothing speaks against the first line of a block being a title: no stop, a capital below."""
    if len(block) < 2:
        return False
    first, second = block[0].text.strip(), block[1].text.strip()
    begins = second[:1].isupper() or not second[:1].isalpha() or second[:1] > "\u2e7f"
    return begins and len(first) <= _TITLE_CHARS and not _TERMINAL.search(first)


def split_run(block: Block) -> list[Block]:
    """Part a block that is not wrapped after each line that holds a whole abstract.

    A short line before an abstract stays with it, as its title. Sections of one abstract ("Methods: ...") stay
    together.
    """
    ends = [is_abstract_line(line.text) for line in block]
    if sum(ends) < 2 or max(len(line.text) for line in block) < _LONG_CHARS:
        return [block]
    if any(name for name, _ in labels_of([line.text for line in block])) or any(map(_is_section, block)):
        return [block]
    parts: list[Block] = [[]]
    for line, is_end in zip(block, ends, strict=True):
        parts[-1].append(line)
        if is_end:
            parts.append([])
    return [part for part in parts if part]


def _is_section(line: Line) -> bool:
    return bool(_SECTION.match(line.text))


def is_abstract_line(text: str) -> bool:
    """Say whether one line holds a whole abstract: it is long, or middling and ends as a sentence does."""
    length = len(text.strip())
    return length >= _LONG_CHARS or (length >= _MIDDLING_CHARS and bool(_STOP.search(text)))
