"""Count which numbers are results and what they belong to, in annotated papers.

    python -m extractors.training.results TRAIN.jsonl [MORE.jsonl ...] [--reader best]

writes ``extractors/weights/{values,tie_method,tie_metric,tie_on}.json.gz``. Which numbers are results is learned among
the annotated entities; what they belong to, also among those that the reader finds, as in use.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from extractors.aliases import join_acronyms
from extractors.questions import ROLES, Question
from extractors.readers import AUTO, load_reader
from extractors.reading import Reader
from extractors.results import OTHER, RESULT
from extractors.scene import Scene
from extractors.ties import option_features
from extractors.training.linear import fit_choice, fit_linear, write_model
from extractors.training.rules import WEIGHTS, Examples, gold_entities, introduced_words, open_page
from extractors.values import Value, find_values, value_features
from extractors.words import content_words, fold, nearly_same

Record = dict[str, Any]
Group = tuple[list[tuple[str, ...]], list[bool]]
PENALTY = 3.0
"""How strongly the weights of answers are held to 0."""


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
    x, y = content_words(left), content_words(right)
    return bool(x and y) and nearly_same(x, y)


def matched_values(record: Record, values: list[list[Value]]) -> dict[Value, Record]:
    """Return number -> the annotated result that it is; each result once, the first number that fits."""
    found: dict[Value, Record] = {}
    flat = [value for group in values for value in group]
    for result in record["results"]:
        key = value_key(result["value"])
        fits = (value for value in flat if value not in found and key and value_key(value.text) == key)
        first = next(fits, None)
        if first is not None:
            found[first] = result
    return found


def read_records(files: Iterable[Path]) -> list[Record]:
    """Return annotated papers, one JSON object a line."""
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def open_scene(record: Record) -> Scene:
    """Return an annotated paper with its annotated entities."""
    page = open_page(record)
    return Scene(page, gold_entities(record, page))


def read_scenes(records: list[Record], reader: Reader) -> Iterator[tuple[Record, Scene]]:
    """Yield the papers that have results with the entities that a reader finds, as the pipeline joins them."""
    for record in records:
        if record["results"]:
            page = open_page(record)
            reading = reader.read(page)
            yield record, Scene(page, *join_acronyms(page, reading.entities, reading.relations))


def value_examples(scenes: list[tuple[Record, Scene]]) -> Examples:
    """Yield features of every number and whether it is a result."""
    for record, scene in scenes:
        values = find_values(scene)
        results = matched_values(record, values)
        for group in values:
            for value in group:
                features = tuple(dict.fromkeys(value_features(scene, value, group)))
                yield features, RESULT if value in results else OTHER


@dataclass(frozen=True)
class Asked:
    """One result of one paper: its questions, and for each the options' features and which of them are right."""

    paper: str
    questions: list[Question]
    features: list[list[tuple[str, ...]]]
    right: list[list[bool]]


def ask(record: Record, scene: Scene) -> Iterator[Asked]:
    """Yield the results of a paper whose number is found."""
    named: list[Sequence[str]] = [[*entity["surface"], entity["name"]] for entity in record["entities"]]
    forms = [{fold(name) for name in names} for names in named or [e.surfaces for e in scene.entities]]
    results = matched_values(record, find_values(scene))
    for value, result in results.items():
        told = [other for other in results if other.sentence == value.sentence]
        questions = [Question(scene, value, role, told) for role in ROLES]
        yield Asked(
            record["id"],
            questions,
            [[tuple(dict.fromkeys(option_features(q, option))) for option in q.options] for q in questions],
            [[same_name(result.get(q.role), option.name, forms) for option in q.options] for q in questions],
        )


def tie_groups(asked: Iterable[Asked], role: str) -> list[Group]:
    """Return for every result the features of a role's options and which are right, where any is."""
    number = ROLES.index(role)
    return [(a.features[number], a.right[number]) for a in asked if any(a.right[number])]


def main() -> None:
    """Count and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, nargs="+", help="annotated papers; without entities, for their results")
    parser.add_argument("--reader", default=AUTO, help="whose entities to learn from: a name or a model folder")
    parser.add_argument("--strength", type=float, default=0.03)
    arguments = parser.parse_args()
    records = read_records(arguments.papers)
    banned = introduced_words(records)
    told = [record for record in records if record["entities"] and re.search(r"\d", record["abstract"])]
    scenes = [(record, open_scene(record)) for record in told]
    features, labels = zip(*value_examples(scenes), strict=True)
    data = fit_linear(features, labels, min_count=4, strength=arguments.strength, banned=banned)
    print(write_model(data, "values", WEIGHTS), len(data), Counter(labels))
    scenes += read_scenes(records, load_reader(arguments.reader))
    asked = [a for record, scene in scenes for a in ask(record, scene)]
    for role in ROLES:
        groups = tie_groups(asked, role)
        data = fit_choice(groups, min_count=3, penalty=PENALTY, banned=banned)
        print(write_model(data, f"tie_{role}", WEIGHTS), len(data), len(groups))


if __name__ == "__main__":
    main()
