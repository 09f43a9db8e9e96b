"""The papers of a graph with what was read from them: the source of truth, from which all else is derived.

Extractions are kept as they were read. Facts follow from them and are kept too, so that adding ten papers to thirty
thousand works on ten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from kg.contribution import paper_facts
from kg.facts import FACTS_VERSION, PaperFacts
from kg.records import decode_extraction, decode_facts, encode, encode_facts
from kg.types import Extraction, Paper

EXTRACTIONS: Final = pa.schema(
    {"paper": pa.string(), "content_hash": pa.string(), "extractor": pa.string(), "record": pa.large_binary()}
)
FACTS: Final = pa.schema({"paper": pa.string(), "record": pa.large_binary()})
_FACTS_KEY: Final = b"facts_version"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Facts and extractions of the same papers, sorted by paper id.

    ``packed`` holds the facts as they are written, so that those of unchanged papers are not packed again.
    """

    facts: tuple[PaperFacts, ...] = ()
    extractions: pa.Table = field(default_factory=EXTRACTIONS.empty_table)
    packed: pa.Table = field(default_factory=FACTS.empty_table)


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a paper: the hash of the content that was read, and by which extractor."""

    content_hash: str
    extractor: str


def changed(
    corpus: Corpus,
    papers: Sequence[Paper],
    extractions: Mapping[str, Extraction],
    *,
    removed: Collection[str] = (),
) -> Corpus:
    """Return a corpus with papers added or replaced and others taken out.

    A paper without an extraction keeps the stored one: only its record (authors, year, ...) may have changed.

    Raises:
        ValueError: A paper has neither a new nor a stored extraction.
    """
    facts = {item.paper.id: item for item in corpus.facts if item.paper.id not in removed}
    for paper in papers:
        if paper.id in extractions:
            facts[paper.id] = paper_facts(paper, extractions[paper.id])
        elif paper.id in facts:
            facts[paper.id] = replace(facts[paper.id], paper=paper)
        else:
            raise ValueError(f"no extraction of paper {paper.id!r}, new or stored")
    touched = {*removed, *(paper.id for paper in papers)}
    fresh = [facts[paper_id] for paper_id in sorted(touched & facts.keys())]
    return Corpus(
        tuple(facts[paper_id] for paper_id in sorted(facts)),
        _renewed(corpus.extractions, {*removed, *extractions}, _extractions(extractions.values())),
        _renewed(corpus.packed, touched, _packed(fresh)),
    )


def _renewed(table: pa.Table, gone: Collection[str], fresh: pa.Table) -> pa.Table:
    """Return a table without the rows of some papers and with fresh rows, sorted by paper."""
    kept = [row for row, paper_id in enumerate(table["paper"].to_pylist()) if paper_id not in gone]
    rows = pa.concat_tables([table.take(pa.array(kept, pa.int64())), fresh])
    return rows.sort_by("paper").combine_chunks()


def read_corpus(folder: Path) -> Corpus:
    """Return the corpus that a version holds."""
    extractions = pq.read_table(folder / "extractions.parquet", schema=EXTRACTIONS)
    packed = pq.read_table(folder / "facts.parquet")
    facts = [decode_facts(record) for record in packed["record"].to_pylist()]
    if packed.schema.metadata.get(_FACTS_KEY) != str(FACTS_VERSION).encode():
        records = (decode_extraction(record) for record in extractions["record"].to_pylist())
        facts = [paper_facts(old.paper, record) for old, record in zip(facts, records, strict=True)]
        packed = _packed(facts)
    return Corpus(tuple(facts), extractions, packed.cast(FACTS))


def write_corpus(folder: Path, corpus: Corpus) -> None:
    """Write a corpus into an existing folder; equal corpora give equal bytes."""
    pq.write_table(corpus.extractions, folder / "extractions.parquet", compression="zstd")
    packed = corpus.packed.replace_schema_metadata({_FACTS_KEY: str(FACTS_VERSION).encode()})
    pq.write_table(packed, folder / "facts.parquet", compression="zstd")


def read_known(folder: Path) -> dict[str, Known]:
    """Return what a version holds of each paper, without reading the extractions themselves."""
    table = pq.read_table(folder / "extractions.parquet", columns=["paper", "content_hash", "extractor"])
    columns = [table[name].to_pylist() for name in table.column_names]
    return {paper: Known(content, extractor) for paper, content, extractor in zip(*columns, strict=True)}


def _packed(facts: Iterable[PaperFacts]) -> pa.Table:
    rows = [(item.paper.id, encode_facts(item)) for item in facts]
    return pa.table([[paper_id for paper_id, _ in rows], [record for _, record in rows]], schema=FACTS)


def _extractions(extractions: Iterable[Extraction]) -> pa.Table:
    rows: list[tuple[Any, ...]] = [
        (item.paper_id, item.content_hash, item.extractor, encode(item)) for item in extractions
    ]
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], [], []]
    return pa.table(columns, schema=EXTRACTIONS)
