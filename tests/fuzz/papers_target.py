"""What is fuzzed: any bytes through the way a file takes, and through each reader whatever the bytes look like."""

from __future__ import annotations

import io
from contextlib import ExitStack
from pathlib import Path

from kg.errors import InputError
from loaders.papers import parquet, sources
from loaders.papers.decoding import read_source
from loaders.papers.likeness import keys
from loaders.papers.records import Excluded, Faulty, Found, Records
from loaders.papers.registry import FORMATS, recognise

SEEDS = Path(__file__).parent / "seeds"
#: More records than any input of the fuzzers holds: a reader that yields more is in a loop.
MAX_RECORDS = 50_000


def read_as_file(data: bytes) -> int:
    """Unpack, recognise and read bytes; return the number of records. Only an ``InputError`` may be raised."""
    count = 0
    with ExitStack() as stack:
        try:
            for name, stream in sources._unpacked("fuzz", io.BytesIO(data), stack, 3):
                count += drained(recognise(name, stream).records)
        except InputError as error:
            assert "\n" not in str(error), error
    return count


def read_with_each_reader(data: bytes) -> None:
    """Give bytes to every reader, also to those that would not claim them."""
    for form in FORMATS:
        try:
            source = read_source("fuzz", io.BytesIO(data))
            drained(form.read(source))
        except InputError:
            continue
    try:
        drained(parquet.read(io.BytesIO(data), "fuzz"))
    except InputError:
        return


def drained(records: Records) -> int:
    """Look at every record and at the keys of its paper; return how many there are."""
    count = 0
    for count, record in enumerate(records, 1):
        assert count < MAX_RECORDS, "a reader does not end"
        assert record.line >= 0
        if isinstance(record, Found):
            assert record.paper.id and record.paper.raw
            list(keys(record))
        elif isinstance(record, Faulty):
            assert record.reason and "\n" not in record.reason, record
        else:
            assert isinstance(record, Excluded)
    return count
