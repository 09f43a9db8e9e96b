"""What tests share: the command line in-process, and one graph of the sample papers a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: no property has a deadline.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data"
SHARED = ROOT.parent / "shared"


@dataclass(frozen=True, slots=True)
class Run:
    """What a command left: its exit code, stdout and stderr."""

    code: int
    out: str
    err: str


@pytest.fixture
def kg(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Run ``kg ARGUMENT...`` in this process."""

    def run(*arguments: str | Path) -> Run:
        from kg.cli import main

        monkeypatch.setattr("sys.argv", ["kg", *map(str, arguments)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        shown = capsys.readouterr()
        return Run(code, shown.out, shown.err)

    return run


@pytest.fixture(scope="session")
def sample_graphs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graphs folder that holds the graph "sample", built once from tests/data/sample.jsonl."""
    from kg.pipeline import build

    folder = tmp_path_factory.mktemp("graphs")
    build([DATA / "sample.jsonl"], name="sample", graphs=folder)
    return folder


@pytest.fixture
def in_sample(sample_graphs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make every command look for graphs where "sample" is."""
    monkeypatch.setenv("KG_GRAPHS", str(sample_graphs))
    return sample_graphs


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of corpora and annotations; a test that needs it skips where it is not."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the corpora in {SHARED}, which a clone of the repository does not hold")
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a server or a browser that is not here, and say so."""
    skip_neo4j = pytest.mark.skip(reason="needs a Neo4j server: start one with `make neo4j` and set NEO4J_URI")
    for item in items:
        if item.get_closest_marker("neo4j") and not os.environ.get("NEO4J_URI"):
            item.add_marker(skip_neo4j)
