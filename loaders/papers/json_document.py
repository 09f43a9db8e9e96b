"""JSON documents: an array of papers, an object around one, or objects one after another.

Each item is cut out and parsed by itself: a file of any size streams, and a broken item costs only itself.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any, Final

from loaders.papers.decoding import Source
from loaders.papers.json_papers import LIST_KEYS, records_of
from loaders.papers.records import Faulty, Record, Records

_CHUNK: Final = 1 << 16
_MAX_ITEM_CHARS: Final = 1 << 26
#: An error this near to the end of what was read may be due to the end.
_NEAR_END: Final = 64

_LIST: Final = re.compile(rf'"(?:{"|".join(LIST_KEYS)})"\s*:\s*\[(?=\s*[\{{\]])')
_WORDS: Final = re.compile(r'"(?:title|abstract|content)"', re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,\ufeff\x1e]*")
_FIRST_KEY: Final = re.compile(r'\{\s*"((?:[^"\\]|\\.)*)"\s*:')
_STRAY: Final = re.compile("[\udc80-\udcff]")


def looks(head: str) -> bool:
    """Say whether a file begins as a JSON array or object does (and no LaTeX group or footnote mark)."""
    return bool(re.match(r'\s*(?:\{\s*(?:"|\})|\[\s*(?:[\{\[\]"]|-?\d|null|true|false))', head)) and not re.match(
        r"\s*\[\d+\](?!\s*[,\]])", head
    )


def read(source: Source) -> Records:
    """Yield the papers of a JSON document."""
    window = _Window(source.stream)
    window.skip_to(_start(source.head))
    in_array = window.at > 0 and window.text[window.at - 1] == "["
    while window.skip_between():
        if in_array and window.text[window.at] == "]":
            return
        yield from _items(window)


def _start(head: str) -> int:
    """Return where the first item begins: after the bracket of a list, or at the beginning."""
    bare = len(head) - len(head.lstrip())
    if head.startswith("[", bare):
        return bare + 1
    found = _LIST.search(head)
    return found.end() if found and not _WORDS.search(head, 0, found.start()) else bare


def _items(window: _Window) -> Iterator[Record]:
    line = window.line
    try:
        value, end = window.decode()
    except (ValueError, RecursionError) as error:
        yield Faulty(line, "is no usable JSON: nested too deep" if isinstance(error, RecursionError) else _said(error))
        window.resume()
        return
    stray = _STRAY.search(window.text, window.at, end)
    window.advance(end)
    if stray:
        yield Faulty(line, "is not UTF-8, which JSON must be")
    else:
        yield from records_of(value, line)


def _said(error: ValueError) -> str:
    return f"is no JSON: {getattr(error, 'msg', error)}"


class _Window:
    """The part of a document that is being read, with the number of the line it stands at."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.text = ""
        self.at = 0
        self.line = 1
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._json = json.JSONDecoder(strict=False)
        self._ended = False

    def skip_to(self, position: int) -> None:
        """Move to a place in the first characters."""
        while len(self.text) <= position and self._more():
            pass
        self.advance(position)

    def skip_between(self) -> bool:
        """Move to the next item; say whether there is one."""
        while True:
            found = _BETWEEN.match(self.text, self.at)
            self.advance(found.end() if found else self.at)
            if self.at < len(self.text):
                return True
            if not self._more():
                return False

    def advance(self, end: int) -> None:
        """Move to a place within what was read."""
        self.line += self.text.count("\n", self.at, end)
        self.at = end

    def decode(self) -> tuple[Any, int]:
        """Parse the item that begins here, reading on while it is not whole."""
        while True:
            try:
                value, end = self._json.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if not self._is_cut(error) or not self._more(double=True):
                    raise
            else:
                if end < len(self.text) or isinstance(value, dict | list) or not self._more():
                    return value, end

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        near = error.pos >= len(self.text) - _NEAR_END or error.msg.startswith("Unterminated string")
        return near and len(self.text) - self.at < _MAX_ITEM_CHARS

    def resume(self) -> None:
        """Move past a broken item: to the next that begins in its column or with its first key."""
        pattern = self._next_item()
        start = self.at + 1
        while not (found := pattern.search(self.text, start)):
            start = max(self.at + 1, len(self.text) - 1024)
            self.advance(start)
            if not self._more():
                self.advance(len(self.text))
                return
            start = self.at
        self.advance(found.start())

    def _next_item(self) -> re.Pattern[str]:
        column = self.text.rfind("\n", 0, self.at)
        indent = self.text[column + 1 : self.at] if column >= 0 else ""
        first = _FIRST_KEY.match(self.text, self.at)
        if column >= 0 and not indent.strip() and first:
            return re.compile(rf"(?<=\n{re.escape(indent)})\{{")
        key = re.escape(first.group(1)) if first else r"(?:id|title|abstract|paperId|paper_id)"
        return re.compile(rf'(?<=[\s,])\{{(?=\s*"{key}"\s*:)')

    def _more(self, *, double: bool = False) -> bool:
        """Read on, forgetting what lies behind; say whether there was more."""
        if self._ended:
            return False
        self.text, self.at = self.text[self.at - min(self.at, 256) :], min(self.at, 256)
        raw = self._stream.read(max(_CHUNK, len(self.text) if double else 0))
        self._ended = not raw
        self.text += self._decoder.decode(raw, final=not raw)
        return True
