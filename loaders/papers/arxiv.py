"""The metadata snapshot of arXiv: JSON lines with hard line breaks in titles and abstracts.

References:
    https://www.kaggle.com/datasets/Cornell-University/arxiv
    https://info.arxiv.org/help/arxiv_identifier.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.types import Paper
from loaders.papers.fields import abstract_of, authors_of, text_of, year_in
from loaders.papers.names import arxiv_id_of, doi_of
from loaders.papers.records import Faulty, Found, Record


def owns(entry: Mapping[str, Any]) -> bool:
    """Say whether a JSON object is an entry of the snapshot."""
    return ("authors_parsed" in entry or "submitter" in entry) and "categories" in entry


def record_of(entry: Mapping[str, Any], line: int) -> Record:
    """Return the paper of an entry, dated by its first version."""
    identity = text_of(entry.get("id"))
    arxiv_id = arxiv_id_of(identity)
    paper = Paper(
        id=arxiv_id or identity,
        title=text_of(entry.get("title")),
        abstract=abstract_of(entry.get("abstract")),
        authors=authors_of(entry.get("authors_parsed") or entry.get("authors") or []),
        venue=" ".join(text_of(entry.get("journal-ref")).split()),
        year=_year(entry),
        url=f"https://arxiv.org/abs/{arxiv_id}" if arxiv_id else "",
        doi=doi_of(text_of(entry.get("doi"))),
        arxiv_id=arxiv_id,
    )
    if not paper.raw or not paper.id:
        return Faulty(line, "has no 'id', or neither 'title' nor 'abstract'")
    return Found(line, paper)


def _year(entry: Mapping[str, Any]) -> int | None:
    versions = entry.get("versions")
    first = versions[0] if isinstance(versions, list) and versions else {}
    created = first.get("created") if isinstance(first, Mapping) else None
    return year_in(created or entry.get("update_date"))
