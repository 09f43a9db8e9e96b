import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.cleaning import clean
from tests.conftest import DATA, SHARED


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"\textbf{FLAG} and $\textbf{STARE}$", "FLAG and STARE"),
        (r"\href{https://a.b/c}{the code}", "the code"),
        (r"\emph{how \textbf{not}} to", "how not to"),
        ("**N2M** is *dynamic* and _fast_", "N2M is dynamic and fast"),
        ("**t**extual **i**nput (**LETI**)", "textual input (LETI)"),
        (r"by 10-40\% on A\&B", "by 10-40% on A&B"),
        ("``honest persona'' and `x' and `y`", "\"honest persona\" and 'x' and y"),
        (r"the \emphnonnegative machine in $\mathcalO(n)$", "the nonnegative machine in O(n)"),
        ("a tab ate the t of extit{intrinsic}", "a tab ate the t of intrinsic"),
        (r"$\beta$-VAE in $\mathcal{O}(t^{-1})$", "β-VAE in O(t^-1)"),
        (r"3.4$\times$ faster, $\approx 5\%$", "3.4× faster, ≈ 5%"),
        (r"$\tilde{\mathcal{O}}(\sqrt{n})$ and $\frac{1}{k}$", "Õ(√n) and 1/k"),
        (r"$\frac{\sqrt{a}}{b_{i}}$", "√a/b_i"),
        (r"Poincar\'{e}, H\"older and na{\"i}ve", "Poincaré, Hölder and naïve"),
        (r"{\em first} of {BERT}", "first of BERT"),
        (r"as shown \cite{a,b}. Next~one", "as shown. Next one"),
        ("radio &amp; books &amp;lt; 3 &#8211; x", "radio & books < 3 – x"),
        ("H<sub>2</sub>O<br/>and <i>E. coli</i>", "H2O and E. coli"),
        ("neural net-\nworks, encoder-\ndecoder, GPT-\n4", "neural networks, encoder-decoder, GPT-4"),
        ("state-of-the-\nart text-\nbased", "state-of-the-art text-based"),
        ("eﬃcient cafe\u0301 zero\u200bwidth", "efficient café zerowidth"),
        ("[the code](https://a.b/c) here", "the code here"),
        ("A title \n\n An  abstract\r\nwith\tblanks ", "A title\n\nAn abstract with blanks"),
        (r"doubled \\{0,1\\} and 5\\%", "doubled {0,1} and 5%"),
        ("", ""),
    ],
)
def test_cleaning_removes_marks(raw, text):
    assert clean(raw).text == text


@pytest.mark.parametrize(
    "text",
    [
        "CIFAR-10 & 50% better, $5 and $6",
        "A* search, RRT* and O*(2^n)",
        "snake_case and f_i stay",
        "labels {cat, dog} and 3 * 4 * 5",
        "<think> tokens, p < 0.05 and x > 3",
        "f''(x) and 5' long",
        "2~3% and ~5 frames",
        "#1 of C# and 100 #tags",
        "https://www.cs.cmu.edu/~x/a_b_c?d=1&e=2#f",
    ],
)
def test_cleaning_leaves_text_alone(text):
    assert clean(text).text == text


@pytest.mark.parametrize(
    ("raw", "word", "piece"),
    [
        (r"we present \textbf{FLAG}, a", "FLAG", r"\textbf{FLAG}"),
        (r"the $\tau$-bench tasks", "τ-bench", r"$\tau$-bench"),
        (r"\textbf{Co}rrectness first", "Correctness", r"\textbf{Co}rrectness"),
        (r"\emph{the FLAG} system", "FLAG system", "FLAG} system"),
        ("neural net-\nworks learn", "networks", "net-\nworks"),
        (r"a $\textit{lazy oracle}$ for", "lazy oracle", r"$\textit{lazy oracle}$"),
        ("x &amp; y", "&", "&amp;"),
        ("[the FLAG code](https://a.b/c)", "FLAG", "FLAG"),
        (r"Fr\'echet distance", "Fréchet", r"Fr\'echet"),
    ],
)
def test_cleaning_maps_a_word_to_its_raw_piece(raw, word, piece):
    cleaned = clean(raw)
    start = cleaned.text.index(word)
    assert raw[slice(*cleaned.raw_span(start, start + len(word)))] == piece
    assert clean(piece).text == word


WORDS = st.sampled_from(
    [
        "graph",
        "CIFAR-10",
        "50%",
        "A*",
        "GPT-4",
        "x_i",
        "naïve",
        "&",
        "$5",
        "(RAG)",
        "deep",
        "n,",
        "net-\nworks",
        "ﬁne",
        "a&amp;b",
    ]
)
MARKS = st.sampled_from(
    [
        r"\textbf{%s}",
        r"\emph{%s}s",
        "**%s**",
        "*%s*",
        "_%s_",
        "`%s`",
        r"$\mathcal{%s}$",
        "``%s''",
        r"\underline{\textsc{%s}}-like",
        r"\href{https://a.b/c}{%s}",
        r"%s$\alpha$",
        r"$x^{2}$-%s",
    ]
)
NAMES = st.sampled_from(["model", "FLAG", "two-stage", "N2M", "k"])
MARKED = st.builds(lambda mark, name: mark.replace("%s", name), MARKS, NAMES)
GROUPS = st.lists(WORDS, min_size=1, max_size=3).map(lambda words: rf"\emph{{{' '.join(words)}}}")


@settings(deadline=None)
@given(st.lists(WORDS | MARKED | GROUPS, min_size=1), st.data())
def test_cleaning_raw_slice_of_words_cleans_to_the_same_words(pieces, data):
    cleaned = clean(" ".join(pieces))
    bounds = [i for i, char in enumerate(f" {cleaned.text} ") if char == " "]
    first = data.draw(st.integers(0, len(bounds) - 2))
    last = data.draw(st.integers(first + 1, len(bounds) - 1))
    start, end = bounds[first], bounds[last] - 1
    piece = cleaned.raw[slice(*cleaned.raw_span(start, end))]
    assert clean(piece).text == cleaned.text[start:end]


@given(st.text(st.characters() | st.sampled_from(r"\{}$*_`&;<>[]()~-' ") | st.sampled_from("\n\u0301ﬁ\u1161")))
@settings(max_examples=300, deadline=None)
def test_cleaning_never_raises_and_keeps_spans_in_order(raw):
    cleaned = clean(raw)
    assert len(cleaned.text) == len(cleaned.raw_starts) == len(cleaned.raw_ends)
    assert all(0 <= start < end <= len(raw) for start, end in zip(cleaned.raw_starts, cleaned.raw_ends, strict=True))
    assert list(cleaned.raw_starts) == sorted(cleaned.raw_starts)
    assert list(cleaned.raw_ends) == sorted(cleaned.raw_ends)
    assert cleaned.text == cleaned.text.strip()


@settings(deadline=None)
@given(st.text("abc XYZ .,;:!?()%+=@0123456789", max_size=80))
def test_cleaning_keeps_plain_text_and_its_offsets(raw):
    text = " ".join(raw.split())
    cleaned = clean(text)
    assert cleaned.text == text
    assert cleaned.raw_starts == tuple(range(len(text)))


@pytest.mark.parametrize(
    "unit",
    ["a", r"\frac{", "{a,", "$a ", "*a ", "<p ", " ", "\\", "-\n", r"\cite[a", "[a](b", "e\u0301", "&amp"],
)
def test_cleaning_takes_linear_time(unit):
    def seconds(size):
        raw = unit * (size // len(unit))
        start = time.process_time()
        clean(raw)
        return time.process_time() - start

    assert seconds(200_000) < 12 * seconds(50_000) + 0.5


def test_cleaning_keeps_every_word_of_the_sample():
    for line in (DATA / "sample.jsonl").open(encoding="utf-8"):
        text = clean(json.loads(line)["abstract"]).text
        assert not any(mark in text for mark in ("\\", "$", "{", "}", "**", "``", "''", "&amp;", "\n"))


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the annotated papers of ../shared are not on this machine")
def test_cleaning_finds_annotated_surfaces_and_their_raw_pieces():
    for line in (SHARED / "data/abstracts/dev.jsonl").open(encoding="utf-8"):
        paper = json.loads(line)
        cleaned = clean(f"{paper['title']}\n\n{paper['abstract']}")
        for surface in (s for entity in paper["entities"] for s in entity["surface"]):
            start = cleaned.text.find(surface)
            if start >= 0:
                piece = cleaned.raw[slice(*cleaned.raw_span(start, start + len(surface)))]
                assert clean(piece).text == surface
