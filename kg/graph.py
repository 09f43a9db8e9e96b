"""The knowledge graph as a NetworkX graph, and simpler graphs made from it.

Nodes are papers and what they speak of; every edge carries its evidence as parallel lists. The same papers in any
order give the same graph, with nodes and edges inserted in sorted order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import networkx as nx

from kg.assembly import assemble
from kg.changes import Changes
from kg.contribution import paper_facts
from kg.elements import Assembly, Edge
from kg.facts import PaperFacts
from kg.linking import link
from kg.similarity import Similarity
from kg.types import Extraction, Paper


def build_graph(
    papers: Iterable[Paper],
    extractions: Iterable[Extraction],
    *,
    authors: bool = False,
    venues: bool = False,
    similarity: Similarity | None = None,
) -> nx.MultiDiGraph:
    """Link what was read from papers and return the graph.

    Args:
        papers: The papers, in any order; ids must be distinct.
        extractions: What was read from each of them, joined by paper id. A paper without one is a bare node.
        authors: Add Author nodes and AUTHORED edges.
        venues: Add Venue nodes and PUBLISHED_IN edges.
        similarity: Tells which words of names mean the same; without it no names are joined for their meaning.
    """
    facts = gather_facts(papers, extractions)
    return to_networkx(assemble(facts, link(facts, similarity=similarity), authors=authors, venues=venues))


def gather_facts(papers: Iterable[Paper], extractions: Iterable[Extraction]) -> list[PaperFacts]:
    """Return the facts of each paper, sorted by paper id.

    Raises:
        ValueError: Two papers have one id.
    """
    by_id = {extraction.paper_id: extraction for extraction in extractions}
    facts = [
        paper_facts(paper, by_id.get(paper.id) or Extraction(paper.id, paper.content_hash))
        for paper in sorted(papers, key=lambda paper: paper.id)
    ]
    for one, other in pairwise(facts):
        if one.paper.id == other.paper.id:
            raise ValueError(f"two papers have the id {one.paper.id!r}; ids must be distinct")
    return facts


def to_networkx(assembly: Assembly) -> nx.MultiDiGraph:
    """Return the nodes and edges of an assembly as a NetworkX graph."""
    graph = nx.MultiDiGraph()
    for node in assembly.nodes:
        graph.add_node(node.id, id=node.id, **node.attributes)
    for edge in assembly.edges:
        graph.add_edge(edge.source, edge.target, key=edge.key, **edge_attributes(edge))
    return graph


def part_of(changes: Changes) -> nx.MultiDiGraph:
    """Return the nodes and edges to put where a store follows changes; other ends of edges have nothing but a label."""
    graph = nx.MultiDiGraph()
    edges = {(edge.source, edge.target, edge.key): edge for edge in (*changes.edges, *changes.around)}
    for end in sorted({end for source, target, _ in edges for end in (source, target)}):
        graph.add_node(end, id=end, label=changes.labels[end])
    for node in changes.nodes:
        graph.add_node(node.id, id=node.id, **node.attributes)
    for name in sorted(edges):
        graph.add_edge(*name, **edge_attributes(edges[name]))
    return graph


def edge_attributes(edge: Edge) -> dict[str, Any]:
    """Return the attributes of an edge: type, support, confidence, its own, and evidence as parallel lists."""
    rows = edge.evidence
    return {
        "type": edge.type,
        "support": edge.support,
        "confidence": edge.confidence,
        **edge.extra,
        "evidence_papers": [row.paper for row in rows],
        "evidence_sentences": [row.sentence for row in rows],
        "evidence_head_starts": [row.head_start for row in rows],
        "evidence_head_ends": [row.head_end for row in rows],
        "evidence_tail_starts": [row.tail_start for row in rows],
        "evidence_tail_ends": [row.tail_end for row in rows],
        "evidence_scores": [row.score for row in rows],
        "evidence_sources": [row.source for row in rows],
    }


def select(
    G: nx.MultiDiGraph, *, min_support: int = 1, min_confidence: float = 0.0, labels: Iterable[str] = ()
) -> nx.MultiDiGraph:
    """Return the part of a graph whose edges are well enough supported; all nodes of the labels stay.

    Args:
        G: The graph, which is left alone.
        min_support: The least number of papers behind an edge between entities.
        min_confidence: The least confidence of any edge, 0..1.
        labels: Keep nodes of these labels only; all when empty.
    """
    wanted = set(labels)
    part = nx.MultiDiGraph()
    part.add_nodes_from((node, data) for node, data in G.nodes(data=True) if not wanted or data["label"] in wanted)
    part.add_edges_from(
        (head, tail, key, data)
        for head, tail, key, data in G.edges(keys=True, data=True)
        if head in part and tail in part and _passes(G, head, data, min_support, min_confidence)
    )
    return part


def _passes(G: nx.MultiDiGraph, head: str, data: Mapping[str, Any], min_support: int, min_confidence: float) -> bool:
    """An edge of a paper has a support of one by nature, so only edges between entities must reach more."""
    of_paper = G.nodes[head]["label"] == "Paper"
    return bool(data["confidence"] >= min_confidence and (of_paper or data["support"] >= min_support))


def to_simple(
    G: nx.MultiDiGraph, *, weight: str = "support", directed: bool = False, types: Iterable[str] = ()
) -> nx.Graph | nx.DiGraph:
    """Return a graph with one edge for each pair of nodes: what most algorithms ask for.

    Args:
        G: The graph, which is left alone.
        weight: The edge attribute that is summed into ``weight``: "support", "confidence" or "count"; an edge
            without it counts 1.
        directed: Keep directions; otherwise both directions are summed.
        types: Use these edge types only; all when empty.
    """
    wanted = set(types)
    simple = nx.DiGraph() if directed else nx.Graph()
    simple.add_nodes_from((node, {"label": data["label"], "name": data["name"]}) for node, data in G.nodes(data=True))
    for head, tail, data in G.edges(data=True):
        if wanted and data["type"] not in wanted:
            continue
        amount = data.get(weight, 1)
        if simple.has_edge(head, tail):
            simple[head][tail]["weight"] += amount
        else:
            simple.add_edge(head, tail, weight=amount)
    return simple
