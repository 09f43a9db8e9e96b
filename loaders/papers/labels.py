"""List numbers and labels ("Title:", "Abstract --") at the beginning of lines, in several languages."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(
    r"^\s*(?:#{1,6}\s+)?(?:\*\*)?(?:\[\d{1,6}\][.:]?\s+|\(\d{1,6}\)\s+|(?:no\.?\s*|paper\s*(?:id\s*)?|abstract\s+)?#?\s?\d{1,6}"
    r"\s?[.):、．]+(?:\*\*)?\s+|\d{1,6}\s*、\s*|#\d{1,6}\s+|\d{1,6}\s*/\s*\d{1,6}\s+|第\s*\d+\s*[篇条]\s*[:：.、]?\s*|[•‣◦●▪*+–-]\s+)",
    re.IGNORECASE,
)
_NUMBER_ALONE: Final = re.compile(r"^\s*(?:page\s+|paper\s+)?[\[(#]{0,2}\d{1,6}[\])]?[.:)]?\s*$", re.IGNORECASE)

_LABELS: Final = {
    "title": [
        "title",
        "paper title",
        "titre",
        "titel",
        "título",
        "titulo",
        "titolo",
        "标题",
        "题目",
        "题名",
        "论文标题",
        "название",
    ],
    "abstract": [
        "abstract",
        "summary",
        "résumé",
        "resume",
        "resumen",
        "resumo",
        "riassunto",
        "zusammenfassung",
        "kurzfassung",
        "摘要",
        "内容摘要",
        "аннотация",
        "要旨",
        "초록",
    ],
    "authors": ["authors", "author", "author(s)", "auteurs", "autoren", "autores", "autori", "作者"],
    "keywords": [
        "keywords",
        "key words",
        "keyword",
        "index terms",
        "mots-clés",
        "schlagwörter",
        "palabras clave",
        "关键词",
        "关键字",
    ],
    "year": ["year", "date", "published", "année", "jahr", "año", "年份", "日期"],
    "venue": ["venue", "journal", "conference", "booktitle", "source", "revue", "期刊", "会议", "来源"],
    "url": ["url", "link", "pdf", "paper url", "website", "链接"],
    "doi": ["doi"],
    "arxiv_id": ["arxiv", "arxiv id"],
    "id": ["id", "paper id", "编号"],
}
_FIELD_OF: Final = {word: field for field, words in _LABELS.items() for word in words}
_WORDS: Final = "|".join(re.escape(word) for word in sorted(_FIELD_OF, key=len, reverse=True))
#: "Title: ...", "**Abstract.** ...", "ABSTRACT--We ...", "[摘要] ...", or "Abstract" alone on its line.
_LABEL: Final = re.compile(
    rf"^\s*(?:#{{1,6}}\s+|[-*+]\s+)?[*_\[【]*({_WORDS})[*_\]】]*\s*(?:[:：][*_]*|[—–][*_]*|--+|[.](?=[\s*])[*_]*)\s*"
    rf"|^\s*(?:#{{1,6}}\s+)?[*_\[【]*(abstract|{'|'.join(_LABELS['abstract'])})[*_\]】:：.]*\s*$",
    re.IGNORECASE,
)


def is_number(text: str) -> bool:
    """Say whether a line holds only a page or list number."""
    return bool(_NUMBER_ALONE.match(text))


def after_number(text: str) -> int:
    """Return where a line's text begins after a list number or bullet.

    >>> after_number("12. On graphs"), after_number("3D scenes are hard"), after_number("[4] On trees")
    (4, 0, 4)
    """
    found = _NUMBER.match(text)
    return found.end() if found else 0


def label_of(text: str) -> tuple[str, int]:
    """Return which field a line's label names and where its value begins; ("", 0) without a label.

    >>> label_of("Abstract: We show"), label_of("Abstract reasoning is hard")
    (('abstract', 10), ('', 0))
    """
    found = _LABEL.match(text)
    if not found:
        return "", 0
    return _FIELD_OF[(found.group(1) or found.group(2)).casefold()], found.end()
