"""Numeric results: what a paper claims to have reached, by which method and metric, on what, against what."""

from __future__ import annotations

from collections.abc import Sequence

from extractors.reading import Page
from kg.types import PaperEntity, Result


def find_results(page: Page, entities: Sequence[PaperEntity]) -> tuple[Result, ...]:
    """Return the numeric results of a text, in order."""
    return ()
