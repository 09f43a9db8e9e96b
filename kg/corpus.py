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

from kg.contribution import paper_facts
from kg.facts import FACTS_VERSION, PaperFacts
from kg.records import decode_extraction, decode_facts, encode, encode_facts
from kg.splicing import rows_of, splice, take
from kg.tables import PAPERS, paper_rows, papers_of, read_table, write_table
from kg.types import Extraction, Paper

EXTRACTIONS: Final = pa.schema(
    {"paper": pa.string(), "content_hash": pa.string(), "extractor": pa.string(), "record": pa.large_binary()}
)
FACTS: Final = pa.schema({"paper": pa.string(), "record": pa.large_binary()})
_FACTS_KEY: Final = b"facts_version"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Extractions, facts and records of the same papers, each sorted by paper id; facts are packed."""

    extractions: pa.Table = field(default_factory=EXTRACTIONS.empty_table)
    packed: pa.Table = field(default_factory=FACTS.empty_table)
    papers: pa.Table = field(default_factory=PAPERS.empty_table)

    @property
    def ids(self) -> list[str]:
        """The ids of the papers, sorted."""
        ids: list[str] = self.packed["paper"].to_pylist()
        return ids

    def facts(self, ids: Collection[str]) -> list[PaperFacts]:
        """Return the facts of some papers, sorted by id; papers that are not there are left out."""
        rows = rows_of(self.packed["paper"], ids)
        return [decode_facts(record) for record in self.packed["record"].take(rows).to_pylist()]


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
) -> tuple[Corpus, list[PaperFacts]]:
    """Return a corpus with papers added or replaced and others taken out, and the facts of those added or replaced.

    A paper without an extraction keeps the stored one: only its record (authors, year, ...) may have changed. Papers
    that are as they were are passed over.

    Raises:
        ValueError: A paper has neither a new nor a stored extraction.
    """
    stored_rows = rows_of(corpus.papers["id"], {paper.id for paper in papers})
    known = {paper.id: paper for paper in papers_of(take(corpus.papers, stored_rows))}
    changing = [paper for paper in papers if paper.id in extractions or known.get(paper.id) != paper]
    stored = {item.paper.id: item for item in corpus.facts({paper.id for paper in changing} - extractions.keys())}
    fresh = []
    for paper in sorted(changing, key=lambda paper: paper.id):
        if paper.id in extractions:
            fresh.append(paper_facts(paper, extractions[paper.id]))
        elif paper.id in stored:
            fresh.append(replace(stored[paper.id], paper=paper))
        else:
            raise ValueError(f"no extraction of paper {paper.id!r}, new or stored")
    touched = {*removed, *(item.paper.id for item in fresh)}
    read = [extractions[paper_id] for paper_id in sorted(extractions)]
    return Corpus(
        _renewed(corpus.extractions, {*removed, *extractions}, _extractions(read), "paper"),
        _renewed(corpus.packed, touched, _packed(fresh), "paper"),
        _renewed(corpus.papers, touched, paper_rows([item.paper for item in fresh]), "id"),
    ), fresh


def _renewed(table: pa.Table, gone: Collection[str], fresh: pa.Table, by: str) -> pa.Table:
    """Return a table without the rows of some papers and with fresh rows, sorted by paper."""
    return splice(table, rows_of(table[by], gone), fresh, [by])


def read_corpus(folder: Path) -> tuple[Corpus, bool]:
    """Return the corpus that a version holds, and whether its facts are as this version of the package makes them."""
    extractions = read_table(folder / "extractions.parquet")
    papers = read_table(folder / "papers.parquet")
    packed = read_table(folder / "facts.parquet")
    if packed.schema.metadata.get(_FACTS_KEY) == str(FACTS_VERSION).encode():
        return Corpus(extractions, packed.cast(FACTS), papers), True
    records = (decode_extraction(record) for record in extractions["record"].to_pylist())
    pairs = zip(papers_of(papers), records, strict=True)
    return Corpus(extractions, _packed(paper_facts(paper, record) for paper, record in pairs), papers), False


def write_corpus(folder: Path, corpus: Corpus) -> None:
    """Write a corpus into an existing folder; equal corpora give equal bytes."""
    write_table(folder / "extractions.parquet", corpus.extractions)
    write_table(folder / "papers.parquet", corpus.papers)
    packed = corpus.packed.replace_schema_metadata({_FACTS_KEY: str(FACTS_VERSION).encode()})
    write_table(folder / "facts.parquet", packed)


def read_known(folder: Path) -> dict[str, Known]:
    """Return what a version holds of each paper, without reading the extractions themselves."""
    table = read_table(folder / "extractions.parquet", columns=["paper", "content_hash", "extractor"])
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
