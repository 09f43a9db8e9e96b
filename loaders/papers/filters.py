"""Which papers are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from kg.types import Paper


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which papers are asked for. ``since`` and ``year`` are years; ``venue`` is a part of a name."""

    limit: int | None = None
    since: int | None = None
    venue: str = ""
    year: int | None = None
    rejected: bool = False

    def refusal(self, paper: Paper) -> str:
        """Return why a paper is not asked for, or ""."""
        if self.year is not None and paper.year != self.year:
            return f"not of {self.year}"
        if self.since is not None and (paper.year is None or paper.year < self.since):
            return f"not since {self.since}"
        if self.venue and self.venue.casefold() not in paper.venue.casefold():
            return f"not of {self.venue}"
        return ""
