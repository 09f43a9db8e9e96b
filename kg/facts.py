"""What one paper contributes to a graph, before it meets other papers: claims, places and statements.

Linking and the tables start from these and never look at a text again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kg.types import Dropped, Paper, Span

#: Rises whenever facts of an unchanged extraction would come out differently.
FACTS_VERSION: Final = 4
#: The head of a statement that is the paper itself, and the tail that is no entity.
PAPER_END: Final = -1


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing as one paper names it.

    ``key`` is the normal form of the name, ``long_key`` that of the long form the paper itself gives for it (or
    ""), ``short`` the key of its acronym (or ""). ``long`` is the long form as written.
    """

    type: str
    name: str
    key: str
    long_key: str = ""
    short: str = ""
    long: str = ""
    surfaces: tuple[str, ...] = ()
    introduced: bool = False
    score: float = 1.0
    salience: float = 0.0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """One mention: which claim, where in the raw text, in which sentence (an index of ``PaperFacts.sentences``)."""

    claim: int
    raw: Span
    sentence: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One edge as one paper states it.

    ``head`` and ``tail`` index claims; -1 is the paper itself as head, and as tail a node that is no entity, named
    by ``other`` (a topic or an address). ``sentence`` indexes ``PaperFacts.sentences``, -1 for none.
    """

    head: int
    type: str
    tail: int
    head_raw: Span
    tail_raw: Span
    sentence: int = -1
    score: float = 1.0
    source: str = ""
    other: str = ""
    kind: str = ""
    metric: str = ""
    value: str = ""
    baseline: str = ""


@dataclass(frozen=True, slots=True)
class PaperFacts:
    """All that one paper contributes."""

    paper: Paper
    extractor: str = ""
    extracted_hash: str = ""
    claims: tuple[Claim, ...] = ()
    places: tuple[Place, ...] = ()
    statements: tuple[Statement, ...] = ()
    sentences: tuple[str, ...] = ()
    acronyms: tuple[tuple[str, str], ...] = ()
    dropped: tuple[Dropped, ...] = ()
