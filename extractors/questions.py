"""The question what a number belongs to, and the names that may answer it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from extractors.aliases import is_coined
from extractors.phrases import JOINTS
from extractors.scene import Place, Scene
from extractors.values import Value, unit_of
from kg.schema import BENCHMARK, DATASET, METHOD

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
_REACH = 30
#: Last words of phrases that say what something was tried on, though no entity: "six real-world datasets".
_TRIED_ON = frozenset(
    "benchmarks corpora data datasets dataset domains environments environment experiments graphs images instances "
    "problems robots scenarios settings simulation simulations tasks videos".split()
)
#: Sentences around the number's in which such phrases are looked for.
_AROUND = 3
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
        if self.role == "on":
            options += self._tried_on()
        return options

    @cached_property
    def unit(self) -> str:
        """The number's unit."""
        return unit_of(self.value.text)

    @cached_property
    def tried_on(self) -> str:
        """Whether a dataset or benchmark is named in the number's sentence, elsewhere or nowhere."""
        if self.entities_here[DATASET] or self.entities_here[BENCHMARK]:
            return "here"
        return "elsewhere" if any(option.kind in (DATASET, BENCHMARK) for option in self.options) else "nowhere"

    @cached_property
    def any_coined(self) -> bool:
        """Whether the paper's own methods include one with a coined name."""
        return any(e.introduced and e.type == METHOD and is_coined(e.name) for e in self.scene.entities)

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
        value = self.value
        low, high = max(0, value.first - _REACH), min(len(self.words), value.last + _REACH)
        for first, last in self.scene.stretches(value.sentence):
            for begin, end in _around(value, max(first, low), min(last, high)):
                for part in self._apart(value.sentence, begin, end):
                    yield from self._run(value.sentence, *part)

    def _tried_on(self) -> Iterator[Option]:
        """Yield phrases of other sentences that say what something was tried on."""
        low, high = max(0, self.value.sentence - _AROUND), self.value.sentence + _AROUND
        for number in range(low, min(len(self.scene.words), high + 1)):
            for first, last in self.scene.stretches(number) if number != self.value.sentence else ():
                if last - first > 1 and self.scene.word(number, last - 1) in _TRIED_ON:
                    yield Option(*self._named(number, first, last))

    def _apart(self, sentence: int, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the parts of a stretch of words that two joints part: "A and on B" names two things."""
        begin = first
        for position in range(first + 1, last):
            if {self.scene.word(sentence, position - 1), self.scene.word(sentence, position)} <= JOINTS:
                yield begin, position - 1
                begin = position
        yield begin, last

    def _run(self, sentence: int, first: int, last: int) -> Iterator[Option]:
        """Yield a stretch of words, and its part up to the first "of" or "for"."""
        words = [self.scene.word(sentence, position) for position in range(first, last)]
        while words and words[0] in JOINTS:
            first, words = first + 1, words[1:]
        while words and words[-1] in JOINTS:
            last, words = last - 1, words[:-1]
        cut = next((first + i for i, word in enumerate(words) if word in JOINTS), last)
        for end in dict.fromkeys((cut, last)) if words else ():
            yield Option(*self._named(sentence, first, end))

    def _named(self, sentence: int, first: int, last: int) -> tuple[str, str, tuple[Place]]:
        place = self.scene.place(sentence, first, last)
        return self.scene.page.clean.text[place.start : place.end], PHRASE, (place,)

    def _spoken_of(self) -> Iterator[Option]:
        for position in range(max(0, self.value.first - 4), min(len(self.words), self.value.last + 4)):
            name = _SPOKEN_OF.get(self.words[position])
            if name:
                yield Option(name, SPOKEN_OF, (self.scene.place(self.value.sentence, position, position + 1),))


def _around(value: Value, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of the words ``[first, last)`` before and after a number."""
    if first < min(last, value.first):
        yield first, min(last, value.first)
    if max(first, value.last) < last:
        yield max(first, value.last), last
