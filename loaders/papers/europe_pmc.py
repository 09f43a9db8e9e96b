"""Articles of the Europe PMC API, whose journal stands two levels deep.

References:
    https://europepmc.org/RestfulWebService
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loaders.papers.fields import paper_from, text_of
from loaders.papers.records import Faulty, Found, Record


def owns(article: Mapping[str, Any]) -> bool:
    """Say whether a JSON object is an article of Europe PMC."""
    return "authorString" in article and ("pubYear" in article or "journalInfo" in article)


def record_of(article: Mapping[str, Any], line: int) -> Record:
    """Return the paper of an article."""
    details = article.get("journalInfo")
    journal = text_of(details.get("journal")) if isinstance(details, Mapping) else ""
    words = article.get("keywordList")
    keywords = words.get("keyword") if isinstance(words, Mapping) else None
    given = {key: value for key, value in article.items() if key not in ("source", "journalInfo", "keywordList")}
    paper = paper_from({**given, "venue": journal or text_of(article.get("journalTitle")), "keywords": keywords})
    if not paper.raw:
        return Faulty(line, "has neither 'title' nor 'abstractText'")
    pmid = text_of(article.get("pmid"))
    return Found(line, paper, f"pmid:{pmid}" if pmid else "")
