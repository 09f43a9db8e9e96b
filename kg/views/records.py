"""The papers and sentences that a page holds, and what it tells of nodes, edges and papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from kg.lookup import evidence_of
from kg.schema import AUTHOR, ENTITY_TYPES, INTRODUCES, LINKS_TO, MENTIONS, PAPER
from kg.types import Paper
from kg.views.evidence import locate, utf16
from kg.views.links import paper_links, web_address
from kg.views.selection import PAPER_KEY, mentions

EVIDENCE_SHOWN = 5
"""Sentences kept of each edge: enough to judge it; the page says how many more papers state it."""

PAPERS_SHOWN = 40
"""Papers listed for a node: the most telling ones; the page says how many more there are."""


@dataclass(slots=True)
class Tables:
    """Papers, sentences and (year, venue) pairs, each kept once and known by its number."""

    G: nx.MultiDiGraph
    index: Mapping[str, int]
    sources: Mapping[str, Paper] | None
    paper_numbers: dict[str, int] = field(default_factory=dict)
    sentences: dict[str, int] = field(default_factory=dict)
    facets: dict[tuple[int, str], int] = field(default_factory=dict)

    def paper(self, paper: str) -> int:
        """Return the number of a paper, given its id without the node prefix."""
        return self.paper_numbers.setdefault(paper, len(self.paper_numbers))

    def sentence(self, text: str) -> int:
        """Return the number of a sentence."""
        return self.sentences.setdefault(text, len(self.sentences))

    def count_facets(self, papers: Iterable[str]) -> list[int]:
        """Return pairs (facet, papers with it), flattened: what the filters by year and venue count."""
        seen: Counter[int] = Counter()
        for paper in papers:
            data = self.G.nodes.get(PAPER_KEY + paper, {})
            facet = (int(data.get("year", 0)), str(data.get("venue", "")))
            seen[self.facets.setdefault(facet, len(self.facets))] += 1
        return [number for pair in sorted(seen.items()) for number in pair]

    def evidence(self, head: str, tail: str, edge: dict[str, Any], limit: int) -> list[list[Any]]:
        """Return [paper, sentence, head span, tail span, score] of an edge's best evidence, best first."""
        best = sorted(evidence_of(edge), key=lambda item: -item.score)[:limit]
        rows = []
        for item in best:
            spans = locate(self.G, head, tail, item, self.sources)
            marks = [utf16(item.sentence, span) for span in spans]
            rows.append([self.paper(item.paper), self.sentence(item.sentence), *marks, item.score])
        return rows


def node_facts(G: nx.MultiDiGraph, tables: Tables, node: str) -> dict[str, Any]:
    """Return what the page tells of a node beyond its name; papers are told of by their record."""
    data = G.nodes[node]
    facts: dict[str, Any] = {"group": data["label"], "key": node}
    if data["label"] == PAPER:
        paper = node.removeprefix(PAPER_KEY)
        return {**facts, "paper": tables.paper(paper), "f": tables.count_facets([paper])}
    told = mentions(G, node) if data["label"] in ENTITY_TYPES else _neighbouring_papers(G, node)
    facts["f"] = tables.count_facets(paper.removeprefix(PAPER_KEY) for paper, _ in told)
    facts["count"] = len(told)
    facts["papers"] = [_mention(tables, node, paper, edge) for paper, edge in told[:PAPERS_SHOWN]]
    if beyond := relations_beyond(G, tables.index, node):
        facts["beyond"] = beyond
    if data.get("aliases"):
        facts["aliases"] = list(data["aliases"])
    if data.get("url"):
        facts["url"] = web_address(str(data["url"]))
    return facts


def relations_beyond(G: nx.MultiDiGraph, index: Mapping[str, int], node: str) -> int:
    """Count the relations of a node to entities that the page leaves out."""
    ends = [tail for _, tail in G.out_edges(node)] + [head for head, _ in G.in_edges(node)]
    return sum(other not in index and G.nodes[other]["label"] in ENTITY_TYPES for other in ends)


def _mention(tables: Tables, node: str, paper: str, edge: dict[str, Any]) -> list[Any]:
    """Return [paper, introduces the node, evidence]; the sentence only where it introduces it."""
    introduces = edge["type"] == INTRODUCES
    evidence = tables.evidence(paper, node, edge, 1) if introduces else []
    return [tables.paper(paper.removeprefix(PAPER_KEY)), int(introduces), evidence]


def _neighbouring_papers(G: nx.MultiDiGraph, node: str) -> list[tuple[str, dict[str, Any]]]:
    out = G.nodes[node]["label"] == AUTHOR
    edges = G.out_edges(node, data=True) if out else G.in_edges(node, data=True)
    return sorted(((tail if out else head, data) for head, tail, data in edges), key=lambda item: item[0])


def edge_facts(tables: Tables, head: str, tail: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return what the page tells of an edge."""
    facts = {
        "type": data["type"],
        "support": data["support"],
        "confidence": data["confidence"],
        "f": tables.count_facets(dict.fromkeys(data["evidence_papers"])),
        "evidence": tables.evidence(head, tail, data, EVIDENCE_SHOWN),
    }
    facts.update((key, data[key]) for key in ("value", "metric", "baseline", "kind") if data.get(key))
    return facts


def paper_record(G: nx.MultiDiGraph, paper: str, index: Mapping[str, int]) -> dict[str, Any]:
    """Return what the page tells of a paper, a node or not; only web addresses become links."""
    node = PAPER_KEY + paper
    data = G.nodes.get(node, {})
    record: dict[str, Any] = {"id": paper, "name": data.get("title") or data.get("name") or paper}
    record.update((key, data[key]) for key in ("year", "venue") if data.get(key))
    if data.get("authors"):
        record["authors"] = list(data["authors"])
    record["links"] = paper_links(data)
    if node in index:
        record["node"] = index[node]
    if node in G:
        spoken: dict[int, int] = {}
        for _, tail, edge in G.out_edges(node, data=True):
            if edge["type"] == LINKS_TO:
                record["links"].append([web_address(G.nodes[tail]["url"]), G.nodes[tail]["url"], edge.get("kind", "")])
            elif tail in index and edge["type"] in (INTRODUCES, MENTIONS):
                spoken[index[tail]] = spoken.get(index[tail]) or int(edge["type"] == INTRODUCES)
        record["entities"] = [[number, own] for number, own in sorted(spoken.items(), key=lambda i: (-i[1], i[0]))]
    return record
