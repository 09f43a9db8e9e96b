"""What linking knows of a corpus, as tables: the claims with their decisions, the names, the entities.

They are what a build needs of the papers it does not touch (see `kg.relinking`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from kg.acronyms import Expansions, looks_short, short_key
from kg.facts import Claim, PaperFacts
from kg.naming import tokens
from kg.signatures import HEAD_NOUN, LEVELS, signatures
from kg.similarity import block_keys
from kg.tables import TEXTS
from kg.variants import BY_FAMILY, FormStats

_TEXT: Final = pa.string()
#: A claim, in the order of papers and claims. It stands for ``form`` by the rule ``anchor``, ``sure`` is how sure that
#: is; ``rule`` and ``score`` say the same after variants were joined.
CLAIMS: Final = pa.schema(
    {
        "paper": _TEXT, "type": _TEXT, "name": _TEXT, "key": _TEXT, "long_key": _TEXT, "short": _TEXT, "long": _TEXT,
        "surfaces": TEXTS, "introduced": pa.bool_(), "form": _TEXT, "anchor": _TEXT, "sure": pa.float64(),
        "rule": _TEXT, "score": pa.float64(), "node": _TEXT,
    }
)  # fmt: skip
#: The long forms that papers give for acronyms.
ACRONYMS: Final = pa.schema(dict.fromkeys(("paper", "short", "long"), _TEXT))
#: A normal form in use. Forms that may be joined share one of the ``keys``; ``shorts`` are the acronyms in its name.
FORMS: Final = pa.schema({"form": _TEXT, "keys": pa.list_(pa.field("element", pa.uint32())), "shorts": TEXTS})
#: An entity; ``plain`` is its id without the sense.
ENTITIES: Final = pa.schema(
    {"node": _TEXT, "plain": _TEXT, "sense": _TEXT, "type": _TEXT, "name": _TEXT, "papers": pa.int32()}
)
#: Misspelt words and what they are slips of.
SLIPS: Final = pa.schema(dict.fromkeys(("wrong", "right"), _TEXT))


@dataclass(frozen=True, slots=True)
class LinkTables:
    """All that linking keeps between builds, each table sorted by its first column."""

    claims: pa.Table = field(default_factory=CLAIMS.empty_table)
    acronyms: pa.Table = field(default_factory=ACRONYMS.empty_table)
    forms: pa.Table = field(default_factory=FORMS.empty_table)
    entities: pa.Table = field(default_factory=ENTITIES.empty_table)
    slips: pa.Table = field(default_factory=SLIPS.empty_table)


def claim_rows(papers: Iterable[PaperFacts]) -> pa.Table:
    """Return the claims of papers, undecided."""
    claims = [(facts.paper.id, claim) for facts in papers for claim in facts.claims]
    given = ("type", "name", "key", "long_key", "short", "long", "introduced")
    columns: dict[str, Any] = {name: [getattr(claim, name) for _, claim in claims] for name in given}
    columns["paper"] = [paper for paper, _ in claims]
    columns["surfaces"] = [list(claim.surfaces) for _, claim in claims]
    for name in ("form", "anchor", "rule", "node"):
        columns[name] = [""] * len(claims)
    for name in ("sure", "score"):
        columns[name] = [0.0] * len(claims)
    return pa.table([columns[name] for name in CLAIMS.names], schema=CLAIMS)


def acronym_rows(papers: Iterable[PaperFacts]) -> pa.Table:
    """Return the long forms that papers give for acronyms, each paper's once."""
    rows: list[tuple[str, str, str]] = []
    for facts in papers:
        own = {(claim.short, claim.long_key) for claim in facts.claims if claim.short and claim.long_key}
        rows.extend((facts.paper.id, *pair) for pair in sorted(own.union(facts.acronyms)))
    return table_of(rows, ACRONYMS)


def form_rows(stats: Mapping[str, FormStats], expansions: Expansions) -> pa.Table:
    """Return the forms that are used as ``stats`` say, sorted."""
    rows = []
    for form in sorted(stats):
        name = stats[form].name
        shorts = sorted({short_key(piece) for piece in tokens(name) if looks_short(piece)})
        rows.append((form, _keys(form, stats[form], expansions), shorts))
    return table_of(rows, FORMS)


def _keys(form: str, used: FormStats, expansions: Expansions) -> list[int]:
    """Return a number for each thing that a form shares with those that it may be joined with."""
    kind, name = used.family, used.name
    signed = signatures(name, form, kind, expansions)
    keys = [key for key, _ in block_keys(form, kind, name)]
    for level, (rule, _) in enumerate(LEVELS):
        if rule != HEAD_NOUN or not used.mostly_introduced:
            of_family = kind if level >= BY_FAMILY or kind == "Data" else ""
            keys.append(f"{level}:{of_family}:{signed.levels[level]}")
            if rule == HEAD_NOUN and signed.without_soft_head:
                keys.append(f"{level}:{kind}:{signed.without_soft_head}")
    return sorted({zlib.crc32(key.encode("utf-8", "surrogatepass")) for key in keys})


def table_of(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    """Return rows as a table."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    return pa.table([list(column) for column in columns], schema=schema)


def read_claims(rows: pa.Table) -> list[Claim]:
    """Return rows of `CLAIMS` as claims; what linking does not look at is left out."""
    names = ("type", "name", "key", "long_key", "short", "long", "surfaces", "introduced")
    return [
        Claim(kind, name, key, long_key, short, long, tuple(surfaces), introduced)
        for kind, name, key, long_key, short, long, surfaces, introduced in zip(
            *(rows[name].to_pylist() for name in names), strict=True
        )
    ]
