"""The whole way: from a file to a graph whose every edge can be checked against the file."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from extractors.cleaning import clean
from kg.knowledge_graph import load
from kg.lookup import evidence_of
from kg.naming import normal_form
from kg.pipeline import build, name_of
from kg.schema import ENTITY_TYPES
from tests.conftest import DATA

TABLES = ("nodes.parquet", "edges.parquet", "evidence.parquet", "papers.parquet", "extractions.parquet")


def table_bytes(graphs: Path, name: str) -> list[bytes]:
    folder = load(name, graphs=graphs).version.path
    return [(folder / table).read_bytes() for table in TABLES]


def test_pipeline_every_edge_slices_out_of_the_raw_text_file(tmp_path: Path) -> None:
    source = DATA / "sample.txt"
    build(source, name="text", graphs=tmp_path)
    graph = load("text", graphs=tmp_path)
    content = source.read_text(encoding="utf-8")
    start = {paper.id: content.index(paper.raw) for paper in graph.papers.values()}
    checked = 0
    for head, tail, edge in graph.nx.edges(data=True):
        for evidence in evidence_of(edge):
            for node, span in ((head, evidence.head), (tail, evidence.tail)):
                data = graph.nx.nodes[node]
                if data["label"] not in ENTITY_TYPES:
                    continue
                begin, end = (start[evidence.paper] + offset for offset in span)
                # Half of a formula ("$\\varepsilon" of "$\\varepsilon = 8$") keeps its dollar when it is cleaned alone.
                surface = clean(content[begin:end]).text.strip("$")
                names = {normal_form(name) for name in (data["name"], *data.get("aliases", ()))}
                assert normal_form(surface) in names, (node, surface)
                assert surface in evidence.sentence or edge["type"] == "REPORTED"
                checked += 1
    assert checked > 1000


def test_pipeline_order_of_papers_does_not_matter(tmp_path: Path, sample_graphs: Path) -> None:
    lines = (DATA / "sample.jsonl").read_text(encoding="utf-8").splitlines()
    random.Random(7).shuffle(lines)
    shuffled = tmp_path / "shuffled.jsonl"
    shuffled.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build(shuffled, name="shuffled", graphs=tmp_path)
    assert table_bytes(tmp_path, "shuffled") == table_bytes(sample_graphs, "sample")


def test_pipeline_in_steps_equals_at_once(tmp_path: Path, sample_graphs: Path) -> None:
    lines = (DATA / "sample.jsonl").read_text(encoding="utf-8").splitlines()
    for number, part in enumerate((lines[:20], lines[20:])):
        path = tmp_path / f"part{number}.jsonl"
        path.write_text("\n".join(part) + "\n", encoding="utf-8")
        report = build(path, name="steps", graphs=tmp_path)
        assert report.built.read == len(part)
    assert table_bytes(tmp_path, "steps") == table_bytes(sample_graphs, "sample")
    again = build(tmp_path / "part1.jsonl", name="steps", graphs=tmp_path)
    assert (again.built.read, again.built.reused) == (0, 28)


def test_pipeline_cypher_networkx_and_frame_agree(sample_graphs: Path) -> None:
    graph = load("sample", graphs=sample_graphs)
    for label in ("Method", "Task", "Paper"):
        expected = sorted(data["name"] for _, data in graph.nx.nodes(data=True) if data["label"] == label)
        assert sorted(row["name"] for row in graph.query(f"MATCH (n:{label}) RETURN n.name AS name")) == expected
    frame = graph.frame("MATCH ()-[e:EVALUATED_ON]->() RETURN e.support AS support")
    edges = [data["support"] for *_, data in graph.nx.edges(data=True) if data["type"] == "EVALUATED_ON"]
    assert sorted(frame["support"]) == sorted(edges)


def test_pipeline_names_the_graph_after_the_file() -> None:
    assert name_of("a/b/icml.2026.jsonl.gz") == "icml.2026"
    assert name_of(Path("list (1).txt")) == "list -1"


def test_pipeline_keeps_the_old_graph_when_reading_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = {"id": "a", "abstract": "We introduce Lantern Search, a tree search algorithm for theorem proving."}
    first = tmp_path / "first.jsonl"
    first.write_text(json.dumps(paper) + "\n", encoding="utf-8")
    build(first, name="g", graphs=tmp_path)
    before = table_bytes(tmp_path, "g")
    second = tmp_path / "second.jsonl"
    second.write_text(json.dumps({**paper, "id": "b", "title": "Other"}) + "\n", encoding="utf-8")

    def interrupted(items: object, *, label: str, total: int | None = None) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(second, name="g", graphs=tmp_path, track=interrupted)
    assert table_bytes(tmp_path, "g") == before
    assert load("g", graphs=tmp_path).query("MATCH (p:Paper) RETURN p.paper_id AS id") == [{"id": "a"}]
