"""Write a graph to files that other programs read, and read them back.

Every export holds the whole graph and is written under another name first, then renamed.
"""

from __future__ import annotations

import csv
import zipfile
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.errors import InputError, UsageError

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["FORMATS", "export", "export_path", "read_export"]


class Format(NamedTuple):
    """The module of a format, its writer and reader (or ""), how its paths end, and if it holds the graph's name."""

    module: str
    write: str
    read: str
    ending: str
    named: bool = False


FORMATS: Final = MappingProxyType(
    {
        "json": Format("node_link", "write_json", "read_json", ".json"),
        "graphml": Format("graphml", "write_graphml", "read_graphml", ".graphml"),
        "gexf": Format("gexf", "write_gexf", "read_gexf", ".gexf"),
        "csv": Format("tables", "write_csv", "read_csv", ".zip"),
        "turtle": Format("turtle", "write_turtle", "read_turtle", ".ttl"),
        "neo4j-admin": Format("neo4j_admin", "write_neo4j_admin", "", "-neo4j", named=True),
    }
)


def export_path(name: str, form: str) -> Path:
    """Return where a graph of this name is written if no path is given."""
    return Path(name + _format(form).ending)


def export(graph: nx.MultiDiGraph, path: Path, form: str, *, name: str = "") -> Path:
    """Write the graph to ``path`` in a format of `FORMATS` and return the path.

    Args:
        graph: the graph to write.
        path: the file or folder.
        form: a format of `FORMATS`.
        name: the graph's name, which files for a server mark their rows with (the path's name if not given).

    Raises:
        UsageError: for another format, or a path that cannot be written.
        MissingExtra: when the format needs a package that is not installed.
    """
    chosen = _format(form)
    write = getattr(import_module(f".{chosen.module}", __name__), chosen.write)
    if chosen.named:
        write(graph, path, name=name or path.name)
    else:
        write(graph, path)
    return path


def read_export(path: Path, form: str) -> nx.MultiDiGraph:
    """Read a graph that `export` wrote; nodes and edges are equal to what was written.

    Raises:
        UsageError: for a format that is not read.
        InputError: when the file is missing or not of that format.
    """
    chosen = _format(form)
    if not chosen.read:
        raise UsageError(f"{form} is written for another program; choose json to read it here")
    try:
        graph: nx.MultiDiGraph = getattr(import_module(f".{chosen.module}", __name__), chosen.read)(path)
    except _unreadable() as error:
        raise InputError(f"{path} is not a {form} export ({type(error).__name__}: {error})") from error
    return graph


def _unreadable() -> tuple[type[Exception], ...]:
    """Return what the parsers raise for files that are not theirs."""
    import networkx as nx

    return (OSError, ValueError, KeyError, SyntaxError, csv.Error, zipfile.BadZipFile, nx.NetworkXException)


def _format(form: str) -> Format:
    if form not in FORMATS:
        raise UsageError(f"unknown format {form!r}; choose one of {', '.join(FORMATS)}")
    return FORMATS[form]
