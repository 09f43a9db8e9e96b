"""A made-up literature of any size: a graph in the shape of a built one, the same for the same numbers and seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import networkx as nx

#: Shares of the nodes, and of the edges, by label and by type.
_NODES = {
    "Paper": 0.56,
    "Method": 0.2,
    "Task": 0.06,
    "Dataset": 0.05,
    "Benchmark": 0.02,
    "Metric": 0.01,
    "Topic": 0.1,
}
_EDGES = {
    ("Paper", "MENTIONS", "Method"): 0.3,
    ("Paper", "MENTIONS", "Task"): 0.18,
    ("Paper", "MENTIONS", "Dataset"): 0.1,
    ("Paper", "MENTIONS", "Metric"): 0.04,
    ("Paper", "INTRODUCES", "Method"): 0.03,
    ("Paper", "HAS_TOPIC", "Topic"): 0.16,
    ("Method", "USED_FOR", "Task"): 0.06,
    ("Method", "EVALUATED_ON", "Dataset"): 0.04,
    ("Method", "EVALUATED_ON", "Benchmark"): 0.02,
    ("Method", "COMPARED_WITH", "Method"): 0.04,
    ("Method", "PART_OF", "Method"): 0.01,
    ("Task", "MEASURED_BY", "Metric"): 0.01,
    ("Task", "SUBTASK_OF", "Task"): 0.01,
}
_WORDS = "sparse latent graph neural token reward policy image speech causal deep robust visual prompt model".split()


def literature(nodes: int, edges: int, *, seed: int = 7) -> nx.MultiDiGraph:
    """Return a graph of about ``nodes`` nodes and exactly ``edges`` edges.

    A few methods, tasks and datasets are in very many papers, as in a real literature (Zipf's law).
    """
    random_numbers = random.Random(seed)
    graph = nx.MultiDiGraph(name="literature")
    members = {label: list(_add_nodes(graph, label, int(nodes * share))) for label, share in _NODES.items()}
    weights = {label: list(accumulate(1 / (rank + 10) for rank in range(len(ids)))) for label, ids in members.items()}
    shares = list(_EDGES.items())
    for at, ((head, kind, tail), share) in enumerate(shares):
        wanted = edges - graph.number_of_edges() if at == len(shares) - 1 else int(edges * share)
        _add_edges(graph, (members[head], kind, members[tail]), wanted, (weights[head], weights[tail], random_numbers))
    return graph


def _add_nodes(graph: nx.MultiDiGraph, label: str, count: int) -> Iterator[str]:
    for number in range(count):
        name = f"{_WORDS[number % 15]} {_WORDS[number // 15 % 15]} {label.lower()} {number}"
        node = f"{label.lower()}:{name}"
        more: dict[str, Any] = {"papers": 1 + number % 9}
        if label == "Paper":
            more = {"title": name, "year": 2015 + number % 12}
        elif label == "Method":
            more["aliases"] = [f"{name} net", f"{label[0]}{number}"]
        graph.add_node(node, id=node, label=label, name=name, **more)
        yield node


def _add_edges(
    graph: nx.MultiDiGraph,
    group: tuple[list[str], str, list[str]],
    wanted: int,
    chances: tuple[list[float], list[float], random.Random],
) -> None:
    heads, kind, tails = group
    head_weights, tail_weights, random_numbers = chances
    made = 0
    while made < wanted:
        size = wanted - made
        by_paper = kind in ("MENTIONS", "INTRODUCES", "HAS_TOPIC")
        from_ = random_numbers.choices(heads, k=size, cum_weights=None if by_paper else head_weights)
        to = random_numbers.choices(tails, k=size, cum_weights=tail_weights)
        for head, tail in zip(from_, to, strict=True):
            if head != tail and not graph.has_edge(head, tail, kind):
                graph.add_edge(head, tail, key=kind, **_attributes(kind, head, tail, random_numbers))
                made += 1


def _attributes(kind: str, head: str, tail: str, random_numbers: random.Random) -> dict[str, Any]:
    start = random_numbers.randrange(900)
    sentence = f"In this work we look at {head} and show that it holds for {tail}, by a margin of {start} points."
    score = round(0.5 + start / 2000, 4)
    more = {"count": 1 + start % 7, "salience": score} if kind in ("MENTIONS", "INTRODUCES") else {}
    if kind == "HAS_TOPIC":
        more = {"score": score}
    return {
        "type": kind,
        "support": 1,
        "confidence": score,
        "evidence_papers": [f"p{start}"],
        "evidence_sentences": [sentence],
        "evidence_head_starts": [start],
        "evidence_head_ends": [start + 12],
        "evidence_tail_starts": [start + 40],
        "evidence_tail_ends": [start + 52],
        "evidence_scores": [score],
        "evidence_sources": ["reader/1"],
        **more,
    }
