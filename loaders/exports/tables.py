"""CSV: ``nodes.csv``, ``edges.csv`` and ``columns.json``, in a folder or in one zip file.

Lists are JSON text in one cell, an absent attribute is an empty cell. ``columns.json`` tells the type of each
column, so that reading gives what was written; an attribute that is empty text is read as absent.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from .flat import edge_types, from_text, node_types, to_text
from .whole import whole_file, whole_folder

if TYPE_CHECKING:
    import networkx as nx

NODES: Final = "nodes.csv"
EDGES: Final = "edges.csv"
COLUMNS: Final = "columns.json"
_ENDS: Final = ("source", "target", "key")
# A zip file keeps times; the same graph shall give the same bytes.
_TIME: Final = (1980, 1, 1, 0, 0, 0)

#: Opens a file of the export by name for writing text.
_Open = Callable[[str], IO[str]]


def write_csv(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write the whole graph: into a zip file if ``path`` ends in .zip, else into a folder."""
    if path.suffix.lower() == ".zip":
        with whole_file(path) as partial, zipfile.ZipFile(partial, "w") as archive:
            _write(graph, lambda name: _open_in(archive, name))
    else:
        with whole_folder(path, mark=COLUMNS) as partial:
            _write(graph, lambda name: (partial / name).open("w", encoding="utf-8", newline=""))


def _open_in(archive: zipfile.ZipFile, name: str) -> IO[str]:
    entry = zipfile.ZipInfo(name, _TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return io.TextIOWrapper(archive.open(entry, "w", force_zip64=True), encoding="utf-8", newline="")


def _write(graph: nx.MultiDiGraph, open_file: _Open) -> None:
    nodes, edges = node_types(graph), edge_types(graph)
    with open_file(COLUMNS) as file:
        file.write(json.dumps({"nodes": nodes, "edges": edges}, indent=2) + "\n")
    with open_file(NODES) as file:
        _write_table(file, ["id", *(name for name in nodes if name != "id")], _node_records(graph))
    with open_file(EDGES) as file:
        _write_table(file, [*_ENDS, *edges], _edge_records(graph))


def _node_records(graph: nx.MultiDiGraph) -> Iterator[dict[str, Any]]:
    return ({**data, "id": node} for node, data in graph.nodes(data=True))


def _edge_records(graph: nx.MultiDiGraph) -> Iterator[dict[str, Any]]:
    for head, tail, key, data in graph.edges(keys=True, data=True):
        yield {"source": head, "target": tail, "key": key, **data}


def _write_table(file: IO[str], columns: list[str], records: Iterable[Mapping[str, Any]]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for record in records:
        writer.writerow([_cell(record[name]) if name in record else "" for name in columns])


def _cell(value: Any) -> str:
    return to_text(value).encode("utf-8", "replace").decode("utf-8")


def read_csv(path: Path) -> nx.MultiDiGraph:
    """Read a graph that `write_csv` wrote."""
    if path.is_dir():
        return _read(lambda name: (path / name).open(encoding="utf-8", newline=""))
    with zipfile.ZipFile(path) as archive:
        return _read(lambda name: io.TextIOWrapper(archive.open(name), encoding="utf-8", newline=""))


def _read(open_file: _Open) -> nx.MultiDiGraph:
    import networkx as nx

    csv.field_size_limit(sys.maxsize)
    with open_file(COLUMNS) as file:
        types = json.load(file)
    graph = nx.MultiDiGraph()
    with open_file(NODES) as file:
        for record in csv.DictReader(file):
            graph.add_node(record["id"], **_values(record, types["nodes"]))
    with open_file(EDGES) as file:
        for record in csv.DictReader(file):
            head, tail, key = (record[name] for name in _ENDS)
            graph.add_edge(head, tail, key=key, **_values(record, types["edges"]))
    return graph


def _values(record: Mapping[str, str], types: Mapping[str, str]) -> dict[str, Any]:
    return {name: from_text(record[name], kind) for name, kind in types.items() if record[name]}
