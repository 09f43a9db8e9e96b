"""Keyphrases stand in the text, and come from the reader's vectors where it has some."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from extractors.keyphrases import candidates, is_installed, load_phraser
from extractors.phrase_vectors import load_word_vectors
from extractors.reading import Page, TextVectors
from extractors.words import split_words
from kg.types import Extraction, Mention, PaperEntity, Span
from tests.pages import page_of

needs_keybert = pytest.mark.skipif(not is_installed(), reason="KeyBERT is not installed")
TEXT = (
    "Object detection finds objects in images. We study object detection with convolutional neural networks, "
    "few labels and self-supervised learning. Such convolutional neural networks need two GPUs. Our method is fast."
)


def extraction_of(page: Page, *names: str) -> Extraction:
    entities = []
    for name in names:
        start = page.clean.text.index(name)
        span = Span(start, start + len(name))
        entities.append(PaperEntity(name, "Task", (Mention(*span, name, page.clean.raw_span(*span)),), salience=0.5))
    return Extraction("p", "h", text=page.clean.text, entities=tuple(entities))


def test_candidates_stand_in_the_text_and_are_not_generic() -> None:
    page = page_of(TEXT)
    found = candidates(page, extraction_of(page, "object detection").entities)
    assert all(page.clean.text[start:end].strip() for start, end in found.values())
    assert "convolutional neural network" in found
    assert "object detection" in found
    assert not {"method", "our method"} & found.keys()


def test_word_vectors_put_like_phrases_together() -> None:
    vectors = load_word_vectors().embed(["image classification", "object recognition in images", "bandit regret"])
    like, unlike = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert like > unlike + 0.2
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_word_vectors_give_zero_for_unknown_words() -> None:
    assert load_word_vectors().embed(["qqxyzzy", ""]).any() == np.False_


@needs_keybert
def test_add_keyphrases_finds_what_the_text_is_about() -> None:
    page = page_of(TEXT)
    phraser = load_phraser(3)
    assert phraser is not None
    found = phraser.add_keyphrases(page, extraction_of(page, "object detection"), None)
    assert "object detection" in {phrase.text.lower() for phrase in found.keyphrases}
    assert 0 < len(found.keyphrases) <= 3
    for phrase in found.keyphrases:
        assert page.clean.raw[slice(*phrase.raw)] == phrase.text
        assert 0 < phrase.score <= 1
    assert found.entities[0].salience > 0.4


@needs_keybert
def test_add_keyphrases_takes_the_vectors_of_the_reader() -> None:
    page = page_of(TEXT)
    words = [word for word in split_words(page.clean.text) if word.is_name]
    rows = np.zeros((len(words), 2), dtype=np.float32)
    for row, word in zip(rows, words, strict=True):
        row[int(word.text not in ("convolutional", "neural", "networks"))] = 1
    spans = tuple(Span(word.start, word.end) for word in words)
    vectors = TextVectors(np.array([1, 0], dtype=np.float32), rows, spans)
    phraser = load_phraser(1)
    assert phraser is not None
    found = phraser.add_keyphrases(page, extraction_of(page, "images"), vectors)
    assert [(phrase.text, phrase.score) for phrase in found.keyphrases] == [("convolutional neural networks", 1.0)]


@needs_keybert
@pytest.mark.parametrize("text", ["", "word", "🎉 🎉", "我们提出", "1 2 3"])
def test_add_keyphrases_never_fails(text: str) -> None:
    page = page_of(text)
    phraser = load_phraser(5)
    assert phraser is not None
    assert phraser.add_keyphrases(page, Extraction("p", "h", text=page.clean.text), None).keyphrases == ()


def test_load_phraser_gives_none_when_no_topic_is_wanted() -> None:
    assert load_phraser(0) is None


def test_keybert_brings_no_torch() -> None:
    if is_installed():
        load_phraser(2)
    assert not any(name == "torch" for name in importlib.import_module("sys").modules)
