"""No bytes make a reader crash, loop, or raise anything but an ``InputError``."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.papers_target import SEEDS, read_as_file, read_with_each_reader
from tests.test_papers_json import CASES as JSON
from tests.test_papers_references import BIBTEX, OTHERS, RIS
from tests.test_papers_tables import MARKDOWN, TABLES
from tests.test_papers_text import CASES as TEXT

CONTENTS = [
    case.content.encode() if isinstance(case.content, str) else case.content
    for case in [*JSON, *BIBTEX, *RIS, *OTHERS, *TABLES, *MARKDOWN, *TEXT]
]
PIECES = [
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"\\",
        b",",
        b":",
        b"<",
        b">",
        b"&",
        b";",
        b"|",
        b"@",
        b"%0 ",
        b"TY  - ",
        b"ER  - ",
    ),
    *(
        b"\n",
        b"\r",
        b"\t",
        b"\f",
        b"\x00",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        b"null",
        b"1e999",
        b"-",
        b"---|---",
        b"#",
    ),
    *(
        b"@article{",
        b"<PubmedArticle>",
        b"</PubmedArticle>",
        b"PMID- ",
        b"PT J",
        b"title",
        b"abstract",
        b"\xe2\x80\xa8",
    ),
]
BOUNDED = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Draw a file of the tests with a few cuts, repeats and foreign pieces."""
    data = draw(st.sampled_from(CONTENTS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 200)))
        change = draw(st.sampled_from(["cut", "repeat", "insert", "replace", "swap"]))
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=8))
        data = {
            "cut": data[:start] + data[end:],
            "repeat": data[:end] + data[start:end] * 3 + data[end:],
            "insert": data[:start] + piece + data[start:],
            "replace": data[:start] + piece + data[end:],
            "swap": data[end:] + data[start:end] + data[:start],
        }[change]
    return data


@BOUNDED
@given(mutated())
def test_fuzz_mutated_files(data):
    read_as_file(data)
    read_with_each_reader(data)


@BOUNDED
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_fuzz_random_bytes(data):
    read_as_file(data)
    read_with_each_reader(data)


@BOUNDED
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=10).map(lambda text: text.encode("utf-8", "replace"))))
def test_fuzz_random_pieces(pieces):
    read_as_file(b"".join(pieces))
    read_with_each_reader(b"".join(pieces))


@pytest.mark.parametrize("path", sorted(SEEDS.glob("*")), ids=lambda path: path.name)
def test_fuzz_former_findings(path):
    read_as_file(path.read_bytes())
    read_with_each_reader(path.read_bytes())


@pytest.mark.parametrize(
    "piece", [b" ", b"\n", b" \n", b"\t", b"- ", b"| ", b"[", b"(", b"<a ", b"{", b'"', b"Aa ", b"\\", b"_", b"1. "]
)
@pytest.mark.parametrize(
    "begin", [b"", b"@article{", b"- **", b"TY  - JOUR\nAU  - ", b"title,abstract\n", b'{"title": "', b"Aa"]
)
def test_fuzz_long_runs_take_no_square_of_their_length(begin, piece):
    read_as_file(begin + piece * 30_000)
