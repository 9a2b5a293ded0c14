"""Colour refinement on an ordered partition, with a trace that makes two runs comparable.

The vertices are split into an *ordered* list of cells; the name of a cell is the position where
it starts. Refinement takes a cell S off a queue, counts for every vertex its neighbours in S, and
splits every cell whose vertices disagree, few neighbours first. It ends when the partition is
*equitable*: vertices of one cell have equally many neighbours in any other cell.

Every decision depends on positions and counts only, never on the numbers of the vertices. So an
isomorphism carries one run onto the other, and the *trace*, a running 64-bit hash of all counts
and splits, is an invariant: different traces prove that the inputs are not isomorphic. Equal traces
make the cells at equal positions candidates for each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import IntArray


@dataclass(frozen=True, eq=False)
class OrderedPartition:
    """Cells of vertices in a fixed order.

    Parameters
    ----------
    order : ndarray of shape (n,)
        The vertices, cell after cell.
    cell : ndarray of shape (n,)
        The position where the cell of each vertex starts.
    size : ndarray of shape (n,)
        ``size[c]`` is the size of the cell that starts at position c.

    Examples
    --------
    >>> partition = OrderedPartition.by_colour(np.array([7, 3, 7]))
    >>> partition.order.tolist(), partition.cell.tolist()
    ([1, 0, 2], [1, 0, 1])
    >>> partition.starts().tolist()
    [0, 1]
    """

    order: IntArray
    cell: IntArray
    size: IntArray

    @classmethod
    def by_colour(cls, colours: IntArray) -> OrderedPartition:
        """Make one cell of every colour, in ascending order of the colours."""
        order = np.argsort(colours, kind="stable")
        _, first, code, counts = np.unique(
            colours[order], return_index=True, return_inverse=True, return_counts=True
        )
        cell = np.empty(len(colours), dtype=np.int64)
        cell[order] = first[code]
        size = np.zeros(len(colours), dtype=np.int64)
        size[first] = counts
        return cls(order.astype(np.int64), cell, size)

    def starts(self) -> IntArray:
        """Return the position where each cell starts, in ascending order."""
        return np.unique(self.cell)

    def with_first(self, vertex: int) -> OrderedPartition:
        """Return a copy in which ``vertex`` is a cell of its own, before the rest of its cell."""
        order, cell, size = self.order.copy(), self.cell.copy(), self.size.copy()
        start = cell[vertex]
        members = self.order[start : start + size[start]]
        rest = members[members != vertex]
        order[start] = vertex
        order[start + 1 : start + 1 + len(rest)] = rest
        cell[rest] = start + 1
        size[start] = 1
        if len(rest):
            size[start + 1] = len(rest)
        return OrderedPartition(order, cell, size)


_NOTHING = np.empty(0, dtype=np.int64)


@compiled
def mix(state: int, value: int) -> int:
    """Stir ``value`` into a running 64-bit hash; the order of the values matters."""
    state = (state ^ value) * -7046029254386353131
    state = (state ^ ((state >> 32) & 0xFFFFFFFF)) * -4658895280553007687
    return state ^ ((state >> 29) & 0x7FFFFFFFF)


def refine_partition(
    indptr: IntArray,
    indices: IntArray,
    partition: OrderedPartition,
    splitters: IntArray,
    expected: IntArray = _NOTHING,
) -> tuple[IntArray, int]:
    """Split cells, in place, until the partition is equitable.

    Parameters
    ----------
    indptr, indices : ndarray
        A symmetric adjacency matrix without loops, in compressed rows.
    partition : OrderedPartition
        Changed in place to the coarsest equitable partition that refines it.
    splitters : ndarray
        Cells to count neighbours in at first: all cells, or, where the partition was equitable
        before one vertex was set apart, the cell of that vertex alone.
    expected : ndarray, optional
        The trace of another run. As soon as this run departs from it, it stops.

    Returns
    -------
    trace : ndarray
        The running hash after each cell taken off the queue.
    visits : int
        The number of edge visits.

    Examples
    --------
    On a path of four vertices the two ends part from the two inner vertices.

    >>> import networkx as nx
    >>> path = nx.to_scipy_sparse_array(nx.path_graph(4), dtype=np.int64)
    >>> indptr, indices = path.indptr.astype(np.int64), path.indices.astype(np.int64)
    >>> partition = OrderedPartition.by_colour(np.zeros(4, dtype=np.int64))
    >>> trace, visits = refine_partition(indptr, indices, partition, partition.starts())
    >>> partition.cell.tolist(), len(trace), visits
    ([0, 2, 2, 0], 2, 10)
    """
    order, cell, size = partition.order, partition.cell, partition.size
    trace, visits = _refine(indptr, indices, order, cell, size, splitters, expected)
    return trace, int(visits)


@compiled
def _refine(
    indptr: IntArray,
    indices: IntArray,
    order: IntArray,
    cell: IntArray,
    size: IntArray,
    splitters: IntArray,
    expected: IntArray,
) -> tuple[IntArray, int]:
    n = len(order)
    positions = np.empty(n, np.int64)
    where = np.empty(n, np.int64)
    for position in range(n):
        positions[position] = position
        where[order[position]] = position
    queue = np.empty(n, np.int64)  # a ring: each cell waits at most once
    queued = np.zeros(n, np.bool_)
    head, waiting = 0, len(splitters)
    for i in range(waiting):
        queue[i] = splitters[i]
        queued[splitters[i]] = True
    hits = np.zeros(n, np.int64)
    hit_vertices = np.empty(n, np.int64)
    hits_in_cell = np.zeros(n, np.int64)
    hit_cells = np.empty(n, np.int64)
    trace = np.empty(n + waiting, np.int64)
    steps, running, visits = 0, 0, 0

    while waiting > 0:
        splitter = queue[head]
        head, waiting = (head + 1) % n, waiting - 1
        queued[splitter] = False

        n_hit = 0
        for position in range(splitter, splitter + size[splitter]):
            u = order[position]
            visits += indptr[u + 1] - indptr[u]
            for e in range(indptr[u], indptr[u + 1]):
                w = indices[e]
                if hits[w] == 0:
                    hit_vertices[n_hit] = w
                    n_hit += 1
                hits[w] += 1

        n_cells = 0
        for i in range(n_hit):  # gather the vertices hit at the end of their cells
            w = hit_vertices[i]
            c = cell[w]
            if hits_in_cell[c] == 0:
                hit_cells[n_cells] = c
                n_cells += 1
            hits_in_cell[c] += 1
            last = c + size[c] - hits_in_cell[c]
            other, place = order[last], where[w]
            order[place], where[other] = other, place
            order[last], where[w] = w, last

        n_split = 0
        quiet = 0
        for i in range(n_cells):
            c = hit_cells[i]
            end = c + size[c]
            first = end - hits_in_cell[c]
            agree = first == c
            count = hits[order[first]]
            for position in range(first + 1, end):
                agree = agree and hits[order[position]] == count
            if agree:  # summed, since cells are met in an order that depends on the numbering
                quiet += mix(mix(splitter, c), count)
                hits_in_cell[c] = 0
            else:
                hit_cells[n_split] = c
                n_split += 1
        running = mix(mix(running, splitter), quiet)

        _sort_by(positions, hit_cells[:n_split])
        for c in hit_cells[:n_split]:
            end = c + size[c]
            first = end - hits_in_cell[c]
            hits_in_cell[c] = 0
            members = order[first:end].copy()
            _sort_by(hits, members)
            largest, largest_size = c, 0
            start = c
            if first > c:
                largest_size = first - c
                size[c] = largest_size
                running = mix(mix(running, c), largest_size)
                start = first
            for i in range(len(members)):
                w = members[i]
                position = first + i
                if i > 0 and hits[w] != hits[members[i - 1]]:
                    start = position
                order[position], where[w], cell[w] = w, position, start
                if i + 1 == len(members) or hits[members[i + 1]] != hits[w]:
                    size[start] = position + 1 - start
                    running = mix(mix(mix(running, start), size[start]), hits[w])
                    if size[start] > largest_size:
                        largest, largest_size = start, size[start]
            skipped = c if queued[c] else largest
            start = c
            while start < end:
                if start != skipped:
                    queue[(head + waiting) % n] = start
                    waiting += 1
                    queued[start] = True
                start += size[start]

        for i in range(n_hit):
            hits[hit_vertices[i]] = 0
        trace[steps] = running
        steps += 1
        if len(expected) > 0 and (steps > len(expected) or expected[steps - 1] != running):
            break
    return trace[:steps].copy(), visits


@compiled
def _sort_by(keys: IntArray, members: IntArray) -> None:
    """Shell's sort: compiled in no time, unlike the library's, and fast on what is sorted."""
    gap = 1
    while 3 * gap + 1 < len(members):
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(members)):
            member = members[i]
            j = i
            while j >= gap and keys[members[j - gap]] > keys[member]:
                members[j] = members[j - gap]
                j -= gap
            members[j] = member
        gap //= 3
