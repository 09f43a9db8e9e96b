"""A graph that is loaded for retrieval answers the retrievers of Neo4j's own package."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from loaders.stores import statements
from loaders.stores.graphrag import HashedEmbedder, add_vectors
from loaders.stores.neo4j_store import Neo4jStore
from tests.bolt_servers import WIPE, neo4j_address
from tests.toygraph import toy_graph

ENTITIES = 24


@pytest.fixture
def store() -> Iterator[Neo4jStore]:
    with Neo4jStore(neo4j_address(), "toy") as opened:
        opened.load(toy_graph())
        yield opened
        opened.run(WIPE, {})
        opened.run(statements.DROP_VECTOR_INDEX, {})
        opened.run(f"DROP INDEX {statements.ENTITY_NAMES} IF EXISTS", {})


def test_hashed_embedder_puts_alike_names_near() -> None:
    embedder = HashedEmbedder()
    first, second, other, empty = embedder.embed(["graph network", "Graph networks", "decision tree", " "])
    assert [round(math.sqrt(sum(x * x for x in vector)), 9) for vector in (first, second, other, empty)] == [1.0] * 4
    near, far = (sum(a * b for a, b in zip(first, vector, strict=True)) for vector in (second, other))
    assert near > 0.6 > 0.3 > far
    assert embedder.embed(["graph network"]) == [first]


@pytest.mark.neo4j
def test_add_vectors_embeds_what_is_new_or_changed(store: Neo4jStore) -> None:
    graph = toy_graph()
    assert add_vectors(store, graph, HashedEmbedder()) == ENTITIES
    assert add_vectors(store, graph, HashedEmbedder()) == 0
    graph.nodes["method:lamp"]["name"] = "LAMP2"
    assert add_vectors(store, graph, HashedEmbedder()) == 1
    assert store.load(toy_graph()).nodes_written == 0
    labelled = f"MATCH (n:`{statements.ENTITY_LABEL}`) RETURN count(n) AS n, min(size(n.embedding)) AS size"
    assert store.run(labelled, {}) == [{"n": ENTITIES, "size": 256}]
    assert add_vectors(store, toy_graph(), HashedEmbedder(dimensions=64)) == ENTITIES
    assert store.run(labelled, {}) == [{"n": ENTITIES, "size": 64}]


@pytest.mark.neo4j
def test_retrievers_of_neo4j_graphrag_find_entities(store: Neo4jStore) -> None:
    pytest.importorskip("neo4j_graphrag", reason="needs the package neo4j-graphrag")
    from neo4j_graphrag.embeddings.base import Embedder
    from neo4j_graphrag.retrievers import HybridRetriever, VectorRetriever

    class Adapted(Embedder):
        def embed_query(self, text: str) -> list[float]:
            return HashedEmbedder().embed([text])[0]

    add_vectors(store, toy_graph(), HashedEmbedder())
    driver = store._connected()
    vectors = VectorRetriever(driver, statements.VECTOR_INDEX, Adapted(), return_properties=["id", "name"])
    found = vectors.search(query_text="graph networks", top_k=2)
    assert "'id': 'method:graph network'" in found.items[0].content
    hybrid = HybridRetriever(
        driver, statements.VECTOR_INDEX, statements.ENTITY_NAMES, Adapted(), return_properties=["id"]
    )
    found = hybrid.search(query_text="toyset", top_k=3)
    assert "'id': 'data:toyset'" in found.items[0].content
