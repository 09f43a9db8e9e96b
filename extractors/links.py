r"""Web addresses of a paper, with their place in the raw text and what they lead to.

Read from the raw text, not the clean one: `\href{address}{words}` loses its address in cleaning.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from kg.types import Link, Span

_TOP_LEVEL = (
    "com|org|net|io|edu|gov|ai|co|dev|app|science|info|me|cc|uk|de|ch|fr|cn|jp|kr|in|eu|nl|se|it|at|ca|au|es|"
    "ly|gl|be|xyz|tech"
)
_BODY = r"(?:[^\s{}\\<>\"“”|^`\[\]]|\\[_%#&~$])"
#: An address with its scheme; the blanks are those that a broken line leaves in "https: //github. com/".
_WITH_SCHEME = rf"https?\s?:\s?//\s?(?:github\.\s(?=com/))?{_BODY}+"
_WITHOUT_SCHEME = (
    rf"(?<![\w@./-])(?:www\.|(?=(?:[a-z0-9-]+\.){{1,5}}(?:{_TOP_LEVEL})/\w)|(?=[\w-]+\.github\.io\b)){_BODY}+"
)
_ADDRESS = re.compile(f"{_WITH_SCHEME}|{_WITHOUT_SCHEME}", re.IGNORECASE)

#: What may follow the blank inside a broken address: the rest of it, up to the end of the clause.
_REST_OF_PATH = re.compile(r"\s(?=[\w.-]*/)[\w./~-]+|\s[\w-]+(?=[.,;)}\"]*(?:\s|\Z)(?![a-z]))")

_HOST_KINDS = (
    (re.compile(r"huggingface\.co/datasets|kaggle\.com|zenodo\.org|figshare|dataverse|physionet"), "data"),
    (
        re.compile(r"git(?:hub|lab)\.com|github\.com|bitbucket\.org|4open\.science|anon-github|codeocean|colab"),
        "code",
    ),
    (re.compile(r"youtu\.?be|vimeo\.com|arxiv\.org|doi\.org|openreview\.net"), "other"),
    (re.compile(r"\.github\.io|sites\.google\.com|\.gitlab\.io|\.netlify\.app"), "project"),
)
_WORD_KINDS = re.compile(
    r"(?P<code>\bcodes?\b|codebase|implementation|source|repository|software|librar(?:y|ies)|toolkit)"
    r"|(?P<data>\bdata\b|datasets?\b|benchmarks?\b|corp(?:us|ora)\b|collection)"
    r"|(?P<project>project|web ?site|web ?page|home ?page|demos?\b)",
    re.IGNORECASE,
)


def find_links(raw: str) -> tuple[Link, ...]:
    r"""Return the distinct addresses of a raw text in order, each where it first stands.

    Found are addresses with a scheme, those that begin with ``www.``, and those without scheme that have a
    path (``github.com/x/y``). Broken lines are mended where the address cannot end at the break.

    >>> [(link.url, link.kind) for link in find_links(r"Code: \url{https://github.com/a/b}.")]
    [('https://github.com/a/b', 'code')]
    """
    links: dict[str, Link] = {}
    for span in find_addresses(raw):
        url = _address(raw[span.start : span.end])
        links.setdefault(_key(url), Link(url, _kind(url, raw, span), span))
    return tuple(links.values())


def find_addresses(text: str) -> tuple[Span, ...]:
    """Return where addresses stand in a text, raw or clean, in order.

    >>> find_addresses("See https://a.org/b for more.")
    (Span(start=4, end=19),)
    """
    return tuple(_spans(text))


def _spans(raw: str) -> Iterator[Span]:
    """Yield where addresses stand, without the punctuation after them."""
    for match in _ADDRESS.finditer(raw):
        start, end = match.span()
        end = _end_of_first(raw, start, end)
        rest = _REST_OF_PATH.match(raw, end) if _is_broken(raw[start:end]) else None
        end = _without_tail(raw, start, rest.end() if rest else end)
        if re.search(r"\w\.\s?\w", raw[start:end]):
            yield Span(start, end)


def _end_of_first(raw: str, start: int, end: int) -> int:
    """Return where the first of several glued addresses ends (`https://a.b/chttps://a.b/c`)."""
    address = raw[start:end]
    host = re.match(r"(?:https?\s?:\s?//\s?)?([\w.-]+\.\w+/)", address, re.IGNORECASE)
    again = re.search(r"https?:/", address[4:], re.IGNORECASE)
    ends = [again.start() + 4] if again else []
    if host and host[1] in address[host.end() :]:
        ends.append(address.index(host[1], host.end()))
    return start + min(ends, default=len(address))


def _is_broken(address: str) -> bool:
    """Say whether an address stops where few do: after `_`, at the slash of a host or of a GitHub owner."""
    path = re.sub(r"^https?\s?:\s?//\s?", "", address, flags=re.IGNORECASE)
    return path.endswith("_") or (path.endswith("/") and path.count("/") <= (2 if "github.com" in path else 1))


def _without_tail(raw: str, start: int, end: int) -> int:
    """Return the end without closing punctuation; a bracket stays when it was opened inside."""
    while end > start:
        last = raw[end - 1]
        opened = {")": "(", "]": "["}.get(last)
        if opened and raw.count(opened, start, end) >= raw.count(last, start, end):
            return end
        if not opened and last not in ".,;:!?'\"’”*_$\\":
            return end
        end -= 1
    return end


def _address(text: str) -> str:
    """Return the address itself: blanks of broken lines and LaTeX escapes gone."""
    url = html.unescape(re.sub(r"\s+|\\", "", text))
    return url if re.match(r"https?://", url, re.IGNORECASE) else f"https://{url}"


def _key(url: str) -> str:
    return re.sub(r"^https?://", "", url).rstrip("/.").casefold()


def _kind(url: str, raw: str, span: Span) -> str:
    """Return code, data, project or other: by the host, else by the nearest telling word before it."""
    by_words = _kind_by_words(raw, span)
    by_host = next((kind for pattern, kind in _HOST_KINDS if pattern.search(url.casefold())), "")
    if by_host == "code" and by_words == "data":
        return "data"
    return by_host or by_words or "other"


def _kind_by_words(raw: str, span: Span) -> str:
    """Return what the sentence before the address speaks of: code if it names any, else its last kind."""
    before = re.split(r"[.!?]\s", raw[max(0, span.start - 160) : span.start])[-1]
    kinds = [match.lastgroup or "" for match in _WORD_KINDS.finditer(before)]
    return "code" if "code" in kinds else (kinds or [""])[-1]
