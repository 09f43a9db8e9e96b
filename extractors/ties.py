"""What an option has to do with a number: the features by which the right method, metric and ``on`` are chosen."""

from __future__ import annotations

from collections.abc import Iterator

from extractors.aliases import is_coined
from extractors.questions import NOTHING, PHRASE, Option, Question
from extractors.scene import Place, Scene
from extractors.values import Value
from extractors.words import fold
from kg.schema import METHOD

#: Words before what a number is compared with.
_AGAINST = frozenset(("than", "over", "against", "versus", "vs", "compared"))
_LEADS = frozenset(
    (
        "on", "in", "for", "at", "of", "to", "by", "with", "from", "over", "than", "across", "under", "using",
        "against", "between", "via", "as",
    )
)  # fmt: skip


def option_features(question: Question, option: Option) -> Iterator[str]:
    """Describe an option: what it is, and how it stands to the number and to the other options."""
    if option.kind == NOTHING:
        yield from _nothing_features(question)
        return
    scene, value = question.scene, question.value
    entity = scene.entities[option.entity] if option.entity >= 0 else None
    own = entity is not None and entity.introduced
    kind = f"{option.kind}{int(own)}"
    last = fold(option.name).rsplit(" ", 1)[-1]
    near = option.nearest(value)
    here = near.sentence == value.sentence
    yield f"kind={kind}"
    yield f"kind={kind}|here={here}"
    yield f"last={last}"
    yield f"unit={question.unit}|{option.kind}|{last}"
    yield f"words={min(len(option.name.split()), 5)}|{option.kind}"
    rank = scene.ranks[option.entity] if entity else 0
    rivals = min(2, question.entities_here[option.kind] - int(here and entity is not None))
    coined = is_coined(option.name)
    yield f"coined={kind}|{coined}|{here}"
    yield f"tried={kind}|{here}|{question.tried_on}"
    yield f"start={kind}|{here}|{scene.word(value.sentence, 0)} {scene.word(value.sentence, 1)}"
    if entity:
        yield f"rank-coined={kind}|{coined}|{question.any_coined}|{rank}"
        yield f"salience={kind}|{here}|{int(entity.salience * 5)}"
        yield f"sure={option.kind}|{here}|{int(entity.score * 5)}"
        for name, number in scene.roles[option.entity].items():
            yield f"role={kind}|{name}|{min(number, 3)}"
            yield f"role-here={kind}|{name}|{here}"
        yield f"order={kind}|{here}|{rank}"
        yield f"title={kind}|{scene.in_title(option.entity)}|{here}"
        yield f"count={kind}|{min(len(entity.mentions), 4)}|{here}"
        yield f"competition={kind}|{rank}|{rivals}"
    if here:
        yield from _between(question, near, kind)
        yield f"closer={kind}|{min(3, question.closer(option.kind, near))}"
        yield from _order(question, option, near, kind)
    else:
        yield f"gap={kind}|{max(-3, min(3, near.sentence - value.sentence))}"
        yield f"absent={kind}|{rank}|{rivals}"
        for cue in scene.cues[value.sentence]:
            yield f"absent-cue={kind}|{cue}"


def _nothing_features(question: Question) -> Iterator[str]:
    yield "kind=nothing"
    here = sorted(question.here)
    yield f"nothing={'+'.join(here)}"
    yield f"nothing-unit={question.unit}"
    for kind in here:
        yield f"nothing-has={kind}"
    for cue in question.scene.cues[question.value.sentence]:
        yield f"nothing-cue={cue}"


def _between(question: Question, near: Place, kind: str) -> Iterator[str]:
    """Describe the words between and around a number and an option of its sentence."""
    scene, value = question.scene, question.value
    side = "before" if near.start < value.start else "after"
    first, last = (near.last, value.first) if side == "before" else (value.last, near.first)
    between = question.words[first:last]
    size = len(between)
    yield f"far={kind}|{side}|{size if size < 4 else 4 if size < 7 else 7 if size < 12 else 12}"
    yield f"far-unit={kind}|{side}|{question.unit}|{min(size, 4)}"
    if size <= 3:
        yield f"between={kind}|{side}|{' '.join(between)}"
    for word in dict.fromkeys(between):
        yield f"word={kind}|{side}|{word}"
    previous, before = (scene.word(value.sentence, near.first - k) for k in (1, 2))
    yield f"previous={kind}|{previous}"
    yield f"previous2={kind}|{before} {previous}"
    yield f"next={kind}|{side}|{scene.word(value.sentence, near.last)}"
    yield f"after-value={kind}|{side}|{scene.word(value.sentence, value.last)}"
    yield f"before-value={kind}|{side}|{scene.word(value.sentence, value.first - 1)}"
    numbers = sum(any(map(str.isdigit, word)) for word in between)
    yield f"numbers={kind}|{side}|{min(numbers, 3)}"
    for cue in scene.cues[value.sentence]:
        yield f"cue={kind}|{cue}"


def _order(question: Question, option: Option, near: Place, kind: str) -> Iterator[str]:
    """Describe lists: "4.1% and 2.7% on A and B, respectively" ties the first to the first."""
    scene, value, numbers = question.scene, question.value, question.numbers
    rivals = [place.start for place in question.here[option.kind]]
    rank, place = numbers.index(value.start), rivals.index(near.start)
    many = len(numbers) > 1
    level = len(numbers) == len(rivals)
    yield f"rank={kind}|{many}|{level}|{rank == place}|{'respectively' in question.words}"
    segment = max(-2, min(2, sum(start < near.start for start in numbers) - rank))
    lead = _lead(scene, near)
    yield f"segment={kind}|{many}|{segment}"
    yield f"lead={kind}|{lead}|{near.start < value.start}"
    yield f"lead-segment={kind}|{lead}|{segment}"
    left, right = scene.word(value.sentence, value.first - 1), scene.word(value.sentence, near.first - 1)
    yield f"brackets={kind}|{left == '('}|{right == '('}|{scene.word(value.sentence, near.last) == '('}"


def _lead(scene: Scene, place: Place) -> str:
    """Return the preposition or verb before the list of names that a name stands in."""
    for position in range(place.first - 1, max(-1, place.first - 12), -1):
        word = scene.word(place.sentence, position)
        if word in _LEADS or word.endswith(("ing", "ed", "es")) or word in (".", ";", ":"):
            return word
    return "^"


def find_baseline(scene: Scene, value: Value, *, taken: frozenset[str]) -> str:
    """Return what a number is compared with: the first name after "than", "over", "compared to", or ""."""
    question = Question(scene, value, "on", (value,))
    for position in range(value.last, min(len(question.words), value.last + 15)):
        if question.words[position] in _AGAINST:
            for option in question.options:
                near = any(p.sentence == value.sentence and 0 < p.first - position <= 4 for p in option.places)
                if near and option.name not in taken and option.kind in (METHOD, PHRASE):
                    return option.name
    return ""
