"""Places inside web addresses name nothing."""

from __future__ import annotations

import re

from extractors.mentions import evidence, leave_addresses
from extractors.reading import Page
from kg.types import Mention, PaperEntity, Relation, Span
from tests.pages import page_of

TEXT = (
    "We present HarborQA, also named Harbor Questions, for BERT. Code is at https://github.com/quay/harborqa now. "
    "HarborQA is hard for BERT."
)


def entity_of(page: Page, pattern: str, kind: str) -> PaperEntity:
    places = [match.span() for match in re.finditer(pattern, page.clean.text)]
    mentions = tuple(Mention(a, b, page.clean.text[a:b], page.clean.raw_span(a, b)) for a, b in places)
    return PaperEntity(mentions[-1].text, kind, mentions)


def test_leave_addresses_keeps_the_mentions_outside() -> None:
    page = page_of(TEXT)
    entities = (entity_of(page, "(?i)harborqa|Harbor Questions", "Benchmark"), entity_of(page, "quay", "Method"))
    (kept,), _ = leave_addresses(page, entities, ())
    assert kept.surfaces == ("HarborQA", "Harbor Questions")
    assert kept.name == "HarborQA"


def test_leave_addresses_names_an_entity_anew() -> None:
    page = page_of("It is at https://a.org/quayQA and called the quay test.")
    ((kept,), _) = leave_addresses(page, (entity_of(page, "quay test|quayQA", "Benchmark"),), ())
    assert (kept.name, kept.surfaces) == ("quay test", ("quay test",))


def test_leave_addresses_moves_relations_and_drops_those_of_no_entity() -> None:
    page = page_of(TEXT)
    quay, harbor, bert = (entity_of(page, name, "Method") for name in ("quay", "(?i)harborqa", "BERT"))
    relations = tuple(Relation(head, "COMPARED_WITH", 2, Span(0, 1), head_mention=0) for head in (0, 1))
    entities, (relation,) = leave_addresses(page, (quay, harbor, bert), relations)
    assert [entity.surfaces for entity in entities] == [("HarborQA",), ("BERT",)]
    assert (relation.head, relation.tail, relation.head_mention, relation.tail_mention) == (0, 1, 1, 1)
    assert page.clean.text[slice(*relation.sentence)] == "HarborQA is hard for BERT."


def test_leave_addresses_changes_nothing_without_an_address() -> None:
    page = page_of("We present HarborQA for BERT.")
    entities = (entity_of(page, "HarborQA", "Benchmark"), entity_of(page, "BERT", "Method"))
    relations = (Relation(0, "PART_OF", 1, Span(0, 5)),)
    assert leave_addresses(page, entities, relations) == (entities, relations)


def test_evidence_spans_the_sentences_between_distant_mentions() -> None:
    page = page_of("HarborQA is new. It is hard. BERT fails.")
    first, second, sentence = evidence(
        entity_of(page, "HarborQA", "Benchmark"), entity_of(page, "BERT", "Method"), page.sentences
    )
    assert (first, second, page.clean.text[slice(*sentence)]) == (0, 0, page.clean.text)
