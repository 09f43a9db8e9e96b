"""The seam between the pipeline and whatever finds entities and relations in a clean text.

A reader sees the text of one paper and nothing else, so what it finds never depends on neighbours. The rule
reader and the trained reader both keep this promise; acronyms, results, links and keyphrases stay around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from extractors.acronyms import Acronym
from kg.types import CleanText, Dropped, PaperEntity, Relation, Span

if TYPE_CHECKING:
    import numpy as np

    from extractors.linear import Floats
    from extractors.questions import Question


@dataclass(frozen=True, slots=True)
class Page:
    """What a reader is given: one paper's clean text, its sentences, its acronyms and where its title ends."""

    clean: CleanText
    sentences: tuple[Span, ...] = ()
    acronyms: tuple[Acronym, ...] = ()
    title_end: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TextVectors:
    """Vectors from the reader's own pass over a text, for keyphrases.

    ``document`` has shape (m,). ``words`` has shape (n, m), one row for each of ``word_spans``. A phrase's
    vector is the mean of the rows of its words. Cosine between them is similarity of meaning.
    """

    document: np.ndarray
    words: np.ndarray
    word_spans: tuple[Span, ...]


class AnswerScores(Protocol):
    """Judges what numbers belong to with the reader's own pass over a text."""

    def rescored(self, questions: Sequence[Question], counted: Sequence[Floats]) -> Sequence[Floats]:
        """Return the log-odds of the options of one number's questions, one array a question.

        ``counted`` holds the same by counted weights.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader found in one text. ``vectors`` and ``answers`` only where its pass yields them."""

    entities: tuple[PaperEntity, ...] = ()
    relations: tuple[Relation, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    vectors: TextVectors | None = None
    answers: AnswerScores | None = None


class Reader(Protocol):
    """Finds entities and relations. ``version`` changes whenever the same text could be read differently."""

    @property
    def version(self) -> str:
        """What its readings depend on besides the text."""
        ...

    def read(self, page: Page) -> Reading:
        """Return what one text holds; never raises for any text."""
        ...
