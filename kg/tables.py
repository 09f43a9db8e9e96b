"""The graph as sorted Parquet tables (papers, nodes, edges, evidence; mentions and merges beside them), and back.

Equal graphs give equal bytes. ``edges.evidence`` counts the rows of the evidence table that belong to each edge, in
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq

from kg.decisions import MentionRow, MergeRow
from kg.elements import Evidence
from kg.types import Paper

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Tables = TypeVar("Tables", bound="DataclassInstance")

#: Elements bear the name that Parquet gives them, so that a table that was read is written as it was.
TEXTS: Final = pa.list_(pa.field("element", pa.string()))
PAPERS: Final = pa.schema(
    {
        "id": pa.string(), "title": pa.string(), "abstract": pa.string(), "authors": TEXTS, "venue": pa.string(),
        "year": pa.int32(), "url": pa.string(), "doi": pa.string(), "arxiv_id": pa.string(), "keywords": TEXTS,
        "content_hash": pa.string(),
    }
)  # fmt: skip
NODES: Final = pa.schema(
    {
        "id": pa.string(), "label": pa.string(), "name": pa.string(), "aliases": TEXTS, "papers": pa.int32(),
        "introduced_in": TEXTS, "sense": pa.string(), "paper_id": pa.string(), "title": pa.string(),
        "year": pa.int32(), "venue": pa.string(), "url": pa.string(), "doi": pa.string(), "arxiv_id": pa.string(),
        "authors": TEXTS, "kind": pa.string(), "digest": pa.string(),
    }
)  # fmt: skip
EXTRA: Final = {
    "count": pa.int32(), "salience": pa.float64(), "score": pa.float64(), "kind": pa.string(), "value": pa.string(),
    "metric": pa.string(), "baseline": pa.string(), "paper": pa.string(),
}  # fmt: skip
EDGES: Final = pa.schema(
    {
        "source": pa.string(), "target": pa.string(), "key": pa.string(), "type": pa.string(), "support": pa.int32(),
        "confidence": pa.float64(), **EXTRA, "evidence": pa.int32(), "digest": pa.string(),
    }
)  # fmt: skip
EVIDENCE: Final = pa.schema(
    {
        "paper": pa.string(), "head_start": pa.int32(), "head_end": pa.int32(), "tail_start": pa.int32(),
        "tail_end": pa.int32(), "sentence": pa.string(), "score": pa.float64(), "source": pa.string(),
    }
)  # fmt: skip
MENTIONS: Final = pa.schema(dict.fromkeys(("paper", "name", "node", "rule"), pa.string()))
MERGES: Final = pa.schema(
    {
        "node": pa.string(), "name": pa.string(), "other": pa.string(), "rule": pa.string(), "score": pa.float64(),
        "papers": pa.int32(),
    }
)  # fmt: skip
_NOT_ATTRIBUTES: Final = frozenset({"id", "digest"})


def paper_rows(papers: Sequence[Paper]) -> pa.Table:
    """Return papers as a table."""
    names = [name for name in PAPERS.names if name != "content_hash"]
    columns = [[_plain(getattr(paper, name)) for paper in papers] for name in names]
    return pa.table([*columns, [paper.content_hash for paper in papers]], schema=PAPERS)


def rows_table(rows: Iterable[MentionRow | MergeRow], schema: pa.Schema) -> pa.Table:
    """Return rows of mentions or merges as a table."""
    listed = list(rows)
    return pa.table([[getattr(row, name) for row in listed] for name in schema.names], schema=schema)


def read_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Return a table of a version."""
    return pq.ParquetFile(path).read(columns=columns)


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table of a version; equal ones give equal bytes."""
    pq.write_table(table, path, compression="zstd")


def read_tables(folder: Path, kind: type[Tables]) -> Tables:
    """Return the tables of a version that a dataclass has as its fields, each in the file of its name."""
    return kind(*(read_table(folder / f"{item.name}.parquet") for item in fields(kind)))


def write_tables(folder: Path, tables: DataclassInstance) -> None:
    """Write the tables that a dataclass has as its fields into an existing folder; equal ones give equal bytes."""
    for item in fields(tables):
        write_table(folder / f"{item.name}.parquet", getattr(tables, item.name))


def read_graph(folder: Path) -> nx.MultiDiGraph:
    """Return the graph that a folder of tables holds, equal to the one that was written."""
    graph = nx.MultiDiGraph()
    for row in read_table(folder / "nodes.parquet").to_pylist():
        given = {name: value for name, value in row.items() if value is not None and name not in _NOT_ATTRIBUTES}
        graph.add_node(row["id"], id=row["id"], **given)
    for source, target, key, attributes in _read_edges(folder):
        graph.add_edge(source, target, key=key, **attributes)
    return graph


def read_papers(folder: Path) -> list[Paper]:
    """Return the papers of a folder of tables, sorted by id."""
    return papers_of(read_table(folder / "papers.parquet"))


def papers_of(table: pa.Table) -> list[Paper]:
    """Return the papers that `paper_rows` made a table of."""
    rows = table.drop_columns(["content_hash"]).to_pylist()
    return [Paper(**{**row, "authors": tuple(row["authors"]), "keywords": tuple(row["keywords"])}) for row in rows]


def read_mentions(folder: Path) -> list[MentionRow]:
    """Return the node and rule of every surface of every paper, sorted by paper and surface."""
    return [MentionRow(**row) for row in read_table(folder / "mentions.parquet").to_pylist()]


def read_merges(folder: Path) -> list[MergeRow]:
    """Return which names became one, the most doubtful first."""
    return [MergeRow(**row) for row in read_table(folder / "merges.parquet").to_pylist()]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _read_edges(folder: Path) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    table = read_table(folder / "edges.parquet")
    ends = list(accumulate(table["evidence"].to_pylist(), initial=0))
    columns = {name: table[name].to_pylist() for name in EDGES.names if name not in ("evidence", "digest")}
    evidence = pq.ParquetFile(folder / "evidence.parquet", read_dictionary=["paper", "sentence", "source"]).read()
    lists = {f"evidence_{name}s": _shared_values(evidence[name]) for name in Evidence._fields}
    for row in range(table.num_rows):
        attributes: dict[str, Any] = {"type": columns["type"][row]}
        for name in ("support", "confidence", *EXTRA):
            if columns[name][row] is not None:
                attributes[name] = columns[name][row]
        for name in EVIDENCE_LISTS:
            attributes[name] = lists[name][ends[row] : ends[row + 1]]
        yield columns["source"][row], columns["target"][row], columns["key"][row], attributes


EVIDENCE_LISTS: Final = (
    "evidence_papers",
    "evidence_sentences",
    "evidence_head_starts",
    "evidence_head_ends",
    "evidence_tail_starts",
    "evidence_tail_ends",
    "evidence_scores",
    "evidence_sources",
)


def _shared_values(column: pa.ChunkedArray) -> list[Any]:
    """Return the values of a column; equal texts are one object, which keeps large graphs small."""
    values: list[Any] = []
    for chunk in column.chunks:
        if pa.types.is_dictionary(chunk.type):
            words = chunk.dictionary.to_pylist()
            values.extend(words[index] for index in chunk.indices.to_pylist())
        else:
            values.extend(chunk.to_pylist())
    return values
