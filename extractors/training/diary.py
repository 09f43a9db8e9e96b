"""What a run writes down as it goes: losses, dev scores, and a bar for whoever waits."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractors.training.watch import Watch

if TYPE_CHECKING:
    from extractors.training.trainer import Plan, Run

LOG_STEPS = 20
"""Steps that one line of the log averages."""


class Diary:
    """Writes mean losses every LOG_STEPS steps and dev scores as planned to files, and shows a bar on stderr."""

    def __init__(self, run: Run, plan: Plan) -> None:
        self._run, self._plan = run, plan
        self._watch = Watch(Path(plan.dev), run.network.sizes, run.pieces) if plan.dev else None
        self._count = self._pending = 0
        self._sums: dict[str, float] = {}
        self._said = ""

    def add(self, parts: dict[str, float], seconds: float) -> None:
        """Take in one step."""
        self._count += 1
        self._pending += 1
        for name, value in parts.items():
            self._sums[name] = self._sums.get(name, 0.0) + value
        if self._pending == LOG_STEPS:
            self._write(seconds / self._count)
        step = self._run.place.step
        if self._watch and (step % self._plan.look == 0 or step == self._plan.until):
            scores = {name: round(f1, 2) for name, f1 in self._watch.scores(self._run.averaged()).items()}
            _append(self._run.folder / "scores.jsonl", {"step": step, **scores})
            self._said = ", dev " + " ".join(f"{name} {f1:.1f}" for name, f1 in scores.items())

    def close(self) -> None:
        """End the bar's line."""
        print(file=sys.stderr)

    def _write(self, pace: float) -> None:
        place = self._run.place
        means = {name: round(value / self._pending, 4) for name, value in self._sums.items()}
        self._sums, self._pending = {}, 0
        _append(self._run.folder / "log.jsonl", {**asdict(place), **means, "seconds": round(pace, 3)})
        text = f"{bar(place.step, self._plan.until)} loss {sum(means.values()):.2f}{self._said}, {pace:.1f} s a step"
        if self._plan.until:
            text += f", {(self._plan.until - place.step) * pace / 60:.0f} min left"
        end = "" if sys.stderr.isatty() else "\n"
        print(f"\r{text}   ", end=end, file=sys.stderr, flush=True)


def bar(step: int, until: int, *, width: int = 24) -> str:
    """Return a progress bar in text; without an end only the step.

    >>> bar(30, 120, width=8), bar(30, 0)
    ('[##......] step 30/120', 'step 30')
    """
    if not until:
        return f"step {step}"
    done = width * min(step, until) // until
    return f"[{'#' * done}{'.' * (width - done)}] step {step}/{until}"


def _append(file: Path, record: dict[str, Any]) -> None:
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(record) + "\n")
