"""What a report finds in a graph: counts, rising names, comparisons and results, each with its papers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import networkx as nx

from kg.schema import BENCHMARK, COMPARED_WITH, DATASET, METHOD, PAPER, REPORTED, TASK
from kg.views.links import paper_links
from kg.views.selection import PAPER_KEY, mentions

_RISING_PAPERS = 4
"""Papers a name needs before it can be called rising: fewer say nothing."""

_LEADERBOARD_ROWS = 3
"""Results a leaderboard needs to be one."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A name with the papers behind its number, as numbers of the list of papers."""

    name: str
    count: int
    papers: tuple[int, ...]
    anchor: str


@dataclass(frozen=True, slots=True)
class Rising:
    """A name whose share of papers grew: shares (0..1) before and since ``since``."""

    name: str
    before: float
    since: float
    papers: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A result as a paper reports it; ``number`` orders it, "" where a name is unknown."""

    method: str
    value: str
    number: float
    baseline: str
    paper: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Results on one thing by one metric, highest number first."""

    on: str
    metric: str
    rows: tuple[Row, ...]


class Papers:
    """The papers that a report cites, numbered in order of first citation."""

    def __init__(self, G: nx.MultiDiGraph) -> None:
        self.G = G
        self.numbers: dict[str, int] = {}

    def cite(self, papers: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of papers, given their ids with or without the node prefix."""
        ids = dict.fromkeys(paper.removeprefix(PAPER_KEY) for paper in papers)
        return tuple(sorted(self.numbers.setdefault(paper, len(self.numbers) + 1) for paper in ids))

    def records(self) -> list[dict[str, object]]:
        """Return what the list of papers says of each, in order of number."""
        records = []
        for paper, number in self.numbers.items():
            data = self.G.nodes.get(PAPER_KEY + paper, {})
            where = " ".join(str(data[key]) for key in ("venue", "year") if data.get(key))
            link = next((link[0] for link in paper_links(data) if link[0]), "")
            name = data.get("title") or data.get("name") or paper
            records.append({"number": number, "name": name, "where": where, "link": link})
        return records


def papers_by_year(G: nx.MultiDiGraph, papers: Papers) -> list[Counted]:
    """Return the papers of each year, earliest first."""
    by_year: dict[int, list[str]] = defaultdict(list)
    for node, data in G.nodes(data=True):
        if data["label"] == PAPER and "year" in data:
            by_year[data["year"]].append(node)
    return [
        Counted(str(year), len(by_year[year]), papers.cite(sorted(by_year[year])), f"year-{year}")
        for year in sorted(by_year)
    ]


def most_mentioned(G: nx.MultiDiGraph, papers: Papers, label: str, top: int) -> list[Counted]:
    """Return the names of a type that most papers speak of."""
    nodes = [node for node, found in G.nodes(data="label") if found == label]
    nodes.sort(key=lambda node: (-G.nodes[node].get("papers", 0), G.nodes[node]["name"]))
    rows = []
    for rank, node in enumerate(nodes[:top], start=1):
        cited = papers.cite(paper for paper, _ in mentions(G, node))
        rows.append(Counted(G.nodes[node]["name"], len(cited), cited, f"{label.lower()}-{rank}"))
    return sorted((row for row in rows if row.count), key=lambda row: -row.count)


def rising_names(G: nx.MultiDiGraph, papers: Papers, top: int) -> list[Rising]:
    """Return names whose share of papers grew most from the earlier to the later half of the papers.

    The last years that hold about half of all papers are compared with those before; with less than two years
    there is nothing to compare. One paper is added to each side, so that what was unseen before does not win.
    """
    totals = papers_a_year(G)
    years = sorted(totals)
    if len(years) < 2:
        return []
    since = _half_way(totals)
    later = sum(totals[year] for year in years if year >= since)
    earlier = sum(totals[year] for year in years if year < since)
    found = []
    for node, data in G.nodes(data=True):
        if data["label"] in (METHOD, TASK, DATASET, BENCHMARK) and data.get("papers", 0) >= _RISING_PAPERS:
            told = [paper for paper, _ in mentions(G, node)]
            seen = Counter(G.nodes[paper]["year"] for paper in told if "year" in G.nodes[paper])
            after = sum(count for year, count in seen.items() if year >= since)
            before = sum(seen.values()) - after
            growth = ((after + 1) / (later + 2)) / ((before + 1) / (earlier + 2))
            shares = tuple(seen[year] / totals[year] for year in years)
            if after >= _RISING_PAPERS and growth > 1:
                found.append((growth, node, before / earlier, after / later, shares, told))
    found.sort(key=lambda row: (-row[0], row[1]))
    return [
        Rising(G.nodes[node]["name"], before, after, papers.cite(told), shares)
        for _, node, before, after, shares, told in found[:top]
    ]


def papers_a_year(G: nx.MultiDiGraph) -> Counter[int]:
    """Count the papers of each year."""
    return Counter(data["year"] for _, data in G.nodes(data=True) if data["label"] == PAPER and "year" in data)


def _half_way(totals: Mapping[int, int]) -> int:
    """The first year of the later half of the papers, never the first of all."""
    years = sorted(totals)
    later = 0
    for year in reversed(years[1:]):
        later += totals[year]
        if later * 2 >= sum(totals.values()):
            return year
    return years[1]


def comparisons(G: nx.MultiDiGraph, papers: Papers, top: int) -> list[tuple[str, str, Counted]]:
    """Return which methods papers compare, most papers first; the two directions count together."""
    behind: dict[tuple[str, str], set[str]] = defaultdict(set)
    for head, tail, data in G.edges(data=True):
        if data["type"] == COMPARED_WITH:
            behind[min(head, tail), max(head, tail)].update(data["evidence_papers"])

    def known(pair: tuple[str, str]) -> int:
        return sum(G.nodes[node].get("papers", 0) for node in pair)

    ordered = sorted(behind, key=lambda pair: (-len(behind[pair]), -known(pair), pair))
    rows = []
    for rank, (one, other) in enumerate(ordered[:top], start=1):
        cited = papers.cite(sorted(behind[one, other]))
        rows.append((G.nodes[one]["name"], G.nodes[other]["name"], Counted("", len(cited), cited, f"pair-{rank}")))
    return rows


def leaderboards(G: nx.MultiDiGraph, papers: Papers, *, most: int = 12) -> list[Leaderboard]:
    """Return results that several methods have on one thing by one metric, largest tables first."""
    tables: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for head, tail, data in G.edges(data=True):
        if data["type"] == REPORTED and data.get("value"):
            (paper,) = papers.cite([data.get("paper") or data["evidence_papers"][0]])
            row = Row(
                G.nodes[head]["name"],
                data["value"],
                leading_number(data["value"]),
                data.get("baseline", ""),
                paper,
            )
            tables[tail, data.get("metric", "").lower()].append(row)
    full = [(key, rows) for key, rows in tables.items() if len({row.method for row in rows}) >= _LEADERBOARD_ROWS]
    full.sort(key=lambda item: (-len(item[1]), item[0]))
    return [
        Leaderboard(G.nodes[on]["name"], metric, tuple(sorted(rows, key=lambda row: (-row.number, row.method))))
        for (on, metric), rows in full[:most]
    ]


def leading_number(value: str) -> float:
    """Return the first number of a reported value; 0 without one.

    >>> leading_number("up to 91.5%"), leading_number("1,024 tokens"), leading_number("best")
    (91.5, 1024.0, 0.0)
    """
    found = re.search(r"-?\d[\d,]*(?:\.\d+)?", value)
    return float(found[0].replace(",", "")) if found else 0.0
