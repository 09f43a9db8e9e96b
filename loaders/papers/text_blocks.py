"""Plain text cut into blocks between blank lines, and what the first words of a line say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from loaders.papers.decoding import Line

Block = list[Line]

#: More lines than any record has: such a block is read one line at a time.
_MAX_BLOCK_LINES: Final = 20_000
_TITLE_CHARS: Final = 200
_LONG_CHARS: Final = 250

_RULE: Final = re.compile(r"^\s*([-=*_~#+.])(?:\s*\1){2,}\s*$")
_NUMBER: Final = re.compile(
    r"^\s*(?:#{1,6}\s+)?(?:\*\*)?(?:\[\d{1,6}\][.:]?\s+|\(\d{1,6}\)\s+|(?:no\.?\s*|paper\s*(?:id\s*)?|abstract\s+)?#?\s?\d{1,6}"
    r"\s?[.):、．]+(?:\*\*)?\s+|\d{1,6}\s*、\s*|#\d{1,6}\s+|\d{1,6}\s*/\s*\d{1,6}\s+|第\s*\d+\s*[篇条]\s*[:：.、]?\s*|[•‣◦●▪*+–-]\s+)",
    re.IGNORECASE,
)
_NUMBER_ALONE: Final = re.compile(r"^\s*(?:page\s+|paper\s+)?[\[(#]{0,2}\d{1,6}[\])]?[.:)]?\s*$", re.IGNORECASE)
_TERMINAL: Final = re.compile(r"[.!;:…。！；：]['\"”’)\]*_]*\s*$")
_STOP: Final = re.compile(r"[.!?。！？]['\"”’)\]*_$]*\s*$")

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

_NAME_WORD: Final = r"(?:[A-ZÀ-Þ][\w.'’-]*|d[aeiou]s?|v[ao]n|der|la|le|bin|al)"
_NAME: Final = rf"{_NAME_WORD}(?:[ -]{_NAME_WORD}){{1,4}}\d{{0,2}}[*†‡]?"
_NAMES: Final = re.compile(rf"^{_NAME}(?:(?:,| and|, and| &|;) {_NAME})+,?(?: et al\.?)?$")


def are_names(text: str) -> bool:
    """Say whether a line holds two or more names of people and nothing else.

    >>> are_names("Jane Doe, Rick van Roe and Ann Poe"), are_names("Learning to See, Hear and Speak")
    (True, False)
    """
    return bool(_NAMES.match(text))


def blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """Group lines into blocks: a blank line, a rule (---) or a page break after a full stop ends one."""
    block: Block = []
    for line in lines:
        parted = "\f" in line.text[:1] and bool(block) and bool(_STOP.search(block[-1].text))
        if parted or not line.text.strip() or _RULE.match(line.text) or len(block) >= _MAX_BLOCK_LINES:
            if block:
                yield block
            block = []
        if line.text.strip() and not _RULE.match(line.text) and not (not block and is_number(line.text)):
            block.append(line)
    if block:
        yield block


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


def is_short(block: Block) -> bool:
    """Say whether a block could be a title or a heading: short, and not ended as a sentence is."""
    text = text_of(block)
    limit = _TITLE_CHARS if text.isascii() or len(text.encode()) < 2 * len(text) else _TITLE_CHARS // 3
    return len(block) <= 3 and len(text) <= limit and not _TERMINAL.search(text)


def is_long_line(text: str) -> bool:
    """Say whether one line holds a whole abstract."""
    return len(text.strip()) >= _LONG_CHARS and bool(_STOP.search(text))


def text_of(block: Block) -> str:
    """Return a block's text as it stands in the file, without white space at its ends."""
    return "".join(line.text for line in block).strip()


def starts_with_title(block: Block) -> bool:
    """Say whether a block's first line was ended on purpose: the next word would have fitted in."""
    if len(block) < 2:
        return False
    first, second = block[0].text.strip(), block[1].text.strip()
    if len(first) > _TITLE_CHARS or _TERMINAL.search(first):
        return False
    width = max(len(line.text.strip()) for line in block[1:])
    next_word = second.split(maxsplit=1)[0]
    begins = second[:1].isupper() or not second[:1].isalpha() or second[:1] > "\u2e7f"
    return begins and len(first) + 1 + len(next_word) <= 0.9 * width


def split_run(block: Block) -> list[Block]:
    """Part a block in which every line is a record, or every two are (title, abstract)."""
    if len(block) < 2 or any(label_of(line.text)[0] for line in block):
        return [block]
    kinds = "".join("L" if is_long_line(line.text) else "S" if is_short([line]) else "?" for line in block)
    if set(kinds) == {"L"}:
        return [[line] for line in block]
    if len(kinds) > 2 and kinds == "SL" * (len(kinds) // 2):
        return [block[start : start + 2] for start in range(0, len(block), 2)]
    return [block]
