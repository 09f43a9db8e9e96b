"""An acronym and its long form are one entity, and each place where either stands is a mention of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from extractors.acronyms import Acronym
from extractors.reading import Page
from extractors.words import content_words, fold
from kg.types import Mention, PaperEntity, Relation


def join_acronyms(
    page: Page, entities: Sequence[PaperEntity], relations: Sequence[Relation]
) -> tuple[tuple[PaperEntity, ...], tuple[Relation, ...]]:
    """Return entities and relations with every acronym that the paper defines joined to its long form.

    Two entities that are one are merged under the type of the more probable one. Places of either form that no
    entity covers become mentions. Relations follow; one from a thing to itself goes.
    """
    owners = list(range(len(entities)))
    merged = dict(enumerate(entities))
    for acronym in page.acronyms:
        short, long = (_owner(page, span, merged) for span in (acronym.short, acronym.long))
        if short is not None and long is not None and short != long:
            merged[short] = _merge(merged[short], merged.pop(long))
            owners = [short if owner == long else owner for owner in owners]
        owner = short if short is not None else long
        if owner is not None:
            merged[owner] = _complete(page, acronym, merged, owner)
    places = {owner: number for number, owner in enumerate(merged)}
    return tuple(merged.values()), tuple(_follow(entities, merged, relations, [places[o] for o in owners]))


def _owner(page: Page, span: tuple[int, int], entities: dict[int, PaperEntity]) -> int | None:
    form = fold(page.clean.text[slice(*span)])
    return next((n for n, entity in entities.items() if form in map(fold, entity.surfaces)), None)


def _merge(kept: PaperEntity, other: PaperEntity) -> PaperEntity:
    best = max(kept, other, key=lambda entity: entity.score)
    return replace(
        kept,
        type=best.type,
        mentions=tuple(sorted({*kept.mentions, *other.mentions}, key=lambda mention: mention.start)),
        introduced=kept.introduced or other.introduced,
        score=best.score,
        salience=max(kept.salience, other.salience),
    )


def _complete(page: Page, acronym: Acronym, entities: dict[int, PaperEntity], owner: int) -> PaperEntity:
    """Add the places of both forms that no entity covers, and the long form as definition."""
    entity, text = entities[owner], page.clean.text
    short, long = text[slice(*acronym.short)], text[slice(*acronym.long)]
    taken = [(m.start, m.end) for e in entities.values() for m in e.mentions]
    new = [m for m in _places(page, short, long) if not any(a < m.end and m.start < b for a, b in taken)]
    mentions = sorted((*entity.mentions, *new), key=lambda mention: mention.start)
    return replace(entity, name=_shown(short, long), definition=long, mentions=tuple(mentions))


def _shown(short: str, long: str) -> str:
    """Return the name of an entity that the paper abbreviates: the acronym, unless two letters, which say nothing."""
    return short if len(short) > 2 else long


def best_name(surfaces: Iterable[str]) -> str:
    """Return the surface an entity goes by, of all its mentions: a word with two capitals or more if there is one.

    Else the one that is said most often, in its own words or in some of them; of several the longest, rather in
    running text than in title case. Words of two letters say nothing alone.

    >>> best_name(("domain-aware distillation", "DoSe")), best_name(("artificial intelligence", "AI"))
    ('DoSe', 'artificial intelligence')
    >>> best_name(("page ranking", "ranking", "ordering of pages by rank"))
    'page ranking'
    """
    said = Counter(surfaces)
    words = {name: content_words(name) for name in said}

    def times(name: str) -> int:
        return sum(count for other, count in said.items() if words[other] <= words[name])

    return max(said, key=lambda name: (is_coined(name), times(name), len(name), -_capitals(name), name))


def is_coined(name: str) -> bool:
    """Say whether a name is one word of at least three characters, two of them capitals: DoSe, X-CLIP, GPT-4o."""
    return len(name) > 2 and " " not in name and _capitals(name) > 1


def _capitals(text: str) -> int:
    return sum(map(str.isupper, text))


def _places(page: Page, short: str, long: str) -> Iterator[Mention]:
    forms = "|".join(re.escape(form) for form in sorted({short, long}, key=len, reverse=True))
    for match in re.finditer(rf"(?<![\w-])(?:{forms})(?![\w-])", page.clean.text):
        yield Mention(*match.span(), match.group(), page.clean.raw_span(*match.span()))


def _follow(
    before: Sequence[PaperEntity],
    merged: dict[int, PaperEntity],
    relations: Sequence[Relation],
    numbers: Sequence[int],
) -> Iterator[Relation]:
    """Yield the relations between the merged entities, each once, with mentions counted anew."""
    after = list(merged.values())
    seen: set[tuple[int, str, int]] = set()
    for relation in relations:
        head, tail = numbers[relation.head], numbers[relation.tail]
        key = (head, relation.type, tail)
        if head != tail and key not in seen:
            seen.add(key)
            head_mention = before[relation.head].mentions[relation.head_mention]
            tail_mention = before[relation.tail].mentions[relation.tail_mention]
            yield replace(
                relation,
                head=head,
                tail=tail,
                head_mention=after[head].mentions.index(head_mention),
                tail_mention=after[tail].mentions.index(tail_mention),
            )
