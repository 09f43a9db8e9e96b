"""Gather what a page holds: the PyVis network of a selection, where its nodes stand and how they look."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx
from pyvis.edge import Edge
from pyvis.network import Network

from kg.schema import INTRODUCES, MENTIONS, PAPER
from kg.types import Paper
from kg.views.layout import place
from kg.views.palette import GROUPS, RELATIONS, TYPES
from kg.views.records import Tables, edge_facts, node_facts, paper_record
from kg.views.selection import CARRIED, Choice, Selection, holds, papers_in, weigh

_SMALLEST, _LARGEST = 4.5, 24.0
"""Radii of nodes in pixels at zoom 1."""


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
