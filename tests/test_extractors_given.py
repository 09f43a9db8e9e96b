"""Extractions from given records: surfaces found in the text, what cannot be found said."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from extractors.given import given_extraction, read_given
from kg.errors import InputError
from kg.types import Paper, Span

TEXT = (
    "We present Oak, a parser. Oak (a Tree Parser) parses trees on TreeBench with 91.2% F1 in oakwood. "
    "Code: https://a.example/oak."
)
PAPER = Paper("p1", abstract=TEXT)
RECORD = {
    "id": "p1",
    "entities": [
        {"name": "Oak", "type": "Method", "surfaces": ["Oak"], "introduced": True, "score": 0.9},
        {"name": "Tree Parser", "type": "Method", "surfaces": ["tree parser"]},
        {"name": "TreeBench", "type": "Benchmark", "surfaces": ["TreeBench"]},
        {"name": "Elm", "type": "Method", "surfaces": ["Elm"]},
    ],
    "relations": [
        {"head": "Oak", "type": "EVALUATED_ON", "tail": "TreeBench", "score": 0.8},
        {"head": "Oak", "type": "COMPARED_WITH", "tail": "Elm"},
    ],
    "results": [
        {"method": "Oak", "metric": "F1", "value": "91.2%", "on": "TreeBench", "baseline": None},
        {"method": "Oak", "metric": "F1", "value": "12%", "on": None, "baseline": None},
    ],
    "urls": ["https://a.example/oak", "https://b.example"],
}


def test_given_finds_whole_words_where_they_stand() -> None:
    found = given_extraction(RECORD, PAPER)
    assert [(e.name, [TEXT[m.start : m.end] for m in e.mentions]) for e in found.entities] == [
        ("Oak", ["Oak", "Oak"]),
        ("Tree Parser", ["Tree Parser"]),
        ("TreeBench", ["TreeBench"]),
    ]
    assert all(mention.raw == Span(mention.start, mention.end) for e in found.entities for mention in e.mentions)


def test_given_ties_relations_results_and_links_to_the_text() -> None:
    found = given_extraction(RECORD, PAPER)
    (relation,) = found.relations
    assert (relation.head, relation.type, relation.tail, relation.score) == (0, "EVALUATED_ON", 2, 0.8)
    assert (relation.head_mention, relation.tail_mention) == (1, 0)
    assert TEXT[slice(*relation.sentence)].startswith("Oak (a Tree Parser) parses trees on TreeBench")
    (result,) = found.results
    assert TEXT[slice(*result.span)] == "91.2%"
    assert (result.method, result.on, result.baseline) == ("Oak", "TreeBench", "")
    assert [link.url for link in found.links] == ["https://a.example/oak"]


def test_given_says_what_it_drops() -> None:
    assert [(item.text, item.reason) for item in given_extraction(RECORD, PAPER).dropped] == [
        ("Elm", "surface not in the text"),
        ("Oak COMPARED_WITH Elm", "an end of the relation is not in the text"),
        ("12%", "value not in the text"),
        ("https://b.example", "address not in the text"),
    ]


def test_given_reads_gold_annotations_too() -> None:
    gold = {"entities": [{"name": "Oak", "type": "Method", "surface": ["Oak"]},
                         {"name": "TreeBench", "type": "Benchmark", "surface": ["TreeBench"]}],
            "relations": [["Oak", "EVALUATED_ON", "TreeBench"]]}  # fmt: skip
    found = given_extraction(gold, PAPER)
    assert [relation.type for relation in found.relations] == ["EVALUATED_ON"]


@pytest.mark.parametrize("packed", [False, True])
def test_given_files_are_read_by_paper(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "given.jsonl"
    data = (json.dumps(RECORD) + "\n\n").encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    given = read_given(path)
    found, missing = given.read([PAPER, Paper("p2", abstract="Nothing.")])
    assert (len(found.entities), found.extractor) == (3, given.version)
    assert missing.dropped[0].reason == "paper without a given record"


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "given.jsonl:1 is no JSON"), ('\n{"name": 1}', "given.jsonl:2 has no 'id'"), ("[]", "has no 'id'")],
)
def test_given_files_that_are_faulty(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "given.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_given(path)
    assert said in str(raised.value)
    with pytest.raises(InputError, match="cannot read"):
        read_given(tmp_path / "missing.jsonl")
