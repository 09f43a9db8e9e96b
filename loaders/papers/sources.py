"""From a name on the command line to streams of bytes: files, standard input, compressed files, archives."""

from __future__ import annotations

import io
import lzma
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final, cast

from kg.errors import InputError
from loaders.papers.compression import decompressor

#: How much of a file is looked at to tell its encoding and format.
HEAD_BYTES: Final = 1 << 18
STDIN: Final = "-"

_URL: Final = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:/{1,2}[^/\\]")
_ZIP: Final = b"PK\x03\x04"
_MAX_NESTING: Final = 3


class Rewound(io.RawIOBase):
    """A byte stream whose first bytes were read already; says in one line when the bytes are damaged."""

    def __init__(self, head: bytes, rest: IO[bytes], name: str) -> None:
        self._head = memoryview(head)
        self._rest = rest
        self._name = name

    def readable(self) -> bool:
        """Return True: the stream is there to be read."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill ``buffer`` from the head, then from the rest."""
        target = memoryview(cast(bytearray, buffer)).cast("B")
        if self._head:
            taken, self._head = self._head[: len(target)], self._head[len(target) :]
        else:
            taken = memoryview(self._read(len(target)))
        target[: len(taken)] = taken
        return len(taken)

    def _read(self, size: int) -> bytes:
        with damage_said(self._name):
            return self._rest.read(size)


@contextmanager
def damage_said(name: str) -> Iterator[None]:
    """Turn the many errors of decompressors into one line about the file."""
    try:
        yield
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"{name} is damaged or cut short ({error}); fetch or pack it again") from error


def peeked(stream: IO[bytes], name: str) -> tuple[bytes, io.BufferedReader]:
    """Return the first bytes of a stream and a stream that still begins with them."""
    parts, size = [], 0
    with damage_said(name):
        while size < HEAD_BYTES and (part := stream.read(HEAD_BYTES - size)):
            parts.append(part)
            size += len(part)
    head = b"".join(parts)
    return head, io.BufferedReader(Rewound(head, stream, name), 1 << 16)


@contextmanager
def opened(given: str | Path) -> Iterator[Iterator[tuple[str, io.BufferedReader]]]:
    """Open one input and yield the (name, stream) pairs within it: one, or one a member of an archive.

    Raises:
        InputError: for a URL, a directory, or a file that is missing or cannot be opened or unpacked.
    """
    name = str(given)
    with ExitStack() as stack:
        yield _unpacked(name, _open(name, stack), stack, _MAX_NESTING)


def _open(name: str, stack: ExitStack) -> IO[bytes]:
    if name == STDIN:
        return sys.stdin.buffer
    if _URL.match(name):
        raise InputError(f"{name} is a web address; download it and give the file (nothing is fetched)")
    try:
        return stack.enter_context(Path(name).open("rb"))
    except FileNotFoundError as error:
        raise InputError(f"{name} does not exist; check the path") from error
    except IsADirectoryError as error:
        raise InputError(f"{name} is a directory; name the files in it") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name} cannot be opened: {reason}") from error


def _unpacked(name: str, stream: IO[bytes], stack: ExitStack, depth: int) -> Iterator[tuple[str, io.BufferedReader]]:
    head, whole = peeked(stream, name)
    if depth and head.startswith(_ZIP):
        yield from _members(name, whole, stack, depth - 1)
    elif depth and (unpack := decompressor(head)):
        with damage_said(name):
            inner = unpack(whole)
        yield from _unpacked(name, inner, stack, depth - 1)
    else:
        yield name, whole


def _members(name: str, stream: IO[bytes], stack: ExitStack, depth: int) -> Iterator[tuple[str, io.BufferedReader]]:
    import zipfile

    try:
        archive = stack.enter_context(zipfile.ZipFile(seekable(stream, stack)))
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError(f"{name} is no sound zip archive ({error}); pack it again") from error
    members = [entry for entry in archive.infolist() if _is_wanted(entry.filename)]
    if any(entry.filename == "[Content_Types].xml" for entry in members):
        raise InputError(f"{name} is an Office document; save it as CSV or plain text")
    for entry in members:
        label = f"{name}!{entry.filename}"
        try:
            member = archive.open(entry)
        except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
            raise InputError(f"{label} cannot be unpacked: {error}") from error
        with member:
            yield from _unpacked(label, member, stack, depth)


def _is_wanted(member: str) -> bool:
    return not (member.endswith("/") or member.startswith("__MACOSX/") or member.endswith(".DS_Store"))


def seekable(stream: IO[bytes], stack: ExitStack) -> IO[bytes]:
    """Copy a stream to a temporary file, for formats whose directory stands at their end."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115 (the caller's stack closes it)
    stack.enter_context(copy)
    while part := stream.read(1 << 20):
        copy.write(part)
    copy.seek(0)
    return copy
