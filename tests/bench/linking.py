"""How long a graph of a corpus takes, what ten papers more cost, and what linking made of the names.

``python -m tests.bench.linking CORPUS --kept FOLDER [--papers N] [--reader NAME]``. What was read is kept in FOLDER, a
thousand papers a file, so that a second run only links. Prints the figures, the thirty most doubtful merges and the
fifty nodes of most edges.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import networkx as nx

from extractors.pipeline import Extractor, load_extractor
from kg.building import Built, Change, apply_change
from kg.config import ReadConfig
from kg.pipeline import similarity, write_store
from kg.records import decode_extraction, encode
from kg.schema import ENTITY_TYPES
from kg.storage import Version
from kg.types import Extraction, Paper, ReadReport
from loaders.papers import read_papers

SEED = 7
PART = 1000
ADDED = 10
DOUBTFUL = 30
CENTRAL = 50
#: Names that must be one node wherever they are.
ONE = (("RL", "reinforcement learning"), ("LLM", "LLMs", "large language models"))


def read_kept(papers: Sequence[Paper], extractor: Extractor, folder: Path) -> dict[str, Extraction]:
    """Return what papers state, read in parts that are kept in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, Extraction] = {}
    for start in range(0, len(papers), PART):
        path = folder / f"{start // PART:02d}.jsonl"
        if not path.exists():
            partial = path.with_suffix(".partial")
            part = extractor.read(papers[start : start + PART])
            partial.write_bytes(b"".join(encode(extraction) + b"\n" for extraction in part))
            partial.rename(path)
        found.update((item.paper_id, item) for item in map(decode_extraction, path.read_bytes().splitlines()))
    return found


def changed(folder: Path, papers: Sequence[Paper], known: dict[str, Extraction], *, store: bool = True) -> Built:
    """Change the graph in a folder by papers that were read before."""

    def read(unread: Iterable[Paper]) -> Iterator[Extraction]:
        return (known[paper.id] for paper in unread)

    change = Change(
        papers=papers,
        read=read,
        extractor=next(iter(known.values())).extractor,
        similarity=similarity(),
        finish=write_store if store else lambda staged: None,
    )
    return apply_change(folder, change)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long a step took, and how much of a processor."""
    wall, busy = time.perf_counter(), time.process_time()
    yield
    spent = time.process_time() - busy
    print(f"{what:<44} {time.perf_counter() - wall:8.1f} s, {spent:.1f} s of processor", flush=True)


def show(version: Version) -> None:
    """Print what linking made of the names of a graph."""
    manifest = version.manifest()
    print(f"{manifest['names']} names, {manifest['entities']} entities; nodes {manifest['nodes']}")
    print(f"edges {manifest['edges']}")
    merges = version.merges()
    rules = Counter(row.rule for row in merges)
    print(f"{len(merges)} merges: {', '.join(f'{rule} {count}' for rule, count in rules.most_common())}")
    print(f"\nThe {DOUBTFUL} most doubtful merges")
    for row in merges[:DOUBTFUL]:
        print(f"  {row.score:.3f}  {row.rule:<24} {row.papers:4}  {row.name}  <-  {row.other}")
    G = version.graph()
    print(f"\nThe {CENTRAL} nodes of most edges")
    for node, degree in central(G):
        print(f"  {degree:6}  {G.nodes[node]['label']:<10} {G.nodes[node]['name']}")
    for names in ONE:
        nodes = Counter(row.node for row in version.mentions() if row.name in names)
        print(f"{' = '.join(names)}: {', '.join(f'{node} ({count})' for node, count in nodes.most_common())}")


def central(G: nx.MultiDiGraph) -> list[tuple[str, int]]:
    """Return the entities of most edges, most first."""
    degrees = [(node, degree) for node, degree in G.degree() if G.nodes[node]["label"] in ENTITY_TYPES]
    return sorted(degrees, key=lambda item: (-item[1], item[0]))[:CENTRAL]


def main() -> None:
    """Build, add ten papers, compare with a clean build and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--kept", type=Path, required=True, help="folder of what was read")
    parser.add_argument("--papers", type=int, default=10**9)
    parser.add_argument("--reader", default="rules")
    given = parser.parse_args()
    papers = list(read_papers([given.corpus], report=ReadReport()))
    random.Random(SEED).shuffle(papers)
    papers = papers[: given.papers]
    with timed(f"reading {len(papers)} papers (0 where kept)"):
        known = read_kept(papers, load_extractor(ReadConfig(reader=given.reader)), given.kept)
    with tempfile.TemporaryDirectory(dir=given.kept) as folder:
        steps, clean = Path(folder) / "steps", Path(folder) / "clean"
        with timed(f"a graph of {len(papers) - ADDED} papers, its store included"):
            changed(steps, papers[:-ADDED], known)
        with timed(f"{ADDED} papers more, the store included"):
            version = changed(steps, papers[-ADDED:], known).version
        with timed(f"a graph of {len(papers)} papers without a store"):
            other = changed(clean, papers, known, store=False).version
        equal = all(
            path.read_bytes() == (other.path / path.name).read_bytes() for path in version.path.glob("*.parquet")
        )
        print(f"byte for byte equal: {equal}")
        show(version)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB")


if __name__ == "__main__":
    main()
