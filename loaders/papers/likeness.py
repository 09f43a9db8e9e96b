"""When two records are one paper: keys that identify it, and signs against it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from hashlib import blake2b
from typing import Final

from kg.types import Paper
from loaders.papers.records import Found


class Rung(IntEnum):
    """What two records can share, the surest first."""

    DOI = 0
    ARXIV_ID = 1
    VENUE_ID = 2
    ID = 3
    TITLE = 4
    ABSTRACT = 5


RUNG_NAMES: Final = ("doi", "arxiv id", "venue id", "id", "title and year", "abstract")

#: Shorter abstracts and titles are shared by papers that have nothing else in common ("Editorial").
_MIN_ABSTRACT: Final = 80
_MIN_TITLE: Final = 16
_GENERIC: Final = frozenset(
    (
        "editorialboard",
        "tableofcontents",
        "lettertotheeditor",
        "introductiontothespecialissue",
        "acknowledgementtoreviewers",
        "messagefromthechairs",
        "messagefromtheprogramchairs",
        "conferenceprogram",
        "guesteditorial",
        "publishersnote",
        "listofreviewers",
    )
)
_MARKS: Final = re.compile(r"\\[a-zA-Z]+|<[^>]{1,40}>|&#?\w+;")
_ODD: Final = re.compile(r"[\W_]+")
_ODD_ASCII: Final = {code: None for code in range(128) if not chr(code).isalnum()}
_TITLE_LIKENESS: Final = 0.5
#: Versions of one abstract share more of their words than this, abstracts of two papers fewer.
_ABSTRACT_LIKENESS: Final = 0.2
#: arXiv, bioRxiv and medRxiv, Research Square, OSF, ChemRxiv, TechRxiv, SSRN, Preprints.org, Zenodo.
_PREPRINTS: Final = (
    *("10.48550/", "10.1101/", "10.21203/", "10.31219/", "10.31234/", "10.31235/", "10.26434/", "10.36227/"),
    *("10.2139/", "10.20944/", "10.5281/"),
)


def folded(text: str) -> str:
    r"""Fold a text to its letters and digits: case, accents, mark-up, white space and punctuation are gone.

    >>> folded(r"{BERT}: \emph{Pré}-training")
    'bertpretraining'
    """
    if "\\" in text or "<" in text or "&" in text:
        text = _MARKS.sub(" ", text)
    if text.isascii():
        return text.lower().translate(_ODD_ASCII)
    return _ODD.sub("", unicodedata.normalize("NFKD", text)).casefold()


def keys(found: Found) -> Iterator[tuple[Rung, int]]:
    """Yield the keys of a record: records that share one may be one paper."""
    paper = found.paper
    if paper.doi and not paper.doi.startswith("10.48550/arxiv."):
        yield Rung.DOI, _key(paper.doi)
    if paper.arxiv_id:
        yield Rung.ARXIV_ID, _key(paper.arxiv_id)
    if found.venue_id:
        yield Rung.VENUE_ID, _key(found.venue_id)
    yield Rung.ID, _key(paper.id)
    title, abstract = folded(paper.title), folded(paper.abstract[:4000])
    if _tells(title):
        yield Rung.TITLE, _key(title)
    if len(abstract) >= _MIN_ABSTRACT:
        yield Rung.ABSTRACT, _key(abstract)


def _tells(title: str) -> bool:
    return len(title.encode()) >= _MIN_TITLE and title not in _GENERIC


def _key(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def are_one(one: Found, other: Found, rung: Rung) -> bool:
    """Say whether two records that share a key of this rung are one paper.

    A DOI, an arXiv id or an index's own id is proof. An id that a person gave is not (every second file has a
    paper ``1``), nor is a title; there the rest must not speak against it.
    """
    if rung <= Rung.VENUE_ID:
        return True
    if _conflict(one, other):
        return rung != Rung.ID and _same_abstract(one.paper, other.paper)
    if rung == Rung.ID:
        return titles_alike(one.paper, other.paper) or _same_abstract(one.paper, other.paper)
    if rung == Rung.ABSTRACT:
        return titles_alike(one.paper, other.paper)
    return _same_work(one.paper, other.paper)


def _conflict(one: Found, other: Found) -> bool:
    pairs = (
        (_final_doi(one.paper), _final_doi(other.paper)),
        (one.paper.arxiv_id, other.paper.arxiv_id),
        (one.venue_id, other.venue_id if _namespace(one) == _namespace(other) else ""),
    )
    return any(left and right and left != right for left, right in pairs)


def _final_doi(paper: Paper) -> str:
    """Return a DOI that no preprint server gave: a preprint and its publication have two and are one paper."""
    return "" if paper.doi.startswith(_PREPRINTS) else paper.doi


def _namespace(found: Found) -> str:
    return found.venue_id.partition(":")[0]


def _same_work(one: Paper, other: Paper) -> bool:
    """Say whether two papers of one title are one: by year and authors, and where these are missing by abstract."""
    if one.year is not None and other.year is not None and one.year != other.year:
        return False
    if not _share_author(one, other):
        return False
    certain = one.year is not None and one.year == other.year and one.authors and other.authors
    return bool(certain) or not _abstracts_differ(one, other)


def _abstracts_differ(one: Paper, other: Paper) -> bool:
    left, right = _words(one.abstract), _words(other.abstract)
    return bool(left and right) and len(left & right) < _ABSTRACT_LIKENESS * len(left | right)


def _same_abstract(one: Paper, other: Paper) -> bool:
    return bool(one.abstract) and folded(one.abstract) == folded(other.abstract)


def _share_author(one: Paper, other: Paper) -> bool:
    if not one.authors or not other.authors:
        return True
    return bool(_name_words(one) & _name_words(other))


def _name_words(paper: Paper) -> set[str]:
    return {folded(word) for name in paper.authors for word in name.split() if len(word.strip(".")) > 1}


def titles_alike(one: Paper, other: Paper) -> bool:
    """Say whether two titles could be versions of one: half of their words are shared, or one is missing."""
    if not one.title or not other.title:
        return not (one.title or other.title) or not (one.abstract and other.abstract) or _same_abstract(one, other)
    left, right = _words(one.title), _words(other.title)
    return folded(one.title) == folded(other.title) or len(left & right) >= _TITLE_LIKENESS * len(left | right)


def _words(text: str) -> set[str]:
    return {folded(word) for word in re.findall(r"\w+", text)}
