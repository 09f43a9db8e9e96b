"""The shipped model on invented texts: what it promises for any input, and that it finds what is plain."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.cleaning import clean
from extractors.pipeline import load_extractor
from extractors.reader import trained
from extractors.reader.session import Session
from extractors.reader.units import cut
from extractors.readers import load_reader, shipped
from extractors.reading import Page, Reading
from extractors.words import split_sentences
from kg.types import Paper

pytestmark = pytest.mark.skipif(not shipped(), reason="no trained weights are installed")

WEIGHTS = Path(trained.__file__).parent / "weights"
TITLE = "TULIP: Mapping Gardens with Graph Attention"
ABSTRACT = (
    "Garden mapping (GM) is the task of drawing beds from drone images. We propose TULIP, a graph attention network "
    "for garden mapping. Experiments on BedBench show that TULIP outperforms ROSE in mean average precision."
)


def read(title: str, abstract: str) -> tuple[Page, Reading]:
    raw = f"{title}\n\n{abstract}" if title else abstract
    cleaned = clean(raw)
    page = Page(cleaned, split_sentences(cleaned.text), title_end=len(title))
    return page, load_reader(shipped()[0]).read(page)


def test_shipped_model_finds_and_ties_the_system() -> None:
    _, reading = read(TITLE, ABSTRACT)
    found = {entity.name: entity for entity in reading.entities}
    assert found["TULIP"].type == "Method"
    assert found["TULIP"].introduced
    assert "BedBench" in found
    stated = {(reading.entities[r.head].name, r.type, reading.entities[r.tail].name) for r in reading.relations}
    assert ("TULIP", "EVALUATED_ON", "BedBench") in stated


def test_shipped_model_gives_evidence_that_holds_both_ends() -> None:
    page, reading = read(TITLE, ABSTRACT)
    assert reading.relations
    for relation in reading.relations:
        for number, mention in ((relation.head, relation.head_mention), (relation.tail, relation.tail_mention)):
            place = reading.entities[number].mentions[mention]
            assert relation.sentence.start <= place.start < place.end <= relation.sentence.end
            assert page.clean.text[place.start : place.end] == place.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "🌷🌷",
        r"$$\alpha + \beta$$",
        "花园测绘是一项任务。",
        "Сад и карта.",
        "x" * 2000,
        "a b " * 500,
        "\n\n\n",
    ],
)
def test_shipped_model_survives_any_text(text: str) -> None:
    page, reading = read("", text)
    assert all(page.clean.text[m.start : m.end] == m.text for e in reading.entities for m in e.mentions)


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=200))
def test_shipped_model_offsets_slice_back_in_clean_and_raw(text: str) -> None:
    page, reading = read(TITLE, f"{ABSTRACT} {text}")
    for mention in (m for e in reading.entities for m in e.mentions):
        assert page.clean.text[mention.start : mention.end] == mention.text
        assert clean(page.clean.raw[slice(*mention.raw)]).text == mention.text


def test_shipped_model_reads_a_long_text_to_its_end() -> None:
    filler = "The weather was mild and the soil was moist. " * 600
    _, reading = read(TITLE, f"{ABSTRACT} {filler} {ABSTRACT.replace('TULIP', 'DAHLIA')}")
    names = {surface for entity in reading.entities for surface in entity.surfaces}
    assert {"TULIP", "DAHLIA"} <= names


def test_shipped_model_judges_numbers_of_every_window() -> None:
    filler = "The weather was mild and the soil was moist. " * 200
    claim = "On BedBench, TULIP reaches an accuracy of 96.5%."
    extraction = load_extractor().read_one(Paper("p", title=TITLE, abstract=f"{ABSTRACT} {filler} {claim}"))
    assert ("TULIP", "accuracy", "96.5%", "BedBench") in {
        (r.method, r.metric, r.value, r.on) for r in extraction.results
    }
    assert load_reader("best").read(Page(clean(claim))).answers is not None


def test_shipped_model_loads_in_a_second() -> None:
    folder = WEIGHTS / shipped()[0]
    best = 9.0
    for _ in range(3):  # a busy machine may be late once
        start = time.perf_counter()
        session = Session(folder)
        session.read(session.pieces.row(cut("Gardens need maps"), 0, 3))
        best = min(best, time.perf_counter() - start)
    assert best < 1.0


def test_shipped_weights_are_those_of_the_card() -> None:
    card = (WEIGHTS / "MODEL_CARD.md").read_text("utf-8")
    for profile in shipped():
        for graph in (WEIGHTS / profile).glob("*.onnx"):
            assert hashlib.sha256(graph.read_bytes()).hexdigest() in card, graph
