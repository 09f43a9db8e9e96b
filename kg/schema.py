"""Labels, relationship types and which may connect which. The one place where the schema stands.

Labels are CamelCase, relationship types UPPER_SNAKE and properties snake_case, as a Neo4j user expects.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

METHOD: Final = "Method"
TASK: Final = "Task"
DATASET: Final = "Dataset"
BENCHMARK: Final = "Benchmark"
METRIC: Final = "Metric"
PAPER: Final = "Paper"
TOPIC: Final = "Topic"
LINK: Final = "Link"
AUTHOR: Final = "Author"
VENUE: Final = "Venue"

ENTITY_TYPES: Final = (METHOD, TASK, DATASET, BENCHMARK, METRIC)
NODE_LABELS: Final = (PAPER, *ENTITY_TYPES, TOPIC, LINK, AUTHOR, VENUE)

INTRODUCES: Final = "INTRODUCES"
MENTIONS: Final = "MENTIONS"
HAS_TOPIC: Final = "HAS_TOPIC"
LINKS_TO: Final = "LINKS_TO"
AUTHORED: Final = "AUTHORED"
PUBLISHED_IN: Final = "PUBLISHED_IN"
REPORTED: Final = "REPORTED"
USED_FOR: Final = "USED_FOR"
EVALUATED_ON: Final = "EVALUATED_ON"
TRAINED_ON: Final = "TRAINED_ON"
COMPARED_WITH: Final = "COMPARED_WITH"
PART_OF: Final = "PART_OF"
SUBCLASS_OF: Final = "SUBCLASS_OF"
SUBTASK_OF: Final = "SUBTASK_OF"
BENCHMARK_FOR: Final = "BENCHMARK_FOR"
MEASURED_BY: Final = "MEASURED_BY"

_DATA: Final = (DATASET, BENCHMARK)


def _pairs(heads: tuple[str, ...], tails: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return frozenset((head, tail) for head in heads for tail in tails)


#: What an abstract can state between two entities: relationship type -> allowed (head type, tail type).
RELATIONS: Final = MappingProxyType(
    {
        USED_FOR: _pairs((METHOD,), (TASK, METHOD, DATASET)),
        EVALUATED_ON: _pairs((METHOD,), _DATA),
        TRAINED_ON: _pairs((METHOD,), _DATA),
        COMPARED_WITH: _pairs((METHOD,), (METHOD,)),
        PART_OF: _pairs((METHOD,), (METHOD, *_DATA))
        | _pairs(_DATA, (*_DATA, METHOD))
        | _pairs((METRIC, TASK), (METHOD,)),
        SUBCLASS_OF: _pairs((METHOD,), (METHOD,)) | _pairs((METRIC,), (METRIC,)) | _pairs(_DATA, _DATA),
        SUBTASK_OF: _pairs((TASK,), (TASK,)),
        BENCHMARK_FOR: _pairs(_DATA, (TASK,)),
        MEASURED_BY: _pairs((TASK, METHOD, *_DATA), (METRIC,)),
    }
)

#: All edges of the graph: relationship type -> allowed (head label, tail label).
EDGES: Final = MappingProxyType(
    {
        INTRODUCES: _pairs((PAPER,), ENTITY_TYPES),
        MENTIONS: _pairs((PAPER,), ENTITY_TYPES),
        HAS_TOPIC: _pairs((PAPER,), (TOPIC,)),
        LINKS_TO: _pairs((PAPER,), (LINK,)),
        AUTHORED: _pairs((AUTHOR,), (PAPER,)),
        PUBLISHED_IN: _pairs((PAPER,), (VENUE,)),
        REPORTED: _pairs((METHOD,), (*_DATA, TASK)),
        **RELATIONS,
    }
)


def family(entity_type: str) -> str:
    """Return the identity family of a type: Dataset and Benchmark are one.

    >>> family("Benchmark"), family("Method")
    ('Data', 'Method')
    """
    return "Data" if entity_type in _DATA else entity_type


def allows(head_type: str, relation: str, tail_type: str) -> bool:
    """Say whether the schema has an edge of this type between these labels.

    >>> allows("Method", "USED_FOR", "Task"), allows("Task", "USED_FOR", "Method")
    (True, False)
    """
    return (head_type, tail_type) in EDGES.get(relation, frozenset())
