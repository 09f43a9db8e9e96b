import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.links import find_links
from kg.evaluation import Counts, score
from tests.conftest import DATA, SHARED


@pytest.mark.parametrize(
    ("raw", "url", "kind"),
    [
        ("Code is at https://github.com/a/b.", "https://github.com/a/b", "code"),
        (r"see \url{https://github.com/a/b_c}.", "https://github.com/a/b_c", "code"),
        (r"\href{https://a.github.io/}{project page}", "https://a.github.io/", "project"),
        ("our code (github.com/x/y)", "https://github.com/x/y", "code"),
        ("code: https: //github.com/a/b.", "https://github.com/a/b", "code"),
        ("code at https://github. com/a/b.", "https://github.com/a/b", "code"),
        ("code at https://github.com/ a/b.", "https://github.com/a/b", "code"),
        ("code at https://github.com/a/ Bench.", "https://github.com/a/Bench", "code"),
        ("code at https://github.com/a/b_ c.", "https://github.com/a/b_c", "code"),
        ("code at https://github.com/a/bhttps://github.com/a/b.", "https://github.com/a/b", "code"),
        ("[page](https://a.org/wiki_(x))", "https://a.org/wiki_(x)", "other"),
        ("The dataset is at https://github.com/a/corpus .", "https://github.com/a/corpus", "data"),
        ("data: https://huggingface.co/datasets/a/b", "https://huggingface.co/datasets/a/b", "data"),
        ("video https://youtu.be/x-1_y.", "https://youtu.be/x-1_y", "other"),
        ("site https://a.org/?x=1&amp;y=2", "https://a.org/?x=1&y=2", "other"),
        (r"code https://a.org/x\_y\%20z", "https://a.org/x_y%20z", "code"),
        ("models (https://a.org/x), and", "https://a.org/x", "other"),
        ("project website: www.robots.ox.ac.uk/~vgg/x", "https://www.robots.ox.ac.uk/~vgg/x", "project"),
    ],
)
def test_links_finds_address_and_kind(raw, url, kind):
    assert [(link.url, link.kind) for link in find_links(raw)] == [(url, kind)]


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "3/4 and/or i.e./e.g.",
        "a dataset from Behance.net.",
        "mail me@github.com/x",
        "http://",
        "Node.js and v1.2/x",
    ],
)
def test_links_finds_none(raw):
    assert find_links(raw) == ()


def test_links_are_distinct_and_in_order():
    raw = r"[https://a.org/x](https://a.org/x), \href{https://b.org/y}{https://b.org/y} http://a.org/x/"
    assert [link.url for link in find_links(raw)] == ["https://a.org/x", "https://b.org/y"]


def test_links_point_at_the_raw_text():
    raw = "Code: (https://github.com/a/b)."
    (link,) = find_links(raw)
    assert raw[slice(*link.raw)] == "https://github.com/a/b"


def test_links_does_not_join_a_new_sentence():
    (link,) = find_links("See https://github.com/a/b/ and more. Next")
    assert link.url == "https://github.com/a/b/"


@settings(deadline=None)
@given(st.text(st.characters() | st.sampled_from("htps:/.w{}[]() \\_")))
def test_links_never_raises_and_stays_inside(raw):
    assert all(0 <= link.raw.start < link.raw.end <= len(raw) for link in find_links(raw))


def test_links_of_the_sample():
    kinds = {}
    for line in (DATA / "sample.jsonl").open(encoding="utf-8"):
        kinds.update({link.url: link.kind for link in find_links(json.loads(line)["abstract"])})
    assert kinds["https://github.com/quayside-nlp/harborqa"] == "code"
    assert kinds["https://github.com/dlamini-safety/driftleash"] == "code"
    assert kinds["https://huggingface.co/datasets/mosaic-commons/prefmosaic"] == "data"
    assert kinds["https://zenodo.org/record/7316842"] == "data"
    assert kinds["https://duskroads.github.io"] == "project"


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the annotated papers of ../shared are not on this machine")
def test_links_finds_all_of_dev():
    papers = [json.loads(line) for line in (SHARED / "data/abstracts/dev.jsonl").open(encoding="utf-8")]
    found = [{"id": paper["id"], "urls": [link.url for link in find_links(paper["abstract"])]} for paper in papers]
    # The 29th is a code link that the annotation of one paper leaves out.
    assert score(papers, found).total("urls") == Counts(right=28, predicted=29, found=28, gold=28)
