"""Rows in batches that one transaction can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

ROWS_A_BATCH: Final = 5_000
# Evidence makes some rows large; a transaction holds its rows in the server's memory.
_BYTES_A_BATCH: Final = 8_000_000


def batches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield the rows in order, some thousands at a time."""
    return (rows[start : start + ROWS_A_BATCH] for start in range(0, len(rows), ROWS_A_BATCH))


def sized_batches(rows: Iterable[tuple[dict[str, Any], int]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows in order in batches of some thousands or some megabytes; each comes with its size in bytes."""
    batch: list[dict[str, Any]] = []
    held = 0
    for row, size in rows:
        if batch and (len(batch) >= ROWS_A_BATCH or held + size > _BYTES_A_BATCH):
            yield batch
            batch, held = [], 0
        batch.append(row)
        held += size
    if batch:
        yield batch
