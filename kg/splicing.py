"""Sorted tables with rows taken out and put in, at the price of a copy: nothing is sorted or compared that stayed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Rows = npt.NDArray[np.int64]
_TEXT: Final = pa.string()
#: From so many edits on, rows are gathered one by one.
_MANY: Final = 20_000


def is_one_of(column: pa.ChunkedArray, values: Collection[str]) -> npt.NDArray[np.bool_]:
    """Say for each row whether its text is one of the values."""
    if not values:
        return np.zeros(len(column), dtype=bool)
    return np.asarray(pc.is_in(column, value_set=pa.array(sorted(values), _TEXT)))


def rows_of(column: pa.ChunkedArray, values: Collection[str]) -> Rows:
    """Return the numbers of the rows whose text is one of the values."""
    return np.flatnonzero(is_one_of(column, values))


def take(table: pa.Table, rows: Rows) -> pa.Table:
    """Return some rows of a table, in this order."""
    return table.take(pa.array(rows, pa.int64()))


@dataclass(frozen=True, slots=True)
class Edit:
    """Rows to take out of a table, and for each fresh row the row of the table that it comes before; both sorted."""

    gone: Rows
    places: Rows

    def applied(self, table: pa.Table, fresh: pa.Table) -> pa.Table:
        """Return a table without the rows that go and with the fresh ones."""
        if not len(self.gone) and not len(fresh):
            return table
        order = self.order(len(table))
        if len(self.gone) + len(fresh) > _MANY:
            return take(joined(table, fresh), order).combine_chunks()
        # Few edits leave long stretches of rows, which are copied as they stand.
        breaks = np.flatnonzero(np.diff(order) != 1) + 1
        both = pa.concat_tables([table, fresh])
        parts = [both.slice(part[0], len(part)) for part in np.split(order, breaks) if len(part)]
        return pa.concat_tables(parts or [fresh]).combine_chunks()

    def order(self, length: int) -> Rows:
        """Return the rows of what comes out, fresh ones counted on from the end of a table of some length."""
        stays = np.ones(length, dtype=bool)
        stays[self.gone] = False
        rows = np.insert(np.arange(length), self.places, np.arange(length, length + len(self.places)))
        keep = np.insert(stays, self.places, np.ones(len(self.places), dtype=bool))
        return rows[keep]


def edit_of(table: pa.Table, gone: Rows, fresh: pa.Table, columns: Sequence[str]) -> Edit:
    """Return how a table sorted by some columns loses rows and gets fresh ones, sorted too, and stays sorted."""
    if not len(table):
        return Edit(gone, np.zeros(len(fresh), dtype=np.int64))
    sorted_by = _Keys([table[name].combine_chunks() for name in columns])
    places: list[int] = []
    for key in zip(*(fresh[name].to_pylist() for name in columns), strict=True):
        places.append(bisect_left(sorted_by, key, lo=places[-1] if places else 0))
    return Edit(gone, np.array(places, dtype=np.int64))


def splice(table: pa.Table, gone: Rows, fresh: pa.Table, columns: Sequence[str]) -> pa.Table:
    """Return a table sorted by some columns without some rows and with fresh rows, which must be sorted too."""
    return edit_of(table, gone, fresh, columns).applied(table, fresh)


def joined(kept: pa.Table, fresh: pa.Table) -> pa.Table:
    """Return the rows of one table and then those of the other."""
    return pa.concat_tables([kept, fresh]).combine_chunks()


def replaced(column: pa.ChunkedArray, rows: Rows, values: Sequence[Any]) -> pa.Array:
    """Return a column with other values in some rows; ``rows`` must be sorted."""
    mask = np.zeros(len(column), dtype=bool)
    mask[rows] = True
    return pc.replace_with_mask(column.combine_chunks(), pa.array(mask), pa.array(values, column.type))


def ranges(starts: Rows, ends: Rows) -> Rows:
    """Return all numbers from each start up to its end, which is left out.

    >>> ranges(np.array([2, 7]), np.array([4, 8])).tolist()
    [2, 3, 7]
    """
    counts = ends - starts
    return np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)


class _Keys(Sequence[tuple[Any, ...]]):
    """The sort keys of a table's rows; only those that a search looks at are made."""

    def __init__(self, columns: Sequence[pa.Array]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def __getitem__(self, row: Any) -> Any:
        return tuple(column[row].as_py() for column in self._columns)
