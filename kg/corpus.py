"""The papers of a graph with what was read from them: the source of truth, from which all else is derived.

Extractions are kept as they were read. Facts follow from them and are kept too, so that adding ten papers to thirty
thousand works on ten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from kg.facts import FACTS_VERSION, PaperFacts, paper_facts
from kg.records import decode_extraction, decode_facts, encode, encode_facts
from kg.types import Extraction, Paper

EXTRACTIONS: Final = pa.schema(
    {"paper": pa.string(), "content_hash": pa.string(), "extractor": pa.string(), "record": pa.large_binary()}
)
_FACTS: Final = pa.schema({"paper": pa.string(), "record": pa.large_binary()})
_FACTS_KEY: Final = b"facts_version"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Facts and extractions of the same papers, both sorted by paper id."""

    facts: tuple[PaperFacts, ...] = ()
    extractions: pa.Table = field(default_factory=EXTRACTIONS.empty_table)


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a paper: the hash of the content that was read, and by which extractor."""

    content_hash: str
    extractor: str


def changed(
    corpus: Corpus,
    papers: Iterable[Paper],
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
    kept = [
        row
        for row, paper_id in enumerate(corpus.extractions["paper"].to_pylist())
        if paper_id in facts and paper_id not in extractions
    ]
    table = pa.concat_tables(
        [corpus.extractions.take(pa.array(kept, pa.int64())), _table(extractions.values())]
    )
    return Corpus(tuple(facts[paper_id] for paper_id in sorted(facts)), table.sort_by("paper"))


def read_corpus(folder: Path) -> Corpus:
    """Return the corpus that a version holds."""
    extractions = pq.read_table(folder / "extractions.parquet", schema=EXTRACTIONS)
    table = pq.read_table(folder / "facts.parquet")
    facts = [decode_facts(record) for record in table["record"].to_pylist()]
    if table.schema.metadata.get(_FACTS_KEY) != str(FACTS_VERSION).encode():
        records = (decode_extraction(record) for record in extractions["record"].to_pylist())
        facts = [paper_facts(old.paper, record) for old, record in zip(facts, records, strict=True)]
    return Corpus(tuple(facts), extractions)


def write_corpus(folder: Path, corpus: Corpus) -> None:
    """Write a corpus into an existing folder; equal corpora give equal bytes."""
    pq.write_table(corpus.extractions.combine_chunks(), folder / "extractions.parquet", compression="zstd")
    schema = _FACTS.with_metadata({_FACTS_KEY: str(FACTS_VERSION).encode()})
    columns = [[item.paper.id for item in corpus.facts], [encode_facts(item) for item in corpus.facts]]
    pq.write_table(pa.table(columns, schema=schema), folder / "facts.parquet", compression="zstd")


def read_known(folder: Path) -> dict[str, Known]:
    """Return what a version holds of each paper, without reading the extractions themselves."""
    table = pq.read_table(folder / "extractions.parquet", columns=["paper", "content_hash", "extractor"])
    columns = [table[name].to_pylist() for name in table.column_names]
    return {paper: Known(content, extractor) for paper, content, extractor in zip(*columns, strict=True)}


def _table(extractions: Iterable[Extraction]) -> pa.Table:
    rows: list[tuple[Any, ...]] = [
        (item.paper_id, item.content_hash, item.extractor, encode(item)) for item in extractions
    ]
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], [], []]
    return pa.table(columns, schema=EXTRACTIONS)
