"""Relations whose ends were given other types by linking: what they become, or that they go.

When most papers use a name as a Method, it is one Method node; a relation that a paper stated of it as a Task may
no longer fit the schema.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from kg import schema
from kg.schema import BENCHMARK, DATASET, METHOD, METRIC, TASK

_DATA: Final = (DATASET, BENCHMARK)

#: (relation, head type, tail type) -> the relation that says the same between these types.
_SAME_WAY: Final = MappingProxyType(
    {
        (schema.SUBTASK_OF, METHOD, METHOD): schema.SUBCLASS_OF,
        (schema.SUBTASK_OF, METHOD, TASK): schema.USED_FOR,
        (schema.SUBTASK_OF, METRIC, METRIC): schema.SUBCLASS_OF,
        (schema.SUBCLASS_OF, TASK, TASK): schema.SUBTASK_OF,
        (schema.SUBCLASS_OF, METHOD, TASK): schema.USED_FOR,
        (schema.PART_OF, TASK, TASK): schema.SUBTASK_OF,
        (schema.PART_OF, METHOD, TASK): schema.USED_FOR,
        (schema.PART_OF, METRIC, METRIC): schema.SUBCLASS_OF,
        (schema.USED_FOR, METHOD, METRIC): schema.MEASURED_BY,
        (schema.USED_FOR, METHOD, BENCHMARK): schema.PART_OF,
        (schema.USED_FOR, TASK, TASK): schema.SUBTASK_OF,
        (schema.EVALUATED_ON, METHOD, TASK): schema.USED_FOR,
        (schema.EVALUATED_ON, METHOD, METRIC): schema.MEASURED_BY,
        (schema.EVALUATED_ON, TASK, METRIC): schema.MEASURED_BY,
        (schema.TRAINED_ON, METHOD, TASK): schema.USED_FOR,
        (schema.BENCHMARK_FOR, METHOD, TASK): schema.USED_FOR,
        **{(schema.USED_FOR, data, TASK): schema.BENCHMARK_FOR for data in _DATA},
        **{(schema.EVALUATED_ON, data, TASK): schema.BENCHMARK_FOR for data in _DATA},
    }
)
#: The same with head and tail changed over.
_OTHER_WAY: Final = MappingProxyType(
    {
        **{(schema.BENCHMARK_FOR, data, METHOD): schema.EVALUATED_ON for data in _DATA},
        **{(schema.EVALUATED_ON, TASK, data): schema.BENCHMARK_FOR for data in _DATA},
        **{(schema.PART_OF, TASK, data): schema.BENCHMARK_FOR for data in _DATA},
    }
)


def retype(head: str, relation: str, tail: str) -> tuple[str, bool] | None:
    """Return the relation that holds between these types and whether its ends change over; None where none does.

    >>> retype("Method", "SUBTASK_OF", "Method"), retype("Benchmark", "BENCHMARK_FOR", "Method")
    (('SUBCLASS_OF', False), ('EVALUATED_ON', True))
    >>> retype("Task", "COMPARED_WITH", "Method") is None
    True
    """
    if schema.allows(head, relation, tail):
        return relation, False
    same, other = _SAME_WAY.get((relation, head, tail)), _OTHER_WAY.get((relation, head, tail))
    if same:
        return same, False
    return (other, True) if other else None
