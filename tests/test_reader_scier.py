from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")

from extractors.training.scier import Sentence, joined, read_sentences, record_of

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
SPANS = ((0, 0, "Method"), (2, 2, "Method"), (9, 9, "Dataset"))
RELATIONS = (((2, 2), "Synonym-Of", (0, 0)), ((0, 0), "Evaluated-With", (9, 9)))


def test_read_sentences_places_strings(tmp_path: Path) -> None:
    file = tmp_path / "strings.jsonl"
    file.write_text(json.dumps(STRINGS) + "\n", "utf-8")
    assert list(read_sentences(file)) == [Sentence("d1-0", TOKENS, SPANS, RELATIONS)]


def test_read_sentences_counts_document_tokens_by_sentence(tmp_path: Path) -> None:
    file = tmp_path / "tokens.jsonl"
    record = {
        "doc_key": "d2",
        "sentences": [["Maps", "help", "."], list(TOKENS)],
        "ner": [[], [[3, 3, "Method"], [5, 5, "Method"], [12, 12, "Dataset"]]],
        "relations": [[], [[5, 5, 3, 3, "Synonym-Of"], [3, 3, 12, 12, "Evaluated-With"]]],
    }
    file.write_text(json.dumps(record) + "\n", "utf-8")
    assert list(read_sentences(file))[1] == Sentence("d2-1", TOKENS, SPANS, RELATIONS)


def test_joined_mends_split_numbers_and_keeps_places() -> None:
    text, places = joined(TOKENS)
    assert text == "TULIP ( TL ) maps 12 gardens of BedBench ."
    assert [text[a:b] for a, b in places] == list(TOKENS)


def test_record_of_makes_one_entity_of_synonyms() -> None:
    record = record_of(Sentence("d1-0", TOKENS, SPANS, RELATIONS))
    entities = record["entities"]
    assert [(e["type"], e["surface"]) for e in entities] == [("Method", ["TULIP", "TL"]), ("Dataset", ["BedBench"])]
    assert record["relations"] == [["0", "EVALUATED_ON", "1"]]
    assert [span[3] for span in record["spans"]] == [0, 0, 1]
