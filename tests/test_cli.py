"""The command line: what it prints, what it refuses, its exit codes."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import DATA, Run

Kg = Callable[..., Run]
ABSTRACT = (
    "We introduce Lantern Search (LS), a tree search algorithm for theorem proving. "
    "LS outperforms beam search on miniF2F, where it reaches 61.3% accuracy."
)


def one_line(run: Run) -> str:
    """The single line of an error that ended a command with code 2."""
    assert run.code == 2, run
    assert "Traceback" not in run.err
    (line,) = run.err.strip().splitlines()
    return line


def write_papers(path: Path, *records: dict[str, object] | str) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records) + "\n", encoding="utf-8")
    return path


def test_cli_query_answers_the_question_of_the_readme(kg: Kg, in_sample: Path) -> None:
    cypher = (
        "MATCH (m:Method)-[:USED_FOR]->(t:Task) RETURN t.name AS task, count(*) AS n ORDER BY n DESC, task LIMIT 10"
    )
    rows = json.loads(kg("query", "sample", cypher, "--format", "json").out)
    assert len(rows) == 10
    assert set(rows[0]) == {"task", "n"}
    assert [row["n"] for row in rows] == sorted((row["n"] for row in rows), reverse=True)
    table = kg("query", "sample", cypher).out
    assert all(row["task"] in table for row in rows)
    parsed = list(csv.DictReader(io.StringIO(kg("query", "sample", cypher, "--format", "csv").out)))
    assert [row["task"] for row in parsed] == [row["task"] for row in rows]
    lines = kg("query", "sample", cypher, "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == rows


def test_cli_query_takes_parameters(kg: Kg, in_sample: Path) -> None:
    rows = json.loads(
        kg("query", "sample", "RETURN $n + 1 AS n, $s AS s", "--param", "n=41", "-p", "s=FLAG", "--format", "json").out
    )
    assert rows == [{"n": 42, "s": "FLAG"}]


@pytest.mark.parametrize(
    ("cypher", "said"),
    [
        ("CREATE (n:Method {name: 'x'}) RETURN n", "CREATE"),
        ("MATCH (n) DETACH DELETE n", "DETACH"),
        ("LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line", "LOAD"),
        ("MATCH (n RETURN n", ""),
        ("", ""),
    ],
)
def test_cli_query_refuses(kg: Kg, in_sample: Path, cypher: str, said: str) -> None:
    assert said in one_line(kg("query", "sample", cypher))


def test_cli_query_stops_at_its_time_limit(kg: Kg, in_sample: Path) -> None:
    endless = "MATCH (a), (b), (c), (d) WHERE a.name + b.name + c.name + d.name = 'no' RETURN count(*)"
    assert "limit of 1 seconds" in one_line(kg("query", "sample", endless, "--timeout", "1"))


def test_cli_names_a_graph_that_does_not_exist(kg: Kg, in_sample: Path) -> None:
    line = one_line(kg("stats", "nothing"))
    assert "nothing" in line
    assert "sample" in line


def test_cli_rank_lists_the_type_that_was_asked(kg: Kg, in_sample: Path) -> None:
    rows = json.loads(kg("rank", "sample", "--by", "degree", "--type", "Task", "--top", "5", "--format", "json").out)
    assert len(rows) == 5
    assert {row["type"] for row in rows} == {"Task"}
    assert [row["degree"] for row in rows] == sorted((row["degree"] for row in rows), reverse=True)


def test_cli_stats_and_schema_agree(kg: Kg, in_sample: Path) -> None:
    facts = json.loads(kg("stats", "sample", "--json").out)
    labels = {row["name"]: row["count"] for row in json.loads(kg("schema", "sample", "--format", "json").out)}
    assert facts["papers"] == labels["Paper"] == 48
    assert sum(facts["nodes"].values()) == sum(n for name, n in labels.items() if not name.startswith("("))
    assert sum(facts["edges"].values()) == sum(n for name, n in labels.items() if name.startswith("("))


def test_cli_show_proposes_a_near_name(kg: Kg, in_sample: Path) -> None:
    assert "ImageNet" in one_line(kg("show", "sample", "Imagenett"))


def test_cli_build_reports_faulty_records_and_goes_on(kg: Kg, tmp_path: Path) -> None:
    good = {"id": "p1", "title": "Lantern Search", "abstract": ABSTRACT}
    papers = write_papers(
        tmp_path / "papers.jsonl",
        good,
        "{this is no JSON",
        {"id": "p2", "title": "A paper without an abstract"},
        {"id": "p3", "title": "One word", "abstract": "Short."},
        {"id": "p4", "title": "Copy", "abstract": ABSTRACT},
    )
    run = kg("build", papers, "--graphs", tmp_path / "graphs", "--name", "g")
    assert run.code == 0
    assert f"{papers}:2" in run.err
    assert f"{papers}:3" in run.err
    facts = json.loads(kg("stats", "g", "--graphs", tmp_path / "graphs", "--json").out)
    assert facts["papers"] == 4
    assert kg("build", papers, "--graphs", tmp_path / "graphs", "--name", "g", "--strict").code == 1


def test_cli_build_takes_text_gzipped_and_names_the_graph(kg: Kg, tmp_path: Path) -> None:
    path = tmp_path / "list.txt.gz"
    path.write_bytes(gzip.compress(f"Papers\n\n{ABSTRACT}\n".encode()))
    assert kg("build", path, "--graphs", tmp_path / "graphs").code == 0
    assert (tmp_path / "graphs" / "list").is_dir()
    rows = kg(
        "query",
        "list",
        "MATCH (m:Method) WHERE 'Lantern Search' IN m.aliases + [m.name] RETURN count(m) AS n",
        "--format",
        "json",
        "--graphs",
        tmp_path / "graphs",
    ).out
    assert json.loads(rows) == [{"n": 1}]


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "does not exist"), (b"", "empty"), (b"\x00\x01\x02\xff" * 64, "binary"), (b"{}\n{}\n", "no")],
)
def test_cli_build_refuses_a_faulty_file_and_keeps_the_graph(
    kg: Kg, tmp_path: Path, content: bytes | None, said: str
) -> None:
    graphs = tmp_path / "graphs"
    assert (
        kg(
            "build",
            write_papers(tmp_path / "good.jsonl", {"id": "1", "abstract": ABSTRACT}),
            "--name",
            "g",
            "--graphs",
            graphs,
        ).code
        == 0
    )
    before = kg("stats", "g", "--graphs", graphs, "--json").out
    faulty = tmp_path / "faulty.jsonl"
    if content is not None:
        faulty.write_bytes(content)
    line = one_line(kg("build", faulty, "--name", "g", "--graphs", graphs))
    assert str(faulty) in line
    assert said in line.casefold()
    assert kg("stats", "g", "--graphs", graphs, "--json").out == before


def test_cli_build_refuses_a_directory(kg: Kg, tmp_path: Path) -> None:
    assert "directory" in one_line(kg("build", tmp_path, "--graphs", tmp_path / "graphs"))


def test_cli_extract_writes_what_evaluate_scores(kg: Kg, tmp_path: Path) -> None:
    out = tmp_path / "found.jsonl"
    assert kg("extract", DATA / "sample.jsonl", "-o", out).code == 0
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [set(record) for record in records] == [{"id", "entities", "relations", "results", "urls"}] * 48
    fresh = json.loads(kg("evaluate", DATA / "sample_gold.jsonl", "--json").out)
    again = json.loads(kg("evaluate", DATA / "sample_gold.jsonl", "--predicted", out, "--json").out)
    assert fresh == again
    assert fresh["entities"]["F1"] > 40


def test_cli_evaluate_compares_rules_model_and_both(kg: Kg, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join((DATA / "sample_gold.jsonl").read_text("utf-8").splitlines(keepends=True)[:6]), "utf-8")
    three = json.loads(kg("evaluate", gold, "--compare", "--json").out)
    assert list(three) == ["rules alone", "model alone", "both"]
    assert three["both"] == {
        name: row for name, row in json.loads(kg("evaluate", gold, "--json").out).items() if name in three["both"]
    }
    assert three["rules alone"] == {
        name: row
        for name, row in json.loads(kg("evaluate", gold, "--json", "--reader", "rules").out).items()
        if name in three["both"]
    }
    assert three["model alone"]["urls"]["pred"] == three["model alone"]["results (tied)"]["pred"] == 0
    shown = kg("evaluate", gold, "--compare", "--errors", "1").out
    assert "rules alone" in shown
    assert "relation turned round" in shown
    assert "\nmissed: " in shown


SCIER_LINE = {
    "doc_key": "d",
    "sentences": [["We", "use", "BERT", "for", "parsing", "."]],
    "ner": [[[2, 2, "Method"], [4, 4, "Task"]]],
    "relations": [[[2, 2, 4, 4, "Used-For"]]],
}


def test_cli_evaluate_scores_documents_of_scier(kg: Kg, tmp_path: Path) -> None:
    nothing = {"doc_key": "nothing", "sentences": [], "ner": [], "relations": []}
    file = write_papers(tmp_path / "scier.jsonl", SCIER_LINE, nothing)
    scores = json.loads(kg("evaluate", "--format", "scier", file, "--model", "best", "--json").out)
    assert list(scores) == ["NER", "Rel", "Rel+"]
    assert [row["gold"] for row in scores.values()] == [2, 1, 1]
    assert scores["NER"]["F1"] == 100.0
    assert "95% low" in kg("evaluate", "--format", "scier", file).out


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        (SCIER_LINE, (), "looks like SciER; score it with --format scier"),
        ({"id": "p", "text": "x"}, (), "holds no annotations"),
        ({"id": "p", "text": "x"}, ("--format", "scier"), ":1 is no record of SciER: it has no 'doc_id'"),
        ("no JSON", ("--format", "scier"), ":1 is no JSON"),
        (SCIER_LINE, ("--format", "scier", "--model", "rules"), "the rules know nothing of SciER"),
        (SCIER_LINE, ("--format", "scier", "--model", "nosuch"), "no reader 'nosuch'"),
        (SCIER_LINE, ("--format", "scier", "--compare"), "--format scier takes neither"),
    ],
)
def test_cli_evaluate_refuses(
    kg: Kg, tmp_path: Path, content: dict[str, object] | str, arguments: tuple[str, ...], said: str
) -> None:
    assert said in one_line(kg("evaluate", write_papers(tmp_path / "gold.jsonl", content), *arguments))


def test_cli_train_names_what_it_needs_or_what_is_wrong(kg: Kg, tmp_path: Path) -> None:
    file = write_papers(tmp_path / "papers.jsonl", {"id": "p", "abstract": ABSTRACT})
    line = one_line(kg("train", "--train", file, "--dev", file, "-o", tmp_path / "model"))
    needs = importlib.util.find_spec("torch") is None
    assert ("pip install 'paperkg[train]'" if needs else ":1 is no annotated paper: expected text, spans") in line


def test_cli_help_and_version() -> None:
    shown = subprocess.run([sys.executable, "-m", "kg", "--help"], capture_output=True, text=True, check=True).stdout
    for command in ("build", "query", "view", "rank", "stats", "schema", "show", "export", "extract", "evaluate"):
        assert f"  {command} " in shown
