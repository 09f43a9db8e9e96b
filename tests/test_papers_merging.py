"""Records of one paper merge whatever their order, and other papers stay apart."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from kg.errors import InputError
from kg.types import Merged
from loaders.papers import check
from tests.paper_files import read

WORDS = (
    "We prune attention heads by their entropy and lose little accuracy on every benchmark that we have tried so far."
)


def jsonl(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def write(folder, name: str, *records: dict[str, Any]):
    path = folder / name
    path.write_text(jsonl(*records))
    return path


def papers_of(folder, *records: dict[str, Any]):
    return read(write(folder, "papers.jsonl", *records))


SAME = {
    "doi": (
        {"id": "a", "title": "On Oaks", "doi": "10.1000/X"},
        {"id": "b", "title": "Of Oaks", "doi": "https://doi.org/10.1000/x"},
    ),
    "arxiv id": (
        {"id": "a", "title": "On Oaks", "arxiv_id": "3101.00001v1"},
        {"id": "b", "title": "Of Elms", "doi": "10.48550/arXiv.3101.00001", "year": 2031},
    ),
    "venue id": (
        {"id": "a", "title": "On Oaks", "url": "https://openreview.net/forum?id=aB3dE5fG7h"},
        {"id": "b", "title": "Of Elms", "url": "https://openreview.net/pdf?id=aB3dE5fG7h"},
    ),
    "id": (
        {"id": "a", "title": "Pruning Oaks by Entropy", "abstract": "One."},
        {"id": "a", "title": "Pruning Oaks by Entropy and Luck", "abstract": "Two."},
    ),
    "title and year": (
        {"id": "a", "title": "Pruning {Oaks} by \\emph{Entropy}", "year": 2031, "authors": ["Jane Doe"]},
        {"id": "b", "title": "Pruning oaks, by entropy.", "year": 2031, "authors": ["Doe, J."]},
    ),
    "abstract": (
        {"id": "a", "abstract": WORDS},
        {"id": "b", "title": "Pruning", "abstract": WORDS.replace(" and ", "\n and ")},
    ),
}


@pytest.mark.parametrize("by", SAME)
def test_merging_joins_what_is_one_paper(tmp_path, by):
    for records in (SAME[by], SAME[by][::-1]):
        papers, report = papers_of(tmp_path, *records)
        assert len(papers) == 1
        assert (report.records, report.papers, report.duplicates) == (2, 1, 1)
        assert report.merged == {by: 1}
        assert [(merge.line, merge.by) for merge in report.merges] == [(2, by)]


@pytest.mark.parametrize(
    "records",
    [
        (
            {"id": "a", "title": "Pruning Oaks by Entropy", "year": 2031},
            {"id": "b", "title": "Pruning Oaks by Entropy", "year": 2029},
        ),
        (
            {"id": "a", "title": "Pruning Oaks by Entropy", "year": 2031, "doi": "10.1000/1"},
            {"id": "b", "title": "Pruning Oaks by Entropy", "year": 2031, "doi": "10.1000/2"},
        ),
        (
            {"id": "a", "title": "Pruning Oaks by Entropy", "year": 2031, "authors": ["Jane Doe"]},
            {"id": "b", "title": "Pruning Oaks by Entropy", "year": 2031, "authors": ["Ada Poe"]},
        ),
        ({"id": "a", "title": "Editorial", "year": 2031}, {"id": "b", "title": "Editorial", "year": 2031}),
        (
            {"id": "a", "title": "Pruning Oaks", "abstract": WORDS},
            {"id": "b", "title": "Felling Elms", "abstract": WORDS},
        ),
        (
            {"id": "a", "title": "Pruning Oaks by Entropy", "abstract": WORDS},
            {
                "id": "b",
                "title": "Pruning Oaks by Entropy",
                "abstract": "A survey of saws, axes and ropes for foresters.",
            },
        ),
        ({"id": "a", "abstract": "We prune."}, {"id": "b", "abstract": "We prune."}),
    ],
    ids=["years", "DOIs", "authors", "generic title", "titles", "abstracts", "short abstract"],
)
def test_merging_keeps_apart_what_may_be_two_papers(tmp_path, records):
    papers, report = papers_of(tmp_path, *records)
    assert [paper.id for paper in papers] == ["a", "b"]
    assert report.duplicates == 0


def test_merging_joins_a_preprint_and_its_publication(tmp_path):
    shared = {"title": "Pruning Oaks by Entropy", "year": 2031, "authors": ["Jane Doe"]}
    preprint = {"id": "a", "doi": "10.1101/2031.01.01.1", "abstract": WORDS, **shared}
    papers, report = papers_of(tmp_path, preprint, {"id": "b", "doi": "10.1000/x", "venue": "Forests", **shared})
    assert [(paper.id, paper.venue) for paper in papers] == [("a", "Forests")]
    assert report.merged == {"title and year": 1}


def test_merging_keeps_the_richest_record_and_fills_its_gaps(tmp_path):
    poor = {"id": "a", "title": "On Oaks", "doi": "10.1000/x", "venue": "Forests", "url": "https://example.org/1"}
    rich = {"id": "b", "title": "On Oaks", "doi": "10.1000/x", "abstract": WORDS, "year": 2031, "authors": ["Jane Doe"]}
    for records in itertools.permutations(
        [poor, rich, {"id": "c", "doi": "10.1000/x", "title": "Oaks", "keywords": ["oak"]}]
    ):
        papers, _ = papers_of(tmp_path, *records)
        (paper,) = papers
        assert (paper.id, paper.abstract, paper.year, paper.authors) == ("b", WORDS, 2031, ("Jane Doe",))
        assert (paper.venue, paper.url, paper.keywords) == ("Forests", "https://example.org/1", ("oak",))


def test_merging_does_not_chain_papers_with_different_dois(tmp_path):
    title = {"title": "Pruning Oaks by Entropy", "year": 2031}
    records = [{"id": "a", "doi": "10.1000/1", **title}, {"id": "b", **title}, {"id": "c", "doi": "10.1000/2", **title}]
    seen = set()
    for order in itertools.permutations(records):
        papers, report = papers_of(tmp_path, *order)
        seen.add(tuple(sorted(paper.doi for paper in papers)))
        assert report.duplicates == 1
    assert seen == {("10.1000/1", "10.1000/2")}


def test_merging_tells_papers_with_one_id_apart(tmp_path):
    first = write(tmp_path, "a.jsonl", {"id": "1", "title": "Pruning Oaks", "abstract": "We prune."})
    second = write(tmp_path, "b.jsonl", {"id": "1", "title": "Forgetting Elms", "abstract": "We forget."})
    papers, report = read(first, second)
    turned, _ = read(second, first)
    assert sorted(paper.id for paper in papers) == sorted(paper.id for paper in turned)
    assert len({paper.id for paper in papers}) == 2
    assert all(paper.id.startswith("1~") for paper in papers)
    assert [(told.file, told.line) for told in report.warnings] == [(str(first), 1), (str(second), 1)]


def test_merging_works_across_formats(tmp_path):
    bib = tmp_path / "a.bib"
    bib.write_text("@article{doe2031, title={{Pruning} Oaks}, doi={10.1000/X}, year=2031}\n")
    lines = write(tmp_path, "b.jsonl", {"id": "b", "title": "Pruning Oaks", "doi": "10.1000/x", "abstract": WORDS})
    text = tmp_path / "c.txt"
    text.write_text(f"Papers\n\n{WORDS}\n\nWe plant elms.\n")
    papers, report = read(bib, lines, text)
    assert (papers[0].id, papers[0].title, papers[0].year) == ("b", "Pruning Oaks", 2031)
    assert len(papers) == 2
    assert report.merged == {"doi": 1, "abstract": 1}
    assert report.merges == [Merged("b", str(lines), 1, "doi"), Merged("b", str(text), 3, "abstract")]


def test_merging_gives_the_same_papers_in_any_order(tmp_path):
    records = [record for pair in SAME.values() for record in pair]
    records = [{**record, "id": f"{record['id']}{number // 2}"} for number, record in enumerate(records)]
    expected = {repr(paper) for paper in papers_of(tmp_path, *records)[0]}
    for shift in range(1, len(records)):
        assert {repr(paper) for paper in papers_of(tmp_path, *records[shift:], *records[:shift])[0]} == expected


YEARS = [
    {
        "id": f"p{year}",
        "title": f"Oaks of {year}",
        "abstract": f"We prune {year}.",
        "year": year,
        "venue": "FOREST Conf" if year % 2 else "ELM",
    }
    for year in range(2020, 2030)
]


@pytest.mark.parametrize(
    ("options", "years", "filtered"),
    [
        ({"since": 2028}, [2028, 2029], {"not since 2028": 8}),
        ({"year": 2021}, [2021], {"not of 2021": 9}),
        ({"venue": "forest"}, [2021, 2023, 2025, 2027, 2029], {"not of forest": 5}),
        ({"limit": 3}, [2020, 2021, 2022], {}),
        ({"limit": 2, "venue": "elm", "since": 2022}, [2022, 2024], {"not since 2022": 2, "not of elm": 1}),
    ],
)
def test_reading_filters(tmp_path, options, years, filtered):
    papers, report = read(write(tmp_path, "papers.jsonl", *YEARS), **options)
    assert [paper.year for paper in papers] == years
    assert report.filtered == filtered
    assert report.papers == len(years)


def test_reading_limit_counts_papers_not_records(tmp_path):
    path = write(tmp_path, "papers.jsonl", YEARS[0], YEARS[0], YEARS[0], *YEARS)
    papers, report = read(path, limit=2)
    assert [paper.year for paper in papers] == [2020, 2021]
    assert report.records < 13


def test_reading_without_a_wanted_paper_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no paper is left of 10 records"):
        read(write(tmp_path, "papers.jsonl", *YEARS), since=2050)


def test_check_counts_without_building(tmp_path):
    path = tmp_path / "papers.jsonl"
    german = "Wir kürzen die Köpfe eines Modells und zeigen, dass es nicht schadet."
    path.write_text(
        jsonl(
            {"id": "a", "title": "On Oaks", "abstract": WORDS, "year": 2031, "authors": ["Jane Doe"]},
            {"id": "a2", "title": "On Oaks", "abstract": WORDS, "doi": "10.1000/x"},
            {"id": "b", "title": "Über Eichen", "abstract": german, "year": 2030},
            {"id": "c", "title": "No Words"},
        )
        + "no json\n"
    )
    record = check([path]).as_record()
    assert record["format"] == "jsonl"
    assert (record["records"], record["papers"], record["with_abstract"], record["duplicates"]) == (5, 3, 2, 1)
    assert [(fault["file"], fault["line"]) for fault in record["skipped"]] == [(str(path), 5)]
    assert record["skipped"][0]["reason"].startswith("is no JSON")
    assert record["fields"] == {"title": 3, "abstract": 2, "year": 2, "authors": 1, "doi": 1}
    assert record["languages"] == {"en": 1, "de": 1}
    assert record["years"] == {"2030": 1, "2031": 1}
    assert record["merged"] == {"abstract": 1}
    assert json.loads(json.dumps(record)) == record
