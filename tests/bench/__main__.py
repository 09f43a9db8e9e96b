"""Run every measurement and name the machine: ``make bench``, or ``python -m tests.bench NAME...`` for some."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

BENCHES = {
    "reading": ["tests.bench.reading"],
    "papers": ["tests.bench.check_many_papers"],
    "linking": ["tests.bench.linking", "../shared/corpora/conferences/papers.jsonl.gz", "--kept", "build/kept"],
    "embedded": ["tests.bench.stores", "embedded"],
    "neo4j": ["tests.bench.stores", "neo4j"],
    "views": ["tests.bench.views"],
}


def machine() -> str:
    """Return processor, cores and Python version."""
    names = [line.partition(":")[2].strip() for line in _processors() if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _processors() -> list[str]:
    file = Path("/proc/cpuinfo")
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def main() -> None:
    """Run the measurements named on the command line, or all."""
    print(machine(), flush=True)
    for name in sys.argv[1:] or BENCHES:
        print(f"\n== {name}", flush=True)
        subprocess.run([sys.executable, "-m", *BENCHES[name]], check=False)


if __name__ == "__main__":
    main()
