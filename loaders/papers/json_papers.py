"""A paper from one JSON object, whoever wrote it."""

from __future__ import annotations

from typing import Any

from loaders.papers.fields import paper_from
from loaders.papers.records import Faulty, Found, Record


def record_of(value: Any, line: int) -> Record:
    """Return the paper that a JSON value holds, or why it holds none."""
    if not isinstance(value, dict):
        return Faulty(line, f"is a JSON {_kind(value)}; expected an object with a title or an abstract")
    paper = paper_from(value)
    if not paper.raw:
        return Faulty(line, "has neither 'title' nor 'abstract'")
    return Found(line, paper)


def _kind(value: object) -> str:
    names = {str: "string", list: "array", bool: "truth value", type(None): "null"}
    return names.get(type(value), "number")
