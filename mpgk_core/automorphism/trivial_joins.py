"""Leave out the edges that a colouring implies anyway, and see what a graph falls into.

Take an equitable partition. If the vertices of cell A are joined to all or to none of cell B, the
colours say it all, and the edges between A and B can be left out. If they are joined to more than
half of B, the edges can be swapped for the missing ones. Neither changes which of the maps that
keep the colours are isomorphisms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled
from mpgk_core.automorphism.partition_refinement import mix


class Fragments(NamedTuple):
    """The connected pieces, stacked one after another, and what is left over."""

    members: NDArray[np.int64]
    """(n,) the vertices: piece after piece, then the loose ones; by position within each"""
    offsets: NDArray[np.int64]
    """(p + 1,) piece i holds ``members[offsets[i]:offsets[i + 1]]``"""
    indptr: NDArray[np.int64]
    """(offsets[-1] + 1,) where the neighbours of each member start"""
    indices: NDArray[np.int64]
    """the neighbours, numbered within their piece"""
    cell: NDArray[np.int64]
    """(offsets[-1],) the cell of each member, named by the position where it starts in its piece"""
    size: NDArray[np.int64]
    """(offsets[-1],) the sizes of the cells, at the positions where they start"""
    signatures: NDArray[np.int64]
    """(p,) a hash of the cells that each piece takes its vertices from"""


def fall_apart(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    order: NDArray[np.int64],
    cell: NDArray[np.int64],
    size: NDArray[np.int64],
) -> Fragments:
    """Drop full joins, swap dense ones for the missing edges, and find the connected pieces.

    Parameters
    ----------
    indptr, indices : ndarray
        A symmetric adjacency matrix without loops, in compressed rows.
    order, cell, size : ndarray of shape (n,)
        An equitable partition, as in :class:`OrderedPartition`.

    Returns
    -------
    Fragments
        With never more edges than there were.

    Examples
    --------
    A square has more edges than it lacks, so its two missing diagonals take their place.

    >>> indptr, indices = np.array([0, 2, 4, 6, 8]), np.array([1, 3, 0, 2, 1, 3, 0, 2])
    >>> order, cell, size = np.arange(4), np.array([0, 0, 0, 0]), np.array([4, 0, 0, 0])
    >>> fragments = fall_apart(indptr, indices, order, cell, size)
    >>> fragments.offsets.tolist(), fragments.members.tolist()
    ([0, 2, 4], [0, 2, 1, 3])
    """
    kept_ptr, kept = _without_trivial_joins(indptr, indices, order, cell, size)
    members, offsets = _connected_pieces(kept_ptr, kept, order)
    return Fragments(members, offsets, *_stacked(kept_ptr, kept, members, offsets, cell))


@compiled
def _without_trivial_joins(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    order: NDArray[np.int64],
    cell: NDArray[np.int64],
    size: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n = len(order)
    kept_ptr = np.zeros(n + 1, np.int64)
    kept = np.empty(len(indices), np.int64)
    n_kept = 0
    joined = np.zeros(n, np.int64)
    neighbour_of = np.full(n, -1, np.int64)
    for u in range(n):
        neighbour_of[u] = u
        for e in range(indptr[u], indptr[u + 1]):
            neighbour_of[indices[e]] = u
            joined[cell[indices[e]]] += 1
        for e in range(indptr[u], indptr[u + 1]):
            c = cell[indices[e]]
            others = size[c] - 1 if c == cell[u] else size[c]
            if joined[c] > 0 and 2 * joined[c] <= others:
                kept[n_kept] = indices[e]
                n_kept += 1
            elif 0 < joined[c] < others:
                for position in range(c, c + size[c]):
                    if neighbour_of[order[position]] != u:
                        kept[n_kept] = order[position]
                        n_kept += 1
                joined[c] = 0
        for e in range(indptr[u], indptr[u + 1]):
            joined[cell[indices[e]]] = 0
        kept_ptr[u + 1] = n_kept
    return kept_ptr, kept[:n_kept]


@compiled
def _connected_pieces(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], order: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n = len(order)
    piece = np.full(n, -1, np.int64)
    offsets = np.zeros(n + 1, np.int64)
    stack = np.empty(n, np.int64)
    n_pieces, n_found = 0, 0
    for root in order:
        if piece[root] >= 0 or indptr[root] == indptr[root + 1]:
            continue
        piece[root] = n_pieces
        stack[0] = root
        height = 1
        while height > 0:
            height -= 1
            u = stack[height]
            n_found += 1
            for e in range(indptr[u], indptr[u + 1]):
                if piece[indices[e]] < 0:
                    piece[indices[e]] = n_pieces
                    stack[height] = indices[e]
                    height += 1
        n_pieces += 1
        offsets[n_pieces] = n_found
    offsets = offsets[: n_pieces + 1]
    free = offsets.copy()
    members = np.empty(n, np.int64)
    for v in order:
        p = piece[v] if piece[v] >= 0 else n_pieces
        members[free[p]] = v
        free[p] += 1
    return members, offsets


@compiled
def _stacked(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    members: NDArray[np.int64],
    offsets: NDArray[np.int64],
    colours: NDArray[np.int64],
) -> tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]
]:
    n = offsets[-1]
    number = np.empty(len(members), np.int64)
    cell = np.empty(n, np.int64)
    size = np.zeros(n, np.int64)
    signatures = np.empty(len(offsets) - 1, np.int64)
    for p in range(len(offsets) - 1):
        start = offsets[p]
        signature = offsets[p + 1] - offsets[p]
        for i in range(offsets[p], offsets[p + 1]):
            number[members[i]] = i - offsets[p]
            if colours[members[i]] != colours[members[start]]:
                start = i
            cell[i] = start - offsets[p]
            size[start] += 1
            signature = mix(signature, colours[members[i]])
        signatures[p] = signature
    piece_ptr = np.zeros(n + 1, np.int64)
    neighbours = np.empty(len(indices), np.int64)
    e = 0
    for i in range(n):
        v = members[i]
        for j in range(indptr[v], indptr[v + 1]):
            neighbours[e] = number[indices[j]]
            e += 1
        piece_ptr[i + 1] = e
    return piece_ptr, neighbours, cell, size, signatures
