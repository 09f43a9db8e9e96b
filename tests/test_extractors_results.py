"""Numbers that are results, and what they belong to: exact values on invented sentences."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from extractors.cleaning import clean
from extractors.questions import Question
from extractors.reading import Page
from extractors.results import find_results
from extractors.scene import Scene
from extractors.values import MOST_NUMBERS, find_values
from extractors.words import split_sentences
from kg.types import Mention, PaperEntity

ENTITIES = (
    ("Zebra", "Method", True),
    ("Mule", "Method", False),
    ("accuracy", "Metric", False),
    ("word error rate", "Metric", False),
    ("StripeBench", "Benchmark", False),
    ("HoofSet", "Benchmark", False),
    ("animal tracking", "Task", False),
)


def open_page(raw: str) -> Page:
    cleaned = clean(raw)
    return Page(cleaned, split_sentences(cleaned.text))


def entities_in(page: Page) -> tuple[PaperEntity, ...]:
    found = []
    for name, kind, introduced in ENTITIES:
        places = [match.span() for match in re.finditer(re.escape(name), page.clean.text)]
        mentions = tuple(Mention(a, b, name, page.clean.raw_span(a, b)) for a, b in places)
        if mentions:
            found.append(PaperEntity(name, kind, mentions, introduced=introduced))
    return tuple(found)


def results_of(raw: str) -> list[tuple[str, str, str, str]]:
    page = open_page(raw)
    return [(r.value, r.method, r.metric, r.on) for r in find_results(page, entities_in(page))]


def values_of(text: str) -> list[str]:
    page = open_page(text)
    return [value.text for group in find_values(Scene(page, ())) for value in group]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It gains 96.5% here.", ["96.5%"]),
        ("It is 3.4x faster.", ["3.4x"]),
        ("It is 10 times faster.", ["10 times"]),
        ("It gains 10-40% more.", ["10-40%"]),
        ("It rises from 2% to 5%.", ["2%", "2% to 5%", "5%"]),
        ("It gains approximately 7 points.", ["approximately 7"]),
        ("It runs at 30 FPS.", ["30 FPS"]),
        ("Its rate is O(1/k^2) now.", ["O(1/k^2)", "1", "2"]),
        ("Its rate is Õ(3n) now.", ["Õ(3n)"]),
        ("It is ten times faster.", ["ten times"]),
        ("We use GPT-4, CIFAR-10 and Llama2.", []),
        ("No number at all.", []),
    ],
)
def test_find_values_reads_numbers_as_written(text: str, expected: list[str]) -> None:
    assert [value for value in values_of(text) if value not in ("1", "2")] == [
        value for value in expected if value not in ("1", "2")
    ]


def test_find_values_leaves_tables_alone() -> None:
    assert values_of(" ".join(map(str, range(MOST_NUMBERS + 1)))) == []


def test_find_results_ties_a_value_to_method_metric_and_benchmark() -> None:
    text = "We introduce Zebra for animal tracking. Zebra achieves 96.5% accuracy on StripeBench."
    assert results_of(text) == [("96.5%", "Zebra", "accuracy", "StripeBench")]


def test_find_results_names_the_baseline() -> None:
    page = open_page("We propose Zebra. On StripeBench, Zebra improves accuracy by 3.2% compared to Mule.")
    (result,) = find_results(page, entities_in(page))
    assert (result.value, result.method, result.metric, result.on, result.baseline) == (
        "3.2%",
        "Zebra",
        "accuracy",
        "StripeBench",
        "Mule",
    )


def test_find_results_takes_a_compared_number_as_baseline() -> None:
    page = open_page("We propose Zebra. Zebra achieves 96% accuracy, whereas Mule reports near 0% accuracy.")
    (result,) = find_results(page, entities_in(page))
    assert (result.value, result.method, result.baseline) == ("96%", "Zebra", "Mule reports near 0%")


def test_questions_offer_phrases_of_the_whole_sentence_and_what_was_tried_on_elsewhere() -> None:
    page = open_page(
        "We try Zebra on six muddy tracking tasks. Zebra raises accuracy by 7% while it leaves a great many of the old "
        "and the new rules as they were before in our Savanna Arena."
    )
    scene = Scene(page, entities_in(page))
    ((value,),) = (group for group in find_values(scene) if group[0].sentence == 1)
    names = {option.name for option in Question(scene, value, "on", (value,)).options}
    assert {"six muddy tracking tasks", "Savanna Arena"} <= names


def test_questions_part_names_at_two_joints_in_a_row() -> None:
    page = open_page("On Muddy Plain and on Dry Steppe, Zebra raises accuracy by 7%.")
    scene = Scene(page, entities_in(page))
    ((value,),) = find_values(scene)
    names = {option.name for option in Question(scene, value, "on", (value,)).options}
    assert {"Muddy Plain", "Dry Steppe"} <= names
    assert not any(" and " in name for name in names)


def test_find_results_reads_through_markup() -> None:
    raw = r"We present \textbf{Zebra}. It reduces the word error rate by 12\% on HoofSet."
    page = open_page(raw)
    (result,) = find_results(page, entities_in(page))
    assert (result.value, result.method, result.metric, result.on) == ("12%", "Zebra", "word error rate", "HoofSet")
    assert page.clean.text[slice(*result.span)] == "12%"
    assert raw[slice(*result.raw)] == r"12\%"
    assert page.clean.text[slice(*result.sentence)] == "It reduces the word error rate by 12% on HoofSet."


@pytest.mark.parametrize(
    "text",
    [
        "In 2021 we collected 5,000 images of 12 species.",
        "We ask 20 annotators to label 300 sentences.",
        "The model has 7B parameters and 32 layers.",
        "",
    ],
)
def test_find_results_leaves_plain_numbers_alone(text: str) -> None:
    assert results_of(text) == []


def test_find_results_never_overlap() -> None:
    page = open_page("Zebra raises accuracy from 61.2% to 75.4% on StripeBench and by 4-6% on HoofSet.")
    spans = [result.span for result in find_results(page, entities_in(page))]
    assert spans == sorted(spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
