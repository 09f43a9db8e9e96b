"""XML cut into records, each parsed by itself.

The document's head never reaches the parser, so no entity of its own can be declared, let alone expand; a
broken record costs only itself, and memory holds one record.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import html5
from typing import IO, Final
from xml.etree import ElementTree

_CHUNK: Final = 1 << 16
_MAX_RECORD_CHARS: Final = 1 << 26
_ENTITY: Final = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_OF_XML: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})
_PREFIX: Final = re.compile(r"(</?|\s)(?!xml:)[A-Za-z][\w.-]*:(?=[A-Za-z][\w.-]*[\s=>/])")


@dataclass(frozen=True, slots=True)
class XmlRecord:
    """One record: its line and its element, or the reason why there is none."""

    line: int
    element: ElementTree.Element | None = None
    reason: str = ""


def xml_records(stream: IO[bytes], encoding: str, tags: tuple[str, ...]) -> Iterator[XmlRecord]:
    """Yield the elements with one of these tags (which must not hold one another)."""
    for line, text, closed in _cuts(stream, encoding, tags):
        yield _parsed(line, text) if closed else XmlRecord(line, reason="is never closed")


def _cuts(stream: IO[bytes], encoding: str, tags: tuple[str, ...]) -> Iterator[tuple[int, str, bool]]:
    """Yield the line and text of each record, and whether its end was found."""
    mark = re.compile(rf"<(/?)(?:\w+:)?(?:{'|'.join(tags)})(?=[\s>/])[^<>]*>")
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    text, base, start, at = "", 1, -1, 0
    while raw := stream.read(max(_CHUNK, len(text))):
        text += decoder.decode(raw)
        for found in mark.finditer(text, at):
            at, closes = found.end(), bool(found.group(1))
            if start >= 0:
                yield base + text.count("\n", 0, start), text[start : at if closes else found.start()], closes
            start = -1 if closes else found.start()
        if start >= 0 and len(text) - start > _MAX_RECORD_CHARS:
            yield base + text.count("\n", 0, start), "", False
            start, at = -1, len(text)
        keep = start if start >= 0 else max(at, text.rfind("<"))
        base += text.count("\n", 0, keep)
        text, at = text[keep:], max(0, at - keep)
        start = min(start, 0)
    if start >= 0:
        yield base, "", False


def _parsed(line: int, text: str) -> XmlRecord:
    if "<!" in text.replace("<![CDATA[", "").replace("<!--", ""):
        return XmlRecord(line, reason="holds a declaration, which no record may")
    text = _ENTITY.sub(_character, text) if "&" in text else text
    try:
        return XmlRecord(line, ElementTree.fromstring(_PREFIX.sub(r"\1", text)))
    except (ElementTree.ParseError, ValueError) as error:
        return XmlRecord(line, reason=f"is no XML: {error}")


def _character(found: re.Match[str]) -> str:
    """Turn the named characters of HTML, which XML does not know without a declaration, into themselves."""
    name = found.group(1)
    return found.group() if name in _OF_XML else html5.get(f"{name};", found.group())


def text_at(element: ElementTree.Element | None, *paths: str) -> str:
    """Return the text at the first of these paths that has any, with its white space folded."""
    for path in paths:
        found = element.find(path) if element is not None else None
        if found is not None and (text := " ".join("".join(found.itertext()).split())):
            return text
    return ""


def texts_at(element: ElementTree.Element, path: str) -> list[str]:
    """Return the texts of all elements at a path, with their white space folded."""
    texts = (" ".join("".join(found.itertext()).split()) for found in element.iterfind(path))
    return [text for text in texts if text]
