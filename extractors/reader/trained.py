"""The trained reader behind the seam of the extraction pipeline."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from extractors.aliases import best_name
from extractors.mentions import evidence
from extractors.reader.answers import Answers
from extractors.reader.decode import FoundEntity, FoundRelation
from extractors.reader.session import Session
from extractors.reader.text import TextReading, read_text
from extractors.reading import Page, Reading, TextVectors
from kg.types import Dropped, Mention, PaperEntity, Relation, Span


class TrainedReader:
    """Reads texts with a model folder: a shipped profile or one that `kg train` wrote."""

    def __init__(self, folder: Path) -> None:
        self._session = Session(folder)

    @cached_property
    def version(self) -> str:
        """A digest of the weights and thresholds."""
        return f"model-{self._session.version}"

    def read(self, page: Page) -> Reading:
        """Return what one text holds; a text longer than the encoder's places is read in windows."""
        found = read_text(self._session, page.clean.text, title_end=page.title_end)
        introduced = self._session.settings.introduced
        entities = tuple(self._entity(e, found, page, introduced=introduced) for e in found.entities)
        relations = tuple(self._relation(r, entities, page) for r in found.relations)
        dropped = tuple(Dropped(found.units.surface(*e.mentions[0]), "score below the threshold") for e in found.nearly)
        spans = tuple(map(Span, found.units.starts, found.units.ends))
        vectors = TextVectors(found.document, found.words, spans)
        answers = Answers(self._session, found.windows) if self._session.has_answers else None
        return Reading(entities, relations, dropped, vectors, answers)

    def _entity(self, entity: FoundEntity, found: TextReading, page: Page, *, introduced: float) -> PaperEntity:
        mentions = []
        for first, last in entity.mentions:
            start, end = found.units.starts[first], found.units.ends[last]
            raw = page.clean.raw_span(start, end)
            mentions.append(Mention(start, end, page.clean.text[start:end], raw))
        return PaperEntity(
            name=best_name(mention.text for mention in mentions),
            type=entity.type,
            mentions=tuple(mentions),
            introduced=entity.introduced >= introduced,
            score=round(entity.score, 4),
            salience=round(entity.salience, 4),
            source=self.version,
        )

    def _relation(self, relation: FoundRelation, entities: tuple[PaperEntity, ...], page: Page) -> Relation:
        head, tail, sentence = evidence(entities[relation.head], entities[relation.tail], page.sentences)
        return Relation(
            relation.head,
            relation.type,
            relation.tail,
            sentence,
            head_mention=head,
            tail_mention=tail,
            score=round(relation.score, 4),
            source=self.version,
        )
