"""Hierarchies: what names say about kinds, and edges without circles."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.given import given_extraction
from kg.graph import build_graph
from kg.hierarchy import closing_circles
from kg.types import Paper
from tests.graph_papers import named_papers, record_of, sample_papers


def kinds(*names: tuple[str, str]) -> set[tuple[str, str, str]]:
    """The kind-of edges among names, each named by a paper of its own."""
    G = build_graph(*named_papers(*names))
    edges = ((G.nodes[a]["name"], data["type"], G.nodes[b]["name"]) for a, b, data in G.edges(data=True))
    return {edge for edge in edges if edge[1] in ("SUBCLASS_OF", "SUBTASK_OF")}


@pytest.mark.parametrize(
    ("child", "parent", "kind"),
    [
        ("graph-based conformal prediction", "conformal prediction", "Method"),
        ("Llama-3.1-8B", "Llama 3.1", "Method"),
        ("ResNet-50", "ResNet", "Method"),
        ("GPT-4o", "GPT", "Method"),
        ("domain adaptation for driving scenes", "domain adaptation", "Method"),
        ("CIFAR-10-LT", "CIFAR-10", "Dataset"),
        ("balanced error rate", "error rate", "Metric"),
    ],
)
def test_hierarchy_from_names(child: str, parent: str, kind: str) -> None:
    parents = [(parent, kind)] * 3
    assert kinds((child, kind), *parents) == {(child, "SUBCLASS_OF", parent)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("robustness of neural networks", "neural networks"),
        ("image and video segmentation", "video segmentation"),
        ("image-to-text", "text"),
        ("Llama 3.1", "Llama 3"),
        ("GPT-4", "GPT-4o"),
    ],
)
def test_hierarchy_names_that_are_no_kinds(one: str, other: str) -> None:
    assert kinds((one, "Method"), *[(other, "Method")] * 3) == set()


def test_hierarchy_ties_to_the_nearest_parent_of_the_same_family() -> None:
    names = [("offline multi-agent planning", "Task"), ("multi-agent planning", "Task"), ("planning", "Task")]
    assert kinds(*names, ("planning", "Task"), ("planning", "Task")) == {
        ("offline multi-agent planning", "SUBTASK_OF", "multi-agent planning"),
        ("multi-agent planning", "SUBTASK_OF", "planning"),
    }
    assert kinds(("offline graph search", "Task"), ("graph search", "Method")) == set()


def test_hierarchy_evidence_is_the_mention_of_the_child() -> None:
    G = build_graph(*sample_papers())
    edges = [(a, b) for a, b, data in G.edges(data=True) if data["type"] == "SUBTASK_OF"]
    assert edges == []
    papers, extractions = named_papers(("noisy channel decoding", "Task"), ("channel decoding", "Task"))
    edge = build_graph(papers, extractions)["task:noisy channel decoding"]["task:channel decoding"]["SUBTASK_OF"]
    start, end = edge["evidence_tail_starts"][0], edge["evidence_tail_ends"][0]
    assert papers[0].raw[start:end] == "channel decoding"
    assert (edge["evidence_papers"], edge["evidence_sources"], edge["support"]) == (["p0000"], ["names"], 1)


def test_hierarchy_breaks_circles_at_the_weakest_edge() -> None:
    papers = [Paper(f"p{i}", abstract="Alder trees and Birch trees and Cedar trees.") for i in range(3)]
    names = [(name, "Method", [name], False) for name in ("Alder trees", "Birch trees", "Cedar trees")]
    one = record_of(
        names, [("Alder trees", "SUBCLASS_OF", "Birch trees"), ("Birch trees", "SUBCLASS_OF", "Cedar trees")]
    )
    other = record_of(names, [("Cedar trees", "SUBCLASS_OF", "Alder trees")])
    G = build_graph(papers, [given_extraction(r, p) for r, p in zip([one, one, other], papers, strict=True)])
    assert [(a, b) for a, b, data in G.edges(data=True) if data["type"] == "SUBCLASS_OF"] == [
        ("method:alder tree", "method:birch tree"),
        ("method:birch tree", "method:cedar tree"),
    ]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 3)), max_size=25))
def test_hierarchy_is_acyclic_whatever_papers_state(rows: list[tuple[int, int, int]]) -> None:
    edges = {(str(a), str(b)): n for a, b, n in rows if a != b}
    left_out = closing_circles((a, b, n, 1.0) for (a, b), n in edges.items())
    assert nx.is_directed_acyclic_graph(nx.DiGraph(edges.keys() - left_out))
    assert left_out <= edges.keys()
