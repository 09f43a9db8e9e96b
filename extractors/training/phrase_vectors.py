"""Make the small table of word vectors that stands in for a sentence encoder.

    python -m extractors.training.phrase_vectors TRAIN.jsonl VECTORS.npz

VECTORS.npz is what ``extractors.training.similarity`` writes: all-MiniLM-L6-v2 vectors of texts and of phrases. The
table is fitted so that the sum of a phrase's word vectors points where the encoder's vector does.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from extractors.phrase_vectors import words_of
from extractors.training.rules import WEIGHTS, introduced_words

#: A text counts as much as this many phrases: there are fewer of them, and each is compared with many phrases.
TEXT_WEIGHT = 4.0


def vocabulary(texts: Iterable[str], *, min_count: int, banned: frozenset[str]) -> list[str]:
    """Return the words that stand in enough texts and are no introduced names, sorted."""
    counts = Counter(word for text in texts for word in set(words_of(text)))
    return sorted(word for word, count in counts.items() if count >= min_count and word not in banned)


def bags(texts: Sequence[str], words: Sequence[str]) -> csr_matrix:
    """Return the word counts of texts, each row divided by its length."""
    index = {word: number for number, word in enumerate(words)}
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        counts = Counter(number for word in words_of(text) if (number := index.get(word)) is not None)
        norm = max(sum(counts.values()), 1) ** 0.5
        for number, count in counts.items():
            rows.append(row)
            columns.append(number)
            values.append(count / norm)
    return csr_matrix((values, (rows, columns)), shape=(len(texts), len(words)))


def fit(matrix: csr_matrix, targets: np.ndarray, *, penalty: float, steps: int = 40) -> np.ndarray:
    """Return word vectors by ridge regression: conjugate gradients for all dimensions at once."""
    table = np.zeros((matrix.shape[1], targets.shape[1]), dtype=np.float32)
    transposed = matrix.T.tocsr()
    rest = transposed @ targets
    way, size = rest.copy(), (rest**2).sum(axis=0)
    for _ in range(steps):
        change = transposed @ (matrix @ way) + penalty * way
        step = size / np.maximum((way * change).sum(axis=0), 1e-12)
        table += step * way
        rest -= step * change
        size, previous = (rest**2).sum(axis=0), size
        way = rest + size / np.maximum(previous, 1e-12) * way
    return table


def principal(vectors: np.ndarray, size: int) -> np.ndarray:
    """Return the directions, shape (width, size), that keep most of the vectors' products (no centring)."""
    _, basis = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return basis[:, ::-1][:, :size]


def load_targets(train: Path, vectors: Path) -> tuple[list[str], np.ndarray, list[str], np.ndarray]:
    """Return texts with their vectors and distinct phrases with theirs."""
    records: dict[str, Any] = {}
    for line in train.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        records[record["id"]] = record
    stored = np.load(vectors)
    texts = [records[paper]["text"] for paper in stored["ids"].tolist()]
    phrases = [""] * len(stored["phrase"])
    for paper, start, end, place in stored["rows"].tolist():
        phrases[place] = texts[paper][start:end]
    return texts, stored["document"].astype(np.float32), phrases, stored["phrase"].astype(np.float32)


def main() -> None:
    """Fit and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--min-count", type=int, default=3)
    parser.add_argument("--penalty", type=float, default=1.0)
    arguments = parser.parse_args()
    texts, text_vectors, phrases, phrase_vectors = load_targets(arguments.train, arguments.vectors)
    records = [json.loads(line) for line in arguments.train.read_text(encoding="utf-8").splitlines()]
    words = vocabulary([*texts, *phrases], min_count=arguments.min_count, banned=introduced_words(records))
    basis = principal(np.concatenate([text_vectors, phrase_vectors]), arguments.size)
    matrix = bags([*texts, *phrases], words).astype(np.float32)
    weight = np.concatenate([np.full(len(texts), TEXT_WEIGHT), np.ones(len(phrases))]) ** 0.5
    targets = np.concatenate([text_vectors, phrase_vectors]) @ basis
    weighted = csr_matrix(matrix.multiply(weight[:, None]), dtype=np.float32)
    table = fit(weighted, (targets * weight[:, None]).astype(np.float32), penalty=arguments.penalty)
    scale = np.abs(table).max() / 127
    path = WEIGHTS / "phrase_vectors.npz"
    np.savez_compressed(
        path, words=np.array("\n".join(words)), table=np.rint(table / scale).astype(np.int8), scale=scale
    )
    print(path, path.stat().st_size, table.shape)


if __name__ == "__main__":
    main()
