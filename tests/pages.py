"""Pages of invented texts, as the readers get them."""

from __future__ import annotations

from extractors.cleaning import clean
from extractors.reading import Page
from extractors.words import split_sentences


def page_of(text: str) -> Page:
    """Return a cleaned text with its sentences."""
    cleaned = clean(text)
    return Page(cleaned, split_sentences(cleaned.text))
