"""Train a reader from annotated papers to a model folder; what `kg train` calls."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

from extractors.reader.pieces import Pieces
from extractors.training import scier_scoring, tune
from extractors.training.encoders import packaged_encoder
from extractors.training.export import export, load_network
from extractors.training.formats import SCIER, format_of, read_training
from extractors.training.learning import draw_learning
from extractors.training.trainer import SHARE, Plan, Recipe, cool, run_processes, step_of
from kg.errors import InputError, UsageError

COOL = 0.25
"""Share of the steps in which the learning rate falls."""
LOOKS = 10
"""How often a few dev papers are scored on the way, at most."""
SCIER_DROPOUT = 0.1
"""Dropout in the encoder for SciER: its 80 documents are seen many times."""


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
        papers: Annotated papers to learn from, one JSON object a line, or documents of SciER.
        dev: Papers of the same format to set thresholds on.
        out: The folder to write.
        encoder: Folder of a BERT encoder; all-MiniLM-L6-v2 from its package if None.
        epochs: How often each paper is seen.
        processes: Processes of one thread; 1 on a GPU.

    Returns:
        F1 on the dev papers by row of the scorer's table, 0 to 100.

    Raises:
        InputError: a file cannot be read or is not of the expected form, or no encoder is given and none installed.
        UsageError: the folder holds a run with another recipe.
        KeyboardInterrupt: the run was told to stop; a checkpoint is written.
    """
    form = format_of(papers)
    if format_of(dev) != form:
        raise InputError(f"{papers} holds {form} and {dev} {format_of(dev)}; both must be of one format")
    encoder = encoder or packaged_encoder()
    pieces = Pieces(_vocabulary(encoder))
    count = len(read_training(papers, pieces))
    read_training(dev, pieces)  # what is wrong with it is said now and not after hours
    recipe = Recipe(str(papers.resolve()), str(encoder.resolve()), dropout=SCIER_DROPOUT if form == SCIER else 0.0)
    steps = max(2, round(epochs * count / (recipe.batch * processes * SHARE))) * SHARE
    recipe = replace(recipe, warm=min(recipe.warm, 1 + steps // 10))
    last = _train(recipe, out / "run", steps=steps, processes=processes, dev=str(dev.resolve()))
    export(load_network(last), encoder, out)
    scores = (scier_scoring.tune if form == SCIER else tune.tune)(out, dev)
    draw_learning([out / "run", out / "run" / "cool"], out / "learning.png")
    return scores


def _vocabulary(encoder: Path) -> Path:
    for name in ("tokenizer.json", "config.json", "model.safetensors"):
        if not (encoder / name).is_file():
            raise InputError(f"{encoder} is no folder of a BERT encoder: it holds no {name}")
    return encoder / "tokenizer.json"


def _train(recipe: Recipe, trunk: Path, *, steps: int, processes: int, dev: str) -> Path:
    """Train the trunk and its cool-down, as far as they are not done yet, and return the last checkpoint."""
    branch = trunk / "cool"
    turn = int(steps * (1 - COOL)) // SHARE * SHARE
    look = -(-steps // (LOOKS * SHARE)) * SHARE
    plan = Plan(until=turn, keep=0, dev=dev, look=look)
    _refuse_another(trunk, {**asdict(recipe), "plan": asdict(plan)})
    if step_of(trunk / "last.pt") < turn:
        _reach(turn, run_processes(recipe, plan, trunk, processes=processes))
    if step_of(branch / "last.pt") < steps:
        end = cool(trunk / "last.pt", branch, steps=steps - turn, processes=processes, dev=dev, look=look)
        _reach(steps, end)
    return branch / "last.pt"


def _refuse_another(run: Path, wanted: dict[str, object]) -> None:
    """Refuse to go on with a run that was begun with other papers or for another number of steps."""
    if not (run / "last.pt").exists():
        return
    begun = json.loads((run / "run.json").read_text("utf-8"))
    if changed := sorted(name for name in wanted if begun.get(name) != wanted[name]):
        raise UsageError(
            f"{run} was begun with another recipe ({', '.join(changed)} differ); "
            "give the options of then, another -o, or remove it"
        )


def _reach(step: int, checkpoint: Path) -> None:
    if step_of(checkpoint) < step:
        raise KeyboardInterrupt
