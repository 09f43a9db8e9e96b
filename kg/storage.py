"""Where graphs live: ``graphs/NAME/`` with whole versions and one small file that points to the current one.

::

    NAME/current                 the name of the current version, replaced atomically
    NAME/lock                    held by whoever builds
    NAME/pending.sqlite          what an unfinished build has read so far
    NAME/overrides.toml          corrections by hand, if any (see `kg.overrides`)
    NAME/versions/000003/        papers, nodes, edges, evidence, mentions, merges, facts and extractions (Parquet), the
                                 tables that the next build starts from (see `kg.link_tables`, `kg.graph_tables`),
                                 manifest.json, store/ (Cypher)

A version is written under another name and renamed when it is whole, so a reader sees a whole version or none.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import networkx as nx

from kg.decisions import MentionRow, MergeRow
from kg.errors import GraphNotFound, UsageError
from kg.locks import exclusive, hold_shared, unless_shared
from kg.tables import read_graph, read_mentions, read_merges, read_papers
from kg.types import Paper

_POINTER: Final = "current"
_VERSIONS: Final = "versions"
_IN_USE: Final = "in-use"
_MANIFEST: Final = "manifest.json"
_UNFINISHED: Final = "unfinished"
#: Rises whenever a version written before could not be read; such a graph has to be built again.
_LAYOUT: Final = 3
_NAME: Final = re.compile(r"^[^\W_][\w .+-]{0,99}$")
#: Whole versions that stay besides those that are being read: the current one and the one before.
_KEPT: Final = 2


@dataclass(frozen=True, slots=True)
class Version:
    """A whole version of a graph on disk. While ``hold`` is open, the version is not pruned."""

    path: Path
    hold: IO[str] | None = None

    @property
    def store(self) -> Path:
        """The folder of the Cypher store."""
        return self.path / "store"

    @property
    def view(self) -> Path:
        """The place of the HTML view."""
        return self.path / "view.html"

    def manifest(self) -> dict[str, Any]:
        """Return what the version was made of, when and how large it is."""
        read: dict[str, Any] = json.loads((self.path / _MANIFEST).read_text(encoding="utf-8"))
        return read

    def graph(self) -> nx.MultiDiGraph:
        """Return the graph."""
        return read_graph(self.path)

    def papers(self) -> list[Paper]:
        """Return the papers, sorted by id."""
        return read_papers(self.path)

    def mentions(self) -> list[MentionRow]:
        """Return the node and rule of every surface of every paper: what `kg mentions` writes."""
        return read_mentions(self.path)

    def merges(self) -> list[MergeRow]:
        """Return which names became one, by which rule, the most doubtful first: what `kg merge-report` shows."""
        return read_merges(self.path)

    def close(self) -> None:
        """Let the version be pruned."""
        if self.hold:
            self.hold.close()


def graph_folder(graphs: Path, name: str) -> Path:
    """Return the folder of a graph, which need not exist.

    Raises:
        UsageError: The name is no plain file name.
    """
    if not _NAME.match(name):
        raise UsageError(f"{name!r} is no name for a graph; use letters, digits, spaces, and . _ + - inside")
    return graphs / name


def overrides_path(folder: Path) -> Path:
    """Return the place of a graph's overrides, which survive every build."""
    return folder / "overrides.toml"


def list_graphs(graphs: Path) -> list[str]:
    """Return the names of the graphs in a folder, sorted."""
    if not graphs.is_dir():
        return []
    return sorted(path.name for path in graphs.iterdir() if (path / _POINTER).is_file())


def has_graph(folder: Path) -> bool:
    """Say whether a graph folder holds a whole version."""
    return (folder / _POINTER).is_file()


def open_version(folder: Path) -> Version:
    """Return the current version of a graph and keep it from being pruned until it is closed or garbage.

    Raises:
        GraphNotFound: There is no graph in this folder.
    """
    while True:
        path = _current(folder)
        hold = hold_shared(path / _IN_USE)
        if hold:
            return _readable(Version(path, hold))
        if path == _current(folder):
            raise GraphNotFound(f"the graph in {folder} has lost its version {path.name}; build it again")


def _readable(version: Version) -> Version:
    layout = version.manifest().get("layout")
    if layout != _LAYOUT:
        name = version.path.parents[1].name
        raise GraphNotFound(
            f"the graph {name!r} has the layout {layout} and this version of paperkg reads {_LAYOUT}; "
            f"build it again: kg build INPUT --name {name} --replace"
        )
    return version


def _current(folder: Path) -> Path:
    try:
        name = (folder / _POINTER).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        there = list_graphs(folder.parent)
        known = f"there are: {', '.join(there)}" if there else "there is none yet; `kg build INPUT` makes one"
        raise GraphNotFound(f"no graph {folder.name!r} in {folder.parent}; {known}") from None
    return folder / _VERSIONS / name


@contextmanager
def build_lock(folder: Path, *, wait: float = 0.0) -> Iterator[None]:
    """Be the only one who builds this graph.

    Raises:
        GraphBusy: Another process is still building it after ``wait`` seconds.
    """
    busy = f"another process is building {folder.name!r}; try again when it has finished, or build under another name"
    with exclusive(folder / "lock", wait=wait, busy=busy):
        yield


@contextmanager
def new_version(folder: Path) -> Iterator[Path]:
    """Give an empty folder to fill, which becomes the current version when the block ends well.

    Call it under `build_lock`. What a killed build left behind is removed first.
    """
    versions = folder / _VERSIONS
    versions.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(folder)
    name = f"{max((int(path.name) for path in _whole(versions)), default=0) + 1:06d}"
    unfinished = versions / f"{_UNFINISHED}-{name}"
    unfinished.mkdir()
    try:
        yield unfinished
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    (unfinished / _IN_USE).touch()
    _sync(unfinished)
    unfinished.rename(versions / name)
    _point(folder, name)
    prune(folder)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a version."""
    text = json.dumps({**manifest, "layout": _LAYOUT}, ensure_ascii=False, indent=2, sort_keys=True)
    (folder / _MANIFEST).write_text(text + "\n", encoding="utf-8")


def prune(folder: Path) -> None:
    """Remove old versions that nobody reads."""
    versions = folder / _VERSIONS
    for path in _whole(versions)[:-_KEPT]:
        with unless_shared(path / _IN_USE) as free:
            if free and path != _current(folder):
                _discard(path)


def _whole(versions: Path) -> list[Path]:
    return sorted(path for path in versions.iterdir() if path.name.isdigit())


def _remove_leftovers(folder: Path) -> None:
    """Remove unfinished versions, and whole ones that a killed build did not come to point to."""
    versions = folder / _VERSIONS
    for path in versions.iterdir():
        if not path.name.isdigit():
            shutil.rmtree(path, ignore_errors=True)
    if not has_graph(folder):
        return
    current = _current(folder).name
    for path in _whole(versions):
        if path.name > current:
            _discard(path)


def _discard(path: Path) -> None:
    """Move a version out of sight in one step, then remove it."""
    hidden = path.with_name(f"{_UNFINISHED}-old-{path.name}-{os.getpid()}")
    path.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)


def _point(folder: Path, name: str) -> None:
    fresh = folder / f"{_POINTER}.new"
    with fresh.open("w", encoding="utf-8") as file:
        file.write(name + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / _POINTER)
    _sync_folder(folder)


def _sync(folder: Path) -> None:
    """Make sure that all files of a folder are on the disk before anything points to them."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
