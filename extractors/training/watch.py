"""Score a few dev papers in the middle of a run, to see whether it still learns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from torch import Tensor

from extractors.reader.decode import Settings
from extractors.reader.pieces import Pieces
from extractors.training.annotations import read_examples
from extractors.training.evaluation import TorchNetwork
from extractors.training.formats import SCIER, format_of
from extractors.training.network import ReaderNetwork, Sizes
from extractors.training.scier import read_documents
from extractors.training.scier_scoring import ROWS as SCIER_ROWS
from extractors.training.scier_scoring import count, decide, f1, hear, see
from extractors.training.scoring import ROWS, count_papers
from extractors.training.tune import decide_all, score_papers

PAPERS = 24
"""Dev papers that are scored: ten seconds of one core, and enough to see a rise of a few points."""
DOCUMENTS = 3
"""Documents of SciER: they are longer."""


class Watch:
    """Scores every n-th dev paper with the thresholds that a model starts with."""

    def __init__(self, dev: Path, sizes: Sizes, pieces: Pieces) -> None:
        self._network = ReaderNetwork(sizes)
        self._pieces = pieces
        self._settings = Settings()
        if format_of(dev) == SCIER:
            self._documents = read_documents(dev)[:DOCUMENTS]
        else:
            self._documents = []
            examples = read_examples(dev, pieces)
            self._examples = examples[:: max(1, len(examples) // PAPERS)]

    def scores(self, state: Mapping[str, Tensor]) -> dict[str, float]:
        """Return F1 by row, 0 to 100, of a network's weights."""
        self._network.load_state_dict(state)
        network = TorchNetwork(self._network)
        if not self._documents:
            found = decide_all(score_papers(network, self._examples, self._settings), self._settings)
            counts = count_papers(found, self._examples, introduced=self._settings.introduced)
            return {row: counts.f1(row) for row in ROWS}
        said = [hear(network, see(network, self._pieces, d), self._settings) for d in self._documents]
        rows = [count(d, *decide(h, self._settings)) for d, h in zip(self._documents, said, strict=True)]
        return {row: f1(rows, row) for row in SCIER_ROWS}
