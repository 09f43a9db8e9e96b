"""From files of papers to a graph on disk: the one place where loaders, extractors and the graph meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kg.building import BuildOptions, Built, Change, Staged, apply_change
from kg.changes import Changes
from kg.config import DEFAULT_GRAPHS, ReadConfig
from kg.errors import UsageError
from kg.graph import part_of
from kg.records import extraction_record
from kg.similarity import Similarity
from kg.storage import graph_folder
from kg.types import Extraction, Paper, ReadReport

Item = TypeVar("Item")
FilePath = str | Path
_ENDINGS = re.compile(r"(\.(gz|zip|zst|bz2|xz|txt|md|jsonl|ndjson|json|bib|ris|csv|tsv|xml|nbib|enl|parquet))+$", re.I)
_SHARE_TO_CHANGE = 0.1
"""Edges that may differ for the store to be changed in place; from there on loading it anew is faster."""
_NOT_IN_NAMES = re.compile(r"[^\w .+-]+")


class Track(Protocol):
    """Passes items on and shows how far it is."""

    def __call__(self, items: Iterable[Item], *, label: str, total: int | None = None) -> Iterator[Item]:
        """Yield the items in order."""


def silent(items: Iterable[Item], *, label: str, total: int | None = None) -> Iterator[Item]:
    """Pass items on and show nothing."""
    return iter(items)


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build read, skipped and made."""

    name: str
    folder: Path
    built: Built
    report: ReadReport = field(default_factory=ReadReport)

    def summary(self) -> dict[str, Any]:
        """Return the counts as plain values."""
        manifest = self.built.version.manifest()
        return {
            "name": self.name,
            "folder": str(self.folder),
            "records": self.report.records,
            "read": self.built.read,
            "reused": self.built.reused,
            "removed": self.built.removed,
            "duplicates": self.report.duplicates,
            "skipped": [{"file": s.file, "line": s.line, "reason": s.reason} for s in self.report.skipped],
            **{key: manifest[key] for key in ("papers", "nodes", "edges", "dropped", "seconds")},
        }

    def sentence(self) -> str:
        """Say in one line what is there now."""
        counts = self.summary()
        nodes, edges = sum(counts["nodes"].values()), sum(counts["edges"].values())
        return (
            f"{self.name}: {counts['papers']} papers ({counts['read']} read, {counts['reused']} known), "
            f"{nodes} nodes, {edges} edges, {len(counts['skipped'])} records skipped, in {counts['seconds']} s "
            f"-> {self.folder}"
        )


def build(
    inputs: Sequence[FilePath] | FilePath,
    *,
    name: str | None = None,
    graphs: FilePath = DEFAULT_GRAPHS,
    config: ReadConfig | None = None,
    options: BuildOptions | None = None,
    processes: int = 1,
    replace: bool = False,
    extractions: FilePath | None = None,
    overrides: FilePath | None = None,
    filters: Mapping[str, Any] | None = None,
    track: Track = silent,
) -> BuildReport:
    """Read papers into a graph; on a graph that exists, add new papers and replace changed ones.

    Args:
        inputs: Files of papers.
        name: Name of the graph; from the first input if not given.
        graphs: Folder of graphs.
        config: How papers are read.
        options: Which nodes beside the entities (authors, venues).
        processes: Processes that read papers.
        replace: Start anew.
        extractions: A file of records as `kg extract` writes them, joined by paper id, instead of reading the papers.
        overrides: A file of corrections (see `kg.overrides`), kept with the graph from then on.
        filters: Keyword arguments of `loaders.papers.read_papers` (limit, since, venue, year).
        track: Shows progress.

    Raises:
        InputError: A file cannot be read or holds no paper; the graph stays as it was.
        GraphBusy: Another process is building the same graph.
    """
    files = as_files(inputs)
    name = name or name_of(files[0])
    folder = graph_folder(Path(graphs), name)
    report = ReadReport()
    papers = list(read_inputs(files, report, filters))
    version, read_in_order = _reading(extractions, config, processes)

    def read(unread: Sequence[Paper]) -> Iterator[Extraction]:
        return track(read_in_order(unread), label="Reading papers", total=len(unread))

    change = Change(
        papers=papers,
        replace=replace,
        read=read,
        extractor=version,
        finish=write_store,
        options=options or BuildOptions(),
        overrides=Path(overrides) if overrides else None,
        similarity=similarity(),
        manifest={
            "name": name,
            "inputs": [str(path) for path in files],
            "version": package_version("paperkg"),
            "merged": dict(sorted(report.merged.items())),
            "skipped": len(report.skipped),
        },
    )
    return BuildReport(name, folder, apply_change(folder, change), report)


def _reading(
    extractions: FilePath | None, config: ReadConfig | None, processes: int
) -> tuple[str, Callable[[Sequence[Paper]], Iterator[Extraction]]]:
    """Return the version of what reads papers, and a function that reads them: from records, or from the text."""
    if extractions:
        from extractors.cleaning import clean
        from extractors.given import read_given

        given = read_given(Path(extractions), clean=clean)
        return given.version, given.read
    from extractors.pipeline import load_extractor

    extractor = load_extractor(config)
    return extractor.version, partial(extractor.read, processes=processes)


def remove(name: str, papers: Sequence[str], *, graphs: FilePath = DEFAULT_GRAPHS) -> BuildReport:
    """Take papers out of a graph, with everything that only they support.

    Raises:
        GraphNotFound: There is no such graph.
        UsageError: It holds no such paper, or none would be left.
    """
    from kg.storage import open_version

    folder = graph_folder(Path(graphs), name)
    manifest = open_version(folder).manifest()
    kept = {key: manifest[key] for key in ("name", "inputs", "version", "merged", "skipped")}
    change = Change(
        removed=papers,
        finish=write_store,
        extractor=manifest["extractor"],
        options=BuildOptions(**manifest["options"]),
        similarity=similarity(),
        manifest=kept,
    )
    return BuildReport(name, folder, apply_change(folder, change))


def similarity() -> Similarity:
    """Return the word vectors that ship with the package, for names that mean the same in other words."""
    from extractors.phrase_vectors import load_word_vectors

    vectors = load_word_vectors()
    return Similarity(vectors.version, vectors.embed)


def extract_records(
    papers: Iterable[Paper], *, config: ReadConfig | None = None, processes: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield what each paper states in the format of ``kg extract``, in order."""
    from extractors.pipeline import load_extractor

    return map(extraction_record, load_extractor(config).read(papers, processes=processes))


def extract_apart(
    papers: Iterable[Paper], *, config: ReadConfig | None = None, processes: int = 1
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield what the reader alone says of each paper, and what the whole pipeline does, as `extract_records`."""
    from extractors.pipeline import load_extractor

    for alone, whole in load_extractor(config).read_apart(papers, processes=processes):
        yield extraction_record(alone), extraction_record(whole)


def read_inputs(
    files: Sequence[FilePath], report: ReadReport, filters: Mapping[str, Any] | None = None
) -> Iterator[Paper]:
    """Yield the papers of files, each once."""
    from loaders.papers import read_papers

    return read_papers(files, report=report, **(filters or {}))


def write_store(staged: Staged) -> None:
    """Put the embedded Cypher store of a version into its folder: the one before, changed, or a new one."""
    from loaders.stores import is_store, load_store
    from loaders.stores.embedded import change_store

    folder, changes, old = staged.folder / "store", staged.changes, staged.old
    if old is None or changes is None or not is_store(old.store) or _is_large(changes, staged.edges):
        load_store(staged.graph(), folder)
        return
    change_store(
        old.store,
        folder,
        part_of(changes),
        nodes=[node.id for node in changes.nodes],
        edges_gone=changes.leaving(),
        nodes_gone=[*changes.nodes_gone, *changes.relabelled],
        old_labels=changes.old_labels,
    )


def _is_large(changes: Changes, edges: int) -> bool:
    return len(changes.edges) + len(changes.edges_gone) > _SHARE_TO_CHANGE * edges


def as_files(inputs: Sequence[FilePath] | FilePath) -> list[FilePath]:
    """Return one or several inputs as a list.

    Raises:
        UsageError: There is none.
    """
    files = [inputs] if isinstance(inputs, (str, Path)) else list(inputs)
    if not files:
        raise UsageError("no input; name at least one file of papers")
    return files


def name_of(path: FilePath) -> str:
    """Return the name of the graph that a file makes.

    >>> name_of("lists/icml 2026.txt.gz"), name_of("-")
    ('icml 2026', 'papers')
    """
    stem = _NOT_IN_NAMES.sub("-", _ENDINGS.sub("", Path(path).name)).strip("-. _")
    return stem or "papers"
