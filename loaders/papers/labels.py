"""List numbers and labels ("Title:", "Abstract --") at the beginning of lines, in several languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

#: What labels name that no paper has a place for.
OTHER: Final = "other"

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
    "venue": ["venue", "journal", "journal-ref", "conference", "booktitle", "source", "revue", "期刊", "会议", "来源"],
    "url": ["url", "link", "pdf", "paper url", "website", "链接"],
    "doi": ["doi"],
    "arxiv_id": ["arxiv", "arxiv id"],
    "id": ["id", "paper id", "编号"],
    OTHER: [
        *("categories", "comments", "subjects", "report-no", "report number", "msc-class", "acm-class", "license"),
        *("affiliation", "affiliations", "contact", "code", "github", "session", "track", "decision", "area"),
        *("primary area", "tl;dr", "tldr", "submission number", "pages", "publisher", "issn", "volume", "单位", "基金"),
    ],
}
_FIELD_OF: Final = {word: field for field, words in _LABELS.items() for word in words}
_WORDS: Final = "|".join(re.escape(word) for word in sorted(_FIELD_OF, key=len, reverse=True))
_ABSTRACT: Final = "|".join(map(re.escape, _LABELS["abstract"] + _LABELS["keywords"]))
_MARKS: Final = r"[*_\[【]*"
_END_MARKS: Final = r"[*_\]】]*"
#: "Title: ...", "Authors (3): ...", "**Abstract.** ...", "ABSTRACT--We ...", "[摘要] ...", "Abstract" on a line.
_LABEL: Final = re.compile(
    rf"^\s*(?:#{{1,6}}\s+|[-*+]\s+)?{_MARKS}(?:"
    rf"({_WORDS}){_END_MARKS}(?:\s?\([^()]{{1,20}}\))?\s*[:：][*_]*\s*"
    rf"|({_ABSTRACT}){_END_MARKS}(?:\s*(?:[—–]|--+)[*_]*\s*|[.](?=[\s*])[*_]*\s*|】\s*|[.:：]?{_END_MARKS}\s*$))",
    re.IGNORECASE,
)
#: What may stand within a paragraph whose first line has no label.
_WITHIN: Final = frozenset({"title", "abstract", "authors", "keywords"})


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


def labels_of(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Return the label of each line of a paragraph.

    Under a line without one only a few labels count, and only with a capital: "source: ..." is then a sentence that
    was wrapped.

    >>> labels_of(["We open the", "source: it helps."]), labels_of(["Title: On oaks", "source: Forests"])
    ([('', 0), ('', 0)], [('title', 7), ('venue', 8)])
    """
    labels = [label_of(text) for text in texts]
    if labels and labels[0][0]:
        return labels
    return [
        label if label[0] in _WITHIN and not text.lstrip(" *_#[")[:1].islower() else ("", 0)
        for label, text in zip(labels, texts, strict=True)
    ]
