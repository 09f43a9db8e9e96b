"""What the network is taught in one step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from extractors.reader.clusters import Cluster, describe
from extractors.reader.spans import Span, band, choose_spans, log_softmax
from extractors.training.annotations import UNKNOWN, Example, grouped, targets_for
from extractors.training.batches import cluster_batch, span_targets, target_batch, text_batch
from extractors.training.network import ReaderNetwork
from extractors.training.similarity import Vectors

PREDICTED_FROM = 400
"""Steps before clusters are made of predicted spans: earlier ones are noise."""
PREDICTED = 0.65
"""Share of papers whose clusters are made of predicted spans, so that the network learns what to drop."""
BIAS = (-0.5, 1.2)
"""Range of the bias that spans are predicted with in training: mostly generous, as in use."""
COSINE = 10.0
"""Weight of cosines within the similarity loss: they rank keyphrases, and their errors are small."""
MOST_CLUSTERS = 36
"""Clusters of a paper that a step looks at, the surest first: their pairs are what costs."""
SIMILARITY = 0.5
"""Weight of the similarity loss: small beside the others' sum of 2 to 4."""


@dataclass(frozen=True, slots=True)
class Losses:
    """The parts of one step's loss, each a scalar tensor."""

    span: Tensor
    kind: Tensor
    flag: Tensor
    relation: Tensor
    similarity: Tensor

    def total(self) -> Tensor:
        """Return the loss to go down."""
        return self.span + self.kind + self.flag + self.relation + SIMILARITY * self.similarity

    def numbers(self) -> dict[str, float]:
        """Return the parts as numbers."""
        return {name: float(getattr(self, name).detach()) for name in self.__slots__}


def losses_of(
    network: ReaderNetwork,
    examples: Sequence[Example],
    *,
    step: int,
    pad: int,
    rng: random.Random,
    vectors: Vectors | None,
    half: bool,
) -> Losses:
    """Run one batch through the network; `half` computes the large products in bfloat16."""
    device = network.document.weight.device
    batch = text_batch(examples, pad=pad).to(device)
    units = batch.firsts.shape[1]
    with torch.autocast(device.type, torch.bfloat16, enabled=half):
        x = network.encode(batch.ids, batch.forms, batch.firsts, batch.mask)
        logits = network.spans(network.dropout(x), batch.band, batch.widths).float()
    target = span_targets(examples, units).to(device)
    mentions = sum(len(e.spans) for e in examples)
    span = functional.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=UNKNOWN, reduction="sum")
    x = x.float()
    scores = logits.detach().cpu().numpy()
    clusters = [_clusters_of(e, s, units, step=step, rng=rng) for e, s in zip(examples, scores, strict=True)]
    zero = x.new_zeros(())
    kind = flag = relation = zero
    rows = [i for i, c in enumerate(clusters) if c]
    if rows:
        inputs = cluster_batch([describe(clusters[i], examples[i].units) for i in rows], units)
        targets = target_batch([targets_for(clusters[i], examples[i]) for i in rows])
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            out = network.relations(x[rows], batch.unit_mask[rows], *(t.to(device) for t in inputs))
        kind, flag, relation = _cluster_losses([o.float() for o in out], [t.to(device) for t in targets])
    similar = _similarity(network, x, examples, vectors) if vectors else zero
    return Losses(span / max(1, mentions), kind, flag, relation, similar)


def _clusters_of(example: Example, logits: np.ndarray, units: int, *, step: int, rng: random.Random) -> list[Cluster]:
    """Cluster predicted spans or, early and at times, the annotated ones with their predicted scores."""
    first, last = band(units)
    if step >= PREDICTED_FROM and rng.random() < PREDICTED:
        inside = last < len(example.units)
        spans = choose_spans(logits[inside], example.units, bias=rng.uniform(*BIAS), vote=0.0)
        clusters = grouped(spans, example)
        return sorted(clusters, key=lambda c: -max(s.odds for s in c.spans))[:MOST_CLUSTERS]
    place = {pair: k for k, pair in enumerate(zip(first.tolist(), last.tolist(), strict=True))}
    known = [(a, b, place[a, b]) for a, b, *_ in sorted(example.spans) if (a, b) in place]
    if not known:
        return []
    scores = log_softmax(logits[[k for *_, k in known]])
    return grouped([Span(a, b, s) for (a, b, _), s in zip(known, scores, strict=True)], example)


def _cluster_losses(outputs: list[Tensor], targets: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    kinds, flags, relations = outputs
    kind, keep, flag, relation = targets
    real = kind != UNKNOWN
    whole = functional.cross_entropy(kinds[real], kind[real], reduction="none")
    # an optional entity may be kept or dropped, but its type is known
    typed = functional.cross_entropy(kinds[real][:, 1:], (kind[real] - 1).clamp(min=0), reduction="none")
    kind_loss = torch.where(keep[real] > 0, whole, typed).mean()
    flag_loss = functional.binary_cross_entropy_with_logits(flags[real], flag[real])
    stated = int((relation > 0).sum())
    pair_loss = functional.cross_entropy(
        relations.flatten(0, 2), relation.flatten(), ignore_index=UNKNOWN, reduction="sum"
    )
    return kind_loss, flag_loss, pair_loss / max(8, stated)


def _similarity(network: ReaderNetwork, x: Tensor, examples: Sequence[Example], vectors: Vectors) -> Tensor:
    """Return how far vectors, and their cosine with the document's, are from the sentence encoder's."""
    means, wanted, owner, documents, targets = [], [], [], [], []
    for i, example in enumerate(examples):
        document, phrases = vectors.of(example)
        documents.append(x[i, : len(example.units)].mean(0))
        targets.append(document)
        for a, b, vector in phrases:
            means.append(x[i, a : b + 1].mean(0))
            wanted.append(vector)
            owner.append(i)
    ours = functional.normalize(network.document(torch.stack(documents)), dim=-1)
    theirs = torch.from_numpy(np.stack(targets)).to(x)
    loss = (1 - (ours * theirs).sum(-1)).mean()
    if means:
        phrase = functional.normalize(network.phrase(torch.stack(means)), dim=-1)
        phrase_target = torch.from_numpy(np.stack(wanted)).to(x)
        near = functional.mse_loss((phrase * ours[owner]).sum(-1), (phrase_target * theirs[owner]).sum(-1))
        loss = loss + (1 - (phrase * phrase_target).sum(-1)).mean() + COSINE * near
    return loss
