r"""Raw text to clean text: mark-up, entities and broken lines go, and every character knows where it stood.

A rule reads the text and yields edits; edits never overlap. What an edit deletes is claimed by the character next
to it, so that the raw span of a marked word holds its marks (`\textbf{FLAG}` for "FLAG") and a raw slice, cleaned
again, gives the same text. This holds for spans of whole words. It fails where a span starts inside an `*emphasis
of several words*` or a `$formula with blanks$` and ends beyond it: its raw slice holds one mark without the other.

Half of a pair is treated as the pair where it can only be mark-up (`}`, `**`), and left alone where it may be
text: "CIFAR-10 & 50% better, $5 and $6", "A* search" and "snake_case" stay as they are.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from extractors.latex import ACCENTS, CITES, GLUED, LOOKS, ROOM, SIGNS
from kg.types import CleanText

NEXT, PREVIOUS = "next", "previous"


class Edit(NamedTuple):
    """Put ``new`` in place of ``[start, end)``; deleted characters are claimed by the ``next`` or ``previous`` one."""

    start: int
    end: int
    new: str = ""
    claimed_by: str = ""


Rule = Callable[[str], Iterable[Edit]]
Match = re.Match[str]


class _Draft:
    """A text on its way: its characters, and the raw span that each came from."""

    def __init__(self, text: str, starts: list[int], ends: list[int]) -> None:
        self.text, self.starts, self.ends = text, starts, ends

    def edited(self, edits: Iterable[Edit]) -> _Draft:
        """Return a draft with the edits made; they are in order and do not overlap."""
        edits = list(edits)
        if not edits:
            return self
        copy = _Copy(self)
        for edit in edits:
            copy.keep(until=edit.start)
            copy.put(edit)
        copy.keep(until=len(self.text))
        return _Draft("".join(copy.parts), copy.starts, copy.ends)


class _Copy:
    """The edited copy of a draft, as far as it is written."""

    def __init__(self, draft: _Draft) -> None:
        self.draft = draft
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.done = 0  # how much of the draft is copied or replaced
        self.claim: int | None = None  # the raw start of marks that the next character claims

    def keep(self, *, until: int) -> None:
        stay = slice(self.done, until)
        self._add(self.draft.text[stay], self.draft.starts[stay], self.draft.ends[stay])
        self.done = until

    def put(self, edit: Edit) -> None:
        start, end = self.draft.starts[edit.start], self.draft.ends[edit.end - 1]
        if edit.new:
            self._add(edit.new, [start] * len(edit.new), [end] * len(edit.new))
        elif edit.claimed_by == NEXT and self.claim is None:
            self.claim = start
        elif edit.claimed_by == PREVIOUS and self.claim is None and self.ends:
            self.ends[-1] = end
        self.done = edit.end

    def _add(self, text: str, starts: list[int], ends: list[int]) -> None:
        if text and self.claim is not None:
            starts = [self.claim, *starts[1:]]
            self.claim = None
        self.parts.append(text)
        self.starts += starts
        self.ends += ends


def clean(raw: str) -> CleanText:
    r"""Strip mark-up from a title and abstract and keep the way back to the raw text.

    Takes time linear in the length of ``raw`` and never raises. A blank line stays as one blank line, every other
    white space becomes one blank.

    >>> clean(r"\textbf{FLAG} is $\mathcal{O}(n)$ and 10-40\% better").text
    'FLAG is O(n) and 10-40% better'
    >>> cleaned = clean("the **N2M** module")
    >>> cleaned.raw[slice(*cleaned.raw_span(4, 7))]
    '**N2M**'
    """
    draft = _Draft(raw, list(range(len(raw))), list(range(1, len(raw) + 1)))
    for rule in _RULES:
        draft = draft.edited(rule(draft.text))
    return CleanText(raw, draft.text, tuple(draft.starts), tuple(draft.ends))


def _replace(
    pattern: str, new: str | Callable[[Match], str | None], *, claimed_by: str = "", flags: int = 0
) -> Rule:
    """Return a rule that puts ``new`` for every match; a function may answer None to leave the match alone."""
    compiled = re.compile(pattern, flags)

    def rule(text: str) -> Iterator[Edit]:
        for match in compiled.finditer(text):
            answer = new if isinstance(new, str) else new(match)
            if answer is not None and answer != match.group():
                yield Edit(match.start(), match.end(), answer, claimed_by)

    return rule


def _unwrap(pattern: str, *, flags: int = 0) -> Rule:
    """Return a rule that keeps the first group of every match and deletes the marks around it."""
    compiled = re.compile(pattern, flags)

    def rule(text: str) -> Iterator[Edit]:
        for match in compiled.finditer(text):
            yield Edit(match.start(), match.start(1), claimed_by=NEXT)
            yield Edit(match.end(1), match.end(), claimed_by=PREVIOUS)

    return rule


def _compose(text: str) -> Iterator[Edit]:
    """Yield NFC for each letter with its accents."""
    if unicodedata.is_normalized("NFC", text):
        return
    for run in re.finditer(r"[\x00-\x7f]?[^\x00-\x7f]+", text):
        if unicodedata.is_normalized("NFC", run.group()):
            continue
        bounds = [
            i for i in range(run.start(), run.end()) if i == run.start() or not _joins_backwards(text[i])
        ]
        for start, end in pairwise((*bounds, run.end())):
            composed = unicodedata.normalize("NFC", text[start:end])
            if composed != text[start:end]:
                yield Edit(start, end, composed)


def _joins_backwards(char: str) -> bool:
    """Say whether NFC may merge this character into the one before: a mark, or a Hangul vowel or final."""
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"


#: Words that keep their hyphen at a line's end, for they are whole words or prefixes that take one.
_FIRST_HALF = frozenset(
    """multi self non semi cross few zero one two three held hand well long short high low large small fine end real
    open data task model domain human time text image graph encoder decoder vision language off on plug state first
    second higher lower weakly fully user item token instance pixel object""".split()
)
_SECOND_HALF = re.compile(
    r"(?:based|driven|aware|free|specific|level|of|to|the|art|wise|shot|agnostic|guided|augmented|efficient|world)\b"
)


def _join_lines(text: str) -> Iterator[Edit]:
    """Yield the joining of words broken at a line's end; true compounds and names (GPT-4) keep their hyphen."""
    for match in re.finditer(r"(?<=\w)-[^\S\n]*\n[^\S\n]*(?=\w)", text):
        word = re.search(r"[\w-]*\Z", text[max(0, match.start() - 40) : match.start()])
        before = word.group() if word else ""
        after = text[match.end() : match.end() + 20]
        soft = before.islower() and "-" not in before and after[0].islower()
        if soft and before not in _FIRST_HALF and not _SECOND_HALF.match(after):
            yield Edit(match.start(), match.end(), claimed_by=PREVIOUS)
        else:
            yield Edit(match.start() + 1, match.end(), claimed_by=PREVIOUS)


def _fraction(match: Match) -> str:
    return f"{{{match[1]}}}/"


def _accent(match: Match) -> str:
    return match["brace"] + unicodedata.normalize("NFC", match["letter"] + ACCENTS[match["accent"]])


def _command(match: Match) -> str:
    r"""Return what a command stands for: a sign, room, nothing for mere looks, else its own name (`\log`)."""
    name, room = match[1], match[2]
    if name in LOOKS:
        return ""
    if name in ROOM:
        return " "
    return (SIGNS[name] if name in SIGNS else _unglue(name)) + room


def _unglue(name: str) -> str:
    if name.startswith("cite"):
        return ""
    for glued in GLUED:
        if name.startswith(glued):
            rest = name[len(glued) :]
            return SIGNS.get(rest, rest)
    for accent in ("widetilde", "tilde", "widehat", "hat"):
        if name.startswith(accent) and len(name) == len(accent) + 1:
            return unicodedata.normalize("NFC", name[-1] + ACCENTS[accent])
    return "√" + name[4:] if name.startswith("sqrt") else name


_TAGS = (
    "a|abbr|abstract|article-title|b|bold|br|code|div|em|font|h[1-6]|i|img|inline-formula|italic|li|ol|p|pre|sc|sec|"
    "small|span|strike|strong|sub|sup|table|tbody|td|th|title|tr|tt|u|ul|xref"
)
_BLOCKS = r"</?(?:jats:|mml:)?(?:br|div|p|li|ul|ol|td|tr|th|sec|title|h[1-6]|abstract)(?:\s[^<>]*)?/?>"
_ATTRIBUTES = r"(?:\s+[\w:-]+\s*=[^<>]*)?\s*/?"

_ENTITIES = _replace(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});", lambda m: html.unescape(m.group())
)

_CHARACTERS: tuple[Rule, ...] = (
    _compose,
    _replace("[ﬀﬁﬂﬃﬄﬅﬆ]", lambda m: unicodedata.normalize("NFKC", m.group())),
    _replace(
        "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\x00-\x08\x0e-\x1f\x7f]+",
        "",
        claimed_by=PREVIOUS,
    ),
    _ENTITIES,
    _ENTITIES,
    _replace(_BLOCKS, " ", flags=re.IGNORECASE),
    _replace(rf"<(?:jats:|mml:)?(?:{_TAGS}){_ATTRIBUTES}>", "", claimed_by=NEXT, flags=re.IGNORECASE),
    _replace(rf"</(?:jats:|mml:)?(?:{_TAGS})\s*>", "", claimed_by=PREVIOUS, flags=re.IGNORECASE),
    _join_lines,
)

_LETTER_ACCENT = r"\\(?P<accent>['`^~=]|(?<=[\w{]\\)\")(?P<brace>\{?)\\?(?P<letter>[A-Za-z])"
_WORD_ACCENT = (
    r"\\(?P<accent>(?:wide)?(?:tilde|hat)|Tilde|bar|vec|d?dot|check|breve|[cvuHkr](?=\{))"
    r"(?P<brace>[\s{]*)(?P<letter>[A-Za-z])(?![A-Za-z])"
)

#: What braces may hold: braces of braces at most.
_NESTED = r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*+\})*+"

_LATEX: tuple[Rule, ...] = (
    _replace(r"\\\\(?=[A-Za-z{}%_&$#])", r"\\"[0]),
    _replace(rf"\\(?:[dtc]|nice)?frac\s*\{{({_NESTED})\}}\s*(?=\{{)", _fraction),
    _replace(r"(?<![A-Za-z])\\?href\s*\{[^{}]*\}\s*\{", "", claimed_by=NEXT),
    _replace(r"(?<![A-Za-z\\])ext(?:it|bf|tt|sc|rm|sf)\{", "", claimed_by=NEXT),
    _replace(r"\\(?:begin|end)\s*\{[^{}]*\}|\\(?:text)?color\s*\{[^{}]*\}", "", claimed_by=NEXT),
    _replace(
        rf"(?:(?<=[^\s~])[\s~]+)?\\(?:{CITES})\*?\s*(?:\[[^\[\]]*\]\s*)*\{{[^{{}}]*\}}",
        "",
        claimed_by=PREVIOUS,
    ),
    _replace(r"\\(?:bf|it|em|rm|sf|sc|sl|tt|cal)\s+(?=\S)", "", claimed_by=NEXT),
    _replace(rf"\\(?:{'|'.join(sorted(LOOKS, key=len, reverse=True))})\*?\s*\{{", "", claimed_by=NEXT),
    _replace(_LETTER_ACCENT, _accent),
    _replace(_WORD_ACCENT, _accent),
    _replace(r"\\([A-Za-z]+)( *)", _command, claimed_by=NEXT),
)

#: A set such as {cat, dog} is text; every other brace is mark-up, alone or in a pair.
_SET = r"(?<![\\\w^}])\{[^{},\\$]{1,80},[^{}\\$]{1,200}\}"
_INNER = r"((?:[^$\\]|\\.){0,400}?(?<=\S))"
_FORMULA = rf"(?<![\\$])\$(?=[^\s$\d]){_INNER}\$(?!\$)"
_NUMBER = rf"(?<![\\$])\$(?=\d){_INNER}\$(?![\d$])"
_PADDED_FORMULA = r"(?<![\\$])\$\s+([A-Za-z]|[^$\n]{0,200}?[\\^_=<>~∼≤≥≈→∈α-ωΑ-Ω][^$\n]{0,200}?)\s*\$(?!\d)"

_BRACES_AND_DOLLARS: tuple[Rule, ...] = (
    _replace(rf"{_SET}|(?<!\\)\{{", lambda m: "" if len(m.group()) == 1 else None, claimed_by=NEXT),
    _replace(rf"{_SET}|(?<!\\)\}}", lambda m: "" if len(m.group()) == 1 else None, claimed_by=PREVIOUS),
    _replace(r"(?<!\\)\$\$(?=\S)", "", claimed_by=NEXT),
    _unwrap(_FORMULA),
    _unwrap(_NUMBER),
    _unwrap(_PADDED_FORMULA),
    _replace(r"(?<![\w\\$])\$(?=[A-Za-z\\])", "", claimed_by=NEXT),
    _replace(r"(?<=[a-z)}])\$(?=[\s.,;:)]|\Z)", "", claimed_by=PREVIOUS),
    _replace(r"(?:(?<=[A-Za-z]{2})|(?<=[.,)\]]))~(?=[\w\\(\[])", " "),
    _replace(r"\\([%&$#_{}|])", lambda m: m[1]),
    _replace(r"\\[,!/()\[\]-]", "", claimed_by=NEXT),
    _replace(r"\\[;: ]|\\\\(?=\s|\Z)", " "),
    _replace(r"\\(?=[\"'])", "", claimed_by=NEXT),
)

_MARKDOWN: tuple[Rule, ...] = (
    _replace(r"!?\[([^\[\]]{1,300})\]\((?:https?://|www\.)?[^\s()]+\)", lambda m: m[1]),
    _replace(r"```|(?<!\S)#{1,6}\s+(?=\S)", "", claimed_by=NEXT),
    _replace(r"``", '"'),
    _replace(r"(?<![\w'])''(?=\w)", '"'),
    _replace(r"(?<=[\w.,;:!?)%])''(?=[\s.,;:!?)\]—–-]|\Z)", '"'),
    _replace(r"(?<![\w*])\*\*+(?=[^\s*])", "", claimed_by=NEXT),
    _replace(r"(?<=[^\s*])\*\*+(?!\d)", "", claimed_by=PREVIOUS),
    _unwrap(r"(?<![\w*\\^_)])\*(?=[^\s*])([^*\n]{0,200}?(?<=[^\s*]))\*(?![\w*])"),
    _replace(r"(?<![\w*\\^_)+/.-])\*(?=[A-Za-z])", "", claimed_by=NEXT),
    _replace(r"(?<=[a-z]{3})\*(?=[\s.,;:]|\Z)", "", claimed_by=PREVIOUS),
    _unwrap(r"(?<![\w\\$^/.])_(?=[^\s_])([^_\n]{0,200}?(?<=[^\s_]))_(?!\w)"),
    _replace(r"(?<!\S)_(?=[A-Za-z])", "", claimed_by=NEXT),
    _replace(r"(?<=[a-z]{3})_(?=[\s.,;:]|\Z)", "", claimed_by=PREVIOUS),
    _replace(r"(?<![\w`])`(?=[^`'’\n]{1,100}['’])", "'"),
    _unwrap(r"`([^`\n]{1,200})`"),
)


def _spaces(match: Match) -> str:
    return "\n\n" if match.group().count("\n") > 1 else " "


_WHITE_SPACE: tuple[Rule, ...] = (
    _replace(r"\r\n?", "\n"),
    _replace(r"\s+", _spaces),
    _replace(r"\A\s+|\s+\Z", ""),
)


def _only_with(sign: str, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return the rules made to pass over texts that lack all the signs."""
    return tuple(_guard(re.compile(sign), rule) for rule in rules)


def _guard(sign: re.Pattern[str], rule: Rule) -> Rule:
    return lambda text: rule(text) if sign.search(text) else ()


_RULES: tuple[Rule, ...] = (
    *_CHARACTERS,
    *_only_with(r"[\\{]", _LATEX),
    *_only_with(r"[\\{}$~]", _BRACES_AND_DOLLARS),
    *_MARKDOWN,
    *_WHITE_SPACE,
)
