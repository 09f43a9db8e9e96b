"""Make the starting checkpoint of a model folder, to train a shipped reader further: its own are not shipped.

    python -m extractors.training.restore MODEL_FOLDER TRAIN.jsonl RUN/last.pt
    python -m extractors.training.trainer trunk TRAIN.jsonl MODEL_FOLDER RUN --minutes 60

Whole-number weights times their scales are what the graphs compute with, so the network says what the folder says
but for the rounding of its inputs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import NodeProto, numpy_helper

from extractors.reader.session import ANSWERS, ENCODER, RELATIONS
from extractors.training.network import CLASSES, ReaderNetwork, Sizes
from extractors.training.trainer import Recipe, begin_with
from kg.errors import InputError


@dataclass(frozen=True)
class _Graph:
    """A graph as the exporter writes it, in whole numbers."""

    graph: onnx.GraphProto

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        return {i.name: numpy_helper.to_array(i) for i in self.graph.initializer}

    @cached_property
    def users(self) -> dict[str, list[NodeProto]]:
        found: dict[str, list[NodeProto]] = {}
        for node in self.graph.node:
            for name in node.input:
                found.setdefault(name, []).append(node)
        return found

    @cached_property
    def heads(self) -> int:
        """Heads of an attention."""
        attributes = (a for node in self.graph.node for a in node.attribute if a.name == "num_heads")
        return next(attributes).i

    def scaled(self, name: str) -> np.ndarray:
        """Return a quantised array as the numbers it stands for."""
        base = name.removesuffix("_quantized")
        whole = self.arrays[name].astype(np.float32) - self.arrays[f"{base}_zero_point"].astype(np.float32)
        return np.asarray(whole * self.arrays[f"{base}_scale"], np.float32)

    def bias_after(self, node: NodeProto) -> str:
        """Return the name of the bias that is added to a product, "" if none is."""
        output = node.output[0]
        for _ in range(3):  # a cast and a product with the scales lie between
            following = self.users.get(output, [])
            if len(following) != 1:
                return ""
            if following[0].op_type == "Add":
                return next((name for name in following[0].input if name.endswith(".bias")), "")
            output = following[0].output[0]
        return ""

    def weights(self) -> Iterator[tuple[str, np.ndarray]]:
        """Yield (name, array) of all weights; those of a product without a bias go by the product's name."""
        for name, array in self.arrays.items():
            if name.startswith("network.") and not name.endswith(("_quantized", "_scale", "_zero_point")):
                yield _plain(name), array
        for node in self.graph.node:
            for name in node.input:
                if name.endswith("_quantized") and name in self.arrays:
                    yield self._quantised(node, name)

    def _quantised(self, node: NodeProto, name: str) -> tuple[str, np.ndarray]:
        if node.op_type != "MatMulInteger":
            return _plain(name.removesuffix("_quantized")), self.scaled(name)
        bias = self.bias_after(node)
        kind = _plain(bias.removesuffix(".bias")) + ".weight" if bias else node.name.removesuffix("_quant").strip("/")
        return kind, self.scaled(name).T


def _plain(name: str) -> str:
    """Return the network's name of a weight: the exporter wraps the network and its layers."""
    return (
        name.removeprefix("network.").replace(".layer.", ".", 1) if ".layer." in name else name.removeprefix("network.")
    )


def restore(folder: Path) -> ReaderNetwork:
    """Return the network of a model folder.

    Raises:
        InputError: the folder's graphs are not those of `extractors.training.export`.
    """
    files = [folder / name for name in (ENCODER, RELATIONS, ANSWERS)]
    graphs = [_Graph(onnx.load(str(file)).graph) for file in files if file.exists() or file.name != ANSWERS]
    found = {name: array for graph in graphs for name, array in graph.weights()}
    try:
        _name_products(found)
        network = ReaderNetwork(_sizes_of(found, heads=graphs[0].heads))
        network.take({name: torch.from_numpy(array.copy()) for name, array in found.items()})
    except (KeyError, RuntimeError, StopIteration) as error:
        raise InputError(f"{folder} holds no int8 graphs of extractors.training.export: {error}") from None
    return network.eval()


def _name_products(found: dict[str, np.ndarray]) -> None:
    """Give the products without a bias the names of their weights."""
    product = found.pop("spans/MatMul")
    found["spans.product"] = product.reshape(CLASSES, -1, product.shape[1]).transpose(0, 2, 1)
    for name in ("relations/marker", "relations/middle", "answers/marker"):
        if f"{name}/MatMul" in found:
            found[f"{name.replace('/', '.')}.weight"] = found.pop(f"{name}/MatMul")
    # the exporter numbers the parts of the matrix that joins head, tail and context in this order
    parts = sorted(name for name in found if name.startswith("relations/MatMul"))
    found["relations.join.weight"] = np.concatenate([found.pop(name) for name in parts], 1)


def _sizes_of(found: dict[str, np.ndarray], *, heads: int) -> Sizes:
    vocabulary, width = found["encoder.words.weight"].shape
    return Sizes(
        vocabulary=vocabulary,
        width=width,
        layers=len({name.split(".")[2] for name in found if name.startswith("encoder.layers.")}),
        heads=heads,
        inner=len(found["encoder.layers.0.up.weight"]),
        positions=len(found["encoder.places.weight"]),
        span=len(found["spans.first.0.weight"]),
        pair=len(found["relations.head.0.weight"]),
    )


def main(folder: str, train: str, target: str) -> None:
    """Write the checkpoint; a model folder holds all that is needed of a base encoder's."""
    begin_with(restore(Path(folder)), Recipe(train, folder, predicted=0), Path(target))


if __name__ == "__main__":
    main(*sys.argv[1:4])
