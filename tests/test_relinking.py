"""Changes of a graph link and assemble only what they reach, and come out as if all had been made anew."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from extractors.given import given_extraction
from kg.building import Built, Change, apply_change
from kg.graph import build_graph
from kg.pipeline import similarity, write_store
from kg.types import Extraction, Keyphrase, Paper, Span
from tests.graph_papers import record_of
from tests.test_changes import facts_in_store
from tests.test_storage import tables

#: Names that reach one another: spellings, head nouns, acronyms in and out of names, slips, near words, kinds,
#: versions, one name for two things, one name of two types.
NAMES = [
    ("reinforcement learning", "Method"), ("RL", "Method"), ("RL agent", "Method"),
    ("deep reinforcement learning", "Task"),
    ("Lantern Search", "Method"), ("LS", "Method"), ("Ledger Sorting", "Method"), ("LS framework", "Method"),
    ("GRAM", "Method"), ("GRAM", "Benchmark"), ("Tidepool", "Dataset"), ("Tidepool benchmark", "Benchmark"),
    ("contrastive search", "Method"), ("constrastive search", "Method"), ("contrastive planning", "Task"),
    ("robot grasping", "Task"), ("robotic grasping", "Task"), ("robotics grasping", "Method"), ("grasping", "Task"),
    ("Alder trees", "Method"), ("Birch trees", "Method"), ("Cedar trees", "Method"), ("trees", "Method"),
    ("Harbor 2", "Method"), ("Harbor", "Method"), ("Harbor model", "Method"), ("convergence rate", "Metric"),
    ("rate of convergence", "Metric"), ("multi-object tracking", "Task"), ("multiple object tracking", "Task"),
]  # fmt: skip
LONG = {"LS": ("Lantern Search", "Ledger Sorting"), "RL": ("reinforcement learning", "rope ladders")}
TYPES = ("USED_FOR", "SUBCLASS_OF", "SUBTASK_OF", "EVALUATED_ON", "COMPARED_WITH", "PART_OF")


def invented(number: int, seed: int) -> tuple[Paper, Extraction]:
    """A paper of some of the names, with relations among them, and what was read from it."""
    chance = random.Random(f"{number} {seed}")
    chosen = chance.sample(NAMES, chance.randint(1, 6))
    chosen = list({name: (name, kind) for name, kind in chosen}.values())
    parts, entities = [], []
    for name, kind in chosen:
        long = chance.choice(LONG.get(name, ("",)))
        defined = bool(long) and chance.random() < 0.5
        parts.append(f"{long} ({name})" if defined else name)
        entities.append((name, kind, [long, name] if defined else [name], chance.random() < 0.3))
    names = [name for name, _ in chosen]
    relations = [(chance.choice(names), chance.choice(TYPES), chance.choice(names)) for _ in range(3)]
    paper = Paper(f"p{number}", abstract=" and ".join(parts) + ".", authors=(f"Author {number % 3}",), venue="FOREST")
    read = given_extraction(record_of(entities, relations), paper)
    topic = Keyphrase(chance.choice(("tree search", "Tree search", "rope")), 0.5, Span(0, 4))
    return paper, replace(read, keyphrases=(topic,), extractor="given")


def changed(folder: Path, papers: Iterable[tuple[Paper, Extraction]] = (), **what: object) -> Built:
    known = dict(papers)
    by_id = {paper.id: extraction for paper, extraction in known.items()}

    def read(unread: Iterable[Paper]) -> Iterator[Extraction]:
        return (by_id[paper.id] for paper in unread)

    options = Change(papers=list(known), read=read, extractor="given", similarity=similarity(), **what)  # type: ignore[arg-type]
    return apply_change(folder, options)


@pytest.fixture(autouse=True)
def few_make_a_slip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.variants._SLIP_RATIO", 2)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6))
@example(4516)  # a slip of the pen is none any more once the word that it was told by is gone
def test_relinking_any_sequence_of_changes_equals_a_clean_build(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder = tmp_path / str(seed) / "steps"
    state = {f"p{number}": invented(number, chance.randint(0, 1)) for number in range(chance.randint(2, 14))}
    changed(folder, state.values())
    for _ in range(4):
        if len(state) > 3 and chance.random() < 0.4:
            gone = chance.sample(sorted(state), chance.randint(1, 2))
            changed(folder, removed=gone)
            state = {paper: item for paper, item in state.items() if paper not in gone}
        else:
            fresh = [invented(chance.randint(0, 16), chance.randint(0, 3)) for _ in range(chance.randint(1, 2))]
            fresh = list({paper.id: (paper, item) for paper, item in fresh}.values())
            changed(folder, fresh)
            state.update({paper.id: (paper, item) for paper, item in fresh})
    clean = tmp_path / str(seed) / "clean"
    G = changed(clean, state.values()).version.graph()
    assert tables(folder) == tables(clean)
    expected = build_graph(*zip(*state.values(), strict=True), similarity=similarity())  # type: ignore[call-arg]
    assert list(G.nodes(data=True)) == list(expected.nodes(data=True))
    assert list(G.edges(keys=True, data=True)) == list(expected.edges(keys=True, data=True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_relinking_the_store_follows(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.pipeline._SHARE_TO_CHANGE", 9.0)
    papers = [invented(number, seed) for number in range(12)]
    steps = tmp_path / "steps"
    changed(steps, papers[:9], finish=write_store)
    changed(steps, papers[9:], finish=write_store)
    store = changed(steps, [invented(0, seed + 7)], removed=["p3", "p4"], finish=write_store).version.store
    state = [invented(0, seed + 7), *papers[1:3], *papers[5:]]
    clean = changed(tmp_path / "clean", state, finish=write_store).version.store
    assert facts_in_store(store) == facts_in_store(clean)


def test_relinking_starts_anew_where_overrides_change(tmp_path: Path) -> None:
    papers = [invented(number, 1) for number in range(8)]
    changed(tmp_path / "g", papers)
    overrides = tmp_path / "mine.toml"
    overrides.write_text('same = [["GRAM", "Harbor"]]\n', encoding="utf-8")
    changed(tmp_path / "g", papers[:1], overrides=overrides)
    changed(tmp_path / "clean", papers, overrides=overrides)
    assert tables(tmp_path / "g") == tables(tmp_path / "clean")
