"""Hierarchies: what a name says about what it is a kind of, and edges without circles.

"graph-based conformal prediction" is a conformal prediction, "Llama-3.1-8B" is of the family "Llama 3.1". Only
names that are nodes already are tied, each to its nearest parent.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kg.linking import Entity
from kg.naming import normal_form
from kg.schema import SUBCLASS_OF, SUBTASK_OF, TASK, family
from kg.wordforms import words

#: The source that evidence from names bears, and its score.
SOURCE: Final = "names"
SCORE: Final = 0.9
HIERARCHICAL: Final = (SUBCLASS_OF, SUBTASK_OF)

#: A word of this kind in front means that the end of the name is not its head: "robustness of neural networks".
_CONNECTING: Final = words(
    "and or of for in on with without to from by via under over using against between through at as vs versus than"
)
#: A parent of one word must be named by so many papers: "segmentation" is, a stray word is not.
_KNOWN_WORD: Final = 3
_VARIANT_LENGTH: Final = 4
_SIZE_MARK: Final = re.compile(
    r"^(?:v?\d[\w.]*|[a-z]?\d+[a-z]?|large|base|small|tiny|medium|mini|nano|xl|xxl|turbo|instruct|chat|it|pro|plus|preview"
    r"|[sbmlh])$"
)


@dataclass(frozen=True, slots=True)
class Parent:
    """A kind-of edge that a name states: ids of two entities, the words of the child that name the parent, and the type
    of the edge."""

    child: str
    parent: str
    words: str
    type: str


def find_parents(entities: Sequence[Entity], forms: Mapping[str, Sequence[int]]) -> list[Parent]:
    """Return the nearest parent of each entity whose name ends with, or begins with, the name of another.

    Args:
        entities: All entities.
        forms: The entities that each normal form stands for; forms of several senses tie nothing.
    """
    known = {form: [entities[place] for place in places] for form, places in forms.items()}
    found = (nearest_parent(entity, parent_names(entity.name), known) for entity in entities)
    return [parent for parent in found if parent]


def parent_names(name: str) -> list[tuple[str, str]]:
    """Return (words, normal form) of what a name may say that its thing is a kind of, the nearest first."""
    return [(words, normal_form(words)) for words in _parent_names(name)]


def nearest_parent(
    child: Entity, names: Iterable[tuple[str, str]], forms: Mapping[str, Sequence[Entity]]
) -> Parent | None:
    """Return the nearest parent of an entity among its `parent_names`, given what each of these forms stands for."""
    for name, form in names:
        parents = [entity for entity in forms.get(form, ()) if _fits(child, entity, name)]
        if len(parents) == 1:
            return Parent(child.id, parents[0].id, name, relation_for(child.type))
    return None


def is_known_word(papers: int) -> bool:
    """Say whether so many papers make a single word a parent."""
    return papers >= _KNOWN_WORD


def relation_for(kind: str) -> str:
    """Return the relationship type that ties a child of this type to its parent."""
    return SUBTASK_OF if kind == TASK else SUBCLASS_OF


def closing_circles(edges: Iterable[tuple[str, str, int, float]]) -> set[tuple[str, str]]:
    """Return the (child, parent) edges to leave out so that no thing is a kind of itself.

    Args:
        edges: (child, parent, support, confidence). Where edges close a circle, the best supported ones stay; ties
            go by name.
    """
    strength = {(child, parent): (support, confidence) for child, parent, support, confidence in edges}
    number: dict[str, int] = {}
    ends = np.array([[number.setdefault(end, len(number)) for end in edge] for edge in strength], dtype=np.int64)
    if not len(ends):
        return set()
    shape = (len(number), len(number))
    matrix = csr_array((np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])), shape=shape)
    _, part = connected_components(matrix, directed=True, connection="strong")
    inside: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for edge, of_child, of_parent in zip(strength, part[ends[:, 0]], part[ends[:, 1]], strict=True):
        if of_child == of_parent:
            inside[of_child].append(edge)
    return {edge for group in inside.values() for edge in _break(group, strength)}


def _break(
    edges: Iterable[tuple[str, str]], strength: Mapping[tuple[str, str], tuple[int, float]]
) -> set[tuple[str, str]]:
    kept: dict[str, set[str]] = defaultdict(set)
    left_out = set()
    for child, parent in sorted(edges, key=lambda edge: (-strength[edge][0], -strength[edge][1], edge)):
        if _reaches(kept, parent, child):
            left_out.add((child, parent))
        else:
            kept[child].add(parent)
    return left_out


def _reaches(kept: Mapping[str, set[str]], start: str, goal: str) -> bool:
    seen, ahead = {start}, [start]
    while ahead:
        node = ahead.pop()
        if node == goal:
            return True
        fresh = kept.get(node, set()) - seen
        seen |= fresh
        ahead.extend(fresh)
    return False


def _parent_names(name: str) -> Iterable[str]:
    """Yield shorter names inside a name that it may be a kind of, the nearest first.

    >>> list(_parent_names("graph-based conformal prediction"))
    ['conformal prediction', 'prediction']
    >>> list(_parent_names("Llama-3.1-8B")), list(_parent_names("classification of noisy images"))
    (['Llama-3.1', 'Llama'], ['classification'])
    """
    parts = name.split()
    connecting = next((place for place, part in enumerate(parts) if part.casefold() in _CONNECTING), len(parts))
    if connecting < len(parts):
        yield from [" ".join(parts[:connecting])] if connecting else []
        return
    yield from _without_marks(name)
    for start in range(1, len(parts)):
        yield " ".join(parts[start:])


def _without_marks(name: str) -> Iterable[str]:
    """Yield a name without the version and size marks at its end, one after the other."""
    while True:
        cut = re.match(r"^(.+?)[\s\-/_]+([^\s\-/_]+)$", name) or re.match(r"^(.*[A-Za-z])(v?\d[\w.]*)$", name)
        if not cut or not (_SIZE_MARK.match(cut[2].casefold()) or _is_variant(*cut.groups())):
            return
        name = cut[1]
        yield name


def _is_variant(base: str, mark: str) -> bool:
    """Say whether capitals at the end mark a variant of something with a number: "CIFAR-10-LT"."""
    return mark.isupper() and len(mark) < _VARIANT_LENGTH and any(map(str.isdigit, base))


def _fits(child: Entity, parent: Entity, name: str) -> bool:
    if child.id == parent.id or family(child.type) != family(parent.type) or child.name == parent.name:
        return False
    return " " in name or is_known_word(parent.papers)
