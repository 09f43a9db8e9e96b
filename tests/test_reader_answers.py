"""What a number belongs to by the reader's own pass: the network's input, and its say in results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from extractors.linear import Floats
from extractors.questions import NOTHING, ROLES, Question
from extractors.reader.answers import FEATURES, KINDS, MARKS, PLACES, TYPED, describe_number, unit_range
from extractors.reader.labels import TYPES
from extractors.reader.units import Units, cut
from extractors.results import counted_scores, find_results
from extractors.scene import Scene
from extractors.values import Value, find_values
from tests.test_extractors_results import entities_in, open_page

TEXT = "Zebra gains 96.5% accuracy on StripeBench. On HoofSet Mule only reaches 81.2% accuracy."


def questions_on(number: int) -> tuple[Scene, list[Question]]:
    page = open_page(TEXT)
    scene = Scene(page, entities_in(page))
    value: Value = [value for group in find_values(scene) for value in group][number]
    return scene, [Question(scene, value, role, [value]) for role in ROLES]


def part_of(units: Units, first: int, after: int) -> Units:
    cuts = (part[first:after] for part in (units.starts, units.ends, units.sentences, units.forms))
    return Units(units.text, *cuts, 0)


def test_unit_range_covers_a_span_and_knows_what_lies_outside() -> None:
    units = cut(TEXT, title_end=0)
    first, last = unit_range(units, *(TEXT.index("96.5%"), TEXT.index("96.5%") + 5)) or (0, 0)
    assert units.surface(first, last) == "96.5%"
    head, tail = part_of(units, 0, 5), part_of(units, 5, len(units))
    assert unit_range(head, len(TEXT) - 5, len(TEXT)) is None
    assert unit_range(tail, 0, 5) is None


def test_describe_number_marks_the_number_and_the_entities() -> None:
    scene, questions = questions_on(0)
    units = cut(TEXT, title_end=0)
    given = describe_number(questions, [counted_scores(q) for q in questions], units)
    assert given is not None
    assert given.markers.shape == (len(units), MARKS)
    words = units.words()
    assert "".join(words[i] for i in np.flatnonzero(given.value)) == "96.5%"
    assert [words[i] for i in np.flatnonzero(given.markers[:, -1])] == ["Zebra"]
    methods = given.markers[:, TYPED + 2 * TYPES.index("Method")]
    assert [words[i] for i in np.flatnonzero(methods)] == ["Zebra", "Mule"]
    count = sum(len(q.options) for q in questions)
    assert given.places.shape == (count, PLACES, 2)
    assert given.features.shape == (count, FEATURES)
    assert sorted(set(given.roles)) == [0, 1, 2]
    nothing = given.features[:, KINDS.index(NOTHING)] == 1
    assert not given.present[nothing].any()
    assert given.present[~nothing].any(1).all()
    assert all(given.counted[given.roles == role].max() == 0 for role in range(3))
    assert scene.entities[0].name == "Zebra"


def test_describe_number_leaves_numbers_of_other_windows_alone() -> None:
    _, questions = questions_on(1)
    head = part_of(cut(TEXT, title_end=0), 0, 6)
    assert describe_number(questions, [counted_scores(q) for q in questions], head) is None


class LastOption:
    """Prefers the last option of every question."""

    def rescored(self, questions: Sequence[Question], counted: Sequence[Floats]) -> list[Floats]:
        assert [len(scores) for scores in counted] == [len(q.options) for q in questions]
        return [np.arange(len(scores), dtype=np.float32) * 50 for scores in counted]


def test_results_follow_the_reader_where_it_judges() -> None:
    page = open_page(TEXT)
    entities = entities_in(page)
    plain = find_results(page, entities)
    judged = find_results(page, entities, answers=LastOption())
    assert [r.value for r in plain] == [r.value for r in judged] == ["96.5%", "81.2%"]
    assert plain[0].method == "Zebra"
    assert [r.method for r in judged] == ["HoofSet", "HoofSet"]
