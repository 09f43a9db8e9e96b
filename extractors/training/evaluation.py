"""Read annotated papers with a torch network and write what `kg extract` would."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from extractors.reader.clusters import ClusterInput
from extractors.reader.decode import Found, Network, Scores, Settings, cluster_scores
from extractors.reader.pieces import PieceRow
from extractors.reader.units import Units
from extractors.training.annotations import Example
from extractors.training.batches import band_of
from extractors.training.network import ReaderNetwork


class TorchNetwork:
    """The torch module behind the protocol that decoding uses; one text at a time, as in use."""

    def __init__(self, network: ReaderNetwork) -> None:
        self.network = network.eval()

    @torch.inference_mode()
    def spans(self, row: PieceRow) -> tuple[np.ndarray, np.ndarray]:
        """Return unit vectors and span logits; see `Network`."""
        ids, forms, firsts = (torch.tensor([values]) for values in (row.ids, row.forms, row.firsts))
        x = self.network.encode(ids, forms, firsts, None)
        return x[0].numpy(), self.network.spans(x, *band_of(len(row.firsts)))[0].numpy()

    @torch.inference_mode()
    def clusters(self, x: np.ndarray, given: ClusterInput) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return cluster, flag and pair logits; see `Network`."""
        names = ("markers", "mentions", "present", "features", "pairs", "between")
        inputs = [torch.from_numpy(getattr(given, name))[None] for name in names]
        kind, flags, pairs = self.network.relations(torch.from_numpy(x)[None], None, *inputs)
        return kind[0].numpy(), flags[0].numpy(), pairs[0].numpy()


def predicted_record(paper: str, units: Units, found: Found, *, introduced: float) -> dict:
    """Return a paper in the format that the scorer reads."""
    surfaces = [list(dict.fromkeys(units.surface(a, b) for a, b in e.mentions)) for e in found.entities]
    # two entities may share a surface, so a name carries its number where it must
    names: list[str] = []
    for forms in surfaces:
        name = max(forms, key=len)
        names.append(name if name not in names else f"{name} ({len(names)})")
    return {
        "id": paper,
        "entities": [
            {
                "name": name,
                "type": e.type,
                "surfaces": s,
                "introduced": e.introduced >= introduced,
                "score": e.score,
                "salience": e.salience,
            }
            for name, s, e in zip(names, surfaces, found.entities, strict=True)
        ],
        "relations": [
            {"head": names[r.head], "type": r.type, "tail": names[r.tail], "score": r.score}
            for r in found.relations
        ],
        "results": [],
        "urls": [],
    }


def score_papers(network: Network, examples: Sequence[Example], settings: Settings) -> list[Scores | None]:
    """Return the network's scores of each paper; thresholds can be tried on them without reading again."""
    out = []
    for example in examples:
        x, logits = network.spans(example.row)
        out.append(cluster_scores(network, x, logits, example.units, settings))
    return out
