"""CSV files for ``neo4j-admin database import``, the fastest way into an empty Neo4j.

The folder holds a header and a data file per label and per (head label, type, tail label), ``import.sh`` with the
exact command, and ``indexes.cypher`` to run afterwards. The rows carry the same marks as those of a load over
the driver, so that later loads update the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from loaders.stores import statements
from loaders.stores.limits import server_rows
from loaders.stores.loading import bookkeeping
from loaders.stores.records import EdgeGroup, EdgeRow

from .flat import LIST, attribute_types
from .whole import whole_folder

if TYPE_CHECKING:
    import networkx as nx

COMMAND: Final = "import.sh"
INDEXES: Final = "indexes.cypher"
# Between the items of a list: a control character that no cleaned text holds.
_BETWEEN: Final = "\x1f"
_TYPES: Final = {"bool": "boolean", "int": "long", "float": "double", "str": "string"}
_SCRIPT: Final = """#!/bin/sh
# Imports the graph into the database $1 (default: neo4j), which must be stopped or empty, then run {indexes}.
# NEO4J_ADMIN names another neo4j-admin.
cd "$(dirname "$0")" && exec "${{NEO4J_ADMIN:-neo4j-admin}}" database import full "${{1:-neo4j}}" \\
{files}
"""
_OPTIONS: Final = (
    "--array-delimiter=U+001F",
    "--multiline-fields=true",
    "--id-type=string",
    "--overwrite-destination=true",
)


def write_neo4j_admin(graph: nx.MultiDiGraph, path: Path, *, name: str) -> None:
    """Write the whole graph into the folder ``path``; ``name`` is the one that a later load gives."""
    nodes, edges = server_rows(graph)
    with whole_folder(path, mark=COMMAND) as partial:
        arguments = [_write_nodes(partial, label, rows, name) for label, rows in nodes.items()]
        arguments += [_write_edges(partial, kind, rows, name) for kind, rows in edges.items()]
        _write_command(partial, arguments)
        indexes = (*statements.CONSTRAINTS, *statements.NAME_INDEXES, statements.FULL_TEXT_INDEX)
        (partial / INDEXES).write_text("".join(f"{text};\n" for text in indexes), encoding="utf-8")


def import_arguments(folder: Path) -> list[str]:
    """Return the arguments of ``neo4j-admin database import full DATABASE`` for an exported folder."""
    lines = (folder / COMMAND).read_text(encoding="utf-8").splitlines()
    arguments = [line.strip().removesuffix(" \\") for line in lines if line.startswith("  --")]
    return [_inside(folder, argument) if argument.endswith(".csv") else argument for argument in arguments]


def _inside(folder: Path, argument: str) -> str:
    option, _, files = argument.rpartition("=")
    return f"{option}={','.join(str(folder / name) for name in files.split(','))}"


def _write_command(folder: Path, arguments: list[str]) -> None:
    files = " \\\n".join(f"  {argument}" for argument in (*_OPTIONS, *arguments))
    script = folder / COMMAND
    script.write_text(_SCRIPT.format(files=files, indexes=INDEXES), encoding="utf-8")
    script.chmod(0o755)


def _write_nodes(folder: Path, label: str, rows: list[dict[str, Any]], graph_name: str) -> str:
    marked = [{**row, **bookkeeping(label, row, graph_name)} for row in rows]
    types = attribute_types(marked, where=label)
    header = [f"id:ID({label})", *(_column(name, types[name], marked) for name in types if name != "id")]
    columns = ["id", *(name for name in types if name != "id")]
    _write_pair(folder, label, header, ([_cell(row.get(name)) for name in columns] for row in marked))
    return f"--nodes={label}={label}-header.csv,{label}.csv"


def _write_edges(folder: Path, kind: EdgeGroup, rows: list[EdgeRow], graph_name: str) -> str:
    marked = [_marked(kind, row, graph_name) for row in rows]
    types = attribute_types(marked, where=kind.type)
    header = [
        f":START_ID({kind.head_label})",
        f":END_ID({kind.tail_label})",
        *(_column(name, types[name], marked) for name in types),
    ]
    cells = (
        [row.head, row.tail, *(_cell(properties.get(name)) for name in types)]
        for row, properties in zip(rows, marked, strict=True)
    )
    stem = "-".join(kind)
    _write_pair(folder, stem, header, cells)
    return f"--relationships={kind.type}={stem}-header.csv,{stem}.csv"


def _marked(kind: EdgeGroup, row: EdgeRow, graph_name: str) -> dict[str, Any]:
    return {**row.properties, **bookkeeping(kind.type, row.properties, graph_name), "kg_key": row.key}


def _column(name: str, kind: str, rows: Iterable[Mapping[str, Any]]) -> str:
    if kind != LIST:
        return f"{name}:{_TYPES[kind]}"
    items = ({"": item} for row in rows for item in row.get(name, ()))
    of = attribute_types(items, where=f"an item of {name}").get("", "str")
    return f"{name}:{_TYPES[of]}[]"


def _cell(value: Any) -> str | None:
    """Return a cell; None is an absent property, which is written without quotes."""
    if value is None:
        return None
    if isinstance(value, list):
        return _BETWEEN.join(str(_cell(item)).replace(_BETWEEN, " ") for item in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _write_pair(folder: Path, stem: str, header: list[str], rows: Iterator[list[str | None]]) -> None:
    with (folder / f"{stem}-header.csv").open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(header) + "\n")
    with (folder / f"{stem}.csv").open("w", encoding="utf-8", newline="") as file:
        _write_rows(file, rows)


def _write_rows(file: IO[str], rows: Iterator[list[str | None]]) -> None:
    for row in rows:
        file.write(",".join("" if cell is None else f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) + "\n")
