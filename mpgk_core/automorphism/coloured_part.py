"""Parts of a graph, with colours, that fall apart into smaller ones.

Take an equitable partition. If the vertices of cell A are joined to all or to none of cell B, the
colours determine these edges, and they can be left out. If they are joined to more than half of B,
the edges can be swapped for the missing ones. Neither changes which of the maps that keep the
colours are isomorphisms. A part then falls into *loose* vertices and connected *pieces*:

* loose vertices of one cell can be exchanged freely (twins, the leaves of a star);
* pieces can be mapped independently of each other (the branches of a tree, the two bells of a
  barbell, separate components).

Only a part that does not fall apart needs a guess: one vertex is set apart, the colours are
refined, and the *child* that results falls apart again.

All work is counted in edge visits instead of seconds. They are the same on every machine and in
every run, so a search that ends at its limit always ends at the same place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import IntArray
from mpgk_core.automorphism.partition_refinement import OrderedPartition, mix, refine_partition

_VISITS_PER_STEP = 5_000  # starting one step of a search takes about as long as this many visits


class SearchAbandonedError(Exception):
    """A search ended without an answer. Caught by whoever started the search."""


@dataclass(eq=False)
class WorkBudget:
    """The number of edge visits that a search may still make.

    Parameters
    ----------
    left : int
        Edge visits left.

    Examples
    --------
    >>> budget = WorkBudget(10_000)
    >>> budget.spend(500)
    >>> budget.left
    4500
    """

    left: int

    @staticmethod
    def price(visits: int) -> int:
        """Return what one step of a search that visits so many edges costs."""
        return visits + _VISITS_PER_STEP

    def spend(self, visits: int) -> None:
        """Pay for one step of a search that visits so many edges.

        Raises
        ------
        SearchAbandonedError
            If that is more than what is left.
        """
        self.left -= self.price(visits)
        if self.left < 0:
            raise SearchAbandonedError


class Fragments(NamedTuple):
    """The connected pieces, stacked one after another, and what is left over."""

    members: IntArray
    """(n,) the vertices: piece after piece, then the loose ones; by position within each"""
    offsets: IntArray
    """(p + 1,) piece i holds ``members[offsets[i]:offsets[i + 1]]``"""
    indptr: IntArray
    """(offsets[-1] + 1,) where the neighbours of each member start"""
    indices: IntArray
    """the neighbours, numbered within their piece"""
    cell: IntArray
    """(offsets[-1],) the cell of each member, named by the position where it starts in its piece"""
    size: IntArray
    """(offsets[-1],) the sizes of the cells, at the positions where they start"""
    signatures: IntArray
    """(p,) a hash of the cells that each piece takes its vertices from"""


def fall_apart(
    indptr: IntArray, indices: IntArray, order: IntArray, cell: IntArray, size: IntArray
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
    indptr: IntArray, indices: IntArray, order: IntArray, cell: IntArray, size: IntArray
) -> tuple[IntArray, IntArray]:
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
    indptr: IntArray, indices: IntArray, order: IntArray
) -> tuple[IntArray, IntArray]:
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
    indptr: IntArray, indices: IntArray, members: IntArray, offsets: IntArray, colours: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
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


@dataclass(frozen=True, eq=False)
class Pieces:
    """What a part falls into.

    Parameters
    ----------
    loose : ndarray
        The loose vertices, cell after cell, as vertices of the whole graph.
    loose_cells : ndarray
        The cell of each loose vertex.
    connected : list of ColouredPart
        The connected pieces; their cells are subsets of the cells of the part.
    whole : bool
        The part does not fall apart: it has one piece and no loose vertices.
    """

    loose: IntArray
    loose_cells: IntArray
    connected: list[ColouredPart]
    whole: bool


@dataclass(eq=False)
class ColouredPart:
    """A graph on some vertices of a larger one, with an equitable ordered partition.

    Parameters
    ----------
    vertices : ndarray of shape (n,)
        The numbers, in the whole graph, of the vertices 0, 1, ..., n - 1 of this part.
    indptr, indices : ndarray
        Adjacency of the part, in compressed rows, symmetric and without loops.
    partition : OrderedPartition
        An equitable partition.
    trace : ndarray
        Hashes of how the part was made. If an isomorphism maps one part onto another, it maps
        their children and pieces onto children and pieces of equal trace.
    budget : WorkBudget
        Pays for everything that is done with the part.

    Examples
    --------
    A star falls into loose vertices at once; a cycle only after one vertex is set apart.

    >>> import networkx as nx
    >>> def part_of(graph):
    ...     adjacency = nx.to_scipy_sparse_array(graph, dtype=np.int64)
    ...     colours = np.zeros(len(graph), dtype=np.int64)
    ...     budget = WorkBudget(100_000)
    ...     return ColouredPart.from_graph(adjacency.indptr, adjacency.indices, colours, budget)
    >>> part_of(nx.star_graph(3)).pieces.loose_cells.tolist()
    [0, 0, 0, 3]
    >>> cycle = part_of(nx.cycle_graph(7))
    >>> cycle.pieces.whole
    True
    >>> [piece.vertices.tolist() for piece in cycle.first_child.pieces.connected]
    [[1, 0, 6], [2, 3, 4]]
    """

    vertices: IntArray
    indptr: IntArray
    indices: IntArray
    partition: OrderedPartition
    trace: IntArray
    budget: WorkBudget
    _ends_of_traces: dict[int, tuple[int, int]] = field(default_factory=dict, init=False)

    @classmethod
    def from_graph(
        cls, indptr: IntArray, indices: IntArray, colours: IntArray, budget: WorkBudget
    ) -> ColouredPart:
        """Refine ``colours`` on a whole graph. This first refinement is free of charge."""
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
        partition = OrderedPartition.by_colour(colours)
        trace, _ = refine_partition(indptr, indices, partition, partition.starts())
        return cls(np.arange(len(colours)), indptr, indices, partition, trace, budget)

    def __len__(self) -> int:
        return len(self.vertices)

    @property
    def signature(self) -> int:
        """The last hash of the trace."""
        return int(self.trace[-1])

    @cached_property
    def pieces(self) -> Pieces:
        """The loose vertices and the connected pieces that this part falls into."""
        self.budget.spend(len(self.indices) + len(self))
        order, cell, size = self.partition.order, self.partition.cell, self.partition.size
        fragments = fall_apart(self.indptr, self.indices, order, cell, size)
        offsets = fragments.offsets.tolist()
        connected = []
        for i, (start, stop) in enumerate(pairwise(offsets)):
            edges = fragments.indptr[start : stop + 1]
            cells = OrderedPartition(
                np.arange(stop - start), fragments.cell[start:stop], fragments.size[start:stop]
            )
            connected.append(
                ColouredPart(
                    self.vertices[fragments.members[start:stop]],
                    edges - edges[0],
                    fragments.indices[edges[0] : edges[-1]],
                    cells,
                    fragments.signatures[i : i + 1],
                    self.budget,
                )
            )
        loose = fragments.members[offsets[-1] :]
        whole = len(connected) == 1 and len(loose) == 0
        return Pieces(self.vertices[loose], cell[loose], connected, whole)

    @cached_property
    def target_cell(self) -> range:
        """The positions of the cell to guess in.

        It has edges to the largest number of cells, so that a guess tells most; among those it is
        the smallest, so that there are few guesses; among those it is the first.
        """
        starts = self.partition.starts()
        size = self.partition.size[starts]
        joined = _joined_cells(
            self.indptr, self.indices, self.partition.cell, self.partition.order[starts]
        )
        best = np.lexsort((size, -joined))[0]
        return range(int(starts[best]), int(starts[best] + size[best]))

    @cached_property
    def first_child(self) -> ColouredPart:
        """The child of the first vertex of the target cell."""
        return self._child(self.target_cell[0])

    def vertex_at(self, position: int) -> int:
        """Return the vertex of the whole graph at a position of the partition."""
        return int(self.vertices[self.partition.order[position]])

    def child_like(self, model: ColouredPart, position: int) -> ColouredPart | None:
        """Set the vertex at ``position`` apart and refine; None unless the trace is the model's."""
        if position in self._ends_of_traces:
            step, end = self._ends_of_traces[position]
            if step >= len(model.trace) or model.trace[step] != end:
                return None
        child = self._child(position, model.trace)
        self._ends_of_traces[position] = len(child.trace) - 1, child.signature
        return child if np.array_equal(child.trace, model.trace) else None

    def has_child_like(self, other: ColouredPart, position: int) -> bool:
        """Whether some vertex of the target cell has a child with the trace of another's child."""
        return other._child(position).signature in self._child_signatures

    @cached_property
    def _child_signatures(self) -> frozenset[int]:
        return frozenset(self._child(position).signature for position in self.target_cell)

    def _child(self, position: int, *expected: IntArray) -> ColouredPart:
        vertex = self.partition.order[position]
        partition = self.partition.with_first(vertex)
        splitters = partition.cell[vertex : vertex + 1]
        trace, visits = refine_partition(self.indptr, self.indices, partition, splitters, *expected)
        self.budget.spend(visits + len(self))
        return ColouredPart(self.vertices, self.indptr, self.indices, partition, trace, self.budget)


@compiled
def _joined_cells(
    indptr: IntArray, indices: IntArray, cell: IntArray, vertices: IntArray
) -> IntArray:
    """Count the cells that each of ``vertices`` has neighbours in."""
    joined = np.zeros(len(vertices), np.int64)
    last_seen_by = np.full(len(cell), -1, np.int64)
    for i in range(len(vertices)):
        for e in range(indptr[vertices[i]], indptr[vertices[i] + 1]):
            c = cell[indices[e]]
            joined[i] += last_seen_by[c] != i
            last_seen_by[c] = i
    return joined
