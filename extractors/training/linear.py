"""Count what features are worth: fit a linear classifier and write its weights as a small JSON file."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
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


def fit_choice(
    groups: Sequence[tuple[Sequence[Sequence[str]], Sequence[bool]]],
    *,
    min_count: int,
    penalty: float,
    banned: frozenset[str] = frozenset(),
) -> bytes:
    """Return the gzipped JSON of a model that scores options: the right ones of each group above the others.

    Maximises the probability, by softmax over a group's options, that a right one is chosen.
    """
    examples = [features for options, _ in groups for features in options]
    right = np.concatenate([np.asarray(flags, dtype=float) for _, flags in groups])
    sizes = np.array([len(flags) for _, flags in groups])
    index = _index(examples, min_count=min_count, banned=banned)
    matrix = _matrix(examples, index).astype(np.float64)
    loss = partial(_choice_loss, matrix=matrix, right=right, sizes=sizes, penalty=penalty)
    best = minimize(loss, np.zeros(len(index)), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return _pack(["score"], index, best.x[:, None], np.zeros(1))


def _choice_loss(
    weights: np.ndarray, *, matrix: csr_matrix, right: np.ndarray, sizes: np.ndarray, penalty: float
) -> tuple[float, np.ndarray]:
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    scores = matrix @ weights
    scores = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    total, good = np.add.reduceat(scores, starts), np.add.reduceat(scores * right, starts) + 1e-30
    loss = np.log(total).sum() - np.log(good).sum() + penalty / 2 * (weights @ weights)
    slope = scores / np.repeat(total, sizes) - scores * right / np.repeat(good, sizes)
    return loss, matrix.T @ slope + penalty * weights


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
