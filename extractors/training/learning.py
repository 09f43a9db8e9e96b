"""Draw how a run learned."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PARTS = ("span", "kind", "flag", "relation", "similarity")
SMOOTH = 5
"""Log lines (of 20 steps) that one drawn point averages."""


def draw_learning(runs: Sequence[Path], picture: Path) -> None:
    """Draw the losses of runs that follow each other (log.jsonl) and their dev scores (scores.jsonl) into a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
    lines = _lines(runs, "log.jsonl")
    steps = [line["step"] for line in lines]
    for part in PARTS:
        values = [line[part] for line in lines]
        smooth = [sum(values[max(0, i - SMOOTH) : i + 1]) / (i + 1 - max(0, i - SMOOTH)) for i in range(len(values))]
        if any(values):
            left.plot(steps, smooth, label=part)
    left.set(xlabel="step", ylabel="loss", yscale="log" if lines else "linear", title="Training loss")
    rows = _lines(runs, "scores.jsonl")
    for name in (name for name in (rows[-1] if rows else ()) if name != "step"):
        right.plot([row["step"] for row in rows], [row[name] for row in rows], marker="o", label=name)
    right.set(xlabel="step", ylabel="F1", ylim=(0, 100), title="Some dev papers, thresholds not yet set")
    for axes in (left, right):
        if axes.lines:
            axes.legend()
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)


def _lines(runs: Sequence[Path], name: str) -> list[dict[str, Any]]:
    """Return the lines of the runs' files by step; a step that was taken again after a stop counts once."""
    by_step = {}
    for run in runs:
        if (run / name).exists():
            for line in (run / name).read_text("utf-8").splitlines():
                record = json.loads(line)
                by_step[record["step"]] = record
    return [by_step[step] for step in sorted(by_step)]
