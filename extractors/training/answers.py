"""Prepare what the answer network learns from: the results of annotated papers as questions with their options.

    python -m extractors.training.answers TRAIN.jsonl [MORE.jsonl ...] -o ANSWERS.pickle [--reader best]
    python -m extractors.training.trainer cool TRAIN.jsonl RUN/last.pt BRANCH --answers ANSWERS.pickle --minutes 70

Every result is asked among the annotated entities and among those that the reader finds, as in use. The counted weights
of other papers say beforehand what they can, as they will of papers that nobody has seen. In a record without entities
only the results are annotated.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from extractors.linear import Floats, LinearModel, parse_linear
from extractors.questions import ROLES
from extractors.reader.answers import describe_number
from extractors.reader.pieces import Pieces
from extractors.reader.session import VOCABULARY
from extractors.reader.units import Units
from extractors.readers import load_reader, model_folder
from extractors.scene import Scene
from extractors.training.annotations import Example, NumberExample, example_of, unread_example
from extractors.training.linear import fit_choice
from extractors.training.results import PENALTY, Asked, Record, ask, open_scene, read_records, read_scenes, tie_groups
from extractors.training.rules import introduced_words

FOLDS = 4
"""Parts of the papers; what is counted in the others is said of one."""


def fold_of(paper: str) -> int:
    """Return the part that a paper is in, 0 to FOLDS - 1."""
    return int(hashlib.md5(paper.encode()).hexdigest(), 16) % FOLDS


def count_apart(asked: Sequence[Asked], *, banned: frozenset[str]) -> list[list[Floats]]:
    """Return for each result and role the options' log-odds by weights that were counted in the other folds."""
    models = [[_counted(asked, role, apart, banned) for role in ROLES] for apart in range(FOLDS)]
    return [
        [model.scores(f)[:, 0] for model, f in zip(models[fold_of(a.paper)], a.features, strict=True)] for a in asked
    ]


def _counted(asked: Iterable[Asked], role: str, apart: int, banned: frozenset[str]) -> LinearModel:
    groups = tie_groups([a for a in asked if fold_of(a.paper) != apart], role)
    return parse_linear(fit_choice(groups, min_count=3, penalty=PENALTY, banned=banned))


def numbers_of(asked: Asked, counted: Sequence[Floats], units: Units) -> NumberExample | None:
    """Return a result as the network is given it, None where its number lies outside of the units."""
    given = describe_number(asked.questions, counted, units)
    if given is None:
        return None
    return NumberExample(given, np.concatenate([np.array(right, bool) for right in asked.right]))


def prepare(papers: Sequence[tuple[Record, Sequence[Scene]]], pieces: Pieces, banned: frozenset[str]) -> list[Example]:
    """Return the papers as examples with numbers; each with one or more scenes, that is with entities."""
    asked = [[list(ask(record, scene)) for scene in scenes] for record, scenes in papers]
    flat = [a for scenes in asked for group in scenes for a in group]
    counted = iter(count_apart(flat, banned=banned))
    examples = []
    for (record, scenes), groups in zip(papers, asked, strict=True):
        example = _example(record, scenes[0], pieces)
        made = ([numbers_of(a, next(counted), example.units) for a in group] for group in groups)
        numbers = tuple(tuple(number for number in group if number) for group in made)
        examples.append(replace(example, numbers=tuple(group for group in numbers if group)))
    return [example for example in examples if example.numbers]


def _example(record: Record, scene: Scene, pieces: Pieces) -> Example:
    clean, title_end = scene.page.clean.text, scene.page.title_end
    if record["entities"] and record["text"] == clean:
        return example_of(record, pieces)
    return unread_example(record["id"], clean, title_end, pieces)


def read_answers(file: Path) -> list[Example]:
    """Return the examples that `main` wrote; only open files of your own making."""
    examples: list[Example] = pickle.loads(file.read_bytes())
    return examples


def main(argv: list[str] | None = None) -> None:
    """Write the examples."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path, nargs="+", help="annotated papers")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--reader", default="best", help="whose entities to learn from")
    a = parser.parse_args(argv)
    records = read_records(a.papers)
    papers = []
    for record, scene in read_scenes(records, load_reader(a.reader)):
        papers.append((record, [scene, *[open_scene(record)] * bool(record["entities"])]))
    pieces = Pieces(model_folder(a.reader) / VOCABULARY)
    examples = prepare(papers, pieces, introduced_words(records))
    a.out.write_bytes(pickle.dumps(examples, protocol=pickle.HIGHEST_PROTOCOL))
    count = sum(len(example.numbers[0]) for example in examples)
    print(f"{a.out}: {count} results of {len(examples)} papers")


if __name__ == "__main__":
    main()
