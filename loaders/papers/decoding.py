"""A file as text: its first characters to tell the format by, and its lines."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Final, NamedTuple, cast

from kg.errors import InputError
from loaders.papers.encoding import FALLBACK, detect_encoding, shown, without_mark
from loaders.papers.records import Faulty
from loaders.papers.sources import HEAD_BYTES, peeked

#: A longer line is no paper (the longest abstracts are a few kilobytes) but would fill the memory.
MAX_LINE_BYTES: Final = 1 << 26

_REFUSED: Final = {
    b"%PDF": "a PDF; expected abstracts as text, not papers in full",
    b"{\\rtf": "a rich text document; save it as plain text",
    b"\xd0\xcf\x11\xe0": "an old Office document; save it as CSV or plain text",
    b"SQLite format 3": "a database; export it as JSON or CSV",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it or pack it as zip",
    b"Rar!": "a RAR archive; unpack it or pack it as zip",
}


class Line(NamedTuple):
    """One line with its end as it stands in the file; numbers begin at 1."""

    number: int
    text: str


class Recoded(io.RawIOBase):
    """A stream of UTF-8 made of one in UTF-16 or UTF-32, whose line ends cannot be found byte by byte."""

    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = b""

    def readable(self) -> bool:
        """Return True: the stream is there to be read."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill ``buffer`` with the next bytes of UTF-8."""
        target = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        while not self._ready:
            raw = self._stream.read(1 << 16)
            self._ready = self._decoder.decode(raw, final=not raw).encode("utf-8", "replace")
            if not raw and not self._ready:
                return 0
        taken, self._ready = self._ready[: len(target)], self._ready[len(target) :]
        target[: len(taken)] = taken
        return len(taken)


def head_lines(head: str) -> list[Line]:
    r"""Cut the first characters of a file as its lines will be cut: at \n, or at \r where there is no \n."""
    end = "\n" if "\n" in head else "\r"
    texts = [text + end for text in head.split(end)]
    texts[-1] = texts[-1][:-1]
    return [Line(number, text) for number, text in enumerate(texts, 1) if text]


def byte_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    r"""Yield numbered lines with their ends (\n, \r\n or \r); None for a line of more than MAX_LINE_BYTES."""
    number, newlines = 0, False
    while raw := stream.readline(MAX_LINE_BYTES):
        if len(raw) == MAX_LINE_BYTES and not raw.endswith(b"\n"):
            number += 1
            yield number, None
            while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            continue
            # A lone \r ends a line only where no \n does (old Macintosh files); elsewhere it is an odd blank.
        newlines = newlines or raw.endswith(b"\n")
        for line in (raw,) if newlines or b"\r" not in raw else raw.splitlines(keepends=True):
            number += 1
            yield number, line


@dataclass(slots=True)
class Source:
    """One stream of text with what is known of it, and what was met while its lines were read.

    ``stream`` yields bytes in ``encoding`` without a byte order mark; ``written_in`` names the file's own
    encoding for people. ``recoded`` holds the numbers of lines in another, which were read as Windows-1252.
    """

    name: str
    stream: IO[bytes]
    head: str
    encoding: str
    written_in: str
    whole: bool
    faults: list[Faulty] = field(default_factory=list)
    recoded: list[int] = field(default_factory=list)

    def lines(self) -> Iterator[Line]:
        """Yield the decoded lines with their ends as they stand in the file."""
        for number, raw in byte_lines(self.stream):
            if raw is None:
                self.faults.append(Faulty(number, f"a line of more than {MAX_LINE_BYTES >> 20} MiB"))
                continue
            try:
                yield Line(number, raw.decode(self.encoding))
            except UnicodeDecodeError:
                self.recoded.append(number)
                yield Line(number, raw.decode(FALLBACK, "replace"))


def read_source(name: str, stream: IO[bytes]) -> Source:
    """Find out the encoding of a stream of text.

    Raises:
        InputError: when it is empty, binary or in an encoding that cannot be told.
    """
    head, whole = peeked(stream, name)
    for magic, said in _REFUSED.items():
        if head.startswith(magic):
            raise InputError(f"{name} is {said}")
    encoding = detect_encoding(head, name)
    bare = without_mark(head)
    if not bare.strip():
        raise InputError(f"{name} is empty; expected papers")
    whole.read(len(head) - len(bare))
    text = codecs.getincrementaldecoder(encoding)("replace").decode(bare, final=len(head) < HEAD_BYTES)
    if not encoding.startswith(("utf-16", "utf-32")):
        return Source(name, whole, text, encoding, shown(encoding), len(head) < HEAD_BYTES)
    recoded = io.BufferedReader(Recoded(whole, encoding))
    return Source(name, cast(IO[bytes], recoded), text, "utf-8", shown(encoding), len(head) < HEAD_BYTES)
