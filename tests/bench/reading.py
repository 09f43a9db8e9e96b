"""How fast papers are read: each installed reader in one process and in two, beside KeyBERT as it comes.

``python -m tests.bench.reading [PAPERS]``. The texts are conference abstracts of 190 to 210 words where
``../shared/corpora`` is there, else the sample papers. KeyBERT as it comes needs torch, which this project does not:
``PEER_PYTHON`` names a Python that has keybert and sentence-transformers, ``PEER_MODEL`` its model's folder.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

from extractors.pipeline import load_extractor
from extractors.readers import RULES, shipped
from kg.config import ReadConfig
from kg.types import Paper, ReadReport
from loaders.papers import read_papers

COUNT = 200
#: One text in so many is taken, so that years and venues mix.
EVERY = 15
ROOT = Path(__file__).parents[2]
CONFERENCES = ROOT.parent / "shared" / "corpora" / "conferences" / "papers.jsonl.gz"
SAMPLE = ROOT / "tests" / "data" / "sample.jsonl"
PEER = Path(__file__).with_name("peer_keybert.py")


def papers(count: int) -> list[Paper]:
    """Return papers, the same ones in every run; over and over where there are fewer than asked for."""
    report = ReadReport()
    if CONFERENCES.is_file():
        alike = (p for p in read_papers([CONFERENCES], report=report) if 190 <= len(p.abstract.split()) <= 210)
        found = list(islice(alike, 0, count * EVERY, EVERY))
    else:
        found = list(read_papers([SAMPLE], report=report))
    return [found[number % len(found)] for number in range(count)]


def measure(reader: str, count: int) -> dict[str, float]:
    """Read with one process, then with two; nothing was loaded before."""
    batch = papers(2 * count)
    extractor = load_extractor(ReadConfig(reader=reader))
    start, busy = time.perf_counter(), time.process_time()
    extractor.read_one(batch[0])
    first, first_cpu = time.perf_counter() - start, time.process_time() - busy
    list(extractor.read(batch[-8:]))
    start, busy = time.perf_counter(), time.process_time()
    list(extractor.read(batch[:count]))
    one, busy = time.perf_counter() - start, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    list(load_extractor(ReadConfig(reader=reader)).read(batch, processes=2))
    two = time.perf_counter() - start
    peak = max(peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
    return {
        "first": first,
        "first_cpu": first_cpu,
        "one": count / one,
        "cpu": count / busy,
        "two": 2 * count / two,
        "peak": peak,
    }


def keybert_rate(count: int) -> dict[str, float] | str:
    """Return texts a second of KeyBERT with its default model, candidates and one thread, or why there are none."""
    python = os.environ.get("PEER_PYTHON")
    if not python:
        return "not measured; PEER_PYTHON names a Python with keybert and sentence-transformers"
    model = os.environ.get("PEER_MODEL", "all-MiniLM-L6-v2")
    texts = json.dumps([paper.raw for paper in papers(count)])
    done = subprocess.run([python, str(PEER), model], input=texts, capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout)) if done.returncode == 0 else f"not measured: {done.stderr.strip()[-200:]}"


def _alone(reader: str, count: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.reading", str(count), reader]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Print one row a reader, each measured in a process of its own."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    if len(sys.argv) > 2:
        print(json.dumps(measure(sys.argv[2], count)))
        return
    words = sum(len(paper.raw.split()) for paper in papers(count)) / count
    print(f"{count} abstracts of {words:.0f} words with titles; relations, results, links and keyphrases included")
    print("(abstracts a second of wall time; a second of processor time in brackets)")
    peer = keybert_rate(max(10, count // 5))
    if isinstance(peer, str):
        print(f"KeyBERT  as it comes: {peer}", flush=True)
    else:
        print(f"KeyBERT  as it comes, alone {peer['one']:6.1f} ({peer['cpu']:.1f})", flush=True)
    for reader in (RULES, *shipped()):
        row = _alone(reader, count)
        times = f"  {row['one'] / peer['one']:.1f} x KeyBERT" if isinstance(peer, dict) else ""
        print(f"{reader:8} one process {row['one']:6.1f} ({row['cpu']:.1f}){times}", flush=True)
        print(
            f"{'':8} two {row['two']:.1f} (x {row['two'] / row['one']:.2f}), peak {row['peak']:.0f} MB a process, "
            f"first paper after {row['first']:.2f} s ({row['first_cpu']:.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
