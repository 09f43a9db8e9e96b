"""A torch network where decoding expects scores, to see how a run stands without an export."""

from __future__ import annotations

import numpy as np
import torch

from extractors.reader.clusters import ClusterInput
from extractors.reader.pieces import PieceRow
from extractors.training.batches import band_of
from extractors.training.network import ReaderNetwork


class TorchNetwork:
    """The torch module behind the protocol that decoding uses; one text at a time, as in use."""

    def __init__(self, network: ReaderNetwork) -> None:
        self.network = network.eval()

    @torch.no_grad()  # not inference mode: training differentiates through the bands that are kept
    def spans(self, row: PieceRow) -> tuple[np.ndarray, np.ndarray]:
        """Return unit vectors and span logits; see `Network`."""
        ids, forms, firsts = (torch.tensor([values]) for values in (row.ids, row.forms, row.firsts))
        x = self.network.encode(ids, forms, firsts, None)
        return x[0].numpy(), self.network.spans(x, *band_of(len(row.firsts)))[0].numpy()

    @torch.no_grad()
    def clusters(self, x: np.ndarray, given: ClusterInput) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return cluster, flag and pair logits; see `Network`."""
        names = ("markers", "mentions", "present", "features", "pairs", "between")
        inputs = [torch.from_numpy(getattr(given, name))[None] for name in names]
        kind, flags, pairs = self.network.relations(torch.from_numpy(x)[None], None, *inputs)
        return kind[0].numpy(), flags[0].numpy(), pairs[0].numpy()
