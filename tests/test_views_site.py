"""A graph as a folder of pages: every link leads somewhere, no text can act."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kg.views import write_site
from kg.views.map import draw_map
from kg.views.site import file_name, parts, relation_groups, site_pages
from tests import view_graphs


class Links(HTMLParser):
    """Collects the addresses of a page and the names of its tags and attributes."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()
        self.handlers: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]


def test_site_links_all_lead_to_its_own_pages(tmp_path):
    count = write_site(view_graphs.small(), tmp_path, title="Toy")
    pages = sorted(tmp_path.rglob("*.html"))
    assert count == len(pages) == 8
    outward = set()
    for page in pages:
        for address in Links(page).found:
            if address.startswith("https://"):
                outward.add(address)
            elif not address.startswith(("data:", "#")):
                assert (page.parent / address).is_file(), (page, address)
    assert outward == {"https://example.org/a1", "https://example.org/code"}


def test_site_entity_page_tells_relations_with_their_sentences(tmp_path):
    G = view_graphs.small()
    write_site(G, tmp_path, title="Toy")
    page = tmp_path / site_pages(G, None)["method:kite"].file
    text = page.read_text(encoding="utf-8")
    assert "<h1>KITE</h1>" in text and "Also written kite tuner" in text
    assert '<mark class="head">kite tuner</mark>, for <mark class="tail">lake mapping</mark>' in text
    assert "2 papers, confidence 0.90" in text


def test_site_groups_relations_in_the_order_of_the_legend():
    groups = relation_groups(view_graphs.small(), "method:kite", None)
    assert [words for words, _ in groups] == ["used for", "evaluated on", "measured by", "reported on"]
    assert [r["node"] for r in groups[0][1]] == ["task:lake mapping"]


def test_site_is_the_same_whenever_it_is_written(tmp_path):
    for name in ("a", "b"):
        write_site(view_graphs.grown(20), tmp_path / name, title="Toy", top=30)
    first = {p.relative_to(tmp_path / "a"): p.read_bytes() for p in (tmp_path / "a").rglob("*") if p.is_file()}
    again = {p.relative_to(tmp_path / "b"): p.read_bytes() for p in (tmp_path / "b").rglob("*") if p.is_file()}
    assert first == again
    assert sum(path.parts[0] == "entity" for path in first) == 30


def test_site_shows_hostile_text_as_text(tmp_path):
    G = view_graphs.small()
    script = "</h1><script>hurt()</script><img src=x onerror=hurt()> \ud800"
    G.nodes["method:kite"].update(name=script, aliases=[script])
    G.nodes["paper:a1"].update(title=script, name=script, venue=script, url="javascript:hurt()")
    for _, _, data in G.edges(data=True):
        data["evidence_sentences"] = [script] * data["support"]
    write_site(G, tmp_path, title=script)
    for page in tmp_path.rglob("*.html"):
        seen = Links(page)
        allowed = {"script"} if page.name in ("index.html", "graph.html") else set()
        assert seen.tags & {"script", "iframe", "object", "base"} <= allowed
        assert seen.handlers == []
        assert not [address for address in seen.found if address.startswith("javascript")]
        assert "<script>hurt" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("../../etc/passwd", r"etc-passwd-[0-9a-f]{8}\.html"),
        ("β-VAE", r"vae-[0-9a-f]{8}\.html"),
        ("模型", r"[0-9a-f]{8}\.html"),
        ("x" * 400, r"x{48}-[0-9a-f]{8}\.html"),
        ("con", r"con-[0-9a-f]{8}\.html"),
    ],
)
def test_site_file_names_are_safe(name, pattern):
    assert re.fullmatch(pattern, file_name(name, f"method:{name}"))


def test_site_cuts_sentences_at_their_marks():
    assert parts("plain", (None, None)) == [("plain", "")]
    assert parts("B on A", [(5, 6), (0, 1)]) == [("B", "tail"), (" on ", ""), ("A", "head")]


def test_map_draws_communities_of_the_best_connected():
    drawn = draw_map(view_graphs.grown(150), {}, shown=120)
    assert len(drawn.spots) == 120
    assert [region.number for region in drawn.regions] == list(range(len(drawn.regions)))
    assert len(drawn.regions) >= 3
    sizes = [region.size for region in drawn.regions]
    assert sizes == sorted(sizes, reverse=True)


def test_map_of_nothing_is_empty():
    G = view_graphs.small()
    G.remove_nodes_from([n for n, label in G.nodes(data="label") if label != "Paper"])
    assert draw_map(G, {}).spots == ()
