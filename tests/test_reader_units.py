from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from extractors.reader.units import SHAPES, cut, sentence_spans, windows

PAPER = "TULIP: Garden Maps\n\nWe propose TULIP-2, e.g. for gardens. It maps beds."


def test_cut_keeps_offsets_sentences_and_title() -> None:
    units = cut(PAPER)
    assert units.words()[:4] == ["TULIP", ":", "Garden", "Maps"]
    assert units.title == 4
    assert units.surface(6, 8) == "TULIP-2"
    assert [units.sentences[units.words().index(w)] for w in ("Garden", "propose", "maps")] == [0, 1, 2]


def test_cut_marks_shape_glue_and_title() -> None:
    units = cut(PAPER)
    title, dash = units.forms[0], units.forms[7]
    assert (title % SHAPES, title // SHAPES % 2, title // (2 * SHAPES)) == (5, 0, 1)
    assert (dash % SHAPES, dash // SHAPES % 2, dash // (2 * SHAPES)) == (3, 1, 0)


def test_cut_reads_a_text_without_title() -> None:
    assert cut("We map gardens.").title == 0


def test_sentence_spans_passes_abbreviations() -> None:
    text = "We use maps, e.g. Old ones. They help."
    assert [text[a:b] for a, b in sentence_spans(text)] == ["We use maps, e.g. Old ones.", "They help."]


@given(st.text(max_size=300))
def test_cut_offsets_slice_back_and_rise(text: str) -> None:
    units = cut(text)
    assert all(text[a:b] == word for a, b, word in zip(units.starts, units.ends, units.words(), strict=True))
    assert all(a < b for a, b in zip(units.starts, units.ends, strict=True))
    assert all(end <= start for end, start in zip(units.ends, units.starts[1:], strict=False))
    assert list(units.sentences) == sorted(units.sentences)


@given(st.lists(st.integers(1, 8), min_size=1, max_size=60), st.integers(8, 40))
def test_windows_hold_every_unit_once_and_fit(lengths: list[int], limit: int) -> None:
    units = cut(" ".join(["One two."] * len(lengths)))
    lengths = (lengths * 3)[: len(units)]
    ranges = list(windows(units, lengths, limit=limit))
    assert [i for a, b in ranges for i in range(a, b)] == list(range(len(units)))
    assert all(sum(lengths[a:b]) <= limit for a, b in ranges)
