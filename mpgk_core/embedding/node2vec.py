"""node2vec: DeepWalk with walks that remember where they came from.

Grover & Leskovec (KDD 2016). A walk that has come from u to v goes on to a neighbour w of v with a
weight of 1/p if w = u, of 1 if w is a neighbour of u, and of 1/q otherwise. So p decides how rarely
it turns back, and q how near to u it stays: p = q = 1 is DeepWalk. The walk has no memory on arcs
(u, v), so the expected counts of its pairs are those of a Markov chain on arcs, and they are
factorised as those of DeepWalk are (Qiu et al., WSDM 2018, section 2.4).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_memory, check_positive
from mpgk_core.embedding.factorisation import skip_gram_vectors
from mpgk_core.errors import KernelTooLargeError
from mpgk_core.graphs import GraphSet

_MAX_PRODUCTS = 100_000_000_000


def node2vec(
    graph: GraphSet,
    dimension: int = 16,
    p: float = 1.0,
    q: float = 2.0,
    window: int = 10,
    length: int = 80,
) -> FloatArray:
    """Return the vectors of node2vec, with expected counts in place of sampled walks.

    With P the chain on arcs and s_i = s_0 P^i, where s_0 is uniform, the expected count of pairs is
    #(u,v) = Σ_{i<length} Σ_{r=1..window} Σ_{a into u} Σ_{b into v} s_i(a) (P^r)_ab.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    dimension : int
    p, q : float
        Above 0. The default is the setting that its authors use to find structural roles; a q
        below 1 finds communities.
    window, length : int
        Largest number of steps between two vertices of a pair, and steps of a walk.

    Returns
    -------
    ndarray of shape (n, dimension or more)

    Raises
    ------
    KernelTooLargeError
        If the chain on arcs would take too long or too much memory.

    Examples
    --------
    >>> import networkx as nx
    >>> ends = node2vec(GraphSet.from_networkx(nx.barbell_graph(3, 2)))[[0, 1, 6]]
    >>> bool(np.linalg.norm(ends[0] - ends[1]) < np.linalg.norm(ends[0] - ends[2]))
    True
    """
    check_positive(p, "p", "node2vec")
    check_positive(q, "q", "node2vec")
    n, ends = graph.n_vertices, graph.adjacency.indices
    sizes = np.diff(graph.adjacency.indptr).astype(np.int64)
    n_moves = int((sizes**2).sum())
    if n * n_moves * window > _MAX_PRODUCTS:
        raise KernelTooLargeError(
            f"node2vec would follow {n_moves:,} moves between arcs from each of {n:,} vertices. "
            "Use a smaller graph, or another method."
        )
    needed = 40 * n_moves + 24 * n * len(ends)
    check_memory(needed, f"node2vec of {n:,} vertices", "Use a smaller graph.")
    moves = _moves_between_arcs(graph, p, q)
    share = np.full(len(ends), 1.0 / max(len(ends), 1))
    visits = np.zeros_like(share)
    for _ in range(length):
        visits += share
        share = share @ moves
    arcs_into = csr_array((np.ones(len(ends)), (ends, np.arange(len(ends)))), (n, len(ends)))
    reached = (arcs_into * visits).T.toarray()
    pairs = np.zeros((n, n))
    for _ in range(window):
        reached = moves.T @ reached
        pairs += arcs_into @ reached
    return skip_gram_vectors(pairs + pairs.T, dimension)


def _moves_between_arcs(graph: GraphSet, p: float, q: float) -> csr_array:
    """Return P of shape (number of arcs, number of arcs): from (u, v) to (v, w)."""
    starts, ends = graph.adjacency.indptr.astype(np.int64), graph.adjacency.indices
    sizes = np.diff(starts)
    came_from = np.repeat(np.arange(graph.n_vertices), sizes)
    choices = sizes[ends]  # of the next step, for every arc
    rows = np.repeat(np.arange(len(ends)), choices)
    first = np.cumsum(choices) - choices
    columns = np.arange(len(rows)) + np.repeat(starts[ends] - first, choices)
    u, w = came_from[rows], ends[columns]
    is_near = graph.adjacency.toarray()[u, w] > 0
    weights = np.where(u == w, 1.0 / p, np.where(is_near, 1.0, 1.0 / q))
    totals = np.bincount(rows, weights, minlength=len(ends))
    shape = (len(ends), len(ends))
    return csr_array((weights / totals[rows], (rows, columns)), shape=shape)
