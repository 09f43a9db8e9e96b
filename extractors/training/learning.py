"""Draw how a run learned."""

from __future__ import annotations

import json
from pathlib import Path

PARTS = ("span", "kind", "flag", "relation", "similarity")
SMOOTH = 5
"""Log lines (of 20 steps) that one drawn point averages."""


def draw_learning(run: Path, picture: Path) -> None:
    """Draw the losses of a run's log.jsonl, and its dev scores where scores.jsonl holds some, into a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = [json.loads(line) for line in (run / "log.jsonl").read_text("utf-8").splitlines()]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
    steps = [line["step"] for line in lines]
    for part in PARTS:
        values = [line[part] for line in lines]
        smooth = [sum(values[max(0, i - SMOOTH) : i + 1]) / (i + 1 - max(0, i - SMOOTH)) for i in range(len(values))]
        left.plot(steps, smooth, label=part)
    left.set(xlabel="step", ylabel="loss", yscale="log", title="Training loss")
    left.legend()
    scores = run / "scores.jsonl"
    rows = [json.loads(line) for line in scores.read_text("utf-8").splitlines()] if scores.exists() else []
    for name in ("entities", "introduced", "relations"):
        right.plot([row["step"] for row in rows], [row[name] for row in rows], marker="o", label=name)
    right.set(xlabel="step", ylabel="F1", ylim=(0, 100), title="Dev papers")
    right.legend()
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)
