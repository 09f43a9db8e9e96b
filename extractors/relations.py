"""The rule reader's relations and which entities are a paper's own, judged from where entities stand.

Half of what papers state between two entities has no sentence that holds both, so pairs are judged over the whole
text: types, title, who is introduced, the nearest mentions and the words between and around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from extractors.linear import load_linear
from extractors.scene import Place, Scene
from extractors.words import fold
from kg.schema import COMPARED_WITH, RELATIONS, allows
from kg.types import PaperEntity, Relation, Span

NOTHING = "none"
#: Pairs below this probability are left out; chosen for relation F1 on the dev papers.
THRESHOLD = 0.3
#: Entities up to which all pairs are judged; an abstract has 10, a text of 5,000 words some hundred.
MANY = 60
_PAIRS = frozenset(pair for pairs in RELATIONS.values() for pair in pairs)


def introduced_features(scene: Scene, entity: int) -> Iterator[str]:
    """Describe what tells whether a paper presents an entity as its own."""
    item = scene.entities[entity]
    kind = item.type
    places = scene.places[entity]
    title = scene.in_title(entity)
    yield f"type={kind}"
    yield f"count={kind}|{min(len(places), 4)}"
    yield f"title={kind}|{title}"
    yield f"last={fold(item.name).rsplit(' ', 1)[-1]}"
    named = any(any(map(str.isupper, s[1:])) for s in item.surfaces)
    yield f"named={kind}|{named}|{title}"
    yield f"first={kind}|{min(places[0].sentence, 5)}"
    yield f"late={kind}|{places[0].sentence * 4 // max(len(scene.words), 1)}"
    for place in places[:6]:
        yield from _introduced_place(scene, place, kind, named)


def _introduced_place(scene: Scene, place: Place, kind: str, named: bool) -> Iterator[str]:
    before = [scene.word(place.sentence, place.first - k) for k in (1, 2, 3)]
    after = [scene.word(place.sentence, place.last + k) for k in (0, 1, 2)]
    title = scene.has_title and place.sentence == 0
    yield f"before={before[0]}"
    yield f"before2={before[1]} {before[0]}"
    yield f"after={after[0]}"
    yield f"after2={after[0]} {after[1]}"
    yield f"edge={title}|{named}|{before[0] == '^'}|{after[0]}"
    for cue in scene.cues[place.sentence]:
        yield f"cue={cue}|{kind}"
        yield f"cue={cue}|{named}"
    for k in range(4, 12):
        word = scene.word(place.sentence, place.first - k)
        if word == "^":
            break
        yield f"left={word}"
    for k in range(1, 10):
        pair = f"{scene.word(place.sentence, place.first - k - 1)} {scene.word(place.sentence, place.first - k)}"
        if pair.startswith(("we ", "paper ", "work ")):
            yield f"we={pair}|{k if k < 4 else 4 if k < 7 else 7}"
            break


def flag_introduced(scene: Scene) -> list[float]:
    """Return for each entity the probability that the paper presents it as its own."""
    model = load_linear("introduced")
    scores = model.probabilities([list(introduced_features(scene, i)) for i in range(len(scene.entities))])
    return [float(score) for score in scores[:, model.classes.index("own")]]


def pair_features(scene: Scene, head: int, tail: int) -> Iterator[str]:
    """Describe an ordered pair of entities."""
    a, b = scene.entities[head], scene.entities[tail]
    sig = f"{a.type[:2]}{b.type[:2]}"
    own = f"{int(a.introduced)}{int(b.introduced)}"
    title = f"{int(scene.in_title(head))}{int(scene.in_title(tail))}"
    yield f"sig={sig}"
    yield f"own={sig}|{own}"
    yield f"title={sig}|{title}"
    yield f"owntitle={sig}|{own}|{title}"
    yield f"ranks={sig}|{scene.ranks[head]}|{scene.ranks[tail]}"
    yield f"rank={sig}|{own}|{scene.ranks[tail]}"
    yield f"rankh={sig}|{own}|{scene.ranks[head]}"
    yield f"counts={sig}|{min(len(a.mentions), 3)}|{min(len(b.mentions), 3)}"
    yield f"lasts={_last(a)}|{_last(b)}"
    yield f"lasth={sig}|{_last(a)}"
    yield f"lastt={sig}|{_last(b)}"
    yield f"firsth={sig}|{_first(a)}"
    yield f"firstt={sig}|{_first(b)}"
    yield from (f"{name}|{sig}" for name in _name_clues(scene, head, tail))
    yield from (f"{name}|{sig}" for name in _near(scene, head, tail))
    yield f"total={sig}|{min(sum(e.type == b.type for e in scene.entities), 6)}|{own}"
    yield f"same={sig}|{own}|{title}|{_shared(scene, head, tail)}"


def _last(entity: PaperEntity) -> str:
    return fold(entity.name).rsplit(" ", 1)[-1]


def _first(entity: PaperEntity) -> str:
    return fold(entity.name).split(" ", 1)[0]


def _name_clues(scene: Scene, head: int, tail: int) -> Iterator[str]:
    for a in scene.forms[head]:
        for b in scene.forms[tail]:
            if a.endswith(" " + b):
                yield "ends-with"
            elif b.endswith(" " + a):
                yield "ended-by"
            elif f" {b} " in f" {a} ":
                yield "holds"
            elif f" {a} " in f" {b} ":
                yield "held-by"
            elif a.rsplit(" ", 1)[-1] == b.rsplit(" ", 1)[-1]:
                yield "same-head"


def _shared(scene: Scene, head: int, tail: int) -> int:
    sentences = {place.sentence for place in scene.places[head]}
    return min(len(sentences & {place.sentence for place in scene.places[tail]}), 2)


def nearest(scene: Scene, head: int, tail: int) -> tuple[Place, Place]:
    """Return the mentions that stand nearest to each other: in one sentence (not the title) if there is one."""
    return min(
        ((a, b) for a in scene.places[head] for b in scene.places[tail]),
        key=lambda pair: (
            abs(pair[0].sentence - pair[1].sentence),
            scene.has_title and pair[0].sentence == 0,
            abs(pair[0].first - pair[1].first),
            pair[0].start,
        ),
    )


def _near(scene: Scene, head: int, tail: int) -> Iterator[str]:
    a, b = nearest(scene, head, tail)
    gap = b.sentence - a.sentence
    if gap:
        yield f"gap={max(-4, min(4, gap))}"
        for cue in scene.cues[a.sentence]:
            yield f"cueh={cue}"
        for cue in scene.cues[b.sentence]:
            yield f"cuet={cue}"
        return
    first, second, order = (a, b, ">") if a.start < b.start else (b, a, "<")
    number = a.sentence
    between = [scene.word(number, k) for k in range(first.last, second.first)]
    distance = len(between)
    where = "title" if scene.has_title and number == 0 else "text"
    yield f"near={order}|{where}|{distance if distance < 4 else 4 if distance < 8 else 8 if distance < 16 else 16}"
    if distance <= 5:
        yield f"between={order}|{' '.join(between)}"
    for word in set(between[:15]):
        yield f"word={order}|{word}"
    for pair in pairwise(between[:12]):
        yield f"pair={order}|{' '.join(pair)}"
    yield f"left={order}|{scene.word(number, first.first - 1)}"
    yield f"left2={order}|{scene.word(number, first.first - 2)} {scene.word(number, first.first - 1)}"
    yield f"left-second={order}|{scene.word(number, second.first - 1)}"
    yield f"left-second2={order}|{scene.word(number, second.first - 2)} {scene.word(number, second.first - 1)}"
    yield f"right={order}|{scene.word(number, second.last)}"
    yield f"right-first={order}|{scene.word(number, first.last)}"
    for cue in scene.cues[number]:
        yield f"cue={order}|{cue}"
    others = sum(
        place.sentence == number and first.start < place.start < second.start
        for places in scene.places
        for place in places
    )
    yield f"others={order}|{min(others, 4)}"


def candidate_pairs(scene: Scene) -> list[tuple[int, int]]:
    """Return the ordered pairs that the schema can join; in a very long text only those that stand near."""
    everything = range(len(scene.entities))
    return [
        (head, tail)
        for head in everything
        for tail in (everything if len(everything) <= MANY else _neighbours(scene, head))
        if head != tail and (scene.entities[head].type, scene.entities[tail].type) in _PAIRS
    ]


def _neighbours(scene: Scene, entity: int) -> list[int]:
    """Return the entities of the sentence where an entity is first named and of the sentences beside it."""
    sentence = scene.places[entity][0].sentence
    return sorted({other for near in (-1, 0, 1) for other in scene.present.get(sentence + near, ())})


def find_relations(scene: Scene, *, threshold: float = THRESHOLD, source: str = "") -> tuple[Relation, ...]:
    """Return the relations between the entities of a text, in order of their ends."""
    model = load_linear("relations")
    pairs = candidate_pairs(scene)
    scores = model.probabilities([list(pair_features(scene, *pair)) for pair in pairs])
    found: dict[tuple[int, int], Relation] = {}
    for (head, tail), row in zip(pairs, scores, strict=True):
        relation, score = _best(model.classes, row, scene.entities[head].type, scene.entities[tail].type)
        if score >= threshold and not (relation == COMPARED_WITH and (tail, head) in found):
            found[head, tail] = _evidence(scene, head, relation, tail, score, source)
    return tuple(found.values())


def _best(classes: Sequence[str], row: Iterable[float], head_type: str, tail_type: str) -> tuple[str, float]:
    options = [
        (float(score), name)
        for name, score in zip(classes, row, strict=True)
        if name != NOTHING and allows(head_type, name, tail_type)
    ]
    score, name = max(options)
    return name, score


def _evidence(scene: Scene, head: int, relation: str, tail: int, score: float, source: str) -> Relation:
    a, b = nearest(scene, head, tail)
    sentences = scene.page.sentences
    first, last = sorted((a.sentence, b.sentence))
    span = Span(sentences[first].start, sentences[last].end)
    return Relation(head, relation, tail, span, a.mention, b.mention, round(score, 4), source)
