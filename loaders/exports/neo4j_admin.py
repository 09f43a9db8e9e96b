"""CSV files for ``neo4j-admin database import``, the fastest way into an empty Neo4j.

The folder holds a header and a data file per label and per (head label, type, tail label), ``import.sh`` with the
exact command, and ``indexes.cypher`` to run afterwards. The rows carry the same marks as those of a load over
the driver, so that later loads update the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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
_QUOTE: Final = '"'
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
    columns = _columns(marked, where=label)
    del columns["id"]
    ends = ([row["id"]] for row in marked)
    _write_pair(folder, label, [f"id:ID({label})"], columns, zip(ends, marked, strict=True))
    return f"--nodes={label}={label}-header.csv,{label}.csv"


def _write_edges(folder: Path, kind: EdgeGroup, rows: list[EdgeRow], graph_name: str) -> str:
    marked = [_marked(kind, row, graph_name) for row in rows]
    ends = ([row.head, row.tail] for row in rows)
    header = [f":START_ID({kind.head_label})", f":END_ID({kind.tail_label})"]
    stem = "-".join(kind)
    _write_pair(folder, stem, header, _columns(marked, where=kind.type), zip(ends, marked, strict=True))
    return f"--relationships={kind.type}={stem}-header.csv,{stem}.csv"


def _marked(kind: EdgeGroup, row: EdgeRow, graph_name: str) -> dict[str, Any]:
    return {**row.properties, **bookkeeping(kind.type, row.properties, graph_name), "kg_key": row.key}


def _columns(rows: Sequence[Mapping[str, Any]], *, where: str) -> dict[str, str]:
    """Return each property's type as a header names it, sorted by name."""
    types = attribute_types(rows, where=where)
    return {name: _TYPES[kind] if kind != LIST else f"{_items(name, rows)}[]" for name, kind in types.items()}


def _items(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the type of the items of a list property."""
    one_of_each = {type(item): item for row in rows for item in row.get(name, ())}
    types = attribute_types(({"": item} for item in one_of_each.values()), where=f"an item of {name}")
    return _TYPES[types.get("", "str")]


def _write_pair(
    folder: Path,
    stem: str,
    header: list[str],
    columns: Mapping[str, str],
    rows: Iterable[tuple[list[str], Mapping[str, Any]]],
) -> None:
    """Write the file that names the columns and the file of the rows: ids, then properties."""
    names = ",".join((*header, *(f"{name}:{kind}" for name, kind in columns.items())))
    (folder / f"{stem}-header.csv").write_text(f"{names}\n", encoding="utf-8", newline="")
    cells = [(name, _CELLS[kind]) for name, kind in columns.items()]
    with (folder / f"{stem}.csv").open("w", encoding="utf-8", newline="") as file:
        for ids, properties in rows:
            # An absent property is an empty cell without quotes.
            written = [cell(properties[name]) if name in properties else "" for name, cell in cells]
            file.write(",".join((*map(_quoted, ids), *written)) + "\n")


def _quoted(text: str) -> str:
    return f'"{text.replace(_QUOTE, _QUOTE * 2)}"'


def _number(value: float) -> str:
    return f'"{value}"'


def _truth(value: bool) -> str:
    return '"true"' if value else '"false"'


def _numbers(values: Iterable[float]) -> str:
    return f'"{_BETWEEN.join(map(str, values))}"'


def _truths(values: Iterable[bool]) -> str:
    return f'"{_BETWEEN.join("true" if value else "false" for value in values)}"'


def _texts(values: Iterable[str]) -> str:
    return _quoted(_BETWEEN.join([value.replace(_BETWEEN, " ") for value in values]))


#: Type of a column -> what writes a cell of it.
_CELLS: Final[Mapping[str, Callable[[Any], str]]] = {
    "boolean": _truth,
    "long": _number,
    "double": _number,
    "string": _quoted,
    "boolean[]": _truths,
    "long[]": _numbers,
    "double[]": _numbers,
    "string[]": _texts,
}
