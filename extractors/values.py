"""Numbers in a text that may be results, and what stands around them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from extractors.scene import Scene
from kg.types import Span

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_UNIT = (
    r"(?:\s?%|\s?‰|\s?×|\s?\\times\b|\s?[xX](?![A-Za-z])|-?\s?fold\b|\s(?:times|percent|percentage)\b|"
    r"\s?(?:ms|mm|cm|km|m|s|h|Hz|kHz|FPS|fps|dB|GB|MB|KB|TB|K|M|B|k|min|W|J|N)\b)"
)
_SIGN = r"[+−±↑↓~∼≈<>≥≤-]\s?"
_VALUE = rf"(?:{_SIGN})?{_NUMBER}{_UNIT}?"
_RANGE = rf"{_VALUE}\s?(?:-|–|—|−|~|∼|to|/|out of|of|±)\s?(?:{_SIGN})?{_NUMBER}{_UNIT}?"
_HEDGE = r"(?:approximately|approx\.|approximate)\s+"
_TIMES = r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|a hundred|a thousand) times\b"
_BOUND = r"[OΩΘÕ][̃~*]?\((?:[^()]|\((?:[^()]|\([^()]{0,40}\)){0,60}\)){1,100}\)"
_BEFORE, _BEHIND = rf"(?<![\w.,])(?<![\w]-)(?:{_HEDGE})?", r"(?![\w]|-\w|[.,]\d)"
_PATTERNS = (
    re.compile(_BEFORE + _VALUE + _BEHIND),
    re.compile(_BEFORE + _RANGE + _BEHIND),
    re.compile(_BOUND),
    re.compile(_TIMES, re.IGNORECASE),
)
#: A sentence with more numbers than this is a table, and its numbers are no claims.
MOST_NUMBERS = 40
_PLAIN_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its unit at ``text[start:end]``: words ``[first, last)`` of a sentence."""

    text: str
    start: int
    end: int
    sentence: int
    first: int
    last: int
    is_range: bool


def find_values(scene: Scene) -> list[list[Value]]:
    """Return for each sentence that has any its numbers with sign and unit, and ranges, in order.

    They may overlap: "from 2% to 5%" is two numbers and a range.
    """
    groups = (_values_of(scene, number) for number in range(len(scene.words)))
    return [group for group in groups if 0 < len(group) <= MOST_NUMBERS]


def _values_of(scene: Scene, number: int) -> list[Value]:
    found: dict[Span, Value] = {}
    starts = [word.start for word in scene.words[number]]
    ends = [word.end for word in scene.words[number]]
    for pattern in _PATTERNS:
        for match in pattern.finditer(scene.page.clean.text, *scene.page.sentences[number]):
            if pattern is _PATTERNS[2] and not any(map(str.isdigit, match.group())):
                continue
            start, end = match.span()
            first, last = bisect_left(ends, start + 1), bisect_left(starts, end)
            value = Value(match.group(), start, end, number, first, max(last, first + 1), pattern is _PATTERNS[1])
            found.setdefault(Span(start, end), value)
    return sorted(found.values(), key=lambda value: (value.start, value.end))


def unit_of(value: str) -> str:
    """Return the unit of a number as written, "" for none.

    >>> unit_of("96.5%"), unit_of("3 times"), unit_of("12")
    ('%', 'times', '')
    """
    match = re.search(r"[^\d\s.,]+$", value.strip())
    return match.group().lower() if match else ""


def value_features(scene: Scene, value: Value, values: list[Value]) -> Iterator[str]:
    """Describe one of the ``values`` of a sentence: its form, the words around it and the entities beside it."""
    unit = unit_of(value.text) if not value.text.startswith(("O", "Ω", "Θ", "Õ")) else "bound"
    yield from _form(value, unit)
    words = [scene.word(value.sentence, value.first - k) for k in range(1, 8)]
    after = [scene.word(value.sentence, value.last + k) for k in range(0, 8)]
    for k in (0, 1, 2):
        yield f"l{k}={_plain(words[k])}"
        yield f"r{k}={_plain(after[k])}"
    yield f"l01={_plain(words[1])} {_plain(words[0])}"
    yield f"r01={_plain(after[0])} {_plain(after[1])}"
    yield f"lr={_plain(words[0])}|{unit}|{_plain(after[0])}"
    yield f"lu={_plain(words[0])}|{unit}"
    yield f"ru={unit}|{_plain(after[0])}"
    for word in words:
        yield f"left={_plain(word)}"
    for word in after:
        yield f"right={_plain(word)}"
    yield from _sentence(scene, value, values, unit)


def _form(value: Value, unit: str) -> Iterator[str]:
    yield f"unit={unit}"
    yield f"range={value.is_range}|{unit}"
    yield f"decimal={'.' in value.text}|{unit}"
    yield f"sign={value.text[0] if not value.text[0].isalnum() else ''}|{unit}"
    digits = re.sub(r"\D", "", value.text)
    yield f"digits={min(len(digits), 5)}|{unit}"
    if _PLAIN_YEAR.fullmatch(value.text):
        yield "year"
    if unit == "":
        yield f"small={value.text if len(value.text) == 1 else ''}"


def _sentence(scene: Scene, value: Value, values: list[Value], unit: str) -> Iterator[str]:
    for cue in scene.cues[value.sentence]:
        yield f"cue={cue}|{bool(unit)}"
    for word in {word.lower for word in scene.words[value.sentence]}:
        yield f"has={_plain(word)}"
    where = value.sentence * 5 // max(len(scene.words), 1)
    yield f"where={where}|{unit}"
    yield f"title={scene.has_title and value.sentence == 0}"
    present = {
        f"{entity.type}{int(entity.introduced)}"
        for entity, places in zip(scene.entities, scene.places, strict=True)
        if any(place.sentence == value.sentence for place in places)
    }
    for name in present:
        yield f"present={name}|{bool(unit)}"
    inside = any(
        place.sentence == value.sentence and place.start <= value.start < place.end
        for places in scene.places
        for place in places
    )
    yield f"inside={inside}"
    yield f"others={min(len(values), 6)}|{unit}"
    overlaps = any(o is not value and o.start < value.end and value.start < o.end for o in values)
    yield f"overlaps={overlaps}|{value.is_range}|{unit}|{scene.word(value.sentence, value.first - 1)}"


def _plain(word: str) -> str:
    return "0" if any(map(str.isdigit, word)) else word
