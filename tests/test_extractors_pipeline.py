"""The pipeline's promises: offsets slice back, neighbours and order do not matter, nothing crashes it."""

from __future__ import annotations

from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.cleaning import clean
from extractors.pipeline import COMPONENTS, MAX_CHARACTERS, Extractor, build_pipeline, load_extractor
from kg.config import ReadConfig
from kg.schema import allows
from kg.types import Extraction, Paper

CONFIG = ReadConfig(reader="rules", keyphrases=0)
PAPERS = (
    Paper(
        id="a",
        title="ZEBRA: Striped Attention for Machine Translation",
        abstract="We introduce **ZEBRA** (Zonal Encoder with Banded Recurrent Attention), a new attention mechanism "
        "for machine translation. On the WMT14 benchmark, ZEBRA reaches 31.2 BLEU, outperforming the Transformer by "
        "1.4 points. Code is at https://github.com/zoo/zebra.",
    ),
    Paper(
        id="b",
        abstract=r"Speech enhancement in noisy rooms is hard. We propose \textbf{QuietNet}, a recurrent neural network "
        r"that halves the latency of speech enhancement. Experiments on VoxCeleb show 10\% lower word error rate.",
    ),
    Paper(id="c", title="No abstract here"),
)


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return load_extractor(CONFIG)


def check_promises(extraction: Extraction, paper: Paper) -> None:
    raw = paper.raw
    for entity in extraction.entities:
        assert entity.mentions
        assert 0 <= entity.score <= 1 and 0 <= entity.salience <= 1
        for mention in entity.mentions:
            assert extraction.text[mention.start : mention.end] == mention.text
            assert 0 <= mention.raw.start < mention.raw.end <= len(raw)
    for relation in extraction.relations:
        head, tail = extraction.entities[relation.head], extraction.entities[relation.tail]
        assert relation.head != relation.tail
        assert allows(head.type, relation.type, tail.type)
        for mention in (head.mentions[relation.head_mention], tail.mentions[relation.tail_mention]):
            assert relation.sentence.start <= mention.start < mention.end <= relation.sentence.end
    for result in extraction.results:
        assert extraction.text[result.span.start : result.span.end] == result.value


def test_read_gives_one_extraction_a_paper_in_order(extractor: Extractor) -> None:
    found = list(extractor.read(PAPERS))
    assert [item.paper_id for item in found] == ["a", "b", "c"]
    assert [item.content_hash for item in found] == [paper.content_hash for paper in PAPERS]
    for item, paper in zip(found, PAPERS, strict=True):
        check_promises(item, paper)
        assert item.extractor == extractor.version


def test_read_finds_what_a_paper_introduces(extractor: Extractor) -> None:
    zebra, quiet, _ = extractor.read(PAPERS)
    own = [{entity.name for entity in item.entities if entity.introduced} for item in (zebra, quiet)]
    assert "ZEBRA" in own[0]
    assert "QuietNet" in own[1]
    assert zebra.acronyms == (("ZEBRA", "Zonal Encoder with Banded Recurrent Attention"),)
    assert {entity.name: entity.type for entity in zebra.entities}["machine translation"] == "Task"


def test_read_gives_raw_spans_with_their_marks(extractor: Extractor) -> None:
    zebra, quiet, _ = extractor.read(PAPERS)
    mention = next(m for e in quiet.entities for m in e.mentions if m.text == "QuietNet")
    assert clean(PAPERS[1].raw[slice(*mention.raw)]).text == "QuietNet"
    bold = [m for e in zebra.entities for m in e.mentions if m.text == "ZEBRA"][1]
    assert PAPERS[0].raw[slice(*bold.raw)] == "**ZEBRA**"


def test_read_with_processes_gives_the_same(extractor: Extractor) -> None:
    papers = PAPERS * 8
    assert list(extractor.read(papers, processes=2)) == list(extractor.read(papers))


def test_read_with_processes_stops_when_left(extractor: Extractor) -> None:
    drawn = []

    def papers():
        for number in range(10_000):
            drawn.append(number)
            yield PAPERS[number % 3]

    stream = extractor.read(papers(), processes=2)
    assert next(stream).paper_id == "a"
    stream.close()
    assert len(drawn) < 100


def test_read_does_not_depend_on_neighbours(extractor: Extractor) -> None:
    alone = [load_extractor(CONFIG).read_one(paper) for paper in PAPERS]
    assert list(extractor.read(reversed(PAPERS))) == alone[::-1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Transformers",
        "🎉 emoji 🦓🦓 (🦓)",
        r"$\alpha + \beta$",
        r"\begin{equation} x \end{equation}",
        "我们提出了一种新的方法（ABC）。",
        "Wir stellen ZEBRA (Zonale Enkodierung) vor. Es läuft.",
        "((((()))) [[ ]] (A) (B (C) D)",
        "a" * 3000,
        "graph neural network " * 100,
        "\x00\x01\ud800",
    ],
)
def test_read_never_fails(extractor: Extractor, text: str) -> None:
    paper = Paper(id="x", abstract=text)
    check_promises(extractor.read_one(paper), paper)


def test_read_cuts_overlong_texts_and_says_so(extractor: Extractor) -> None:
    paper = Paper(id="x", abstract="We plant trees. " * 400_000)
    found = extractor.read_one(paper)
    assert len(found.text) <= MAX_CHARACTERS
    assert [dropped.reason for dropped in found.dropped] == [f"text past {MAX_CHARACTERS} characters"]


def test_generic_names_are_dropped_with_a_reason(extractor: Extractor) -> None:
    names = {entity.name.lower() for paper in PAPERS for entity in extractor.read_one(paper).entities}
    assert not names & {"model", "framework", "experiments", "our method", "new method", "method"}


def test_build_pipeline_has_the_components_in_order() -> None:
    assert tuple(build_pipeline(CONFIG).pipe_names) == COMPONENTS


shared_extractor = cache(partial(load_extractor, CONFIG))
WORDS = st.sampled_from(
    "We propose ZEBRA ( ZB ) a new graph neural network for machine translation on WMT14 . BERT, 96% accuracy "
    r"\textbf{FLAG} $\alpha$ **N2M** ``x'' & &amp; -".split()
)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join)))
def test_mentions_always_slice_back(text: str) -> None:
    paper = Paper(id="x", abstract=text)
    check_promises(shared_extractor().read_one(paper), paper)
