"""Write what one asks first of a conference: its topics, what rises, who compares with whom, who leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import networkx as nx
from markupsafe import Markup

from kg.schema import BENCHMARK, DATASET, METHOD, METRIC, PAPER, TASK
from kg.views import plots
from kg.views.findings import (
    Counted,
    Papers,
    Rising,
    comparisons,
    leaderboards,
    most_mentioned,
    papers_a_year,
    papers_by_year,
    rising_names,
)
from kg.views.page import asset, render, write_text
from kg.views.palette import TYPES


def write_report(G: nx.MultiDiGraph, path: str | Path, *, title: str = "Knowledge graph", top: int = 15) -> None:
    """Write a report on a graph as one self-contained HTML file; every number leads to its papers.

    Args:
        G: the graph.
        path: the file to write.
        title: heading of the report.
        top: rows of each list.

    Raises:
        MissingExtra: matplotlib, which draws the plots, is not installed.
    """
    write_text(Path(path), report_html(G, title=title, top=top))


def report_html(G: nx.MultiDiGraph, *, title: str, top: int = 15) -> str:
    """Return the page of :func:`write_report`."""
    papers = Papers(G)
    years = papers_by_year(G, papers)
    lists = [(label, most_mentioned(G, papers, label, top)) for label in (TASK, METHOD, DATASET, BENCHMARK, METRIC)]
    rising = rising_names(G, papers, top)
    pairs = comparisons(G, papers, top)
    boards = leaderboards(G, papers)
    sections = [
        {"label": label, "style": TYPES[label], "rows": rows, "plot": plots.bars(_bar_rows(rows))}
        for label, rows in lists
        if rows
    ]
    return render(
        "report.html",
        styles=[asset("base.css"), asset("site.css"), asset("report.css")],
        scripts=[],
        title=title,
        counts=_counts(G),
        years=years,
        years_plot=plots.columns([(row.name, row.count, f"#{row.anchor}") for row in years]) if years else "",
        sections=sections,
        rising=rising,
        rising_plot=_rising_plot(G, rising),
        pairs=pairs,
        pairs_plot=_pairs_plot(pairs),
        boards=boards,
        papers=papers.records(),
    )


def _counts(G: nx.MultiDiGraph) -> list[tuple[str, int]]:
    labels = Counter(label for _, label in G.nodes(data="label"))
    return [(TYPES[label].plural, labels[label]) for label in (PAPER, METHOD, TASK, DATASET, BENCHMARK, METRIC)]


def _bar_rows(rows: Sequence[Counted]) -> list[tuple[str, float, str]]:
    return [(row.name, float(row.count), f"#{row.anchor}") for row in rows]


def _rising_plot(G: nx.MultiDiGraph, rising: Sequence[Rising]) -> Markup | str:
    years = sorted(papers_a_year(G))
    return plots.lines(years, {row.name: row.shares for row in rising[:5]}) if rising else ""


def _pairs_plot(pairs: Sequence[tuple[str, str, Counted]]) -> Markup | str:
    seen = Counter(name for one, other, row in pairs for name in (one, other) for _ in range(row.count))
    names = sorted(seen, key=lambda name: (-seen[name], name))[:14]
    where = {name: number for number, name in enumerate(names)}
    cells = {}
    for one, other, row in pairs:
        if one in where and other in where:
            cells[where[one], where[other]] = cells[where[other], where[one]] = (row.count, f"#{row.anchor}")
    return plots.matrix(names, cells) if len(cells) > 4 else ""
