"""Building a graph folder: what to read anew, what to keep, and one whole new version at the end.

The graph after any sequence of additions, changes and removals equals a clean build of the final set of papers.
"""

from __future__ import annotations

import contextlib
import gc
import shutil
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import networkx as nx

from kg.assembly import assemble
from kg.changes import Changes, changes_since
from kg.corpus import Corpus, Known, changed, read_corpus, read_known, write_corpus
from kg.elements import Assembly
from kg.errors import InputError, UsageError
from kg.graph import part_around, to_networkx
from kg.linking import Linking, link
from kg.overrides import Overrides, read_overrides
from kg.pending import discard_pending, open_pending
from kg.similarity import Similarity
from kg.storage import (
    Version,
    build_lock,
    has_graph,
    new_version,
    open_version,
    overrides_path,
    write_manifest,
)
from kg.tables import write_tables
from kg.types import GIVEN, Extraction, Paper

Read = Callable[[Sequence[Paper]], Iterable[Extraction]]


@dataclass(frozen=True, slots=True)
class Staged:
    """A version that is not published yet: its folder, what it holds, and the version before it, if any."""

    folder: Path
    assembly: Assembly
    old: Version | None

    def graph(self) -> nx.MultiDiGraph:
        """Return the graph; for large ones that takes a while, and `changes` may be all that is needed."""
        return to_networkx(self.assembly)

    def part(self, nodes: Collection[str]) -> nx.MultiDiGraph:
        """Return the part of the graph with these nodes, all edges at them and the nodes at the other ends."""
        return part_around(self.assembly, nodes)

    def changes(self) -> Changes | None:
        """Return what differs from the version before; None where there is none."""
        return changes_since(self.old.path, self.assembly) if self.old else None


Finish = Callable[[Staged], None]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What decides how the graph of given extractions looks."""

    authors: bool = False
    venues: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What to do to a graph. ``extractor`` is the version of ``read``: name, model and configuration.

    ``read`` gets the papers whose content this extractor has not read yet, and gives their extractions in the same
    order. ``finish`` gets the version before it is published, to put a store into its folder.
    ``overrides`` is a file that takes the place of the graph's own overrides; those stay when it is None.
    ``similarity`` tells which words of names mean the same; without it no names are joined for their meaning.
    """

    papers: Sequence[Paper] = ()
    removed: Collection[str] = ()
    replace: bool = False
    read: Read = lambda papers: ()
    extractor: str = ""
    finish: Finish = lambda staged: None
    options: BuildOptions = BuildOptions()
    overrides: Path | None = None
    similarity: Similarity | None = None
    manifest: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: the new version, how many papers were read and how many known extractions were used."""

    version: Version
    read: int
    reused: int
    removed: int
    dropped: Counter[str]


def apply_change(folder: Path, change: Change, *, wait: float = 0.0) -> Built:
    """Change a graph, or make it, and publish the result as its new version.

    Args:
        folder: The folder of the graph (see `kg.storage.graph_folder`).
        change: What to do.
        wait: Seconds to wait for another build of the same graph.

    Raises:
        GraphBusy: Another process is building this graph.
        UsageError: A paper to remove is not in the graph, or no paper would be left.
    """
    with build_lock(folder, wait=wait), _without_collector():
        started = time.monotonic()
        old = None if change.replace or not has_graph(folder) else open_version(folder)
        known = read_known(old.path) if old else {}
        _check(change, known)
        papers = _with_stale(change, known, old)
        fresh, reused, pended = _extract(folder, change, papers, known)
        corpus = changed(read_corpus(old.path) if old else Corpus(), papers, fresh, removed=change.removed)
        overrides = _take_overrides(folder, change.overrides)
        linking = link(corpus.facts, overrides, change.similarity)
        assembly = assemble(corpus.facts, linking, authors=change.options.authors, venues=change.options.venues)
        with new_version(folder) as staged:
            write_corpus(staged, corpus)
            write_tables(staged, corpus.facts, linking, assembly)
            change.finish(Staged(staged, assembly, old))
            write_manifest(staged, _manifest(change, corpus, overrides, linking, assembly, time.monotonic() - started))
        discard_pending(_pending(folder))
        if old:
            old.close()
        removed = len(set(change.removed))
        dropped = Counter(item.reason for item in assembly.dropped)
        return Built(open_version(folder), len(fresh) - pended, reused, removed, dropped)


def _check(change: Change, known: Mapping[str, Known]) -> None:
    missing = sorted(set(change.removed) - known.keys())
    if missing:
        raise UsageError(
            f"no paper {missing[0]!r} in the graph; `kg query` with MATCH (p:Paper) RETURN p.paper_id lists them"
        )
    if not change.papers and not known.keys() - set(change.removed):
        raise UsageError("no paper would be left in the graph; delete its folder to be rid of it")


def _with_stale(change: Change, known: Mapping[str, Known], old: Version | None) -> list[Paper]:
    """Return the papers of a change and those of the graph that an older extractor read: they are read again.

    Given records are nobody's older reading: they stay until their own papers are built anew.
    """
    papers = {paper.id: paper for paper in change.papers}
    if not old or not change.extractor or _is_given(change.extractor):
        return list(papers.values())
    stale = {id for id, item in known.items() if item.extractor != change.extractor and not _is_given(item.extractor)}
    if stale - papers.keys() - set(change.removed):
        for paper in old.papers():
            if paper.id in stale and paper.id not in change.removed:
                papers.setdefault(paper.id, paper)
    return list(papers.values())


def _is_given(extractor: str) -> bool:
    return extractor.startswith(f"{GIVEN}:")


def _extract(
    folder: Path, change: Change, papers: Sequence[Paper], known: Mapping[str, Known]
) -> tuple[dict[str, Extraction], int, int]:
    """Return extractions of the papers that are not stored, how many were known, and how many of these pending."""
    wanted = [paper for paper in papers if known.get(paper.id) != Known(paper.content_hash, change.extractor)]
    fresh: dict[str, Extraction] = {}
    with open_pending(_pending(folder)) as pending:
        unread = []
        for paper in wanted:
            stored = pending.get(paper, change.extractor)
            if stored:
                fresh[paper.id] = stored
            else:
                unread.append(paper)
        pended = len(fresh)
        for extraction in change.read(unread):
            pending.put(extraction, change.extractor)
            fresh[extraction.paper_id] = extraction
    return fresh, len(papers) - len(wanted) + pended, pended


def _pending(folder: Path) -> Path:
    return folder / "pending.sqlite"


def _take_overrides(folder: Path, given: Path | None) -> Overrides:
    """Return the overrides of a graph; a given file is checked, then kept as its own.

    Raises:
        InputError: The file is missing or holds what is no override.
    """
    own = overrides_path(folder)
    if given is not None:
        if not given.is_file():
            raise InputError(f"no overrides in {given}: no such file")
        read_overrides(given)
        if given.resolve() != own.resolve():
            shutil.copyfile(given, own)
    return read_overrides(own)


def _manifest(
    change: Change, corpus: Corpus, overrides: Overrides, linking: Linking, assembly: Assembly, seconds: float
) -> dict[str, Any]:
    return {
        **change.manifest,
        "extractor": change.extractor,
        "built_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "options": {"authors": change.options.authors, "venues": change.options.venues},
        "papers": len(corpus.facts),
        "nodes": dict(sorted(Counter(str(node.attributes["label"]) for node in assembly.nodes).items())),
        "edges": dict(sorted(Counter(edge.type for edge in assembly.edges).items())),
        "names": len({(claim.type, claim.key) for facts in corpus.facts for claim in facts.claims}),
        "entities": len(linking.entities),
        "overrides": overrides.digest,
        "similarity": change.similarity.version if change.similarity else "",
        "overrides_unused": sorted(overrides.forms() - linking.forms.keys()),
        "dropped": dict(sorted(Counter(item.reason for item in assembly.dropped).items())),
    }


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the cyclic garbage collector: millions of small records hold no cycles, and scanning them takes longer
    than making them."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()
