"""Check a million invented papers in JSON lines and print the rate and the peak of memory.

python -m tests.bench.check_many_papers [COUNT]
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from loaders.papers import check

COUNT = 1_000_000
WORDS = (
    "we present a method that prunes heads of large models by entropy and show on many benchmarks how little is lost "
    "when half of them go while training stays stable for all seeds because the rest learns what was there before"
).split()


def write_papers(path: Path, count: int) -> None:
    """Write invented papers of about 150 words; one in fifty repeats another, one in a hundred is no JSON."""
    chance = random.Random(7)
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            if number % 100 == 99:
                out.write('{"title": "cut off\n')
                continue
            known = number - 7 if number % 50 == 48 else number
            paper = {
                "id": f"paper{number}",
                "title": f"Pruning study {known} of oaks and elms",
                "abstract": f"Study {known}. " + " ".join(chance.choices(WORDS, k=150)),
                "authors": [f"Jane Doe{known % 999}", "Rick Roe"],
                "venue": f"FOREST {known % 7}",
                "year": 2000 + known % 30,
                "doi": f"10.1000/{known}",
            }
            out.write(json.dumps(paper) + "\n")


def main() -> None:
    """Write the papers to a temporary folder, check them and print what it took."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "papers.jsonl"
        write_papers(path, count)
        before = resource.getrusage(resource.RUSAGE_SELF)
        began = time.perf_counter()
        found = check([path])
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_SELF)
        size = path.stat().st_size
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = found.report
    print(f"{report.records:,} records ({size / 1e9:.2f} GB), {len(report.skipped):,} skipped")
    print(f"{report.papers:,} papers, {report.duplicates:,} duplicates")
    print(f"{wall:.0f} s, {spent:.0f} s of processor: {report.records / spent:,.0f} records a second of processor")
    print(f"peak of memory {after.ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
