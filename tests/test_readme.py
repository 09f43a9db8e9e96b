"""The README tells the truth: every ``$ kg`` command in it prints what stands below it.

``python -m tests.test_readme`` writes the real output into the README.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from tests.conftest import DATA, ROOT

README = ROOT / "README.md"
#: Share of the words that must be the same.
ALIKE = 0.6
BLOCK = re.compile(r"```console\n\$ (kg (?:[^\n]|\\\n)*?(?:'[^']*')?[^\n]*)\n(.*?)```", re.S)


def commands() -> list[tuple[str, str]]:
    return [(match[1], match[2]) for match in BLOCK.finditer(README.read_text(encoding="utf-8"))]


def output_of(command: str, graphs: Path) -> str:
    """What a command prints on stdout, without trailing blanks and empty lines at both ends."""
    arguments = [sys.executable, "-m", *shlex.split(command)]
    environment = {**os.environ, "KG_GRAPHS": str(graphs)}
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return "\n".join(line.rstrip() for line in done.stdout.split("\n")).strip("\n")


def words_of(output: str) -> list[str]:
    """The words of an output but for numbers with a fraction and the lines between."""
    return [word for word in output.split() if not re.fullmatch(r"\d*\.\d+%?|─+", word)]


@pytest.mark.parametrize(("command", "shown"), commands())
def test_readme_shows_real_output(command: str, shown: str, sample_graphs: Path) -> None:
    output = output_of(command, sample_graphs)
    assert output.split("\n")[0].split() == shown.split("\n")[0].split()
    printed = words_of(output)
    # other processors round the reader's products otherwise, and what is doubtful falls on the other side there
    assert SequenceMatcher(None, printed, words_of(shown), autojunk=False).ratio() >= ALIKE, printed


def test_readme_has_five_queries() -> None:
    assert sum(command.startswith("kg query") for command, _ in commands()) >= 5


def test_readme_python_example_runs(sample_graphs: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    done = subprocess.run(
        [sys.executable, "-c", code.replace('kg.load("sample")', f'kg.load("sample", graphs={str(sample_graphs)!r})')],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def rewrite() -> None:
    """Replace the output below each command by what it prints now."""
    from kg.pipeline import build

    with tempfile.TemporaryDirectory() as folder:
        build([DATA / "sample.jsonl"], name="sample", graphs=folder)
        text = README.read_text(encoding="utf-8")
        text = BLOCK.sub(lambda m: f"```console\n$ {m[1]}\n{output_of(m[1], Path(folder))}\n```", text)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
