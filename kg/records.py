"""Papers and extractions as bytes and back: compact JSON with a fixed field order."""

from __future__ import annotations

from typing import Final

import msgspec

from kg.types import Extraction, Paper

_ENCODER: Final = msgspec.json.Encoder()
_EXTRACTION: Final = msgspec.json.Decoder(Extraction)
_PAPER: Final = msgspec.json.Decoder(Paper)


def encode(record: Extraction | Paper) -> bytes:
    """Return a record as UTF-8 JSON; equal records give equal bytes.

    >>> encode(Paper("p1", title="A"))[:24]
    b'{"id":"p1","title":"A","'
    """
    return _ENCODER.encode(record)


def decode_extraction(data: bytes | str) -> Extraction:
    """Return the extraction that `encode` wrote."""
    return _EXTRACTION.decode(data)


def decode_paper(data: bytes | str) -> Paper:
    """Return the paper that `encode` wrote."""
    return _PAPER.decode(data)
