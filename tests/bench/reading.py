"""How fast papers are read: each reader that is installed, in one process and in two, and KeyBERT as it comes.

``python -m tests.bench.reading [PAPERS]``. KeyBERT with its default model runs only where sentence-transformers and
the model are installed (it needs torch, which this project does not); elsewhere that row says so.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from extractors.pipeline import load_extractor
from kg.config import ReadConfig
from kg.errors import KgError
from kg.types import Paper, ReadReport
from loaders.papers import read_papers

COUNT = 192
SAMPLE = Path(__file__).parents[1] / "data" / "sample.jsonl"
READERS = ("rules", "fast", "best")


def papers(count: int) -> list[Paper]:
    """Return the sample papers as often as needed; a reader keeps nothing between papers."""
    sample = list(read_papers([SAMPLE], report=ReadReport()))
    return [sample[number % len(sample)] for number in range(count)]


def rate(read: Callable[[list[Paper]], Iterable[object]], count: int) -> float:
    """Return papers a second, the loading of models left out."""
    list(read(papers(2)))
    batch = papers(count)
    start = time.perf_counter()
    for _ in read(batch):
        pass
    return count / (time.perf_counter() - start)


def keybert_rate(count: int) -> float:
    """Return papers a second of KeyBERT with its default model, one thread.

    Raises:
        ImportError: sentence-transformers is not installed.
        OSError: the model is not on this machine.
    """
    import torch
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = KeyBERT(SentenceTransformer("all-MiniLM-L6-v2"))
    return rate(lambda batch: (model.extract_keywords(paper.raw) for paper in batch), count)


def main() -> None:
    """Print one row a reader."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    words = sum(len(paper.raw.split()) for paper in papers(48)) / 48
    print(f"{count} abstracts of {words:.0f} words on average; relations, results, links and keyphrases included")
    for reader in READERS:
        try:
            extractor = load_extractor(ReadConfig(reader=reader))
            one = rate(extractor.read, count)
            two = rate(lambda batch, e=extractor: e.read(batch, processes=2), 2 * count)
            print(f"{reader:8} one process {one:6.1f} abstracts/s   two {two:6.1f} (x{two / one:.2f})", flush=True)
        except KgError as error:
            print(f"{reader:8} {error}", flush=True)
    try:
        print(f"KeyBERT  as it comes, alone {keybert_rate(max(10, count // 8)):6.1f} abstracts/s")
    except (ImportError, OSError) as error:
        print(f"KeyBERT  as it comes: not measured ({error})")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
