"""The formats that papers are read from, and how to tell which one a file is in."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kg.errors import InputError
from loaders.papers import (
    bibtex,
    delimited,
    json_document,
    jsonl,
    markdown,
    parquet,
    pubmed_text,
    tagged_papers,
    text,
    xml_papers,
)
from loaders.papers.decoding import Source, read_source
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
    Format("JSON", json_document.looks, json_document.read),
    Format("PubMed XML", xml_papers.looks_pubmed, xml_papers.read_pubmed),
    Format("Atom", xml_papers.looks_atom, xml_papers.read_atom),
    Format("EndNote XML", xml_papers.looks_endnote, xml_papers.read_endnote),
    Format("BibTeX", bibtex.looks, bibtex.read),
    Format("RIS", tagged_papers.looks_ris, tagged_papers.read_ris),
    Format("MEDLINE", tagged_papers.looks_medline, tagged_papers.read_medline),
    Format("EndNote", tagged_papers.looks_endnote, tagged_papers.read_endnote),
    Format("Web of Science", tagged_papers.looks_web_of_science, tagged_papers.read_web_of_science),
    Format("RefWorks", tagged_papers.looks_refworks, tagged_papers.read_refworks),
    Format("Cochrane", tagged_papers.looks_cochrane, tagged_papers.read_cochrane),
    Format("PubMed text", pubmed_text.looks, pubmed_text.read),
    Format("TSV", delimited.looks_tabs, delimited.read),
    Format("CSV", delimited.looks, delimited.read),
    Format("Markdown", markdown.looks, markdown.read),
    Format("text", text.looks, text.read),
)

_WEB_PAGE: Final = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)
_OTHER_XML: Final = re.compile(r"\s*<\?xml\b")


@dataclass(frozen=True, slots=True)
class Recognised:
    """A stream whose format is known. ``source`` is None where the format is no text."""

    form: str
    records: Records
    source: Source | None = None


def recognise(name: str, stream: io.BufferedReader) -> Recognised:
    """Tell the format of a stream by its first bytes, whatever its name.

    Raises:
        InputError: when it is empty, binary, or in no format that papers are read from.
    """
    if stream.peek(4).startswith(parquet.MAGIC):
        return Recognised("Parquet", parquet.read(stream, name))
    source = read_source(name, stream)
    form = format_of(source)
    label = ", ".join(part for part in (form.name, source.written_in) if part)
    return Recognised(label, form.read(source), source)


def format_of(source: Source) -> Format:
    """Return the format of a text, told by its first characters.

    Raises:
        InputError: when it is in none.
    """
    if _WEB_PAGE.match(source.head):
        raise InputError(f"{source.name} is a web page; export the papers, or save the text alone")
    for candidate in FORMATS:
        if candidate.looks(source.head):
            if candidate.name in ("TSV", "CSV", "Markdown", "text") and _OTHER_XML.match(source.head):
                raise InputError(f"{source.name} is XML of a kind that is not known; export it in another format")
            return candidate
    raise InputError(f"{source.name} is in no format that papers are read from")
