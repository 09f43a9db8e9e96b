"""Works of OpenAlex, whose abstracts are inverted: each word with the positions it stands at.

References:
    https://docs.openalex.org/api-entities/works/work-object
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.types import Paper
from loaders.papers.fields import abstract_of, complete, keywords_of, text_of, year_in
from loaders.papers.names import arxiv_id_of, doi_of, persons
from loaders.papers.records import Faulty, Found, Record


def owns(work: Mapping[str, Any]) -> bool:
    """Say whether a JSON object is a work."""
    return "abstract_inverted_index" in work or "openalex.org/W" in text_of(work.get("id"))


def record_of(work: Mapping[str, Any], line: int) -> Record:
    """Return the paper in a work."""
    places = list(_maps([work.get("primary_location")]))
    places += list(_maps(work.get("locations")))
    identity = text_of(work.get("id")).rpartition("/")[2]
    paper = Paper(
        id=identity,
        title=text_of(work.get("title") or work.get("display_name")),
        abstract=abstract_of(work.get("abstract")) or abstract_of(upright(work.get("abstract_inverted_index"))),
        authors=persons(_author(entry) for entry in _maps(work.get("authorships"))),
        venue=_venue(work, places),
        year=year_in(work.get("publication_year") or work.get("publication_date")),
        url=next((text_of(place.get("landing_page_url")) for place in places if place.get("landing_page_url")), ""),
        doi=doi_of(text_of(work.get("doi"))),
        arxiv_id=_arxiv_id(places),
        keywords=keywords_of(work.get("keywords") or []),
    )
    if not paper.raw:
        return Faulty(line, "has neither 'title' nor 'abstract_inverted_index'")
    return Found(line, complete(paper), f"openalex:{identity}" if identity else "")


def upright(index: Any) -> str:
    """Return the text that an inverted index stands for.

    >>> upright({"prune": [1], "We": [0], "oaks.": [2]})
    'We prune oaks.'
    """
    if not isinstance(index, Mapping):
        return ""
    places = ((at, word) for word, spots in index.items() if isinstance(spots, list) for at in spots)
    return " ".join(str(word) for _, word in sorted(place for place in places if isinstance(place[0], int)))


def _maps(values: Any) -> Iterator[Mapping[str, Any]]:
    items: Iterable[Any] = values if isinstance(values, list) else ()
    return (item for item in items if isinstance(item, Mapping))


def _author(entry: Mapping[str, Any]) -> str:
    return text_of(entry.get("author")) or text_of(entry.get("raw_author_name"))


def _venue(work: Mapping[str, Any], places: list[Mapping[str, Any]]) -> str:
    sources = [place.get("source") for place in places] + [work.get("host_venue")]
    return next((text_of(source) for source in sources if isinstance(source, Mapping) and text_of(source)), "")


def _arxiv_id(places: list[Mapping[str, Any]]) -> str:
    addresses = (text_of(place.get("landing_page_url")) for place in places)
    return next((found for url in addresses if "arxiv.org/" in url and (found := arxiv_id_of(url))), "")
