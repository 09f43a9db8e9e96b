"""Write a trained network as the folder that the reader runs: int8 ONNX graphs, a vocabulary, a config.

    python -m extractors.training.export CHECKPOINT ENCODER_FOLDER OUT_FOLDER

`encoder.onnx` reads pieces and gives unit vectors, span scores and the vectors for keyphrases;
`relations.onnx` reads unit vectors and clusters, `answers.onnx` unit vectors and a number. All take one
text. `extractors.training.tune` adds the thresholds.
"""

from __future__ import annotations

import copy
import json
import shutil
import sys
import tempfile
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from extractors.questions import ROLES
from extractors.reader.answers import FEATURES as ANSWER_FEATURES
from extractors.reader.answers import MARKS, PLACES, AnswerInput
from extractors.reader.clusters import FEATURES
from extractors.reader.decode import Settings
from extractors.reader.labels import TYPES, WIDEST
from extractors.reader.session import ANSWERS, CONFIG, ENCODER, RELATIONS, VOCABULARY
from extractors.training.batches import band_of
from extractors.training.network import CLASSES, Layer, ReaderNetwork, RelationNetwork, Sizes, SpanHead

OPSET = 17
FUSED = {"com.microsoft": 1}
"""The operators that onnxruntime adds, by version."""
BLOCK = 32
"""Units whose spans are scored together."""


class _Attention(torch.autograd.Function):
    """Attention as one operator of onnxruntime, which keeps each head's scores in the cache."""

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, heads: int) -> Tensor:
        parts = (t.view(*t.shape[:2], heads, -1).transpose(1, 2) for t in (q, k, v))
        return functional.scaled_dot_product_attention(*parts).transpose(1, 2).reshape(q.shape)

    @staticmethod
    def symbolic(g: Any, q: Any, k: Any, v: Any, heads: int) -> Any:
        return g.op("com.microsoft::MultiHeadAttention", q, k, v, num_heads_i=heads).setType(q.type())


class _Layer(nn.Module):
    """A transformer layer over one text, so without a mask."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor, _: None) -> Tensor:
        layer = self.layer
        q, k, v = layer.qkv(x).split(x.shape[-1], -1)
        x = layer.norm_a(x + layer.out(_Attention.apply(q, k, v, layer.heads)))
        return layer.norm_b(x + layer.down(functional.gelu(layer.up(x))))


class _Spans(nn.Module):
    """The span head that scores blocks of units against the units they reach, not all against all."""

    def __init__(self, spans: SpanHead) -> None:
        super().__init__()
        self.spans = spans
        classes, size, _ = spans.product.shape
        # one matrix, which the int8 product knows
        self.register_buffer("product", spans.product.detach().permute(1, 0, 2).reshape(size, classes * size))

    def forward(self, x: Tensor, band: Tensor, widths: Tensor) -> Tensor:
        units = x.shape[1]
        first, last = (functional.pad(part(x[0]), (0, 1), value=1.0) for part in (self.spans.first, self.spans.last))
        blocks = torch.arange((units + BLOCK - 1) // BLOCK)[:, None] * BLOCK
        rows = (blocks + torch.arange(BLOCK + WIDEST - 1)[None]).clamp(max=units - 1)
        asked = (first @ self.product)[rows[:, :BLOCK]].view(-1, BLOCK * CLASSES, first.shape[1])
        scores = (asked @ last[rows].transpose(1, 2)).view(-1, BLOCK, CLASSES, BLOCK + WIDEST - 1)
        begin = band // units
        places = begin * (BLOCK + WIDEST - 1) + begin % BLOCK + widths
        return (scores.transpose(2, 3).reshape(-1, CLASSES)[places] + self.spans.wide[widths])[None]


class _EncoderGraph(nn.Module):
    def __init__(self, network: ReaderNetwork) -> None:
        super().__init__()
        self.network = network
        self.spans = _Spans(network.spans)

    def forward(
        self, ids: Tensor, forms: Tensor, firsts: Tensor, band: Tensor, widths: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.network.encode(ids, forms, firsts, None)
        return (
            x,
            self.spans(x, band, widths),
            self.network.document(x.mean(1)),
            self.network.phrase(x),
        )


class _Relations(RelationNetwork):
    """The relation network over one text, whose rows are taken whole and not value by value."""

    def _pool(self, y: Tensor, mentions: Tensor, present: Tensor) -> Tensor:
        ends = y[0][mentions].mean(3)
        return torch.logsumexp(ends.masked_fill(~present.unsqueeze(-1), -1e4), 2)

    def _between(self, y: Tensor, between: Tensor) -> Tensor:
        sums = functional.pad(y[0].cumsum(0), (0, 0, 1, 0))
        low, high = between.unbind(3)
        return (sums[high] - sums[low]) / (high - low).clamp(min=1).unsqueeze(-1)


class _RelationGraph(nn.Module):
    def __init__(self, network: ReaderNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor, *given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.network.relations(x, None, *given)


class _AnswerGraph(nn.Module):
    """The answers of one number in one text."""

    def __init__(self, network: ReaderNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor, markers: Tensor, value: Tensor, *options: Tensor) -> Tensor:
        owners = torch.zeros_like(options[-1])
        return self.network.answers(x[None], None, markers[None], value[None], owners, *options)


def _fused(network: ReaderNetwork) -> ReaderNetwork:
    """Return a copy that says the same of one text with operators that are fast in onnxruntime."""
    network = copy.deepcopy(network)
    network.encoder.layers = nn.ModuleList(_Layer(layer) for layer in network.encoder.layers)
    network.relations.layer = _Layer(network.relations.layer)
    network.answers.layer = _Layer(network.answers.layer)
    network.relations.__class__ = _Relations
    return network


def load_network(checkpoint: Path, *, average: bool = True) -> ReaderNetwork:
    """Return the network of a checkpoint, with its averaged weights unless told otherwise."""
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    network = ReaderNetwork(Sizes(**state["sizes"]))
    network.take({**state["network"], **(state["average"] if average else {})})
    return network.eval()


def export(network: ReaderNetwork, encoder: Path, out: Path, *, int8: bool = True, answers: bool = False) -> None:
    """Write a model folder.

    Args:
        network: The trained network.
        encoder: Folder that holds the vocabulary.
        out: The folder to write.
        int8: Make the graphs a quarter of the size and faster, at a small loss.
        answers: Write what numbers belong to as well; where that was not learned, counted weights alone decide.
    """
    out.mkdir(parents=True, exist_ok=True)
    network = _fused(network)
    with tempfile.TemporaryDirectory() as scratch:
        for name, make in _GRAPHS[: 3 if answers else 2]:
            plain = Path(scratch) / name
            make(network, plain)
            if int8:
                _quantise(plain, out / name)
            else:
                shutil.copy(plain, out / name)
    shutil.copy(encoder / "tokenizer.json", out / VOCABULARY)
    (out / CONFIG).write_text(json.dumps({"settings": asdict(Settings())}, indent=1) + "\n", "utf-8")


def _export_encoder(network: ReaderNetwork, file: Path) -> None:
    length, units = 40, 30
    band, widths = band_of(units)
    inputs = (
        torch.randint(0, network.sizes.vocabulary, (1, length)),
        torch.zeros(1, length, dtype=torch.long),
        torch.arange(1, units + 1)[None],
        band,
        widths,
    )
    torch.onnx.export(
        _EncoderGraph(network).eval(),
        inputs,
        str(file),
        input_names=["ids", "forms", "firsts", "band", "widths"],
        output_names=["x", "spans", "document", "words"],
        dynamic_axes={
            "ids": {1: "length"},
            "forms": {1: "length"},
            "firsts": {1: "units"},
            "band": {0: "spans"},
            "widths": {0: "spans"},
            "x": {1: "units"},
            "spans": {1: "spans"},
            "words": {1: "units"},
        },
        opset_version=OPSET,
        custom_opsets=FUSED,
        dynamo=False,
    )


def _export_relations(network: ReaderNetwork, file: Path) -> None:
    units, count, most = 30, 5, 3
    inputs = (
        torch.randn(1, units, network.sizes.width),
        torch.rand(1, units, 2 * len(TYPES)),
        torch.randint(0, units, (1, count, most, 2)),
        torch.ones(1, count, most, dtype=torch.bool),
        torch.randn(1, count, FEATURES),
        torch.zeros(1, count, count, 2, dtype=torch.long),
        torch.zeros(1, count, count, 2, dtype=torch.long),
    )
    names = ["x", "markers", "mentions", "present", "features", "pairs", "between"]
    torch.onnx.export(
        _RelationGraph(network).eval(),
        inputs,
        str(file),
        input_names=names,
        output_names=["kind", "flags", "relation"],
        dynamic_axes={
            "x": {1: "units"},
            "markers": {1: "units"},
            "mentions": {1: "count", 2: "most"},
            "present": {1: "count", 2: "most"},
            "features": {1: "count"},
            "pairs": {1: "count", 2: "count_"},
            "between": {1: "count", 2: "count_"},
            "kind": {1: "count"},
            "flags": {1: "count"},
            "relation": {1: "count", 2: "count_"},
        },
        opset_version=OPSET,
        custom_opsets=FUSED,
        dynamo=False,
    )


def _export_answers(network: ReaderNetwork, file: Path) -> None:
    units, options = 30, 7
    inputs = (
        torch.randn(units, network.sizes.width),
        torch.rand(units, MARKS),
        torch.ones(units),
        torch.randint(0, units, (options, PLACES, 2)),
        torch.ones(options, PLACES, dtype=torch.bool),
        torch.randn(options, ANSWER_FEATURES),
        torch.randn(options),
        torch.randint(0, len(ROLES), (options,)),
    )
    names = ["x", *AnswerInput.__slots__]
    torch.onnx.export(
        _AnswerGraph(network).eval(),
        inputs,
        str(file),
        input_names=names,
        output_names=["scores"],
        dynamic_axes={
            name: {0: "units" if name in ("x", "markers", "value") else "options"} for name in [*names, "scores"]
        },
        opset_version=OPSET,
        custom_opsets=FUSED,
        dynamo=False,
    )


_GRAPHS = ((ENCODER, _export_encoder), (RELATIONS, _export_relations), (ANSWERS, _export_answers))


def _quantise(plain: Path, out: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    prepared = plain.with_suffix(".prepared.onnx")
    quant_pre_process(str(plain), str(prepared), skip_symbolic_shape=True)
    graph = onnx.load(str(prepared)).graph
    matrices = {i.name for i in graph.initializer if len(i.dims) == 2}
    # the biaffine tensors have a zero point for each class, which the int8 product does not know
    stacked = [n.name for n in graph.node if n.op_type == "MatMul" and not matrices.intersection(n.input)]
    shrink = partial(quantize_dynamic, weight_type=QuantType.QInt8, per_channel=True)
    products = plain.with_suffix(".products.onnx")
    # seven bits: sums of products of eight overflow on processors without VNNI, and a text would read otherwise there
    shrink(str(prepared), str(products), op_types_to_quantize=["MatMul"], reduce_range=True, nodes_to_exclude=stacked)
    shrink(str(products), str(out), op_types_to_quantize=["Gather"])


def main(checkpoint: str, encoder: str, out: str) -> None:
    """Export a checkpoint and say how large the files are and how far the scores moved."""
    network = load_network(Path(checkpoint))
    answers = bool(torch.load(checkpoint, map_location="cpu", weights_only=True)["recipe"].get("answers"))
    export(network, Path(encoder), Path(out), answers=answers)
    for file in sorted(Path(out).iterdir()):
        print(f"{file.name:20}{file.stat().st_size / 1e6:8.1f} MB")
    print(f"weights of {np.sum([p.numel() for p in network.parameters()]) / 1e6:.1f}M parameters")


if __name__ == "__main__":
    main(*sys.argv[1:4])
