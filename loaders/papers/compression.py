"""Streams that unpack gzip, zstd, xz and bzip2 as they are read."""

from __future__ import annotations

import io
import lzma
from collections.abc import Callable
from typing import IO, Final, cast

_CHUNK: Final = 1 << 16


def decompressor(head: bytes) -> Callable[[IO[bytes]], IO[bytes]] | None:
    """Return what unpacks a stream that begins with ``head``; None when it is not compressed."""
    if head.startswith(b"\x1f\x8b"):
        return _gzip
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return lambda stream: cast(IO[bytes], _ZstdStream(stream))
    if head.startswith(b"\xfd7zXZ\x00"):
        return lambda stream: cast(IO[bytes], lzma.LZMAFile(stream))
    if head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        return _bzip2
    return None


def _gzip(stream: IO[bytes]) -> IO[bytes]:
    import gzip

    return cast(IO[bytes], gzip.GzipFile(fileobj=stream))


def _bzip2(stream: IO[bytes]) -> IO[bytes]:
    import bz2

    return cast(IO[bytes], bz2.BZ2File(stream))


class _ZstdStream(io.RawIOBase):
    """Unpacks zstd frames; unlike the library's own reader it says when the last one is cut short."""

    def __init__(self, stream: IO[bytes]) -> None:
        import zstandard

        self._new = zstandard.ZstdDecompressor().decompressobj
        self._error = zstandard.ZstdError
        self._stream = stream
        self._frame = self._new()
        self._packed = b""
        self._ready = b""

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, b"" at the end."""
        while not self._ready:
            self._packed = self._packed or self._stream.read(_CHUNK)
            if not self._packed:
                return self._ended()
            self._unpack()
        taken = self._ready if size < 0 else self._ready[:size]
        self._ready = self._ready[len(taken) :]
        return taken

    def _unpack(self) -> None:
        if self._frame.eof:
            self._frame = self._new()
        try:
            self._ready = self._frame.decompress(self._packed)
        except self._error as error:
            raise OSError(str(error)) from error
        self._packed = self._frame.unused_data if self._frame.eof else b""

    def _ended(self) -> bytes:
        if not self._frame.eof:
            raise EOFError("the last zstd frame ends too soon")
        return b""
