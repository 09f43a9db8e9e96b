"""Which places are mentions of an entity, and which of them show a relation best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from extractors.aliases import best_name
from extractors.links import find_addresses
from extractors.reading import Page
from kg.types import PaperEntity, Relation, Span


def evidence(head: PaperEntity, tail: PaperEntity, sentences: tuple[Span, ...]) -> tuple[int, int, Span]:
    """Return the nearest mentions of two entities, by number, and the sentences from one to the other."""
    near = [
        (max(a.start, b.start) - min(a.end, b.end), i, j)
        for i, a in enumerate(head.mentions)
        for j, b in enumerate(tail.mentions)
    ]
    _, i, j = min(near)
    start = min(head.mentions[i].start, tail.mentions[j].start)
    end = max(head.mentions[i].end, tail.mentions[j].end)
    begin = max((s.start for s in sentences if s.start <= start), default=start)
    stop = min((s.end for s in sentences if s.end >= end), default=end)
    return i, j, Span(begin, stop)


def leave_addresses(
    page: Page, entities: Sequence[PaperEntity], relations: Sequence[Relation]
) -> tuple[tuple[PaperEntity, ...], tuple[Relation, ...]]:
    """Return entities and relations without the mentions inside web addresses, which name nothing.

    An entity that is named nowhere else goes, with its relations.
    """
    addresses = find_addresses(page.clean.text)
    kept = {number: _outside(entity, addresses) for number, entity in enumerate(entities)}
    if not addresses or all(kept[number] is entity for number, entity in enumerate(entities)):
        return tuple(entities), tuple(relations)
    places = {number: place for place, number in enumerate(n for n, entity in kept.items() if entity.mentions)}
    left = tuple(entity for entity in kept.values() if entity.mentions)
    return left, tuple(_moved(page, relations, left, places))


def _outside(entity: PaperEntity, addresses: Sequence[Span]) -> PaperEntity:
    mentions = tuple(m for m in entity.mentions if not any(a.start < m.end and m.start < a.end for a in addresses))
    if mentions == entity.mentions:
        return entity
    surfaces = [mention.text for mention in mentions]
    name = entity.name if entity.name in surfaces or not surfaces else best_name(surfaces)
    return replace(entity, mentions=mentions, name=name)


def _moved(
    page: Page, relations: Sequence[Relation], entities: Sequence[PaperEntity], places: dict[int, int]
) -> Iterator[Relation]:
    """Yield the relations between what is left, shown by the nearest of the mentions that are left."""
    for relation in relations:
        if relation.head in places and relation.tail in places:
            head, tail = places[relation.head], places[relation.tail]
            first, second, sentence = evidence(entities[head], entities[tail], page.sentences)
            yield replace(relation, head=head, tail=tail, head_mention=first, tail_mention=second, sentence=sentence)
