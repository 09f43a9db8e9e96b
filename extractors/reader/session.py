"""The trained network as ONNX graphs, one thread a process."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from extractors.reader.answers import AnswerInput
from extractors.reader.clusters import ClusterInput
from extractors.reader.decode import Settings
from extractors.reader.pieces import PieceRow, Pieces
from extractors.reader.spans import band

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

ENCODER, RELATIONS, CONFIG, VOCABULARY = "encoder.onnx", "relations.onnx", "config.json", "tokenizer.json"
ANSWERS = "answers.onnx"
"""What numbers belong to; a model folder may lack it."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of one window in the space of a sentence encoder: `document` (m,), `words` (units, m)."""

    document: np.ndarray
    words: np.ndarray


class Session:
    """A model folder; each graph is loaded when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def settings(self) -> Settings:
        """The thresholds that were set on the dev papers."""
        return Settings(**json.loads((self.folder / CONFIG).read_text("utf-8"))["settings"])

    @cached_property
    def version(self) -> str:
        """A digest of all that decides what is read."""
        digest = hashlib.sha256()
        for name in (ENCODER, RELATIONS, CONFIG, VOCABULARY, *[ANSWERS] * self.has_answers):
            digest.update((self.folder / name).read_bytes())
        return digest.hexdigest()[:12]

    @cached_property
    def has_answers(self) -> bool:
        """Whether the folder holds a network for what numbers belong to."""
        return (self.folder / ANSWERS).exists()

    @cached_property
    def pieces(self) -> Pieces:
        """The word pieces of the encoder."""
        return Pieces(self.folder / VOCABULARY)

    @cached_property
    def _encoder(self) -> InferenceSession:
        return _open(self.folder / ENCODER)

    @cached_property
    def _relations(self) -> InferenceSession:
        return _open(self.folder / RELATIONS)

    @cached_property
    def _answers(self) -> InferenceSession:
        return _open(self.folder / ANSWERS)

    def read(self, row: PieceRow) -> tuple[np.ndarray, np.ndarray, Vectors]:
        """Return unit vectors (units, width), span logits of `band(units)` and the vectors for keyphrases."""
        first, last = band(len(row.firsts))
        x, spans, document, words = self._encoder.run(
            None,
            {
                "ids": np.array([row.ids], np.int64),
                "forms": np.array([row.forms], np.int64),
                "firsts": np.array([row.firsts], np.int64),
                "band": first * len(row.firsts) + last,
                "widths": last - first,
            },
        )
        return x[0], spans[0], Vectors(document[0], words[0])

    def spans(self, row: PieceRow) -> tuple[np.ndarray, np.ndarray]:
        """Return unit vectors and span logits; see `Network`."""
        return self.read(row)[:2]

    def clusters(self, x: np.ndarray, given: ClusterInput) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return cluster, flag and pair logits; see `Network`."""
        names = ("markers", "mentions", "present", "features", "pairs", "between")
        inputs = {name: getattr(given, name)[None] for name in names}
        kind, flags, relation = self._relations.run(None, {"x": x[None], **inputs})
        return kind[0], flags[0], relation[0]

    def answers(self, x: np.ndarray, given: AnswerInput) -> np.ndarray:
        """Return the log-odds of the options of one number, shape (options,)."""
        inputs = {name: getattr(given, name) for name in AnswerInput.__slots__}
        (scores,) = self._answers.run(None, {"x": x, **inputs})
        return np.asarray(scores)


def _open(file: Path) -> InferenceSession:
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # the fused operator takes four times as long as the two that it stands for
    slow = ["SkipLayerNormFusion"]
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"], disabled_optimizers=slow)
