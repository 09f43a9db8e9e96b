"""Extractions and facts as bytes and back, with a fixed field order."""

from __future__ import annotations

from typing import Final

import msgspec

from kg.facts import PaperFacts
from kg.types import Extraction

_ENCODER: Final = msgspec.json.Encoder()
_FACTS_ENCODER: Final = msgspec.msgpack.Encoder()
_FACTS: Final = msgspec.msgpack.Decoder(PaperFacts)
_EXTRACTION: Final = msgspec.json.Decoder(Extraction)


def encode(record: Extraction) -> bytes:
    """Return a record as UTF-8 JSON; equal records give equal bytes.

    >>> encode(Extraction("p1", "hash"))[:38]
    b'{"paper_id":"p1","content_hash":"hash"'
    """
    return _ENCODER.encode(record)


def decode_extraction(data: bytes | str) -> Extraction:
    """Return the extraction that `encode` wrote."""
    return _EXTRACTION.decode(data)


def encode_facts(facts: PaperFacts) -> bytes:
    """Return the facts of a paper as MessagePack; equal facts give equal bytes."""
    return _FACTS_ENCODER.encode(facts)


def decode_facts(data: bytes) -> PaperFacts:
    """Return the facts that `encode_facts` wrote."""
    return _FACTS.decode(data)
