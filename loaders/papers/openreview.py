"""Notes of OpenReview, API v1 and v2.

A note of v2 wraps every value (``content.title.value``). A submission is accepted when its ``venueid`` is the
venue itself: ``ICLR.cc/2024/Conference`` is, ``ICLR.cc/2024/Conference/Rejected_Submission`` is not.

References:
    https://docs.openreview.net/reference/api-v2/entities/note
    https://docs.openreview.net/how-to-guides/data-retrieval-and-modification/how-to-get-all-notes-for-submissions-reviews-rebuttals-etc
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from kg.types import Paper
from loaders.papers.fields import abstract_of, authors_of, complete, keywords_of, text_of, year_in
from loaders.papers.names import doi_of, year_of
from loaders.papers.records import Excluded, Faulty, Found, Record

_SITE: Final = "https://openreview.net"
_UNDECIDED: Final = re.compile(r"(?:^|[/_ ])submission$|submitted|withdrawn|reject", re.IGNORECASE)


def owns(note: Mapping[str, Any]) -> bool:
    """Say whether a JSON object is a note."""
    return isinstance(note.get("content"), Mapping) and (
        "forum" in note or "invitation" in note or "invitations" in note
    )


def record_of(note: Mapping[str, Any], line: int) -> Record:
    """Return the submission in a note; one that was not accepted, or a reply to one, is excluded."""
    identity, forum = text_of(note.get("id")), text_of(note.get("forum"))
    if note.get("replyto") or (identity and forum and identity != forum):
        return Excluded(line, "a reply, not a paper")
    content = {key: _value(item) for key, item in note["content"].items()}
    paper = _paper(note, content, identity or forum)
    if not paper.raw:
        return Faulty(line, "has neither 'content.title' nor 'content.abstract'")
    found = Found(line, paper, f"openreview:{paper.id}")
    return found if _is_accepted(note, content) else Excluded(line, "not accepted", found)


def _value(item: Any) -> Any:
    return item["value"] if isinstance(item, Mapping) and "value" in item else item


def _paper(note: Mapping[str, Any], content: Mapping[str, Any], identity: str) -> Paper:
    venue, venue_id = text_of(content.get("venue")), text_of(content.get("venueid"))
    year = year_of(venue_id) or year_of(venue) or year_of(note.get("invitation", ""))
    dates = (note.get(key) for key in ("pdate", "odate", "cdate", "tcdate"))
    return complete(
        Paper(
            id=identity,
            title=text_of(content.get("title")),
            abstract=abstract_of(content.get("abstract")),
            authors=authors_of(content.get("authors") or []),
            venue=venue or venue_id,
            year=year or next((year_in(date) for date in dates if date), None),
            url=f"{_SITE}/forum?id={identity}" if identity else "",
            doi=doi_of(text_of(content.get("_bibtex")) if "doi" in text_of(content.get("_bibtex")) else ""),
            keywords=keywords_of(content.get("keywords") or []),
        )
    )


def _is_accepted(note: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    venue_id = text_of(content.get("venueid"))
    if venue_id:
        return not _UNDECIDED.search(venue_id)
    if decision := _decision(note):
        return "accept" in decision.casefold()
    venue = text_of(content.get("venue"))
    return bool(venue) and not _UNDECIDED.search(venue)


def _decision(note: Mapping[str, Any]) -> str:
    """Return the decision among the replies that a dump of v1 may carry along."""
    details = note.get("details")
    replies = (details.get("directReplies") or details.get("replies") or []) if isinstance(details, Mapping) else []
    for reply in replies:
        content = reply.get("content") if isinstance(reply, Mapping) else None
        if isinstance(content, Mapping) and (said := content.get("decision") or content.get("recommendation")):
            return text_of(_value(said))
    return ""
