"""What reading promises whatever the format: verbatim text, counted faults, clear errors."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from pathlib import Path

import pytest
import zstandard

from kg.errors import FaultyRecords, InputError
from kg.types import Paper, ReadReport, Skipped
from loaders.papers import read_papers

ABSTRACT = (
    "We present PINE, a method that prunes attention heads by their entropy. It keeps 97\\% of the accuracy\n"
    "of the full model on the Larch benchmark at half of the cost, and needs no further training."
)
TEXT = f"Small Models 2031: Papers\n\n{ABSTRACT}\n\nWe study $\\textbf{{OAK}}$ & its kin. It works.\n"


def read(*inputs: Path | str, **options: object) -> tuple[list[Paper], ReadReport]:
    report = ReadReport()
    return list(read_papers(inputs, report=report, **options)), report


@pytest.fixture
def write(tmp_path: Path):
    def _write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _write


def test_reading_keeps_text_verbatim(write):
    path = write("papers.txt", TEXT)
    papers, report = read(path)
    assert [paper.abstract for paper in papers] == [ABSTRACT, "We study $\\textbf{OAK}$ & its kin. It works."]
    assert all(paper.raw in TEXT for paper in papers)
    assert (report.records, report.papers, report.with_abstract, report.skipped) == (2, 2, 2, [])
    assert report.formats == {str(path): "text"}


def test_reading_gives_the_same_paper_the_same_id(write):
    one, _ = read(write("a.txt", TEXT))
    other, _ = read(write("b.txt", "Another heading\n\n" + TEXT.partition("\n\n")[2]))
    assert [paper.id for paper in one] == [paper.id for paper in other]


def _zipped(text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("folder/papers.txt", text)
        archive.writestr("__MACOSX/._papers.txt", b"\x00\x05\x16\x07")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "pack",
    [
        gzip.compress,
        bz2.compress,
        lzma.compress,
        zstandard.compress,
        lambda raw: _zipped(raw.decode()),
        lambda raw: gzip.compress(raw[:40]) + gzip.compress(raw[40:]),
        lambda raw: zstandard.compress(raw[:40]) + zstandard.compress(raw[40:]),
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.decode().encode("utf-16"),
        lambda raw: raw.decode().encode("utf-16-be"),
        lambda raw: raw.decode().encode("utf-32"),
    ],
    ids=[
        "gzip",
        "bz2",
        "xz",
        "zstd",
        "zip",
        "gzip-joined",
        "zstd-joined",
        "bom",
        "utf16",
        "utf16-bare",
        "utf32",
    ],
)
def test_reading_unpacks(write, pack):
    plain, _ = read(write("plain.txt", TEXT))
    packed, _ = read(write("packed", pack(TEXT.encode())))
    assert packed == plain


def test_reading_takes_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(json.dumps({"title": "On oaks", "abstract": "We prune oaks."}).encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    papers, report = read("-")
    assert [(paper.title, paper.abstract) for paper in papers] == [("On oaks", "We prune oaks.")]
    assert list(report.formats) == ["-"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.txt", b"", "is empty"),
        ("blank.txt", b" \n\n\t\n", "is empty"),
        ("mark.txt", b"\xef\xbb\xbf", "is empty"),
        ("image.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), "is a binary file"),
        ("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj", "is a PDF"),
        ("odd.txt", bytes(range(128, 256)) * 3, "neither UTF-8 nor"),
        ("odd runs.txt", b"Papers\n\n" + b"\xff\xfe\xfd " * 30, "neither UTF-8 nor"),
        ("bad.jsonl", b'{"title": \n{"abstract": \n', "holds no paper: line 1 is no JSON"),
        ("latin.jsonl", '{"title": "Forêts", "abstract": "x"}\n'.encode("latin-1"), "line 1 is not UTF-8"),
        ("numbers.jsonl", b'{"x": 1}\n{"y": 2}\n', "line 1 has neither 'title' nor 'abstract'"),
        ("cut.gz", gzip.compress(TEXT.encode() * 50)[:-20], "is damaged or cut short"),
        ("cut.zst", zstandard.compress(TEXT.encode())[:-9], "is damaged or cut short"),
        ("fake.zip", b"PK\x03\x04 and nothing else", "is no sound zip archive"),
        ("page.html", b"<!DOCTYPE html>\n<html><body><p>Papers</p></body></html>", "is a web page"),
        ("digits.txt", b"12\n\n13\n", "is in no format"),
    ],
)
def test_reading_refuses_a_faulty_file(write, name, content, said):
    with pytest.raises(InputError, match=said) as caught:
        read(write(name, content))
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_reading_refuses_what_is_no_file(tmp_path):
    for given, said in [
        (tmp_path / "missing.txt", "does not exist"),
        (tmp_path, "is a directory"),
        ("https://example.org/papers.jsonl", "is a web address"),
        ("s3://bucket/papers.jsonl", "is a web address"),
        ("a\0b", "cannot be opened"),
    ]:
        with pytest.raises(InputError, match=said):
            read(given)
    with pytest.raises(InputError, match="no input"):
        read()


def test_reading_skips_a_faulty_line_and_says_why(write):
    path = write(
        "papers.jsonl",
        '{"id": "a", "title": "On oaks", "abstract": "We prune oaks."}\n'
        "not json\n"
        "\n"
        '["a list"]\n'
        '{"id": "b", "title": "On elms"}\n'
        '{"id": "c", "title": "On firs", "abstract": "Felled."}\n'
        '{"id": "d", "title": "On ash", "abstract": "' + "[" * 100_000 + '"}\n' + "[" * 100_000 + "\n"
        '{"title": "Caf\xe9"}\n',
    )
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xe9"))
    papers, report = read(path)
    assert [paper.id for paper in papers] == ["a", "b", "c", "d"]
    assert [fault.line for fault in report.skipped] == [2, 4, 8, 9]
    assert report.skipped[1] == Skipped(str(path), 4, "is a JSON array; expected an object with a title or an abstract")
    assert report.skipped[0].reason.startswith("is no JSON: Expecting value")
    assert report.skipped[2].reason == "is no usable JSON: nested too deep"
    assert report.warnings == [
        Skipped(str(path), 5, "has no abstract"),
        Skipped(str(path), 6, "has an abstract of one word"),
        Skipped(str(path), 7, "has an abstract of 100,000 characters"),
    ]
    assert (report.records, report.papers, report.with_abstract, report.duplicates) == (8, 4, 3, 0)


def test_reading_strictly_refuses_faulty_records(write):
    path = write("papers.jsonl", '{"title": "On oaks", "abstract": "We prune oaks."}\nnot json\n')
    with pytest.raises(FaultyRecords, match=r"papers\.jsonl:2: is no JSON"):
        read(path, strict=True)


def test_reading_keeps_a_very_long_abstract_whole(write):
    abstract = ("word " * 1_000_000).strip() + "."
    for name, content in [
        ("long.txt", f"Heading\n\n{abstract}\n\nWe prune oaks.\n"),
        ("long.jsonl", json.dumps({"abstract": abstract}) + '\n{"abstract": "We prune oaks."}\n'),
        ("long.json", json.dumps([{"abstract": abstract}, {"abstract": "We prune oaks."}])),
        ("long.csv", f'title,abstract\nOaks,"{abstract}"\nElms,We prune oaks.\n'),
        ("long.ris", f"TY  - JOUR\nTI  - Oaks\nAB  - {abstract}\nER  - \nTY  - JOUR\nAB  - We prune oaks.\nER  - \n"),
        ("long.bib", f"@article{{a, abstract={{{abstract}}}}}\n@article{{b, abstract={{We prune oaks.}}}}\n"),
    ]:
        papers, report = read(write(name, content))
        assert [paper.abstract for paper in papers] == [abstract, "We prune oaks."]
        assert report.warnings[0].reason == "has an abstract of 5,000,000 characters"


def test_reading_tells_of_a_word_alone_among_abstracts(write):
    path = write("papers.txt", f"Heading\n\n{ABSTRACT}\n\nOaks\n\n{ABSTRACT} Twice.\n")
    papers, report = read(path)
    assert [paper.abstract for paper in papers] == [ABSTRACT, "Oaks", f"{ABSTRACT} Twice."]
    assert report.warnings == [Skipped(str(path), 6, "has an abstract of one word")]


def test_reading_several_inputs_keeps_their_order(write):
    first = write("a.jsonl", '{"id": "z", "title": "On oaks", "abstract": "We prune oaks."}\n')
    second = write("b.txt", f"Heading\n\n{ABSTRACT}\n\nWe prune elms.")
    papers, report = read(first, second)
    assert [paper.abstract for paper in papers] == ["We prune oaks.", ABSTRACT, "We prune elms."]
    assert report.formats == {str(first): "JSONL", str(second): "text"}


def test_reading_an_archive_goes_on_past_members_that_are_no_papers(write):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("cover.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)))
        archive.writestr("a.txt.gz", gzip.compress(TEXT.encode()))
        archive.writestr("b.jsonl", '{"id": "b", "title": "On oaks"}\n')
    path = write("papers.zip", buffer.getvalue())
    papers, report = read(path)
    assert [paper.id for paper in papers][2:] == ["b"]
    assert report.formats == {f"{path}!a.txt.gz": "text", f"{path}!b.jsonl": "JSONL"}
    assert [(fault.file, fault.line) for fault in report.skipped] == [(f"{path}!cover.png", 0)]


def test_reading_gives_no_paper_before_all_inputs_are_sound(write):
    good = write("good.txt", TEXT)
    papers = read_papers([good, "missing.txt"], report=ReadReport())
    with pytest.raises(InputError, match="does not exist"):
        next(papers)


def test_reading_without_room_for_the_index_is_an_error(write, monkeypatch):
    import sqlite3

    from loaders.papers.merging import Spool

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Spool, "add", full)
    with pytest.raises(InputError, match="set TMPDIR to a larger disk"):
        read(write("papers.txt", TEXT))
