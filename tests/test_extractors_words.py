"""Words, sentences and acronyms: exact values on invented text."""

from __future__ import annotations

import pytest

from extractors.acronyms import find_acronyms
from extractors.words import fold, sentence_at, split_sentences, split_words
from kg.types import Span


def sentences_of(text: str, title_end: int = 0) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, title_end=title_end)]


def acronyms_of(text: str) -> list[tuple[str, str]]:
    found = find_acronyms(text, split_sentences(text))
    return [(text[slice(*item.short)], text[slice(*item.long)]) for item in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CIFAR-10, t-SNE and C++.", ["CIFAR-10", ",", "t-SNE", "and", "C++", "."]),
        ("pass@1 at 96.5%", ["pass@1", "at", "96.5", "%"]),
        ("", []),
    ],
)
def test_split_words_keeps_names_whole(text: str, expected: list[str]) -> None:
    assert [word.text for word in split_words(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It wins, i.e. by 3.5 points. Code follows.", ["It wins, i.e. by 3.5 points.", "Code follows."]),
        ("Smith et al. show it. Then we go on!", ["Smith et al. show it.", "Then we go on!"]),
        ("no other artifacts.The best one wins.", ["no other artifacts.", "The best one wins."]),
        ("   ", []),
    ],
)
def test_split_sentences_sees_through_abbreviations(text: str, expected: list[str]) -> None:
    assert sentences_of(text) == expected


def test_split_sentences_makes_the_title_one() -> None:
    text = "Trees. And More\n\nWe plant them."
    assert sentences_of(text, title_end=15) == ["Trees. And More", "We plant them."]


def test_sentence_at_finds_the_sentence_of_a_position() -> None:
    spans = (Span(0, 5), Span(6, 10))
    assert [sentence_at(spans, position) for position in (0, 5, 6, 99)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use in-context learning (ICL) here.", [("ICL", "in-context learning")]),
        ("We present Ranked Soft Trees (RaST), a model.", [("RaST", "Ranked Soft Trees")]),
        ("large language models (LLMs) fail", [("LLMs", "large language models")]),
        ("We call it MOP (Mixture of Prompts).", [("MOP", "Mixture of Prompts")]),
        ("the results (see Table 2) of 2020 (KDD)", []),
        ("a better way (A100 GPU)", []),
    ],
)
def test_find_acronyms_pairs_short_and_long_forms(text: str, expected: list[tuple[str, str]]) -> None:
    assert acronyms_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Graph Neural-Networks", "graph neural network"),
        ("the GLASS", "glass"),
        ("BERTs", "bert"),
        ("“Bus”", "bus"),
    ],
)
def test_fold_makes_spellings_equal(text: str, expected: str) -> None:
    assert fold(text) == expected
