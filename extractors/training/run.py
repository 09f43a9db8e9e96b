"""Train a reader from annotated papers to a model folder; what `kg train` calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from extractors.reader.pieces import Pieces
from extractors.training.annotations import read_examples
from extractors.training.encoders import packaged_encoder
from extractors.training.export import export, load_network
from extractors.training.learning import draw_learning
from extractors.training.trainer import Plan, Recipe, cool, run_processes, step_of
from extractors.training.tune import tune

COOL = 0.25
"""Share of the steps in which the learning rate falls."""


def train(
    papers: Path,
    dev: Path,
    out: Path,
    *,
    encoder: Path | None = None,
    epochs: float = 4.0,
    processes: int = 2,
) -> dict[str, float]:
    """Train a reader and write a model folder that `kg build --model` takes.

    A call that was interrupted goes on where it was when it is made again. The folder's `run` holds the
    checkpoints and `learning.png` the learning curve.

    Args:
        papers: Annotated papers to learn from, one JSON object a line.
        dev: Annotated papers to set thresholds on.
        out: The folder to write.
        encoder: Folder of a BERT encoder; all-MiniLM-L6-v2 from its package if None.
        epochs: How often each paper is seen.
        processes: Processes of one thread; 1 on a GPU.

    Returns:
        F1 on the dev papers by row of the scorer's table, 0 to 100.

    Raises:
        InputError: a file cannot be read, or no encoder is given and none is installed.
    """
    encoder = encoder or packaged_encoder()
    recipe = Recipe(str(papers), str(encoder))
    count = len(read_examples(papers, Pieces(encoder / "tokenizer.json")))
    steps = max(2, round(epochs * count / (recipe.batch * processes)))
    recipe = replace(recipe, warm=min(recipe.warm, 1 + steps // 10))
    trunk, branch = out / "run", out / "run" / "cool"
    turn = round(steps * (1 - COOL))
    if step_of(trunk / "last.pt") < turn:
        run_processes(recipe, Plan(until=turn), trunk, processes=processes)
    if step_of(branch / "last.pt") < steps:
        cool(trunk / "last.pt", branch, steps=steps - turn, processes=processes)
    export(load_network(branch / "last.pt"), encoder, out)
    scores = tune(out, dev)
    draw_learning(trunk, out / "learning.png")
    return scores
