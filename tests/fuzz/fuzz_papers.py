"""Fuzz the readers of papers with atheris (coverage-guided) for a limited time.

    pip install atheris
    python -m tests.fuzz.fuzz_papers [SECONDS]

Begins with the files of the tests and what was found before (``seeds/``). An input that breaks a reader is written
to the working folder as ``crash-...`` or ``timeout-...``: fix the reader, then keep the input under ``seeds/``,
where a test reads it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

SECONDS = 60
SEEDS = Path(__file__).parent / "seeds"


def write_seeds(folder: Path) -> None:
    """Write the files of the tests, and former findings, as the first inputs."""
    from tests import test_papers_json, test_papers_references, test_papers_tables, test_papers_text

    modules = (test_papers_json, test_papers_references, test_papers_tables, test_papers_text)
    cases = [case for module in modules for name in vars(module) if name.isupper() for case in cases_in(module, name)]
    for number, case in enumerate(cases):
        content = case.content.encode() if isinstance(case.content, str) else case.content
        (folder / f"case{number}").write_bytes(content)
    for path in SEEDS.glob("*"):
        (folder / path.name).write_bytes(path.read_bytes())


def cases_in(module: object, name: str) -> list:
    """Return the cases that a module keeps under a name."""
    value = getattr(module, name)
    return [case for case in value if hasattr(case, "content")] if isinstance(value, list) else []


def main() -> None:
    """Fuzz for so many seconds."""
    import atheris

    with atheris.instrument_imports(include=["loaders.papers", "kg.types"]):
        from tests.fuzz.papers_target import read_as_file, read_with_each_reader

    def one_input(data: bytes) -> None:
        read_as_file(data)
        read_with_each_reader(data)

    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        write_seeds(Path(folder))
        options = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-max_len=4096", folder]
        atheris.Setup([sys.argv[0], *options], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
