"""Average the weights of two checkpoints of one trunk: the mean of two cool-downs is surer than either.

    python -m extractors.training.soup FIRST.pt SECOND.pt OUT.pt [--share 0.5]

References:
    Wortsman et al., 2022: Model soups: averaging weights of multiple fine-tuned models improves accuracy without
        increasing inference time.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch
from torch import Tensor


def mix(first: dict[str, Tensor], second: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """Return weights that are `share` (0 to 1) of the second and the rest of the first.

    >>> mix({"a": torch.tensor([0.0])}, {"a": torch.tensor([4.0])}, 0.25)
    {'a': tensor([1.])}
    """
    return {name: torch.lerp(first[name], weight, share) for name, weight in second.items()}


def soup(first: Path, second: Path, target: Path, *, share: float = 0.5) -> None:
    """Write a checkpoint whose averaged weights are a mean of two others'; the rest of it is the second's.

    Raises:
        ValueError: the two are not of the same shape.
    """
    one, other = _load(first), _load(second)
    if _shapes(one) != _shapes(other):
        raise ValueError(f"{first} and {second} have other layers; a mean needs two checkpoints of one trunk")
    other["average"] = mix(one["average"], other["average"], share)
    other["network"] |= other["average"]
    torch.save(other, target)


def _load(file: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    return state


def _shapes(state: dict[str, Any]) -> dict[str, torch.Size]:
    return {name: weight.shape for name, weight in state["average"].items()}


def main(argv: list[str] | None = None) -> None:
    """Average two checkpoints from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="share of the second (default: %(default)s)")
    a = parser.parse_args(argv)
    soup(a.first, a.second, a.target, share=a.share)


if __name__ == "__main__":
    main()
