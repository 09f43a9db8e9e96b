"""Train the reader: warm up, stay, decay; stop and go on at any step.

A run lives in a folder: `run.json` (its recipe), `last.pt` and `step-N.pt` (network, optimiser, moving
average, step, epoch and place in it), `log.jsonl` (losses), `scores.jsonl` (of dev papers). The rate rises,
stays constant (the trunk) and falls only in a cool-down. So a trunk can be trained on for ever, and a model
to ship is branched off it:

    python -m extractors.training.trainer trunk TRAIN.jsonl ENCODER RUN --minutes 60 [--vectors V.npz]
    python -m extractors.training.trainer cool TRAIN.jsonl RUN/step-N.pt BRANCH --steps 500 (or --minutes 30)
        [--answers ANSWERS.pickle --dropout 0.1]

The first line again goes on where the run was. A SIGTERM to the processes named in `process-*` stops it with
a checkpoint. Two processes of one thread share the work: on shared cores two threads wait for each other.

References:
    Hu et al., 2024: MiniCPM (the warm-up, stay, decay schedule).
    Stich, 2019: Local SGD Converges Fast and Communicates Little.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

from extractors.reader.pieces import Pieces
from extractors.training.annotations import Example
from extractors.training.answers import read_answers
from extractors.training.batches import batch_order
from extractors.training.diary import Diary
from extractors.training.formats import read_training
from extractors.training.losses import losses_of
from extractors.training.network import ReaderNetwork, Sizes, half_pays
from extractors.training.similarity import Vectors

SAVE_SECONDS = 240
"""Seconds between checkpoints: what an interruption can cost."""
SHARE = 8
"""Steps that processes take on their own before they average their weights: on busy cores one is always
behind, and to wait for it at every step costs a third of the time."""
COOL_AVERAGE = 0.99
"""Decay of the moving average in a cool-down: the rate falls, so what is older is worse."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a run is trained.

    Attributes:
        train: File of annotated papers.
        encoder: Folder of the base encoder (config.json, model.safetensors, tokenizer.json).
        vectors: File of sentence vectors to stay close to, or "".
        batch: Papers of one process in one step.
        encoder_rate: Highest learning rate of the encoder.
        head_rate: The same of the heads.
        warm: Steps of warm-up.
        predicted: Step from which clusters are made of predicted spans: earlier ones are noise.
        decay: Weight decay of matrices.
        dropout: Dropout in the encoder; 0 learns faster, but from the third pass on papers are learned by heart.
        average: Decay of the moving average of the weights.
        papers: Use only the first so many papers; 0 uses all.
        seed: Decides the order of papers and all chance.
        answers: File of `extractors.training.answers`, or "". If given, its papers teach, and some of the others.
        others: How many others for each of them.
        frozen: Lowest layers of the encoder that stay as they are, and all below them.
    """

    train: str
    encoder: str
    vectors: str = ""
    batch: int = 4
    encoder_rate: float = 2.5e-4
    head_rate: float = 1e-3
    warm: int = 200
    predicted: int = 400
    decay: float = 0.01
    dropout: float = 0.0
    average: float = 0.998
    papers: int = 0
    seed: int = 1
    answers: str = ""
    others: float = 0.35
    frozen: int = 0


@dataclass(slots=True)
class Place:
    """Where a run stands: steps done, epoch, and the next batch in it."""

    step: int = 0
    epoch: int = 0
    batch: int = 0


def optimiser_of(network: ReaderNetwork, recipe: Recipe) -> torch.optim.AdamW:
    """Make AdamW with a rate for the encoder and one for the heads; word embeddings stay as they are."""
    network.encoder.words.requires_grad_(False)
    network.encoder.places.requires_grad_(False)
    if recipe.frozen:
        for part in (network.encoder.norm, network.encoder.forms, network.encoder.layers[: recipe.frozen]):
            part.requires_grad_(False)
    groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            inside = name.startswith("encoder.")
            groups.setdefault((inside, parameter.dim() > 1), []).append(parameter)
    return torch.optim.AdamW(
        [
            {
                "params": parameters,
                "lr": recipe.encoder_rate if inside else recipe.head_rate,
                "top": recipe.encoder_rate if inside else recipe.head_rate,
                "weight_decay": recipe.decay if matrix else 0.0,
            }
            for (inside, matrix), parameters in groups.items()
        ],
        betas=(0.9, 0.98),
        eps=1e-6,
        fused=True,
    )


def begin_with(network: ReaderNetwork, recipe: Recipe, target: Path) -> None:
    """Write the checkpoint of a run that begins with a network: the optimiser afresh, at step 0."""
    state = {
        "network": network.state_dict(),
        "optimiser": optimiser_of(network, recipe).state_dict(),
        "average": {k: v.detach().clone() for k, v in network.named_parameters() if v.requires_grad},
        "place": asdict(Place()),
        "recipe": asdict(recipe),
        "sizes": asdict(network.sizes),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.save(state, target)


def share_weights(parameters: list[nn.Parameter]) -> None:
    """Set the weights to their mean over all processes."""
    with torch.no_grad():
        flat = torch.cat([p.reshape(-1) for p in parameters])
        dist.all_reduce(flat)
        flat /= dist.get_world_size()
        for parameter, part in zip(parameters, flat.split([p.numel() for p in parameters]), strict=True):
            parameter.copy_(part.view_as(parameter))


class Run:
    """The state of one training run in one process."""

    def __init__(
        self, recipe: Recipe, folder: Path, *, source: Path | None = None, rank: int = 0, processes: int = 1
    ) -> None:
        self.recipe, self.folder, self.rank, self.processes = recipe, folder, rank, processes
        encoder = Path(recipe.encoder)
        self.pieces = Pieces(encoder / "tokenizer.json")
        self.examples = read_training(Path(recipe.train), self.pieces)
        if recipe.papers:
            self.examples = self.examples[: recipe.papers]
        if recipe.answers:
            self.examples = self._with_numbers()
        self.lengths = [len(e.row.ids) for e in self.examples]
        self.vectors = Vectors(Path(recipe.vectors)) if recipe.vectors else None
        self.half = half_pays()
        torch.manual_seed(recipe.seed)
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        state = torch.load(source, map_location="cpu", weights_only=True) if source else None
        # a checkpoint's encoder may have fewer layers than the base encoder that it came from
        sizes = Sizes(**state["sizes"]) if state else Sizes.of_encoder(encoder)
        self.network = ReaderNetwork(replace(sizes, encoder_dropout=recipe.dropout)).to(device)
        if not state:
            self.network.encoder.load_bert(encoder / "model.safetensors")
        self.optimiser = optimiser_of(self.network, recipe)
        self.trained = [p for g in self.optimiser.param_groups for p in g["params"]]
        self.average = {k: v.detach().clone() for k, v in self.network.named_parameters() if v.requires_grad}
        self.place = Place()
        if state:
            self._restore(state)

    def _with_numbers(self) -> list[Example]:
        """Return the papers with numbers, and some of the others, so that nothing else is forgotten."""
        numbered = read_answers(Path(self.recipe.answers))
        known = {example.id for example in numbered}
        others = [example for example in self.examples if example.id not in known]
        random.Random(self.recipe.seed).shuffle(others)
        return numbered + others[: round(self.recipe.others * len(numbered))]

    def _restore(self, state: dict[str, Any]) -> None:
        self.network.take(state["network"])
        # at step 0 it holds nothing, and a reader that was trained before there were answers holds less
        if state["place"]["step"] and len(state["network"]) == len(self.network.state_dict()):
            self.optimiser.load_state_dict(state["optimiser"])
        device = self.network.document.weight.device
        self.average |= {k: v.to(device) for k, v in state["average"].items() if k in self.average}
        self.place = Place(**state["place"])

    def save(self, name: str) -> None:
        """Write a checkpoint; only the first process does."""
        if self.rank:
            return
        state = {
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average,
            "place": asdict(self.place),
            "recipe": asdict(self.recipe),
            "sizes": asdict(self.network.sizes),
        }
        target = self.folder / name
        torch.save(state, target.with_suffix(".tmp"))
        target.with_suffix(".tmp").replace(target)

    def averaged(self) -> dict[str, torch.Tensor]:
        """Return the network's state with its averaged weights."""
        return {**self.network.state_dict(), **self.average}

    def batches(self) -> Iterator[list[Example]]:
        """Yield this process's batches from the run's place on, for ever, and move the place."""
        while True:
            order = batch_order(self.lengths, size=self.recipe.batch, seed=self.recipe.seed, epoch=self.place.epoch)
            while self.place.batch + self.processes <= len(order):
                rows = order[self.place.batch + self.rank]
                self.place.batch += self.processes
                yield [self.examples[i] for i in rows]
            self.place.epoch, self.place.batch = self.place.epoch + 1, 0

    def step(self, examples: list[Example], rate: float) -> dict[str, float]:
        """Take one step at a share of the highest rates and return the parts of the loss."""
        self.network.train()
        rng = random.Random(f"{self.recipe.seed}:{self.place.step}:{self.rank}")
        losses = losses_of(
            self.network,
            examples,
            predicted=self.place.step >= self.recipe.predicted,
            pad=self.pieces.pad,
            rng=rng,
            vectors=self.vectors,
            half=self.half,
        )
        self.optimiser.zero_grad(set_to_none=True)
        losses.total().backward()
        nn.utils.clip_grad_norm_(self.trained, 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = group["top"] * rate
        self.optimiser.step()
        self.place.step += 1
        if self.place.step % SHARE == 0:
            self._share()
        return losses.numbers()

    def _share(self) -> None:
        """Average the weights over processes, and move the moving average towards them."""
        if self.processes > 1:
            share_weights(self.trained)
        decay = min(self.recipe.average, (1 + self.place.step) / (10 + self.place.step)) ** SHARE
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                if name in self.average:
                    self.average[name].lerp_(parameter, 1 - decay)


@dataclass(frozen=True, slots=True)
class Plan:
    """How far to train.

    Attributes:
        until: Step to stop after; 0 for none.
        minutes: Minutes to stop after; 0 for none.
        cool_from: Step at which the rate begins to fall in a line to 0 at the end; -1 in a trunk.
        keep: Keep a checkpoint every so many steps; 0 keeps only the last.
        dev: Annotated papers to score on the way, or "".
        look: Steps between two scores.
    """

    until: int = 0
    minutes: float = 0.0
    cool_from: int = -1
    keep: int = 500
    dev: str = ""
    look: int = 500

    def rate(self, step: int, seconds: float, recipe: Recipe) -> float:
        """Return the share of the highest rate at a step and time since the start, 0 to 1."""
        rise = min(1.0, (step + 1) / recipe.warm)
        if self.cool_from < 0:
            return rise
        if not self.until:  # on a busy machine one knows the time left and not the steps
            return rise * max(0.0, 1 - seconds / (60 * self.minutes))
        return rise * max(0.0, 1 - (step - self.cool_from) / (self.until - self.cool_from))


class Clock:
    """Says when to save and when to stop; all processes of a run hear the same.

    Within its context a SIGTERM or Ctrl-C ends the run with a checkpoint, after the next few steps.
    """

    def __init__(self, plan: Plan, *, processes: int) -> None:
        self._plan, self._processes = plan, processes
        self._start = self._saved = time.monotonic()
        self._told = False
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._handlers = {s: signal.signal(s, self._tell) for s in (signal.SIGTERM, signal.SIGINT)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _tell(self, *_: object) -> None:
        self._told = True

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def look(self, step: int) -> tuple[bool, bool]:
        """Return whether to save and whether to stop after a step that all processes have taken."""
        over = self._plan.until and step >= self._plan.until
        late = self._plan.minutes and self.seconds > 60 * self._plan.minutes
        stale = time.monotonic() - self._saved > SAVE_SECONDS
        both = torch.tensor([float(stale), float(bool(self._told or over or late))])
        if self._processes > 1:
            dist.all_reduce(both, op=dist.ReduceOp.MAX)
        save, stop = (bool(value) for value in both)
        if save:
            self._saved = time.monotonic()
        return save, stop


def _work(rank: int, processes: int, recipe: Recipe, plan: Plan, folder: Path, source: Path | None) -> None:
    """Train in one process."""
    torch.set_num_threads(1)
    if processes > 1:
        meet = f"file://{folder.resolve()}/meet-{os.getppid()}"
        dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=processes)
    run = Run(recipe, folder, source=source, rank=rank, processes=processes)
    (folder / f"process-{rank}").write_text(str(os.getpid()), "utf-8")  # whom to send a SIGTERM
    diary = Diary(run, plan) if rank == 0 else None
    with Clock(plan, processes=processes) as clock:
        for examples in run.batches():
            parts = run.step(examples, plan.rate(run.place.step, clock.seconds, recipe))
            if diary:
                diary.add(parts, clock.seconds)
            if run.place.step % SHARE:
                continue
            save, stop = clock.look(run.place.step)
            if save or stop:
                _save(run, plan, stop=stop)
            if stop:
                break
    if diary:
        diary.close()
    if processes > 1:
        dist.destroy_process_group()


def _save(run: Run, plan: Plan, *, stop: bool) -> None:
    run.save("last.pt")
    folder, step = run.folder, run.place.step
    kept = folder / f"step-{step}.pt"
    due = plan.keep and step // plan.keep > _newest(folder) // plan.keep
    if run.rank == 0 and plan.keep and (stop or due) and not kept.exists():
        os.link(folder / "last.pt", kept)


def _newest(folder: Path) -> int:
    return max((int(f.stem.removeprefix("step-")) for f in folder.glob("step-*.pt")), default=0)


def run_processes(recipe: Recipe, plan: Plan, folder: Path, *, source: Path | None = None, processes: int = 2) -> Path:
    """Train, from where the folder's last checkpoint is if there is one, and return the new last checkpoint.

    Args:
        recipe: What to train with.
        plan: How far to train.
        folder: The run's folder.
        source: Checkpoint to begin with where the folder holds none.
        processes: Processes of one thread; 1 on a GPU.
    """
    folder.mkdir(parents=True, exist_ok=True)
    last = folder / "last.pt"
    (folder / "run.json").write_text(json.dumps({**asdict(recipe), "plan": asdict(plan)}, indent=1), "utf-8")
    arguments = (processes, recipe, plan, folder, last if last.exists() else source)
    if processes == 1:
        _work(0, *arguments)
    else:
        mp.spawn(_work, arguments, nprocs=processes)
    return last


def step_of(checkpoint: Path) -> int:
    """Return the step of a checkpoint, 0 if there is none."""
    if not checkpoint.exists():
        return 0
    step: int = torch.load(checkpoint, map_location="cpu", weights_only=True)["place"]["step"]
    return step


def recipe_of(checkpoint: Path) -> Recipe:
    """Return the recipe that a checkpoint was trained with."""
    return Recipe(**torch.load(checkpoint, map_location="cpu", weights_only=True)["recipe"])


def cool(
    source: Path,
    folder: Path,
    *,
    steps: int = 0,
    minutes: float = 0.0,
    processes: int = 2,
    dev: str = "",
    look: int = 500,
    changes: Mapping[str, Any] | None = None,
) -> Path:
    """Branch a cool-down off a trunk's checkpoint and return its last checkpoint.

    It lasts `steps`, and then goes on where it was when it was interrupted, or `minutes`. Papers of `dev` are
    scored every `look` steps. `changes` are what it does otherwise than the trunk's recipe.
    """
    # a short memory follows the falling rate
    recipe = replace(recipe_of(source), average=COOL_AVERAGE, **(changes or {}))
    start = step_of(source)
    until = start + steps if steps else 0
    plan = Plan(until=until, minutes=minutes, cool_from=start, keep=0, dev=dev, look=look)
    return run_processes(recipe, plan, folder, source=source, processes=processes)


_CHANGES = {
    "vectors": str,
    "batch": int,
    "encoder_rate": float,
    "head_rate": float,
    "dropout": float,
    "papers": int,
    "seed": int,
    "answers": str,
    "others": float,
    "frozen": int,
}
"""What of a recipe the command line may change."""


def main(argv: list[str] | None = None) -> None:
    """Run `trunk` or `cool` from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("phase", choices=("trunk", "cool"))
    parser.add_argument("train", help="annotated papers")
    parser.add_argument("source", type=Path, help="folder of the base encoder, or the checkpoint to cool down from")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=0, help="steps of a cool-down; last step of a trunk")
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--processes", type=int, default=2)
    for name, kind in _CHANGES.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, help="see Recipe")
    parser.add_argument("--dev", default="", help="annotated papers to score on the way")
    parser.add_argument("--look", type=int, default=500, help="steps between two scores of them")
    a = parser.parse_args(argv)
    changes = {name: value for name in _CHANGES if (value := getattr(a, name)) is not None}
    if a.phase == "cool":
        how = {"processes": a.processes, "dev": a.dev, "look": a.look, "changes": changes}
        cool(a.source, a.folder, steps=a.steps, minutes=a.minutes, **how)
        return
    recipe = replace(Recipe(a.train, str(a.source)), **changes)
    plan = Plan(until=a.steps, minutes=a.minutes, dev=a.dev, look=a.look)
    run_processes(recipe, plan, a.folder, processes=a.processes)


if __name__ == "__main__":
    main()
