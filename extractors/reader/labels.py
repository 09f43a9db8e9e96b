"""The reader's label sets and fixed sizes, in the order of the network's outputs."""

from __future__ import annotations

from typing import Final

TYPES: Final = ("Method", "Task", "Dataset", "Benchmark", "Metric")
"""Class t + 1 of a span or a cluster; class 0 is "no entity"."""
RELATIONS: Final = (
    "USED_FOR",
    "EVALUATED_ON",
    "TRAINED_ON",
    "COMPARED_WITH",
    "PART_OF",
    "SUBCLASS_OF",
    "SUBTASK_OF",
    "BENCHMARK_FOR",
    "MEASURED_BY",
)
"""Class r + 1 of a pair; class 0 is "no relation"."""
SAME: Final = len(RELATIONS) + 1
"""Class of a pair of clusters that are one entity under two names."""
PURPOSES: Final = frozenset(("USED_FOR", "EVALUATED_ON", "BENCHMARK_FOR"))
"""Relations that tell what their head is for, where the tail is one of AIMS."""
AIMS: Final = frozenset(("Task", "Dataset", "Benchmark"))
SYMMETRIC: Final = "COMPARED_WITH"
WIDEST: Final = 16
"""Units of the longest span that is looked at: 99.97 % of the annotated mentions are shorter."""
FAMILY: Final = (0, 1, 2, 3, 3, 4)
"""Family of each class: Dataset and Benchmark are one, as in the graph."""
