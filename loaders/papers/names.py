"""Names of people, identifiers and years as the formats write them, brought to one form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_DOI: Final = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\"<>{}|\\^]+", re.IGNORECASE)
_ARXIV_DOI: Final = "10.48550/arxiv."
_ARXIV_NEW: Final = r"\d{4}\.\d{4,5}"
_ARXIV_OLD: Final = r"[a-z-]+(?:\.[A-Za-z]{2})?/\d{7}"
_ARXIV: Final = re.compile(rf"(?:^|arxiv[.:/]\s*|/abs/|/pdf/)({_ARXIV_NEW}|{_ARXIV_OLD})(?:v\d+)?(?![\d])", re.I)
_HOSTS: Final = {
    "openreview": re.compile(r"openreview\.net/(?:forum|pdf|attachment)\?id=([\w-]+)"),
    "acl": re.compile(r"acl(?:anthology\.org|web\.org/anthology)/(?:papers/)?([A-Z]\d\d-\d{4}|\d{4}\.[\w-]+\.\d+)"),
    "pmid": re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d+)"),
    "pmlr": re.compile(r"proceedings\.mlr\.press/(v\d+/[\w-]+?)(?:\.html|\.pdf|/|$)"),
    "s2": re.compile(r"semanticscholar\.org/paper/(?:[^/]*/)?([0-9a-f]{40})"),
}
_YEAR: Final = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
#: "et al." at the end of a list; the number by which DBLP tells namesakes apart.
_AFTER_NAME: Final = re.compile(r"(?:,|\band\b)?\s*\bet\.? ?al\.?\s*$|(?<=\w)\s\d{4}$")
_SUFFIX: Final = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.IGNORECASE)


def doi_of(text: str) -> str:
    """Return the DOI that stands in a text, in lower case, or "".

    >>> doi_of("https://doi.org/10.1000/ABC.12")
    '10.1000/abc.12'
    """
    found = _DOI.search(text) if "10." in text else None
    if not found:
        return ""
    doi = found.group().rstrip(".,;:'")
    if doi.endswith(")") and doi.count("(") < doi.count(")"):
        doi = doi[:-1]
    return doi.casefold()


def arxiv_id_of(text: str) -> str:
    """Return the arXiv id that stands in a text, without its version, or "".

    >>> arxiv_id_of("arXiv:2301.00001v2"), arxiv_id_of("https://arxiv.org/abs/hep-th/9901001")
    ('2301.00001', 'hep-th/9901001')
    """
    found = _ARXIV.search(text.strip())
    return found.group(1) if found else ""


def arxiv_id_of_doi(doi: str) -> str:
    """Return the arXiv id within a DOI that arXiv gave, or "".

    >>> arxiv_id_of_doi("10.48550/arxiv.2301.00001")
    '2301.00001'
    """
    return arxiv_id_of(doi[len(_ARXIV_DOI) :]) if doi.casefold().startswith(_ARXIV_DOI) else ""


def venue_id_of(url: str) -> str:
    """Return the identity that the host of a paper's page gave it, or "".

    >>> venue_id_of("https://aclanthology.org/2031.forest-main.7.pdf"), venue_id_of("https://example.org/7")
    ('acl:2031.forest-main.7', '')
    """
    for namespace, pattern in _HOSTS.items():
        if found := pattern.search(url):
            return f"{namespace}:{found.group(1)}"
    return ""


def year_of(value: object) -> int | None:
    """Return the first year between 1800 and 2099 in a value.

    >>> year_of("2021 Mar 4"), year_of(2020.0), year_of("forthcoming")
    (2021, 2020, None)
    """
    found = _YEAR.search(str(value))
    return int(found.group()) if found else None


def person(name: str) -> str:
    """Return a name in reading order.

    >>> person("Doe, Jane Q."), person("Doe, Jr., John"), person("  Jane   Doe ")
    ('Jane Q. Doe', 'John Doe Jr.', 'Jane Doe')
    """
    if "," not in name:
        return " ".join(name.split())
    parts = [" ".join(part.split()) for part in name.split(",")]
    parts = [part for part in parts if part]
    if len(parts) == 3 and any(_SUFFIX.match(part) for part in parts[1:]):
        suffix = next(part for part in parts[1:] if _SUFFIX.match(part))
        first = next(part for part in parts[1:] if part != suffix) if parts[1] != parts[2] else ""
        return " ".join(part for part in (first, parts[0], suffix) if part)
    if len(parts) == 2 and _SUFFIX.match(parts[1]):
        return " ".join(parts)
    return " ".join([*parts[1:], *parts[:1]])


def people(text: str) -> tuple[str, ...]:
    """Split a line of authors, whatever stands between them.

    >>> people("Doe, Jane and Roe, Rick"), people("Jane Doe, Rick Roe & Ann Poe"), people("Doe, J.; Roe, R.")
    (('Jane Doe', 'Rick Roe'), ('Jane Doe', 'Rick Roe', 'Ann Poe'), ('J. Doe', 'R. Roe'))
    """
    text = " ".join(text.split())
    if re.search(r"[;；|]", text):
        return persons(re.split(r"[;；|]", text))
    by_and = re.split(r",?\s+(?:and|AND|&)\s+", text)
    commas = {part.count(",") for part in by_and}
    if commas == {1} and (len(by_and) > 1 or _is_inverted(text)):
        return persons(by_and)
    return persons(part for piece in by_and for part in re.split(r"[,，、]", piece))


def _is_inverted(text: str) -> bool:
    """Tell "Doe, Jane" (one person) from "Jane Doe, Rick Roe" (two)."""
    last, first = text.split(",")
    return len(last.split()) == 1 and bool(first.strip())


def persons(names: Iterable[object]) -> tuple[str, ...]:
    """Return names in reading order without empty ones, repeats and a closing "et al."."""
    cleaned = (person(_bare_name(str(name))) for name in names)
    return tuple(dict.fromkeys(name for name in cleaned if name and name.casefold() not in ("others", "et al")))


def _bare_name(name: str) -> str:
    name = " ".join(name.split())
    return _AFTER_NAME.sub("", name) if name.endswith(("al", "al.")) or name[-1:].isdigit() else name
