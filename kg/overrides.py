"""Corrections by hand that every build of a graph obeys.

A TOML file; names are surfaces, normal forms or node ids::

    same = [["FLAG", "FLAG framework"]]          # one thing
    different = [["ADAM", "adaptive moments"]]   # two things, whatever a rule says
    [rename]
    "large language model" = "LLM"               # what a node is shown as
    [type]
    "reinforcement learning" = "Task"
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kg.errors import InputError
from kg.naming import normal_form
from kg.schema import ENTITY_TYPES

OVERRIDE: Final = "override"
_KEYS: Final = ("same", "different", "rename", "type")


@dataclass(frozen=True, slots=True)
class Overrides:
    """Corrections by normal form. ``digest`` is "" for none and differs whenever they do.

    ``whole`` holds forms whose senses are one thing: two node ids of one name that were said to be the same.
    """

    same: tuple[tuple[str, ...], ...] = ()
    different: frozenset[tuple[str, str]] = frozenset()
    rename: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    digest: str = ""

    def speaks_against(self, one: str, other: str) -> bool:
        """Say whether two normal forms are to stay apart, or the first is said to be the same as others only."""
        own = [group for group in self.same if one in group]
        return self.keeps_apart(one, other) or any(other not in group for group in own)

    def keeps_apart(self, one: str, other: str) -> bool:
        """Say whether two normal forms are to stay two things."""
        return (min(one, other), max(one, other)) in self.different

    def forms(self) -> set[str]:
        """Return all normal forms that are spoken of."""
        pairs = [form for pair in (*self.same, *self.different) for form in pair]
        return {*pairs, *self.rename, *self.types, *self.whole}


def read_overrides(path: Path) -> Overrides:
    """Read a file of overrides; a missing file holds none.

    Raises:
        InputError: The file is no TOML, or holds what is no override.
    """
    try:
        data = path.read_bytes()
        given = tomllib.loads(data.decode("utf-8"))
    except FileNotFoundError:
        return Overrides()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, IsADirectoryError) as error:
        raise InputError(f"{path} is no TOML: {error}") from None
    unknown = sorted(set(given) - set(_KEYS))
    if unknown:
        raise InputError(f"{path} has {unknown[0]!r}; expected {', '.join(_KEYS)}")
    same = [set(group) for group in _groups(path, given, "same")]
    return Overrides(
        same=tuple(sorted(tuple(sorted(group)) for group in same if len(group) > 1)),
        different=_pairs(_groups(path, given, "different")),
        rename=_table(path, given, "rename"),
        types=_types(path, given),
        whole=frozenset(form for group in same if len(group) == 1 for form in group),
        digest=hashlib.sha256(data).hexdigest()[:16],
    )


def form_of(name: str) -> str:
    """Return the normal form that a surface, a normal form or a node id stands for.

    >>> form_of("method:large language model"), form_of("Large Language Models"), form_of("data:trace#p1")
    ('large language model', 'large language model', 'trace')
    """
    head, colon, rest = name.partition(":")
    if colon and head in ("method", "task", "data", "metric"):
        return normal_form(rest.partition("#")[0])
    return normal_form(name)


def _groups(path: Path, given: Mapping[str, Any], key: str) -> list[list[str]]:
    groups = given.get(key, [])
    if not isinstance(groups, list) or not all(isinstance(group, list) and len(group) > 1 for group in groups):
        raise InputError(f'{path}: {key} must be a list of lists of names, like {key} = [["one name", "other name"]]')
    return [[_form(path, name) for name in group] for group in groups]


def _pairs(groups: Iterable[list[str]]) -> frozenset[tuple[str, str]]:
    return frozenset((min(a, b), max(a, b)) for group in groups for a in group for b in group if a != b)


def _table(path: Path, given: Mapping[str, Any], key: str) -> dict[str, str]:
    table = given.get(key, {})
    if not isinstance(table, dict) or not all(isinstance(value, str) and value for value in table.values()):
        raise InputError(f'{path}: [{key}] must hold lines like "name" = "value"')
    return {_form(path, name): value for name, value in table.items()}


def _types(path: Path, given: Mapping[str, Any]) -> dict[str, str]:
    types = _table(path, given, "type")
    wrong = next((value for value in types.values() if value not in ENTITY_TYPES), None)
    if wrong:
        raise InputError(f"{path}: [type] says {wrong!r}; expected one of {', '.join(ENTITY_TYPES)}")
    return types


def _form(path: Path, name: Any) -> str:
    form = form_of(name) if isinstance(name, str) else ""
    if not form:
        raise InputError(f"{path}: {name!r} is no name")
    return form
