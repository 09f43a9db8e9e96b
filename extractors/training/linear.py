"""Count what features are worth: fit a linear classifier and write its weights as a small JSON file."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

#: Weights are written as whole numbers of this fraction.
SCALE = 50


def fit_linear(
    examples: Sequence[Sequence[str]],
    labels: Sequence[str],
    *,
    min_count: int,
    strength: float = 1.0,
    banned: frozenset[str] = frozenset(),
    sample_weight: Sequence[float] | None = None,
) -> bytes:
    """Return the gzipped JSON of a model fitted by logistic regression.

    Features seen fewer than ``min_count`` times, or holding a ``banned`` word, are left out.
    """
    index = _index(examples, min_count=min_count, banned=banned)
    model = LogisticRegression(C=strength, max_iter=200, tol=1e-6)
    model.fit(_matrix(examples, index), list(labels), sample_weight=sample_weight)
    weights, bias = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        weights, bias = np.vstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return _pack(list(model.classes_), index, weights.T, bias)


def _index(examples: Iterable[Sequence[str]], *, min_count: int, banned: frozenset[str]) -> dict[str, int]:
    counts = Counter(feature for features in examples for feature in features)
    kept = (feature for feature, count in counts.items() if count >= min_count and not _holds(feature, banned))
    return {feature: number for number, feature in enumerate(sorted(kept))}


def _holds(feature: str, banned: frozenset[str]) -> bool:
    value = feature.partition("=")[2]
    return any(word in banned for word in value.replace("|", " ").split(" "))


def _matrix(examples: Sequence[Sequence[str]], index: dict[str, int]) -> csr_matrix:
    columns, starts = [], [0]
    for features in examples:
        columns += [number for name in features if (number := index.get(name)) is not None]
        starts.append(len(columns))
    shape = (len(examples), len(index))
    return csr_matrix((np.ones(len(columns), dtype=np.float32), columns, starts), shape=shape)


def _pack(classes: list[str], index: dict[str, int], weights: np.ndarray, bias: np.ndarray) -> bytes:
    rounded = np.rint(weights * SCALE).astype(int)
    kept = {name: rounded[row].tolist() for name, row in index.items() if np.abs(rounded[row]).max() >= 2}
    record = {
        "classes": classes,
        "scale": SCALE,
        "bias": np.rint(bias * SCALE).astype(int).tolist(),
        "features": kept,
    }
    return gzip.compress(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0)


def write_model(data: bytes, name: str, folder: Path) -> Path:
    """Write a model where :func:`extractors.linear.load_linear` finds it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json.gz"
    path.write_bytes(data)
    return path
