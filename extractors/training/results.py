"""Count which numbers are results and what they belong to, in annotated papers.

    python -m extractors.training.results TRAIN.jsonl

writes ``extractors/weights/{values,tie_method,tie_metric,tie_on}.json.gz``. Learns from the annotated entities.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from extractors.results import FREE, OTHER, RESULT, TIED
from extractors.scene import Scene
from extractors.ties import ROLES, option_features, options_for
from extractors.training.linear import fit_linear, write_model
from extractors.training.rules import WEIGHTS, Examples, gold_entities, introduced_words, open_page
from extractors.values import Value, find_values, value_features
from extractors.words import fold

_SMALL = frozenset("the a an of for in on and to with".split())


def value_key(value: str) -> str:
    """Return what of a value counts: digits, full stops, percent signs and "x" for times."""
    return re.sub(r"[^0-9.x%]", "", value.casefold().replace("×", "x").replace("times", "x"))


def same_name(left: str | None, right: str | None, forms: list[set[str]]) -> bool:
    """Say whether two names agree: both none, of one entity, or sharing half of their words."""
    if not left or not right:
        return not left and not right
    a, b = fold(left), fold(right)
    if a == b or any(a in group and b in group for group in forms):
        return True
    x, y = set(a.split()) - _SMALL, set(b.split()) - _SMALL
    return bool(x and y) and 2 * len(x & y) / (len(x) + len(y)) >= 0.5


def matched_values(record: dict[str, Any], values: list[Value]) -> dict[int, dict[str, Any]]:
    """Return number of value -> the annotated result that it is; each result once, whole values first."""
    found: dict[int, dict[str, Any]] = {}
    for result in record["results"]:
        key = value_key(result["value"])
        fits = (i for i, value in enumerate(values) if i not in found and key and value_key(value.text) == key)
        first = next(fits, None)
        if first is not None:
            found[first] = result
    return found


def open_scene(record: dict[str, Any]) -> Scene:
    """Return an annotated paper with its annotated entities."""
    page = open_page(record)
    return Scene(page, gold_entities(record, page))


def value_examples(scenes: list[tuple[dict[str, Any], Scene]]) -> Examples:
    """Yield features of every number and whether it is a result."""
    for record, scene in scenes:
        values = find_values(scene)
        results = matched_values(record, values)
        for number, value in enumerate(values):
            features = tuple(dict.fromkeys(value_features(scene, value, values)))
            yield features, RESULT if number in results else OTHER


def tie_examples(scenes: list[tuple[dict[str, Any], Scene]], role: str) -> Examples:
    """Yield features of every option of every result and whether the result belongs to it."""
    for record, scene in scenes:
        forms = [{fold(name) for name in [*entity["surface"], entity["name"]]} for entity in record["entities"]]
        values = find_values(scene)
        for number, result in matched_values(record, values).items():
            options = options_for(scene, values[number], role)
            agree = [same_name(result.get(role), option.name, forms) for option in options]
            if any(agree):
                for option, fits in zip(options, agree, strict=True):
                    features = tuple(dict.fromkeys(option_features(scene, values[number], option, options)))
                    yield features, TIED if fits else FREE


def parts(scenes: list[tuple[dict[str, Any], Scene]]) -> Iterator[tuple[str, Examples]]:
    """Yield the name and the examples of each set of weights."""
    yield "values", value_examples(scenes)
    for role in ROLES:
        yield f"tie_{role}", tie_examples(scenes, role)


def main() -> None:
    """Count and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("--strength", type=float, default=0.1)
    parser.add_argument("--min-count", type=int, default=4)
    arguments = parser.parse_args()
    records = [json.loads(line) for line in arguments.train.read_text(encoding="utf-8").splitlines()]
    banned = introduced_words(records)
    scenes = [(record, open_scene(record)) for record in records if re.search(r"\d", record["abstract"])]
    for name, examples in parts(scenes):
        features, labels = zip(*examples, strict=True)
        data = fit_linear(features, labels, min_count=arguments.min_count, strength=arguments.strength, banned=banned)
        print(write_model(data, name, WEIGHTS), len(data), Counter(labels))


if __name__ == "__main__":
    main()
