"""An acronym and its long form are one entity, whatever the reader found."""

from __future__ import annotations

from extractors.acronyms import find_acronyms
from extractors.aliases import best_name, join_acronyms
from extractors.cleaning import clean
from extractors.reading import Page
from extractors.words import split_sentences
from kg.types import Mention, PaperEntity, Relation, Span

TEXT = (
    "We present Soft Tree Search (STS). STS beats greedy search. Soft Tree Search is fast, and STS-like methods fail."
)


def page_of(text: str) -> Page:
    cleaned = clean(text)
    sentences = split_sentences(cleaned.text)
    return Page(cleaned, sentences, find_acronyms(cleaned.text, sentences))


def entity_of(page: Page, name: str, kind: str = "Method", **more: object) -> PaperEntity:
    start = page.clean.text.index(name)
    span = Span(start, start + len(name))
    return PaperEntity(name, kind, (Mention(*span, name, page.clean.raw_span(*span)),), **more)  # type: ignore[arg-type]


def test_join_acronyms_adds_the_places_of_both_forms() -> None:
    page = page_of(TEXT)
    (joined,), _ = join_acronyms(page, (entity_of(page, "Soft Tree Search"),), ())
    assert [mention.text for mention in joined.mentions] == ["Soft Tree Search", "STS", "STS", "Soft Tree Search"]
    assert (joined.name, joined.definition) == ("STS", "Soft Tree Search")


def test_join_acronyms_merges_two_entities_and_moves_relations() -> None:
    page = page_of(TEXT)
    short, long = (
        entity_of(page, "STS", "Task", score=0.4),
        entity_of(page, "Soft Tree Search", score=0.9, introduced=True),
    )
    other = entity_of(page, "greedy search")
    relations = (
        Relation(1, "PART_OF", 0, Span(0, 10)),
        Relation(1, "COMPARED_WITH", 2, Span(0, 10)),
        Relation(0, "COMPARED_WITH", 2, Span(0, 10)),
    )
    entities, moved = join_acronyms(page, (short, long, other), relations)
    assert [(entity.name, entity.type, entity.introduced) for entity in entities] == [
        ("STS", "Method", True),
        ("greedy search", "Method", False),
    ]
    assert [(r.head, r.type, r.tail) for r in moved] == [(0, "COMPARED_WITH", 1)]
    assert entities[0].mentions[moved[0].head_mention].text == "Soft Tree Search"


def test_join_acronyms_leaves_other_entities_alone() -> None:
    page = page_of("We present Soft Tree Search (STS).")
    other = entity_of(page, "Tree Search")
    assert join_acronyms(page, (other,), ()) == ((other,), ())


def test_best_name_prefers_a_coined_word_then_the_longest_in_running_text() -> None:
    assert best_name(("two-stage graph paradigm", "DisCo")) == "DisCo"
    assert best_name(("Graph Condensation", "graph condensation", "condensation")) == "graph condensation"
    assert best_name(("artificial intelligence", "AI")) == "artificial intelligence"


def test_surfaces_name_a_thing_without_a_vague_last_word() -> None:
    page = page_of("We propose a Lantern Pruning strategy. A strategy such as the greedy method fails.")
    lantern, greedy = entity_of(page, "Lantern Pruning strategy"), entity_of(page, "greedy method")
    assert lantern.surfaces == ("Lantern Pruning strategy", "Lantern Pruning")
    assert greedy.surfaces == ("greedy method",)
