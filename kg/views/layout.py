"""Compute where nodes stand: deterministic, related nodes together, nothing overlapping.

Nodes come in order of rank. The best ranked are placed first and the others join them in stages, each
starting amid its neighbours, so that hubs give the picture its shape and one more paper moves little of it.
Every stage is a force layout whose repulsion is summed on a grid by FFT: its cost hardly grows with nodes.

References:
    T. Fruchterman, E. Reingold: Graph drawing by force-directed placement. Software: Practice and Experience,
    1991.
    A. Nocaj, M. Ortmann, U. Brandes: Untangling the hairballs of multi-centered, small-world online social
    media networks. Journal of Graph Algorithms and Applications, 2015 (edges whose ends share neighbours pull
    more).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_GRID = 96
"""Cells a side of the repulsion grid: finer costs more and changes little, since overlaps go at the end."""

_FIRST_STAGE = 48
_STEPS = 70
_SPACING = 46.0
"""Mean room of a node, in pixels at zoom 1."""

_GRAVITY = 0.4
_ATTRACTION = 1.5
_ASPECT = 1.2
"""Width of the picture over its height: screens are wide."""


def place(
    ids: Sequence[str],
    pairs: Sequence[tuple[int, int, float]],
    radii: Sequence[float],
    *,
    levels: Sequence[int],
) -> list[Points]:
    """Return, for each level, the positions of its first nodes: arrays of shape (level, 2), in pixels.

    Args:
        ids: node ids, best ranked first; the same ids give the same picture.
        pairs: joined nodes as (index, index, weight > 0), each pair once.
        radii: size of each node in pixels.
        levels: increasing numbers of nodes, the last at most ``len(ids)``.
    """
    if not ids:
        return [np.zeros((0, 2)) for _ in levels]
    seeds = _seeds(ids)
    heads, tails, weights = _edge_arrays(pairs)
    positions = np.zeros((0, 2))
    pictures = []
    for count in _stages(levels):
        inside = (heads < count) & (tails < count)
        edges = (heads[inside], tails[inside], _pull(heads[inside], tails[inside], weights[inside], count))
        positions = _settle(_join(positions, seeds[:count], edges), edges)
        if count in levels:
            room = 1 + 1.4 * np.exp(-count / 110)
            pictures.append(
                separate(_scaled(positions) * room, np.asarray(radii[:count], dtype=float), gap=5 * room**4)
            )
    return pictures


def separate(positions: Points, radii: npt.NDArray[np.float64], *, gap: float = 5.0) -> Points:
    """Move nodes apart until no two circles come closer than ``gap`` pixels.

    Args:
        positions: (n, 2) centres.
        radii: (n,) radii.
        gap: least distance between two rims.
    """
    points = positions.copy()
    reach = 2 * float(radii.max(initial=0.0)) + gap
    for turn in range(400):
        one, other = near_pairs(points, reach)
        between = points[other] - points[one]
        distance = np.hypot(between[:, 0], between[:, 1])
        missing = radii[one] + radii[other] + gap - distance
        close = missing > 1e-3
        if not close.any():
            break
        if turn % 100 == 99:
            # Too crowded to settle: give everything more room.
            points *= 1.15
        push = _unit(between[close], one[close], other[close]) * (missing[close, None] * 0.55)
        for axis in (0, 1):
            points[:, axis] -= np.bincount(one[close], push[:, axis], len(points))
            points[:, axis] += np.bincount(other[close], push[:, axis], len(points))
    return points


def near_pairs(points: Points, reach: float) -> tuple[Indices, Indices]:
    """Return the index pairs of points that are less than about ``reach`` apart, each pair once."""
    cells = np.floor(points / max(reach, 1e-9)).astype(np.int64)
    cells -= cells.min(axis=0, initial=0)
    width = int(cells[:, 1].max(initial=0)) + 3
    keys = cells[:, 0] * width + cells[:, 1] + 1
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    ones, others = [], []
    for step in (0, 1, width - 1, width, width + 1):
        first = np.searchsorted(ordered, keys + step, "left")
        last = np.searchsorted(ordered, keys + step, "right")
        counts = last - first
        one = np.repeat(np.arange(len(points)), counts)
        offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        other = order[np.repeat(first, counts) + offset]
        keep = one < other if step == 0 else np.full(len(one), True)
        ones.append(one[keep])
        others.append(other[keep])
    one, other = np.concatenate(ones), np.concatenate(others)
    gap = points[one] - points[other]
    near = np.einsum("ij,ij->i", gap, gap) < reach * reach
    return one[near], other[near]


def _seeds(ids: Sequence[str]) -> Points:
    """A point of the unit disc for each id, from the id alone."""
    digests = [hashlib.blake2b(i.encode("utf-8", "surrogatepass"), digest_size=8).digest() for i in ids]
    numbers = np.array([(int.from_bytes(d[:4]), int.from_bytes(d[4:])) for d in digests], dtype=float).reshape(-1, 2)
    numbers /= 2.0**32
    radius, angle = np.sqrt(numbers[:, 0]), 2 * np.pi * numbers[:, 1]
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))


def _edge_arrays(pairs: Sequence[tuple[int, int, float]]) -> tuple[Indices, Indices, npt.NDArray[np.float64]]:
    table = np.array(pairs, dtype=float).reshape(-1, 3)
    return table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]


def _stages(levels: Sequence[int]) -> list[int]:
    stages = set(levels)
    count = _FIRST_STAGE
    while count < max(levels, default=0):
        stages.add(count)
        count *= 2
    return sorted(stages)


def _pull(heads: Indices, tails: Indices, weights: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.float64]:
    """Weight edges by how many neighbours their ends share: groups draw together, hubs do not tangle."""
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for head, tail in zip(heads.tolist(), tails.tolist(), strict=True):
        neighbours[head].add(tail)
        neighbours[tail].add(head)
    shared = [
        (len(neighbours[a] & neighbours[b]) + 1.0) / min(len(neighbours[a]), len(neighbours[b]))
        for a, b in zip(heads.tolist(), tails.tolist(), strict=True)
    ]
    return (0.08 + np.array(shared, dtype=float)) * np.sqrt(weights)


def _join(placed: Points, seeds: Points, edges: tuple[Indices, Indices, npt.NDArray[np.float64]]) -> Points:
    """Start each new node amid its placed neighbours; without any, somewhere on the rim."""
    count, known = len(seeds), len(placed)
    radius = np.sqrt(count)
    points = seeds * radius
    if not known:
        return points
    heads, tails, weights = edges
    points[:known] = placed
    total, mass = np.zeros((count, 2)), np.zeros(count)
    for one, other in ((heads, tails), (tails, heads)):
        use = (one >= known) & (other < known)
        mass += np.bincount(one[use], weights[use], count)
        for axis in (0, 1):
            total[:, axis] += np.bincount(one[use], weights[use] * points[other[use], axis], count)
    new = (np.arange(count) >= known) & (mass > 0)
    points[new] = total[new] / mass[new, None] * 1.05 + seeds[new] * 1.5
    lost = (np.arange(count) >= known) & (mass == 0)
    points[lost] = _unit(seeds[lost]) * radius
    return points


def _settle(points: Points, edges: tuple[Indices, Indices, npt.NDArray[np.float64]]) -> Points:
    heads, tails, weights = edges
    count = len(points)
    degree = np.bincount(heads, weights, count) + np.bincount(tails, weights, count)
    mass = 1.0 + 0.5 * np.sqrt(degree)
    kernel = _kernel()
    warmth = 0.12 * np.sqrt(count)
    for step in range(_STEPS):
        force = _repulsion(points, mass, kernel) * mass[:, None]
        force -= points * (_GRAVITY * mass[:, None]) * np.array([1 / _ASPECT, _ASPECT])
        between = points[tails] - points[heads]
        distance = np.hypot(between[:, 0], between[:, 1])
        pull = between * (weights * _ATTRACTION * np.minimum(distance, 6.0))[:, None]
        for axis in (0, 1):
            force[:, axis] += np.bincount(heads, pull[:, axis], count) - np.bincount(tails, pull[:, axis], count)
        length = np.hypot(force[:, 0], force[:, 1])
        limit = warmth * (1 - step / _STEPS) ** 1.5 + 0.01
        points = points + force * (np.minimum(length * 0.2, limit) / np.maximum(length, 1e-9))[:, None]
    return points


def _kernel() -> tuple[npt.NDArray[np.complex128], npt.NDArray[np.complex128]]:
    """Fourier transforms of the force of a unit mass, ``d / |d|^2``, on the doubled grid."""
    side = 2 * _GRID
    steps = (np.arange(side) + _GRID) % side - _GRID
    x, y = np.meshgrid(steps, steps, indexing="ij")
    squared = (x * x + y * y).astype(float)
    squared[0, 0] = 1.0
    return np.fft.rfft2(x / squared), np.fft.rfft2(y / squared)


def _repulsion(
    points: Points,
    mass: npt.NDArray[np.float64],
    kernel: tuple[npt.NDArray[np.complex128], npt.NDArray[np.complex128]],
) -> Points:
    low, high = points.min(axis=0), points.max(axis=0)
    cell = float(max((high - low).max() / (_GRID - 2), 1e-6))
    place_in = (points - low) / cell
    corner = np.floor(place_in).astype(np.int64)
    part = place_in - corner
    side = 2 * _GRID
    corners = []
    for dx, dy in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = np.abs(1 - dx - part[:, 0]) * np.abs(1 - dy - part[:, 1])
        corners.append(((corner[:, 0] + dx) * side + corner[:, 1] + dy, share))
    density = np.zeros(side * side)
    for index, share in corners:
        density += np.bincount(index, share * mass, side * side)
    spectrum = np.fft.rfft2(density.reshape(side, side))
    force = np.empty_like(points)
    for axis in (0, 1):
        field = np.fft.irfft2(spectrum * kernel[axis], s=(side, side)).ravel()
        force[:, axis] = sum(field[index] * share for index, share in corners) / cell
    return force


def _scaled(points: Points) -> Points:
    """Bring the picture to pixels: the same room for each node however the forces came out."""
    centred = points - np.median(points, axis=0)
    spread = np.quantile(np.abs(centred), 0.8, axis=0) + 1e-9
    area = 4 * float(spread.prod())
    scaled: Points = centred * np.sqrt(len(points) * _SPACING * _SPACING / area)
    return _drawn_in(scaled)


def _drawn_in(points: Points) -> Points:
    """Bring outliers nearer, in their order: a few long tails would make everything else small."""
    distance = np.hypot(points[:, 0] / _ASPECT, points[:, 1])
    edge = float(np.quantile(distance, 0.85)) + 1e-9
    beyond = np.maximum(distance - edge, 0.0)
    drawn: Points = (
        points * ((distance - beyond + beyond / (1 + 2 * beyond / edge)) / np.maximum(distance, 1e-9))[:, None]
    )
    return drawn


def _unit(vectors: Points, one: Indices | None = None, other: Indices | None = None) -> Points:
    """Directions of vectors; where two points coincide, a direction that depends on their numbers."""
    length = np.hypot(vectors[:, 0], vectors[:, 1])
    units: Points = vectors / np.maximum(length, 1e-9)[:, None]
    zero = length < 1e-9
    if zero.any():
        turn = (one[zero] * 12.9898 + other[zero] * 78.233) if one is not None and other is not None else 0.0
        units[zero] = np.column_stack((np.cos(turn) + 0 * length[zero], np.sin(turn) + 0 * length[zero]))
    return units
