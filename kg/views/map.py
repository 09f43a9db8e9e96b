"""Draw the best connected part of a graph as a still map: communities as regions, each named by its hubs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from kg.config import SEED
from kg.schema import ENTITY_TYPES
from kg.views.data import joined_pairs, node_radii
from kg.views.layout import Points, place
from kg.views.palette import TYPES
from kg.views.selection import Choice, select

_SHOWN = 260
_REGIONS = 8
"""Regions drawn: as many as there are hues that everyone tells apart."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A node on the map."""

    name: str
    type: str
    x: float
    y: float
    radius: float
    path: str
    file: str


@dataclass(frozen=True, slots=True)
class Region:
    """A community on the map: its outline as SVG path data, its name and where that stands."""

    number: int
    path: str
    name: str
    x: float
    y: float
    size: int


@dataclass(frozen=True, slots=True)
class Map:
    """A still picture; ``box`` is the SVG view box."""

    box: str
    lines: str
    regions: tuple[Region, ...]
    spots: tuple[Spot, ...]


def draw_map(G: nx.MultiDiGraph, files: Mapping[str, str], *, shown: int = _SHOWN) -> Map:
    """Return the map of the ``shown`` best connected entities; ``files`` says which page a node leads to."""
    labels = [label for label in ENTITY_TYPES if any(found == label for _, found in G.nodes(data="label"))]
    if not labels:
        return Map("0 0 1 1", "", (), ())
    selection = select(G, Choice(types=tuple(labels), top=shown))
    nodes = selection.nodes[:shown]
    index = {node: number for number, node in enumerate(nodes)}
    pairs = [pair for pair in joined_pairs(selection, {n: i for i, n in enumerate(selection.nodes)}) if pair[1] < shown]
    radii = node_radii(G, selection)[: len(nodes)]
    points = place(nodes, pairs, radii, levels=[len(nodes)])[0]
    low, high = points.min(axis=0) - 60, points.max(axis=0) + 60
    return Map(
        f"{low[0]:.0f} {low[1]:.0f} {high[0] - low[0]:.0f} {high[1] - low[1]:.0f}",
        "".join(f"M{_pair(points[a])}L{_pair(points[b])}" for a, b, _ in pairs),
        _regions(G, selection.joined.subgraph(nodes), index, points),
        tuple(
            Spot(
                name=G.nodes[node]["name"],
                type=G.nodes[node]["label"],
                x=round(float(points[i][0])),
                y=round(float(points[i][1])),
                radius=radii[i],
                path=outline(TYPES[G.nodes[node]["label"]].shape, points[i], radii[i]),
                file=files.get(node, ""),
            )
            for node, i in index.items()
        ),
    )


def outline(shape: str, centre: Sequence[float], radius: float) -> str:
    """Return the SVG path of a node; the shapes are those of the interactive picture."""
    x, y = float(centre[0]), float(centre[1])
    corners = {"diamond": (4, 0.0, 1.22), "square": (4, np.pi / 4, 1.25), "hexagon": (6, 0.0, 1.1)}
    if shape == "triangle":
        y += radius * 0.18
    if shape not in corners and shape != "triangle":
        half = f"a{radius} {radius} 0 1 0 "
        return f"M{x - radius:.1f} {y:.1f}{half}{2 * radius} 0{half}{-2 * radius} 0Z"
    count, turn, factor = corners.get(shape, (3, -np.pi / 2, 1.32))
    angles = turn + np.arange(count) * 2 * np.pi / count
    far = radius * factor
    return "M" + "L".join(_pair((x + far * np.cos(a), y + far * np.sin(a))) for a in angles) + "Z"


def _regions(G: nx.MultiDiGraph, joined: nx.Graph, index: Mapping[str, int], points: Points) -> tuple[Region, ...]:
    """Find communities and shade each along its own edges, which keeps to where its members really stand."""
    groups = nx.community.louvain_communities(joined, weight="weight", seed=SEED)
    best = [sorted(group, key=index.__getitem__) for group in groups if len(group) > 4]
    best.sort(key=lambda group: (-len(group), group))
    regions: list[Region] = []
    for number, group in enumerate(best[:_REGIONS]):
        path = _along_edges(joined.subgraph(group), index, points)
        name = " · ".join(G.nodes[node]["name"] for node in group[:2])
        x, y = _free_spot(name, points[[index[node] for node in group]], points, regions)
        regions.append(Region(number, path, name, x, y, len(group)))
    return tuple(regions)


def _along_edges(part: nx.Graph, index: Mapping[str, int], points: Points) -> str:
    ends = sorted((index[a], index[b]) if index[a] < index[b] else (index[b], index[a]) for a, b in part.edges)
    lengths = np.array([np.hypot(*(points[a] - points[b])) for a, b in ends])
    # A long edge would lay the region over others.
    longest = float(np.median(lengths)) * 1.6
    kept = [(a, b) for (a, b), length in zip(ends, lengths, strict=True) if length <= longest]
    return "".join(f"M{_pair(points[a])}L{_pair(points[b])}" for a, b in kept)


def _free_spot(name: str, members: Points, points: Points, others: Sequence[Region]) -> tuple[int, int]:
    """Where a region's name stands: above the middle of its members, in the picture, clear of other names."""
    half = 6.0 * len(name)
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = (float(value) for value in np.median(members, axis=0))
    x = min(max(x, float(low[0]) - 40 + half), float(high[0]) + 40 - half)
    y -= 30
    for step in (0, -34, 34, -68, 68, -102, 102):
        clear = all(abs(y + step - o.y) > 30 or abs(x - o.x) > half + 6.0 * len(o.name) for o in others)
        if clear:
            return round(x), round(y + step)
    return round(x), round(y)


def _pair(point: Sequence[float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
