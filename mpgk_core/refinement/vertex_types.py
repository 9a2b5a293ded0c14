"""Vertices with the same past are one type, and everything is computed once per type.

A type is what the kernels can know of a vertex after t rounds: its type before the last round
and the multiset of colours that its neighbours sent it,

    type_{t+1}(v) = (type_t(v), {{ colour_t(u) : u in N(v) }}).

With the types themselves as colours this is colour refinement (Weisfeiler-Lehman); with the
leaves of a cluster tree as colours it is one round of an assignment kernel. Types are numbered
by their content, so nothing depends on the order of vertices or graphs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.grouping import Rows, group_rows


@dataclass(frozen=True, eq=False)
class VertexTypes:
    """The types of all vertices after one round.

    Attributes
    ----------
    of_vertex : ndarray of shape (n,)
        The type of every vertex.
    parents : ndarray of shape (m,)
        The type that each type had before the round.
    messages : csr_array of shape (m, number of colours)
        How many neighbours of each colour a vertex of the type has.
    """

    of_vertex: NDArray[np.int32]
    parents: NDArray[np.int32]
    messages: csr_array

    @property
    def n_types(self) -> int:
        """Number of distinct types."""
        return len(self.parents)

    @property
    def content(self) -> Rows:
        """What tells the types apart: the parent, then pairs of colour and count."""
        pairs = np.column_stack([self.messages.indices, self.messages.data]).astype(np.int64)
        return Rows(self.parents, 2 * self.messages.indptr.astype(np.int64), pairs.ravel())


def refine(
    adjacency: csr_array,
    types: NDArray[np.int32],
    colours: NDArray[np.int32],
    n_colours: int,
    offsets: NDArray[np.int64] | None = None,
) -> VertexTypes:
    """Let every vertex receive the colours of its neighbours.

    Parameters
    ----------
    adjacency : csr_array of shape (n, n)
        Symmetric.
    types : ndarray of shape (n,)
        The present types.
    colours : ndarray of shape (n,)
        What each vertex sends, from 0 to ``n_colours - 1``.
    n_colours : int
        Number of colours.
    offsets : ndarray of shape (N + 1,), optional
        Where the graphs begin, if there are several: work then stays within one at a time.

    Returns
    -------
    VertexTypes

    Examples
    --------
    On a path of five vertices, one round tells the ends from the rest:

    >>> import networkx as nx
    >>> path = nx.to_scipy_sparse_array(nx.path_graph(5))
    >>> start = np.zeros(5, dtype=np.int32)
    >>> types = refine(path, start, start, n_colours=1)
    >>> types.n_types, bool(types.of_vertex[0] == types.of_vertex[4])
    (2, True)
    """
    indptr = adjacency.indptr.astype(np.int64)
    bounds = np.array([0, len(types)], dtype=np.int64) if offsets is None else offsets
    received = _sorted_messages(indptr, adjacency.indices, colours, n_colours, bounds)
    groups = group_rows(Rows(types, indptr, received))
    rows = groups.representatives
    messages = csr_array(_count_runs(indptr, received, rows), shape=(len(rows), n_colours))
    return VertexTypes(groups.of_row, types[rows], messages)


@compiled
def _sorted_messages(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    colours: NDArray[np.int32],
    n_colours: int,
    offsets: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Sort the colours of each vertex's neighbours, all vertices in one pass over the edges.

    The vertices send in the order of their colours, so every vertex receives in that order. They
    do so graph by graph, which keeps the memory that is touched close together.
    """
    n = len(colours)
    places = np.zeros(n_colours + 1, dtype=np.int64)
    for v in range(n):
        places[colours[v] + 1] += 1
    places = np.cumsum(places)
    by_colour = np.empty(n, dtype=np.int64)
    for v in range(n):
        by_colour[places[colours[v]]] = v
        places[colours[v]] += 1
    graph_of = np.empty(n, dtype=np.int32)
    for g in range(len(offsets) - 1):
        graph_of[offsets[g] : offsets[g + 1]] = g
    next_sender = offsets[:-1].copy()
    senders = np.empty(n, dtype=np.int64)
    for sender in by_colour:
        senders[next_sender[graph_of[sender]]] = sender
        next_sender[graph_of[sender]] += 1
    received = np.empty(indptr[n], dtype=np.int64)
    fill = indptr[:-1].copy()
    for u in senders:
        colour = colours[u]
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            received[fill[v]] = colour
            fill[v] += 1
    return received


@compiled
def _count_runs(
    indptr: NDArray[np.int64], received: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """Turn the sorted messages of the chosen rows into (count, colour) pairs, as CSR arrays."""
    total = 0
    for row in rows:
        for e in range(indptr[row], indptr[row + 1]):
            if e == indptr[row] or received[e] != received[e - 1]:
                total += 1
    counts = np.zeros(total, dtype=np.float64)
    run_colours = np.empty(total, dtype=np.int32)
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    run = -1
    for i in range(len(rows)):
        row = rows[i]
        for e in range(indptr[row], indptr[row + 1]):
            if e == indptr[row] or received[e] != received[e - 1]:
                run += 1
                run_colours[run] = received[e]
            counts[run] += 1.0
        starts[i + 1] = run + 1
    return counts, run_colours, starts
