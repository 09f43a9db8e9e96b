"""A scientific knowledge graph from paper abstracts: build it, ask it in Cypher, draw it, rank it.

>>> import kg
>>> graph = kg.load("sample")                                           # doctest: +SKIP
>>> graph.query("MATCH (m:Method) RETURN m.name AS name LIMIT 3")       # doctest: +SKIP
>>> graph.rank("pagerank", type="Method").rows[:3]                      # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["KnowledgeGraph", "Paper", "build", "load"]

if TYPE_CHECKING:
    from kg.knowledge_graph import KnowledgeGraph, load
    from kg.pipeline import build
    from kg.types import Paper

_HOMES = {
    "KnowledgeGraph": "kg.knowledge_graph",
    "load": "kg.knowledge_graph",
    "build": "kg.pipeline",
    "Paper": "kg.types",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import kg`` stays instant."""
    if name not in _HOMES:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
