"""Gather what a page holds: the PyVis network of a selection, and the papers and sentences behind it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
from pyvis.edge import Edge
from pyvis.network import Network

from kg.lookup import evidence_of
from kg.schema import AUTHOR, ENTITY_TYPES, INTRODUCES, LINKS_TO, MENTIONS, PAPER
from kg.types import Paper
from kg.views.evidence import locate, utf16
from kg.views.layout import place
from kg.views.links import paper_links, web_address
from kg.views.palette import GROUPS, RELATIONS, TYPES
from kg.views.selection import CARRIED, PAPER_KEY, Choice, Selection, holds, mentions, papers_in, weigh

EVIDENCE_SHOWN = 5
"""Sentences kept of each edge: enough to judge it; the page says how many more papers state it."""

PAPERS_SHOWN = 40
"""Papers listed for a node: the most telling ones; the page says how many more there are."""

_SMALLEST, _LARGEST = 4.5, 24.0
"""Radii of nodes in pixels at zoom 1."""


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


def page_data(
    G: nx.MultiDiGraph,
    selection: Selection,
    choice: Choice,
    *,
    title: str,
    papers: Mapping[str, Paper] | None = None,
) -> dict[str, Any]:
    """Return all that a page shows, ready for JSON.

    ``net`` holds the nodes, edges and options of a PyVis network; ``levels`` the positions for each number of
    nodes that the page can show.
    """
    index = {node: number for number, node in enumerate(selection.nodes)}
    tables = Tables(G, index, papers)
    radii = node_radii(G, selection)
    levels = show_levels(len(index), first_shown(selection, choice.top))
    pictures = place(selection.nodes, joined_pairs(selection, index), radii, levels=levels)
    net = network(G, tables, selection, choice, radii, pictures[-1].tolist())
    return {
        "title": title,
        "total": selection.total,
        "focus": [index[node] for node in selection.focus],
        "levels": [{"count": len(points), "xy": points.round().astype(int).ravel().tolist()} for points in pictures],
        "net": {"nodes": net.nodes, "edges": net.edges, "options": _OPTIONS},
        "papers": [paper_record(G, paper, index) for paper in tables.paper_numbers],
        "sentences": list(tables.sentences),
        "facets": [list(facet) for facet in tables.facets],
        "styles": styles(),
    }


def first_shown(selection: Selection, top: int) -> int:
    """Return how many nodes to show at first: those alone wait, unless they are all there is or were asked for."""
    joined = sum(bool(selection.joined[node]) for node in selection.nodes)
    return min(top, joined) if joined and not selection.focus else top


def show_levels(count: int, top: int) -> list[int]:
    """Return how many nodes a page can show, step by step: ``top``, twice as many, up to all it holds.

    >>> show_levels(2000, 300), show_levels(120, 300)
    ([300, 600, 1200, 2000], [120])
    """
    levels = [min(top, count)]
    while levels[-1] < count:
        double = levels[-1] * 2
        levels.append(count if double * 1.3 > count else double)
    return levels


def joined_pairs(selection: Selection, index: Mapping[str, int]) -> list[tuple[int, int, float]]:
    """Return who is joined to whom by number, with the support of it, in a fixed order."""
    edges = selection.joined.subgraph(selection.nodes).edges(data="weight")
    return sorted((*sorted((index[a], index[b])), float(weight)) for a, b, weight in edges)  # type: ignore[misc]


def node_radii(G: nx.MultiDiGraph, selection: Selection) -> list[float]:
    """Return the radius of each node: its area grows with its importance; papers are all alike."""
    degree = dict(selection.joined.degree(weight="weight"))
    weights = [weigh(G, node, degree[node]) for node in selection.nodes]
    entities = (w for w, n in zip(weights, selection.nodes, strict=True) if G.nodes[n]["label"] != PAPER)
    largest = max(max(entities, default=1.0), 30.0)
    radii = []
    for node, weight in zip(selection.nodes, weights, strict=True):
        share = math.sqrt(min(weight / largest, 1.0))
        fixed = G.nodes[node]["label"] == PAPER
        radii.append(7.0 if fixed else round(_SMALLEST + (_LARGEST - _SMALLEST) * share, 1))
    return radii


def network(
    G: nx.MultiDiGraph,
    tables: Tables,
    selection: Selection,
    choice: Choice,
    radii: Sequence[float],
    positions: Sequence[Sequence[float]],
) -> Network:
    """Return the PyVis network of a selection; nodes are numbered, so that no text becomes an id."""
    net = Network(directed=True, cdn_resources="in_line")
    for number, node in enumerate(selection.nodes):
        x, y = positions[number]
        facts = node_facts(G, tables, node)
        style = TYPES[G.nodes[node]["label"]]
        net.add_node(
            number,
            label=G.nodes[node]["name"],
            shape=style.shape,
            size=radii[number],
            x=round(x),
            y=round(y),
            **facts,
        )
    # Not Network.add_edge: it looks both ends up in a list, edge by edge.
    for head, tail, data in chosen_edges(G, tables.index, choice):
        facts = edge_facts(tables, head, tail, data)
        net.edges.append(Edge(tables.index[head], tables.index[tail], directed=True, **facts).options)
    return net


def chosen_edges(G: nx.MultiDiGraph, index: Mapping[str, int], choice: Choice) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the edges between chosen nodes; a paper that introduces a thing is not said to mention it."""
    papers = papers_in(G, choice.years)
    edges = []
    for head in index:
        for _, tail, data in G.out_edges(head, data=True):
            implied = data["type"] == MENTIONS and G.has_edge(head, tail, INTRODUCES)
            if tail in index and not implied and holds(data, choice, papers):
                edges.append((head, tail, data))
    return sorted(edges, key=lambda e: (index[e[0]], index[e[1]], e[2]["type"], str(e[2].get("value", ""))))


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


def styles() -> dict[str, Any]:
    """Return how types and relations look, for the page's script."""
    return {
        "types": {
            label: {"plural": s.plural, "shape": s.shape, "light": s.light, "dark": s.dark}
            for label, s in TYPES.items()
        },
        "relations": {
            name: {
                "words": s.words,
                "inverse": s.inverse,
                "group": s.group,
                "dash": list(s.dash),
                "arrow": s.arrow,
            }
            for name, s in RELATIONS.items()
        },
        "groups": {name: {"light": light, "dark": dark} for name, (light, dark) in GROUPS.items()},
        "carried": CARRIED,
    }


_OPTIONS: dict[str, Any] = {
    "autoResize": True,
    "physics": False,
    "layout": {"improvedLayout": False},
    "interaction": {
        "hover": True,
        "dragNodes": True,
        "multiselect": False,
        "selectConnectedEdges": False,
        "hoverConnectedEdges": False,
        "tooltipDelay": 100000,
        "keyboard": False,
        "zoomSpeed": 0.8,
    },
}
