"""PubMed's "Abstract (text)" files: numbered records whose last lines hold DOI and PMID.

References:
    https://pubmed.ncbi.nlm.nih.gov/help/#save-pubmed
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kg.types import Paper
from loaders.papers.decoding import Line, Source
from loaders.papers.fields import abstract_of, complete
from loaders.papers.names import doi_of, people, year_of
from loaders.papers.records import Faulty, Found, Record, Records
from loaders.papers.text_blocks import Block, blocks, text_of

_BEGIN: Final = re.compile(r"^\d{1,6}\. \S.*\b(?:1[89]|20)\d\d\b")
_IDS: Final = re.compile(r"^(?:DOI|PMCID|PMID): \S")
_PMID: Final = re.compile(r"^PMID: (\d+)", re.MULTILINE)
_NO_ABSTRACT: Final = re.compile(
    r"^(?:Author information:|Collaborators|Comment (?:in|on)|Erratum (?:in|for)|Update (?:in|of)|Republished"
    r"|Summary for|Conflict of interest|©|Copyright|Published by|\(C\))"
)
_AFFILIATION: Final = re.compile(r"\(\d+\)|\(#\)")


def looks(head: str) -> bool:
    """Say whether a file begins with a numbered citation and holds PMIDs below."""
    return bool(_BEGIN.match(head.lstrip())) and bool(_PMID.search(head))


def read(source: Source) -> Records:
    """Yield the papers of the file."""
    for record in _records(source.lines()):
        yield _record(record)


def _records(lines: Iterable[Line]) -> Iterator[list[Block]]:
    """Group blocks into records: one ends below the block with its PMID, where the next number stands."""
    record: list[Block] = []
    ended = False
    for block in blocks(lines):
        if record and ended and _BEGIN.match(block[0].text):
            yield record
            record, ended = [], False
        record.append(block)
        ended = ended or any(line.text.startswith("PMID:") for line in block)
    if record:
        yield record


def _record(record: list[Block]) -> Record:
    texts = [text_of(block) for block in record]
    ids = "\n".join(text for text in texts if _IDS.match(text))
    pmid = _PMID.search(ids)
    if len(texts) < 2 or not pmid:
        return Faulty(record[0][0].number, "has no title or no PMID")
    rest = texts[2:]
    named = bool(rest) and not _IDS.match(rest[0]) and not _NO_ABSTRACT.match(rest[0]) and _are_authors(rest[0])
    authors = people(_AFFILIATION.sub("", rest.pop(0)).rstrip(".")) if named else ()
    parts = [text for text in rest if not _IDS.match(text) and not _NO_ABSTRACT.match(text)]
    paper = Paper(
        id=f"PMID:{pmid.group(1)}",
        title=texts[1],
        abstract=abstract_of(max(parts, key=len, default="")),
        authors=authors,
        venue=texts[0].partition(". ")[2].partition(". ")[0],
        year=year_of(texts[0]),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid.group(1)}/",
        doi=doi_of(ids) or doi_of(texts[0]),
    )
    return Found(record[0][0].number, complete(paper), f"pmid:{pmid.group(1)}")


def _are_authors(text: str) -> bool:
    """Say whether a block holds names as PubMed shortens them: "Doe J(1), Roe RA(2)."."""
    names = _AFFILIATION.sub("", " ".join(text.split())).rstrip(".").split(", ")
    return all(re.fullmatch(r"[^\d.]{1,60} [A-Z]{1,4}(?: (?:Jr|Sr|2nd|3rd))?;?", name) for name in names)
