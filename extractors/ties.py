"""What a number belongs to: the options for its method, its metric and what it was measured on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extractors.phrases import JOINTS, running_words
from extractors.scene import Place, Scene
from extractors.values import Value, unit_of
from extractors.words import fold

#: No method, metric or place is told.
NOTHING = ""
ROLES = ("method", "metric", "on")
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
_REACH = 10
_AGAINST = frozenset(("than", "over", "against", "versus", "vs", "compared"))


@dataclass(frozen=True, slots=True)
class Option:
    """One name that a number may belong to: an entity (by index), a phrase near it, or nothing."""

    name: str
    kind: str
    places: tuple[Place, ...] = ()
    entity: int = -1


def options_for(scene: Scene, value: Value, role: str) -> list[Option]:
    """Return what may be the method, the metric or the ``on`` of a number; "nothing" comes first."""
    options = [Option(NOTHING, "nothing")]
    for number, entity in enumerate(scene.entities):
        options.append(Option(entity.name, entity.type, tuple(scene.places[number]), number))
    if role == "method":
        return options
    options += list(_phrases(scene, value))
    if role == "metric":
        options += list(_spoken_of(scene, value))
    return options


def _phrases(scene: Scene, value: Value) -> Iterator[Option]:
    """Yield the stretches of non-running words near a number that no entity covers."""
    words = scene.words[value.sentence]
    taken = {
        position
        for places in scene.places
        for place in places
        if place.sentence == value.sentence
        for position in range(place.first, place.last)
    } | set(range(value.first, value.last))
    run: list[int] = []
    low, high = max(0, value.first - _REACH), min(len(words), value.last + _REACH)
    for position in (*range(low, high), None):
        if position is not None and position not in taken and _names(words[position].lower):
            run.append(position)
            continue
        yield from _run(scene, value, run)
        run = []


def _names(word: str) -> bool:
    return word[0].isalnum() and word not in running_words()


def _run(scene: Scene, value: Value, run: list[int]) -> Iterator[Option]:
    words = scene.words[value.sentence]
    while run and words[run[0]].lower in JOINTS:
        run = run[1:]
    while run and words[run[-1]].lower in JOINTS:
        run = run[:-1]
    if not run:
        return
    cut = next((i for i, position in enumerate(run) if words[position].lower in JOINTS), len(run))
    for first, last in dict.fromkeys(((run[0], run[cut - 1] + 1), (run[0], run[-1] + 1))):
        start, end = words[first].start, words[last - 1].end
        name = scene.page.clean.text[start:end]
        yield Option(name, "phrase", (Place(value.sentence, first, last, start, end, 0),))


def _spoken_of(scene: Scene, value: Value) -> Iterator[Option]:
    words = scene.words[value.sentence]
    for position in range(max(0, value.first - 4), min(len(words), value.last + 4)):
        name = _SPOKEN_OF.get(words[position].lower)
        if name:
            word = words[position]
            place = Place(value.sentence, position, position + 1, word.start, word.end, 0)
            yield Option(name, "spoken-of", (place,))


def option_features(
    scene: Scene, value: Value, option: Option, options: list[Option], values: Sequence[Value]
) -> Iterator[str]:
    """Describe an option for a number: what it is and how it stands to the number and the other ``values``."""
    unit = unit_of(value.text)
    if option.kind == "nothing":
        yield from _nothing_features(scene, value, options, unit)
        return
    entity = scene.entities[option.entity] if option.entity >= 0 else None
    own = entity is not None and entity.introduced
    kind = f"{option.kind}{int(own)}"
    last = fold(option.name).rsplit(" ", 1)[-1]
    near = _nearest(option, value)
    here = near.sentence == value.sentence
    yield f"kind={kind}"
    yield f"kind={kind}|here={here}"
    yield f"last={last}"
    yield f"unit={unit}|{option.kind}|{last}"
    yield f"words={min(len(option.name.split()), 5)}|{option.kind}"
    if entity:
        yield f"order={kind}|{here}|{_rank(scene, option)}"
        yield f"title={kind}|{scene.in_title(option.entity)}|{here}"
        yield f"count={kind}|{min(len(entity.mentions), 4)}|{here}"
        yield f"competition={kind}|{_rank(scene, option)}|{_others_here(scene, value, option, options)}"
    if here:
        yield from _here(scene, value, near, kind, unit)
        yield f"closer={kind}|{_closer(value, near, options, option)}"
        yield from _order_here(scene, value, option, near, options, values, kind)
    else:
        yield f"gap={kind}|{max(-3, min(3, near.sentence - value.sentence))}"
        yield f"absent={kind}|{_rank(scene, option)}|{_others_here(scene, value, option, options)}"


def _nothing_features(scene: Scene, value: Value, options: list[Option], unit: str) -> Iterator[str]:
    yield "kind=nothing"
    here = sorted({o.kind for o in options if o.places and any(p.sentence == value.sentence for p in o.places)})
    yield f"nothing={'+'.join(here)}"
    yield f"nothing-unit={unit}"
    for kind in here:
        yield f"nothing-has={kind}"
    for cue in scene.cues[value.sentence]:
        yield f"nothing-cue={cue}"


def _nearest(option: Option, value: Value) -> Place:
    return min(
        option.places,
        key=lambda place: (abs(place.sentence - value.sentence), abs(place.first - value.first)),
    )


def _here(scene: Scene, value: Value, near: Place, kind: str, unit: str) -> Iterator[str]:
    side = "before" if near.start < value.start else "after"
    first, last = (near.last, value.first) if side == "before" else (value.last, near.first)
    between = [scene.word(value.sentence, k) for k in range(first, last)]
    size = len(between)
    yield f"far={kind}|{side}|{size if size < 4 else 4 if size < 7 else 7 if size < 12 else 12}"
    yield f"far-unit={kind}|{side}|{unit}|{min(size, 4)}"
    if size <= 3:
        yield f"between={kind}|{side}|{' '.join(between)}"
    for word in set(between):
        yield f"word={kind}|{side}|{word}"
    yield f"previous={kind}|{scene.word(value.sentence, near.first - 1)}"
    yield f"previous2={kind}|{scene.word(value.sentence, near.first - 2)} {scene.word(value.sentence, near.first - 1)}"
    yield f"next={kind}|{side}|{scene.word(value.sentence, near.last)}"
    yield f"after-value={kind}|{side}|{scene.word(value.sentence, value.last)}"
    yield f"before-value={kind}|{side}|{scene.word(value.sentence, value.first - 1)}"
    numbers = sum(any(map(str.isdigit, word)) for word in between)
    yield f"numbers={kind}|{side}|{min(numbers, 3)}"
    for cue in scene.cues[value.sentence]:
        yield f"cue={kind}|{cue}"


def _order_here(
    scene: Scene,
    value: Value,
    option: Option,
    near: Place,
    options: list[Option],
    values: Sequence[Value],
    kind: str,
) -> Iterator[str]:
    """Describe lists: "4.1% and 2.7% on A and B, respectively" ties the first to the first."""
    numbers = sorted(other.start for other in values if other.sentence == value.sentence)
    rivals = sorted(
        place.start
        for other in options
        if other.kind == option.kind and other.places
        for place in [_nearest(other, value)]
        if place.sentence == value.sentence
    )
    rank, place = numbers.index(value.start), rivals.index(near.start)
    respectively = any(word.lower == "respectively" for word in scene.words[value.sentence])
    level = len(numbers) == len(rivals)
    many = len(numbers) > 1
    yield f"rank={kind}|{many}|{level}|{rank == place}|{respectively}"
    before = sum(start < near.start for start in numbers)
    yield f"segment={kind}|{many}|{max(-2, min(2, before - rank))}"
    yield f"lead={kind}|{_lead(scene, near)}|{near.start < value.start}"
    yield f"lead-segment={kind}|{_lead(scene, near)}|{max(-2, min(2, before - rank))}"
    left, right = scene.word(value.sentence, value.first - 1), scene.word(value.sentence, near.first - 1)
    yield f"brackets={kind}|{left == '('}|{right == '('}|{scene.word(value.sentence, near.last) == '('}"


_LEADS = frozenset("on in for at of to by with from over than across under using against between via as".split())


def _lead(scene: Scene, place: Place) -> str:
    """Return the preposition or verb before the list of names that a name stands in."""
    for position in range(place.first - 1, max(-1, place.first - 12), -1):
        word = scene.word(place.sentence, position)
        if word in _LEADS or word.endswith(("ing", "ed", "es")):
            return word
        if word in (".", ";", ":"):
            return word
    return "^"


def _rank(scene: Scene, option: Option) -> int:
    return scene.ranks[option.entity] if option.entity >= 0 else 0


def _others_here(scene: Scene, value: Value, option: Option, options: list[Option]) -> int:
    """Return how many other entities of the same kind the number's sentence names, at most 2."""
    return min(
        2,
        sum(
            other is not option
            and other.kind == option.kind
            and other.entity >= 0
            and any(place.sentence == value.sentence for place in other.places)
            for other in options
        ),
    )


def _closer(value: Value, near: Place, options: list[Option], option: Option) -> int:
    """Return how many options of the same kind stand closer to the number, at most 3."""
    distance = abs(near.first - value.first)
    return min(
        3,
        sum(
            other is not option
            and other.kind == option.kind
            and any(
                place.sentence == value.sentence and abs(place.first - value.first) < distance for place in other.places
            )
            for other in options
        ),
    )


def find_baseline(scene: Scene, value: Value, *, taken: frozenset[str]) -> str:
    """Return what a number is compared with: the first name after "than", "over", "compared to", or ""."""
    words = scene.words[value.sentence]
    for position in range(value.last, min(len(words), value.last + 15)):
        if words[position].lower not in _AGAINST:
            continue
        for option in options_for(scene, value, "on"):
            for place in option.places:
                near = place.sentence == value.sentence and 0 < place.first - position <= 4
                if near and option.name not in taken and option.kind in ("Method", "phrase"):
                    return option.name
    return ""
