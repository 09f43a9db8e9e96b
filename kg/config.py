"""Defaults that decide what a graph holds. Each stands once, here, with its reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

SEED: Final = 20260101
"""One seed for everything that samples: betweenness, communities, layout, bootstrap."""

QUERY_TIMEOUT: Final = 30.0
"""Seconds a Cypher query may run: long for a graph of abstracts, short enough to wait for."""

VIEW_NODES: Final = 300
"""Nodes in a default view: what a screen shows with readable labels and a browser draws without delay."""

DEFAULT_GRAPHS: Final = "graphs"
"""Folder of graphs below the working directory, unless KG_GRAPHS or --graphs says otherwise."""


@dataclass(frozen=True, slots=True)
class ReadConfig:
    """How a paper is read. Part of the key under which an extraction is kept.

    ``reader`` is "auto" (the best that is installed), "rules", a shipped model or a folder of weights.
    ``keyphrases`` is how many a paper gets at most; 0 leaves topics out.
    """

    reader: str = "auto"
    keyphrases: int = 5

    def key(self) -> str:
        """Return a text that differs whenever the reading would."""
        return ",".join(f"{name}={value}" for name, value in sorted(asdict(self).items()))
