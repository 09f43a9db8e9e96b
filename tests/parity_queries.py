"""Queries that a user of the graph would write, and what NetworkX says to those it can answer.

Each returns rows on the toy graph. Together they need every edge type: without any one of them some return none.
"""

# ruff: noqa: E501

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

Rows = Iterable[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Parity:
    """A query, whether the order of its rows is part of the answer, and NetworkX's answer."""

    name: str
    cypher: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    ordered: bool = False
    by_networkx: Callable[[nx.MultiDiGraph], Rows] | None = None


def of_label(graph: nx.MultiDiGraph, label: str) -> list[str]:
    return [node for node, data in graph.nodes(data=True) if data["label"] == label]


def of_type(graph: nx.MultiDiGraph, *types: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    return ((a, b, data) for a, b, data in graph.edges(data=True) if data["type"] in types)


def names(graph: nx.MultiDiGraph, nodes: Iterable[str]) -> list[str]:
    return [graph.nodes[node]["name"] for node in nodes]


def named_pairs(kind: str) -> Callable[[nx.MultiDiGraph], Rows]:
    return lambda graph: [tuple(names(graph, (a, b))) for a, b, _ in of_type(graph, kind)]


def methods_per_task(graph: nx.MultiDiGraph) -> Rows:
    counted = Counter(b for _, b, _ in of_type(graph, "USED_FOR") if graph.nodes[b]["label"] == "Task")
    return [(graph.nodes[task]["name"], n) for task, n in counted.items()]


def degrees(graph: nx.MultiDiGraph) -> Rows:
    return [(node, graph.degree(node)) for node in of_label(graph, "Method") if graph.degree(node) > 2]


def within_two(graph: nx.MultiDiGraph) -> Rows:
    reached = nx.single_source_shortest_path_length(nx.DiGraph(graph), "paper:p1", cutoff=2)
    return [(node,) for node, steps in reached.items() if steps > 0]


def distances(graph: nx.MultiDiGraph) -> Rows:
    steps = nx.single_source_shortest_path_length(nx.Graph(graph), "method:lantern")
    return [(task, steps[task]) for task in of_label(graph, "Task") if steps.get(task, 9) <= 6]


def shared_entities(graph: nx.MultiDiGraph) -> Rows:
    mentioned: dict[str, set[str]] = {}
    for paper, entity, _ in of_type(graph, "MENTIONS"):
        mentioned.setdefault(paper, set()).add(entity)
    papers = sorted(mentioned)
    pairs = [(a, b, len(mentioned[a] & mentioned[b])) for a in papers for b in papers if a < b]
    return [pair for pair in pairs if pair[2]]


def superclasses(graph: nx.MultiDiGraph) -> Rows:
    edges = nx.DiGraph([(a, b) for a, b, _ in of_type(graph, "SUBCLASS_OF", "SUBTASK_OF", "PART_OF")])
    return [(a, b) for a in edges for b in nx.descendants(edges, a)]


QUERIES = [
    Parity(
        "count by label",
        "MATCH (n) RETURN labels(n)[0] AS label, count(*) AS n ORDER BY n DESC, label",
        ordered=True,
        by_networkx=lambda g: sorted(
            Counter(d["label"] for _, d in g.nodes(data=True)).items(), key=lambda pair: (-pair[1], pair[0])
        ),
    ),
    Parity(
        "count by type",
        "MATCH ()-[r]->() RETURN type(r) AS type, count(r) AS n ORDER BY type",
        ordered=True,
        by_networkx=lambda g: sorted(Counter(d["type"] for *_, d in g.edges(data=True)).items()),
    ),
    Parity(
        "methods per task",
        "MATCH (m:Method)-[:USED_FOR]->(t:Task) RETURN t.name, count(*) AS n ORDER BY n DESC LIMIT 10",
        by_networkx=methods_per_task,
    ),
    Parity(
        "introduced methods",
        "MATCH (p:Paper)-[:INTRODUCES]->(m:Method) RETURN p.name, m.name",
        by_networkx=named_pairs("INTRODUCES"),
    ),
    Parity(
        "mentions with counts",
        "MATCH (p:Paper {id: $paper})-[r:MENTIONS]->(e) RETURN e.name, r.count, r.salience ORDER BY r.count DESC, e.name",
        {"paper": "paper:p1"},
        ordered=True,
        by_networkx=lambda g: sorted(
            ((g.nodes[b]["name"], d["count"], d["salience"]) for a, b, d in of_type(g, "MENTIONS") if a == "paper:p1"),
            key=lambda row: (-row[1], row[0]),
        ),
    ),
    Parity(
        "papers of a topic",
        "MATCH (p:Paper)-[r:HAS_TOPIC]->(t:Topic {name: 'light maps'}) RETURN p.name, r.score ORDER BY r.score DESC",
        ordered=True,
        by_networkx=lambda g: sorted(
            ((g.nodes[a]["name"], d["score"]) for a, b, d in of_type(g, "HAS_TOPIC") if b == "topic:light maps"),
            key=lambda row: -row[1],
        ),
    ),
    Parity(
        "code links",
        "MATCH (p:Paper)-[r:LINKS_TO {kind: 'code'}]->(l:Link) RETURN p.name, l.url",
        by_networkx=lambda g: [
            (g.nodes[a]["name"], g.nodes[b]["url"]) for a, b, d in of_type(g, "LINKS_TO") if d["kind"] == "code"
        ],
    ),
    Parity(
        "co-authors",
        "MATCH (a:Author)-[:AUTHORED]->(p:Paper)<-[:AUTHORED]-(b:Author) WHERE a.name < b.name RETURN a.name, b.name, count(p) AS together",
    ),
    Parity(
        "papers of a venue by year",
        "MATCH (p:Paper)-[:PUBLISHED_IN]->(v:Venue) RETURN v.name, p.year, count(*) AS n ORDER BY v.name, p.year",
        ordered=True,
    ),
    Parity(
        "results",
        "MATCH (m:Method)-[r:REPORTED]->(d) RETURN m.name, d.name, r.metric, r.value, r.paper",
        by_networkx=lambda g: [
            (*names(g, (a, b)), d["metric"], d["value"], d["paper"]) for a, b, d in of_type(g, "REPORTED")
        ],
    ),
    Parity(
        "compared methods",
        "MATCH (a:Method)-[r:COMPARED_WITH]->(b:Method) WHERE size(a.name) < 100 RETURN a.name, b.name, r.evidence_papers",
    ),
    Parity(
        "trained on",
        "MATCH (m:Method)-[:TRAINED_ON]->(d:Dataset) RETURN m.name AS method, d.name AS dataset",
        by_networkx=named_pairs("TRAINED_ON"),
    ),
    Parity(
        "evaluated on both",
        "MATCH (m:Method)-[:EVALUATED_ON]->(:Dataset), (m)-[:EVALUATED_ON]->(b:Benchmark) RETURN m.name, b.name",
    ),
    Parity(
        "benchmarks of a task",
        "MATCH (b:Benchmark|Dataset)-[r:BENCHMARK_FOR]->(t:Task) RETURN b.name, t.name, r.support",
        by_networkx=lambda g: [(*names(g, (a, b)), d["support"]) for a, b, d in of_type(g, "BENCHMARK_FOR")],
    ),
    Parity("measured by", "MATCH (t:Task)-[:MEASURED_BY]->(m:Metric) RETURN t.name, collect(m.name) AS metrics"),
    Parity(
        "subtasks",
        "MATCH (s:Task)-[:SUBTASK_OF*1..3]->(t:Task) RETURN s.name, t.name",
        by_networkx=named_pairs("SUBTASK_OF"),
    ),
    Parity(
        "subclasses with their root",
        "MATCH (m)-[:SUBCLASS_OF]->(root) WHERE NOT (root)-[:SUBCLASS_OF]->() RETURN labels(m)[0], m.id, root.name",
    ),
    Parity(
        "parts", "MATCH (part)-[:PART_OF]->(whole) RETURN part.name, whole.name", by_networkx=named_pairs("PART_OF")
    ),
    Parity(
        "hierarchy of any length",
        "MATCH (a)-[:SUBCLASS_OF|SUBTASK_OF|PART_OF*1..]->(b) RETURN DISTINCT a.id, b.id",
        by_networkx=superclasses,
    ),
    Parity(
        "within two steps", "MATCH (p:Paper {id: 'paper:p1'})-[*1..2]->(n) RETURN DISTINCT n.id", by_networkx=within_two
    ),
    Parity(
        "degrees",
        "MATCH (m:Method)-[r]-() WITH m.id AS id, count(r) AS degree WHERE degree > 2 RETURN id, degree",
        by_networkx=degrees,
    ),
    Parity(
        "shortest path length",
        "MATCH (m:Method {id: 'method:lantern'}), (t:Task), p = shortestPath((m)-[*..6]-(t)) RETURN t.id, length(p) AS steps",
        by_networkx=distances,
    ),
    Parity(
        "ends of a shortest path",
        "MATCH p = shortestPath((a:Paper {id: $a})-[*..4]-(b:Paper {id: $b})) RETURN nodes(p)[0].id AS first, nodes(p)[-1].id AS last, size(relationships(p)) AS n",
        {"a": "paper:p2", "b": "paper:p4"},
    ),
    Parity("a path of one edge", "MATCH p = (:Method {name: 'Lantern'})-[:TRAINED_ON]->(:Dataset) RETURN p"),
    Parity(
        "all shortest paths",
        "MATCH p = allShortestPaths((a:Method {id: 'method:lamp'})-[*..3]-(b:Method {id: 'method:grove'})) RETURN length(p) AS steps, count(*) AS n",
    ),
    Parity(
        "shared entities",
        "MATCH (a:Paper)-[:MENTIONS]->(e)<-[:MENTIONS]-(b:Paper) WHERE a.id < b.id RETURN a.id, b.id, count(DISTINCT e) AS shared",
        by_networkx=shared_entities,
    ),
    Parity(
        "optional match",
        "MATCH (p:Paper) OPTIONAL MATCH (p)-[:INTRODUCES]->(m) RETURN p.id, m.name ORDER BY p.id",
        ordered=True,
        by_networkx=lambda g: [
            (p, next((g.nodes[b]["name"] for a, b, _ in of_type(g, "INTRODUCES") if a == p), None))
            for p in sorted(of_label(g, "Paper"))
        ],
    ),
    Parity(
        "optional match counted",
        "MATCH (p:Paper) OPTIONAL MATCH (p)-[:LINKS_TO]->(l) RETURN p.id, count(l) AS links ORDER BY links DESC, p.id",
        ordered=True,
    ),
    Parity(
        "papers without a new method", "MATCH (p:Paper) WHERE NOT EXISTS { (p)-[:INTRODUCES]->(:Method) } RETURN p.id"
    ),
    Parity(
        "exists with a condition",
        "MATCH (m:Method) WHERE EXISTS { MATCH (m)-[r:EVALUATED_ON]->(d) WHERE r.support > 1 } RETURN m.name",
    ),
    Parity(
        "count subquery",
        "MATCH (m:Method) WHERE COUNT { (m)-[:EVALUATED_ON]->() } >= 2 RETURN m.name, COUNT { (m)<-[:MENTIONS]-(:Paper) } AS papers",
    ),
    Parity(
        "collect subquery",
        "MATCH (p:Paper {id: 'paper:p1'}) RETURN COLLECT { MATCH (p)<-[:AUTHORED]-(a:Author) RETURN a.name ORDER BY a.name } AS authors",
    ),
    Parity(
        "call subquery",
        "MATCH (t:Task) CALL (t) { MATCH (m:Method)-[:USED_FOR]->(t) RETURN m ORDER BY m.id LIMIT 1 } RETURN t.name, m.id",
    ),
    Parity(
        "call subquery with WITH",
        "MATCH (v:Venue) CALL { WITH v MATCH (p:Paper)-[:PUBLISHED_IN]->(v) RETURN max(p.year) AS latest } RETURN v.name, latest",
    ),
    Parity(
        "unwind parameters",
        "UNWIND $names AS name MATCH (m:Method {name: name}) RETURN name, m.id ORDER BY m.id",
        {"names": ["LAMP", "TRACE", "nobody"]},
        ordered=True,
    ),
    Parity(
        "unwind aliases",
        "MATCH (m:Method) UNWIND m.aliases AS alias WITH m, alias WHERE size(alias) < 100 RETURN alias, m.id",
    ),
    Parity(
        "alias lookup",
        "MATCH (n) WHERE $name IN n.aliases OR n.name = $name RETURN n.id, labels(n) AS labels",
        {"name": "light map"},
    ),
    Parity(
        "list comprehension",
        "MATCH (m:Method) WHERE m.aliases IS NOT NULL RETURN m.id, [a IN m.aliases WHERE size(a) < 6 | toUpper(a)] AS short",
    ),
    Parity(
        "pattern comprehension",
        "MATCH (p:Paper) RETURN p.id, size([(p)-[:MENTIONS]->(d:Dataset) | d.name]) AS datasets",
    ),
    Parity(
        "predicates on lists",
        "MATCH (a)-[r:USED_FOR]->(b) RETURN a.id, all(p IN r.evidence_papers WHERE p STARTS WITH 'p') AS a1, any(s IN r.evidence_scores WHERE s > 0.5) AS a2, none(p IN r.evidence_papers WHERE p = 'p9') AS a3, single(p IN r.evidence_papers WHERE p = 'p1') AS a4",
    ),
    Parity(
        "reduce",
        "MATCH (m:Method {name: 'LAMP'})-[r]->() RETURN type(r), reduce(sum = 0.0, s IN r.evidence_scores | sum + s) AS total",
    ),
    Parity(
        "evidence by position",
        "MATCH (a)-[r:USED_FOR]->(b) UNWIND range(0, size(r.evidence_papers) - 1) AS i RETURN a.id, b.id, r.evidence_papers[i] AS paper, r.evidence_tail_starts[i] AS start",
    ),
    Parity("regular expression", "MATCH (m:Method) WHERE m.name =~ '(?i)la.*' RETURN m.name"),
    Parity(
        "text predicates",
        "MATCH (n) WHERE n.name CONTAINS 'light' OR n.name ENDS WITH 'mini' RETURN n.id, n.name STARTS WITH 'l' AS starts",
    ),
    Parity(
        "null handling",
        "MATCH (p:Paper) RETURN p.id, p.year IS NULL AS unknown, coalesce(p.venue, 'nowhere') AS venue, p.year > 2025 AS recent ORDER BY p.id",
        ordered=True,
    ),
    Parity(
        "aggregates skip null",
        "MATCH (p:Paper) RETURN count(*) AS all, count(p.year) AS dated, min(p.year) AS first, max(p.year) AS last, avg(p.year) AS mean, sum(p.year) AS total",
    ),
    Parity(
        "average and spread",
        "MATCH ()-[r:MENTIONS]->() RETURN avg(r.salience) AS mean, stDev(r.salience) AS spread, percentileCont(r.count, 0.5) AS median",
    ),
    Parity(
        "case",
        "MATCH (p:Paper) RETURN p.id, CASE WHEN p.year >= 2026 THEN 'new' WHEN p.year IS NULL THEN 'unknown' ELSE 'old' END AS age, CASE p.venue WHEN 'TOYCONF' THEN 1 ELSE 0 END AS here",
    ),
    Parity(
        "union",
        "MATCH (m:Method)-[:TRAINED_ON]->(d) RETURN m.name AS a, d.name AS b UNION MATCH (m:Method)-[:COMPARED_WITH]->(o:Method {name: 'LAMP'}) RETURN m.name AS a, o.name AS b",
    ),
    Parity("union all", "MATCH (a:Author) RETURN a.name AS name UNION ALL MATCH (v:Venue) RETURN v.name AS name"),
    Parity(
        "order with ties",
        "MATCH (n:Method) WHERE size(n.name) < 100 RETURN n.papers AS papers, n.id ORDER BY papers DESC, n.id SKIP 1 LIMIT 5",
        ordered=True,
    ),
    Parity(
        "distinct", "MATCH (:Paper)-[:MENTIONS]->(e) RETURN DISTINCT labels(e)[0] AS label ORDER BY label", ordered=True
    ),
    Parity(
        "with and having",
        "MATCH (m:Method)-[:USED_FOR]->(t) WITH t, count(m) AS n, collect(m.id) AS ids WHERE n > 1 RETURN t.name, n, size(ids) AS size",
    ),
    Parity(
        "map projection", "MATCH (m:Method {name: 'LAMP'}) RETURN m {.name, .papers, first: m.introduced_in[0]} AS map"
    ),
    Parity(
        "nodes as rows",
        "MATCH (d:Dataset) RETURN d ORDER BY d.id",
        ordered=True,
        by_networkx=lambda g: [
            ({"label": "Dataset", **{n: v for n, v in g.nodes[d].items() if n != "label"}},)
            for d in sorted(of_label(g, "Dataset"))
        ],
    ),
    Parity("edges as rows", "MATCH (:Task)-[r:MEASURED_BY]->() RETURN r"),
    Parity(
        "keys and types",
        "MATCH (l:Link) RETURN l.id, [k IN ['id', 'name', 'url', 'kind', 'year'] WHERE l[k] IS NOT NULL] AS has",
    ),
    Parity(
        "string functions",
        "MATCH (p:Paper {id: 'paper:p1'}) RETURN toLower(p.title), split(p.title, ':')[0], substring(p.title, 0, 4), replace(p.title, 'light', 'dark'), trim('  x '), left(p.title, 2), reverse('abc')",
    ),
    Parity(
        "numbers",
        "MATCH ()-[r:REPORTED]->() RETURN toFloat(replace(r.value, '%', '')) AS value, round(toFloat(replace(r.value, '%', ''))) AS rounded ORDER BY value DESC",
        ordered=True,
    ),
    Parity(
        "days and spans",
        "MATCH (p:Paper {id: 'paper:p1'}) RETURN date('2024-02-29') AS day, duration('P1Y2M3DT4H') AS span",
    ),
    Parity(
        "nasty name by parameter",
        "MATCH (m:Method {name: $name})-[:USED_FOR]->(t:Task) RETURN m.name, t.name",
        {"name": "'}) DETACH DELETE n //"},
    ),
    Parity(
        "multi-hop recommendation",
        "MATCH (m:Method {name: 'LAMP'})-[:EVALUATED_ON]->(d)<-[:EVALUATED_ON]-(o:Method) RETURN o.name, count(DISTINCT d) AS n ORDER BY n DESC, o.name",
        ordered=True,
    ),
]
