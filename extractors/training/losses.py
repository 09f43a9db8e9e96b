"""What the network is taught in one step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from extractors.questions import ROLES
from extractors.reader.clusters import Cluster, describe
from extractors.reader.spans import Span, band, choose_spans, log_softmax
from extractors.training.annotations import UNKNOWN, Example, NumberExample, grouped, targets_for
from extractors.training.batches import answer_batch, cluster_batch, span_targets, target_batch, text_batch
from extractors.training.network import ReaderNetwork
from extractors.training.similarity import Vectors

PREDICTED = 0.65
"""Share of papers whose clusters are made of predicted spans, so that the network learns what to drop."""
BIAS = (-0.5, 1.2)
"""Range of the bias that spans are predicted with in training: mostly generous, as in use."""
COSINE = 10.0
"""Weight of cosines within the similarity loss: they rank keyphrases, and their errors are small."""
MOST_CLUSTERS = 36
"""Clusters of a paper that a step looks at, the surest first: their pairs are what costs."""
KIND = 1.5
"""Weight of what is kept as an entity: few decisions a paper, and those that users see."""
FLAG = 2.0
"""The same of what is introduced."""
SIMILARITY = 0.5
"""Weight of the similarity loss: small beside the others' sum of 2 to 4."""
ANSWER = 2.0
"""Weight of what numbers belong to: a quarter of the papers say any."""
ON = 1.5
"""Weight within it of what a number is on, which is wrong more often than its method or metric."""
FOUND = 0.65
"""Share of papers whose numbers are asked among found entities, as in use, not among the annotated ones."""
NUMBERS = 4
"""Numbers of a paper that a step asks."""
COUNTED = 0.85
"""Share of steps that are told the counted log-odds; in the others the network learns to stand alone."""


@dataclass(frozen=True, slots=True)
class Losses:
    """The parts of one step's loss, each a scalar tensor."""

    span: Tensor
    kind: Tensor
    flag: Tensor
    relation: Tensor
    similarity: Tensor
    answer: Tensor

    def total(self) -> Tensor:
        """Return the loss to go down."""
        entities = self.span + KIND * self.kind + FLAG * self.flag + self.relation
        return entities + SIMILARITY * self.similarity + ANSWER * self.answer

    def numbers(self) -> dict[str, float]:
        """Return the parts as numbers."""
        return {name: float(getattr(self, name).detach()) for name in self.__slots__}


def losses_of(
    network: ReaderNetwork,
    examples: Sequence[Example],
    *,
    predicted: bool,
    pad: int,
    rng: random.Random,
    vectors: Vectors | None,
    half: bool,
) -> Losses:
    """Run one batch through the network.

    `predicted` lets clusters be made of predicted spans; `half` computes the large products in bfloat16.
    """
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
    clusters = [_clusters_of(e, s, units, predicted=predicted, rng=rng) for e, s in zip(examples, scores, strict=True)]
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
    answer = _answers(network, x, batch.unit_mask, examples, rng)
    return Losses(span / max(1, mentions), kind, flag, relation, similar, answer)


def _clusters_of(
    example: Example, logits: np.ndarray, units: int, *, predicted: bool, rng: random.Random
) -> list[Cluster]:
    """Cluster predicted spans or, early and at times, the annotated ones with their predicted scores."""
    first, last = band(units)
    if not example.read:
        return []
    if predicted and rng.random() < PREDICTED:
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


def _answers(
    network: ReaderNetwork, x: Tensor, mask: Tensor, examples: Sequence[Example], rng: random.Random
) -> Tensor:
    """Return the mean negative log-probability that a right option of a result's role is chosen."""
    rows: list[int] = []
    numbers: list[NumberExample] = []
    for i, example in enumerate(examples):
        if example.numbers:
            group = example.numbers[0 if rng.random() < FOUND else -1]
            numbers += rng.sample(group, min(NUMBERS, len(group)))
            rows += [i] * (len(numbers) - len(rows))
    if not numbers:
        return x.new_zeros(())
    *inputs, counted, roles, right = (t.to(x.device) for t in answer_batch(numbers, x.shape[1]))
    told = counted if rng.random() < COUNTED else torch.zeros_like(counted)
    scores = network.answers(x[rows], mask[rows], *inputs, told, roles)
    return _choice_loss(scores, right, len(ROLES) * inputs[2] + roles)


def _choice_loss(scores: Tensor, right: Tensor, question: Tensor) -> Tensor:
    """Return the loss of options that belong to questions, three for each number; some have no right option."""
    count = int(question.max()) + 1
    top = scores.new_full((count,), -1e9).scatter_reduce(0, question, scores.detach(), "amax")
    odds = torch.exp(scores - top[question])
    total, good = (scores.new_zeros(count).index_add(0, question, part) for part in (odds, odds * right))
    known = scores.new_zeros(count).index_add(0, question, right.to(scores.dtype)) > 0
    weight = scores.new_tensor([1.0, 1.0, ON]).repeat(-(-count // len(ROLES)))[:count]
    lost = (torch.log(total) - torch.log(good + 1e-30)) * weight
    return lost[known].sum() / known.sum().clamp(min=1)


def _similarity(network: ReaderNetwork, x: Tensor, examples: Sequence[Example], vectors: Vectors) -> Tensor:
    """Return how far vectors, and their cosine with the document's, are from the sentence encoder's.

    Papers whose vectors are not known teach nothing of them.
    """
    means, wanted, owner, documents, targets = [], [], [], [], []
    for i, example in enumerate(examples):
        if example.id not in vectors:
            continue
        document, phrases = vectors.of(example)
        documents.append(x[i, : len(example.units)].mean(0))
        targets.append(document)
        for a, b, vector in phrases:
            means.append(x[i, a : b + 1].mean(0))
            wanted.append(vector)
            owner.append(len(documents) - 1)
    if not documents:
        return x.new_zeros(())
    ours = functional.normalize(network.document(torch.stack(documents)), dim=-1)
    theirs = torch.from_numpy(np.stack(targets)).to(x)
    loss = (1 - (ours * theirs).sum(-1)).mean()
    if means:
        phrase = functional.normalize(network.phrase(torch.stack(means)), dim=-1)
        phrase_target = torch.from_numpy(np.stack(wanted)).to(x)
        near = functional.mse_loss((phrase * ours[owner]).sum(-1), (phrase_target * theirs[owner]).sum(-1))
        loss = loss + (1 - (phrase * phrase_target).sum(-1)).mean() + COSINE * near
    return loss
