"""The records that travel from a file of papers to a graph.

``Paper -> CleanText -> Extraction (PaperEntity, Relation, Result, Link, Keyphrase) -> graph``

All are frozen. Offsets are half-open ``[start, end)`` in Unicode code points. ``Span`` offsets count in the
cleaned text unless the name says ``raw``; raw offsets count in ``Paper.raw``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Final, NamedTuple

#: Last words that say only that something is a way to do something.
_VAGUE_HEADS: Final = frozenset(
    """
    approach approaches mechanism mechanisms method methods scheme schemes strategies strategy technique techniques
    """.split()
)


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as a loader read it.

    ``id`` is its identity: the input's own id, else the DOI, the arXiv id, else a hash of title and abstract;
    never a counter. The same id with another ``content_hash`` is a new version of the paper.
    """

    id: str
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    year: int | None = None
    url: str = ""
    doi: str = ""
    arxiv_id: str = ""
    keywords: tuple[str, ...] = ()

    @property
    def raw(self) -> str:
        """Title, blank line, abstract, as given; the abstract alone when there is no title."""
        return "\n\n".join(part for part in (self.title, self.abstract) if part)

    @property
    def content_hash(self) -> str:
        """Hex digest of title and abstract: what an extraction depends on."""
        return hashlib.sha256(self.raw.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class CleanText:
    """A text without mark-up, and the way back.

    ``raw_starts[i], raw_ends[i]`` is the raw span that the i-th character of ``text`` came from.
    """

    raw: str
    text: str
    raw_starts: tuple[int, ...]
    raw_ends: tuple[int, ...]

    def raw_span(self, start: int, end: int) -> Span:
        """Return the raw span of ``text[start:end]``; ``0 <= start < end <= len(text)``."""
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"span {start}:{end} is outside a text of {len(self.text)} characters")
        return Span(self.raw_starts[start], self.raw_ends[end - 1])


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a paper names an entity: ``extraction.text[start:end] == text``."""

    start: int
    end: int
    text: str
    raw: Span


@dataclass(frozen=True, slots=True)
class PaperEntity:
    """One thing as one paper speaks of it: all its mentions in that paper, under one type.

    ``name`` is its best surface (the acronym a paper introduces, else the longest form). ``score`` is the
    probability that it is a right entity and ``salience`` how central it is to the paper, both 0..1.
    ``introduced`` says that the paper presents it as its own. ``definition`` is the long form that the paper
    itself gives for an acronym, or "".
    """

    name: str
    type: str
    mentions: tuple[Mention, ...]
    introduced: bool = False
    score: float = 1.0
    salience: float = 0.0
    source: str = ""
    definition: str = ""

    @property
    def surfaces(self) -> tuple[str, ...]:
        """The distinct surface forms, in order of first mention, and what they name without a vague last word."""
        forms = dict.fromkeys(mention.text for mention in self.mentions)
        return tuple(dict.fromkeys((*forms, *filter(None, map(without_vague_head, forms)))))


def without_vague_head(name: str) -> str:
    """Return a name without a last word that says only that it is a way to do something; "" if it has none.

    What is left is a name by itself, of two words or more: other papers leave the last word out.

    >>> without_vague_head("graph pruning strategy"), without_vague_head("kernel methods"), without_vague_head("LAMP")
    ('graph pruning', '', '')
    """
    rest, _, last = name.rpartition(" ")
    return rest if " " in rest and last.lower() in _VAGUE_HEADS else ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed, directed statement between two entities of one paper.

    ``head`` and ``tail`` index ``Extraction.entities``; ``head_mention`` and ``tail_mention`` index the mentions
    that show it best. ``sentence`` is the stretch of text (one sentence, or several when the ends stand apart)
    that holds both.
    """

    head: int
    type: str
    tail: int
    sentence: Span
    head_mention: int = 0
    tail_mention: int = 0
    score: float = 1.0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A number a paper claims. ``value`` stands in the text as written, at ``span``; names may be ""."""

    value: str
    span: Span
    raw: Span
    sentence: Span
    method: str = ""
    metric: str = ""
    on: str = ""
    baseline: str = ""
    score: float = 1.0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A web address in a paper. ``kind`` is code, data, project or other; ``raw`` its place in the raw text."""

    url: str
    kind: str
    raw: Span


@dataclass(frozen=True, slots=True)
class Keyphrase:
    """A phrase that stands in the text and says what the paper is about; ``score`` 0..1 (cosine)."""

    text: str
    score: float
    raw: Span


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something an extractor or the linker left out, and why (a short fixed reason, to be counted)."""

    text: str
    reason: str


GIVEN: Final = "given"
"""Source of what came from a file of records; as ``extractor`` of an extraction, a colon and a digest follow."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was read from one paper. A pure function of that paper's raw text.

    ``sentences`` are the sentence spans of ``text`` in order. ``acronyms`` holds (short, long) as the paper
    defines them.
    """

    paper_id: str
    content_hash: str
    text: str = ""
    sentences: tuple[Span, ...] = ()
    entities: tuple[PaperEntity, ...] = ()
    relations: tuple[Relation, ...] = ()
    results: tuple[Result, ...] = ()
    links: tuple[Link, ...] = ()
    keyphrases: tuple[Keyphrase, ...] = ()
    acronyms: tuple[tuple[str, str], ...] = ()
    dropped: tuple[Dropped, ...] = ()
    extractor: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record of an input that could not be used, or was used in part: where it stood and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A record that was merged into the paper ``kept``: where it stood and what they share (``doi``, ...)."""

    kept: str
    file: str
    line: int
    by: str


@dataclass(slots=True)
class ReadReport:
    """What reading an input met; filled while papers stream by.

    ``records`` counts all that was seen, ``papers`` and ``with_abstract`` what came out after merging and
    filters, ``duplicates`` the records merged into another. ``filtered`` counts sound records that were not
    asked for, by reason; ``merged`` counts merges by what the records share, ``merges`` lists the first of them.
    """

    records: int = 0
    papers: int = 0
    with_abstract: int = 0
    duplicates: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[Skipped] = field(default_factory=list)
    formats: dict[str, str] = field(default_factory=dict)
    filtered: dict[str, int] = field(default_factory=dict)
    merged: dict[str, int] = field(default_factory=dict)
    merges: list[Merged] = field(default_factory=list)
