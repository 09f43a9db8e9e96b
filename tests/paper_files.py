"""Small files in the formats that papers come in, read and compared value by value."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.types import Paper, ReadReport
from loaders.papers import read_papers


@dataclass(frozen=True)
class Case:
    """A file, the format it must be read as, and fields of the papers that must come out, in order."""

    name: str
    content: str | bytes
    form: str
    papers: list[dict[str, Any]]
    skipped: list[tuple[int, str]] = field(default_factory=list)
    filtered: dict[str, int] = field(default_factory=dict)


def read(*inputs: Path | str, **options: Any) -> tuple[list[Paper], ReadReport]:
    report = ReadReport()
    return list(read_papers(inputs, report=report, **options)), report


def check(case: Case, folder: Path) -> None:
    path = folder / "input"
    path.write_bytes(case.content.encode() if isinstance(case.content, str) else case.content)
    papers, report = read(path)
    seen = [{name: getattr(paper, name) for name in wanted} for paper, wanted in zip(papers, case.papers, strict=False)]
    assert seen == case.papers, seen
    assert len(papers) == len(case.papers)
    assert report.formats == {str(path): case.form}
    assert [(fault.line, fault.reason) for fault in report.skipped] == case.skipped, report.skipped
    assert report.filtered == case.filtered
