"""Linking: one thing, one node; what papers define differently stays apart."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.acronym_table import find_definitions
from kg.acronyms import looks_short, shipped_table, spells
from kg.graph import gather_facts
from kg.linking import Entity, Linking, link
from kg.pipeline import similarity
from kg.similarity import SIMILAR, Similarity, agreeing, similar_pairs
from tests.graph_papers import named_papers, sample_papers

PAIRS = Path(__file__).parent / "data" / "name_pairs.tsv"


def linked(*names: tuple[str, str], introduced: bool = False) -> list[str]:
    """The node id of each name, each named by a paper of its own."""
    facts = gather_facts(*named_papers(*names, introduced=introduced))
    linking = link(facts, similarity=similarity())
    return [linking.entities[nodes[0]].id if nodes else "" for nodes in linking.nodes]


def sample() -> tuple[Linking, dict[str, Entity]]:
    linking = link(gather_facts(*sample_papers()))
    return linking, {entity.id: entity for entity in linking.entities}


def test_linking_the_sample_papers() -> None:
    _, entities = sample()
    rl = entities["method:reinforcement learning"]
    assert (rl.papers, rl.type, rl.name) == (3, "Method", "reinforcement learning")
    assert rl.aliases == ("RL", "Reinforcement Learning")
    assert entities["method:large language model"].papers == 3
    assert entities["data:tidepool"].aliases == ("Tidepool dataset",)
    assert entities["method:ls"].introduced_in == ("lantern",)
    assert entities["method:ls"].papers == 2
    assert not any("experiment" in node for node in entities)


def test_linking_keeps_two_systems_of_one_name_apart() -> None:
    _, entities = sample()
    assert entities["method:trace"].introduced_in == ("trace-a",)
    assert entities["data:trace"].introduced_in == ("trace-b",)


def test_linking_takes_a_common_acronym_for_what_it_is() -> None:
    long = ("large language models", "Method")
    assert linked(("LLM", "Method"), long, introduced=True) == ["method:large language model"] * 2
    assert linked(("LLMs", "Dataset"), *[long] * 4) == ["method:large language model"] * 5
    assert linked(("GRAM", "Method"), ("graph attention model", "Method"), introduced=True) == [
        "method:gram",
        "method:graph attention model",
    ]


def test_linking_says_which_rule_decided() -> None:
    linking, _ = sample()
    facts = gather_facts(*sample_papers())
    rules = {
        (paper.paper.id, claim.name): linking.rules[i][j]
        for i, paper in enumerate(facts)
        for j, claim in enumerate(paper.claims)
    }
    assert rules["lantern", "LS"] == "own definition"
    assert rules["harbor", "RL"] == "acronym (table)"
    assert rules["survey", "Reinforcement Learning"] == "normal form"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("RL", "Method"), ("reinforcement learning", "Method")),
        (("LLMs", "Method"), ("Large Language Models", "Method")),
        (("ImageNet dataset", "Dataset"), ("the ImageNet benchmark", "Benchmark")),
        (("rate of convergence", "Metric"), ("convergence rate", "Metric")),
        (("LLM agents", "Method"), ("large language model agents", "Method")),
        (("multiple object tracking", "Task"), ("multi-object tracking", "Task")),
        (("kNN", "Method"), ("k-NN", "Method")),
        (("reinforcement learning", "Task"), ("reinforcement learning", "Method")),
        (("convolution neural nets", "Method"), ("convolutional neural networks", "Method")),
        (("robotic grasp planning", "Task"), ("robot grasp planning", "Task")),
        (("predictive accuracy", "Metric"), ("prediction accuracy", "Metric")),
    ],
)
def test_linking_joins(one: tuple[str, str], other: tuple[str, str]) -> None:
    first, second = linked(one, other)
    assert first == second != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("GPT-4", "Method"), ("GPT-4o", "Method")),
        (("Llama 3.1", "Method"), ("Llama-3.1-8B", "Method")),
        (("mAP", "Metric"), ("MAP estimation", "Method")),
        (("Bayesian network", "Method"), ("Bayesian neural network", "Method")),
        (("language model", "Method"), ("large language model", "Method")),
        (("kernel methods", "Method"), ("kernel", "Method")),
        (("text-to-image", "Task"), ("image-to-text", "Task")),
        (("F1", "Metric"), ("F2", "Metric")),
        (("supervised learning", "Method"), ("semi-supervised learning", "Method")),
        (("supervised hashing", "Method"), ("unsupervised hashing", "Method")),
        (("online planning", "Task"), ("offline planning", "Task")),
        (("language model", "Method"), ("language modeling", "Method")),
        (("sample efficiency", "Metric"), ("sampling efficiency", "Metric")),
        (("quantized network", "Method"), ("quantization network", "Method")),
        (("fast tree search", "Method"), ("faster tree search", "Method")),
        (("robot grasping", "Task"), ("robotic grasping", "Method")),
        (("noise detection", "Task"), ("noisy detection", "Task")),
    ],
)
def test_linking_keeps_apart(one: tuple[str, str], other: tuple[str, str]) -> None:
    first, second = linked(one, other)
    assert first != second


def test_linking_keeps_apart_what_two_papers_introduce() -> None:
    first, second = linked(("FLAG", "Method"), ("FLAG", "Method"), introduced=True)
    assert (first, second) == ("method:flag#p0000", "method:flag#p0001")


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(5)))
def test_linking_does_not_depend_on_the_order(order: list[int]) -> None:
    papers, extractions = sample_papers()
    shuffled = gather_facts([papers[i] for i in order], [extractions[i] for i in reversed(order)])
    assert link(shuffled) == link(gather_facts(papers, extractions))


def pair_scores() -> tuple[float, float]:
    """Precision and recall of "same" over the labelled pairs, all names in one corpus, a paper each."""
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = sorted({(row[end], row[f"{end}_type"]) for row in rows for end in ("first", "second")})
    node = dict(zip(names, linked(*names), strict=True))
    right = wrong = missed = 0
    for row in rows:
        first, second = (node[row[end], row[f"{end}_type"]] for end in ("first", "second"))
        if first and second:
            joined, same = first == second, row["label"] == "same"
            right, wrong, missed = (
                right + (joined and same),
                wrong + (joined and not same),
                missed + (same and not joined),
            )
    return right / (right + wrong), right / (right + missed)


def test_linking_reaches_its_marks_on_labelled_pairs() -> None:
    precision, recall = pair_scores()
    assert precision >= 0.97
    assert recall >= 0.85


def test_acronyms_are_found_where_a_text_defines_them() -> None:
    text = (
        "Proximal policy optimization (PPO) and Lantern Search (LS). "
        "The VQA (visual question answering) task (see Sec 3)."
    )
    assert find_definitions(text) == (
        ("PPO", "Proximal policy optimization"),
        ("LS", "Lantern Search"),
        ("VQA", "visual question answering"),
    )


def test_acronyms_shipped_table_knows_the_common_ones() -> None:
    table = shipped_table()
    assert table["RL"].dominant() == "reinforcement learning"
    assert table["LLM"].dominant() == "large language model"
    assert table["SSL"].dominant() == ""


@given(st.text(max_size=12), st.text(max_size=40))
def test_acronyms_never_fail(short: str, long: str) -> None:
    assert isinstance(spells(short, long), bool)
    assert isinstance(looks_short(short), bool)
    find_definitions(f"{long} ({short})")


def toy_vectors(words: Sequence[str]) -> npt.NDArray[np.float32]:
    """Vectors in a plane: a word that ends on -a, -b or -c lies at 0, 25 or 50 degrees."""
    angles = np.radians([25.0 * "abc".index(word[-1]) for word in words])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_similarity_joins_only_where_every_pair_agrees() -> None:
    toy = Similarity("toy", toy_vectors)
    names = [(f"stema{end} planning", "Task", f"stema{end} planning") for end in "abc"]
    pairs = similar_pairs(names, toy)
    assert pairs == {("stemaa planning", "stemab planning"): 0.9063, ("stemab planning", "stemac planning"): 0.9063}
    assert list(agreeing(pairs)) == [("stemaa planning", "stemab planning")]
    facts = gather_facts(*named_papers(*[(name, kind) for name, kind, _ in names]))
    linking = link(facts, similarity=toy)
    assert [linking.entities[nodes[0]].name for nodes in linking.nodes] == [
        "stemaa planning", "stemaa planning", "stemac planning"
    ]  # fmt: skip
    assert linking.rules == (("normal form",), (SIMILAR,), ("normal form",))
    assert 0.7 < linking.scores[1][0] < 0.9063


def test_linking_shuffled_names_give_the_same_nodes() -> None:
    names = [
        ("RL", "Method"),
        ("reinforcement learning", "Method"),
        ("ImageNet", "Dataset"),
        ("ImageNet dataset", "Dataset"),
    ]
    expected = dict(zip(names, linked(*names), strict=True))
    for seed in range(5):
        random.Random(seed).shuffle(names)
        assert dict(zip(names, linked(*names), strict=True)) == expected
