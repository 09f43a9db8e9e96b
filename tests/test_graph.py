"""The NetworkX graph: its schema, its evidence, its order, and simpler graphs made from it."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.given import given_extraction
from kg.assembly import assemble
from kg.graph import build_graph, gather_facts, select, to_simple
from kg.linking import link
from kg.schema import EDGES
from kg.types import Extraction, Keyphrase, Link, Paper, Result, Span
from tests.graph_papers import record_of, sample_papers


@pytest.fixture(scope="module", name="G")
def sample_graph() -> nx.MultiDiGraph:
    return build_graph(*sample_papers())


def test_graph_holds_what_the_papers_say(G: nx.MultiDiGraph) -> None:
    assert {(head, tail) for head, tail, data in G.edges(data=True) if data["type"] == "USED_FOR"} == {
        ("method:ls", "task:theorem proving"),
        ("method:reinforcement learning", "method:ls"),
        ("method:harbor", "task:continual reinforcement learning"),
        ("method:trace", "task:realignment"),
        ("method:trace", "method:large language model"),
        ("method:large language model", "method:reinforcement learning"),
    }
    assert G.nodes["paper:lantern"]["name"] == "LS"
    assert G.nodes["data:tidepool"]["label"] == "Dataset"
    assert G.nodes["data:tidepool"]["papers"] == 2


def test_graph_edges_fit_the_schema_and_carry_evidence(G: nx.MultiDiGraph) -> None:
    papers = {f"paper:{paper.id}": paper for paper in sample_papers()[0]}
    for head, tail, key, data in G.edges(keys=True, data=True):
        assert (G.nodes[head]["label"], G.nodes[tail]["label"]) in EDGES[data["type"]]
        assert key == data["type"]
        assert head != tail
        rows = len(data["evidence_papers"])
        assert rows >= data["support"] == len(set(data["evidence_papers"])) > 0
        assert all(len(value) == rows for name, value in data.items() if name.startswith("evidence_"))
        assert data["evidence_papers"] == sorted(data["evidence_papers"])
        for i in range(rows):
            raw = papers[f"paper:{data['evidence_papers'][i]}"].raw
            tail_text = raw[data["evidence_tail_starts"][i] : data["evidence_tail_ends"][i]]
            assert tail_text in data["evidence_sentences"][i]
            names = {G.nodes[tail]["name"], *G.nodes[tail].get("aliases", ())}
            assert tail_text in names


def test_graph_paper_ends_are_minus_one_and_counts_add_up(G: nx.MultiDiGraph) -> None:
    edge = G["paper:lantern"]["method:ls"]["MENTIONS"]
    assert edge["count"] == 3
    assert edge["evidence_head_starts"] == edge["evidence_head_ends"] == [-1, -1, -1]
    assert edge["evidence_tail_starts"] == [13, 29, 69]
    assert G.has_edge("paper:lantern", "method:ls", "INTRODUCES")


def test_graph_is_inserted_in_sorted_order(G: nx.MultiDiGraph) -> None:
    assert list(G) == sorted(G)
    by_head = [key for head in G for key in sorted(G.out_edges(head, keys=True))]
    assert by_head == list(G.edges(keys=True))


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(5)))
def test_graph_does_not_depend_on_the_order_of_papers(order: list[int]) -> None:
    papers, extractions = sample_papers()
    one = build_graph(papers, extractions, authors=True)
    other = build_graph([papers[i] for i in order], [extractions[i] for i in order[::-1]], authors=True)
    assert list(one.nodes(data=True)) == list(other.nodes(data=True))
    assert list(one.edges(keys=True, data=True)) == list(other.edges(keys=True, data=True))


def test_graph_retypes_or_drops_relations_that_no_longer_fit() -> None:
    papers = [
        Paper(f"p{i}", abstract="Q-planning helps control. Deep Q-planning is a kind of Q-planning.") for i in range(3)
    ]
    as_method = record_of([("Q-planning", "Method", ["Q-planning"], False), ("control", "Task", ["control"], False)])
    as_task = record_of(
        [("Q-planning", "Task", ["Q-planning"], False), ("Deep Q-planning", "Method", ["Deep Q-planning"], False),
         ("control", "Task", ["control"], False)],
        [("Q-planning", "SUBTASK_OF", "control"), ("Deep Q-planning", "USED_FOR", "Q-planning"),
         ("control", "SUBTASK_OF", "Q-planning")],
    )  # fmt: skip
    extractions = [
        given_extraction(record, paper) for record, paper in zip([as_method, as_method, as_task], papers, strict=True)
    ]
    facts = gather_facts(papers, extractions)
    assembly = assemble(facts, link(facts))
    relations = {
        (edge.source, edge.type, edge.target) for edge in assembly.edges if not edge.source.startswith("paper:")
    }
    assert relations == {
        ("method:q planning", "USED_FOR", "task:control"),
        ("method:deep q planning", "USED_FOR", "method:q planning"),
        ("method:deep q planning", "SUBCLASS_OF", "method:q planning"),
    }
    assert [item.reason for item in assembly.dropped] == ["no SUBTASK_OF from Task to Method"]


def test_graph_drops_self_loops_and_generic_names_with_a_reason() -> None:
    papers, extractions = sample_papers()
    facts = gather_facts(papers, extractions)
    reasons = sorted(item.reason for item in assemble(facts, link(facts)).dropped)
    assert reasons == ["an end of the relation was dropped", "generic name"]
    assert not list(nx.selfloop_edges(build_graph(papers, extractions)))


def test_graph_takes_results_topics_links_authors_and_venues() -> None:
    paper = Paper("p", "A title", "LS reaches 61.3% on miniF2F. See https://a.example/x", ("Ada Lee",), "ICWX", 2026)
    record = record_of([("LS", "Method", ["LS"], True), ("miniF2F", "Benchmark", ["miniF2F"], False)])
    base = given_extraction(record, paper)
    start = base.text.index("61.3%")
    span = Span(start, start + 5)
    result = Result("61.3%", span, span, base.sentences[1], method="LS", metric="accuracy", on="miniF2F")
    lost = Result("7", span, span, base.sentences[1], method="Unknown", on="miniF2F")
    extraction = Extraction(
        **{name: getattr(base, name) for name in ("paper_id", "content_hash", "text", "sentences", "entities")},
        results=(result, lost),
        links=(Link("https://a.example/x", "code", Span(40, 60)),),
        keyphrases=(Keyphrase("theorem search", 0.51239, Span(0, 2)),),
        extractor="test",
    )
    G = build_graph([paper], [extraction], authors=True, venues=True)
    reported = G["method:ls"]["data:minif 2f"]["REPORTED:accuracy:61.3%:p"]
    assert (reported["value"], reported["metric"], reported["paper"]) == ("61.3%", "accuracy", "p")
    assert "baseline" not in reported
    assert paper.raw[reported["evidence_head_starts"][0] :].startswith("LS reaches")
    assert G["paper:p"]["topic:theorem search"]["HAS_TOPIC"]["score"] == 0.5124
    assert G["paper:p"]["link:https://a.example/x"]["LINKS_TO"]["kind"] == "code"
    assert G.has_edge("author:ada lee", "paper:p", "AUTHORED")
    assert G.has_edge("paper:p", "venue:icwx", "PUBLISHED_IN")
    assert G.nodes["paper:p"]["authors"] == ["Ada Lee"]
    assert G.nodes["paper:p"]["year"] == 2026


def test_graph_names_papers_without_a_title() -> None:
    words = Paper("w", abstract="Words that name no system at all and go on for long")
    assert build_graph([words], []).nodes["paper:w"]["name"] == "Words that name no system at all and go ..."


def test_graph_refuses_two_papers_of_one_id() -> None:
    with pytest.raises(ValueError, match="two papers have the id 'p'"):
        build_graph([Paper("p"), Paper("p", "other")], [])


def test_graph_select_and_to_simple_leave_the_graph_alone(G: nx.MultiDiGraph) -> None:
    before = G.number_of_edges()
    strong = select(G, min_support=2)
    assert all(data["support"] >= 2 or head.startswith("paper:") for head, _, data in strong.edges(data=True))
    entities = select(G, labels=["Method", "Task"])
    assert {data["label"] for _, data in entities.nodes(data=True)} == {"Method", "Task"}
    simple = to_simple(G)
    assert not simple.is_directed()
    assert simple["paper:lantern"]["method:ls"]["weight"] == 2
    assert to_simple(G, weight="count", directed=True)["paper:lantern"]["method:ls"]["weight"] == 6
    assert to_simple(G, types=["COMPARED_WITH"]).number_of_edges() == 2
    assert G.number_of_edges() == before
