"""Set a model's thresholds on dev papers and write them into its config.

    python -m extractors.training.tune MODEL_FOLDER DEV.jsonl

Spans are scored once for each bias and vote that is tried; the thresholds on clusters and pairs are then
found by coordinate search on F1. The papers as read with the best ones are written as MODEL_FOLDER/dev.jsonl.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from extractors.reader.decode import Found, Network, Scores, Settings, cluster_scores, decide, scaled
from extractors.reader.labels import RELATIONS, TYPES
from extractors.reader.session import CONFIG, Session
from extractors.training.annotations import Example, read_examples
from extractors.training.scoring import ROWS, align_found, count_papers, judge_entities, judge_relations

GRID = tuple(np.round(np.arange(0.05, 0.8, 0.05), 2).tolist())
STEPS = (-0.15, -0.1, -0.05, 0.05, 0.1, 0.15)
TRIED = ((0.5, 0.5), (0.7, 0.5), (0.3, 0.5))
"""Span biases and votes."""
NOTHING = Found([], [], [])


def score_papers(network: Network, examples: Sequence[Example], settings: Settings) -> list[Scores | None]:
    """Return the network's scores of each paper; thresholds can be tried on them without reading again."""
    out = []
    for example in examples:
        x, logits = network.spans(example.row)
        out.append(cluster_scores(network, x, logits, example.units, settings))
    return out


def decide_all(scores: Sequence[Scores | None], settings: Settings) -> list[Found]:
    """Return what papers hold under given thresholds."""
    return [decide(paper, settings) if paper else NOTHING for paper in scores]


def judged(found: Sequence[Found], examples: Sequence[Example], row: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of found entities or relations and whether each is right; optional ones are left out."""
    scores, right = [], []
    for paper, example in zip(found, examples, strict=True):
        pairs = align_found(paper, example)
        if row == "entities":
            said, verdicts = [e.score for e in paper.entities], judge_entities(paper, example, pairs)
        else:
            said, verdicts = [r.score for r in paper.relations], judge_relations(paper, example, pairs)
        known = [(score, verdict) for score, verdict in zip(said, verdicts, strict=True) if verdict is not None]
        scores += [score for score, _ in known]
        right += [verdict for _, verdict in known]
    return np.array(scores), np.array(right, float)


def platt(scores: np.ndarray, right: np.ndarray, *, rounds: int = 30) -> tuple[float, float]:
    """Return slope and offset on log-odds that make scores frequencies, by Newton's method on the log-loss.

    References:
        Platt, 1999: Probabilistic Outputs for Support Vector Machines.
    """
    safe = np.clip(scores, 1e-6, 1 - 1e-6)
    inputs = np.stack([np.log(safe) - np.log1p(-safe), np.ones_like(safe)], -1)
    weights = np.array([1.0, 0.0])

    def loss(trial: np.ndarray) -> float:
        odds = inputs @ trial
        return float((np.logaddexp(0, odds) - right * odds).sum())

    for _ in range(rounds):
        said = 1 / (1 + np.exp(-np.clip(inputs @ weights, -50, 50)))
        slope = inputs.T @ (said - right)
        curve = (inputs * (said * (1 - said))[:, None]).T @ inputs + 1e-3 * np.eye(2)
        step = np.linalg.solve(curve, slope)
        while loss(weights - step) > loss(weights) and np.abs(step).max() > 1e-9:
            step /= 2  # the scores of a sure network throw a full step far over
        weights -= step
    return float(weights[0]), float(weights[1])


def calibration_error(scores: np.ndarray, right: np.ndarray, *, bins: int = 10) -> float:
    """Return the expected calibration error of scores, 0 to 1."""
    place = np.minimum((scores * bins).astype(int), bins - 1)
    gaps = [abs(scores[place == b].mean() - right[place == b].mean()) * (place == b).mean() for b in set(place)]
    return float(sum(gaps))


def search(scores: Sequence[Scores | None], examples: Sequence[Example], settings: Settings) -> Settings:
    """Set the thresholds one after the other, each to the best of a grid."""

    def best(current: Settings, row: str, trials: Sequence[Settings]) -> Settings:
        def value(trial: Settings) -> float:
            return count_papers(decide_all(scores, trial), examples, introduced=trial.introduced).f1(row)

        return max([current, *trials], key=value)

    current = replace(settings, relations=dict.fromkeys(RELATIONS, 2.0))  # none: entities come first
    everything = decide_all(scores, replace(current, keep=dict.fromkeys(TYPES, 0.0)))
    current = replace(current, entity_scale=platt(*judged(everything, examples, "entities")))
    current = best(current, "entities", [replace(current, same=t) for t in GRID])
    current = best(current, "entities", [replace(current, keep=dict.fromkeys(TYPES, t)) for t in GRID])
    for kind in TYPES:
        near = [replace(current, keep={**current.keep, kind: current.keep[kind] + d}) for d in STEPS]
        current = best(current, "entities", near)
    current = best(current, "entities", [replace(current, same=t) for t in GRID])
    # what is kept is not like what is not, so its scores are scaled once more by themselves
    current = rescaled(current, platt(*judged(decide_all(scores, current), examples, "entities")))
    current = best(current, "introduced", [replace(current, introduced=t) for t in GRID])
    everything = decide_all(scores, replace(current, relations=dict.fromkeys(RELATIONS, 0.02)))
    current = replace(current, relation_scale=platt(*judged(everything, examples, "relations")))
    current = best(current, "relations", [replace(current, relations=dict.fromkeys(RELATIONS, t)) for t in GRID])
    for name in RELATIONS:
        level = current.relations[name]
        near = [replace(current, relations={**current.relations, name: max(0.05, level + d)}) for d in STEPS]
        current = best(current, "relations", near)
    return current


def rescaled(settings: Settings, scale: tuple[float, float]) -> Settings:
    """Return settings that keep the same entities but scale their scores once more."""
    first, then = settings.entity_scale, scale
    return replace(
        settings,
        entity_scale=(first[0] * then[0], first[1] * then[0] + then[1]),
        keep={kind: float(scaled(np.array(level), then)) for kind, level in settings.keep.items()},
    )


def tune(folder: Path, dev: Path, *, network: Network | None = None) -> dict[str, float]:
    """Set the thresholds of a model folder on dev papers and return their F1 by row, 0 to 100.

    Args:
        folder: Model folder; its config is changed.
        dev: Annotated papers.
        network: What scores the papers, if not the folder's own graphs.
    """
    session = Session(folder)
    examples = read_examples(dev, session.pieces)
    best: tuple[float, Settings, dict[str, float]] = (-1.0, Settings(), {})
    chosen = [NOTHING]
    for bias, vote in TRIED:
        settings = Settings(span_bias=bias, vote=vote)
        scores = score_papers(network or session, examples, settings)
        settings = search(scores, examples, settings)
        found = decide_all(scores, settings)
        counts = count_papers(found, examples, introduced=settings.introduced)
        table = {row: round(counts.f1(row), 2) for row in ROWS}
        if sum(table.values()) > best[0]:
            best, chosen = (sum(table.values()), settings, table), found
    config = json.loads((folder / CONFIG).read_text("utf-8"))
    table = dict(best[2])
    for row in ("entities", "relations"):
        table[f"calibration error of {row}"] = round(calibration_error(*judged(chosen, examples, row)), 4)
    config |= {"settings": asdict(best[1]), "dev": table}
    (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    lines = [
        json.dumps(predicted_record(example, found, introduced=best[1].introduced))
        for example, found in zip(examples, chosen, strict=True)
    ]
    (folder / "dev.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return table


def predicted_record(example: Example, found: Found, *, introduced: float) -> dict[str, object]:
    """Return a paper in the format that the scorer reads."""
    surfaces = [list(dict.fromkeys(example.units.surface(a, b) for a, b in e.mentions)) for e in found.entities]
    names: list[str] = []
    for forms in surfaces:  # two entities may share a surface, so a name carries its number where it must
        name = max(forms, key=len)
        names.append(name if name not in names else f"{name} ({len(names)})")
    entities = [
        {
            "name": name,
            "type": e.type,
            "surfaces": forms,
            "introduced": e.introduced >= introduced,
            "score": e.score,
        }
        for name, forms, e in zip(names, surfaces, found.entities, strict=True)
    ]
    relations = [
        {"head": names[r.head], "type": r.type, "tail": names[r.tail], "score": r.score} for r in found.relations
    ]
    return {"id": example.id, "entities": entities, "relations": relations, "results": [], "urls": []}


if __name__ == "__main__":
    print(tune(Path(sys.argv[1]), Path(sys.argv[2])))
