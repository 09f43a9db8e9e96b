"""The formats that papers are read from, and how to tell which one a file is in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kg.errors import InputError
from loaders.papers import jsonl, text
from loaders.papers.decoding import Source
from loaders.papers.records import Records


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its name for people, whether the first characters of a file are in it, its reader."""

    name: str
    looks: Callable[[str], bool]
    read: Callable[[Source], Records]


#: In the order in which they are tried: the sure signs first, plain text takes what is left.
FORMATS: Final = (
    Format("JSONL", jsonl.looks, jsonl.read),
    Format("text", text.looks, text.read),
)


_WEB_PAGE: Final = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)


def format_of(source: Source) -> Format:
    """Return the format of a file, told by its first characters.

    Raises:
        InputError: when it is in none.
    """
    if _WEB_PAGE.match(source.head):
        raise InputError(f"{source.name} is a web page; export the papers, or save the text alone")
    for candidate in FORMATS:
        if candidate.looks(source.head):
            return candidate
    raise InputError(f"{source.name} is in no format that papers are read from")
