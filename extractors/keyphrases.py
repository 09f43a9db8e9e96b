"""Keyphrases by KeyBERT: the phrases of a text that lie nearest to it in meaning.

Candidates are the entities and noun phrases that stand in the text, never n-grams with words left out. KeyBERT is
given their vectors, so it embeds nothing itself: they come from the reader's own pass over the text, or from a table
of word vectors where the reader has none.

References:
    M. Grootendorst, KeyBERT: Minimal keyword extraction with BERT, 2020, doi 10.5281/zenodo.4461265.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from extractors.generic import is_generic
from extractors.phrase_vectors import Floats, load_word_vectors
from extractors.phrases import JOINTS, edge_words, find_runs
from extractors.reading import Page, TextVectors
from extractors.words import fold, split_words
from kg.schema import METRIC
from kg.types import Extraction, Keyphrase, PaperEntity, Span

#: How much unlikeness to the phrases already chosen counts against likeness to the text (KeyBERT's MMR).
DIVERSITY = 0.3
#: The longest noun phrase that may be a topic, in words.
MAX_WORDS = 4
#: A text with fewer candidates than this has no topics: any phrase would be one.
FEWEST = 2
#: Phrases less like the text than this share of the likest one are no topics, though they are unlike the others.
NEAR = 0.5
#: Share of an entity's salience that its likeness to the text decides; the reader decides the rest.
LIKENESS = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What KeyBERT asks of a vectoriser, for the candidates of one text, which are known and sorted.

    Scikit-learn's takes longer to count them than KeyBERT to rank them.
    """

    names: list[str]

    def fit(self, documents: Sequence[str]) -> Given:
        """Learn nothing."""
        return self

    def get_feature_names_out(self) -> list[str]:
        """Return the candidates."""
        return self.names

    def transform(self, documents: Sequence[str]) -> Floats:
        """Return for each document a matrix of one row: all candidates stand in it."""
        return np.ones((len(documents), 1, len(self.names)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Phraser:
    """Finds up to ``count`` keyphrases with a KeyBERT model."""

    count: int
    keybert: Any

    @property
    def version(self) -> str:
        """What keyphrases depend on besides the text."""
        return f"keybert-{version('keybert')}.{self.count}.{load_word_vectors().version}"

    def add_keyphrases(self, page: Page, extraction: Extraction, vectors: TextVectors | None) -> Extraction:
        """Return an extraction with keyphrases, and with their share in the entities' salience."""
        spans = candidates(page, extraction.entities)
        if len(spans) < FEWEST:
            return extraction
        names = sorted(spans)
        document, words = _embed(page, [spans[name] for name in names], vectors)
        chosen = self._rank(page.clean.text, names, document, words)
        likeness = dict(zip(names, (words @ document).tolist(), strict=True))
        return replace(
            extraction,
            keyphrases=tuple(_keyphrase(page, spans[name], score) for name, score in chosen),
            entities=tuple(_weigh(entity, likeness) for entity in extraction.entities),
        )

    def _rank(self, text: str, names: list[str], document: Floats, words: Floats) -> list[tuple[str, float]]:
        from sklearn import config_context

        with config_context(assume_finite=True, skip_parameter_validation=True):  # checks take longer than the work
            ranked = self.keybert.extract_keywords(
                text,
                vectorizer=Given(names),
                top_n=min(self.count, len(names)),
                use_mmr=True,
                diversity=DIVERSITY,
                doc_embeddings=document[None],
                word_embeddings=words,
            )
        best = max((score for _, score in ranked), default=0.0)
        return [(name, score) for name, score in ranked if score > 0 and score >= NEAR * best]


@cache
def load_phraser(count: int) -> Phraser | None:
    """Return what finds keyphrases, or None where KeyBERT is not installed or no keyphrase is wanted."""
    if count < 1 or not is_installed():
        return None
    from keybert import KeyBERT
    from keybert.backend import BaseEmbedder

    class GivenVectors(BaseEmbedder):
        """KeyBERT wants an embedder and downloads one if it gets none; ours is never asked."""

        def embed(self, documents: Sequence[str], verbose: bool = False) -> Floats:
            return load_word_vectors().embed(list(documents))

    return Phraser(count, KeyBERT(model=GivenVectors()))


def is_installed() -> bool:
    """Say whether KeyBERT is there."""
    try:
        version("keybert")
    except PackageNotFoundError:
        return False
    return True


def candidates(page: Page, entities: Sequence[PaperEntity]) -> dict[str, Span]:
    """Return folded phrase -> the first place where it stands: entities, then noun phrases."""
    found: dict[str, Span] = {}
    for entity in entities:
        if entity.type != METRIC:
            for mention in entity.mentions:
                found.setdefault(fold(mention.text), Span(mention.start, mention.end))
    for span in _noun_phrases(page):
        found.setdefault(fold(page.clean.text[slice(*span)]), span)
    return {form: span for form, span in found.items() if _may_be_topic(form, page.clean.text[slice(*span)])}


def _may_be_topic(form: str, surface: str) -> bool:
    """Say whether a phrase may tell a subject: not generic, no acronym, no name of one thing (GPT-4, ResNet)."""
    if " " not in surface and any(c.isupper() or c.isdigit() for c in surface[1:]):
        return False
    return form.count(" ") < 2 * MAX_WORDS and any(map(str.isalpha, form)) and "/" not in form and not is_generic(form)


def _noun_phrases(page: Page) -> Iterator[Span]:
    """Yield stretches of words that are no running text, from a word that begins names to one that ends them."""
    begins, ends = edge_words()
    for sentence in page.sentences:
        words = split_words(page.clean.text, sentence)
        for first, last in find_runs(words, also=JOINTS):
            start = next((i for i in range(first, last) if words[i].lower in begins), last)
            end = next((i for i in range(last, start, -1) if words[i - 1].lower in ends), start)
            if 1 < end - start <= MAX_WORDS:
                yield Span(words[start].start, words[end - 1].end)


def _embed(page: Page, spans: Sequence[Span], vectors: TextVectors | None) -> tuple[Floats, Floats]:
    """Return unit vectors of the text, shape (m,), and of the phrases, shape (phrases, m)."""
    text = page.clean.text
    if vectors is None or not len(vectors.word_spans):
        table = load_word_vectors()
        return table.embed([text])[0], table.embed([text[start:end] for start, end in spans])
    starts = [span.start for span in vectors.word_spans]
    ends = [span.end for span in vectors.word_spans]
    rows = [
        vectors.words[bisect_left(ends, start + 1) : max(bisect_left(starts, end), 1)].mean(axis=0)
        for start, end in spans
    ]
    return _unit(vectors.document[None])[0], _unit(np.stack(rows))


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _keyphrase(page: Page, span: Span, score: float) -> Keyphrase:
    text = page.clean.text[span.start : span.end]
    return Keyphrase(text, round(min(max(float(score), 0.0), 1.0), 4), page.clean.raw_span(*span))


def _weigh(entity: PaperEntity, likeness: dict[str, float]) -> PaperEntity:
    near = max((likeness.get(fold(surface), 0.0) for surface in entity.surfaces), default=0.0)
    salience = (1 - LIKENESS) * entity.salience + LIKENESS * min(max(near, 0.0), 1.0)
    return replace(entity, salience=round(salience, 4))
