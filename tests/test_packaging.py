"""The wheel, installed as a user would: alone in a fresh environment, without torch."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAPERS = "Papers\n\nWe introduce Lantern Search (LS), a tree search algorithm for theorem proving on miniF2F.\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a fresh environment that holds the locked run-time packages and the wheel."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, ROOT)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "fresh", with_pip=True)
    tools = place / "fresh" / "bin"
    locked = ROOT / "requirements" / "run.txt"
    run(tools / "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", locked)
    run(tools / "pip", "install", "--quiet", "--no-deps", wheel)
    return tools


def run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_packaging_wheel_builds_queries_and_draws_without_torch(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "papers.txt").write_text(PAPERS, encoding="utf-8")
    run(installed / "kg", "build", "papers.txt", "--view", cwd=tmp_path)
    cypher = (
        "MATCH (:Paper)-[:INTRODUCES]->(m:Method) WHERE 'Lantern Search' IN m.aliases + [m.name] RETURN count(m) AS n"
    )
    rows = run(installed / "kg", "query", "papers", cypher, "--format", "json", cwd=tmp_path)
    assert json.loads(rows) == [{"n": 1}]
    assert (tmp_path / "graphs" / "papers" / "view.html").stat().st_size > 100_000
    listed = json.loads(run(installed / "pip", "list", "--format", "json"))
    assert not {package["name"] for package in listed} & {"torch", "sentence-transformers", "transformers"}


def test_packaging_lists_every_package() -> None:
    import tomllib

    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    there = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("kg", "extractors", "loaders")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert sorted(listed) == sorted(there)
