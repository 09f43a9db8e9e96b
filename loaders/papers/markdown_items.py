"""What one line of a list of papers in Markdown says: title, link, venue, year, authors."""

from __future__ import annotations

import re
from typing import Final

from loaders.papers.name_lines import are_names
from loaders.papers.names import year_of

_LINK: Final = re.compile(
    r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+\"[^\"]*\")?\)"
)
#: So many words in lower case after a name are a sentence about it.
_MIN_PROSE: Final = 5
_ANCHOR: Final = re.compile(
    r"<a\s[^<>]{0,300}?href=[\"']([^\"'<>]{1,2000})[\"'][^<>]{0,300}>([^<>]{1,500})</a>", re.IGNORECASE
)
_TAGS: Final = re.compile(r"^(?:[\[(（【`]+([^\])）】`\[(]{2,40})[\])）】`]+(?!\()[ :：]*)+")
_BOLD: Final = re.compile(r"^(?:\*\*|__)(.+?)(?:\*\*|__)")
_QUOTED: Final = re.compile(r"^[\"“](.+?)[\"”]")
_PLAIN: Final = re.compile(r"^(.+?)(?:\.(?=\s|$)|\s[-–—|]\s|\s?(?:\[|\(|<)|,\s(?=[A-Z][\w.]* [A-Z])|$)")
_NOT_A_TITLE: Final = re.compile(
    r"^\W*(?:pdf|paper|code|link|arxiv|project|page|website|demo|dataset|data|blog|video|slides|openreview|doi|html"
    r"|abs|bib(?:tex)?|github|here|url|poster|model|supp\w*|top|back to top)(?:\s*(?:page|link|\d*))?\W*$",
    re.IGNORECASE,
)
_VENUE: Final = re.compile(
    r"\b([A-Z][A-Za-z&/+]*(?:[ -][A-Z][A-Za-z&/+]*){0,6})[ ,]*['’]?(20\d\d|19\d\d|(?<=['’])\d\d)\b"
)


def fields_of(text: str) -> dict[str, str]:
    """Return what a list item (without its bullet) says of a paper; no title when it names none.

    >>> fields_of("**[On Oaks](https://example.org/oaks.pdf)** - Jane Doe, Rick Roe, *Forest 2031*")["title"]
    'On Oaks'
    """
    links = _links(text)
    tags = _TAGS.match(text)
    rest = text[tags.end() :] if tags and not _LINK.match(text) else text
    title, after = _title(rest.strip())
    if not title:
        return {}
    if _is_prose(after):
        return {"abstract": text.strip()}
    found = {"title": title}
    if url := next((url for name, url in links if url.startswith("http")), ""):
        found["url"] = url
    said = (tags.group() if tags else "") + " " + _LINK.sub("", _ANCHOR.sub("", after))
    if year := year_of(said):
        found["year"] = str(year)
    if venue := _VENUE.search(said):
        found["venue"] = venue.group(1)
    for piece in re.split(r"[.;]\s+|\s[-–—|]\s|[()\[\]]|\*|<br\s*/?>", said):
        if are_names(piece.strip(" ,.-–—:_")):
            found["authors"] = piece.strip(" ,.-–—:_")
            break
    return found


def _is_prose(after: str) -> bool:
    """Say whether a sentence goes on after what could be a title: "**PINE** prunes heads by entropy and ..."."""
    words = _LINK.sub("", after).split()
    return len(words) >= _MIN_PROSE and words[0][:1].islower() and words[0] not in ("by", "in", "at", "from")


def heading_fields(text: str) -> dict[str, str]:
    """Return what a heading says of a paper: all of it is the title, but for links and emphasis.

    >>> heading_fields("[On Oaks, Elms and Firs](https://example.org/1)")
    {'title': 'On Oaks, Elms and Firs', 'url': 'https://example.org/1'}
    """
    words, url = cell_fields(text)
    found = {"title": _clean(words)}
    return {**found, "url": url} if url else found


def _links(text: str) -> list[tuple[str, str]]:
    links = [(found.group(1), found.group(2)) for found in _LINK.finditer(text)]
    return links + [(found.group(2), found.group(1)) for found in _ANCHOR.finditer(text)]


def _title(text: str) -> tuple[str, str]:
    """Return the title in front of a text, and what follows it."""
    bare = text.lstrip("*_ ")
    link = _LINK.match(bare) or _ANCHOR.match(bare)
    if link:
        name = link.group(1) if link.re is _LINK else link.group(2)
        url = link.group(2) if link.re is _LINK else link.group(1)
        if url.startswith("#"):
            return "", ""
        if not _NOT_A_TITLE.match(name):
            return _clean(name), bare[link.end() :]
    for pattern in (_BOLD, _QUOTED, _PLAIN):
        found = pattern.match(text)
        if found and not _NOT_A_TITLE.match(inner := found.group(1)):
            linked = _LINK.match(inner)
            return _clean(linked.group(1) if linked else inner), text[found.end(1) :].lstrip('*_"” ')
    return "", ""


def _clean(title: str) -> str:
    title = _without_emphasis(title.strip().rstrip(":"))
    return title if title.endswith("...") else title.removesuffix(".")


def _without_emphasis(text: str) -> str:
    text = text.strip()
    for mark in ("**", "__", "*", "_"):
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark):
            text = text[len(mark) : -len(mark)].strip()
    return text


def cell_fields(text: str) -> tuple[str, str]:
    """Return the words of a table cell and the address it links to.

    >>> cell_fields("[**On Oaks**](https://example.org/1)")
    ('On Oaks', 'https://example.org/1')
    """
    links = _links(text)
    words = _ANCHOR.sub(lambda found: found.group(2), _LINK.sub(lambda found: found.group(1), text))
    return _without_emphasis(words.replace("<br>", " ")), next((url for _, url in links if url.startswith("http")), "")
