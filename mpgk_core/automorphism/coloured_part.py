"""Parts of a graph, with colours, that fall apart into smaller ones.

A part falls into *loose* vertices and connected *pieces* once the edges that its colours imply
are left out (see :mod:`mpgk_core.automorphism.trivial_joins`):

* loose vertices of one cell can be exchanged freely (twins, the leaves of a star);
* pieces can be mapped independently of each other (the branches of a tree, the two bells of a
  barbell, separate components).

Only a part that does not fall apart needs a guess: one vertex is set apart, the colours are
refined, and the *child* that results falls apart again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled
from mpgk_core.automorphism.partition_refinement import OrderedPartition, refine_partition
from mpgk_core.automorphism.trivial_joins import fall_apart
from mpgk_core.automorphism.work_budget import WorkBudget


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

    loose: NDArray[np.int64]
    loose_cells: NDArray[np.int64]
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

    vertices: NDArray[np.int64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int64]
    partition: OrderedPartition
    trace: NDArray[np.int64]
    budget: WorkBudget
    _ends_of_traces: dict[int, tuple[int, int]] = field(default_factory=dict, init=False)

    @classmethod
    def from_graph(
        cls,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int64],
        colours: NDArray[np.int64],
        budget: WorkBudget,
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

    def _child(self, position: int, *expected: NDArray[np.int64]) -> ColouredPart:
        vertex = self.partition.order[position]
        partition = self.partition.with_first(vertex)
        splitters = partition.cell[vertex : vertex + 1]
        trace, visits = refine_partition(self.indptr, self.indices, partition, splitters, *expected)
        self.budget.spend(visits + len(self))
        return ColouredPart(self.vertices, self.indptr, self.indices, partition, trace, self.budget)


@compiled
def _joined_cells(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    cell: NDArray[np.int64],
    vertices: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Count the cells that each of ``vertices`` has neighbours in."""
    joined = np.zeros(len(vertices), np.int64)
    last_seen_by = np.full(len(cell), -1, np.int64)
    for i in range(len(vertices)):
        for e in range(indptr[vertices[i]], indptr[vertices[i] + 1]):
            c = cell[indices[e]]
            joined[i] += last_seen_by[c] != i
            last_seen_by[c] = i
    return joined
