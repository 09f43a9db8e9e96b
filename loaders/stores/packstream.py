"""PackStream, the encoding of Bolt messages: values, and structures as (tag, fields).

References:
    The PackStream and Bolt specifications, neo4j.com/docs/bolt.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

_DEEPEST: Final = 64


@dataclass(frozen=True, slots=True)
class Structure:
    """A tagged group of fields: a message, a node, a point, ..."""

    tag: int
    fields: tuple[Any, ...]


def pack(value: Any) -> bytes:
    """Return the bytes of a value.

    >>> pack([1, "a", None, {"k": True}]).hex(" ")
    '94 01 81 61 c0 a1 81 6b c3'
    """
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _pack_integer(value)
    if isinstance(value, float):
        return b"\xc1" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode("utf-8")
        return _head(len(data), 0x80, (0xD0, 0xD1, 0xD2)) + data
    if isinstance(value, bytes):
        return _head(len(value), None, (0xCC, 0xCD, 0xCE)) + value
    if isinstance(value, list | tuple):
        return _head(len(value), 0x90, (0xD4, 0xD5, 0xD6)) + b"".join(map(pack, value))
    if isinstance(value, dict):
        parts = (pack(name) + pack(item) for name, item in value.items())
        return _head(len(value), 0xA0, (0xD8, 0xD9, 0xDA)) + b"".join(parts)
    if isinstance(value, Structure):
        return bytes((0xB0 + len(value.fields), value.tag)) + b"".join(map(pack, value.fields))
    raise TypeError(f"PackStream has no {type(value).__name__}")


def _pack_integer(value: int) -> bytes:
    if -16 <= value < 128:
        return struct.pack(">b", value)
    for marker, kind, bits in (
        (b"\xc8", ">b", 8),
        (b"\xc9", ">h", 16),
        (b"\xca", ">i", 32),
        (b"\xcb", ">q", 64),
    ):
        if -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            return marker + struct.pack(kind, value)
    raise OverflowError(f"{value} does not fit into 64 bits")


def _head(size: int, tiny: int | None, markers: tuple[int, int, int]) -> bytes:
    if tiny is not None and size < 16:
        return bytes((tiny + size,))
    for marker, kind, most in zip(markers, (">B", ">H", ">I"), (1 << 8, 1 << 16, 1 << 32), strict=True):
        if size < most:
            return bytes((marker,)) + struct.pack(kind, size)
    raise OverflowError(f"{size} items are too many")


def unpack(data: bytes) -> Any:
    """Return the value of all the bytes.

    Raises:
        ValueError: when the bytes are not one value.
    """
    reader = _Reader(data)
    try:
        value = reader.value(0)
    except (IndexError, struct.error, UnicodeDecodeError, TypeError) as error:
        raise ValueError(f"not PackStream: {error}") from error
    if reader.at != len(data):
        raise ValueError("not PackStream: bytes are left over")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        end = self.at + size
        if end > len(self.data):
            raise IndexError("the value is cut off")
        taken, self.at = self.data[self.at : end], end
        return taken

    def number(self, kind: str) -> Any:
        return struct.unpack(kind, self.take(struct.calcsize(kind)))[0]

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise IndexError("the value is nested too deeply")
        marker = self.take(1)[0]
        if marker < 0x80 or marker >= 0xF0:
            return marker if marker < 0x80 else marker - 0x100
        if marker in _CONSTANTS:
            return _CONSTANTS[marker]
        if marker in _NUMBERS:
            return self.number(_NUMBERS[marker])
        kind, size = self.sized(marker)
        if kind == "bytes":
            return self.take(size)
        if kind == "text":
            return self.take(size).decode("utf-8")
        if kind == "list":
            return [self.value(depth + 1) for _ in range(size)]
        if kind == "map":
            return {self.value(depth + 1): self.value(depth + 1) for _ in range(size)}
        tag = self.take(1)[0]
        return Structure(tag, tuple(self.value(depth + 1) for _ in range(size)))

    def sized(self, marker: int) -> tuple[str, int]:
        if marker in _SIZED:
            kind, number = _SIZED[marker]
            return kind, int(self.number(number))
        if marker >> 4 in _TINY:
            return _TINY[marker >> 4], marker & 0x0F
        raise ValueError(f"not PackStream: unknown marker {marker:#x}")


_CONSTANTS: Final = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS: Final = {0xC1: ">d", 0xC8: ">b", 0xC9: ">h", 0xCA: ">i", 0xCB: ">q"}
_TINY: Final = {0x8: "text", 0x9: "list", 0xA: "map", 0xB: "structure"}
_SIZED: Final = {
    0xCC: ("bytes", ">B"),
    0xCD: ("bytes", ">H"),
    0xCE: ("bytes", ">I"),
    0xD0: ("text", ">B"),
    0xD1: ("text", ">H"),
    0xD2: ("text", ">I"),
    0xD4: ("list", ">B"),
    0xD5: ("list", ">H"),
    0xD6: ("list", ">I"),
    0xD8: ("map", ">B"),
    0xD9: ("map", ">H"),
    0xDA: ("map", ">I"),
}
