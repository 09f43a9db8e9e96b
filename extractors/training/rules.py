"""Count the weights of the rule reader in annotated papers.

    python -m extractors.training.rules TRAIN.jsonl [--papers N]

writes ``extractors/weights/*.json.gz``. Names that the papers introduce are left out of the features.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from extractors.acronyms import find_acronyms
from extractors.cleaning import clean
from extractors.entities import find_candidates
from extractors.reading import Page
from extractors.relations import candidate_pairs, introduced_features, pair_features
from extractors.scene import Scene
from extractors.training.linear import fit_linear, write_model
from extractors.words import fold, split_sentences, split_words
from kg.schema import COMPARED_WITH, allows
from kg.types import Mention, PaperEntity

WEIGHTS = Path(__file__).parents[1] / "weights"
NOTHING = "none"
#: A word seen in lower case this often is a common word, though some paper may have made a name of it.
COMMON = 20
Examples = Iterator[tuple[tuple[str, ...], str]]


def open_page(record: dict[str, Any]) -> Page:
    """Return the page of an annotated paper, as the pipeline makes it."""
    cleaned = clean(f"{record['title']}\n\n{record['abstract']}")
    title_end = next((i for i, start in enumerate(cleaned.raw_starts) if start >= len(record["title"])), 0)
    sentences = split_sentences(cleaned.text, title_end=title_end)
    return Page(cleaned, sentences, find_acronyms(cleaned.text, sentences), title_end)


def introduced_words(records: list[dict[str, Any]]) -> frozenset[str]:
    """Return the one-word names that the papers introduce and that are no common words."""
    names = {
        surface
        for record in records
        for entity in record["entities"]
        if entity["introduced"]
        for surface in entity["surface"]
        if " " not in surface and (surface[1:] != surface[1:].lower() or any(map(str.isdigit, surface)))
    }
    counts = Counter(word.text for record in records for word in split_words(record["abstract"]))
    forms = {form for name in names for form in (name.lower(), fold(name))}
    return frozenset(form for form in forms if counts[form] < COMMON)


def gold_types(record: dict[str, Any]) -> dict[str, str]:
    """Return folded surface -> type; "" for surfaces that may be left out or kept."""
    forms: dict[str, str] = {}
    for entity in record["entities"]:
        for surface in [*entity["surface"], entity["name"]]:
            core = entity["level"] == "core"
            forms[fold(surface)] = entity["type"] if core else forms.get(fold(surface), "")
    return forms


def entity_examples(records: list[dict[str, Any]]) -> Examples:
    """Yield features and type of every candidate whose worth is certain."""
    for record in records:
        gold = gold_types(record)
        for candidate in find_candidates(open_page(record)):
            label = gold.get(candidate.form, NOTHING)
            if label:
                yield candidate.features, label


def gold_entities(record: dict[str, Any], page: Page, *, optional: bool = True) -> tuple[PaperEntity, ...]:
    """Return the annotated entities with all their mentions in the clean text; longer surfaces win."""
    owners = {
        surface: number
        for number, entity in enumerate(record["entities"])
        for surface in entity["surface"]
        if surface.strip() and (optional or entity["level"] == "core")
    }
    if not owners:
        return ()
    longest_first = sorted(map(re.escape, owners), key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")
    mentions: dict[int, list[Mention]] = {}
    for match in pattern.finditer(page.clean.text):
        place = Mention(*match.span(), match.group(), page.clean.raw_span(*match.span()))
        mentions.setdefault(owners[match.group()], []).append(place)
    return tuple(
        PaperEntity(
            name=record["entities"][number]["name"],
            type=record["entities"][number]["type"],
            mentions=tuple(found),
            introduced=record["entities"][number]["introduced"],
        )
        for number, found in sorted(mentions.items())
    )


def introduced_examples(records: list[dict[str, Any]]) -> Examples:
    """Yield features of every annotated entity and whether it is the paper's own."""
    for record in records:
        page = open_page(record)
        scene = Scene(page, gold_entities(record, page))
        for number, entity in enumerate(scene.entities):
            yield (
                tuple(dict.fromkeys(introduced_features(scene, number))),
                "own" if entity.introduced else "other",
            )


def relation_examples(records: list[dict[str, Any]]) -> Examples:
    """Yield features of every pair that the schema can join and its relation."""
    for record in records:
        page = open_page(record)
        scene = Scene(page, gold_entities(record, page))
        stated = {(head, tail): name for head, name, tail in record["relations"]}
        stated |= {(t, h): name for h, name, t in record["relations"] if name == COMPARED_WITH}
        for head, tail in candidate_pairs(scene):
            name = stated.get((scene.entities[head].name, scene.entities[tail].name), NOTHING)
            if name == NOTHING or allows(scene.entities[head].type, name, scene.entities[tail].type):
                yield tuple(dict.fromkeys(pair_features(scene, head, tail))), name


PARTS = {"entities": entity_examples, "introduced": introduced_examples, "relations": relation_examples}


def main() -> None:
    """Count and write all weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("--papers", type=int, default=None)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--strength", type=float, default=0.1)
    parser.add_argument("--min-count", type=int, default=8)
    arguments = parser.parse_args()
    lines = arguments.train.read_text(encoding="utf-8").splitlines()[: arguments.papers]
    records = [json.loads(line) for line in lines]
    banned = introduced_words(records)
    for part in arguments.part or PARTS:
        examples, labels = zip(*PARTS[part](records), strict=True)
        data = fit_linear(examples, labels, min_count=arguments.min_count, strength=arguments.strength, banned=banned)
        print(write_model(data, part, WEIGHTS), len(data))


if __name__ == "__main__":
    main()
