"""The queries of the README have rows, and a real Neo4j answers them as the embedded store does."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from loaders.stores import query
from loaders.stores.neo4j_store import Neo4jStore
from tests.bolt_servers import WIPE, neo4j_address
from tests.test_readme import commands

if TYPE_CHECKING:
    from kg.knowledge_graph import KnowledgeGraph

Asked = tuple[str, dict[str, str]]


def queries() -> list[Asked]:
    found = []
    for command, _ in commands():
        words = shlex.split(command)
        if words[1:3] == ["query", "sample"]:
            pairs = [words[at + 1].split("=", 1) for at, word in enumerate(words) if word == "--param"]
            found.append((words[3], dict(pairs)))
    return found


EVERY_QUERY = pytest.mark.parametrize("asked", queries(), ids=lambda asked: asked[0][:40])


def in_any_order(value: Any) -> Any:
    """Rows that tie and collected lists have no order of their own; 800.0 is 800."""
    if isinstance(value, list | tuple):
        return sorted((in_any_order(item) for item in value), key=repr)
    return float(value) if isinstance(value, int) else value


@pytest.fixture(scope="module")
def sample(sample_graphs: Path) -> KnowledgeGraph:
    from kg.knowledge_graph import load

    return load("sample", graphs=sample_graphs)


@pytest.fixture(scope="module")
def served(sample: KnowledgeGraph) -> Iterator[Neo4jStore]:
    with Neo4jStore(neo4j_address(), "sample") as opened:
        opened.load(sample.nx)
        yield opened
        opened.run(WIPE, {})


def test_readme_has_five_queries() -> None:
    assert len(queries()) >= 5


@EVERY_QUERY
def test_readme_query_has_rows(sample: KnowledgeGraph, asked: Asked) -> None:
    assert query(sample.store(), *asked).values


@pytest.mark.neo4j
@EVERY_QUERY
def test_neo4j_answers_a_readme_query_as_the_embedded_store_does(
    sample: KnowledgeGraph, served: Neo4jStore, asked: Asked
) -> None:
    embedded, other = query(sample.store(), *asked), served.query(*asked)
    assert embedded.columns == other.columns
    assert in_any_order(embedded.values) == in_any_order(other.values)
