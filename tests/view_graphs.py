"""Small graphs that follow the graph's contract exactly, for tests that need no extraction."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx

TYPES = {"Method": "method", "Task": "task", "Dataset": "data", "Benchmark": "data", "Metric": "metric"}


def edge(G: nx.MultiDiGraph, head: str, relation: str, tail: str, sentences: dict[str, str], **extra: Any) -> None:
    """Add an edge of the contract; ``sentences`` maps paper ids to the sentence that states it."""
    papers = sorted(sentences)
    G.add_edge(
        head,
        tail,
        key=f"{relation}:{extra.get('metric', '')}:{extra['value']}" if "value" in extra else relation,
        type=relation,
        support=len(papers),
        confidence=extra.pop("confidence", 0.9),
        evidence_papers=papers,
        evidence_sentences=[sentences[paper] for paper in papers],
        evidence_head_starts=[-1 if head.startswith("paper:") else 0] * len(papers),
        evidence_head_ends=[-1 if head.startswith("paper:") else 3] * len(papers),
        evidence_tail_starts=[10] * len(papers),
        evidence_tail_ends=[14] * len(papers),
        evidence_scores=[0.9] * len(papers),
        evidence_sources=["toy"] * len(papers),
        **extra,
    )


def node(G: nx.MultiDiGraph, label: str, name: str, **extra: Any) -> str:
    """Add an entity and return its id."""
    key = f"{TYPES[label]}:{name.lower()}"
    G.add_node(key, id=key, label=label, name=name, **{"aliases": [], "papers": 1, "introduced_in": [], **extra})
    return key


def paper(G: nx.MultiDiGraph, number: str, title: str, **extra: Any) -> str:
    """Add a paper and return its node id."""
    key = f"paper:{number}"
    G.add_node(key, id=key, label="Paper", name=title, title=title, **extra)
    return key


def small() -> nx.MultiDiGraph:
    """Two papers: KITE (the kite tuner) for lake mapping on PondSet, and a critic of it a year later."""
    G = nx.MultiDiGraph()
    one = paper(
        G,
        "a1",
        "KITE tunes maps",
        year=2023,
        venue="MapConf",
        url="https://example.org/a1",
        authors=["Ada Brook"],
    )
    two = paper(G, "b2", "A second look at lake mapping", year=2024, venue="LakeConf")
    kite = node(G, "Method", "KITE", aliases=["kite tuner"], papers=2, introduced_in=["a1"])
    lake = node(G, "Task", "lake mapping", papers=2)
    pond = node(G, "Dataset", "PondSet")
    recall = node(G, "Metric", "recall")
    says = "We present KITE, the kite tuner, for lake mapping."
    edge(G, one, "INTRODUCES", kite, {"a1": says}, count=2, salience=0.9)
    edge(G, one, "MENTIONS", kite, {"a1": says}, count=2, salience=0.9)
    edge(G, one, "MENTIONS", lake, {"a1": says}, count=1, salience=0.5)
    edge(G, two, "MENTIONS", kite, {"b2": "Does KITE help lake mapping?"}, count=1, salience=0.4)
    edge(G, two, "MENTIONS", lake, {"b2": "Does KITE help lake mapping?"}, count=1, salience=0.4)
    edge(G, one, "MENTIONS", pond, {"a1": "KITE is tested on PondSet."}, count=1, salience=0.3)
    edge(G, kite, "USED_FOR", lake, {"a1": says, "b2": "Does KITE help lake mapping?"})
    edge(G, kite, "EVALUATED_ON", pond, {"a1": "KITE is tested on PondSet."}, confidence=0.6)
    edge(G, kite, "MEASURED_BY", recall, {"a1": "Its recall is 91%."}, confidence=0.4)
    edge(
        G,
        kite,
        "REPORTED",
        pond,
        {"a1": "KITE reaches 91% recall on PondSet."},
        value="91%",
        metric="recall",
        paper="a1",
    )
    G.add_node("link:u", id="link:u", label="Link", name="https://example.org/code", url="https://example.org/code")
    edge(G, one, "LINKS_TO", "link:u", {"a1": "Code: https://example.org/code"}, kind="code")
    return G


def grown(papers: int, *, seed: int = 1, entities: int = 3) -> nx.MultiDiGraph:
    """Invented papers in groups, with hubs as real graphs have: about ``papers * (entities + 2)`` nodes."""
    dice = random.Random(seed)
    G = nx.MultiDiGraph()
    hubs = [node(G, "Task", f"field {i} problem", papers=papers // 4) for i in range(6)]
    tools = [node(G, "Method", f"common tool {i}", papers=papers // 6) for i in range(10)]
    for i in range(papers):
        group = dice.randrange(6)
        source = paper(G, f"p{i:05d}", f"On method {i}", year=2015 + i % 10, venue=f"Conf{group % 3}")
        sentence = f"We present method {i} for field {group} problem."
        own = node(G, "Method", f"method {i}", introduced_in=[f"p{i:05d}"])
        edge(G, source, "INTRODUCES", own, {f"p{i:05d}": sentence}, count=2, salience=0.8)
        edge(
            G,
            own,
            "USED_FOR",
            hubs[group],
            {f"p{i:05d}": sentence},
            confidence=round(dice.uniform(0.4, 1), 2),
        )
        edge(G, own, "PART_OF", tools[(group + dice.randrange(3)) % 10], {f"p{i:05d}": sentence})
        for j in range(entities):
            label = dice.choice(["Dataset", "Benchmark", "Metric", "Task"])
            other = node(G, label, f"{label} {group}-{dice.randrange(papers)}")
            relation = {"Metric": "MEASURED_BY", "Task": "USED_FOR"}.get(label, "EVALUATED_ON")
            edge(G, own, relation, other, {f"p{i:05d}": f"Method {i} meets thing {j}."})
            edge(G, source, "MENTIONS", other, {f"p{i:05d}": sentence}, count=1, salience=0.2)
    return G
