"""Lines of JSON with their places, so that what is wrong with one can be said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.errors import InputError


@dataclass(frozen=True, slots=True)
class Line:
    """One record and where it stands, as "file:line"."""

    record: dict[str, Any]
    place: str


def json_lines(file: Path) -> Iterator[Line]:
    """Yield the records of a file that holds one JSON object a line.

    Raises:
        InputError: the file cannot be read, is empty, or a line is no JSON object.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text; expected one JSON object a line") from None
    if not text.strip():
        raise InputError(f"{file} is empty; expected one JSON object a line")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield Line(_object(line, f"{file}:{number}"), f"{file}:{number}")


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{place} is no JSON ({error.msg}); expected one object a line") from None
    if not isinstance(record, dict):
        raise InputError(f"{place} holds a {type(record).__name__}; expected one JSON object a line")
    return record
