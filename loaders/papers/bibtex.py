"""Papers from BibTeX, as reference managers, publishers and indexes export it.

References:
    https://ctan.org/pkg/bibtex (btxdoc), https://ctan.org/pkg/biblatex
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kg.types import Paper
from loaders.papers.bibtex_entries import BrokenEntry, Entry, entries
from loaders.papers.decoding import Source
from loaders.papers.fields import abstract_of, complete, keywords_of
from loaders.papers.latex_names import spelled_out
from loaders.papers.names import arxiv_id_of, doi_of, persons, venue_id_of, year_of
from loaders.papers.records import Excluded, Faulty, Found, Record, Records

_BEGIN: Final = re.compile(r"^[ \t]*@\s*[A-Za-z]{3,}\s*[{(]", re.MULTILINE)
#: Vendors put a few short lines before the first entry; an entry below a text is an example in it.
_PREFACE_CHARS: Final = 3_000
_PREFACE_LINE: Final = 200
_VOLUMES: Final = frozenset({"proceedings", "collection", "periodical", "mvcollection", "mvproceedings"})
_VENUES: Final = ("journal", "journaltitle", "booktitle", "venue", "series", "school", "institution")
_AND: Final = re.compile(r"\s+and\s+", re.IGNORECASE)


def looks(head: str) -> bool:
    """Say whether a file has BibTeX entries near its beginning."""
    found = _BEGIN.search(head[:_PREFACE_CHARS])
    preface = head[: found.start()].splitlines() if found else []
    return bool(found) and not any(line.startswith("```") or len(line) > _PREFACE_LINE for line in preface)


def read(source: Source) -> Records:
    """Yield the papers of a BibTeX file."""
    for entry in entries(source.lines()):
        yield Faulty(entry.line, entry.reason) if isinstance(entry, BrokenEntry) else _record(entry)


def _record(entry: Entry) -> Record:
    if entry.kind in _VOLUMES:
        return Excluded(entry.line, "a whole volume, not a paper")
    paper = _paper(entry)
    if not paper.raw:
        return Faulty(entry.line, f"@{entry.kind}{{{entry.key}}} has neither a title nor an abstract")
    unique = entry.fields.get("unique-id", "").strip("{}")
    return Found(entry.line, paper, f"wos:{unique}" if unique.startswith("WOS:") else venue_id_of(paper.url))


def _paper(entry: Entry) -> Paper:
    given = entry.fields
    url = bare(next((given[name] for name in ("url", "link", "ee", "bdsk-url-1") if given.get(name)), ""))
    return complete(
        Paper(
            id=entry.key,
            title=bare(given.get("title", "")),
            abstract=abstract_of(bare(given.get("abstract", ""))),
            authors=authors_of(given.get("author", "")),
            venue=spelled_out(next((given[name] for name in _VENUES if given.get(name)), "")),
            year=next(filter(None, (year_of(given.get(name, "")) for name in ("year", "date", "issue_date"))), None),
            url=url.replace("\\_", "_").replace("\\%", "%"),
            doi=doi_of(given.get("doi", "").replace("\\_", "_")) or doi_of(url) or doi_of(entry.key),
            arxiv_id=_arxiv_id(given),
            keywords=keywords_of(spelled_out(given.get("author_keywords") or given.get("keywords", ""))),
        )
    )


def bare(value: str) -> str:
    """Take off the braces around a whole value.

    >>> bare("{On {BERT}}"), bare("{On} {BERT}")
    ('On {BERT}', '{On} {BERT}')
    """
    value = value.strip()
    while value.startswith("{") and value.endswith("}") and _is_one_group(value):
        value = value[1:-1].strip()
    return value


def _is_one_group(value: str) -> bool:
    depth = 0
    for place, character in enumerate(value):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return place == len(value) - 1
    return False


def authors_of(value: str) -> tuple[str, ...]:
    r"""Return the names of an author field in reading order; a name in braces is one word.

    >>> authors_of(r"M{\"u}ller, Ada and {Forest and Tree Team} and others")
    ('Ada Müller', 'Forest and Tree Team')
    """
    value = " ".join(bare(value).split())
    groups: list[str] = []

    def keep(found: re.Match[str]) -> str:
        groups.append(found.group())
        return f"\x00{len(groups) - 1}\x00"

    masked = re.sub(r"\{[^{}]*\s[^{}]*\}", keep, value)
    names = []
    for name in _AND.split(masked):
        whole = re.fullmatch(r"\x00(\d+)\x00", name.strip())
        if whole:
            names.append(spelled_out(groups[int(whole.group(1))]))
        else:
            names.extend(persons([spelled_out(re.sub(r"\x00(\d+)\x00", lambda m: groups[int(m.group(1))], name))]))
    return tuple(dict.fromkeys(name for name in names if name))


def _arxiv_id(given: Mapping[str, str]) -> str:
    eprint, archive = given.get("eprint", ""), given.get("archiveprefix", "") or given.get("eprinttype", "")
    if eprint and (archive.casefold() == "arxiv" or not archive):
        return arxiv_id_of(eprint)
    mentioned = (given.get(name, "") for name in ("journal", "note", "howpublished", "volume"))
    return next((found for text in mentioned if "arxiv" in text.casefold() and (found := arxiv_id_of(text))), "")
