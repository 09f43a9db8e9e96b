"""Choose which part of a graph a picture shows, best connected first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import networkx as nx

from kg.analytics import communities
from kg.config import VIEW_NODES
from kg.errors import UsageError
from kg.lookup import find_node
from kg.schema import ENTITY_TYPES, INTRODUCES, MENTIONS, NODE_LABELS, PAPER, RELATIONS, REPORTED

CARRIED = 2000
"""Nodes that a file holds at most, unless more are asked for: it stays quick to open."""

_PATHS = 50
"""Shortest paths shown between two nodes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a picture should show; the rules add up.

    ``types`` are labels, empty for the entities (and papers where they fit). ``years`` is (first, last), both
    included. ``nodes`` are node ids, for instance the answer of a query.
    """

    around: str | None = None
    depth: int = 1
    types: tuple[str, ...] = ()
    paper: str | None = None
    community: int | None = None
    between: tuple[str, str] | None = None
    nodes: tuple[str, ...] | None = None
    top: int = VIEW_NODES
    years: tuple[int, int] | None = None
    min_support: int = 1
    min_confidence: float = 0.0

    def check(self) -> None:
        """Raise UsageError for values that cannot be meant."""
        unknown = [label for label in self.types if label not in NODE_LABELS]
        if unknown:
            raise UsageError(f"there is no type {unknown[0]!r}; the types are {', '.join(NODE_LABELS)}")
        if self.top < 1 or self.depth < 0:
            raise UsageError(f"top is {self.top} and depth is {self.depth}; they start at 1 and 0")
        if self.years and self.years[0] > self.years[1]:
            raise UsageError(f"the years {self.years[0]}-{self.years[1]} run backwards; write the earlier year first")
        ways = ("around", "paper", "community", "between", "nodes")
        used = [way for way in ways if getattr(self, way) is not None]
        if len(used) > 1:
            raise UsageError(f"{' and '.join(used)} each choose a part of the graph; use one of them")


@dataclass(frozen=True, slots=True)
class Selection:
    """The nodes of a picture, best first, the graph of who is joined to whom, and how many there were.

    ``focus`` are the nodes that were asked for by name.
    """

    nodes: tuple[str, ...]
    joined: nx.Graph
    total: int
    focus: tuple[str, ...] = ()


def select(G: nx.MultiDiGraph, choice: Choice) -> Selection:
    """Return the part of ``G`` that ``choice`` means: at most ``max(choice.top, CARRIED)`` nodes.

    Raises:
        EntityNotFound: a name that no node bears.
        UsageError: rules that contradict each other, or that leave nothing to show.
    """
    choice.check()
    labels = set(choice.types) or _default_types(G, choice)
    joined = join(G, choice, labels)
    focus, kept = _part(G, joined, choice)
    if kept is not None:
        joined = joined.subgraph(kept)
    if not joined:
        raise UsageError("nothing is left to show; allow more types or years, or a smaller --min-support")
    order = _rank(G, joined, focus)
    limit = max(choice.top, min(len(order), CARRIED))
    nodes = order if len(order) <= choice.top else _connected_first(joined, order, limit)
    if choice.min_support > 1:
        # What nothing well supported joins would only be in the way.
        nodes = [node for node in nodes if joined[node]] or nodes
    return Selection(tuple(nodes), joined, len(order), focus)


def join(G: nx.MultiDiGraph, choice: Choice, labels: Collection[str]) -> nx.Graph:
    """Return the undirected graph of nodes with these labels; ``weight`` sums the support between two."""
    inside = {node for node, label in G.nodes(data="label") if label in labels}
    papers = papers_in(G, choice.years)
    S = nx.Graph()
    if papers is None:
        S.add_nodes_from(sorted(inside))
    else:
        S.add_nodes_from(sorted(inside & papers))
    for head, tail, data in G.edges(data=True):
        if head not in inside or tail not in inside or not holds(data, choice, papers):
            continue
        if head in S and tail in S:
            S.add_edge(head, tail, weight=S.get_edge_data(head, tail, _NONE)["weight"] + data["support"])
    return S


_NONE = {"weight": 0}


def holds(edge: dict[str, object], choice: Choice, papers: Collection[str] | None) -> bool:
    """Say whether an edge passes the support, confidence and years of ``choice``.

    Support is asked of edges between entities only: what one paper mentions has a support of 1 by nature.
    """
    between_entities = edge["type"] in RELATIONS or edge["type"] == REPORTED
    if between_entities and int(str(edge["support"])) < choice.min_support:
        return False
    if float(str(edge["confidence"])) < choice.min_confidence:
        return False
    stated = edge["evidence_papers"]
    return papers is None or (isinstance(stated, list) and any(f"{PAPER_KEY}{paper}" in papers for paper in stated))


PAPER_KEY = "paper:"


def papers_in(G: nx.MultiDiGraph, years: tuple[int, int] | None) -> set[str] | None:
    """Return the papers of these years and all that they speak of; None for all years."""
    if years is None:
        return None
    first, last = years
    papers = [n for n, d in G.nodes(data=True) if d["label"] == PAPER and first <= d.get("year", first - 1) <= last]
    return {*papers, *(tail for paper in papers for tail in G.successors(paper))}


def _default_types(G: nx.MultiDiGraph, choice: Choice) -> set[str]:
    wanted = {*ENTITY_TYPES, PAPER}
    if any(part is not None for part in (choice.around, choice.paper, choice.between, choice.nodes)):
        return wanted
    counts = Counter(label for _, label in G.nodes(data="label"))
    entities = sum(counts[label] for label in ENTITY_TYPES)
    return wanted if entities + counts[PAPER] <= choice.top or not entities else set(ENTITY_TYPES)


def _part(G: nx.MultiDiGraph, joined: nx.Graph, choice: Choice) -> tuple[tuple[str, ...], Collection[str] | None]:
    if choice.around is not None:
        centre = find_node(G, choice.around)
        return (centre,), _within(joined, centre, choice.depth)
    if choice.paper is not None:
        centre = find_paper(G, choice.paper)
        return (centre,), _within(joined, centre, 1)
    if choice.between is not None:
        ends = (find_node(G, choice.between[0]), find_node(G, choice.between[1]))
        return ends, _paths(joined, ends, choice.between)
    if choice.community is not None:
        return (), community(G, choice, choice.community)
    if choice.nodes is not None:
        return (), [node for node in choice.nodes if node in joined]
    return (), None


def find_paper(G: nx.MultiDiGraph, paper: str) -> str:
    """Return the node of a paper, by its id or title."""
    node = find_node(G, f"{PAPER_KEY}{paper}" if f"{PAPER_KEY}{paper}" in G else paper)
    if G.nodes[node]["label"] != PAPER:
        raise UsageError(f"{paper!r} is a {G.nodes[node]['label']}, not a paper; use --around for it")
    return node


def _within(joined: nx.Graph, centre: str, depth: int) -> Collection[str]:
    if centre not in joined:
        raise UsageError(f"{centre!r} is not among what is shown; allow its type and years")
    return nx.single_source_shortest_path_length(joined, centre, cutoff=depth).keys()


def _paths(joined: nx.Graph, ends: tuple[str, str], names: tuple[str, str]) -> set[str]:
    missing = [name for name, end in zip(names, ends, strict=True) if end not in joined]
    if missing:
        raise UsageError(f"{missing[0]!r} is not among what is shown; allow its type and years")
    if not nx.has_path(joined, *ends):
        raise UsageError(f"no path joins {names[0]!r} and {names[1]!r} in this graph")
    return {node for path in islice(nx.all_shortest_paths(joined, *ends), _PATHS) for node in path}


def community(G: nx.MultiDiGraph, choice: Choice, number: int) -> Collection[str]:
    """Return the members of a community as `kg.analytics` finds them; 1 is the largest."""
    groups = communities(G, min_support=choice.min_support, min_confidence=choice.min_confidence).groups
    if not 1 <= number <= len(groups):
        raise UsageError(f"there is no community {number}; this graph has {len(groups)}, 1 being the largest")
    return groups[number - 1]


def _rank(G: nx.MultiDiGraph, joined: nx.Graph, focus: Sequence[str]) -> list[str]:
    """Order nodes by papers and by what joins them; what was asked for comes first."""
    first = set(focus)
    weight = dict(joined.degree(weight="weight"))

    def key(node: str) -> tuple[bool, float, str]:
        return (node not in first, -weigh(G, node, weight[node]), node)

    return sorted(joined, key=key)


def weigh(G: nx.MultiDiGraph, node: str, weight: float) -> float:
    """Return the importance of a node: its papers and what joins it; a paper counts by what it introduces."""
    data = G.nodes[node]
    if data["label"] == PAPER:
        return 0.25 * weight
    return float(data.get("papers", 1)) + 0.5 * weight


def _connected_first(joined: nx.Graph, order: Sequence[str], limit: int) -> list[str]:
    """Take nodes in order, but only once something taken is joined to them: a picture that hangs together.

    When nothing more is joined, the best that is left starts a part of its own; nodes alone come last.
    """
    taken: dict[str, None] = {}
    left = [node for node in order if joined[node]]
    while left and len(taken) < limit:
        _take_part(joined, left, limit, taken)
        left = [node for node in left if node not in taken]
    alone = [node for node in order if not joined[node]]
    return [*taken, *alone][:limit]


def _take_part(joined: nx.Graph, order: Iterable[str], limit: int, taken: dict[str, None]) -> None:
    part: set[str] = set()
    waiting: set[str] = set()
    for node in order:
        if part and not any(other in part for other in joined[node]):
            waiting.add(node)
            continue
        queue = [node]
        while queue and len(taken) < limit:
            newest = queue.pop(0)
            waiting.discard(newest)
            part.add(newest)
            taken[newest] = None
            queue.extend(other for other in sorted(joined[newest]) if other in waiting and other not in queue)


def mentions(G: nx.MultiDiGraph, node: str) -> list[tuple[str, dict[str, object]]]:
    """Return (paper node, edge) of papers that speak of a node: introducing ones first, then by salience."""
    found: dict[str, dict[str, object]] = {}
    for paper, _, data in G.in_edges(node, data=True):
        if data["type"] == INTRODUCES or (data["type"] == MENTIONS and paper not in found):
            found[paper] = data
    return sorted(found.items(), key=lambda item: (item[1]["type"] != INTRODUCES, -_salience(item[1]), item[0]))


def _salience(edge: dict[str, object]) -> float:
    value = edge.get("salience", 0.0)
    return float(value) if isinstance(value, int | float) else 0.0
