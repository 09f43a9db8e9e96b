"""The rules that take mark-up out of a title and abstract, in the order in which they run.

Half of a pair is treated as the pair where it can only be mark-up (`}`, `**`), and left alone where it may be
text: "CIFAR-10 & 50% better, $5 and $6", "A* search" and "snake_case" stay as they are.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from extractors.edits import NEXT, PREVIOUS, Edit, Match, Rule, replace, unwrap
from extractors.latex import ACCENTS, CITES, GLUED, LOOKS, ROOM, SIGNS, words


def _compose(text: str) -> Iterator[Edit]:
    """Yield NFC for each letter with its accents."""
    if unicodedata.is_normalized("NFC", text):
        return
    for run in re.finditer(r"[\x00-\x7f]?[^\x00-\x7f]+", text):
        if unicodedata.is_normalized("NFC", run.group()):
            continue
        bounds = [i for i in range(run.start(), run.end()) if i == run.start() or not _joins_backwards(text[i])]
        for start, end in pairwise((*bounds, run.end())):
            composed = unicodedata.normalize("NFC", text[start:end])
            if composed != text[start:end]:
                yield Edit(start, end, composed)


def _joins_backwards(char: str) -> bool:
    """Say whether NFC may merge this character into the one before: a mark, or a Hangul vowel or final."""
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"


#: Words that keep their hyphen at a line's end, for they are whole words or prefixes that take one.
_FIRST_HALF = frozenset(
    words(
        """multi self non semi cross few zero one two three held hand well long short high low large small
        fine end real open data task model domain human time text image graph encoder decoder vision
        language off on plug state first second higher lower weakly fully user item token instance pixel
        object"""
    )
)
_SECOND_HALF = re.compile(
    r"(?:based|driven|aware|free|specific|level|of|to|the|art|wise|shot|agnostic|guided|efficient|world)\b"
)


def _join_lines(text: str) -> Iterator[Edit]:
    """Yield the joining of words broken at a line's end; compounds and names (GPT-4) keep their hyphen."""
    for match in re.finditer(r"(?<=\w)-[^\S\n]*\n[^\S\n]*(?=\w)", text):
        word = re.search(r"[\w-]*\Z", text[max(0, match.start() - 40) : match.start()])
        before = word.group() if word else ""
        after = text[match.end() : match.end() + 20]
        keeps = not _is_one_word(before, after)
        yield Edit(match.start() + keeps, match.end(), claimed_by=PREVIOUS)


def _is_one_word(before: str, after: str) -> bool:
    if not before.islower() or "-" in before or not after[0].islower():
        return False
    return before not in _FIRST_HALF and not _SECOND_HALF.match(after)


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
            return SIGNS.get(rest, rest) if len(rest) > 1 else rest
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

_ENTITIES = replace(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});", lambda m: html.unescape(m.group())
)

_CHARACTERS: tuple[Rule, ...] = (
    _compose,
    replace("[ﬀﬁﬂﬃﬄﬅﬆ]", lambda m: unicodedata.normalize("NFKC", m.group())),
    replace(
        "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\x00-\x08\x0e-\x1f\x7f]+",
        "",
        claimed_by=PREVIOUS,
    ),
    _ENTITIES,
    _ENTITIES,
    replace(_BLOCKS, " ", flags=re.IGNORECASE),
    replace(rf"<(?:jats:|mml:)?(?:{_TAGS}){_ATTRIBUTES}>", "", claimed_by=NEXT, flags=re.IGNORECASE),
    replace(rf"</(?:jats:|mml:)?(?:{_TAGS})\s*>", "", claimed_by=PREVIOUS, flags=re.IGNORECASE),
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
    # Exports double the backslash (`\\{`), and read the one of `\textit` with its t as a tab.
    replace(r"\\\\(?=[A-Za-z{}%_&$#])", "\\"),
    replace(rf"\\(?:[dtc]|nice)?frac\s*\{{({_NESTED})\}}\s*(?=\{{)", _fraction),
    replace(r"(?<![A-Za-z])\\?href\s*\{[^{}]*\}\s*\{", "", claimed_by=NEXT),
    replace(r"(?<![A-Za-z\\])ext(?:it|bf|tt|sc|rm|sf)\{", "", claimed_by=NEXT),
    replace(r"\\(?:begin|end)\s*\{[^{}]*\}|\\(?:text)?color\s*\{[^{}]*\}", "", claimed_by=NEXT),
    replace(
        rf"(?:(?<=[^\s~])[\s~]+)?\\(?:{'|'.join(CITES)})\*?\s*(?:\[[^\[\]]*\]\s*)*\{{[^{{}}]*\}}",
        "",
        claimed_by=PREVIOUS,
    ),
    replace(r"\\(?:bf|it|em|rm|sf|sc|sl|tt|cal)\s+(?=\S)", "", claimed_by=NEXT),
    replace(rf"\\(?:{'|'.join(sorted(LOOKS, key=len, reverse=True))})\*?\s*\{{", "", claimed_by=NEXT),
    replace(_LETTER_ACCENT, _accent),
    replace(_WORD_ACCENT, _accent),
    replace(r"\\([A-Za-z]+)( *)", _command, claimed_by=NEXT),
)

#: A set such as {cat, dog} is text; every other brace is mark-up, alone or in a pair.
_SET = r"(?<![\\\w^}])\{[^{},\\$]{1,80},[^{}\\$]{1,200}\}"
_INNER = r"((?:[^$\\]|\\.){0,400}?(?<=\S))"
_FORMULA = rf"(?<![\\$])\$(?=[^\s$\d]){_INNER}\$(?!\$)"
_NUMBER = rf"(?<![\\$])\$(?=\d){_INNER}\$(?![\d$])"
_PADDED_FORMULA = r"(?<![\\$])\$\s+([A-Za-z]|[^$\n]{0,200}?[\\^_=<>~∼≤≥≈→∈α-ωΑ-Ω][^$\n]{0,200}?)\s*\$(?!\d)"

_BRACES_AND_DOLLARS: tuple[Rule, ...] = (
    replace(rf"{_SET}|(?<!\\)\{{", lambda m: "" if len(m.group()) == 1 else None, claimed_by=NEXT),
    replace(rf"{_SET}|(?<!\\)\}}", lambda m: "" if len(m.group()) == 1 else None, claimed_by=PREVIOUS),
    replace(r"(?<!\\)\$\$(?=\S)", "", claimed_by=NEXT),
    unwrap(_FORMULA),
    unwrap(_NUMBER),
    unwrap(_PADDED_FORMULA),
    # One dollar is half a formula beside letters; beside a number or after a blank it is money.
    replace(r"(?<![\w\\$])\$(?=[A-Za-z\\])", "", claimed_by=NEXT),
    replace(r"(?<=[a-z)}])\$(?=[\s.,;:)]|\Z)", "", claimed_by=PREVIOUS),
    replace(r"(?:(?<=[A-Za-z]{2})|(?<=[.,)\]]))~(?=[\w\\(\[])", " "),
    replace(r"\\([%&$#_{}|])", lambda m: m[1]),
    replace(r"\\[,!/()\[\]-]", "", claimed_by=NEXT),
    replace(r"\\[;: ]|\\\\(?=\s|\Z)", " "),
    replace(r"\\(?=[\"'])", "", claimed_by=NEXT),
)

_MARKDOWN: tuple[Rule, ...] = (
    unwrap(r"!?\[([^\[\]]{1,300})\]\((?:https?://|www\.)?[^\s()]+\)"),
    replace(r"```|(?m:^)#{1,6}\s+(?=\S)", "", claimed_by=NEXT),
    replace(r"``", '"'),
    replace(r"(?<![\w'])''(?=\w)", '"'),
    replace(r"(?<=[\w.,;:!?)%])''(?=[\s.,;:!?)\]—–-]|\Z)", '"'),
    replace(r"(?<![\w*])\*\*+(?=[^\s*])", "", claimed_by=NEXT),
    replace(r"(?<=[^\s*])\*\*+(?!\d)", "", claimed_by=PREVIOUS),
    # One star before a word, or after a word of small letters, is half an emphasis; A* and O*(n) are names.
    unwrap(r"(?<![\w*\\^_)])\*(?=[^\s*])([^*\n]{0,200}?(?<=[^\s*]))\*(?![\w*])"),
    replace(r"(?<![\w*\\^_)+/.-])\*(?=[A-Za-z])", "", claimed_by=NEXT),
    replace(r"(?<=[a-z]{3})\*(?=[\s.,;:]|\Z)", "", claimed_by=PREVIOUS),
    unwrap(r"(?<![\w\\$^/.])_(?=[^\s_])([^_\n]{0,200}?(?<=[^\s_]))_(?!\w)"),
    replace(r"(?<!\S)_(?=[A-Za-z])", "", claimed_by=NEXT),
    replace(r"(?<=[a-z]{3})_(?=[\s.,;:]|\Z)", "", claimed_by=PREVIOUS),
    replace(r"(?<![\w`])`(?=[^`'’\n]{1,100}['’])", "'"),
    unwrap(r"`([^`\n]{1,200})`"),
)


def _spaces(match: Match) -> str:
    return "\n\n" if match.group().count("\n") > 1 else " "


_WHITE_SPACE: tuple[Rule, ...] = (
    replace(r"\r\n?", "\n"),
    replace(r"\s+", _spaces),
    replace(r"\A\s+|\s+\Z", ""),
)


def _only_with(sign: str, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return the rules made to pass over texts that lack all the signs."""
    return tuple(_guard(re.compile(sign), rule) for rule in rules)


def _guard(sign: re.Pattern[str], rule: Rule) -> Rule:
    return lambda text: rule(text) if sign.search(text) else ()


RULES: tuple[Rule, ...] = (
    *_CHARACTERS,
    *_only_with(r"[\\{]", _LATEX),
    *_only_with(r"[\\{}$~]", _BRACES_AND_DOLLARS),
    *_MARKDOWN,
    *_WHITE_SPACE,
)
