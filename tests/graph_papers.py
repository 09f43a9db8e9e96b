"""Invented papers with hand-made extractions, for tests of linking and graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from extractors.given import given_extraction
from kg.types import Extraction, Paper

#: (id, text, entities as (name, type, surfaces, introduced), relations as (head, type, tail))
_Entity = tuple[str, str, list[str], bool]

RECORDS: list[tuple[str, str, list[_Entity], list[tuple[str, str, str]]]] = [
    (
        "lantern",
        "We introduce Lantern Search (LS), a tree search for theorem proving. LS is trained with reinforcement "
        "learning (RL) and beats beam search on miniF2F, where it reaches 61.3% accuracy.",
        [
            ("LS", "Method", ["Lantern Search", "LS"], True),
            ("theorem proving", "Task", ["theorem proving"], False),
            ("reinforcement learning", "Method", ["reinforcement learning", "RL"], False),
            ("beam search", "Method", ["beam search"], False),
            ("miniF2F", "Benchmark", ["miniF2F"], False),
            ("accuracy", "Metric", ["accuracy"], False),
        ],
        [
            ("LS", "USED_FOR", "theorem proving"),
            ("reinforcement learning", "USED_FOR", "LS"),
            ("LS", "COMPARED_WITH", "beam search"),
            ("LS", "EVALUATED_ON", "miniF2F"),
        ],
    ),
    (
        "harbor",
        "RL agents forget. Harbor replays old episodes for continual reinforcement learning and helps RL agents on "
        "the Tidepool dataset. We compare with Lantern Search.",
        [
            ("Harbor", "Method", ["Harbor"], True),
            ("RL", "Method", ["RL"], False),
            ("continual reinforcement learning", "Task", ["continual reinforcement learning"], False),
            ("Tidepool", "Dataset", ["Tidepool dataset"], False),
            ("Lantern Search", "Method", ["Lantern Search"], False),
        ],
        [
            ("Harbor", "USED_FOR", "continual reinforcement learning"),
            ("Harbor", "EVALUATED_ON", "Tidepool"),
            ("Harbor", "COMPARED_WITH", "Lantern Search"),
        ],
    ),
    (
        "trace-a",
        "TRACE, a framework for re-alignment, edits large language models (LLMs) after a policy change. It is tested "
        "on Tidepool.",
        [
            ("TRACE", "Method", ["TRACE"], True),
            ("re-alignment", "Task", ["re-alignment"], False),
            ("large language models", "Method", ["large language models", "LLMs"], False),
            ("Tidepool", "Benchmark", ["Tidepool"], False),
        ],
        [
            ("TRACE", "USED_FOR", "re-alignment"),
            ("TRACE", "EVALUATED_ON", "Tidepool"),
            ("TRACE", "USED_FOR", "large language models"),
        ],
    ),
    (
        "trace-b",
        "We release TRACE, a benchmark for continual learning of LLMs. Our experiments show that an LLM forgets.",
        [
            ("TRACE", "Benchmark", ["TRACE"], True),
            ("continual learning", "Task", ["continual learning"], False),
            ("LLMs", "Method", ["LLMs", "LLM"], False),
            ("experiments", "Method", ["experiments"], False),
        ],
        [("TRACE", "BENCHMARK_FOR", "continual learning"), ("experiments", "USED_FOR", "continual learning")],
    ),
    (
        "survey",
        "Reinforcement Learning is a task of its own here. Large-language models help reinforcement learning.",
        [
            ("Reinforcement Learning", "Task", ["Reinforcement Learning", "reinforcement learning"], False),
            ("Large-language models", "Method", ["Large-language models"], False),
        ],
        [("Large-language models", "USED_FOR", "Reinforcement Learning")],
    ),
]


def sample_papers() -> tuple[list[Paper], list[Extraction]]:
    """Return the papers and what was "read" from them."""
    papers = [Paper(paper_id, abstract=text) for paper_id, text, _, _ in RECORDS]
    pairs = zip(papers, RECORDS, strict=True)
    return papers, [
        given_extraction(record_of(entities, relations), paper) for paper, (_, _, entities, relations) in pairs
    ]


def record_of(entities: Sequence[_Entity], relations: Sequence[tuple[str, str, str]] = ()) -> dict[str, Any]:
    """Return entities and relations in the format that `kg extract` writes."""
    names = ("name", "type", "surfaces", "introduced")
    return {
        "entities": [dict(zip(names, entity, strict=True)) for entity in entities],
        "relations": [{"head": head, "type": kind, "tail": tail} for head, kind, tail in relations],
    }


def named_papers(*names: tuple[str, str], introduced: bool = False) -> tuple[list[Paper], list[Extraction]]:
    """Return one paper for each (name, type) that names nothing else."""
    papers = [Paper(f"p{number:04}", abstract=name) for number, (name, _) in enumerate(names)]
    pairs = zip(papers, names, strict=True)
    return papers, [
        given_extraction(record_of([(name, kind, [name], introduced)]), paper) for paper, (name, kind) in pairs
    ]
