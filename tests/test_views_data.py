"""What a page holds, and that no text in it can act."""

from __future__ import annotations

import json
import re

import networkx as nx
import pytest

from kg.errors import EntityNotFound, UsageError
from kg.schema import ENTITY_TYPES
from kg.types import Paper
from kg.views import write_view
from kg.views.data import page_data, show_levels
from kg.views.evidence import mark, surfaces
from kg.views.links import web_address
from kg.views.page import content_policy, script_json, view_html
from kg.views.selection import Choice, select
from tests import view_graphs


def data_of(G: nx.MultiDiGraph, **rules: object) -> dict:
    choice = Choice(**rules)
    return page_data(G, select(G, choice), choice, title="Toy")


def names(data: dict) -> list[str]:
    return [node["label"] for node in data["net"]["nodes"]]


def test_view_holds_entities_papers_and_their_edges():
    data = data_of(view_graphs.small())
    assert sorted(names(data)) == [
        "A second look at lake mapping",
        "KITE",
        "KITE tunes maps",
        "PondSet",
        "lake mapping",
        "recall",
    ]
    kite = names(data).index("KITE")
    assert kite == 0
    facts = data["net"]["nodes"][kite]
    assert (facts["aliases"], facts["count"], facts["shape"]) == (["kite tuner"], 2, "dot")
    types = sorted(edge["type"] for edge in data["net"]["edges"] if edge["from"] == kite)
    assert types == ["EVALUATED_ON", "MEASURED_BY", "REPORTED", "USED_FOR"]


def test_view_says_once_that_a_paper_introduces_what_it_mentions():
    data = data_of(view_graphs.small())
    paper, kite = names(data).index("KITE tunes maps"), names(data).index("KITE")
    assert [e["type"] for e in data["net"]["edges"] if (e["from"], e["to"]) == (paper, kite)] == ["INTRODUCES"]


def test_view_marks_both_ends_of_the_evidence():
    data = data_of(view_graphs.small())
    edge = next(e for e in data["net"]["edges"] if e["type"] == "USED_FOR")
    rows = [(data["papers"][p]["id"], data["sentences"][s], head, tail) for p, s, head, tail, _ in edge["evidence"]]
    sentence = "We present KITE, the kite tuner, for lake mapping."
    assert rows[0] == ("a1", sentence, [21, 31], [37, 49])
    assert (sentence[21:31], sentence[37:49]) == ("kite tuner", "lake mapping")
    assert [edge["support"], edge["confidence"]] == [2, 0.9]


def test_view_marks_the_surface_that_was_read_where_papers_are_at_hand():
    G = view_graphs.small()
    abstract = "Lakes first. The Kestrel stage of KITE maps lakes."
    data = G["method:kite"]["task:lake mapping"]["USED_FOR"]
    data.update(evidence_sentences=["The Kestrel stage of KITE maps lakes."] * 2)
    for end, surface in (("head", "Kestrel"), ("tail", "lakes")):
        start = abstract.index(surface)
        data[f"evidence_{end}_starts"] = [start] * 2
        data[f"evidence_{end}_ends"] = [start + len(surface)] * 2
    papers = {paper: Paper(id=paper, abstract=abstract) for paper in ("a1", "b2")}
    choice = Choice()
    page = page_data(G, select(G, choice), choice, title="Toy", papers=papers)
    edge = next(e for e in page["net"]["edges"] if e["type"] == "USED_FOR")
    sentence, head, tail = edge["evidence"][0][1:4]
    text = page["sentences"][sentence]
    assert (text[slice(*head)], text[slice(*tail)]) == ("Kestrel", "lakes")


def test_view_lists_papers_with_links_and_what_they_introduce():
    data = data_of(view_graphs.small())
    paper = next(p for p in data["papers"] if p["id"] == "a1")
    assert paper["links"] == [
        ["https://example.org/a1", "https://example.org/a1", "paper"],
        ["https://example.org/code", "https://example.org/code", "code"],
    ]
    assert next((names(data)[number], own) for number, own in paper["entities"]) == ("KITE", 1)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"types": ("Method", "Task")}, ["KITE", "lake mapping"]),
        ({"around": "kite tuner", "depth": 0}, ["KITE"]),
        ({"around": "PondSet", "types": ("Method", "Dataset")}, ["KITE", "PondSet"]),
        ({"paper": "b2"}, ["A second look at lake mapping", "KITE", "lake mapping"]),
        (
            {"paper": "A second look at lake mapping"},
            ["A second look at lake mapping", "KITE", "lake mapping"],
        ),
        ({"between": ("recall", "PondSet")}, ["KITE", "PondSet", "recall"]),
        ({"nodes": ("method:kite", "metric:recall")}, ["KITE", "recall"]),
        ({"years": (2024, 2024)}, ["A second look at lake mapping", "KITE", "lake mapping"]),
        ({"min_support": 2, "types": ("Method", "Task", "Metric")}, ["KITE", "lake mapping"]),
    ],
)
def test_selection_shows_what_was_asked_for(rules, expected):
    assert sorted(names(data_of(view_graphs.small(), **rules))) == expected


def test_selection_proposes_near_names():
    with pytest.raises(EntityNotFound, match="did you mean 'lake mapping'"):
        data_of(view_graphs.small(), around="lake maping")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"types": ("Method", "Thing")}, "no type 'Thing'"),
        ({"around": "KITE", "paper": "a1"}, "around and paper each choose"),
        ({"years": (2024, 2020)}, "run backwards"),
        ({"years": (1990, 1991)}, "nothing is left"),
        ({"paper": "KITE"}, "is a Method, not a paper"),
        ({"top": 0}, "top is 0"),
        ({"community": 99}, "no community 99"),
        ({"between": ("recall", "lake mapping"), "types": ("Metric", "Task")}, "no path joins"),
    ],
)
def test_selection_refuses_what_cannot_be_meant(rules, message):
    with pytest.raises(UsageError, match=message):
        data_of(view_graphs.small(), **rules)


def test_selection_of_a_large_graph_hangs_together_and_says_how_many_there_are():
    G = view_graphs.grown(400)
    selection = select(G, Choice(top=50))
    assert selection.total == sum(label != "Paper" for _, label in G.nodes(data="label"))
    first = selection.joined.subgraph(selection.nodes[:50])
    assert nx.is_connected(first)


def test_selection_leaves_nodes_alone_for_last():
    G = view_graphs.grown(60)
    for number in range(5):
        view_graphs.node(G, "Method", f"lonely {number}", papers=100)
    selection = select(G, Choice(top=40))
    alone = [not selection.joined[node] for node in selection.nodes]
    assert sum(alone) >= 5
    assert alone == sorted(alone)
    data = data_of(G, top=1000, types=ENTITY_TYPES)
    assert data["levels"][0]["count"] == len(alone) - sum(alone)
    assert data["levels"][-1]["count"] == len(alone)


def test_selection_of_papers_alone_shows_papers():
    G = view_graphs.small()
    G.remove_nodes_from([n for n, label in G.nodes(data="label") if label != "Paper"])
    assert len(data_of(G, top=1)["net"]["nodes"]) == 2


def test_levels_grow_from_top_to_all():
    assert show_levels(2000, 300) == [300, 600, 1200, 2000]
    assert show_levels(310, 300) == [300, 310]
    assert show_levels(20, 300) == [20]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "java\nscript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "//example.org",
        "http://",
        "http://[",
        "file:///etc/passwd",
        "https://example.org/ onerror=1",
    ],
)
def test_only_web_addresses_become_links(url):
    assert web_address(url) == ""


def test_mark_leaves_the_ends_apart_and_keeps_to_whole_words():
    assert mark("A cat-like catnip", ["cat"], ["catnip"]) == ((2, 5), (11, 17))
    assert mark("lake lake", ["lake"], ["lake"]) == ((0, 4), (5, 9))
    assert mark("concatenate", ["cat"], []) == (None, None)
    assert mark("nothing", [], ["LLM"]) == (None, None)


def test_mark_finds_initials_but_not_as_small_words():
    found = surfaces({"name": "Image Slicing"})
    assert found == ["Image Slicing", "IS"]
    assert mark("It is what IS does", found, []) == ((11, 13), None)


def test_view_counts_relations_it_leaves_out():
    data = data_of(view_graphs.small(), types=("Method", "Task"))
    assert data["net"]["nodes"][0]["beyond"] == 3


HOSTILE = [
    "</script><script>window.hurt=1</script>",
    "<img src=x onerror=window.hurt=1>",
    '"href" <a href="javascript:window.hurt=1">x</a>',
    "{{ 7*7 }}<!--<script>",
    "line\u2028sep \ud800 &amp; \x00",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_data(text):
    G = view_graphs.small()
    G.nodes["method:kite"]["name"] = text
    G.nodes["paper:a1"].update(title=text, name=text, url=f"javascript:{text}", venue=text)
    html = view_html(data_of(G), title=text)
    html.encode("ascii", "xmlcharrefreplace")
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    assert json.loads(block[1])["net"]["nodes"][0]["label"] == text
    harmless = view_html(data_of(view_graphs.small()), title="Toy")
    assert html.count("<script") == harmless.count("<script")
    assert "<img src=x" not in html and "<script>window.hurt" not in html


def test_policy_lets_only_these_scripts_run():
    policy = content_policy(["a{}"], ["1"])
    assert policy.startswith("default-src 'none'; script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='; ")
    assert "unsafe" not in policy and "connect-src 'none'" in policy


def test_script_json_has_no_markup():
    assert not set("<>&") & set(str(script_json({"<!--": "</script>&"})))


def test_write_view_is_repeatable_and_names_no_host(tmp_path):
    G = view_graphs.grown(60)
    other = nx.MultiDiGraph()
    other.add_nodes_from(reversed(list(G.nodes(data=True))))
    other.add_edges_from(reversed(list(G.edges(keys=True, data=True))))
    assert write_view(G, tmp_path / "a.html", top=40) == 40
    write_view(other, tmp_path / "b.html", top=40)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    html = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!data:,|#search)[^"]*"', html.split('id="data"')[0])
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a.html", "b.html"]
