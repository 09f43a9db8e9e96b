"""The report on a graph: its numbers, and that each leads to its papers."""

from __future__ import annotations

import re
import sys

import pytest

from kg.errors import MissingExtra
from kg.views.findings import Papers, comparisons, leaderboards, most_mentioned, papers_by_year, rising_names
from kg.views.report import report_html, write_report
from tests import view_graphs

pytest.importorskip("matplotlib", reason="plots need matplotlib")


def with_results():
    """Four papers of two years: three methods that report recall on PondSet, compared with each other."""
    G = view_graphs.small()
    for number, (name, value, year) in enumerate([("OTTER", "87.5%", 2023), ("HERON", "93%", 2024)]):
        paper = f"r{number}"
        source = view_graphs.paper(G, paper, f"{name} maps ponds", year=year, venue="MapConf")
        own = view_graphs.node(G, "Method", name, introduced_in=[paper])
        sentence = f"{name} reaches {value} recall on PondSet."
        view_graphs.edge(G, source, "INTRODUCES", own, {paper: sentence}, count=1, salience=0.9)
        view_graphs.edge(G, source, "MENTIONS", "data:pondset", {paper: sentence}, count=1, salience=0.5)
        view_graphs.edge(
            G, own, "REPORTED", "data:pondset", {paper: sentence}, value=value, metric="recall", paper=paper
        )
        view_graphs.edge(G, own, "COMPARED_WITH", "method:kite", {paper: f"{name} beats KITE."})
    view_graphs.edge(G, "method:kite", "COMPARED_WITH", "method:otter", {"b2": "KITE beats OTTER."})
    return G


def test_report_counts_papers_by_year():
    G = with_results()
    rows = papers_by_year(G, Papers(G))
    assert [(row.name, row.count, row.papers) for row in rows] == [("2023", 2, (1, 2)), ("2024", 2, (3, 4))]


def test_report_ranks_names_by_papers_and_cites_them():
    G = with_results()
    papers = Papers(G)
    rows = most_mentioned(G, papers, "Method", 2)
    assert [(row.name, row.count) for row in rows] == [("KITE", 2), ("HERON", 1)]
    assert [papers.records()[number - 1]["name"] for number in rows[1].papers] == ["HERON maps ponds"]


def test_report_puts_results_in_order():
    G = with_results()
    (board,) = leaderboards(G, Papers(G))
    assert (board.on, board.metric) == ("PondSet", "recall")
    assert [(row.method, row.value) for row in board.rows] == [
        ("HERON", "93%"),
        ("KITE", "91%"),
        ("OTTER", "87.5%"),
    ]


def test_report_counts_comparisons_in_both_directions():
    G = with_results()
    rows = comparisons(G, Papers(G), 10)
    assert [(one, other, row.count) for one, other, row in rows] == [
        ("KITE", "OTTER", 2),
        ("HERON", "KITE", 1),
    ]


def test_report_names_what_rises():
    G = view_graphs.small()
    for i in range(12):
        year = 2020 + i // 2
        source = view_graphs.paper(G, f"y{i:02d}", f"Paper {i}", year=year, venue="MapConf")
        if i >= 6:
            view_graphs.edge(G, source, "MENTIONS", "method:kite", {f"y{i:02d}": "KITE."}, count=1, salience=0.1)
    G.nodes["method:kite"]["papers"] = 8
    (row,) = rising_names(G, Papers(G), 5)
    assert row.name == "KITE"
    assert row.before < row.since
    assert len(row.papers) == 8


def test_report_without_years_or_papers_says_so():
    G = view_graphs.small()
    for _, data in G.nodes(data=True):
        data.pop("year", None)
    html = report_html(G, title="Toy")
    assert "at least two years" in html and "No paper compares" in html and "No three methods" in html


def test_report_every_reference_leads_to_a_paper():
    html = report_html(with_results(), title="Toy")
    ids = re.findall(r'id="([^"]+)"', html)
    references = set(re.findall(r'href="#([^"]+)"', html))
    assert references
    assert references <= set(ids)
    assert {f"p{n}" for n in range(1, 5)} <= set(ids)
    named = [name for name in ids if not name.startswith("m")]
    assert len(named) == len(set(named))


def test_report_has_no_style_that_its_policy_forbids():
    html = report_html(with_results(), title="Toy")
    body = html.split("</head>")[1]
    assert "<style" not in body and " style=" not in body and "<script" not in html
    assert body.count('<svg viewBox="0 0') == 0 or 'class="plot"' in body


def test_report_is_repeatable_and_shows_hostile_text_as_text(tmp_path):
    G = with_results()
    script = "</text><script>hurt()</script>$x$ \ud800\x00"
    G.nodes["method:kite"]["name"] = script
    G.nodes["paper:a1"].update(title=script, url="javascript:hurt()")
    for name in ("a.html", "b.html"):
        write_report(G, tmp_path / name, title=script)
    html = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert html == (tmp_path / "b.html").read_text(encoding="utf-8")
    assert "<script" not in html and "javascript:" not in html


def test_report_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match="matplotlib"):
        report_html(with_results(), title="Toy")
