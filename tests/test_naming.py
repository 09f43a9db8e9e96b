"""Normal forms: what is written differently and means the same, and what must stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.generic import why_not_a_name
from kg.naming import compact, normal_form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Large Language Models", "large-language model"),
        ("the ImageNet", "ImageNet"),
        ("ResNet-50", "ResNet50"),
        ("YOLOv5", "YOLO-v5"),
        ("Llama-3.1-8B", "Llama 3.1 8B"),
        ("colour optimisation", "color optimization"),
        ("dialogue modelling", "dialog modeling"),
        ("β-VAE", r"$\beta$-VAE"),
        (r"\textbf{FLAG}", "FLAG"),
        ("Fréchet distance", "Frechet distance"),
        ("“honest persona”", "honest persona"),
        ("pre-training", "pretraining"),
        ("multi-modal learning", "multimodal learning"),
        ("GANs", "GAN"),
        ("Shapley’s values", "Shapley value"),
        ("vision–language models", "vision-language model"),
        ("REINFORCEMENT LEARNING", "reinforcement learning"),
        ("Markov decision processes", "Markov decision process"),
    ],
)
def test_naming_makes_spellings_equal(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPT-4", "GPT-4o"),
        ("GPT-4", "GPT-4.1"),
        ("Llama 3.1", "Llama-3.1-8B"),
        ("CIFAR-10", "CIFAR-100"),
        ("supervised learning", "unsupervised learning"),
        ("semi-supervised learning", "self-supervised learning"),
        ("DeepLabv3", "DeepLabv3+"),
        ("C", "C++"),
        ("convex optimization", "non-convex optimization"),
        ("A search", "A* search"),
        ("AIDS", "AID"),
    ],
)
def test_naming_keeps_different_things_apart(one: str, other: str) -> None:
    assert compact(normal_form(one)) != compact(normal_form(other))


@given(st.text(max_size=40))
def test_naming_normal_form_is_stable(name: str) -> None:
    once = normal_form(name)
    assert once == " ".join(once.split())
    assert once == once.casefold()


@given(st.lists(st.sampled_from("graph neural network deep policies matrices RL GPT-4 learning".split()), min_size=1))
def test_naming_ignores_hyphens_and_spaces(words: list[str]) -> None:
    assert normal_form("-".join(words)) == normal_form("  ".join(words))


@pytest.mark.parametrize(
    "name",
    ["model", "our method", "the proposed framework", "experiments", "benchmark", "this approach", "new dataset",
     "state-of-the-art methods", "real-world datasets", "three public benchmarks", "Results", "baselines",
     "the problem", "benchmark datasets", "existing approaches", "OUR METHOD"],
)  # fmt: skip
def test_generic_names_are_refused(name: str) -> None:
    assert why_not_a_name(name) == "generic name"


@pytest.mark.parametrize(
    "name",
    ["accuracy", "reinforcement learning", "DataComp", "FLAG", "world model", "metric learning", "robust optimization",
     "synthetic data", "user study", "Transformer", "language models", "RESULT", "knowledge graph", "Adam"],
)  # fmt: skip
def test_generic_leaves_names_alone(name: str) -> None:
    assert why_not_a_name(name) == ""


@pytest.mark.parametrize(
    ("name", "reason"),
    [("***", "name without letters"), ("x", "single letter"), ("they", "pronoun"),
     ("deep " * 40 + "net", "name too long"),
     ("https://a.example/b", "web address"), ("42", "name without letters"), ("", "name without letters")],
)  # fmt: skip
def test_generic_gives_a_reason(name: str, reason: str) -> None:
    assert why_not_a_name(name) == reason
