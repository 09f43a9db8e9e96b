"""What retrieval over a graph needs on a Neo4j server: the label ``__Entity__``, embeddings and a vector index.

These are the names that Neo4j's own GraphRAG package looks for. Only entities whose text or embedder changed
are embedded again.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from kg import schema
from kg.errors import StoreError

from . import statements
from .limits import server_id
from .neo4j_store import Neo4jStore

if TYPE_CHECKING:
    import networkx as nx

_ROWS_A_BATCH: Final = 500


class Embedder(Protocol):
    """Turns texts into vectors of ``dimensions`` numbers; ``name`` tells one embedder from another."""

    @property
    def name(self) -> str:
        """What tells it from other embedders."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector a text, in order."""


@dataclass(frozen=True, slots=True)
class HashedEmbedder:
    """Vectors of hashed words and letter trigrams: near for names that are spelled alike, without any model.

    It finds ``graph network`` for "graph networks" but not for "GNN"; give a trained embedder for meaning.

    References:
        Weinberger et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009.
    """

    dimensions: int = 256
    name: str = "hashed-trigrams/1"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 a text (of zeros and a one for a text without letters)."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for piece in _pieces(text.lower()):
            digest = int.from_bytes(hashlib.blake2b(piece.encode("utf-8", "replace"), digest_size=8).digest(), "big")
            vector[(digest >> 1) % self.dimensions] += 1.0 if digest & 1 else -1.0
        length = math.sqrt(sum(number * number for number in vector))
        if length == 0:
            return [1.0, *vector[1:]]
        return [number / length for number in vector]


def _pieces(text: str) -> Iterator[str]:
    for word in text.split():
        yield word
        padded = f"<{word}>"
        yield from (padded[at : at + 3] for at in range(len(padded) - 2))


def add_vectors(store: Neo4jStore, graph: nx.MultiDiGraph, embedder: Embedder) -> int:
    """Label the entities of a loaded graph, embed what is new or changed, and return how many that were.

    Raises:
        StoreError: when the server has no vector indexes (they came with Neo4j 5.13).
    """
    _prepare(store, embedder)
    written = 0
    for label in schema.ENTITY_TYPES:
        held = {row["id"]: row["embedded"] for row in store.run(statements.EMBEDDED_STATE[label], {})}
        rows = [
            (server_id(node), text, digest)
            for node, text in _texts(graph, label)
            for digest in [_digest(embedder, text)]
            if held.get(server_id(node)) != digest
        ]
        for start in range(0, len(rows), _ROWS_A_BATCH):
            batch = rows[start : start + _ROWS_A_BATCH]
            vectors = embedder.embed([text for _, text, _ in batch])
            parameters = [
                {"id": node, "vector": [float(number) for number in vector], "embedded": digest}
                for (node, _, digest), vector in zip(batch, vectors, strict=True)
            ]
            store.run(statements.WRITE_VECTORS[label], {"rows": parameters})
            written += len(batch)
            store.progress(len(batch))
    store.run(statements.AWAIT_INDEXES, {})
    return written


def _prepare(store: Neo4jStore, embedder: Embedder) -> None:
    store.check_version(statements.OLDEST_WITH_VECTORS)
    if not store.is_neo4j():
        raise StoreError(f"the server at {store.address.uri} is not Neo4j itself; it has no vector indexes")
    options = store.run(statements.VECTOR_INDEX_OPTIONS, {"name": statements.VECTOR_INDEX})
    if options and _dimensions(options[0]["options"]) != embedder.dimensions:
        store.run(statements.DROP_VECTOR_INDEX, {})
    # The dimensions cannot be a parameter; they are a number of ours.
    store.run(statements.CREATE_VECTOR_INDEX.format(dimensions=int(embedder.dimensions)), {})
    store.run(statements.ENTITY_NAMES_INDEX, {})


def _dimensions(options: Mapping[str, Any]) -> int:
    return int(options["indexConfig"]["vector.dimensions"])


def _texts(graph: nx.MultiDiGraph, label: str) -> Iterator[tuple[str, str]]:
    for node, data in graph.nodes(data=True):
        if data["label"] == label:
            yield node, ", ".join([data["name"], *data.get("aliases", ()), *filter(None, [data.get("sense")])])


def _digest(embedder: Embedder, text: str) -> str:
    seen = f"{embedder.name}\n{embedder.dimensions}\n{text}".encode("utf-8", "replace")
    return hashlib.blake2b(seen, digest_size=12).hexdigest()
