"""The joint reader as a torch module: a BERT encoder, a span head, and a relation network over clusters.

References:
    Dozat and Manning, 2017: Deep Biaffine Attention for Neural Dependency Parsing.
    Zhou et al., 2021: Document-Level Relation Extraction with Adaptive Thresholding and Localized Context
        Pooling.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from extractors.questions import ROLES
from extractors.reader.answers import FEATURES as ANSWER_FEATURES
from extractors.reader.answers import MARKS, TYPED
from extractors.reader.clusters import DISTANCES, FEATURES, OVERLAPS
from extractors.reader.labels import RELATIONS, TYPES, WIDEST
from extractors.reader.units import FORMS

CLASSES = len(TYPES) + 1
PAIRS = len(RELATIONS) + 2
"""Classes of a pair: none, the relations, the same entity."""
FLAGS = 2
"""Introduced by the paper; core to it."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of the encoder, read from its config.json, and of the heads."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    inner: int
    positions: int
    norm_eps: float = 1e-12
    span: int = 192
    pair: int = 192
    looks: int = 4
    answer: int = 128
    dropout: float = 0.15
    encoder_dropout: float = 0.0

    @classmethod
    def of_encoder(cls, folder: Path, **changes: float) -> Sizes:
        """Read the sizes of a BERT folder."""
        config = json.loads((folder / "config.json").read_text("utf-8"))
        return cls(
            vocabulary=config["vocab_size"],
            width=config["hidden_size"],
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            inner=config["intermediate_size"],
            positions=config["max_position_embeddings"],
            norm_eps=config["layer_norm_eps"],
            **changes,  # type: ignore[arg-type]
        )


def half_pays() -> bool:
    """Say whether bfloat16 products are fast here: on a GPU or a processor with instructions for them."""
    if torch.cuda.is_available():
        return True
    flags = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    return "avx512_bf16" in flags or "amx_bf16" in flags


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Attend with queries, keys and values (batch, heads, length, size).

    On a processor in bfloat16 the fused kernel's backward pass takes four times as long as plain products.
    """
    if q.dtype != torch.bfloat16 or q.device.type != "cpu" or mask is None:
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    batch, heads, length, size = q.shape
    flat = lambda t: t.contiguous().view(batch * heads, length, size)  # noqa: E731
    bias = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(~mask, -1e4)
    bias = bias.expand(batch, heads, length, length).reshape(batch * heads, length, length)
    with torch.autocast("cpu", enabled=False):
        scores = torch.baddbmm(bias, flat(q), flat(k).transpose(1, 2), alpha=size**-0.5)
        return (torch.softmax(scores, -1) @ flat(v)).view(batch, heads, length, size)


class Layer(nn.Module):
    """A post-norm transformer layer with one matrix for queries, keys and values."""

    def __init__(self, width: int, heads: int, inner: int, *, eps: float, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm_a = nn.LayerNorm(width, eps=eps)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm_b = nn.LayerNorm(width, eps=eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Map x (batch, length, width) under a mask (batch, 1, 1, length) that is True where one may look."""
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = attend(q, k, v, mask)
        x = self.norm_a(x + self.dropout(self.out(seen.transpose(1, 2).reshape(batch, length, width))))
        return self.norm_b(x + self.dropout(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    """BERT, with an embedding of letter shapes added to the word pieces of an uncased vocabulary."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.words = nn.Embedding(sizes.vocabulary, sizes.width)
        self.places = nn.Embedding(sizes.positions, sizes.width)
        self.norm = nn.LayerNorm(sizes.width, eps=sizes.norm_eps)
        self.forms = nn.Embedding(FORMS, sizes.width)
        nn.init.zeros_(self.forms.weight)
        self.layers = nn.ModuleList(
            Layer(sizes.width, sizes.heads, sizes.inner, eps=sizes.norm_eps, dropout=sizes.encoder_dropout)
            for _ in range(sizes.layers)
        )

    def forward(self, ids: Tensor, forms: Tensor, mask: Tensor | None) -> Tensor:
        """Map ids and forms (batch, length) to vectors (batch, length, width)."""
        x = self.words(ids) + self.places.weight[: ids.shape[1]] + self.forms(forms)
        x = self.norm(x)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def load_bert(self, file: Path) -> None:
        """Take the weights of a BERT model.safetensors."""
        from safetensors.torch import load_file

        given = {k.removeprefix("bert."): v.float() for k, v in load_file(file).items()}
        state = {
            # type 0 is all that a single text has, so its embedding is part of every word's
            "words.weight": given["embeddings.word_embeddings.weight"]
            + given["embeddings.token_type_embeddings.weight"][0],
            "places.weight": given["embeddings.position_embeddings.weight"],
            "norm.weight": given["embeddings.LayerNorm.weight"],
            "norm.bias": given["embeddings.LayerNorm.bias"],
            "forms.weight": self.forms.weight,
        }
        names = {
            "out": "attention.output.dense",
            "norm_a": "attention.output.LayerNorm",
            "up": "intermediate.dense",
            "down": "output.dense",
            "norm_b": "output.LayerNorm",
        }
        for i in range(len(self.layers)):
            for part in ("weight", "bias"):
                state[f"layers.{i}.qkv.{part}"] = torch.cat(
                    [given[f"encoder.layer.{i}.attention.self.{n}.{part}"] for n in ("query", "key", "value")]
                )
                for ours, theirs in names.items():
                    state[f"layers.{i}.{ours}.{part}"] = given[f"encoder.layer.{i}.{theirs}.{part}"]
        self.load_state_dict(state)


def _projection(inputs: int, outputs: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, outputs), nn.GELU(), nn.Dropout(dropout))


class SpanHead(nn.Module):
    """Biaffine class scores of all spans of at most WIDEST units."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.first = _projection(sizes.width, sizes.span, sizes.dropout)
        self.last = _projection(sizes.width, sizes.span, sizes.dropout)
        self.product = nn.Parameter(torch.randn(CLASSES, sizes.span + 1, sizes.span + 1) / sizes.span)
        self.wide = nn.Parameter(torch.zeros(WIDEST, CLASSES))
        with torch.no_grad():  # one span in 200 is an entity; to start there saves the first hundred steps
            self.wide[:, 0] = 5.0

    def forward(self, x: Tensor, band: Tensor, widths: Tensor) -> Tensor:
        """Score spans.

        Args:
            x: Unit vectors, (batch, units, width).
            band: first * units + last of each span, (spans,).
            widths: last - first of each span, (spans,).

        Returns:
            Class logits, (batch, spans, CLASSES).
        """
        first, last = (
            functional.pad(self.first(x), (0, 1), value=1.0),
            functional.pad(self.last(x), (0, 1), value=1.0),
        )
        scores = first.unsqueeze(1) @ self.product @ last.unsqueeze(1).transpose(-1, -2)
        return scores.flatten(2).index_select(2, band).transpose(1, 2) + self.wide[widths]


class RelationNetwork(nn.Module):
    """Class and flags of clusters, and relations of their pairs, from the whole text."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width, pair = sizes.width, sizes.pair
        self.looks = sizes.looks
        self.marker = nn.Linear(2 * len(TYPES), width, bias=False)
        nn.init.normal_(self.marker.weight, std=0.02)
        self.layer = Layer(width, sizes.heads, 4 * width, eps=sizes.norm_eps, dropout=sizes.dropout)
        self.cluster = _projection(width + FEATURES, width, sizes.dropout)
        self.kind = nn.Linear(width + FEATURES, CLASSES)
        self.flag = nn.Linear(width + FEATURES, FLAGS)
        self.head = _projection(width + FEATURES, pair, sizes.dropout)
        self.tail = _projection(width + FEATURES, pair, sizes.dropout)
        self.product = nn.Parameter(torch.randn(PAIRS, pair, pair) * 0.3 / pair)
        self.ask = nn.Linear(width, 2 * pair)
        self.key = nn.Linear(width, pair)
        self.value = nn.Linear(width, pair)
        self.middle = nn.Linear(width, pair, bias=False)
        self.distance = nn.Embedding(DISTANCES, pair)
        self.overlap = nn.Embedding(OVERLAPS, pair)
        self.join = nn.Linear(3 * pair, pair)
        self.dropout = nn.Dropout(sizes.dropout)
        self.relation = nn.Linear(pair, PAIRS)
        with torch.no_grad():
            self.relation.bias[0] = 3.0

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None,
        markers: Tensor,
        mentions: Tensor,
        present: Tensor,
        features: Tensor,
        pairs: Tensor,
        between: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Score clusters and pairs; inputs are those of `ClusterInput` with a batch axis in front.

        Returns:
            Class logits (batch, C, CLASSES), flag logits (batch, C, FLAGS), pair logits (batch, C, C, PAIRS).
        """
        y = self.layer(x + self.marker(markers), mask).to(x.dtype)
        z = self._pool(y, mentions, present)
        z = torch.cat([self.cluster(torch.cat([z, features], -1)), features], -1)
        head, tail = self.head(z), self.tail(z)
        bilinear = (head.unsqueeze(1) @ self.product @ tail.unsqueeze(1).transpose(-1, -2)).permute(0, 2, 3, 1)
        context = self._look(y, z[..., : y.shape[-1]], mask) + self.middle(self._between(y, between))
        # join([head, tail, context]) without a copy of head and tail for every pair
        of_head, of_tail, of_context = self.join.weight.chunk(3, 1)
        joined = (head @ of_head.T).unsqueeze(2) + (tail @ of_tail.T).unsqueeze(1) + context @ of_context.T
        joined = joined + self.join.bias + self.distance(pairs[..., 0]) + self.overlap(pairs[..., 1])
        return self.kind(z), self.flag(z), bilinear + self.relation(self.dropout(functional.gelu(joined)))

    def _pool(self, y: Tensor, mentions: Tensor, present: Tensor) -> Tensor:
        batch, count, most, _ = mentions.shape
        places = mentions.reshape(batch, count * most * 2, 1).expand(-1, -1, y.shape[-1])
        ends = y.gather(1, places).view(batch, count, most, 2, -1).mean(3)
        return torch.logsumexp(ends.masked_fill(~present.unsqueeze(-1), -1e4), 2)

    def _look(self, y: Tensor, z: Tensor, mask: Tensor | None) -> Tensor:
        """Return what a pair of clusters looks at together, (batch, C, C, pair)."""
        batch, count, _ = z.shape
        size = self.key.out_features // self.looks
        ask = self.ask(z).view(batch, count, 2, self.looks, size)
        key = self.key(y).view(batch, -1, self.looks, size)
        value = self.value(y).view(batch, -1, self.looks, size).transpose(1, 2)
        scores = torch.einsum("bcshd,buhd->sbhcu", ask, key) / size**0.5
        scores = scores[0].unsqueeze(3) + scores[1].unsqueeze(2)
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(3), -1e4)
        seen = torch.softmax(scores, -1).flatten(2, 3) @ value
        return seen.view(batch, self.looks, count, count, size).permute(0, 2, 3, 1, 4).flatten(3)

    def _between(self, y: Tensor, between: Tensor) -> Tensor:
        """Return the mean of y over each range [low, high), 0 where it is empty, (batch, C, C, width)."""
        batch, count = between.shape[:2]
        sums = functional.pad(y.cumsum(1), (0, 0, 1, 0))
        ends = between.reshape(batch, -1, 1).expand(-1, -1, y.shape[-1])
        low, high = sums.gather(1, ends).view(batch, count, count, 2, -1).unbind(3)
        length = (between[..., 1] - between[..., 0]).clamp(min=1).unsqueeze(-1)
        return (high - low) / length


class AnswerNetwork(nn.Module):
    """Scores what a number's method, metric and ``on`` are, from the whole text with the number marked in it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        roles, width, size = len(ROLES), sizes.width, sizes.answer
        self.marker = nn.Linear(MARKS, width, bias=False)
        nn.init.normal_(self.marker.weight, std=0.02)
        self.layer = Layer(width, sizes.heads, 4 * width, eps=sizes.norm_eps, dropout=sizes.dropout)
        self.value = nn.Linear(width, roles * size)
        self.option = nn.Linear(width, roles * size)
        self.feature = nn.Linear(ANSWER_FEATURES, roles * size)
        self.nothing = nn.Parameter(torch.zeros(roles, width))
        self.weight = nn.Parameter(torch.zeros(roles, 2 * size))
        self.bias = nn.Parameter(torch.zeros(roles))
        self.trust = nn.Parameter(torch.ones(roles))
        self.dropout = nn.Dropout(sizes.dropout)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None,
        markers: Tensor,
        value: Tensor,
        owners: Tensor,
        places: Tensor,
        present: Tensor,
        features: Tensor,
        counted: Tensor,
        roles: Tensor,
    ) -> Tensor:
        """Score options; inputs are those of `AnswerInput`, numbers with a batch axis in front, options in one row.

        Args:
            owners: The number of each option, shape (options,).

        Returns:
            Log-odds of the options, shape (options,).
        """
        y = self.dropout(self.layer(x + self.marker(markers), mask))
        asked = (y * value.unsqueeze(-1)).sum(1) / value.sum(1, keepdim=True)
        ends = y[owners[:, None, None], places].mean(2)
        named = torch.logsumexp(ends.masked_fill(~present.unsqueeze(-1), -1e4), 1)
        named = torch.where(present.any(1, keepdim=True), named, self.nothing[roles])
        a, b, c = (
            self._of_role(self.value(asked)[owners], roles),
            self._of_role(self.option(named), roles),
            self._of_role(self.feature(features), roles),
        )
        joined = self.dropout(torch.cat([functional.gelu(a + b + c), a * b / a.shape[-1] ** 0.5], -1))
        return (joined * self.weight[roles]).sum(-1) + self.bias[roles] + self.trust[roles] * counted

    def _of_role(self, x: Tensor, roles: Tensor) -> Tensor:
        parts = x.view(-1, len(ROLES), x.shape[-1] // len(ROLES))
        return parts.gather(1, roles[:, None, None].expand(-1, 1, parts.shape[-1]))[:, 0]


class ReaderNetwork(nn.Module):
    """All parts of the reader."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.encoder = Encoder(sizes)
        self.dropout = nn.Dropout(sizes.dropout)
        self.spans = SpanHead(sizes)
        self.relations = RelationNetwork(sizes)
        self.answers = AnswerNetwork(sizes)
        self.document = nn.Linear(sizes.width, 384)
        self.phrase = nn.Linear(sizes.width, 384)

    def begin_answers(self) -> None:
        """Let the answer network begin with what the relation network knows of marked entities."""
        self.answers.layer.load_state_dict(self.relations.layer.state_dict())
        with torch.no_grad():
            self.answers.marker.weight[:, TYPED : TYPED + 2 * len(TYPES)] = self.relations.marker.weight

    def take(self, weights: Mapping[str, Tensor]) -> None:
        """Set all weights; those of a reader that was trained without answers leave that network at its beginning."""
        self.load_state_dict(weights, strict=any(name.startswith("answers.") for name in weights))
        if not any(name.startswith("answers.") for name in weights):
            self.begin_answers()

    def encode(self, ids: Tensor, forms: Tensor, firsts: Tensor, mask: Tensor | None) -> Tensor:
        """Return the vectors of units, (batch, units, width), from pieces and each unit's first piece."""
        pieces = self.encoder(ids, forms, mask)
        return pieces.gather(1, firsts.unsqueeze(-1).expand(-1, -1, pieces.shape[-1]))
