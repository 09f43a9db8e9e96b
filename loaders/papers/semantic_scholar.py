"""Semantic Scholar: papers of the Graph API, and the bulk files ``papers`` and ``abstracts``.

The bulk files are halves: joined by ``corpusid``, in whatever order they are given.

References:
    https://api.semanticscholar.org/api-docs/graph
    https://api.semanticscholar.org/api-docs/datasets
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from loaders.papers.fields import complete, paper_from, text_of
from loaders.papers.names import arxiv_id_of, doi_of
from loaders.papers.records import Faulty, Found, Record


def owns(paper: Mapping[str, Any]) -> bool:
    """Say whether a JSON object is a paper of Semantic Scholar, or the abstract of one."""
    return "corpusid" in paper or "paperId" in paper or "externalIds" in paper


def record_of(record: Mapping[str, Any], line: int) -> Record:
    """Return the paper of a record; a bulk abstract is one half of it."""
    ids, plain = _ids(record), paper_from(record)
    corpus_id = text_of(record.get("corpusid") or record.get("corpusId") or ids.get("CorpusId"))
    paper = replace(
        plain,
        id=text_of(record.get("paperId")) or (f"CorpusId:{corpus_id}" if corpus_id else ""),
        venue=_venue(record) or plain.venue,
        doi=doi_of(text_of(ids.get("DOI"))) or plain.doi,
        arxiv_id=arxiv_id_of(text_of(ids.get("ArXiv"))) or plain.arxiv_id,
    )
    half = "openaccessinfo" in record or ("corpusid" in record and "title" not in record)
    if not paper.raw:
        return Faulty(line, "has neither 'title' nor 'abstract'")
    identity = corpus_id or paper.id
    return Found(line, complete(paper), f"s2:{identity}" if identity else "", half)


def _ids(record: Mapping[str, Any]) -> Mapping[str, Any]:
    access = record.get("openaccessinfo")
    inner = access.get("externalids") if isinstance(access, Mapping) else None
    ids = record.get("externalIds") or record.get("externalids") or inner
    return ids if isinstance(ids, Mapping) else {}


def _venue(record: Mapping[str, Any]) -> str:
    named = (record.get("venue"), record.get("publicationVenue"), record.get("journal"))
    return next((text_of(value) for value in named if text_of(value)), "")
