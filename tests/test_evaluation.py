import importlib.util
import json
import random
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.evaluation import Counts, interval, score

#: The reference scorer and the annotated papers lie beside the checkout, where there is one.
SHARED = next((p / "shared" for p in Path(__file__).parents if (p / "shared" / "eval").is_dir()), Path("shared"))


def _gold(**changes):
    paper = {
        "id": "p1",
        "entities": [
            {
                "name": "FOO",
                "type": "Method",
                "surface": ["Fast Objects", "FOO"],
                "introduced": True,
                "level": "core",
            },
            {"name": "BAR", "type": "Method", "surface": ["BAR"], "introduced": False, "level": "core"},
            {"name": "parsing", "type": "Task", "surface": ["parsing"], "introduced": False, "level": "core"},
            {
                "name": "PBench",
                "type": "Benchmark",
                "surface": ["PBench"],
                "introduced": False,
                "level": "core",
            },
            {"name": "LLMs", "type": "Method", "surface": ["LLMs"], "introduced": False, "level": "optional"},
        ],
        "relations": [
            ["FOO", "USED_FOR", "parsing"],
            ["FOO", "COMPARED_WITH", "BAR"],
            ["FOO", "SUBCLASS_OF", "LLMs"],
        ],
        "results": [{"method": "FOO", "metric": "accuracy", "value": "76.4%", "on": "PBench", "baseline": None}],
        "urls": ["https://github.com/a/foo"],
        "system": "FOO",
    }
    return paper | changes


def _predicted(**changes):
    paper = {
        "id": "p1",
        "entities": [
            {"name": "Fast Object", "type": "Method", "surfaces": [], "introduced": True},
            {"name": "BAR", "type": "Task", "surfaces": ["BAR"], "introduced": False},
            {"name": "PBench", "type": "Dataset", "surfaces": ["PBench"], "introduced": False},
            {"name": "LLM", "type": "Method", "surfaces": ["LLM"], "introduced": False},
            {"name": "syntactic parsing", "type": "Task", "surfaces": [], "introduced": False},
            {"name": "nothing", "type": "Metric", "surfaces": [], "introduced": False},
        ],
        "relations": [
            {"head": "Fast Object", "type": "USED_FOR", "tail": "syntactic parsing"},
            {"head": "Fast Object", "type": "SUBCLASS_OF", "tail": "LLM"},
        ],
        "results": [{"method": "Fast Objects", "metric": "Accuracy", "value": "76.4 %", "on": "PBench"}],
        "urls": ["http://GitHub.com/a/foo/"],
    }
    return paper | changes


@pytest.fixture
def scores():
    return score([_gold()], [_predicted()])


def test_evaluation_counts_entities_by_family(scores):
    assert scores.total("entities") == Counts(right=2, predicted=5, found=2, gold=4)
    assert scores.total("entities").precision == 40.0
    assert scores.total("entities").recall == 50.0


def test_evaluation_tells_five_types_apart(scores):
    assert scores.total("entities, five types").right == 1
    assert scores.total("Benchmark") == Counts(0, 0, 0, 1)
    assert scores.total("Dataset") == Counts(0, 1, 0, 0)


def test_evaluation_accepts_any_type_and_part_of_a_name_where_it_says_so(scores):
    assert scores.total("entities, any type").right == 3
    assert scores.total("entities, relaxed").right == 3


def test_evaluation_leaves_optional_relations_out(scores):
    assert scores.total("relations") == Counts(right=0, predicted=1, found=0, gold=2)
    assert scores.total("relations, relaxed ends") == Counts(right=1, predicted=1, found=1, gold=2)


def test_evaluation_compares_in_either_direction():
    entities = [{"name": "FOO", "type": "Method"}, {"name": "BAR", "type": "Method"}]
    relations = [{"head": "BAR", "type": "COMPARED_WITH", "tail": "FOO"}] * 2
    assert score([_gold()], [_predicted(entities=entities, relations=relations)]).total("COMPARED_WITH") == Counts(
        1, 1, 1, 1
    )


def test_evaluation_ties_results_by_the_names_of_entities(scores):
    assert scores.total("results (values)") == Counts(1, 1, 1, 1)
    assert scores.total("results (tied)") == Counts(1, 1, 1, 1)
    other = {"method": "BAR", "metric": "accuracy", "value": "76.4%", "on": "PBench"}
    assert score([_gold()], [_predicted(results=[other])]).total("results (tied)") == Counts(0, 1, 0, 1)


def test_evaluation_folds_urls(scores):
    assert scores.total("urls") == Counts(1, 1, 1, 1)


def test_evaluation_says_whether_the_main_contribution_works(scores):
    (row,) = scores.systems
    assert (row.found, row.introduced, row.tied, row.works) == (True, True, False, False)


def _mistakes(gold, predicted):
    return [(m.kind, m.gold, m.predicted) for m in score([gold], [predicted]).mistakes]


def test_evaluation_sorts_mistakes_by_kind():
    assert _mistakes(_gold(), _predicted()) == [
        ("wrong type", "BAR", "BAR"),
        ("wrong boundary", "parsing", "syntactic parsing"),
        ("spurious", "", "nothing"),
        ("relation spurious, as an end is", "", "Fast Object USED_FOR syntactic parsing"),
        ("relation missed, for an end is", "FOO USED_FOR parsing", ""),
        ("relation missed, for an end is", "BAR COMPARED_WITH FOO", ""),
    ]


def test_evaluation_tells_merged_split_and_wrongly_flagged_entities():
    entities = [
        {"name": "FOO", "type": "Method", "surfaces": ["FOO", "BAR"], "introduced": False},
        {"name": "Fast Objects", "type": "Method", "surfaces": [], "introduced": False},
        {"name": "parsing", "type": "Task", "surfaces": [], "introduced": True},
        {"name": "PBench", "type": "Benchmark", "surfaces": [], "introduced": False},
    ]
    assert _mistakes(_gold(relations=[]), _predicted(entities=entities, relations=[])) == [
        ("merged with another", "BAR", "FOO"),
        ("split in two", "FOO", "Fast Objects"),
        ("introduced, not flagged", "FOO", "FOO"),
        ("flagged, not introduced", "parsing", "parsing"),
    ]


def test_evaluation_tells_how_relations_went_wrong():
    gold = _gold(relations=[["FOO", "USED_FOR", "parsing"], ["FOO", "EVALUATED_ON", "PBench"]])
    entities = [{**e, "surfaces": e["surface"]} for e in gold["entities"]]
    relations = [("parsing", "USED_FOR", "FOO"), ("FOO", "TRAINED_ON", "PBench"), ("FOO", "PART_OF", "BAR")]
    said = [{"head": h, "type": r, "tail": t} for h, r, t in relations]
    assert _mistakes(gold, _predicted(entities=entities, relations=said)) == [
        ("relation turned round", "FOO USED_FOR parsing", "parsing USED_FOR FOO"),
        ("relation of wrong type", "FOO EVALUATED_ON PBench", "FOO TRAINED_ON PBench"),
        ("relation spurious", "", "FOO PART_OF BAR"),
    ]
    assert _mistakes(gold, _predicted(entities=entities, relations=[])) == [
        ("relation missed", "FOO USED_FOR parsing", ""),
        ("relation missed", "FOO EVALUATED_ON PBench", ""),
    ]


def test_evaluation_counts_a_paper_without_prediction_as_missed():
    assert score([_gold()], []).total("entities") == Counts(0, 0, 0, 4)


@pytest.mark.parametrize(
    "record", [{"entities": []}, {"id": "p1", "entities": [{"name": "x"}]}, {"id": "p1", "relations": [{}]}]
)
def test_evaluation_refuses_a_record_of_another_form(record):
    with pytest.raises(InputError, match="predicted record"):
        score([_gold()], [record])


def test_evaluation_of_nothing_is_zero():
    assert (Counts().precision, Counts().recall, Counts().f1) == (0.0, 0.0, 0.0)
    assert interval([]) == (0.0, 0.0)


def test_evaluation_interval_is_seeded_and_holds_the_score():
    papers = [Counts(i % 3, 3, i % 3, 4) for i in range(60)]
    low, high = interval(papers, samples=200, seed=7)
    assert (low, high) == interval(papers, samples=200, seed=7)
    assert low < sum(papers, Counts()).f1 < high


@pytest.mark.skipif(
    not (SHARED / "eval" / "score.py").exists(), reason="the reference scorer and dev are not on this machine"
)
def test_evaluation_agrees_with_the_reference_scorer():
    reference = _reference()
    gold = [json.loads(line) for line in (SHARED / "data/abstracts/dev.jsonl").open(encoding="utf-8")]
    for paper in gold[::3]:
        paper["system"] = next((e["name"] for e in paper["entities"] if e["introduced"]), None)
    for seed in range(3):
        predicted = [_disturb(paper, random.Random(f"{seed}{paper['id']}")) for paper in gold[seed:]]
        table, docs, exact = reference.score(gold, predicted)
        mine = score(gold, predicted)
        assert {
            name.strip(): (row["P"], row["R"], row["F1"], row["gold"], row["pred"]) for name, row in table.items()
        } == {name: _row(mine.total(name)) for name in mine.papers}
        rows = [(r.paper_id, r.name, r.found, r.introduced, r.tied, r.works) for r in mine.systems]
        assert rows == reference.system_rows(docs, exact)


def _row(counts):
    return (
        round(counts.precision, 1),
        round(counts.recall, 1),
        round(counts.f1, 1),
        counts.gold,
        counts.predicted,
    )


def _reference():
    spec = importlib.util.spec_from_file_location("reference_score", SHARED / "eval" / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _disturb(paper, rng):
    """Return the annotation as a prediction with some of everything dropped, renamed, retyped or added."""
    types = ["Method", "Task", "Dataset", "Benchmark", "Metric"]
    entities = []
    for entity in paper["entities"]:
        if rng.random() < 0.15:
            continue
        surfaces = [s if rng.random() < 0.8 else f"{s} thing" for s in entity["surface"]]
        name = entity["name"].upper() if rng.random() < 0.3 else entity["name"]
        kind = entity["type"] if rng.random() < 0.8 else rng.choice(types)
        entities.append({"name": name, "type": kind, "surfaces": surfaces, "introduced": rng.random() < 0.4})
    entities += [
        {"name": f"extra {i}", "type": rng.choice(types), "surfaces": [], "introduced": True} for i in range(2)
    ]
    rng.shuffle(entities)
    relations = [{"head": h, "type": t, "tail": d} for h, t, d in paper["relations"] if rng.random() < 0.8]
    relations += [{"head": r["tail"], "type": r["type"], "tail": r["head"]} for r in relations[::3]]
    results = [{**r, "metric": rng.choice([r["metric"], None, "accuracy"])} for r in paper["results"]]
    results += [{"value": "1.5 times", "method": None}]
    return {
        "id": paper["id"],
        "entities": entities,
        "relations": relations,
        "results": results,
        "urls": [*paper["urls"][:1], "https://a.b/"],
    }
