"""SciER: how its documents are laid out for the reader, and how strictly they are scored."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime")

from extractors.reader.decode import Settings
from extractors.reader.labels import SAME, TYPES
from extractors.reader.pieces import Pieces
from extractors.reader.spans import Span
from extractors.training.annotations import UNKNOWN, grouped, targets_for
from extractors.training.scier import (
    CLASSES,
    WINDOW,
    Document,
    examples_of,
    joined,
    lay_out,
    ordered,
    read_documents,
    window_ranges,
)
from extractors.training.scier_scoring import ROWS, Count, Heard, count, decide, f1
from kg.errors import InputError
from tests.conftest import ROOT

TOKENS = ("TULIP", "(", "TL", ")", "maps", "1", "2", "gardens", "of", "BedBench", ".")
STRINGS = {
    "doc_id": "d1",
    "sentence": " ".join(TOKENS),
    "ner": [["TULIP", "Method"], ["TL", "Method"], ["BedBench", "Dataset"]],
    "rel_plus": [
        ["TL:Method", "Synonym-Of", "TULIP:Method"],
        ["TULIP:Method", "Evaluated-With", "BedBench:Dataset"],
    ],
}
ENTITIES = ((0, 0, "Method"), (2, 2, "Method"), (9, 9, "Dataset"))
RELATIONS = (((2, 2), "Synonym-Of", (0, 0)), ((0, 0), "Evaluated-With", (9, 9)))
DOCUMENT = Document("d1", TOKENS, (0,) * 11, ENTITIES, RELATIONS)
TOKEN_LINE = {
    "doc_key": "d2",
    "sentences": [["Maps", "help", "."], list(TOKENS)],
    "ner": [[], [[3, 3, "Method"], [5, 5, "Method"], [12, 12, "Dataset"]]],
    "relations": [[], [[5, 5, 3, 3, "Synonym-Of"], [3, 3, 12, 12, "Evaluated-With"]]],
}


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces(ROOT / "extractors" / "reader" / "weights" / "best" / "tokenizer.json")


def write(file: Path, *records: object) -> Path:
    file.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    return file


def test_read_documents_places_strings(tmp_path: Path) -> None:
    assert read_documents(write(tmp_path / "strings.jsonl", STRINGS)) == [DOCUMENT]


def test_read_documents_joins_the_sentences_of_a_document(tmp_path: Path) -> None:
    other = {"doc_id": "d0", "sentence": "Maps help .", "ner": [], "rel_plus": []}
    documents = read_documents(write(tmp_path / "strings.jsonl", other, STRINGS, STRINGS))
    assert [(d.id, len(d.tokens), d.sentences[-1]) for d in documents] == [("d0", 3, 0), ("d1", 22, 1)]
    assert documents[1].entities == (*ENTITIES, (11, 11, "Method"), (13, 13, "Method"), (20, 20, "Dataset"))
    assert documents[1].relations[2:] == (((13, 13), "Synonym-Of", (11, 11)), ((11, 11), "Evaluated-With", (20, 20)))


def test_read_documents_takes_tokens_as_they_count(tmp_path: Path) -> None:
    (document,) = read_documents(write(tmp_path / "tokens.jsonl", TOKEN_LINE))
    assert document.tokens == ("Maps", "help", ".", *TOKENS)
    assert document.entities == ((3, 3, "Method"), (5, 5, "Method"), (12, 12, "Dataset"))
    assert document.relations == (((5, 5), "Synonym-Of", (3, 3)), ((3, 3), "Evaluated-With", (12, 12)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ner": [[], [[3, 99, "Method"]]]}, "2 is no record of SciER: the span 0-96 lies outside"),
        ({"ner": [[], [[3, 3, "Metric"]]]}, "2 is no record of SciER: 'Metric' is not one of Method, Task, Dataset"),
        ({"relations": [[], [[3, 3, 5, 5, "Beats"]]]}, "2 is no record of SciER: 'Beats' is not one of Used-For"),
        ({"ner": [[]]}, "2 is no record of SciER"),
    ],
)
def test_read_documents_names_the_line_of_a_bad_record(tmp_path: Path, change: dict[str, object], said: str) -> None:
    file = write(tmp_path / "tokens.jsonl", TOKEN_LINE, TOKEN_LINE | change)
    with pytest.raises(InputError, match=said):
        read_documents(file)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("text\n", "1 is no JSON"),
        ("[1]\n", "holds a list"),
        ('{"text": "x"}\n', "it has no 'doc_id'"),
    ],
)
def test_read_documents_refuses_other_files(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(content, "utf-8")
    with pytest.raises(InputError, match=said):
        read_documents(file)


def test_joined_mends_split_numbers_and_keeps_places() -> None:
    text, places = joined(TOKENS)
    assert text == "TULIP ( TL ) maps 12 gardens of BedBench ."
    assert [text[a:b] for a, b in places] == list(TOKENS)


def test_lay_out_cuts_sentences_where_the_document_does() -> None:
    words = ("We", "map", ".", "Beds", "i.e.", "gardens", ".")
    layout = lay_out(Document("d", words, (0, 0, 0, 1, 1, 1, 1), (), ()))
    assert layout.units.words() == ["We", "map", ".", "Beds", "i", ".", "e", ".", "gardens", "."]
    assert layout.units.sentences == (0, 0, 0, 1, 1, 1, 1, 1, 1, 1)
    assert layout.place(4, 7) == (4, 4)
    assert layout.place(4, 5) is None


def test_windows_end_at_sentences_and_hold_every_unit(pieces: Pieces) -> None:
    tokens = tuple("we map the gardens of this town .".split()) * 100
    document = Document("d", tokens, tuple(i // 8 for i in range(800)), ((3, 3, "Dataset"), (795, 795, "Dataset")), ())
    units = lay_out(document).units
    ranges = window_ranges(units, pieces)
    assert [a for a, _ in ranges] == [0, *(b for _, b in ranges[:-1])]
    assert all(a % 8 == 0 and sum(pieces.lengths(units)[a:b]) <= WINDOW for a, b in ranges)
    examples = list(examples_of(document, pieces))
    assert [len(e.spans) for e in examples] == [1, 0, 0, 1, 1, 0, 0, 1]  # each mention in two windows
    assert sum(len(e.units) for e in examples) == 1600


def test_windows_cut_a_sentence_that_is_longer(pieces: Pieces) -> None:
    document = Document("d", ("maps",) * 600, (0,) * 600, ((0, 0, "Task"), (255, 256, "Task"), (599, 599, "Task")), ())
    examples = list(examples_of(document, pieces))
    assert [len(e.units) for e in examples] == [256, 256, 88]
    assert [len(e.spans) for e in examples] == [1, 0, 1]
    assert list(examples_of(Document("d", (), (), (), ()), pieces)) == []


def test_examples_keep_mentions_apart(pieces: Pieces) -> None:
    (example,) = examples_of(DOCUMENT, pieces)
    assert example.alone
    assert [example.units.surface(a, b) for a, b, *_ in example.spans] == ["TULIP", "TL", "BedBench"]
    assert example.relations == ((1, SAME, 0), (0, 2, 2))


def test_targets_relate_the_mentions_of_one_sentence(pieces: Pieces) -> None:
    document = Document(
        "d",
        ("TULIP", "beats", "ROSE", ".", "TULIP", "maps", "."),
        (0, 0, 0, 0, 1, 1, 1),
        ((0, 0, "Method"), (2, 2, "Method"), (4, 4, "Method")),
        (((0, 0), "Compare-With", (2, 2)),),
    )
    (example,) = examples_of(document, pieces)
    scores = np.zeros(6)
    clusters = grouped([Span(i, i, scores) for i in (0, 1, 2, 4)], example)
    assert [len(c.spans) for c in clusters] == [1, 1, 1, 1]
    targets = targets_for(clusters, example)
    assert targets.kind.tolist() == [1, 0, 1, 1]
    against = CLASSES["Compare-With"]
    assert targets.relation.tolist() == [
        [UNKNOWN, 0, against, UNKNOWN],
        [0, UNKNOWN, 0, UNKNOWN],
        [against, 0, UNKNOWN, UNKNOWN],
        [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN],
    ]


def test_decide_keeps_one_relation_of_two_mentions_by_its_own_threshold() -> None:
    places, kinds = [(0, 0), (2, 2), (9, 9)], ["Method", "Method", "Dataset"]
    heard = [Heard(places, kinds, [0.9, 0.6, 0.3], [(1, "Synonym-Of", 0, 0.5), (0, "Evaluated-With", 2, 0.9)])]
    settings = Settings(keep=dict.fromkeys(TYPES, 0.4), same=0.5)
    assert decide(heard, settings) == (
        {(0, 0, "Method"), (2, 2, "Method")},
        {((0, 0), "Synonym-Of", (2, 2))},
    )
    assert decide(heard, replace(settings, same=0.51))[1] == set()
    everything = replace(settings, keep=dict.fromkeys(TYPES, 0.0))
    assert ((0, 0), "Evaluated-With", (9, 9)) in decide(heard, everything)[1]


def test_counts_are_strict() -> None:
    entities = {(0, 0, "Method"), (2, 2, "Task"), (8, 9, "Dataset")}
    relations = {ordered(((0, 0), "Synonym-Of", (2, 2))), ((0, 0), "Evaluated-With", (8, 9))}
    counts = count(DOCUMENT, entities, relations)
    assert counts == {"NER": Count(1, 3, 3), "Rel": Count(1, 2, 2), "Rel+": Count(0, 2, 2)}
    assert [f1([counts, counts], row) for row in ROWS] == [pytest.approx(100 / 3), 50.0, 0.0]
    assert count(DOCUMENT, set(), set())["Rel"] == Count(0, 0, 2)
    assert f1([], "NER") == 0.0
