"""Names that mean the same in other words, by the vectors of the words in which they differ.

Two names are compared only where they share every word but one, and that one begins alike ("robotic grasping",
"robot grasping"): of all that vectors call near, only forms of one word are near enough to be the same, while
"supervised" and "unsupervised", or "necessity" and "sufficiency", are near and opposite. A difference in the last
word, the head, is another kind of thing ("language model", "language modeling") and so is one that says what is done
or can be done to it ("quantized", "controllable", "faster").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from kg.naming import is_proper

SIMILAR: Final = "embedding similarity"
#: Cosine from which the words in which two names differ are one word, chosen on the names of 14,000 papers, whose 155
#: pairs were looked at by hand: adjectives of a noun are the same from here on, and activities later, since a "sampling
#: efficiency" is no "sample efficiency".
_NEAR: Final = 0.8
_NEAR_ACTIVITY: Final = 0.9
#: Letters that the two words share at their beginning.
_STEM: Final = 4
_LONGEST: Final = 6
#: Endings that change what is spoken of, not only the form of the word, unless both words have them.
_OTHER_MEANING: Final = ("ed", "er", "or", "able", "ible", "ization", "less", "free", "wise")
#: "geometry" and "geometric" are one, "noise" and "noisy" are not.
_ADJECTIVAL: Final = ("ic", "al")
_ACTIVITY: Final = "ing"

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Similarity:
    """Vectors of words: ``embed`` gives one of length 1, or 0 for an unknown word, to each; ``version`` says which."""

    version: str
    embed: Callable[[Sequence[str]], Floats]


def block_keys(form: str, kind: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield (key, word) for each word of a name that another word may stand for; names of one thing share a key.

    >>> list(block_keys("robotic grasp planning", "Task", "robotic grasp planning"))
    [('Task robo* grasp planning', 'robotic'), ('Task robotic gras* planning', 'grasp')]
    """
    parts = form.split()
    if not 2 <= len(parts) <= _LONGEST or is_proper(name):
        return
    for place, word in enumerate(parts[:-1]):
        if len(word) >= _STEM and word.isalpha():
            yield " ".join([kind, *parts[:place], f"{word[:_STEM]}*", *parts[place + 1 :]]), word


def similar_pairs(names: Iterable[tuple[str, str, str]], similarity: Similarity | None) -> dict[tuple[str, str], float]:
    """Return the pairs of forms, each in order, that mean the same, with the cosine of the words that differ.

    Args:
        names: (form, family, name as written) of each name.
        similarity: The vectors of words; without them no pair is found.
    """
    if similarity is None:
        return {}
    blocks: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for form, kind, name in names:
        for key, word in block_keys(form, kind, name):
            blocks[key].append((form, word))
    candidates = [
        (min(one, other), max(one, other), min(word, instead), max(word, instead))
        for block in blocks.values()
        for (one, word), (other, instead) in combinations(block, 2)
        if _may_be_one(word, instead)
    ]
    near = _cosines({pair[2:] for pair in candidates}, similarity)
    return {
        (one, other): near[word, instead]
        for one, other, word, instead in candidates
        if near[word, instead] >= (_NEAR_ACTIVITY if _is_activity(word, instead) else _NEAR)
    }


def agreeing(pairs: Mapping[tuple[str, str], float]) -> Iterator[tuple[str, str]]:
    """Yield the pairs whose whole groups agree, the most alike first: one joins two groups only where every pair across
    them is listed.

    >>> list(agreeing({("a", "b"): 0.9, ("b", "c"): 0.8})), list(agreeing({("a", "b"): 0.9, ("c", "d"): 0.8}))
    ([('a', 'b')], [('a', 'b'), ('c', 'd')])
    """
    listed = {frozenset(pair) for pair in pairs}
    groups: dict[str, set[str]] = {}
    for one, other in sorted(pairs, key=lambda pair: (-pairs[pair], pair)):
        ours, theirs = groups.get(one, {one}), groups.get(other, {other})
        if ours is not theirs and all(frozenset((a, b)) in listed for a in ours for b in theirs):
            groups.update(dict.fromkeys(ours | theirs, ours | theirs))
            yield one, other


def _may_be_one(one: str, other: str) -> bool:
    """Say whether two words are forms of one word as their endings go.

    >>> _may_be_one("robot", "robotic"), _may_be_one("control", "controllable"), _may_be_one("fast", "faster")
    (True, False, False)
    """
    if one == other or any(one.endswith(ending) != other.endswith(ending) for ending in _OTHER_MEANING):
        return False
    return one.endswith("y") == other.endswith("y") or any(word.endswith(_ADJECTIVAL) for word in (one, other))


def _is_activity(one: str, other: str) -> bool:
    return one.endswith(_ACTIVITY) != other.endswith(_ACTIVITY)


def _cosines(pairs: Iterable[tuple[str, str]], similarity: Similarity) -> dict[tuple[str, str], float]:
    listed = sorted(pairs)
    words = sorted({word for pair in listed for word in pair})
    if not words:
        return {}
    place = {word: number for number, word in enumerate(words)}
    vectors = similarity.embed(words)
    ours, theirs = (vectors[[place[pair[end]] for pair in listed]] for end in (0, 1))
    # Row by row and in double precision, so that a cosine does not depend on the company it is computed in.
    cosines = (ours.astype(np.float64) * theirs.astype(np.float64)).sum(axis=1)
    return {pair: round(float(cosine), 4) for pair, cosine in zip(listed, cosines, strict=True)}
