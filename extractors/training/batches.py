"""Batches of papers of like length, in an order that depends on seed and epoch alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from extractors.reader.answers import MARKS
from extractors.reader.clusters import ClusterInput
from extractors.reader.spans import band
from extractors.training.annotations import UNKNOWN, ClusterTargets, Example, NumberExample

BLOCK = 50
"""Batches that are sorted by length together: enough to save padding, few enough to stay random."""
ROUND = 16
"""Lengths are padded to multiples of this, so that kernels meet few distinct shapes."""


def batch_order(lengths: Sequence[int], *, size: int, seed: int, epoch: int) -> list[list[int]]:
    """Return the batches of one epoch as lists of example numbers; a rest too small for one is left out."""
    rng = random.Random(f"{seed}:{epoch}")
    order = list(range(len(lengths)))
    rng.shuffle(order)
    batches = []
    for begin in range(0, len(order), size * BLOCK):
        block = sorted(order[begin : begin + size * BLOCK], key=lambda i: lengths[i])
        batches += [block[i : i + size] for i in range(0, len(block) - size + 1, size)]
    rng.shuffle(batches)
    return batches


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Texts as tensors; the masks have shape (batch, 1, 1, length), True where there is text."""

    ids: Tensor
    forms: Tensor
    firsts: Tensor
    mask: Tensor
    unit_mask: Tensor
    band: Tensor
    widths: Tensor

    def to(self, device: torch.device) -> TextBatch:
        """Return the batch on a device."""
        return TextBatch(*(getattr(self, name).to(device) for name in self.__slots__))


def _rounded(length: int) -> int:
    return -(-length // ROUND) * ROUND


@lru_cache(maxsize=64)
def band_of(count: int) -> tuple[Tensor, Tensor]:
    """Return flat places and widths of all spans of a text of `count` units, as the span head takes them."""
    first, last = band(count)
    return torch.from_numpy(first * count + last), torch.from_numpy(last - first)


def text_batch(examples: Sequence[Example], *, pad: int) -> TextBatch:
    """Pad texts to one length."""
    length = _rounded(max(len(e.row.ids) for e in examples))
    units = _rounded(max(len(e.units) for e in examples))
    ids = np.full((len(examples), length), pad, np.int64)
    forms = np.zeros((len(examples), length), np.int64)
    firsts = np.zeros((len(examples), units), np.int64)
    mask = np.zeros((len(examples), 1, 1, length), bool)
    unit_mask = np.zeros((len(examples), 1, 1, units), bool)
    for i, example in enumerate(examples):
        row = example.row
        ids[i, : len(row.ids)] = row.ids
        forms[i, : len(row.forms)] = row.forms
        firsts[i, : len(row.firsts)] = row.firsts
        mask[i, ..., : len(row.ids)] = True
        unit_mask[i, ..., : len(row.firsts)] = True
    places, widths = band_of(units)
    return TextBatch(
        torch.from_numpy(ids),
        torch.from_numpy(forms),
        torch.from_numpy(firsts),
        torch.from_numpy(mask),
        torch.from_numpy(unit_mask),
        places,
        widths,
    )


def span_targets(examples: Sequence[Example], units: int) -> Tensor:
    """Return the class of every span of the padded band, UNKNOWN where it crosses a sentence's end or none is known."""
    first, last = band(units)
    out = np.full((len(examples), len(first)), UNKNOWN, np.int64)
    place = {pair: k for k, pair in enumerate(zip(first.tolist(), last.tolist(), strict=True))}
    for i, example in enumerate(examples):
        sentences = np.full(units, -1)
        sentences[: len(example.units)] = example.units.sentences
        inside = (sentences[first] == sentences[last]) & (sentences[first] >= 0) & example.read
        out[i, inside] = 0
        for a, b, kind, _ in example.spans:
            if (a, b) in place:
                out[i, place[a, b]] = kind
    return torch.from_numpy(out)


def cluster_batch(inputs: Sequence[ClusterInput], units: int) -> tuple[Tensor, ...]:
    """Pad cluster inputs to one shape: markers, mentions, present, features, pairs, between."""
    count = max(len(i.features) for i in inputs)
    most = max(i.mentions.shape[1] for i in inputs)
    shapes = {
        "markers": (units, inputs[0].markers.shape[1]),
        "mentions": (count, most, 2),
        "present": (count, most),
        "features": (count, inputs[0].features.shape[1]),
        "pairs": (count, count, 2),
        "between": (count, count, 2),
    }
    return tuple(_stacked([getattr(i, name) for i in inputs], shape) for name, shape in shapes.items())


def answer_batch(numbers: Sequence[NumberExample], units: int) -> tuple[Tensor, ...]:
    """Pad the texts of numbers to one length, and lay their options in one row.

    Returns:
        markers, value, owners, places, present, features, counted, roles as `AnswerNetwork` takes them; right.
    """
    given = [number.given for number in numbers]
    owners = np.repeat(np.arange(len(given)), [len(g.roles) for g in given])
    options = ("places", "present", "features", "counted", "roles")
    return (
        _stacked([g.markers for g in given], (units, MARKS)),
        _stacked([g.value for g in given], (units,)),
        torch.from_numpy(owners),
        *(torch.from_numpy(np.concatenate([getattr(g, name) for g in given])) for name in options),
        torch.from_numpy(np.concatenate([number.right for number in numbers])),
    )


def target_batch(targets: Sequence[ClusterTargets]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Pad targets to one shape: kind and relation with UNKNOWN, keep and flags with 0."""
    count = max(len(t.kind) for t in targets)
    return (
        _stacked([t.kind for t in targets], (count,), fill=UNKNOWN),
        _stacked([t.keep for t in targets], (count,)),
        _stacked([t.flags for t in targets], (count, 2)),
        _stacked([t.relation for t in targets], (count, count), fill=UNKNOWN),
    )


def _stacked(arrays: Sequence[np.ndarray], shape: tuple[int, ...], *, fill: int = 0) -> Tensor:
    out = np.full((len(arrays), *shape), fill, arrays[0].dtype)
    for i, array in enumerate(arrays):
        region: tuple[int | slice, ...] = (i, *(slice(n) for n in array.shape))
        out[region] = array
    return torch.from_numpy(out)
