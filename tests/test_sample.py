import json
import re

import pytest

from extractors.cleaning import clean
from kg.schema import ENTITY_TYPES, allows
from tests.conftest import DATA, SHARED


@pytest.fixture(scope="module")
def papers():
    return [json.loads(line) for line in (DATA / "sample.jsonl").open(encoding="utf-8")]


@pytest.fixture(scope="module")
def gold():
    return [json.loads(line) for line in (DATA / "sample_gold.jsonl").open(encoding="utf-8")]


def test_sample_has_48_full_papers(papers):
    assert len(papers) == len({paper["id"] for paper in papers}) == len({paper["title"] for paper in papers}) == 48
    assert {paper["year"] for paper in papers} == {2022, 2023, 2024, 2025, 2026}
    assert all(paper["authors"] and paper["venue"] and paper["url"] for paper in papers)


def test_sample_abstracts_are_of_usual_length(papers):
    assert all(120 <= len(paper["abstract"].split()) <= 220 for paper in papers)


def test_sample_text_and_jsonl_hold_the_same_papers(papers):
    heading, *abstracts = (DATA / "sample.txt").read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    assert heading == "Sample papers"
    assert abstracts == [paper["abstract"] for paper in papers]


@pytest.mark.parametrize(
    "mark",
    [r"\textbf{", r"\emph{", r"\url{", r"\href{", "$\\mathcal{O}", r"\%", "``", "**", "&amp;", "-\n", "_"],
)
def test_sample_holds_each_kind_of_mark(papers, mark):
    assert any(mark in paper["abstract"] for paper in papers)


@pytest.mark.parametrize(
    ("name", "papers_with_it"),
    [("HarborQA", 7), ("LanternRet", 5), ("LullBand", 4), ("DuskRoads", 3), ("TidyShelf", 2)],
)
def test_sample_shares_names_across_papers(papers, name, papers_with_it):
    assert sum(name in paper["abstract"] for paper in papers) >= papers_with_it


def test_sample_defines_one_acronym_twice(papers):
    definitions = {
        m
        for p in papers
        for m in re.findall(r"(Token-Adaptive Routing Networks|Regret Normalisation) \(TARN\)", p["abstract"])
    }
    assert definitions == {"Token-Adaptive Routing Networks", "Regret Normalisation"}


def test_sample_gold_is_consistent(gold, papers):
    by_id = {paper["id"]: paper for paper in papers}
    assert len(gold) == 12
    for annotated in gold:
        assert annotated["abstract"] == by_id[annotated["id"]]["abstract"]
        text = clean(f"{annotated['title']}\n\n{annotated['abstract']}").text
        types = {entity["name"]: entity["type"] for entity in annotated["entities"]}
        assert len(types) == len(annotated["entities"])
        assert set(types.values()) <= set(ENTITY_TYPES)
        assert all(surface in text for entity in annotated["entities"] for surface in entity["surface"])
        assert all(allows(types[head], relation, types[tail]) for head, relation, tail in annotated["relations"])
        assert all(result["value"] in text for result in annotated["results"])
        assert types[annotated["system"]]


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the annotated papers of ../shared are not on this machine")
def test_sample_introduces_no_name_of_the_annotated_papers(gold):
    ours = {
        e["name"].casefold()
        for paper in gold
        for e in paper["entities"]
        if e["introduced"] and e["name"][1:] != e["name"][1:].lower()
    }
    for part in ("dev", "train"):
        with (SHARED / f"data/abstracts/{part}.jsonl").open(encoding="utf-8") as lines:
            theirs = {e["name"].casefold() for line in lines for e in json.loads(line)["entities"] if e["introduced"]}
        assert not ours & theirs
