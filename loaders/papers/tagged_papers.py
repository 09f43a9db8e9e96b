"""Papers from tagged records: what the tags of each format mean.

References:
    RIS: https://web.archive.org/web/20120526103719/http://refman.com/support/risformat_intro.asp
    MEDLINE/NBIB: https://www.nlm.nih.gov/bsd/mms/medlineelements.html
    ERIC: https://eric.ed.gov/?advanced (download as .nbib)
    EndNote tagged: https://docs.endnote.com (Appendix: EndNote export format)
    Web of Science: https://images.webofknowledge.com/images/help/WOS/hs_wos_fieldtags.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from kg.types import Paper
from loaders.papers.decoding import Source
from loaders.papers.fields import abstract_of, complete, keywords_of
from loaders.papers.names import arxiv_id_of, doi_of, persons, venue_id_of, year_of
from loaders.papers.records import Faulty, Found, Record, Records
from loaders.papers.tagged import (
    COCHRANE,
    ENDNOTE,
    MEDLINE,
    REFWORKS,
    RIS,
    WEB_OF_SCIENCE,
    Syntax,
    Tagged,
    split_records,
)

_SURE_RIS: Final = re.compile(r"^\s{0,3}TY\s{0,2}- ?[A-Z]", re.MULTILINE)
_SURE_MEDLINE: Final = re.compile(r"^(?:PMID- ?\d|OWN ?- ?(?:NLM|ERIC|\w))", re.MULTILINE)
_SURE_ENDNOTE: Final = re.compile(r"^%(?:0 [A-Z]|T \S)", re.MULTILINE)
_SURE_WEB_OF_SCIENCE: Final = re.compile(r"^(?:FN .*\r?\n\s*VR |PT [A-Z]\s*$)", re.MULTILINE)
_BRACKETED: Final = re.compile(r"^\[[^\[\]]*\]$")


def looks_ris(head: str) -> bool:
    """Say whether a file has RIS records (some vendors put a few lines of their own before them)."""
    return bool(_SURE_RIS.search(head[:20_000]))


def looks_medline(head: str) -> bool:
    """Say whether a file has MEDLINE records, as PubMed and ERIC write them."""
    return bool(_SURE_MEDLINE.search(head[:20_000])) and len(re.findall(r"(?m)^[A-Z]{2,4} {0,2}- ", head)) > 2


def looks_endnote(head: str) -> bool:
    """Say whether a file has EndNote tagged records."""
    return bool(_SURE_ENDNOTE.search(head[:20_000])) and len(re.findall(r"(?m)^%[0-9A-Z] ", head)) > 1


def looks_web_of_science(head: str) -> bool:
    """Say whether a file has the field-tagged records of Web of Science."""
    return bool(_SURE_WEB_OF_SCIENCE.search(head[:20_000])) and bool(re.search(r"(?m)^TI ", head))


def looks_refworks(head: str) -> bool:
    """Say whether a file has RefWorks tagged records."""
    return bool(re.match(r"\s*RT [A-Z]\w+", head)) and bool(re.search(r"(?m)^T1 ", head))


def looks_cochrane(head: str) -> bool:
    """Say whether a file is a plain text export of the Cochrane Library."""
    return bool(re.search(r"(?m)^Record #\d+ of \d+", head[:20_000])) and bool(re.search(r"(?m)^TI: ", head))


def read_ris(source: Source) -> Records:
    """Yield the papers of a RIS file."""
    return _read(source, RIS, _of_ris)


def read_medline(source: Source) -> Records:
    """Yield the papers of a MEDLINE (NBIB) file."""
    return _read(source, MEDLINE, _of_medline)


def read_endnote(source: Source) -> Records:
    """Yield the papers of an EndNote tagged file."""
    return _read(source, ENDNOTE, _of_endnote)


def read_web_of_science(source: Source) -> Records:
    """Yield the papers of a field-tagged file of Web of Science."""
    return _read(source, WEB_OF_SCIENCE, _of_web_of_science)


def read_refworks(source: Source) -> Records:
    """Yield the papers of a RefWorks tagged file, whose tags mean what they mean in RIS."""
    return _read(source, REFWORKS, _of_ris)


def read_cochrane(source: Source) -> Records:
    """Yield the papers of a plain text export of the Cochrane Library."""
    return _read(source, COCHRANE, _of_cochrane)


def _read(source: Source, syntax: Syntax, make: Callable[[Tagged], Found]) -> Iterator[Record]:
    for tagged in split_records(source.lines(), syntax):
        found = make(tagged)
        if found.paper.raw:
            yield found
        elif len(tagged.fields) > 1 or tagged.fields.keys() <= {"TY", "PT", "0"}:
            yield Faulty(tagged.line, f"has neither a title nor an abstract (tags {' '.join(sorted(tagged.fields))})")


def _of_ris(tagged: Tagged) -> Found:
    doi = next(filter(None, (doi_of(tagged.first(tag)) for tag in ("DO", "M3", "L3", "UR", "N1", "LK"))), "")
    abstract = tagged.first("AB", "N2")
    url = tagged.first("UR", "LK", "L2", "L1")
    keywords = [word for value in tagged.all("KW", "K1", "DE") for word in re.split(r"[;\n]", value)]
    paper = Paper(
        id=tagged.first("ID", "AN", "U1") if "TY" in tagged.fields else "",
        title=tagged.first("TI", "T1", "CT"),
        abstract=abstract_of(abstract[1:-1] if _BRACKETED.match(abstract) else abstract),
        authors=persons(name for value in tagged.all("AU", "A1") for name in value.split(";")),
        venue=_flat(tagged.first("T2", "JF", "JO", "BT", "JA", "J2", "T3")),
        year=next(filter(None, (year_of(tagged.first(tag)) for tag in ("PY", "Y1", "YR", "DA"))), None),
        url=url,
        doi=doi,
        keywords=keywords_of(keywords),
    )
    return Found(tagged.line, complete(paper), venue_id_of(url))


def _of_cochrane(tagged: Tagged) -> Found:
    keywords = [word.strip(" *") for value in tagged.all("KY") for word in value.split(";")]
    paper = Paper(
        id=tagged.first("ID"),
        title=tagged.first("TI"),
        abstract=abstract_of(tagged.first("AB")),
        authors=persons(tagged.all("AU")),
        venue=_flat(tagged.first("SO")),
        year=year_of(tagged.first("YR")),
        url=tagged.first("US"),
        doi=doi_of(tagged.first("DOI")),
        keywords=keywords_of(keywords),
    )
    return Found(tagged.line, complete(paper), f"cochrane:{paper.id}" if paper.id else "")


def _of_medline(tagged: Tagged) -> Found:
    pmid, eric = tagged.first("PMID"), tagged.first("OID")
    places = tagged.fields.get("LID", []) + tagged.fields.get("AID", [])
    doi = next((doi_of(place) for place in places if "[doi]" in place or doi_of(place)), "")
    url = next((place for place in places if place.startswith("http")), "")
    keywords = [word.replace("*", "") for word in tagged.all("OT", "MH")]
    paper = Paper(
        id=f"PMID:{pmid}" if pmid else eric,
        title=tagged.first("TI", "BTI", "TT"),
        abstract=abstract_of(tagged.first("AB", "OAB")),
        authors=persons(tagged.all("FAU", "AU", "CN")),
        venue=_flat(tagged.first("JT", "TA", "CTI")),
        year=year_of(tagged.first("DP", "DEP", "YR", "EDAT")),
        url=url or (f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else ""),
        doi=doi or doi_of(tagged.first("SO")),
        keywords=keywords_of([word for value in keywords for word in value.split(";")]),
    )
    namespaced = f"pmid:{pmid}" if pmid else f"eric:{eric}" if eric else ""
    return Found(tagged.line, complete(paper), namespaced)


def _of_endnote(tagged: Tagged) -> Found:
    url = tagged.first("U", ">")
    keywords = [word for value in tagged.all("K") for word in re.split(r"[;\n]", value)]
    paper = Paper(
        id=tagged.first("F", "M"),
        title=tagged.first("T", "!"),
        abstract=abstract_of(tagged.first("X")),
        authors=persons(name for value in tagged.all("A") for name in value.split(";")),
        venue=_flat(tagged.first("J", "B", "S")),
        year=year_of(tagged.first("D", "8")),
        url=url,
        doi=doi_of(tagged.first("R")) or doi_of(url),
        keywords=keywords_of(keywords),
    )
    return Found(tagged.line, complete(paper), venue_id_of(url))


def _of_web_of_science(tagged: Tagged) -> Found:
    accession = tagged.first("UT")
    keywords = [word for value in tagged.all("DE", "ID") for word in _flat(value).split(";")]
    paper = Paper(
        id=accession,
        title=tagged.first("TI"),
        abstract=abstract_of(tagged.first("AB")),
        authors=persons(tagged.all("AF", "AU", "CA")),
        venue=_flat(tagged.first("SO", "JI", "CT")),
        year=year_of(tagged.first("PY", "EA")),
        doi=doi_of(tagged.first("DI")),
        arxiv_id=arxiv_id_of(tagged.first("AR")) if "arxiv" in tagged.first("SO").casefold() else "",
        keywords=keywords_of(keywords),
    )
    return Found(tagged.line, complete(paper), f"wos:{accession}" if accession else "")


def _flat(text: str) -> str:
    return " ".join(text.split())
