"""The embedded Cypher store: ArcadeDB in this process for writing, in a child process for queries of users.

A store is a derived copy of a graph: a folder that is written whole under another name and then renamed,
so that readers see all of it or none. It can be removed and made again from the graph at any time.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kg.errors import StoreError

from . import statements
from .batches import ROWS_A_BATCH, batches
from .engine import add_edges, edges_text, first_line, import_engine
from .queries import run_query
from .records import EdgeGroup, EdgeRow, edge_batches, edge_rows, node_rows, storable
from .store import LoadCounts, Rows

if TYPE_CHECKING:
    import networkx as nx

DATABASE: Final = "database"
MARKER: Final = "store.json"
#: Counts up when the layout changes: a store of another number is made again.
FORMAT: Final = 1
#: The engine's bulk entry writes an edge into one page of 65,536 bytes; a larger one has to take the ordinary way.
BULK_BYTES: Final = 32_768
_WRITTEN_BY_READERS: Final = frozenset({"statistics.json", "last-tx-id.bin", "database.lck"})
T = TypeVar("T")

#: Called with the number of nodes and edges written since the last call.
Progress = Callable[[int], object]


def load_store(graph: nx.MultiDiGraph, folder: Path, *, progress: Progress | None = None) -> LoadCounts:
    """Write the graph as an embedded store into ``folder``, which is replaced when the new store is whole.

    Raises:
        StoreError: when the graph breaks the schema or the store cannot be written.
    """
    with _replacing(folder) as partial:
        with _new_database(partial / DATABASE) as database:
            _write_all(database, graph, progress or (lambda written: None))
        counts = LoadCounts(
            nodes=graph.number_of_nodes(),
            edges=graph.number_of_edges(),
            nodes_written=graph.number_of_nodes(),
            edges_written=graph.number_of_edges(),
        )
        _write_marker(partial, counts)
    return counts


def change_store(
    source: Path,
    folder: Path,
    part: nx.MultiDiGraph,
    *,
    nodes: Sequence[str],
    edges_gone: Sequence[tuple[str, str, str]],
    nodes_gone: Sequence[str],
    old_labels: Mapping[str, str],
) -> LoadCounts:
    """Write a changed copy of the store in ``source`` into ``folder``; only what changed is read and written.

    Args:
        source: A whole store.
        folder: Where the copy comes to be.
        part: The edges to put, with the nodes at their ends, and the nodes to put.
        nodes: The nodes of it to put; each takes the place of that with its id.
        edges_gone: (source, target, key) of edges to take out first; the label of both ends is known.
        nodes_gone: Nodes to take out then, with the edges at them.
        old_labels: The labels in ``source``.

    Raises:
        StoreError: when the store cannot be read or written.
    """
    rows, edges = node_rows(part, nodes), edge_rows(part)
    with _changing(source, folder) as database:
        _take_out(database, edges_gone, nodes_gone, old_labels)
        for label, group in rows.items():
            for batch in batches(group):
                _run(database, statements.REPLACE_NODES[label], {"rows": batch})
        for kind, members in edges.items():
            for batch in batches(members):
                _run(database, statements.CREATE_EDGES[kind], {"rows": list(map(_edge_parameter, batch))})
        return _counted(database, nodes_written=len(nodes), edges_written=part.number_of_edges())


def _take_out(
    database: Any,
    edges: Iterable[tuple[str, str, str]],
    nodes: Iterable[str],
    labels: Mapping[str, str],
) -> None:
    by_kind: dict[EdgeGroup, list[dict[str, str]]] = {}
    for head, tail, key in edges:
        kind = EdgeGroup(labels[head], key.partition(":")[0], labels[tail])
        row = {"head": storable(head), "tail": storable(tail), "key": storable(key)}
        by_kind.setdefault(kind, []).append(row)
    for kind, rows in by_kind.items():
        for batch in batches(rows):
            _run(database, statements.DELETE_EDGES[kind], {"rows": batch})
    by_label: dict[str, list[str]] = {}
    for node in nodes:
        by_label.setdefault(labels[node], []).append(storable(node))
    for label, ids in by_label.items():
        for part in batches(ids):
            _run(database, statements.DELETE_NODES[label], {"ids": part})


def is_store(folder: Path) -> bool:
    """Say whether the folder holds a whole store of the current layout; if not, load it again."""
    try:
        marker = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(marker, dict) and marker.get("format") == FORMAT and marker.get("files") == _file_sizes(folder)


def query_store(
    folder: Path, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = 60.0
) -> Rows:
    """Answer a query that only reads. See `loaders.stores.query`."""
    if not is_store(folder):
        # The engine takes a database with a broken schema file for an empty one and would answer no rows.
        raise StoreError(f"there is no whole store at {folder}; make it again from the graph")
    return run_query(folder / DATABASE, cypher, parameters, timeout=timeout)


class EmbeddedStore:
    """The store in a folder. Changes are made on a copy that then replaces the folder."""

    def __init__(self, folder: Path) -> None:
        """Name the folder; it need not exist before the first load."""
        self.folder = folder

    def load(self, graph: nx.MultiDiGraph) -> LoadCounts:
        """Make the store hold exactly this graph."""
        return load_store(graph, self.folder)

    def update(self, graph: nx.MultiDiGraph, nodes: Iterable[str]) -> LoadCounts:
        """Write these nodes of the graph again, with all the edges at them."""
        chosen = list(nodes)
        rows, edges = node_rows(graph, chosen), edge_rows(graph, chosen)
        with _changing(self.folder, self.folder) as database:
            for old, new in statements.RELABEL:
                for batch in batches([row["id"] for row in rows.get(new, ())]):
                    _run(database, statements.DELETE_NODES[old], {"ids": batch})
            for label, group in rows.items():
                for batch in batches(group):
                    _run(database, statements.REPLACE_NODES[label], {"rows": batch})
            for label, group in rows.items():
                for batch in batches([row["id"] for row in group]):
                    _run(database, statements.DELETE_EDGES_AT[label], {"ids": batch})
            for kind, members in edges.items():
                for batch in batches(members):
                    _run(
                        database,
                        statements.CREATE_EDGES[kind],
                        {"rows": [_edge_parameter(row) for row in batch]},
                    )
            counts = _counted(database, nodes_written=len(chosen), edges_written=sum(map(len, edges.values())))
        return counts

    def remove(self, nodes: Sequence[str]) -> LoadCounts:
        """Remove these nodes and the edges at them; ids that are not there are passed over."""
        with _changing(self.folder, self.folder) as database:
            before = _counted(database)
            for label in statements.DELETE_NODES:
                for batch in batches(list(nodes)):
                    _run(database, statements.DELETE_NODES[label], {"ids": batch})
            after = _counted(database)
        gone = {"nodes_removed": before.nodes - after.nodes, "edges_removed": before.edges - after.edges}
        return LoadCounts(nodes=after.nodes, edges=after.edges, **gone)

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = 60.0) -> Rows:
        """Answer a query that only reads. See `loaders.stores.query`."""
        return query_store(self.folder, cypher, parameters, timeout=timeout)

    def close(self) -> None:
        """Do nothing: the store is opened for each call only."""


@contextmanager
def _changing(source: Path, folder: Path) -> Iterator[Any]:
    """Yield the opened copy of a store that takes the place of ``folder`` at the end."""
    with _replacing(folder) as partial:
        try:
            shutil.copytree(source, partial, dirs_exist_ok=True)
        except OSError as error:
            raise StoreError(f"{source} holds no store ({error}); load the graph first") from error
        with _opened(partial / DATABASE) as database:
            yield database
            counts = _counted(database)
        _write_marker(partial, counts)


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the place of ``folder`` at the end, or vanishes if anything fails."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", suffix=".partial", dir=folder.parent))
    except OSError as error:
        raise StoreError(f"{folder.parent} cannot be written: {error.strerror}") from error
    old = partial.with_suffix(".old")
    try:
        yield partial
        partial.chmod(0o755)
        if folder.exists():
            folder.rename(old)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _new_database(path: Path) -> Iterator[Any]:
    arcadedb = import_engine()
    try:
        database = arcadedb.create_database(str(path))
        try:
            for statement in (*statements.EMBEDDED_SWITCHES, *statements.EMBEDDED_SCHEMA):
                database.command("sql", statement)
            yield database
        finally:
            database.close()
    except arcadedb.ArcadeDBError as error:
        raise StoreError(f"the embedded store at {path} could not be written: {first_line(error)}") from error


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    arcadedb = import_engine()
    try:
        database = arcadedb.open_database(str(path))
        try:
            with database.transaction():
                yield database
        finally:
            database.close()
    except arcadedb.ArcadeDBError as error:
        raise StoreError(f"the embedded store at {path} could not be changed: {first_line(error)}") from error


def _write_all(database: Any, graph: nx.MultiDiGraph, progress: Progress) -> None:
    records: dict[str, str] = {}
    labels: dict[str, str] = {}
    large: list[tuple[str, EdgeRow]] = []
    expected = max(1, graph.number_of_edges())
    # The log that a crash would be mended from is not needed: a store that is not whole is thrown away.
    # The engine keeps up to ``batch_size`` edges in memory, and its collector copies what is kept again and again.
    with database.graph_batch(use_wal=False, expected_edge_count=expected, batch_size=ROWS_A_BATCH) as batch:
        for label, rows in node_rows(graph).items():
            for part in batches(rows):
                made = batch.create_vertices(label, part)
                records.update(zip((row["id"] for row in part), made, strict=True))
                labels.update((row["id"], label) for row in part)
                progress(len(part))
        for count, text in _ahead(_edge_texts(graph, records, large)):
            add_edges(batch, text)
            progress(count)
    for statement in statements.EMBEDDED_LATE_INDEXES:
        database.command("sql", statement)
    with database.transaction():
        for edge_type, edge in large:
            group = EdgeGroup(labels[edge.head], edge_type, labels[edge.tail])
            _run(database, statements.CREATE_EDGES[group], {"rows": [_edge_parameter(edge)]})
            progress(1)


def _edge_texts(
    graph: nx.MultiDiGraph, records: Mapping[str, str], large: list[tuple[str, EdgeRow]]
) -> Iterator[tuple[int, bytes]]:
    """Yield edges as the engine's bulk entry reads them; those that it cannot write are put into ``large``."""
    for edge_type, edges in edge_batches(graph, ROWS_A_BATCH):
        texts = [json.dumps(edge.properties) for edge in edges]
        small = [i for i, text in enumerate(texts) if len(text) <= BULK_BYTES]
        large += [(edge_type, edges[i]) for i, text in enumerate(texts) if len(text) > BULK_BYTES]
        heads, tails = [records[edges[i].head] for i in small], [records[edges[i].tail] for i in small]
        yield len(small), edges_text(edge_type, heads, tails, [texts[i] for i in small])


def _ahead(made_batches: Iterator[T]) -> Iterator[T]:
    """Yield the batches, and make the next one while the engine, which needs no Python, writes the last."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        made = pool.submit(next, made_batches, None)
        while (batch := made.result()) is not None:
            made = pool.submit(next, made_batches, None)
            yield batch


def _edge_parameter(row: EdgeRow) -> dict[str, Any]:
    return {"head": row.head, "tail": row.tail, "properties": row.properties}


def _run(database: Any, statement: str, parameters: Mapping[str, Any]) -> None:
    for _ in database.command("opencypher", statement, dict(parameters)):
        pass


def _counted(database: Any, *, nodes_written: int = 0, edges_written: int = 0) -> LoadCounts:
    nodes = sum(database.count_type(label) for label in statements.NODE_TYPES)
    edges = sum(database.count_type(edge_type) for edge_type in statements.EDGE_TYPES)
    return LoadCounts(nodes, edges, nodes_written, edges_written)


def _write_marker(folder: Path, counts: LoadCounts) -> None:
    marker = {"format": FORMAT, "nodes": counts.nodes, "edges": counts.edges, "files": _file_sizes(folder)}
    (folder / MARKER).write_text(json.dumps(marker, indent=2) + "\n", encoding="utf-8")


def _file_sizes(folder: Path) -> dict[str, int]:
    """Return the size of each file of the database, but for the two that a reader writes too."""
    files = sorted(path for path in (folder / DATABASE).glob("*") if path.name not in _WRITTEN_BY_READERS)
    return {path.name: path.stat().st_size for path in files}
