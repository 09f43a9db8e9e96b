"""Look through inputs without building anything: what is there, what is missing, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from kg.types import Paper, ReadReport
from loaders.papers.languages import language_of
from loaders.papers.reading import read_papers

#: Enough of an abstract to tell its language and to compare it by.
_ABSTRACT_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Check:
    """What inputs hold.

    ``fields`` counts the papers that have each field, ``languages`` the papers with an abstract by ISO 639-1 code
    ("und" where it cannot be told), ``years`` the papers of each year.
    """

    report: ReadReport
    fields: Mapping[str, int]
    languages: Mapping[str, int]
    years: Mapping[int, int]

    @property
    def format(self) -> str:
        """The format of the inputs; several are parted by commas."""
        return ", ".join(sorted(set(self.report.formats.values())))

    def as_record(self) -> dict[str, Any]:
        """Return all of it as one JSON object."""
        report = asdict(self.report)
        return {
            "format": self.format.lower(),
            **{name: report[name] for name in ("records", "papers", "with_abstract", "duplicates")},
            "skipped": report["skipped"],
            "warnings": report["warnings"],
            "filtered": report["filtered"],
            "merged": report["merged"],
            "merges": report["merges"],
            "files": {name: form.lower() for name, form in self.report.formats.items()},
            "fields": dict(self.fields),
            "languages": dict(self.languages),
            "years": {str(year): count for year, count in self.years.items()},
        }


def check(inputs: Sequence[str | Path], **filters: Any) -> Check:
    """Read inputs and count; ``filters`` are those of ``read_papers``.

    Raises:
        InputError: for an input that cannot be read or holds no paper.
    """
    report = ReadReport()
    given: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    years: Counter[int] = Counter()
    for paper in read_papers(inputs, report=report, abstract_chars=_ABSTRACT_CHARS, **filters):
        given.update(_given(paper))
        if paper.abstract:
            languages[language_of(paper.abstract)] += 1
        if paper.year is not None:
            years[paper.year] += 1
    return Check(report, dict(given.most_common()), dict(languages.most_common()), dict(sorted(years.items())))


def _given(paper: Paper) -> list[str]:
    return [field.name for field in fields(paper) if field.name != "id" and getattr(paper, field.name)]
