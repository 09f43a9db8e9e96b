"""A small graph made by hand in the shape of a built one: every label, every edge type, nasty names."""

from __future__ import annotations

import networkx as nx

NASTY = {
    "quotes": 'O\'Hara "Net"',
    "backticks": "Back`tick` Net``",
    "newlines": "Two\nLines\r\nNet\ttab",
    "injection": "'}) DETACH DELETE n //",
    "braces": "{x: 1} $param [list] \\ back\\u0027slash",
    "emoji": "Gem🧪 Ωmega 网络 é",
    "csv": 'semi;colon, comma "quoted" | pipe',
    "markup": "<b>&amp; Net</b> ]]> <!--",
    "long": "L" * 10_000,
}

_SENTENCE = 'We use {head} for {tail} and it\'s "good"; 50% better\\worse.'


def _node(graph: nx.MultiDiGraph, node_id: str, label: str, name: str, **attributes: object) -> None:
    graph.add_node(node_id, id=node_id, label=label, name=name, **attributes)


def _edge(
    graph: nx.MultiDiGraph, head: str, edge_type: str, tail: str, /, *, key: str = "", **attributes: object
) -> None:
    papers: list[str] = attributes.pop("papers", ["p1"])  # type: ignore[assignment]
    sentence = _SENTENCE.format(head=graph.nodes[head]["name"][:40], tail=graph.nodes[tail]["name"][:40])
    graph.add_edge(
        head,
        tail,
        key=key or edge_type,
        type=edge_type,
        support=len(papers),
        confidence=0.9,
        evidence_papers=papers,
        evidence_sentences=[sentence] * len(papers),
        evidence_head_starts=[-1 if head.startswith("paper:") else 7] * len(papers),
        evidence_head_ends=[-1 if head.startswith("paper:") else 12] * len(papers),
        evidence_tail_starts=[20] * len(papers),
        evidence_tail_ends=[25] * len(papers),
        evidence_scores=[0.9] * len(papers),
        evidence_sources=["rules/1"] * len(papers),
        **attributes,
    )


def _add_papers(graph: nx.MultiDiGraph) -> None:
    authors = ["Ada Lake", "Bo O'Hara"]
    _node(
        graph,
        "paper:p1",
        "Paper",
        "Lamp: light maps",
        title="Lamp: light maps",
        year=2025,
        venue="TOYCONF",
        authors=authors,
    )
    _node(
        graph,
        "paper:p2",
        "Paper",
        "Lantern",
        year=2026,
        doi="10.1/toy.2",
        url="https://example.org/p2",
        arxiv_id="2601.00001",
    )
    _node(graph, "paper:p3", "Paper", "A study of nothing much")
    _node(graph, "paper:p4", "Paper", "Grove", title="Grove", year=2026, venue="TOYCONF", authors=["Ada Lake"])
    _node(graph, "author:ada lake", "Author", "Ada Lake", papers=2)
    _node(graph, "author:bo o'hara", "Author", "Bo O'Hara", papers=1)
    _node(graph, "venue:toyconf", "Venue", "TOYCONF", papers=2)
    _node(graph, "topic:light maps", "Topic", "light maps", papers=2)
    _node(graph, "topic:trees", "Topic", "trees", papers=1)
    _node(
        graph,
        "link:https://example.org/code",
        "Link",
        "example.org/code",
        url="https://example.org/code",
        kind="code",
    )


def _add_entities(graph: nx.MultiDiGraph) -> None:
    _node(graph, "method:lamp", "Method", "LAMP", aliases=["Lamp", "light map"], papers=2, introduced_in=["p1"])
    _node(graph, "method:lantern", "Method", "Lantern", papers=1, introduced_in=["p2"])
    _node(graph, "method:grove", "Method", "Grove", papers=1, introduced_in=["p4"])
    _node(graph, "method:trace#tree", "Method", "TRACE", papers=1, sense="tree race")
    _node(graph, "method:trace#time", "Method", "TRACE", papers=1, sense="time race")
    _node(graph, "method:graph network", "Method", "graph network", aliases=["GN"], papers=3)
    _node(graph, "method:tree", "Method", "decision tree", papers=1)
    _node(graph, "task:mapping", "Task", "mapping", papers=3)
    _node(graph, "task:light mapping", "Task", "light mapping", papers=1)
    _node(graph, "task:sorting", "Task", "sorting", papers=1)
    _node(graph, "data:toyset", "Dataset", "ToySet", aliases=["Toy Set"], papers=2)
    _node(graph, "data:toyset mini", "Dataset", "ToySet-mini", papers=1)
    _node(graph, "data:toybench", "Benchmark", "ToyBench", papers=2)
    _node(graph, "metric:accuracy", "Metric", "accuracy", papers=3)
    _node(graph, "metric:top-1", "Metric", "top-1 accuracy", papers=1)
    for kind, name in NASTY.items():
        _node(graph, f"method:{name}", "Method", name, aliases=sorted([kind, f"{name} too"]), papers=1)


def _add_paper_edges(graph: nx.MultiDiGraph) -> None:
    introduced = {"p1": "method:lamp", "p2": "method:lantern", "p4": "method:grove"}
    for paper, entity in introduced.items():
        _edge(graph, f"paper:{paper}", "INTRODUCES", entity, papers=[paper], count=3, salience=0.8)
        _edge(graph, f"paper:{paper}", "MENTIONS", entity, papers=[paper], count=3, salience=0.8)
    mentions = {
        "p1": (
            "task:mapping",
            "data:toyset",
            "metric:accuracy",
            "method:graph network",
            "task:light mapping",
            "data:toybench",
        ),
        "p2": (
            "method:lamp",
            "task:mapping",
            "data:toyset",
            "metric:accuracy",
            "method:graph network",
            "data:toyset mini",
        ),
        "p4": (
            "task:mapping",
            "data:toybench",
            "metric:accuracy",
            "method:graph network",
            "metric:top-1",
            "task:sorting",
        ),
        "p3": (
            "method:trace#tree",
            "method:trace#time",
            "method:tree",
            *(f"method:{name}" for name in NASTY.values()),
        ),
    }
    for paper, entities in mentions.items():
        for count, entity in enumerate(entities, 1):
            _edge(
                graph,
                f"paper:{paper}",
                "MENTIONS",
                entity,
                papers=[paper],
                count=count,
                salience=round(0.1 * count, 4),
            )
    _edge(graph, "paper:p1", "HAS_TOPIC", "topic:light maps", score=0.7)
    _edge(graph, "paper:p2", "HAS_TOPIC", "topic:light maps", papers=["p2"], score=0.5)
    _edge(graph, "paper:p4", "HAS_TOPIC", "topic:trees", papers=["p4"], score=0.6)
    _edge(graph, "paper:p1", "LINKS_TO", "link:https://example.org/code", kind="code")
    for author, paper in (("ada lake", "p1"), ("bo o'hara", "p1"), ("ada lake", "p4")):
        _edge(graph, f"author:{author}", "AUTHORED", f"paper:{paper}", papers=[paper])
    for paper in ("p1", "p4"):
        _edge(graph, f"paper:{paper}", "PUBLISHED_IN", "venue:toyconf", papers=[paper])


def _add_relations(graph: nx.MultiDiGraph) -> None:
    relations = (
        ("method:lamp", "USED_FOR", "task:mapping", ["p1", "p2"]),
        ("method:lantern", "USED_FOR", "task:mapping", ["p2"]),
        ("method:grove", "USED_FOR", "task:mapping", ["p4"]),
        ("method:grove", "USED_FOR", "task:sorting", ["p4"]),
        ("method:graph network", "USED_FOR", "method:lamp", ["p1"]),
        ("method:lamp", "EVALUATED_ON", "data:toyset", ["p1", "p2"]),
        ("method:lamp", "EVALUATED_ON", "data:toybench", ["p1"]),
        ("method:lantern", "EVALUATED_ON", "data:toyset", ["p2"]),
        ("method:grove", "EVALUATED_ON", "data:toybench", ["p4"]),
        ("method:lantern", "TRAINED_ON", "data:toyset mini", ["p2"]),
        ("method:lantern", "COMPARED_WITH", "method:lamp", ["p2"]),
        ("method:grove", "COMPARED_WITH", "method:graph network", ["p4"]),
        ("method:graph network", "PART_OF", "method:lamp", ["p1"]),
        ("data:toyset mini", "PART_OF", "data:toyset", ["p2"]),
        ("method:grove", "SUBCLASS_OF", "method:tree", ["p4"]),
        ("metric:top-1", "SUBCLASS_OF", "metric:accuracy", ["p4"]),
        ("task:light mapping", "SUBTASK_OF", "task:mapping", ["p1"]),
        ("data:toybench", "BENCHMARK_FOR", "task:mapping", ["p1", "p4"]),
        ("data:toyset", "BENCHMARK_FOR", "task:mapping", ["p2"]),
        ("task:mapping", "MEASURED_BY", "metric:accuracy", ["p1", "p2", "p4"]),
        ("method:trace#tree", "SUBCLASS_OF", "method:tree", ["p3"]),
        (f"method:{NASTY['injection']}", "USED_FOR", "task:sorting", ["p3"]),
        (f"method:{NASTY['long']}", "COMPARED_WITH", f"method:{NASTY['emoji']}", ["p3"]),
    )
    for head, kind, tail, papers in relations:
        _edge(graph, head, kind, tail, papers=papers)
    results = (
        ("method:lamp", "data:toyset", "91.5%", "p1"),
        ("method:lamp", "data:toyset", "90%", "p2"),
        ("method:lantern", "data:toyset", "93.1%", "p2"),
        ("method:grove", "data:toybench", "70", "p4"),
    )
    for head, tail, value, paper in results:
        key = f"REPORTED:accuracy:{value}:{paper}"
        _edge(
            graph,
            head,
            "REPORTED",
            tail,
            key=key,
            papers=[paper],
            value=value,
            metric="accuracy",
            paper=paper,
        )


def toy_graph() -> nx.MultiDiGraph:
    """Return a graph with 34 nodes of every label and edges of every type, inserted in sorted order."""
    made = nx.MultiDiGraph()
    _add_papers(made)
    _add_entities(made)
    _add_paper_edges(made)
    _add_relations(made)
    graph = nx.MultiDiGraph()
    graph.add_nodes_from((node, made.nodes[node]) for node in sorted(made))
    graph.add_edges_from(sorted(made.edges(keys=True, data=True), key=lambda edge: edge[:3]))
    return graph
