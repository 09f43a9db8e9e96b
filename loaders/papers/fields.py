"""A paper from named fields, under any of the usual names: hand-made JSON, tables of every vendor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from kg.types import Paper
from loaders.papers.field_names import plain_name, ranked_field_of
from loaders.papers.names import arxiv_id_of, arxiv_id_of_doi, doi_of, people, persons, year_of

_NO_ABSTRACT: Final = re.compile(
    r"^\W*(?:no abstract(?: is)?(?: available| provided| found)?|(?:abstract )?not available|none|null"
    r"|nan|n/?a|abstract unavailable|暂无摘要|无)\W*$",
    re.IGNORECASE,
)


#: Half a character: JSON can hold it as an escape, UTF-8 cannot.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: "Abstract" before the text itself, as some publishers export it; not "Abstract interpretation is ...".
_PREFIX: Final = re.compile(
    r"(?:Abstract|ABSTRACT|Summary|SUMMARY)\s*(?:[:.—–]\s*|-+\s+|\n\s*)(?=\S)"
    r"|(?:Abstract|ABSTRACT)\s+(?=(?:We|In|This|The|A|An|Our|It|To|For|As|With|While|When|Recent|Many|Most|Although"
    r"|However|Background|Objectives?|Purpose|Aims?|Introduction|Context|Motivation|Despite|Given)\b)"
)


def pick(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Return our fields from a foreign record: of several, the best named that is not empty."""
    found: dict[str, tuple[int, Any]] = {}
    for name, value in record.items():
        field, rank = ranked_field_of(str(name))
        if field and is_given(value) and rank < found.get(field, (1 << 30, None))[0]:
            found[field] = (rank, value)
    return {field: value for field, (_, value) in found.items()}


def is_given(value: object) -> bool:
    """Say whether a value holds anything."""
    return bool(value.strip()) if isinstance(value, str) else value is not None and value != [] and value != {}


def text_of(value: object) -> str:
    """Return a value as text: lists joined, maps by their first telling member, numbers as written."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Mapping):
        telling = (
            "value",
            "text",
            "name",
            "display_name",
            "fullName",
            "full_name",
            "title",
            "tag",
            "url",
            "id",
        )
        return next((text_of(value[key]) for key in telling if is_given(value.get(key))), "")
    if isinstance(value, list | tuple):
        return " ".join(text for text in map(text_of, value) if text)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None or value != value or isinstance(value, bool) else str(value)


def abstract_of(value: object) -> str:
    """Return an abstract; "" where the text only says that there is none.

    >>> abstract_of("[No abstract available]"), abstract_of(" We prove it. ")
    ('', 'We prove it.')
    >>> abstract_of("Abstract We prove it."), abstract_of("Abstract Meaning Representation is hard.")
    ('We prove it.', 'Abstract Meaning Representation is hard.')
    """
    text = text_of(value)
    if prefix := _PREFIX.match(text):
        text = text[prefix.end() :]
    return "" if len(text) < 60 and _NO_ABSTRACT.match(text) else text


def authors_of(value: object) -> tuple[str, ...]:
    """Return the names in a string, a list of strings or a list of maps (name, or given and family)."""
    if isinstance(value, str):
        return people(re.sub(r"\s*\(\d{8,}\)", "", value))
    if isinstance(value, list | tuple):
        return persons(_one_author(author) for author in value)
    if isinstance(value, Mapping) and len(value) == 1:  # {"author": [...]}
        return authors_of(next(iter(value.values())))
    return persons([text_of(value)])


def _one_author(value: object) -> str:
    if isinstance(value, list | tuple):  # arXiv: [family, given, suffix]
        family, given, *rest = [*map(str, value), "", ""]
        return " ".join(part for part in (given, family, *rest[:1]) if part)
    if not isinstance(value, Mapping):
        return text_of(value)
    low = {plain_name(str(key)): text_of(item) for key, item in value.items() if isinstance(item, str)}
    given = low.get("given") or low.get("firstname") or low.get("first") or low.get("forename") or ""
    family = low.get("family") or low.get("lastname") or low.get("last") or low.get("surname") or ""
    return f"{given} {family}" if family else low.get("literal") or low.get("fullname") or text_of(value)


def keywords_of(value: object) -> tuple[str, ...]:
    """Return keywords from a list or from a string parted by semicolons, bars, line ends or commas."""
    if isinstance(value, str):
        mark = next((mark for mark in (";", "；", "|", "\n", "，", ",") if mark in value), ";")
        value = value.split(mark)
    items: Iterable[object] = value if isinstance(value, list | tuple) else [value]
    return tuple(dict.fromkeys(text for text in map(text_of, items) if text))


def year_in(value: object) -> int | None:
    """Return a year from a number, a text, or the nested date parts of CSL."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value > 10**8:
        return _year_of_timestamp(value)
    return year_of(value)


def _year_of_timestamp(value: float) -> int | None:
    """Read seconds or milliseconds since 1970 (OpenReview and pandas write the latter)."""
    seconds = value / 1000 if value > 10**11 else value
    year = 1970 + int(seconds // 31556952)
    return year if year < 2100 else None


def paper_from(record: Mapping[Any, Any], *, own_id: str = "") -> Paper:
    """Make a paper of a record with the usual field names.

    >>> paper_from({"Title": "On X", "AB": "We do X.", "DOI": "https://doi.org/10.1000/X"}).id
    '10.1000/x'
    """
    given = pick(record)
    doi = doi_of(text_of(given.get("doi", ""))) or doi_of(text_of(given.get("url", "")))
    return complete(
        Paper(
            id=own_id or text_of(given.get("id", "")),
            title=text_of(given.get("title", "")),
            abstract=abstract_of(given.get("abstract", "")),
            authors=authors_of(given["authors"]) if "authors" in given else (),
            venue=text_of(given.get("venue", "")),
            year=year_in(given["year"]) if "year" in given else None,
            url=text_of(given.get("url", "")),
            doi=doi,
            arxiv_id=arxiv_id_of(text_of(given.get("arxiv_id", ""))) or arxiv_id_of_doi(doi),
            keywords=keywords_of(given["keywords"]) if "keywords" in given else (),
        )
    )


def complete(paper: Paper) -> Paper:
    """Give a paper what follows from its other fields: an arXiv id from its URL, and an id.

    The id is the record's own, else the DOI, the arXiv id, else a hash of title and abstract.
    """
    paper = _encodable(paper)
    arxiv_id = paper.arxiv_id or arxiv_id_of_doi(paper.doi) or _arxiv_id_of_url(paper.url)
    identity = paper.id or paper.doi or arxiv_id or paper.content_hash[:16]
    if (identity, arxiv_id) == (paper.id, paper.arxiv_id):
        return paper
    return replace(paper, id=identity, arxiv_id=arxiv_id)


def _encodable(paper: Paper) -> Paper:
    r"""Replace lone surrogates, which JSON can smuggle in as ``\ud800`` and no file or database can hold."""
    texts = {field.name: value for field in fields(paper) if isinstance(value := getattr(paper, field.name), str)}
    try:
        "".join((*texts.values(), *paper.authors, *paper.keywords)).encode()
    except UnicodeEncodeError:
        sound: dict[str, Any] = {name: _SURROGATE.sub("\ufffd", value) for name, value in texts.items()}
        authors, keywords = (tuple(_SURROGATE.sub("\ufffd", v) for v in w) for w in (paper.authors, paper.keywords))
        return replace(paper, **sound, authors=authors, keywords=keywords)
    return paper


def _arxiv_id_of_url(url: str) -> str:
    return arxiv_id_of(url) if "arxiv.org/" in url.casefold() else ""
