"""How types and relations look, and the words for them. Colours are told apart by the colour-blind too.

The hues follow Okabe and Ito; each type also has a shape of its own, and each relation a line of its own, so
that nothing depends on colour alone. Text on the page never takes these colours.

References:
    M. Okabe, K. Ito: Color Universal Design, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kg import schema


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """A node type: plural for headings, shape, and its colour on a light and on a dark ground."""

    plural: str
    shape: str
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class RelationStyle:
    """A relationship type: its words from head to tail and back, colour group and dash pattern in pixels."""

    words: str
    inverse: str
    group: str
    dash: tuple[int, ...] = ()
    arrow: bool = True


TYPES: Final = MappingProxyType(
    {
        schema.METHOD: TypeStyle("Methods", "dot", "#0b6fb3", "#5cb3ea"),
        schema.TASK: TypeStyle("Tasks", "diamond", "#cf5a00", "#ff9146"),
        schema.DATASET: TypeStyle("Datasets", "square", "#00875f", "#2fc795"),
        schema.BENCHMARK: TypeStyle("Benchmarks", "hexagon", "#b07d00", "#f0c244"),
        schema.METRIC: TypeStyle("Metrics", "triangle", "#b0558b", "#e59cc8"),
        schema.PAPER: TypeStyle("Papers", "sheet", "#6b7280", "#a3abb8"),
        schema.TOPIC: TypeStyle("Topics", "triangleDown", "#7a6a58", "#c3b19d"),
        schema.LINK: TypeStyle("Links", "ring", "#4b6584", "#9db7d5"),
        schema.AUTHOR: TypeStyle("Authors", "pill", "#3f6f73", "#8cc5c9"),
        schema.VENUE: TypeStyle("Venues", "star", "#5b5ea6", "#a7aaf0"),
    }
)

RELATIONS: Final = MappingProxyType(
    {
        schema.USED_FOR: RelationStyle("used for", "uses", "purpose"),
        schema.BENCHMARK_FOR: RelationStyle("benchmark for", "benchmarked by", "purpose", (9, 3)),
        schema.SUBTASK_OF: RelationStyle("subtask of", "has subtask", "purpose", (3, 3)),
        schema.EVALUATED_ON: RelationStyle("evaluated on", "evaluates", "test"),
        schema.TRAINED_ON: RelationStyle("trained on", "trains", "test", (9, 3)),
        schema.MEASURED_BY: RelationStyle("measured by", "measures", "test", (3, 3)),
        schema.REPORTED: RelationStyle("reported on", "has results of", "test", (9, 3, 2, 3)),
        schema.COMPARED_WITH: RelationStyle("compared with", "compared with", "compare", (), False),
        schema.PART_OF: RelationStyle("part of", "has part", "form"),
        schema.SUBCLASS_OF: RelationStyle("kind of", "has kind", "form", (9, 3)),
        schema.INTRODUCES: RelationStyle("introduces", "introduced by", "paper"),
        schema.MENTIONS: RelationStyle("mentions", "mentioned by", "paper", (3, 3)),
        schema.HAS_TOPIC: RelationStyle("has topic", "topic of", "paper", (9, 3)),
        schema.LINKS_TO: RelationStyle("links to", "linked from", "paper", (9, 3, 2, 3)),
        schema.AUTHORED: RelationStyle("wrote", "written by", "paper", (6, 2)),
        schema.PUBLISHED_IN: RelationStyle("published in", "published", "paper", (2, 4)),
    }
)

#: Colour group of relations -> (colour on light, colour on dark).
GROUPS: Final = MappingProxyType(
    {
        "purpose": ("#b4632a", "#e8a678"),
        "test": ("#2b8266", "#6fc9a8"),
        "compare": ("#a8487f", "#e59cc8"),
        "form": ("#3f76a6", "#7fb5e0"),
        "paper": ("#7d8592", "#8d96a5"),
    }
)
