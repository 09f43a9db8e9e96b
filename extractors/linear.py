"""A linear classifier over named features, small enough to read: its weights are one JSON file.

Trained by ``extractors/training``; here it only adds weights up. No dependence beyond numpy.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class LinearModel:
    """``weights`` has shape (number of features + 1, number of classes); its last row is the bias."""

    classes: tuple[str, ...]
    index: dict[str, int]
    weights: Floats
    version: str

    def scores(self, examples: Sequence[Iterable[str]]) -> Floats:
        """Return the score of each class for each example, shape (examples, classes); unknown features count 0."""
        scores = np.empty((len(examples), len(self.classes)), dtype=np.float32)
        bias = len(self.weights) - 1
        for row, features in enumerate(examples):
            known = [number for name in features if (number := self.index.get(name)) is not None]
            scores[row] = self.weights[[*known, bias]].sum(axis=0)
        return scores

    def probabilities(self, examples: Sequence[Iterable[str]]) -> Floats:
        """Return the class probabilities of each example, shape (examples, classes)."""
        scores = self.scores(examples)
        scores -= scores.max(axis=1, keepdims=True, initial=-1e9)
        np.exp(scores, out=scores)
        return scores / scores.sum(axis=1, keepdims=True)


@cache
def load_linear(name: str) -> LinearModel:
    """Return the model ``extractors/weights/<name>.json.gz`` that ships with the package."""
    data = files("extractors").joinpath("weights", f"{name}.json.gz").read_bytes()
    return parse_linear(data)


def parse_linear(data: bytes) -> LinearModel:
    """Return the model of a gzipped JSON file: classes, bias and, for each feature, one weight a class."""
    record = json.loads(gzip.decompress(data))
    rows = [*record["features"].values(), record["bias"]]
    return LinearModel(
        classes=tuple(record["classes"]),
        index={feature: number for number, feature in enumerate(record["features"])},
        weights=np.asarray(rows, dtype=np.float32) / record.get("scale", 1),
        version=hashlib.sha256(data).hexdigest()[:8],
    )
