"""Find nodes by the names people type, and gather what the graph holds about them."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx

from kg.errors import EntityNotFound
from kg.schema import ENTITY_TYPES, PAPER

_CLOSE = 0.6
"""Similarity from which another name is worth proposing (difflib's own default)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where one paper states an edge. Offsets count in the paper's raw text; -1: the end is the paper itself."""

    paper: str
    sentence: str
    head: tuple[int, int]
    tail: tuple[int, int]
    score: float
    source: str


def find_node(G: nx.MultiDiGraph, name: str) -> str:
    """Return the id of the node that a person means by ``name``: an id, a name, an alias, a paper's title.

    An exact name wins over one in another case, a name over an alias, an entity over a paper, and then the node
    that more papers mention.

    Raises:
        EntityNotFound: nothing bears the name; the message proposes near ones.
    """
    name = name.strip()
    if name in G:
        return name
    if not name:
        raise EntityNotFound("an empty name; give the name, an alias or the id of a node")
    wanted = name.casefold()
    matches = [(_rank(data, name), node) for node, data in G.nodes(data=True) if wanted in _names(data)]
    if not matches:
        raise EntityNotFound(f"no node is called {name!r}; {_proposal(G, wanted)}")
    return min(matches)[1]


def evidence_of(edge: dict[str, Any]) -> Iterator[Evidence]:
    """Yield the evidence of an edge, in its order (papers sorted)."""
    for paper, sentence, hs, he, ts, te, score, source in zip(
        edge["evidence_papers"],
        edge["evidence_sentences"],
        edge["evidence_head_starts"],
        edge["evidence_head_ends"],
        edge["evidence_tail_starts"],
        edge["evidence_tail_ends"],
        edge["evidence_scores"],
        edge["evidence_sources"],
        strict=True,
    ):
        yield Evidence(paper, sentence, (hs, he), (ts, te), score, source)


def edges_at(
    G: nx.MultiDiGraph, node: str, *, min_support: int = 1, min_confidence: float = 0.0
) -> list[tuple[str, str, dict[str, Any]]]:
    """Return (head, tail, attributes) of the node's edges, by type, then best supported first."""
    edges = [*G.out_edges(node, data=True), *G.in_edges(node, data=True)]
    kept = [e for e in edges if e[2]["support"] >= min_support and e[2]["confidence"] >= min_confidence]
    return sorted(kept, key=lambda e: (e[2]["type"], -e[2]["support"], -e[2]["confidence"], e[0], e[1]))


def edges_between(G: nx.MultiDiGraph, one: str, other: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return (head, tail, attributes) of all edges between two nodes, in both directions."""
    found = [(a, b, data) for a, b in ((one, other), (other, one)) if G.has_edge(a, b) for data in G[a][b].values()]
    return sorted(found, key=lambda e: (e[2]["type"], e[0]))


def schema_rows(G: nx.MultiDiGraph) -> list[tuple[str, str, int, str]]:
    """Return (kind, name, count, properties) for every label and every (label)-[type]->(label)."""
    nodes: Counter[str] = Counter()
    properties: dict[str, set[str]] = defaultdict(set)
    for _, data in G.nodes(data=True):
        nodes[data["label"]] += 1
        properties[data["label"]].update(data)
    edges: Counter[str] = Counter()
    for head, tail, data in G.edges(data=True):
        pattern = f"(:{G.nodes[head]['label']})-[:{data['type']}]->(:{G.nodes[tail]['label']})"
        edges[pattern] += 1
        properties[pattern].update(data)
    return [
        (kind, name, counts[name], ", ".join(_shortened(properties[name])))
        for kind, counts in (("node", nodes), ("edge", edges))
        for name in sorted(counts)
    ]


def _shortened(properties: set[str]) -> list[str]:
    """Name the parallel lists of evidence once."""
    return sorted({"evidence_*" if name.startswith("evidence_") else name for name in properties - {"label", "type"}})


def _names(data: dict[str, Any]) -> set[str]:
    return {
        name.casefold()
        for name in (data["name"], *data.get("aliases", ()), data.get("title", ""), data.get("paper_id", ""))
    }


def _rank(data: dict[str, Any], name: str) -> tuple[bool, bool, bool, int]:
    return (
        data["name"] != name,
        data["name"].casefold() != name.casefold(),
        data["label"] == PAPER,
        -data.get("papers", 0),
    )


def _proposal(G: nx.MultiDiGraph, wanted: str) -> str:
    names = {data["name"].casefold(): data["name"] for _, data in G.nodes(data=True) if data["label"] in ENTITY_TYPES}
    near = [names[n] for n in difflib.get_close_matches(wanted, _plausible(names, wanted), n=3, cutoff=_CLOSE)]
    return f"did you mean {', '.join(map(repr, near))}?" if near else "`kg rank NAME` lists what there is"


def _plausible(names: Iterable[str], wanted: str) -> list[str]:
    """Names of a similar length: the others cannot come near, and comparing is slow on large graphs."""
    return [name for name in names if abs(len(name) - len(wanted)) <= max(3, len(wanted) // 2)]
