"""Papers from Parquet files, read a thousand rows at a time.

References:
    https://arrow.apache.org/docs/python/parquet.html
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final

from kg.errors import InputError
from loaders.papers.field_names import field_of
from loaders.papers.json_papers import records_of
from loaders.papers.records import Records
from loaders.papers.sources import seekable

MAGIC: Final = b"PAR1"
_ROWS: Final = 1000
#: Columns that other services' records are told by, beside those with names of our fields.
_DIALECT: Final = frozenset(
    (
        *("abstract_inverted_index", "authorships", "publication_year", "primary_location", "locations"),
        *("corpusid", "externalids", "paperId", "externalIds", "openaccessinfo", "publicationVenue"),
        *("authors_parsed", "categories", "submitter", "versions", "update_date", "journal-ref"),
        *("content", "forum", "invitation", "invitations", "replyto", "cdate", "pdate", "details"),
    )
)


def read(stream: IO[bytes], name: str) -> Records:
    """Yield the papers of a Parquet file; the line of a record is its row."""
    from pyarrow import ArrowException, parquet

    with ExitStack() as stack:
        try:
            file = parquet.ParquetFile(_seekable(stream, name, stack))
            columns = [column for column in file.schema_arrow.names if field_of(column) or column in _DIALECT]
            number = 0
            for batch in file.iter_batches(batch_size=_ROWS, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield from records_of({key: item for key, item in row.items() if item is not None}, number)
        except (ArrowException, OSError) as error:
            raise InputError(f"{name} is a damaged Parquet file: {str(error).splitlines()[0]}") from error


def _seekable(stream: IO[bytes], name: str, stack: ExitStack) -> IO[bytes]:
    """Return the file itself where it is no archive, else a copy: the directory of Parquet stands at the end."""
    path = Path(name)
    if not path.is_file():
        return seekable(stream, stack)
    file = stack.enter_context(path.open("rb"))
    if file.read(len(MAGIC)) != MAGIC:
        return seekable(stream, stack)
    file.seek(0)
    return file
