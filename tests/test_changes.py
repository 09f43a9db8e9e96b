"""What differs between two versions, and a store that follows it."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.building import Change, Staged, apply_change
from kg.changes import Changes
from kg.graph import edge_attributes
from kg.pipeline import write_store
from loaders.stores import is_store, query
from tests.test_storage import EDITED, PAPERS, build, read


def changes_of(folder: Path, **what: object) -> Changes | None:
    """Change a graph and return how it differs from the one before."""
    seen: list[Staged] = []
    build(folder, finish=seen.append, **what)
    return seen[0].changes


def followed(G: nx.MultiDiGraph, changes: Changes) -> nx.MultiDiGraph:
    """Follow changes as their description says, on a graph of which an unlisted edge must not be touched."""
    G.remove_edges_from(changes.edges_gone)
    assert all(not list(G.edges(node)) and not list(G.in_edges(node)) for node in changes.nodes_gone)
    G.remove_nodes_from(changes.nodes_gone)
    for node in changes.nodes:
        G.add_node(node.id)
        G.nodes[node.id].clear()
        G.nodes[node.id].update(id=node.id, **node.attributes)
    for edge in changes.edges:
        if G.has_edge(edge.source, edge.target, edge.key):
            G.remove_edge(edge.source, edge.target, edge.key)
        G.add_edge(edge.source, edge.target, edge.key, **edge_attributes(edge))
    return G


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.sampled_from(range(5)), min_size=1), st.sets(st.sampled_from(range(5)), min_size=1))
def test_changes_lead_from_one_graph_to_the_other(tmp_path: Path, before: set[int], after: set[int]) -> None:
    folder = tmp_path / "g"
    G = build(folder, [PAPERS[i] for i in sorted(before)], replace=True).version.graph()
    removed = [PAPERS[i].id for i in sorted(before - after)]
    changes = changes_of(folder, papers=[PAPERS[i] for i in sorted(after)], removed=removed)
    assert changes is not None
    wanted = build(tmp_path / "clean", [PAPERS[i] for i in sorted(after)], replace=True).version.graph()
    followed(G, changes)
    assert dict(G.nodes(data=True)) == dict(wanted.nodes(data=True))
    assert {e[:3]: e[3] for e in G.edges(keys=True, data=True)} == {
        e[:3]: e[3] for e in wanted.edges(keys=True, data=True)
    }


def test_changes_of_nothing_are_none(tmp_path: Path) -> None:
    assert changes_of(tmp_path, papers=PAPERS) is None
    assert changes_of(tmp_path, papers=PAPERS) == Changes()


def test_changes_are_no_more_than_the_papers_reach(tmp_path: Path) -> None:
    build(tmp_path, PAPERS[:4])
    changes = changes_of(tmp_path, papers=PAPERS)
    assert changes is not None
    assert (changes.nodes_gone, changes.edges_gone, changes.relabelled) == ((), (), ())
    assert [node.id for node in changes.nodes] == [
        "method:large language model",
        "method:reinforcement learning",
        "paper:survey",
    ]
    assert {(edge.source, edge.target) for edge in changes.edges} == {
        ("method:large language model", "method:reinforcement learning"),
        ("paper:survey", "method:large language model"),
        ("paper:survey", "method:reinforcement learning"),
    }


def facts_in_store(folder: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    nodes = query(folder, "MATCH (n) RETURN n.id AS id, labels(n)[0] AS label, n.papers AS papers ORDER BY id").values
    edges = query(
        folder, "MATCH (a)-[r]->(b) RETURN a.id AS a, type(r) AS r, b.id AS b, r.support AS n, r.evidence_papers AS p "
        "ORDER BY a, r, b"
    ).values  # fmt: skip
    return [tuple(map(str, row)) for row in nodes], [tuple(map(str, row)) for row in edges]


def test_changes_update_the_store_as_if_it_were_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.pipeline._SHARE_TO_CHANGE", 2.0)

    def change(folder: Path, **what: object) -> Path:
        options = Change(read=read, extractor="given", finish=write_store, **what)  # type: ignore[arg-type]
        return apply_change(folder, options).version.store

    change(tmp_path / "steps", papers=PAPERS[:4])
    change(tmp_path / "steps", papers=[PAPERS[4], EDITED[1]])
    store = change(tmp_path / "steps", removed=["trace-b"])
    clean = change(tmp_path / "clean", papers=[PAPERS[0], EDITED[1], PAPERS[2], PAPERS[4]])
    assert is_store(store)
    assert facts_in_store(store) == facts_in_store(clean)
