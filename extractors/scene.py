"""Where the entities of a text stand: by sentence and word, for judging how they relate."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from extractors.phrases import running_words
from extractors.reading import Page
from extractors.words import Word, fold, sentence_at, split_words
from kg.types import Mention, PaperEntity, Relation

#: Mentions of an entity that are looked at; more tell nothing new.
MOST_MENTIONS = 20
#: Entities of one sentence that are looked at in very long texts.
MOST_PRESENT = 30
_CUES = {
    "propose": r"\b(?:we|paper|work|study|article)\b[^.]{0,40}\b(?:propose|introduce|present|develop|design|devise|"
    r"describe|release|construct|build|create|contribute|formulate|formalize|establish|provide|offer|call|dub|name)",
    "passive": r"\b(?:is|are|was|were|been)\s+(?:\w+ly\s+)?"
    r"(?:proposed|introduced|presented|developed|designed|adopted)",
    "result": r"\b(?:outperform|surpass|achiev|improv|exceed|reduc|state-of-the-art|sota|superior|effective)",
    "experiment": r"\b(?:experiment|evaluat|benchmark|dataset|empirical|validat|test)",
    "compare": r"\b(?:compar|than|baseline|versus|vs)",
    "prior": r"\b(?:existing|previous|prior|recent|current|traditional|conventional|however|although|despite)\b",
    "parts": r"\b(?:consist|compris|compos|includ|contain|module|component|stage|incorporat|integrat|combin)",
    "our": r"\b(?:our|proposed)\b",
    "train": r"\b(?:train|fine-tun|pretrain|pre-train|learned from)",
}
CUES = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _CUES.items()}


def cues_of(sentence: str) -> tuple[str, ...]:
    """Return the kinds of statement that a sentence may be.

    >>> cues_of("We propose FOO, which outperforms BAR.")
    ('propose', 'result')
    """
    return tuple(name for name, pattern in CUES.items() if pattern.search(sentence))


@dataclass(frozen=True, slots=True)
class Place:
    """A mention in its sentence: the words ``[first, last)`` of sentence ``sentence``."""

    sentence: int
    first: int
    last: int
    start: int
    end: int
    mention: int


@dataclass(frozen=True)
class Scene:
    """A text's sentences as words, with the places of all entities."""

    page: Page
    entities: Sequence[PaperEntity]
    relations: Sequence[Relation] = ()

    @cached_property
    def roles(self) -> list[Counter[str]]:
        """For each entity how often it is the head (">") and the tail ("<") of each relation."""
        found: list[Counter[str]] = [Counter() for _ in self.entities]
        for relation in self.relations:
            found[relation.head][f"{relation.type}>"] += 1
            found[relation.tail][f"{relation.type}<"] += 1
        return found

    @cached_property
    def words(self) -> list[list[Word]]:
        """The words of each sentence."""
        return [split_words(self.page.clean.text, span) for span in self.page.sentences]

    @cached_property
    def cues(self) -> list[tuple[str, ...]]:
        """The cues of each sentence."""
        text = self.page.clean.text
        return [cues_of(text[start:end]) for start, end in self.page.sentences]

    @cached_property
    def places(self) -> list[list[Place]]:
        """For each entity the places of its first mentions."""
        return [
            [self._place(mention, number) for number, mention in enumerate(entity.mentions[:MOST_MENTIONS])]
            for entity in self.entities
        ]

    @cached_property
    def forms(self) -> list[frozenset[str]]:
        """For each entity its folded surfaces."""
        return [frozenset(fold(surface) for surface in entity.surfaces) for entity in self.entities]

    @cached_property
    def has_title(self) -> bool:
        """Whether the first sentence is a title."""
        return self.page.title_end > 0

    def in_title(self, entity: int) -> bool:
        """Say whether the title names an entity."""
        return self.has_title and any(place.sentence == 0 for place in self.places[entity])

    def word(self, sentence: int, position: int) -> str:
        """Return a word of a sentence in lower case; "^" before it and "$" after it."""
        words = self.words[sentence]
        if position < 0:
            return "^"
        return words[position].lower if position < len(words) else "$"

    @cached_property
    def present(self) -> dict[int, list[int]]:
        """For each sentence the entities that it names, at most ``MOST_PRESENT``."""
        found: dict[int, list[int]] = {}
        for entity, places in enumerate(self.places):
            for sentence in {place.sentence for place in places}:
                if len(found.setdefault(sentence, [])) < MOST_PRESENT:
                    found[sentence].append(entity)
        return found

    @cached_property
    def ranks(self) -> list[int]:
        """For each entity how many of its type and standing come before it, at most 3."""
        seen: Counter[tuple[str, bool]] = Counter()
        ranks = [0] * len(self.entities)
        for number in sorted(range(len(self.entities)), key=lambda i: self.entities[i].mentions[0].start):
            kind = (self.entities[number].type, self.entities[number].introduced)
            ranks[number] = min(seen[kind], 3)
            seen[kind] += 1
        return ranks

    def stretches(self, sentence: int) -> list[tuple[int, int]]:
        """Return the maximal stretches of a sentence's words that are no running text and in no entity, in order."""
        if sentence not in self._stretches:
            taken = {
                position
                for entity in self.present.get(sentence, ())
                for place in self.places[entity]
                if place.sentence == sentence
                for position in range(place.first, place.last)
            }
            named = (
                position not in taken and word.is_name and word.lower not in running_words()
                for position, word in enumerate(self.words[sentence])
            )
            groups = groupby(enumerate(named), key=lambda pair: pair[1])
            runs = ([position for position, _ in group] for kept, group in groups if kept)
            self._stretches[sentence] = [(run[0], run[-1] + 1) for run in runs]
        return self._stretches[sentence]

    def place(self, sentence: int, first: int, last: int) -> Place:
        """Return the words ``[first, last)`` of a sentence as a place of no mention."""
        words = self.words[sentence]
        return Place(sentence, first, last, words[first].start, words[last - 1].end, 0)

    @cached_property
    def _stretches(self) -> dict[int, list[tuple[int, int]]]:
        return {}

    @cached_property
    def _bounds(self) -> list[tuple[list[int], list[int]]]:
        return [([word.start for word in words], [word.end for word in words]) for words in self.words]

    def _place(self, mention: Mention, number: int) -> Place:
        sentence = sentence_at(self.page.sentences, mention.start)
        starts, ends = self._bounds[sentence]
        first = bisect_left(ends, mention.start + 1)
        last = max(bisect_left(starts, mention.end), first + 1)
        return Place(sentence, first, last, mention.start, mention.end, number)
