"""Extractions and facts as bytes and back, with a fixed field order."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from kg.facts import PaperFacts
from kg.types import Extraction

#: Decimal places of scores in what is written for people and other programs.
SCORE_DIGITS: Final = 4

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


def extraction_record(extraction: Extraction) -> dict[str, Any]:
    """Return an extraction as ``kg extract`` writes it: names, surfaces and scores, without offsets."""
    names = [entity.name for entity in extraction.entities]
    return {
        "id": extraction.paper_id,
        "entities": [
            {
                "name": entity.name,
                "type": entity.type,
                "surfaces": list(entity.surfaces),
                "introduced": entity.introduced,
                "score": round(entity.score, SCORE_DIGITS),
            }
            for entity in extraction.entities
        ],
        "relations": [
            {
                "head": names[relation.head],
                "type": relation.type,
                "tail": names[relation.tail],
                "score": round(relation.score, SCORE_DIGITS),
            }
            for relation in extraction.relations
        ],
        "results": [
            {
                "method": result.method or None,
                "metric": result.metric or None,
                "value": result.value,
                "on": result.on or None,
                "baseline": result.baseline or None,
            }
            for result in extraction.results
        ],
        "urls": [link.url for link in extraction.links],
    }
