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
import pyarrow as pa
import pyarrow.compute as pc

from kg.assembly import CLOSES_CIRCLE
from kg.changes import Changes
from kg.corpus import Corpus, Known, changed, read_corpus, read_known, write_corpus
from kg.errors import InputError, UsageError
from kg.facts import PaperFacts
from kg.graph_tables import GraphTables
from kg.link_tables import LinkTables
from kg.overrides import Overrides, read_overrides
from kg.pending import discard_pending, open_pending
from kg.reassembly import reassemble
from kg.relinking import LINKING_VERSION, relink
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
from kg.tables import read_graph, read_tables, write_tables
from kg.types import GIVEN, Extraction, Paper

Read = Callable[[Sequence[Paper]], Iterable[Extraction]]


@dataclass(frozen=True, slots=True)
class Staged:
    """A version that is not published yet: its folder, the version before it, if any, and what differs between them.

    ``edges`` is how many edges it has. ``changes`` is None where all was made anew.
    """

    folder: Path
    old: Version | None
    changes: Changes | None
    edges: int

    def graph(self) -> nx.MultiDiGraph:
        """Return the graph; for large ones that takes a while, and ``changes`` may be all that is needed."""
        return read_graph(self.folder)


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
        was, sound = read_corpus(old.path) if old else (Corpus(), False)
        corpus, renewed = changed(was, papers, fresh, removed=change.removed)
        overrides = _take_overrides(folder, change.overrides)
        made_of = _made_of(change, overrides)
        if old and sound and old.manifest().get("made_of") == made_of:
            before = _Before(read_tables(old.path, LinkTables), read_tables(old.path, GraphTables))
            touched = {*change.removed, *(item.paper.id for item in renewed)}
        else:
            before, touched = _Before(), set(corpus.ids)
        known_facts = {item.paper.id: item for item in renewed}

        def facts_of(ids: Collection[str]) -> list[PaperFacts]:
            return sorted(
                [*corpus.facts(ids - known_facts.keys()), *(known_facts[id] for id in known_facts.keys() & ids)],
                key=lambda item: item.paper.id,
            )

        relinking = relink(before.links, facts_of(touched), touched, overrides, change.similarity)
        authors, venues = change.options.authors, change.options.venues
        made = reassemble(before.graph, before.links, relinking, touched, facts_of, authors=authors, venues=venues)
        with new_version(folder) as staged:
            write_corpus(staged, corpus)
            write_tables(staged, relinking.tables)
            write_tables(staged, made.tables)
            changes = made.changes if len(before.graph.nodes) else None
            change.finish(Staged(staged, old, changes, len(made.tables.edges)))
            counts = _counts(corpus, relinking.tables, made.tables, overrides)
            seconds = round(time.monotonic() - started, 1)
            write_manifest(staged, {**_manifest(change), **counts, "made_of": made_of, "seconds": seconds})
        discard_pending(_pending(folder))
        if old:
            old.close()
        dropped = Counter[str](counts["dropped"])
        return Built(open_version(folder), len(fresh) - pended, reused, len(set(change.removed)), dropped)


@dataclass(frozen=True, slots=True)
class _Before:
    """What a build starts from; nothing where all has to be made anew."""

    links: LinkTables = field(default_factory=LinkTables)
    graph: GraphTables = field(default_factory=GraphTables)


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


def _made_of(change: Change, overrides: Overrides) -> dict[str, Any]:
    """Return what a graph depends on besides its papers: where it differs, all is linked and assembled anew."""
    return {
        "linking": LINKING_VERSION,
        "options": {"authors": change.options.authors, "venues": change.options.venues},
        "overrides": overrides.digest,
        "similarity": change.similarity.version if change.similarity else "",
    }


def _manifest(change: Change) -> dict[str, Any]:
    return {
        **change.manifest,
        "extractor": change.extractor,
        "built_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "options": {"authors": change.options.authors, "venues": change.options.venues},
    }


def _counts(corpus: Corpus, links: LinkTables, graph: GraphTables, overrides: Overrides) -> dict[str, Any]:
    dropped: Counter[str] = Counter()
    for reason, count in zip(*(graph.dropped[name].to_pylist() for name in ("reason", "count")), strict=True):
        dropped[reason] += count
    if len(graph.circles):
        dropped[CLOSES_CIRCLE] += len(graph.circles)
    names = links.claims.group_by(["type", "key"]).aggregate([])
    unused = overrides.forms()
    if unused:
        unused -= {form for name in ("form", "key") for form in pc.unique(links.claims[name]).to_pylist()}
    return {
        "papers": len(corpus.packed),
        "nodes": _counted(graph.nodes["label"]),
        "edges": _counted(graph.edges["type"]),
        "names": len(names),
        "entities": len(links.entities),
        "overrides": overrides.digest,
        "overrides_unused": sorted(unused),
        "dropped": dict(sorted(dropped.items())),
    }


def _counted(column: pa.ChunkedArray) -> dict[str, int]:
    return {
        item["values"]: item["counts"]
        for item in sorted(pc.value_counts(column).to_pylist(), key=lambda item: item["values"])
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
