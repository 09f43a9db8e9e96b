"""The graph as sorted Parquet tables (papers, nodes, edges, evidence; mentions and merges beside them), and back.

Equal graphs give equal bytes. ``edges.evidence`` counts the rows of the evidence table that belong to each edge, in
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq

from kg.decisions import MentionRow, MergeRow, mention_rows, merge_rows
from kg.elements import Assembly, Edge, Evidence
from kg.facts import PaperFacts
from kg.linking import Linking
from kg.types import Paper

_TEXTS: Final = pa.list_(pa.string())
PAPERS: Final = pa.schema(
    {
        "id": pa.string(), "title": pa.string(), "abstract": pa.string(), "authors": _TEXTS, "venue": pa.string(),
        "year": pa.int32(), "url": pa.string(), "doi": pa.string(), "arxiv_id": pa.string(), "keywords": _TEXTS,
        "content_hash": pa.string(),
    }
)  # fmt: skip
NODES: Final = pa.schema(
    {
        "id": pa.string(), "label": pa.string(), "name": pa.string(), "aliases": _TEXTS, "papers": pa.int32(),
        "introduced_in": _TEXTS, "sense": pa.string(), "paper_id": pa.string(), "title": pa.string(),
        "year": pa.int32(), "venue": pa.string(), "url": pa.string(), "doi": pa.string(), "arxiv_id": pa.string(),
        "authors": _TEXTS, "kind": pa.string(), "digest": pa.string(),
    }
)  # fmt: skip
_EXTRA: Final = {
    "count": pa.int32(), "salience": pa.float64(), "score": pa.float64(), "kind": pa.string(), "value": pa.string(),
    "metric": pa.string(), "baseline": pa.string(), "paper": pa.string(),
}  # fmt: skip
EDGES: Final = pa.schema(
    {
        "source": pa.string(), "target": pa.string(), "key": pa.string(), "type": pa.string(), "support": pa.int32(),
        "confidence": pa.float64(), **_EXTRA, "evidence": pa.int32(), "digest": pa.string(),
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


def write_tables(folder: Path, papers: Sequence[PaperFacts], linking: Linking, assembly: Assembly) -> None:
    """Write all tables into an existing folder."""
    _write(folder / "papers.parquet", _papers(papers))
    _write(folder / "mentions.parquet", _rows(mention_rows(papers, linking), MENTIONS))
    _write(folder / "merges.parquet", _rows(merge_rows(papers, linking), MERGES))
    _write(folder / "nodes.parquet", _nodes(assembly))
    _write(folder / "edges.parquet", _edges(assembly.edges))
    _write(folder / "evidence.parquet", _evidence(assembly.edges))


def read_graph(folder: Path) -> nx.MultiDiGraph:
    """Return the graph that a folder of tables holds, equal to the one that was written."""
    graph = nx.MultiDiGraph()
    for row in pq.read_table(folder / "nodes.parquet").to_pylist():
        given = {name: value for name, value in row.items() if value is not None and name not in _NOT_ATTRIBUTES}
        graph.add_node(row["id"], id=row["id"], **given)
    for source, target, key, attributes in _read_edges(folder):
        graph.add_edge(source, target, key=key, **attributes)
    return graph


def read_papers(folder: Path) -> list[Paper]:
    """Return the papers of a folder of tables, sorted by id."""
    rows = pq.read_table(folder / "papers.parquet").drop_columns(["content_hash"]).to_pylist()
    return [Paper(**{**row, "authors": tuple(row["authors"]), "keywords": tuple(row["keywords"])}) for row in rows]


def read_digests(folder: Path) -> tuple[dict[str, str], dict[tuple[str, str, str], str]]:
    """Return the digest of each node and of each edge (source, target, key)."""
    nodes = pq.read_table(folder / "nodes.parquet", columns=["id", "digest"])
    edges = pq.read_table(folder / "edges.parquet", columns=["source", "target", "key", "digest"])
    names = zip(*(edges[name].to_pylist() for name in ("source", "target", "key")), strict=True)
    return (
        dict(zip(nodes["id"].to_pylist(), nodes["digest"].to_pylist(), strict=True)),
        dict(zip(names, edges["digest"].to_pylist(), strict=True)),
    )


def read_labels(folder: Path) -> dict[str, str]:
    """Return the label of each node."""
    nodes = pq.read_table(folder / "nodes.parquet", columns=["id", "label"])
    return dict(zip(nodes["id"].to_pylist(), nodes["label"].to_pylist(), strict=True))


def read_mentions(folder: Path) -> list[MentionRow]:
    """Return the node and rule of every surface of every paper, sorted by paper and surface."""
    return [MentionRow(**row) for row in pq.read_table(folder / "mentions.parquet").to_pylist()]


def read_merges(folder: Path) -> list[MergeRow]:
    """Return which names became one, the most doubtful first."""
    return [MergeRow(**row) for row in pq.read_table(folder / "merges.parquet").to_pylist()]


def _write(path: Path, table: pa.Table) -> None:
    pq.write_table(table, path, compression="zstd", store_schema=True)


def _rows(rows: Iterable[MentionRow | MergeRow], schema: pa.Schema) -> pa.Table:
    listed = list(rows)
    return pa.table([[getattr(row, name) for row in listed] for name in schema.names], schema=schema)


def _papers(papers: Sequence[PaperFacts]) -> pa.Table:
    names = [name for name in PAPERS.names if name != "content_hash"]
    columns = [[_plain(getattr(facts.paper, name)) for facts in papers] for name in names]
    return pa.table([*columns, [facts.paper.content_hash for facts in papers]], schema=PAPERS)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _nodes(assembly: Assembly) -> pa.Table:
    columns: dict[str, list[Any]] = {
        name: [node.attributes.get(name) for node in assembly.nodes]
        for name in NODES.names
        if name not in _NOT_ATTRIBUTES
    }
    columns["id"] = [node.id for node in assembly.nodes]
    columns["digest"] = [node.digest for node in assembly.nodes]
    return pa.table([columns[name] for name in NODES.names], schema=NODES)


def _edges(edges: Sequence[Edge]) -> pa.Table:
    columns: dict[str, list[Any]] = {name: [edge.extra.get(name) for edge in edges] for name in _EXTRA}
    for name in ("source", "target", "key", "type", "support", "confidence"):
        columns[name] = [getattr(edge, name) for edge in edges]
    columns["evidence"] = [len(edge.evidence) for edge in edges]
    columns["digest"] = [edge.digest for edge in edges]
    return pa.table([columns[name] for name in EDGES.names], schema=EDGES)


def _evidence(edges: Sequence[Edge]) -> pa.Table:
    rows = [row for edge in edges for row in edge.evidence]
    columns = zip(*rows, strict=True) if rows else ((),) * len(EVIDENCE)
    return pa.table([list(column) for column in columns], schema=EVIDENCE)


def _read_edges(folder: Path) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    table = pq.read_table(folder / "edges.parquet")
    ends = list(accumulate(table["evidence"].to_pylist(), initial=0))
    columns = {name: table[name].to_pylist() for name in EDGES.names if name not in ("evidence", "digest")}
    evidence = pq.read_table(folder / "evidence.parquet", read_dictionary=["paper", "sentence", "source"])
    lists = {f"evidence_{name}s": _shared_values(evidence[name]) for name in Evidence._fields}
    for row in range(table.num_rows):
        attributes: dict[str, Any] = {"type": columns["type"][row]}
        for name in ("support", "confidence", *_EXTRA):
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
