"""What differs between two versions, and a store that follows it."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.assembly import assemble
from kg.building import Change, apply_change
from kg.changes import changes_since
from kg.graph import edge_attributes, gather_facts, part_around, to_networkx
from kg.linking import link
from kg.pipeline import write_store
from loaders.stores import is_store, query
from tests.test_storage import EDITED, EXTRACTIONS, PAPERS, build, read


def graph_of(folder: Path) -> nx.MultiDiGraph:
    return build(folder).version.graph()


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.sampled_from(range(5)), min_size=1), st.sets(st.sampled_from(range(5)), min_size=1))
def test_changes_lead_from_one_graph_to_the_other(tmp_path: Path, before: set[int], after: set[int]) -> None:
    old = build(tmp_path, [PAPERS[i] for i in sorted(before)], replace=True).version
    facts = gather_facts([PAPERS[i] for i in after], EXTRACTIONS)
    new = assemble(facts, link(facts))
    changes = changes_since(old.path, new)
    G = old.graph()
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
    wanted = to_networkx(new)
    assert dict(G.nodes(data=True)) == dict(wanted.nodes(data=True))
    assert {e[:3]: e[3] for e in G.edges(keys=True, data=True)} == {
        e[:3]: e[3] for e in wanted.edges(keys=True, data=True)
    }


def test_changes_of_nothing_are_none(tmp_path: Path) -> None:
    version = build(tmp_path, PAPERS).version
    facts = gather_facts(PAPERS, EXTRACTIONS)
    changes = changes_since(version.path, assemble(facts, link(facts)))
    assert (changes.nodes, changes.edges, changes.touched) == ((), (), ())


def test_changes_part_holds_all_edges_of_its_nodes() -> None:
    facts = gather_facts(PAPERS, EXTRACTIONS)
    assembly = assemble(facts, link(facts))
    G, part = to_networkx(assembly), part_around(assembly, ["method:ls"])
    assert set(part.in_edges("method:ls", keys=True)) == set(G.in_edges("method:ls", keys=True))
    assert set(part) == {"method:ls", *G.predecessors("method:ls"), *G.successors("method:ls")}


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
