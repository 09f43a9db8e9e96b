"""Centralities and communities, each on a simple graph that the result names.

Measures of NetworkX refuse or miscount multigraphs, so every function here works on `kg.graph.to_simple`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import networkx as nx

from kg.config import SEED
from kg.errors import UsageError
from kg.graph import select, to_simple
from kg.schema import ENTITY_TYPES, INTRODUCES, MENTIONS

Scores = Mapping[str, float]

#: Measured seconds a source node and a million edges: betweenness, then closeness (one thread, 100,000 nodes).
_SECONDS: Final = {"betweenness": 2.4, "closeness": 0.42}
#: From so many expected seconds a warning says so.
_LONG: Final = 600.0
_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class RankedNode:
    """A node with its score."""

    id: str
    name: str
    type: str
    score: float
    papers: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Nodes, best first, by a measure on the graph of ``edges`` edges that ``graph`` describes."""

    measure: str
    graph: str
    rows: tuple[RankedNode, ...]
    edges: int = 0


@dataclass(frozen=True, slots=True)
class Communities:
    """Groups of node ids, largest first, found on the graph that ``graph`` describes."""

    graph: str
    modularity: float
    groups: tuple[tuple[str, ...], ...]


def rank(
    G: nx.MultiDiGraph,
    by: str = "pagerank",
    *,
    type: str | None = None,
    sample: int | None = None,
    seed: int = SEED,
    min_support: int = 1,
    min_confidence: float = 0.0,
) -> Ranking:
    """Rank entities by a centrality.

    Args:
        G: The knowledge graph, which is left alone.
        by: degree, pagerank, betweenness, closeness, eigenvector or core.
        type: Rank nodes of this type only; the measure still runs on all entities.
        sample: Estimate betweenness from so many source nodes; exact when None.
        seed: Seed of the sample.
        min_support: Papers behind an edge, at least.
        min_confidence: Confidence of an edge, at least.

    Raises:
        UsageError: No such measure.

    Warns:
        UserWarning: The measure is expected to take more than ten minutes.
    """
    measures = _measures(sample, seed)
    if by not in measures:
        raise UsageError(f"no measure {by!r}; there are {', '.join(measures)}")
    entities = entity_graph(G, min_support=min_support, min_confidence=min_confidence)
    measure, directed, said = measures[by]
    simple = to_simple(entities, directed=directed)
    _warn_if_long(by, simple, sample)
    scores = measure(simple) if simple else {}
    rows = [
        RankedNode(node, data["name"], data["label"], float(scores[node]), int(data.get("papers", 0)))
        for node, data in entities.nodes(data=True)
        if type in (None, data["label"])
    ]
    rows.sort(key=lambda row: (-row.score, row.id))
    return Ranking(
        by, f"{said}; {_describe(simple, min_support, min_confidence)}", tuple(rows), simple.number_of_edges()
    )


def entity_graph(G: nx.MultiDiGraph, *, min_support: int = 1, min_confidence: float = 0.0) -> nx.MultiDiGraph:
    """Return entities and the relations between them, without papers, topics, links and people."""
    return select(G, min_support=min_support, min_confidence=min_confidence, labels=ENTITY_TYPES)


def communities(
    G: nx.MultiDiGraph,
    *,
    resolution: float = 1.0,
    seed: int = SEED,
    min_support: int = 1,
    min_confidence: float = 0.0,
) -> Communities:
    """Find communities of entities by Louvain's method, with a seed; nodes without an edge are left out.

    A graph of a million edges takes about two minutes.

    References:
        Blondel et al. (2008), "Fast unfolding of communities in large networks".
    """
    simple = to_simple(entity_graph(G, min_support=min_support, min_confidence=min_confidence))
    simple.remove_nodes_from([node for node in list(simple) if not simple.degree(node)])
    groups = nx.community.louvain_communities(simple, weight="weight", resolution=resolution, seed=seed)
    ordered = sorted((tuple(sorted(group)) for group in groups), key=lambda group: (-len(group), group))
    quality = nx.community.modularity(simple, ordered) if simple.number_of_edges() else 0.0
    return Communities(
        f"undirected, weighted by support; {_describe(simple, min_support, min_confidence)}",
        quality,
        tuple(ordered),
    )


def introduced_by_mentions(G: nx.MultiDiGraph) -> nx.DiGraph:
    """Return which paper builds on which: an edge from each paper that mentions an entity to each that introduced it.

    ``weight`` counts the entities. No edge joins a paper to itself.
    """
    papers = nx.DiGraph()
    origin: dict[str, list[str]] = {}
    for paper, entity, data in G.edges(data=True):
        if data["type"] == INTRODUCES:
            origin.setdefault(entity, []).append(paper)
    for paper, entity, data in G.edges(data=True):
        for source in origin.get(entity, ()) if data["type"] == MENTIONS else ():
            if source != paper:
                weight = papers.get_edge_data(paper, source, {"weight": 0})["weight"]
                papers.add_edge(paper, source, weight=weight + 1)
    return papers


def _measures(sample: int | None, seed: int) -> dict[str, tuple[Callable[[Any], Scores], bool, str]]:
    """Return each measure with whether it runs on a directed graph and what it says of it."""
    exact = "exact" if sample is None else f"from {sample} sampled sources, seed {seed}"
    return {
        "degree": (lambda g: dict(g.degree()), False, "undirected, distinct neighbours"),
        "pagerank": (lambda g: nx.pagerank(g, weight="weight"), True, "directed, weighted by support"),
        "betweenness": (lambda g: _betweenness(g, sample, seed), False, f"undirected, unweighted, {exact}"),
        "closeness": (nx.closeness_centrality, False, "undirected, unweighted"),
        "eigenvector": (_eigenvector, False, "undirected, weighted by support"),
        "core": (nx.core_number, False, "undirected, unweighted"),
    }


def _betweenness(simple: nx.Graph, sample: int | None, seed: int) -> Scores:
    size = min(sample, len(simple)) if sample else None
    scores: Scores = nx.betweenness_centrality(simple, k=size, seed=seed)
    return scores


def _eigenvector(simple: nx.Graph) -> Scores:
    """Return eigenvector centrality on the largest component and 0 elsewhere, where it is not defined."""
    if not simple.number_of_edges():
        return dict.fromkeys(simple, 0.0)
    largest = max(nx.connected_components(simple), key=lambda nodes: (len(nodes), min(nodes)))
    part = simple.subgraph(sorted(largest))
    scores = nx.eigenvector_centrality(part, weight="weight", max_iter=2000, tol=1e-8)
    return {**dict.fromkeys(simple, 0.0), **scores}


def _warn_if_long(by: str, simple: nx.Graph, sample: int | None) -> None:
    sources = min(sample or len(simple), len(simple)) if by == "betweenness" else len(simple)
    seconds = _SECONDS.get(by, 0.0) * sources * simple.number_of_edges() / _MILLION
    if seconds > _LONG:
        advice = "; --sample 1000 estimates it" if by == "betweenness" else ""
        warnings.warn(f"{by} of {len(simple)} nodes takes about {seconds / 3600:.1f} hours{advice}", stacklevel=3)


def _describe(simple: nx.Graph, min_support: int, min_confidence: float) -> str:
    size = f"{simple.number_of_nodes()} nodes, {simple.number_of_edges()} edges"
    return f"{size}, support >= {min_support}, confidence >= {min_confidence:g}"
