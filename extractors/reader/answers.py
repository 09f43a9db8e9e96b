"""What a number belongs to, as the reader's own pass over the text sees it.

The counted weights of ``extractors/ties.py`` see words and places; this network also sees what the sentences mean: the
number and all entities are marked in the reader's unit vectors, and every option is scored beside the number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log1p
from typing import TYPE_CHECKING, Final

import numpy as np

from extractors.linear import Floats
from extractors.questions import NOTHING, PHRASE, ROLES, SPOKEN_OF, Option, Question
from extractors.reader.labels import TYPES
from extractors.reader.units import Units

if TYPE_CHECKING:
    from extractors.reader.session import Session

KINDS: Final = (NOTHING, PHRASE, SPOKEN_OF, *TYPES)
MARKS: Final = 3 + 2 * len(TYPES)
"""Marks of a unit: of the number, of another result, first and later of an entity of each type, of an own entity."""
FEATURES: Final = len(KINDS) + 6
"""Features of an option: its kind, side and distance (2) of the number, introduced, words of its name, places."""
PLACES: Final = 6
"""Places of an option that are looked at."""
_NEAR = 6
_VALUE, _TOLD, TYPED, _OWN = 0, 1, 2, MARKS - 1
"""Columns of the marks; those of the types begin at TYPED."""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AnswerInput:
    """What the answer network is given for one number in a text of n units with O options for its three roles.

    Attributes:
        markers: Marks of the units, shape (n, MARKS).
        value: 1 at the number's units, shape (n,).
        places: First and last unit of each option's places, shape (O, PLACES, 2).
        present: Which of the places there are, shape (O, PLACES).
        features: Of each option, shape (O, FEATURES).
        counted: Log-odds of each option by the counted weights, 0 for the likeliest of its role, shape (O,).
        roles: Role of each option, 0 to 2, rising, shape (O,).
    """

    markers: Floats
    value: Floats
    places: np.ndarray
    present: np.ndarray
    features: Floats
    counted: Floats
    roles: np.ndarray


class Answers:
    """Scores answers with the unit vectors of a text's windows."""

    def __init__(self, session: Session, windows: Sequence[tuple[Units, np.ndarray]]) -> None:
        self._session, self._windows = session, windows

    def rescored(self, questions: Sequence[Question], counted: Sequence[Floats]) -> list[Floats]:
        """Return the log-odds of the options of one number's questions, one for each role, from the counted ones."""
        for units, x in self._windows:
            given = describe_number(questions, counted, units)
            if given:
                scores = self._session.answers(x, given)
                return [scores[given.roles == role] for role in range(len(ROLES))]
        return list(counted)


def describe_number(questions: Sequence[Question], counted: Sequence[Floats], units: Units) -> AnswerInput | None:
    """Return the network's input for the questions of one number, None where the units do not hold the number."""
    value = questions[0].value
    where = unit_range(units, value.start, value.end)
    if where is None:
        return None
    markers = np.zeros((len(units), MARKS), np.float32)
    _mark_entities(markers, questions[0], units)
    markers[where[0] : where[1] + 1, _VALUE] = 1
    for told in questions[0].values:
        other = unit_range(units, told.start, told.end) if told != value else None
        if other:
            markers[other[0] : other[1] + 1, _TOLD] = 1
    at_value = np.zeros(len(units), np.float32)
    at_value[where[0] : where[1] + 1] = 1
    options = [option for question in questions for option in question.options]
    places = np.zeros((len(options), PLACES, 2), np.int64)
    present = np.zeros((len(options), PLACES), bool)
    features = np.zeros((len(options), FEATURES), np.float32)
    for row, option in enumerate(options):
        ranges = list(_ranges(option, units))
        for column, place in enumerate(ranges):
            places[row, column], present[row, column] = place, True
        features[row] = _features(questions[0], option, ranges, where[0])
    roles = np.concatenate([np.full(len(q.options), role) for role, q in enumerate(questions)])
    level = np.concatenate([scores - scores.max() for scores in counted]).astype(np.float32)
    return AnswerInput(markers, at_value, places, present, features, level, roles)


def unit_range(units: Units, start: int, end: int) -> Range | None:
    """Return the first and last unit of ``text[start:end]``, None where the units do not reach it."""
    if not len(units) or start >= units.ends[-1] or end <= units.starts[0]:
        return None
    first = bisect_right(units.ends, start)
    return first, max(first, bisect_left(units.starts, end) - 1)


def _mark_entities(markers: Floats, question: Question, units: Units) -> None:
    for entity in question.scene.entities:
        column = TYPED + 2 * TYPES.index(entity.type)
        for mention in entity.mentions:
            place = unit_range(units, mention.start, mention.end)
            if place:
                first, last = place
                markers[first, column] = 1
                markers[first + 1 : last + 1, column + 1] = 1
                if entity.introduced:
                    markers[first : last + 1, _OWN] = 1


def _ranges(option: Option, units: Units) -> Iterator[Range]:
    for place in option.places[:PLACES]:
        found = unit_range(units, place.start, place.end)
        if found:
            yield found


def _features(question: Question, option: Option, ranges: Sequence[Range], value: int) -> Floats:
    features = np.zeros(FEATURES, np.float32)
    features[KINDS.index(option.kind)] = 1
    side, far, near, own, words, places = range(len(KINDS), FEATURES)
    if ranges:
        distance = min((place[0] - value for place in ranges), key=abs)
        features[side] = np.sign(distance)
        features[far] = log1p(abs(distance)) / 3
        features[near] = abs(distance) <= _NEAR
        features[places] = len(ranges) / 4
    features[own] = option.entity >= 0 and question.scene.entities[option.entity].introduced
    features[words] = len(option.name.split()) / 5
    return features
