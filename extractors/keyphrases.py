"""Keyphrases by KeyBERT: the phrases of a text that lie nearest to it in meaning."""

from __future__ import annotations


def load_phraser(count: int) -> None:
    """Return what finds keyphrases, or None where KeyBERT is not installed or no keyphrase is wanted."""
    return None
