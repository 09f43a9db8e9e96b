"""Make the starting checkpoint of a smaller reader: some layers of a trained one, and all its heads.

    python -m extractors.training.shrink SOURCE.pt RUN/last.pt --layers 0,2,4,7,9,11 [--inner 1024]

Products of whole numbers run at the processor's peak already, so a reader only becomes faster by having fewer of
them: fewer layers, and fewer units between the two matrices of each layer (the heaviest stay). A trunk in RUN then
goes on from the checkpoint, and a cool-down can be branched off it. The optimiser starts afresh at step 0, so the
rates warm up again.

References:
    Sanh et al., 2019: DistilBERT, a distilled version of BERT (a student of every second layer).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from extractors.training.network import ReaderNetwork, Sizes
from extractors.training.trainer import Recipe, begin_with

_LAYER = re.compile(r"^encoder\.layers\.(\d+)\.")


def keep_layers(weights: dict[str, Tensor], layers: Sequence[int]) -> dict[str, Tensor]:
    """Return weights with only the given layers of the encoder, numbered afresh.

    >>> sorted(keep_layers({"encoder.layers.0.a": 1, "encoder.layers.3.a": 2, "kind": 3}, [3]).items())
    [('encoder.layers.0.a', 2), ('kind', 3)]
    """
    kept = {}
    for name, weight in weights.items():
        match = _LAYER.match(name)
        if match is None:
            kept[name] = weight
        elif int(match[1]) in layers:
            kept[f"encoder.layers.{layers.index(int(match[1]))}.{name[match.end() :]}"] = weight
    return kept


def keep_inner(weights: dict[str, Tensor], count: int) -> dict[str, Tensor]:
    """Return weights with only the heaviest units between the two matrices of each encoder layer."""
    kept = dict(weights)
    for name, up in weights.items():
        match = re.fullmatch(r"(encoder\.layers\.\d+\.)up\.weight", name)
        if match:
            into, out = f"{match[1]}up.bias", f"{match[1]}down.weight"
            heaviest = (up.norm(dim=1) * weights[out].norm(dim=0)).topk(count).indices.sort().values
            kept |= {name: up[heaviest], into: weights[into][heaviest], out: weights[out][:, heaviest]}
    return kept


def shrink(source: Path, target: Path, *, layers: Sequence[int], inner: int = 0) -> Sizes:
    """Write the checkpoint of a reader with the given layers of another's encoder.

    Args:
        source: Checkpoint of the larger reader; its averaged weights are taken.
        target: File to write.
        layers: Layers to keep, rising, each below the larger reader's number of layers.
        inner: Units to keep between the two matrices of a layer; 0 keeps all.

    Returns:
        The sizes of the smaller reader.

    Raises:
        ValueError: There is no such layer, or the layers do not rise.
    """
    state = torch.load(source, map_location="cpu", weights_only=True)
    sizes = Sizes(**state["sizes"])
    if list(layers) != sorted({*layers} & {*range(sizes.layers)}):
        raise ValueError(f"{layers} are no layers of {source}; give rising numbers from 0 to {sizes.layers - 1}")
    inner = min(inner or sizes.inner, sizes.inner)
    network = ReaderNetwork(replace(sizes, layers=len(layers), inner=inner))
    network.take(keep_inner(keep_layers({**state["network"], **state["average"]}, layers), inner))
    begin_with(network, Recipe(**state["recipe"]), target)
    return network.sizes


def main(argv: list[str] | None = None) -> None:
    """Shrink a checkpoint from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--layers", default="0,2,4,7,9,11", help="numbers of the layers to keep (default: %(default)s)")
    parser.add_argument("--inner", type=int, default=0, help="units to keep within a layer (default: all)")
    a = parser.parse_args(argv)
    sizes = shrink(a.source, a.target, layers=[int(number) for number in a.layers.split(",")], inner=a.inner)
    print(f"{a.target}: {sizes.layers} layers, {sizes.width} wide, {sizes.inner} within")


if __name__ == "__main__":
    main()
