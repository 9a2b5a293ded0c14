"""Find equal rows of whole numbers and number the distinct ones in an order of their own.

Rows are grouped with a hash table that compares whole rows, so two different rows never share
a group, whatever their hashes. The groups are then numbered by the hash of their content (ties
by the content itself): the numbering is the same for every order in which the rows come in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray, UIntArray

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
_FACTOR_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)


class Rows(NamedTuple):
    """Rows (head, value, value, ...) of whole numbers, of any lengths."""

    heads: Int32Array
    """(n,) the first entry of every row"""
    indptr: IntArray
    """(n + 1,) row i goes on with ``values[indptr[i]:indptr[i + 1]]``"""
    values: IntArray
    """the other entries of all rows"""

    @classmethod
    def of_floats(cls, heads: Int32Array, table: FloatArray) -> Rows:
        """Read the bits of real rows as whole numbers; there must be no -0.0 among them."""
        indptr = np.arange(len(table) + 1, dtype=np.int64) * table.shape[1]
        return cls(heads, indptr, np.ascontiguousarray(table).view(np.int64).ravel())


class SparseRows(NamedTuple):
    """A csr_array as loops take it; a csc_array gives its columns."""

    indptr: IntArray
    indices: Int32Array
    data: FloatArray

    @classmethod
    def of(cls, matrix: csr_array) -> SparseRows:
        """Take the three arrays of a matrix."""
        return cls(matrix.indptr.astype(np.int64), matrix.indices, matrix.data)


class RowGroups(NamedTuple):
    """The distinct rows among many."""

    of_row: Int32Array
    """(n,) the group of every row"""
    representatives: IntArray
    """(m,) one row of every group"""


def group_rows(rows: Rows, hash_bits: int = 64) -> RowGroups:
    """Group equal rows.

    Parameters
    ----------
    rows : Rows
    hash_bits : int
        How many bits of the hash to use; fewer make collisions frequent, never wrong.

    Returns
    -------
    RowGroups
        Numbered independently of the order of the rows.

    Examples
    --------
    >>> rows = Rows(np.zeros(3, np.int32), np.array([0, 2, 3, 5]), np.array([7, 8, 7, 7, 8]))
    >>> groups = group_rows(rows)
    >>> bool(groups.of_row[0] == groups.of_row[2]), len(groups.representatives)
    (True, 2)
    """
    hashes = _hash_rows(*rows)
    if hash_bits < 64:
        hashes &= np.uint64((1 << hash_bits) - 1)
    of_row, first_rows = _group_in_order_of_appearance(*rows, hashes)
    order = _content_order(hashes[first_rows], first_rows, rows)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return RowGroups(rank[of_row], first_rows[order])


def recognise_rows(known: Rows, new: Rows) -> Int32Array:
    """Give new rows the number of the known row that they equal; unknown ones follow after all.

    Parameters
    ----------
    known : Rows
        All distinct; known row i has the number i.
    new : Rows
        All distinct.

    Returns
    -------
    ndarray
        The number of every new row.
    """
    n_known = len(known.heads)
    together = Rows(
        np.concatenate([known.heads, new.heads]),
        np.concatenate([known.indptr, known.indptr[-1] + new.indptr[1:]]),
        np.concatenate([known.values, new.values]),
    )
    of_row, _ = _group_in_order_of_appearance(*together, _hash_rows(*together))
    return of_row[n_known:]


@compiled
def mix(state: np.uint64, value: np.uint64) -> np.uint64:
    """Stir ``value`` into a 64-bit hash (the finaliser of the SplitMix64 generator)."""
    z = (state ^ value) + _INCREMENT
    z = (z ^ (z >> _SHIFT_30)) * _FACTOR_1
    z = (z ^ (z >> _SHIFT_27)) * _FACTOR_2
    return z ^ (z >> _SHIFT_31)


@compiled
def _hash_rows(heads: Int32Array, indptr: IntArray, values: IntArray) -> UIntArray:
    n = len(heads)
    hashes = np.empty(n, dtype=np.uint64)
    for i in range(n):
        state = np.uint64(indptr[i + 1] - indptr[i]) * _FACTOR_2 + np.uint64(heads[i])
        for e in range(indptr[i], indptr[i + 1]):
            state = (state ^ np.uint64(values[e])) * _FACTOR_1
            state ^= state >> _SHIFT_31
        hashes[i] = mix(state, _INCREMENT)
    return hashes


@compiled
def _group_in_order_of_appearance(
    heads: Int32Array, indptr: IntArray, values: IntArray, hashes: UIntArray
) -> tuple[Int32Array, IntArray]:
    """Look every row up in an open-addressing table, which doubles when it is half full."""
    n = len(heads)
    slots = np.full(1024, -1, dtype=np.int32)
    of_row = np.empty(n, dtype=np.int32)
    first_rows = np.empty(512, dtype=np.int64)
    n_groups = 0
    for i in range(n):
        slot = np.int64(hashes[i] & np.uint64(len(slots) - 1))
        while True:
            group = slots[slot]
            if group == -1:
                slots[slot] = n_groups
                first_rows[n_groups] = i
                of_row[i] = n_groups
                n_groups += 1
                break
            j = first_rows[group]
            if hashes[i] == hashes[j] and _rows_equal(heads, indptr, values, i, j):
                of_row[i] = group
                break
            slot = (slot + 1) & (len(slots) - 1)
        if n_groups == len(first_rows):
            first_rows = np.concatenate((first_rows, np.empty_like(first_rows)))
            slots = _spread_over_slots(hashes, first_rows[:n_groups], 2 * len(slots))
    return of_row, first_rows[:n_groups].copy()


@compiled
def _spread_over_slots(hashes: UIntArray, first_rows: IntArray, n_slots: int) -> Int32Array:
    slots = np.full(n_slots, -1, dtype=np.int32)
    for group in range(len(first_rows)):
        slot = np.int64(hashes[first_rows[group]] & np.uint64(n_slots - 1))
        while slots[slot] != -1:
            slot = (slot + 1) & (n_slots - 1)
        slots[slot] = group
    return slots


@compiled
def _rows_equal(heads: Int32Array, indptr: IntArray, values: IntArray, i: int, j: int) -> bool:
    length = indptr[i + 1] - indptr[i]
    if heads[i] != heads[j] or length != indptr[j + 1] - indptr[j]:
        return False
    start_i, start_j = indptr[i], indptr[j]
    for e in range(length):
        if values[start_i + e] != values[start_j + e]:
            return False
    return True


def _content_order(hashes: UIntArray, first_rows: IntArray, rows: Rows) -> IntArray:
    order = np.argsort(hashes)
    _sort_equal_hashes(order, hashes[order], first_rows, rows)
    return order


@compiled
def _sort_equal_hashes(
    order: IntArray, ordered: UIntArray, first_rows: IntArray, rows: Rows
) -> None:
    """Sort the groups of every hash by their content."""
    start = 0
    for stop in range(1, len(order) + 1):
        if stop == len(order) or ordered[stop] != ordered[start]:
            _sort_by_content(order[start:stop], first_rows, rows)
            start = stop


@compiled
def _sort_by_content(groups: IntArray, first_rows: IntArray, rows: Rows) -> None:
    """Shell's sort: few groups share a hash."""
    gap = 1
    while 3 * gap + 1 < len(groups):
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(groups)):
            group = groups[i]
            j = i
            while j >= gap and _comes_first(rows, first_rows[group], first_rows[groups[j - gap]]):
                groups[j] = groups[j - gap]
                j -= gap
            groups[j] = group
        gap //= 3


@compiled
def _comes_first(rows: Rows, i: int, j: int) -> bool:
    """Return whether row i is the smaller of two different rows, number by number."""
    heads, indptr, values = rows
    if heads[i] != heads[j]:
        return bool(heads[i] < heads[j])
    start_i, start_j = indptr[i], indptr[j]
    length_i, length_j = indptr[i + 1] - start_i, indptr[j + 1] - start_j
    for e in range(min(length_i, length_j)):
        if values[start_i + e] != values[start_j + e]:
            return bool(values[start_i + e] < values[start_j + e])
    return bool(length_i < length_j)
