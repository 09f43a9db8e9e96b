"""The question what a number belongs to, and the names that may answer it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from extractors.phrases import JOINTS, running_words
from extractors.scene import Place, Scene
from extractors.values import Value, unit_of

ROLES = ("method", "metric", "on")
NOTHING = "nothing"
PHRASE = "phrase"
SPOKEN_OF = "spoken-of"
#: What an adjective of more or less speaks of.
_SPOKEN_OF = {
    "faster": "speed",
    "slower": "speed",
    "speedup": "speedup",
    "speed-up": "speedup",
    "cheaper": "cost",
    "smaller": "size",
    "larger": "size",
    "shorter": "length",
    "accurate": "accuracy",
    "fps": "FPS",
    "hz": "frequency",
    "improvement": "performance",
    "gain": "performance",
    "better": "performance",
    "outperforms": "performance",
    "outperforming": "performance",
}
#: Words around a number among which phrases are looked for.
_REACH = 10
#: Sentences around a number whose entities may answer in a text with more than ``_MANY`` entities.
_WINDOW = 3
_MANY = 60


@dataclass(frozen=True, slots=True)
class Option:
    """One name that a number may belong to: an entity (by index), a phrase near it, or nothing."""

    name: str
    kind: str
    places: tuple[Place, ...] = ()
    entity: int = -1

    def nearest(self, value: Value) -> Place:
        """Return the place nearest to a number; there must be one."""
        return min(
            self.places,
            key=lambda place: (abs(place.sentence - value.sentence), abs(place.first - value.first)),
        )


@dataclass(frozen=True)
class Question:
    """What is the ``role`` (method, metric or on) of a number? ``values`` are the results of its sentence."""

    scene: Scene
    value: Value
    role: str
    values: Sequence[Value]

    @cached_property
    def options(self) -> list[Option]:
        """The names that may answer; "nothing" comes first."""
        options = [Option("", NOTHING), *self._entities()]
        if self.role != "method":
            options += self._phrases()
        if self.role == "metric":
            options += self._spoken_of()
        return options

    @cached_property
    def unit(self) -> str:
        """The number's unit."""
        return unit_of(self.value.text)

    @cached_property
    def words(self) -> list[str]:
        """The words of the number's sentence, in lower case."""
        return [word.lower for word in self.scene.words[self.value.sentence]]

    @cached_property
    def numbers(self) -> list[int]:
        """Where the sentence's results stand, in order."""
        return sorted(value.start for value in self.values if value.sentence == self.value.sentence)

    @cached_property
    def here(self) -> dict[str, list[Place]]:
        """For each kind of option the nearest places of those that the number's sentence names, in order."""
        found: dict[str, list[Place]] = {}
        for option in self.options:
            near = option.nearest(self.value) if option.places else None
            if near and near.sentence == self.value.sentence:
                found.setdefault(option.kind, []).append(near)
        return {kind: sorted(places, key=lambda place: place.start) for kind, places in found.items()}

    @cached_property
    def entities_here(self) -> Counter[str]:
        """For each type how many entities the number's sentence names."""
        return Counter(
            option.kind
            for option in self.options
            if option.entity >= 0 and option.nearest(self.value).sentence == self.value.sentence
        )

    def closer(self, kind: str, near: Place) -> int:
        """Return how many options of a kind stand closer to the number than a place does."""
        distance = abs(near.first - self.value.first)
        return bisect_left(self._distances.get(kind, []), distance)

    @cached_property
    def _distances(self) -> dict[str, list[int]]:
        return {
            kind: sorted(abs(place.first - self.value.first) for place in places) for kind, places in self.here.items()
        }

    def _entities(self) -> Iterator[Option]:
        many = len(self.scene.entities) > _MANY
        for number, entity in enumerate(self.scene.entities):
            option = Option(entity.name, entity.type, tuple(self.scene.places[number]), number)
            if not many or abs(option.nearest(self.value).sentence - self.value.sentence) <= _WINDOW:
                yield option

    def _phrases(self) -> Iterator[Option]:
        """Yield the stretches of words near the number that are no running text and that no entity covers."""
        taken = {
            position
            for option in self._entities()
            for place in option.places
            if place.sentence == self.value.sentence
            for position in range(place.first, place.last)
        } | set(range(self.value.first, self.value.last))
        low, high = max(0, self.value.first - _REACH), min(len(self.words), self.value.last + _REACH)
        run: list[int] = []
        for position in (*range(low, high), None):
            if position is not None and position not in taken and _names(self.words[position]):
                run.append(position)
                continue
            yield from self._run(run)
            run = []

    def _run(self, run: list[int]) -> Iterator[Option]:
        """Yield a stretch of words, and its part up to the first "of" or "for"."""
        while run and self.words[run[0]] in JOINTS:
            run = run[1:]
        while run and self.words[run[-1]] in JOINTS:
            run = run[:-1]
        if run:
            cut = next((i for i, position in enumerate(run) if self.words[position] in JOINTS), len(run))
            for last in dict.fromkeys((run[cut - 1], run[-1])):
                place = self._place(run[0], last)
                yield Option(self.scene.page.clean.text[place.start : place.end], PHRASE, (place,))

    def _spoken_of(self) -> Iterator[Option]:
        for position in range(max(0, self.value.first - 4), min(len(self.words), self.value.last + 4)):
            name = _SPOKEN_OF.get(self.words[position])
            if name:
                yield Option(name, SPOKEN_OF, (self._place(position, position),))

    def _place(self, first: int, last: int) -> Place:
        words = self.scene.words[self.value.sentence]
        return Place(self.value.sentence, first, last + 1, words[first].start, words[last].end, 0)


def _names(word: str) -> bool:
    return word[0].isalnum() and word not in running_words()
