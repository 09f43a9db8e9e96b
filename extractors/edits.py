"""Edits of a text whose characters know where they stood in the raw text.

What an edit deletes is claimed by the character next to it: the raw span of a marked word holds its marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

NEXT, PREVIOUS = "next", "previous"


class Edit(NamedTuple):
    """Put ``new`` in place of ``[start, end)``, not empty; ``claimed_by`` says who claims a deletion."""

    start: int
    end: int
    new: str = ""
    claimed_by: str = ""


Rule = Callable[[str], Iterable[Edit]]
Match = re.Match[str]


class Draft:
    """A text on its way: its characters, and the raw span that each came from."""

    def __init__(self, text: str, starts: list[int], ends: list[int]) -> None:
        self.text, self.starts, self.ends = text, starts, ends

    def edited(self, edits: Iterable[Edit]) -> Draft:
        """Return a draft with the edits made; they are in order and do not overlap."""
        edits = list(edits)
        if not edits:
            return self
        copy = _Copy(self)
        for edit in edits:
            copy.keep(until=edit.start)
            copy.put(edit)
        copy.keep(until=len(self.text))
        return Draft("".join(copy.parts), copy.starts, copy.ends)


class _Copy:
    """The edited copy of a draft, as far as it is written."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.done = 0  # how much of the draft is copied or replaced
        self.claim: int | None = None  # the raw start of marks that the next character claims

    def keep(self, *, until: int) -> None:
        stay = slice(self.done, until)
        self._add(self.draft.text[stay], self.draft.starts[stay], self.draft.ends[stay])
        self.done = until

    def put(self, edit: Edit) -> None:
        start, end = self.draft.starts[edit.start], self.draft.ends[edit.end - 1]
        if edit.new:
            self._add(edit.new, [start] * len(edit.new), [end] * len(edit.new))
        elif edit.claimed_by == NEXT and self.claim is None:
            self.claim = start
        elif edit.claimed_by == PREVIOUS and self.claim is None and self.ends:
            self.ends[-1] = end
        self.done = edit.end

    def _add(self, text: str, starts: list[int], ends: list[int]) -> None:
        if text and self.claim is not None:
            starts = [self.claim, *starts[1:]]
            self.claim = None
        self.parts.append(text)
        self.starts += starts
        self.ends += ends


def replace(pattern: str, new: str | Callable[[Match], str | None], *, claimed_by: str = "", flags: int = 0) -> Rule:
    """Return a rule that puts ``new`` for every match; None from a function leaves the match alone."""
    compiled = re.compile(pattern, flags)

    def rule(text: str) -> Iterator[Edit]:
        for match in compiled.finditer(text):
            answer = new if isinstance(new, str) else new(match)
            if answer is not None and answer != match.group():
                yield Edit(match.start(), match.end(), answer, claimed_by)

    return rule


def unwrap(pattern: str, *, flags: int = 0) -> Rule:
    """Return a rule that keeps the first group of every match and deletes the marks around it."""
    compiled = re.compile(pattern, flags)

    def rule(text: str) -> Iterator[Edit]:
        for match in compiled.finditer(text):
            yield Edit(match.start(), match.start(1), claimed_by=NEXT)
            yield Edit(match.end(1), match.end(), claimed_by=PREVIOUS)

    return rule
