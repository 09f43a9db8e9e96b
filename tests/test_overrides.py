"""Corrections by hand, the report of what was merged, and the node of each surface."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.building import Built, Change, apply_change
from kg.decisions import MentionRow
from kg.errors import InputError
from kg.graph import gather_facts
from kg.linking import link
from kg.overrides import Overrides, read_overrides
from tests.graph_papers import named_papers
from tests.test_storage import PAPERS, read

NAMES = [
    ("reinforcement learning", "Method"),
    ("RL", "Method"),
    ("FLAG", "Method"),
    ("FLAG framework", "Method"),
    ("rate of convergence", "Metric"),
    ("convergence rate", "Metric"),
]


def linked(tmp_path: Path, text: str) -> dict[str, tuple[str, str]]:
    """(node, type) of each name under an overrides file."""
    path = tmp_path / "overrides.toml"
    path.write_text(text, encoding="utf-8")
    linking = link(gather_facts(*named_papers(*NAMES)), read_overrides(path))
    entities = [linking.entities[nodes[0]] for nodes in linking.nodes]
    return {name: (entity.id, entity.type) for (name, _), entity in zip(NAMES, entities, strict=True)}


def test_overrides_join_what_rules_keep_apart(tmp_path: Path) -> None:
    nodes = linked(tmp_path, 'same = [["RL", "FLAG", "method:convergence rate"]]')
    assert nodes["RL"] == nodes["FLAG"] == nodes["convergence rate"]
    assert nodes["reinforcement learning"] != nodes["RL"]


def test_overrides_keep_apart_what_rules_join(tmp_path: Path) -> None:
    plain = linked(tmp_path, "")
    assert plain["RL"] == plain["reinforcement learning"]
    assert plain["FLAG"] == plain["FLAG framework"]
    nodes = linked(
        tmp_path,
        'different = [["RL", "reinforcement learning"], ["rate of convergence", "convergence rate"],'
        ' ["FLAG", "FLAG framework"]]',
    )
    assert len({node for node, _ in nodes.values()}) == 6


def test_overrides_give_types_and_names(tmp_path: Path) -> None:
    path = tmp_path / "overrides.toml"
    text = '[type]\n"reinforcement learning" = "Task"\n[rename]\nFLAG = "Flag!"\n'
    path.write_text(text, encoding="utf-8")
    linking = link(gather_facts(*named_papers(*NAMES)), read_overrides(path))
    by_id = {entity.id: entity for entity in linking.entities}
    assert by_id["task:reinforcement learning"].type == "Task"
    assert by_id["method:flag"].name == "Flag!"
    assert "FLAG" in by_id["method:flag"].aliases


def test_overrides_join_senses_of_one_name(tmp_path: Path) -> None:
    papers = gather_facts(*named_papers(("FLAG", "Method"), ("FLAG", "Method"), introduced=True))
    assert len(link(papers).entities) == 2
    path = tmp_path / "overrides.toml"
    path.write_text('same = [["method:flag#p0000", "method:flag#p0001"]]', encoding="utf-8")
    assert [entity.id for entity in link(papers, read_overrides(path)).entities] == ["method:flag"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("same = [", "is no TOML"),
        ("sane = []", "has 'sane'; expected same, different, rename, type"),
        ('same = ["a", "b"]', "must be a list of lists of names"),
        ('[type]\nRL = "Thing"', "says 'Thing'; expected one of Method"),
        ('[rename]\nRL = ""', "must hold lines like"),
        ('same = [["", "RL"]]', "'' is no name"),
    ],
)
def test_overrides_say_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "overrides.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"overrides\.toml") as raised:
        read_overrides(path)
    assert said in str(raised.value)


def test_overrides_missing_file_holds_none(tmp_path: Path) -> None:
    assert read_overrides(tmp_path / "nothing.toml") == Overrides()


def build(folder: Path, overrides: Path | None = None) -> Built:
    return apply_change(folder, Change(papers=PAPERS, read=read, extractor="given", overrides=overrides))


def test_overrides_survive_rebuilding_and_are_obeyed(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('different = [["RL", "reinforcement learning"], ["nobody", "nothing"]]', encoding="utf-8")
    first = build(tmp_path / "g", path)
    assert "method:rl" in first.version.graph()
    assert first.version.manifest()["overrides_unused"] == ["nobody", "nothing"]
    path.unlink()
    assert "method:rl" in build(tmp_path / "g").version.graph()
    with pytest.raises(InputError, match="no such file"):
        build(tmp_path / "g", path)


def test_decisions_report_merges_most_doubtful_first(tmp_path: Path) -> None:
    papers, extractions = named_papers(*NAMES)
    change = Change(papers=papers, read=lambda unread: extractions, extractor="given")
    rows = apply_change(tmp_path, change).version.merges()
    assert [(row.name, row.other, row.rule) for row in rows] == [
        ("FLAG", "FLAG framework", "head noun"),
        ("convergence rate", "rate of convergence", "word forms"),
        ("reinforcement learning", "RL", "acronym (table)"),
    ]
    assert [row.score for row in rows] == sorted(row.score for row in rows)
    assert all(0 < row.score < 1 for row in rows)


def test_decisions_give_the_node_of_every_surface(tmp_path: Path) -> None:
    rows = build(tmp_path / "g").version.mentions()
    assert MentionRow("lantern", "Lantern Search", "method:ls", "own definition") in rows
    assert MentionRow("harbor", "RL", "method:reinforcement learning", "acronym (table)") in rows
    assert MentionRow("trace-a", "TRACE", "method:trace", "normal form") in rows
    assert MentionRow("trace-b", "TRACE", "data:trace", "normal form") in rows
    assert rows == sorted(rows, key=lambda row: (row.paper, row.name))
    assert set(rows[0].record()) == {"paper", "name", "node", "rule"}
