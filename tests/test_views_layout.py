"""Where nodes stand: repeatable, apart, related nodes near each other, little moved by one more paper."""

from __future__ import annotations

import numpy as np
import pytest

from kg.views.data import joined_pairs, node_radii
from kg.views.layout import near_pairs, place, separate
from kg.views.selection import Choice, select
from tests import view_graphs


def laid_out(G, top=300):
    selection = select(G, Choice(top=top))
    index = {node: number for number, node in enumerate(selection.nodes)}
    radii = node_radii(G, selection)
    positions = place(selection.nodes, joined_pairs(selection, index), radii, levels=[len(index)])[0]
    return selection, np.array(radii), positions


def test_layout_is_repeatable():
    first, again = laid_out(view_graphs.grown(80))[2], laid_out(view_graphs.grown(80))[2]
    assert np.array_equal(first, again)


def test_layout_leaves_no_overlap():
    _, radii, points = laid_out(view_graphs.grown(150))
    one, other = near_pairs(points, 100.0)
    gaps = np.hypot(*(points[one] - points[other]).T) - radii[one] - radii[other]
    assert gaps.min() >= 4.9


def test_layout_draws_joined_nodes_together():
    selection, _, points = laid_out(view_graphs.grown(100))
    index = {node: number for number, node in enumerate(selection.nodes)}
    pairs = [(a, b) for a, b, _ in joined_pairs(selection, index)]
    joined = np.median([np.hypot(*(points[a] - points[b])) for a, b in pairs])
    apart = np.median(np.hypot(*(points[:, None] - points[None]).reshape(-1, 2).T))
    assert joined < apart / 2


def test_layout_moves_little_for_one_more_paper():
    before, _, points = laid_out(view_graphs.grown(100))
    G = view_graphs.grown(100)
    source = view_graphs.paper(G, "q", "One more", year=2024, venue="Conf1")
    own = view_graphs.node(G, "Method", "one more method")
    view_graphs.edge(G, source, "INTRODUCES", own, {"q": "One more method."}, count=1, salience=0.5)
    view_graphs.edge(G, own, "USED_FOR", "task:field 2 problem", {"q": "One more method."})
    after, _, moved = laid_out(G)
    where = {node: number for number, node in enumerate(after.nodes)}
    steps = [np.hypot(*(points[i] - moved[where[node]])) for i, node in enumerate(before.nodes)]
    assert np.median(steps) < 0.15 * np.ptp(points, axis=0).max()


def test_layout_of_later_levels_starts_from_the_earlier():
    selection = select(view_graphs.grown(200), Choice(top=60))
    index = {node: number for number, node in enumerate(selection.nodes)}
    pictures = place(selection.nodes, joined_pairs(selection, index), [5.0] * len(index), levels=[60, 120])
    assert [len(picture) for picture in pictures] == [60, 120]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_layout_of_almost_nothing(count):
    picture = place([f"n{i}" for i in range(count)], [], [5.0] * count, levels=[count])[0]
    assert picture.shape == (count, 2) and np.isfinite(picture).all()


def test_separate_parts_nodes_that_coincide():
    points = separate(np.zeros((12, 2)), np.full(12, 6.0))
    distances = np.hypot(*(points[:, None] - points[None]).reshape(-1, 2).T).reshape(12, 12)
    assert distances[np.triu_indices(12, 1)].min() >= 16.9


def test_near_pairs_finds_each_pair_once():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0], [5.5, 5.0]])
    assert sorted(zip(*(index.tolist() for index in near_pairs(points, 2.0)), strict=True)) == [
        (0, 1),
        (2, 3),
    ]
