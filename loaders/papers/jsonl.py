"""JSON lines: one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from loaders.papers.decoding import MAX_LINE_BYTES, Source, byte_lines, head_lines
from loaders.papers.field_names import field_of
from loaders.papers.json_papers import records_of
from loaders.papers.records import Faulty, Record, Records


def read(source: Source) -> Records:
    """Yield the papers of a file with one JSON object a line; a line that is none costs only itself."""
    for number, raw in byte_lines(source.stream):
        if raw is None:
            yield Faulty(number, f"a line of more than {MAX_LINE_BYTES >> 20} MiB")
        elif text := raw.strip():
            yield from _record(number, text)


def _record(number: int, raw: bytes) -> Iterator[Record]:
    try:
        value = json.loads(raw.decode("utf-8"), strict=False)
    except UnicodeDecodeError as error:
        yield Faulty(number, f"is not UTF-8 (byte {raw[error.start]:#04x} at {error.start + 1}), which JSON must be")
    except RecursionError:
        yield Faulty(number, "is no usable JSON: nested too deep")
    except json.JSONDecodeError as error:
        yield Faulty(number, f"is no JSON: {error.msg} (column {error.colno})")
    except ValueError as error:  # a number of more digits than Python reads
        yield Faulty(number, f"is no usable JSON: {str(error).partition(';')[0]}")
    else:
        yield from records_of(value, number)


def looks(head: str) -> bool:
    """Say whether most lines are JSON objects (a few may be broken)."""
    lines = [text.strip() for _, text in head_lines(head)[:50] if text.strip()]
    if len(lines) > 1 and not head.endswith("\n"):
        lines = lines[:-1]  # the head may end within a line
    if not lines or (lines[0].startswith("[") and not _is_json(lines[0])):
        return False  # a document, one item a line
    objects = sum(line.startswith("{") and line.endswith("}") and line[1:].lstrip()[:1] in '"}' for line in lines)
    return objects * 2 >= len(lines) and (len(lines) > 1 or _is_json(lines[0], with_words=True))


def _is_json(line: str, *, with_words: bool = False) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not with_words:
        return True
    return isinstance(value, dict) and not {"title", "abstract"}.isdisjoint(map(field_of, value))
