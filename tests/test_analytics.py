"""Rankings and communities: values that can be checked by hand, and what each says it ran on."""

from __future__ import annotations

import networkx as nx
import pytest

from kg.analytics import communities, entity_graph, introduced_by_mentions, rank
from kg.errors import UsageError
from kg.graph import build_graph
from tests.graph_papers import sample_papers


@pytest.fixture(scope="module", name="G")
def sample_graph() -> nx.MultiDiGraph:
    return build_graph(*sample_papers())


def star(*leaves: str) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    for node in ("hub", *leaves):
        graph.add_node(node, id=node, name=node.upper(), label="Method", papers=1)
    for leaf in leaves:
        graph.add_edge("hub", leaf, key="USED_FOR", type="USED_FOR", support=1, confidence=1.0)
    return graph


@pytest.mark.parametrize(
    ("measure", "hub", "leaf"),
    [
        ("degree", 4, 1),
        ("betweenness", 1, 0),
        ("closeness", 1, 4 / 7),
        ("eigenvector", 0.5**0.5, 0.125**0.5),
        ("core", 1, 1),
    ],
)
def test_analytics_scores_a_star(measure: str, hub: float, leaf: float) -> None:
    rows = {row.id: row.score for row in rank(star("a", "b", "c", "d"), measure).rows}
    assert rows["hub"] == pytest.approx(hub)
    assert rows["a"] == pytest.approx(leaf)


def test_analytics_pagerank_sums_to_one_and_follows_edges() -> None:
    rows = rank(star("a", "b"), "pagerank").rows
    assert sum(row.score for row in rows) == pytest.approx(1)
    assert [row.id for row in rows] == ["a", "b", "hub"]


def test_analytics_counts_a_pair_once_and_leaves_the_graph_alone(G: nx.MultiDiGraph) -> None:
    before = G.number_of_edges()
    twice = star("a")
    twice.add_edge("hub", "a", key="COMPARED_WITH", type="COMPARED_WITH", support=3, confidence=1.0)
    assert {row.score for row in rank(twice, "degree").rows} == {1}
    rank(G, "betweenness")
    assert G.number_of_edges() == before


def test_analytics_ranks_a_type_and_says_on_what(G: nx.MultiDiGraph) -> None:
    ranking = rank(G, "degree", type="Task")
    assert {row.type for row in ranking.rows} == {"Task"}
    entities = entity_graph(G)
    assert ranking.graph == (
        f"undirected, distinct neighbours; {len(entities)} nodes, 12 edges, support >= 1, confidence >= 0"
    )
    assert "from 3 sampled sources, seed 5" in rank(G, "betweenness", sample=3, seed=5).graph
    assert rank(G, "betweenness", sample=3, seed=5) == rank(G, "betweenness", sample=3, seed=5)
    with pytest.raises(UsageError, match="no measure 'fame'"):
        rank(G, "fame")


def test_analytics_min_support_drops_edges_not_nodes(G: nx.MultiDiGraph) -> None:
    assert {row.score for row in rank(G, "degree", min_support=2).rows} == {0}


def test_analytics_empty_graph() -> None:
    empty = nx.MultiDiGraph()
    for measure in ("degree", "pagerank", "betweenness", "closeness", "eigenvector", "core"):
        assert rank(empty, measure).rows == ()
    assert communities(empty).groups == ()


def test_analytics_communities_of_two_stars() -> None:
    both = nx.compose(star("a", "b", "c"), nx.relabel_nodes(star("x", "y", "z"), {"hub": "other"}))
    found = communities(both, seed=1)
    assert sorted(found.groups) == [("a", "b", "c", "hub"), ("other", "x", "y", "z")]
    assert found.modularity == pytest.approx(0.5)
    assert found.graph.startswith("undirected, weighted by support; 8 nodes, 6 edges")


def test_analytics_warns_before_hours_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.analytics._LONG", 1e-9)
    with pytest.warns(UserWarning, match="--sample 1000 estimates it"):
        rank(star("a"), "betweenness")


def test_analytics_papers_that_build_on_papers(G: nx.MultiDiGraph) -> None:
    papers = introduced_by_mentions(G)
    assert dict(papers.edges) == {} or set(papers.edges) == {("paper:harbor", "paper:lantern")}
    assert papers["paper:harbor"]["paper:lantern"]["weight"] == 1
