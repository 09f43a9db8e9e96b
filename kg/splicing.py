"""Sorted tables with rows taken out and put in, at the price of a copy: nothing is sorted or compared that stayed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Rows = npt.NDArray[np.int64]
_TEXT: Final = pa.string()


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


def place_of(kept: pa.Table, fresh: pa.Table, columns: Sequence[str]) -> Rows:
    """Return, for a table made of kept rows and then fresh ones, both sorted, the order that sorts all of them.

    Fresh rows come before kept ones that are equal.
    """
    if not len(kept) or not len(fresh):
        return np.arange(len(kept) + len(fresh))
    sorted_by = _Keys([kept[name].combine_chunks() for name in columns])
    places: list[int] = []
    for key in zip(*(fresh[name].to_pylist() for name in columns), strict=True):
        places.append(bisect_left(sorted_by, key, lo=places[-1] if places else 0))
    return np.insert(np.arange(len(kept)), places, np.arange(len(kept), len(kept) + len(fresh)))


def splice(kept: pa.Table, fresh: pa.Table, columns: Sequence[str]) -> pa.Table:
    """Return the rows of two tables that are sorted by some columns, sorted by them."""
    if not len(fresh):
        return kept
    return take(joined(kept, fresh), place_of(kept, fresh, columns)).combine_chunks()


def joined(kept: pa.Table, fresh: pa.Table) -> pa.Table:
    """Return the rows of one table and then those of the other."""
    return pa.concat_tables([kept, fresh]).combine_chunks()


def replaced(column: pa.ChunkedArray, rows: Rows, values: Sequence[Any]) -> pa.Array:
    """Return a column with other values in some rows; ``rows`` must be sorted."""
    mask = np.zeros(len(column), dtype=bool)
    mask[rows] = True
    return pc.replace_with_mask(column.combine_chunks(), pa.array(mask), pa.array(values, column.type))


class _Keys(Sequence[tuple[Any, ...]]):
    """The sort keys of a table's rows; only those that a search looks at are made."""

    def __init__(self, columns: Sequence[pa.Array]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def __getitem__(self, row: Any) -> Any:
        return tuple(column[row].as_py() for column in self._columns)
