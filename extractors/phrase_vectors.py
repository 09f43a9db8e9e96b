"""Vectors of phrases and texts from a small table of word vectors, for keyphrases without a neural model.

The table was fitted so that the sum of a phrase's word vectors points where all-MiniLM-L6-v2's vector of the phrase
does (``extractors/training/phrase_vectors.py``). Words that it lacks add nothing: a phrase of unknown words has the
zero vector and is like nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; hyphenated ones are split.

    >>> words_of("Few-shot GPT-4o")
    ['few', 'shot', 'gpt', '4o']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """``table`` has shape (words, m)."""

    index: dict[str, int]
    table: Floats
    version: str

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return a vector for each text, shape (texts, m), of length 1 or 0."""
        vectors = np.zeros((len(texts), self.table.shape[1]), dtype=np.float32)
        for row, text in enumerate(texts):
            known = [number for word in words_of(text) if (number := self.index.get(word)) is not None]
            if known:
                vectors[row] = self.table[known].sum(axis=0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@cache
def load_word_vectors() -> WordVectors:
    """Return the table that ships with the package."""
    resource = files("extractors").joinpath("weights", "phrase_vectors.npz")
    with as_file(resource) as path, np.load(path) as stored:
        words = str(stored["words"]).split("\n")
        table = stored["table"].astype(np.float32) * np.float32(stored["scale"])
    version = hashlib.sha256(table.tobytes()).hexdigest()[:8]
    return WordVectors({word: number for number, word in enumerate(words)}, table, version)
