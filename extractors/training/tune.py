"""Set a model's thresholds on dev papers and write them into its config.

    python -m extractors.training.tune MODEL_FOLDER DEV.jsonl [CHECKPOINT]

Spans are scored once for each bias and vote that is tried; the thresholds on clusters and pairs are then
found by coordinate search on the scorer's F1. With CHECKPOINT the torch network is scored, not the exported one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from extractors.reader.decode import Found, Network, Scores, Settings, decide, softmax
from extractors.reader.labels import RELATIONS, TYPES
from extractors.reader.session import CONFIG, Session
from extractors.training.annotations import Example, align, read_examples
from extractors.training.evaluation import predicted_record, score_papers


def score_of(scorer: Any, gold: Sequence[dict], records: Sequence[dict], row: str) -> float:
    """Return the F1 of one row of the scorer's table, 0 to 100, without the cost of the others."""
    docs = list(zip(gold, records, strict=True))
    family = lambda t: scorer.DATA.get(t, t)  # noqa: E731
    pairs = [scorer.align(g["entities"], p["entities"], family, False) for g, p in docs]
    if row == "entities":
        return scorer.entity_scores(pairs, docs)["F1"]
    return {"introduced": scorer.introduced_scores, "relations": scorer.relation_scores}[row](docs, pairs)[
        "F1"
    ]


def predictions(
    scores: Sequence[Scores | None], examples: Sequence[Example], settings: Settings
) -> list[dict]:
    """Return the papers as the scorer reads them."""
    out = []
    for found, example in zip(scores, examples, strict=True):
        decided = decide(found, settings) if found else Found([], [], [])
        out.append(predicted_record(example.id, example.units, decided, introduced=settings.introduced))
    return out


def calibrated(scores: Sequence[Scores | None], examples: Sequence[Example], settings: Settings) -> float:
    """Return the temperature that makes cluster scores likeliest, by a grid from 0.5 to 3."""
    logits, labels = [], []
    for found, example in zip(scores, examples, strict=True):
        if found:
            for cluster, entity, row in zip(
                found.clusters, align(found.clusters, example), found.kind, strict=True
            ):
                if entity < 0 or example.core[entity]:
                    logits.append(row)
                    labels.append(example.types[entity] if entity >= 0 else 0)
                assert cluster
    rows, wanted = np.stack(logits), np.array(labels)
    grid = np.linspace(0.5, 3.0, 51)
    loss = [-np.log(softmax(rows / t)[np.arange(len(wanted)), wanted] + 1e-9).mean() for t in grid]
    return float(grid[int(np.argmin(loss))])


def calibration_error(
    records: Sequence[dict], gold: Sequence[dict], align_papers: Callable, *, bins: int = 10
) -> float:
    """Return the expected calibration error of entity scores, optional entities left out, 0 to 1."""
    confidence, right = [], []
    for paper, truth in zip(records, gold, strict=True):
        pairs = align_papers(truth["entities"], paper["entities"])
        for j, entity in enumerate(paper["entities"]):
            if j not in pairs or truth["entities"][pairs[j]]["level"] == "core":
                confidence.append(entity["score"])
                right.append(j in pairs)
    place = np.minimum((np.array(confidence) * bins).astype(int), bins - 1)
    return float(
        sum(
            abs(np.mean(np.array(confidence)[place == b]) - np.mean(np.array(right)[place == b]))
            * np.mean(place == b)
            for b in range(bins)
            if (place == b).any()
        )
    )


def search(
    scores: Sequence[Scores | None],
    examples: Sequence[Example],
    gold: Sequence[dict],
    settings: Settings,
    scorer: Any,
) -> Settings:
    """Set the thresholds one after the other, each to the best of a grid."""

    def value(trial: Settings, row: str) -> float:
        return score_of(scorer, gold, predictions(scores, examples, trial), row)

    grid = np.round(np.arange(0.1, 0.8, 0.05), 2).tolist()
    settings = replace(settings, relations=dict.fromkeys(RELATIONS, 2.0))  # no relations: quick to score
    for field in ("same", "keep", "same"):
        if field == "same":
            settings = _best(settings, "entities", value, [replace(settings, same=t) for t in grid[2:]])
        else:
            level = _best(
                settings, "entities", value, [replace(settings, keep=dict.fromkeys(TYPES, t)) for t in grid]
            )
            settings = level
            for kind in TYPES:
                near = [t + d for t in (settings.keep[kind],) for d in (-0.15, -0.1, -0.05, 0.05, 0.1, 0.15)]
                settings = _best(
                    settings,
                    "entities",
                    value,
                    [replace(settings, keep={**settings.keep, kind: t}) for t in near],
                )
    settings = _best(settings, "introduced", value, [replace(settings, introduced=t) for t in grid])
    whole = [replace(settings, relations=dict.fromkeys(RELATIONS, t)) for t in grid]
    settings = _best(whole[0], "relations", value, whole)
    for name in RELATIONS:
        near = [max(0.05, settings.relations[name] + d) for d in (-0.15, -0.1, -0.05, 0.05, 0.1, 0.15)]
        trials = [replace(settings, relations={**settings.relations, name: t}) for t in near]
        settings = _best(settings, "relations", value, trials)
    return settings


def _best(
    settings: Settings, row: str, value: Callable[[Settings, str], float], trials: Sequence[Settings]
) -> Settings:
    return max([settings, *trials], key=lambda trial: value(trial, row))


def load_scorer(file: Path) -> Any:
    """Import the scorer of the annotations, a module that stands outside the project."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("score", file)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"no scorer at {file}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(argv: list[str]) -> None:
    """Tune and report."""
    folder, dev = Path(argv[0]), Path(argv[1])
    scorer = load_scorer(dev.parents[2] / "eval" / "score.py")
    session = Session(folder)
    examples = read_examples(dev, session.pieces)
    gold = [json.loads(line) for line in dev.read_text("utf-8").splitlines()]
    network: Network = session
    if len(argv) > 2:
        from extractors.training.evaluation import TorchNetwork
        from extractors.training.export import load_network

        network = TorchNetwork(load_network(Path(argv[2])))
    table_of = lambda g, p: scorer.score(g, p)[0]  # noqa: E731
    best: tuple[float, Settings] = (0.0, Settings())
    for bias in (0.0, 0.5, 1.0):
        for vote in (0.0, 0.5):
            settings = Settings(span_bias=bias, vote=vote)
            scores = score_papers(network, examples, settings)
            settings = replace(settings, temperature=calibrated(scores, examples, settings))
            settings = search(scores, examples, gold, settings, scorer)
            records = predictions(scores, examples, settings)
            table = table_of(gold, records)
            total = table["entities"]["F1"] + table["introduced"]["F1"] / 2 + table["relations"]["F1"]
            print(bias, vote, {k: v["F1"] for k, v in table.items() if not k.startswith("  ")}, flush=True)
            if total > best[0]:
                best = total, settings
                (folder / "dev.jsonl").write_text("\n".join(map(json.dumps, records)), "utf-8")
    family = lambda t: scorer.DATA.get(t, t)  # noqa: E731
    records = [json.loads(line) for line in (folder / "dev.jsonl").read_text("utf-8").splitlines()]
    error = calibration_error(records, gold, lambda g, p: scorer.align(g, p, family, False))
    print("calibration error", round(error, 3), best[1])
    config = json.loads((folder / CONFIG).read_text("utf-8"))
    (folder / CONFIG).write_text(
        json.dumps({**config, "settings": asdict(best[1])}, indent=1) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
