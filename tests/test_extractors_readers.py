"""Which reader goes by which name, and what the rule reader gives."""

from __future__ import annotations

import pytest

from extractors.cleaning import clean
from extractors.gazetteer import load_gazetteer
from extractors.linear import load_linear
from extractors.parallel import map_in_order
from extractors.phrases import running_words
from extractors.readers import load_reader, shipped
from extractors.reading import Page
from extractors.rules import RuleReader
from extractors.words import fold, split_sentences
from kg.errors import KgError, UsageError
from kg.schema import ENTITY_TYPES


def page_of(title: str, abstract: str) -> Page:
    cleaned = clean(f"{title}\n\n{abstract}")
    return Page(cleaned, split_sentences(cleaned.text, title_end=len(title)), title_end=len(title))


def test_load_reader_knows_its_names(tmp_path) -> None:
    assert isinstance(load_reader("rules"), RuleReader)
    assert load_reader("auto").version.startswith("model" if shipped() else "rules")
    with pytest.raises(UsageError, match=r"no reader 'nosuch'; choose one of auto, rules"):
        load_reader("nosuch")
    with pytest.raises(UsageError):
        load_reader(str(tmp_path))


def test_rule_reader_types_relates_and_flags() -> None:
    page = page_of(
        "Stripes: Contrastive Pretraining for Sentiment Analysis",
        "Sentiment analysis needs many labels. We propose Stripes, a contrastive learning framework. "
        "Experiments on SST-2 show that Stripes outperforms BERT in accuracy.",
    )
    reading = RuleReader().read(page)
    types = {fold(surface): entity.type for entity in reading.entities for surface in entity.surfaces}
    assert types["stripe"] == "Method"
    assert types["sentiment analysi"] == "Task"
    assert types["sst 2"] == "Benchmark"
    assert types["accuracy"] == "Metric"
    own = [entity.name for entity in reading.entities if entity.introduced]
    assert "Stripes" in own
    stated = {(reading.entities[r.head].name, r.type, fold(reading.entities[r.tail].name)) for r in reading.relations}
    assert ("Stripes", "USED_FOR", "sentiment analysi") in stated
    assert ("Stripes", "EVALUATED_ON", "sst 2") in stated


def test_rule_reader_reports_what_it_leaves_out() -> None:
    page = page_of("A New Framework", "We propose a novel framework. Our framework is a new method for parsing.")
    reading = RuleReader().read(page)
    assert {dropped.reason for dropped in reading.dropped} <= {"generic name", "score below the threshold"}
    assert not [entity for entity in reading.entities if fold(entity.name) in ("framework", "new method")]


def test_gazetteer_holds_folded_names_of_known_types() -> None:
    names = load_gazetteer()
    assert set(names.values()) <= set(ENTITY_TYPES)
    assert names["imagenet"] == "Benchmark"
    assert all(name == fold(name) for name in names)


def test_weights_are_whole() -> None:
    assert set(load_linear("entities").classes) == {*ENTITY_TYPES, "none"}
    assert load_linear("introduced").classes == ("other", "own")
    assert "none" in load_linear("relations").classes
    assert {"we", "of"} & running_words() == {"we"}


def _double(_: None):
    return lambda number: 2 * number


def _fail(_: None):
    def work(number: int) -> int:
        if number == 20:
            raise KgError("twenty")
        return number

    return work


def test_map_in_order_keeps_order() -> None:
    assert list(map_in_order(_double, range(100), processes=3, argument=None)) == list(range(0, 200, 2))


def test_map_in_order_passes_errors_on() -> None:
    with pytest.raises(KgError, match="twenty"):
        list(map_in_order(_fail, range(100), processes=2, argument=None))
