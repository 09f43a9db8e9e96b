"""Papers from XML: PubMed, the Atom feed of the arXiv API, EndNote's XML export.

References:
    PubMed: https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html
    arXiv: https://info.arxiv.org/help/api/user-manual.html
    EndNote: https://docs.endnote.com (XML export)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from xml.etree.ElementTree import Element

from kg.types import Paper
from loaders.papers.decoding import Source
from loaders.papers.fields import abstract_of, complete, keywords_of
from loaders.papers.names import arxiv_id_of, doi_of, persons, year_of
from loaders.papers.records import Faulty, Found, Record
from loaders.papers.xml_records import text_at, texts_at, xml_records

_Make = Callable[[Element, int], Found]
_PUBMED: Final = re.compile(r"<Pubmed(?:ArticleSet|BookArticle|Article)\b")
_ATOM: Final = re.compile(r"<feed\b[^>]*http://www\.w3\.org/2005/Atom")
_ENDNOTE: Final = re.compile(r"<records>\s*<record>")


def looks_pubmed(head: str) -> bool:
    """Say whether a file is XML of PubMed."""
    return bool(_PUBMED.search(head[:5_000]))


def looks_atom(head: str) -> bool:
    """Say whether a file is an Atom feed."""
    return bool(_ATOM.search(head[:5_000]))


def looks_endnote(head: str) -> bool:
    """Say whether a file is XML of EndNote."""
    return bool(_ENDNOTE.search(head[:5_000]))


def _read(source: Source, tags: tuple[str, ...], make: _Make) -> Iterator[Record]:
    for record in xml_records(source.stream, source.encoding, tags):
        if record.element is None:
            yield Faulty(record.line, record.reason)
            continue
        found = make(record.element, record.line)
        yield found if found.paper.raw else Faulty(record.line, "has neither a title nor an abstract")


def _of_pubmed(element: Element, line: int) -> Found:
    article = next((found for path in _ARTICLES if (found := element.find(path)) is not None), element)
    pmid = text_at(element, "MedlineCitation/PMID", "BookDocument/PMID")
    dois = [text_at(article, "ELocationID[@EIdType='doi']")]
    dois += texts_at(element, "*/ArticleIdList/ArticleId[@IdType='doi']")
    title = text_at(article, "ArticleTitle", "BookTitle")
    if not title or title.startswith("[Not Available"):
        title = text_at(article, "VernacularTitle") or title
    paper = Paper(
        id=f"PMID:{pmid}" if pmid else "",
        title=title,
        abstract=abstract_of(_sections(element)),
        authors=persons(_author(author) for author in article.iterfind("AuthorList/Author")),
        venue=text_at(article, "Journal/Title", "Journal/ISOAbbreviation", "Book/BookTitle"),
        year=year_of(text_at(article, *_DATES)),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else "",
        doi=next(filter(None, map(doi_of, dois)), ""),
        keywords=keywords_of(texts_at(element, ".//KeywordList/Keyword") or texts_at(element, ".//DescriptorName")),
    )
    return Found(line, complete(paper), f"pmid:{pmid}" if pmid else "")


_ARTICLES: Final = ("MedlineCitation/Article", "BookDocument")
_DATES: Final = (
    *("Journal/JournalIssue/PubDate/Year", "Journal/JournalIssue/PubDate/MedlineDate"),
    *("ArticleDate/Year", "Book/PubDate/Year", "ContributionDate/Year"),
)


def _sections(element: Element) -> str:
    """Return an abstract, its sections under their labels."""
    for path in (".//Abstract", ".//OtherAbstract"):
        abstract = element.find(path)
        if abstract is not None:
            parts = (
                (part.get("Label", ""), " ".join("".join(part.itertext()).split()))
                for part in abstract.iterfind("AbstractText")
            )
            return "\n".join(f"{label}: {text}" if label else text for label, text in parts if text)
    return ""


def _author(author: Element) -> str:
    family = text_at(author, "LastName")
    given = text_at(author, "ForeName", "FirstName", "Initials")
    name = " ".join(part for part in (given, family, text_at(author, "Suffix")) if part)
    return name or text_at(author, "CollectiveName")


def _of_atom(entry: Element, line: int) -> Found:
    url = text_at(entry, "id")
    paper = Paper(
        id=arxiv_id_of(url) or url,
        title=text_at(entry, "title"),
        abstract=abstract_of(text_at(entry, "summary", "content")),
        authors=persons(texts_at(entry, "author/name")),
        venue=text_at(entry, "journal_ref"),
        year=year_of(text_at(entry, "published", "updated")),
        url=re.sub(r"(?<=\d)v\d+$", "", url),
        doi=doi_of(text_at(entry, "doi")),
        arxiv_id=arxiv_id_of(url),
    )
    return Found(line, complete(paper))


def _of_endnote(record: Element, line: int) -> Found:
    url = text_at(record, "urls/related-urls/url", "urls/web-urls/url")
    paper = Paper(
        id=text_at(record, "accession-num", "rec-number"),
        title=text_at(record, "titles/title"),
        abstract=abstract_of(text_at(record, "abstract")),
        authors=persons(texts_at(record, "contributors/authors/author")),
        venue=text_at(record, "periodical/full-title", "titles/secondary-title", "alt-periodical/full-title"),
        year=year_of(text_at(record, "dates/year")),
        url=url,
        doi=doi_of(text_at(record, "electronic-resource-num")) or doi_of(url),
        keywords=keywords_of(texts_at(record, "keywords/keyword")),
    )
    return Found(line, complete(paper))


read_pubmed: Final = partial(_read, tags=("PubmedArticle", "PubmedBookArticle"), make=_of_pubmed)
read_atom: Final = partial(_read, tags=("entry",), make=_of_atom)
read_endnote: Final = partial(_read, tags=("record",), make=_of_endnote)
