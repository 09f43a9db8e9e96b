"""From one paper and its extraction to its facts: a pure function, whatever the other papers are.

Entities come under normal forms; what is left out is told with a reason.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kg import schema
from kg.acronyms import is_long_form, looks_short, short_key
from kg.facts import PAPER_END, Claim, PaperFacts, Place, Statement
from kg.generic import why_not_a_name
from kg.naming import normal_form
from kg.types import Dropped, Extraction, Mention, Paper, PaperEntity, Relation, Result, Span

_POSSESSIVE_END: Final = re.compile(r"['’]s$")
_FIRST_WORDS: Final = 9
_DATA: Final = (schema.DATASET, schema.BENCHMARK)


@dataclass(slots=True)
class _Draft:
    """The facts of one paper while they are gathered."""

    extraction: Extraction
    kept: dict[int, int] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    sentences: dict[str, int] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)

    def sentence(self, span: Span) -> int:
        """Return the index of the text of a span, which is added when new."""
        return self.sentences.setdefault(
            " ".join(self.extraction.text[span.start : span.end].split()), len(self.sentences)
        )

    def drop(self, text: str, reason: str) -> None:
        """Count something that is left out."""
        self.dropped.append(Dropped(text, reason))


def paper_facts(paper: Paper, extraction: Extraction) -> PaperFacts:
    """Return what a paper contributes to a graph."""
    draft = _Draft(extraction, dropped=list(extraction.dropped))
    _add_claims(draft)
    for relation in extraction.relations:
        _add_relation(draft, relation)
    for result in extraction.results:
        _add_result(draft, result)
    _add_topics(draft)
    _add_links(draft)
    return PaperFacts(
        paper,
        extractor=extraction.extractor,
        extracted_hash=extraction.content_hash,
        claims=tuple(draft.claims),
        places=tuple(draft.places),
        statements=tuple(draft.statements),
        sentences=tuple(draft.sentences),
        acronyms=_acronym_keys(extraction.acronyms),
        dropped=tuple(draft.dropped),
    )


def paper_name(facts: PaperFacts) -> str:
    """Return what a paper is shown as: its title, else the system it introduces, else its first words."""
    if facts.paper.title:
        return facts.paper.title
    own = [claim for claim in facts.claims if claim.introduced and claim.type in (schema.METHOD, *_DATA)]
    if own:
        return min(own, key=lambda claim: (claim.type != schema.METHOD, -claim.salience, -claim.score)).name
    words = facts.paper.abstract.split()
    return " ".join(words[:_FIRST_WORDS]) + (" ..." if len(words) > _FIRST_WORDS else "") or facts.paper.id


def _acronym_keys(pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    keys = {(short_key(short), normal_form(long)) for short, long in pairs}
    return tuple(sorted(pair for pair in keys if all(pair)))


def _add_claims(draft: _Draft) -> None:
    for index, entity in enumerate(draft.extraction.entities):
        reason = why_not_a_name(entity.name) if entity.mentions else "no mention"
        if not reason and entity.type not in schema.ENTITY_TYPES:
            reason = "unknown type"
        if reason:
            draft.drop(entity.name, reason)
            continue
        draft.kept[index] = len(draft.claims)
        for mention in entity.mentions:
            span = _sentence_of(draft.extraction.sentences, mention)
            draft.places.append(Place(len(draft.claims), mention.raw, draft.sentence(span)))
        draft.claims.append(_claim(entity, draft.extraction.acronyms))


def _claim(entity: PaperEntity, acronyms: Sequence[tuple[str, str]]) -> Claim:
    short, long = _own_definition(entity, acronyms)
    return Claim(
        type=entity.type,
        name=_POSSESSIVE_END.sub("", entity.name),
        key=normal_form(entity.name),
        long_key=normal_form(long),
        short=short_key(short) if short else "",
        long=long,
        surfaces=tuple(sorted({entity.name, *entity.surfaces})),
        introduced=entity.introduced,
        score=entity.score,
        salience=entity.salience,
        source=entity.source,
    )


def _own_definition(entity: PaperEntity, acronyms: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return (short, long) as the paper itself ties them for this entity; "" where there is none."""
    names = (entity.name, *entity.surfaces)
    own = normal_form(entity.name)
    if entity.definition:
        return next((name for name in names if looks_short(name)), entity.name), entity.definition
    for short, long in acronyms:
        if own == normal_form(long) or (own == normal_form(short) and not why_not_a_name(long)):
            return short, long
    for short, long in itertools.permutations(names, 2):
        if entity.name in (short, long) and is_long_form(short, long):
            return short, long
    return (entity.name, "") if looks_short(entity.name) else ("", "")


def _sentence_of(sentences: Sequence[Span], mention: Mention) -> Span:
    for span in sentences:
        if span.start <= mention.start < span.end:
            return span
    return Span(mention.start, mention.end)


def _add_relation(draft: _Draft, relation: Relation) -> None:
    entities = draft.extraction.entities
    head, tail = draft.kept.get(relation.head), draft.kept.get(relation.tail)
    text = f"{entities[relation.head].name} {relation.type} {entities[relation.tail].name}"
    if head is None or tail is None:
        draft.drop(text, "an end of the relation was dropped")
    elif relation.type not in schema.RELATIONS:
        draft.drop(text, "unknown relation type")
    else:
        draft.statements.append(
            Statement(
                head,
                relation.type,
                tail,
                entities[relation.head].mentions[relation.head_mention].raw,
                entities[relation.tail].mentions[relation.tail_mention].raw,
                draft.sentence(relation.sentence),
                relation.score,
                relation.source,
            )
        )


def _add_result(draft: _Draft, result: Result) -> None:
    head, tail = _named(draft, result.method), _named(draft, result.on)
    text = f"{result.method} {result.value} {result.metric} {result.on}".strip()
    if head is None or tail is None:
        draft.drop(
            text,
            "result without a known method" if head is None else "result without a known dataset or task",
        )
        return
    ends = [_nearest(draft, end, result.sentence) for end in (head, tail)]
    draft.statements.append(
        Statement(
            draft.kept[head],
            schema.REPORTED,
            draft.kept[tail],
            ends[0],
            ends[1],
            draft.sentence(result.sentence),
            result.score,
            result.source,
            metric=result.metric,
            value=result.value,
            baseline=result.baseline,
        )
    )


def _named(draft: _Draft, name: str) -> int | None:
    """Return the kept entity of the paper that a name or surface stands for."""
    form = normal_form(name)
    if not form:
        return None
    for index in draft.kept:
        entity = draft.extraction.entities[index]
        if form in {normal_form(surface) for surface in (entity.name, *entity.surfaces)}:
            return index
    return None


def _nearest(draft: _Draft, entity: int, sentence: Span) -> Span:
    mentions = draft.extraction.entities[entity].mentions
    inside = [mention for mention in mentions if sentence.start <= mention.start < sentence.end]
    return (inside or mentions)[0].raw


def _add_topics(draft: _Draft) -> None:
    for phrase in draft.extraction.keyphrases:
        reason = why_not_a_name(phrase.text)
        if reason:
            draft.drop(phrase.text, f"topic: {reason}")
            continue
        draft.statements.append(
            Statement(
                PAPER_END,
                schema.HAS_TOPIC,
                PAPER_END,
                Span(-1, -1),
                phrase.raw,
                score=phrase.score,
                source=draft.extraction.extractor,
                other=phrase.text,
            )
        )


def _add_links(draft: _Draft) -> None:
    for link in draft.extraction.links:
        draft.statements.append(
            Statement(
                PAPER_END,
                schema.LINKS_TO,
                PAPER_END,
                Span(-1, -1),
                link.raw,
                source=draft.extraction.extractor,
                other=link.url,
                kind=link.kind,
            )
        )
