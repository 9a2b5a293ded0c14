"""The edges of a set of graphs, each once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs import GraphSet


def undirected_edges(graphs: GraphSet) -> NDArray[np.int64]:
    """Return every edge once, its smaller end first, in rising order; self-loops too.

    Parameters
    ----------
    graphs : GraphSet

    Returns
    -------
    ndarray of shape (m, 2)
        Pairs of vertices, counted over all graphs from 0.

    Examples
    --------
    >>> import networkx as nx
    >>> undirected_edges(GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(3)])).tolist()
    [[0, 1], [2, 3], [3, 4]]
    """
    adjacency = graphs.adjacency
    rows = np.repeat(np.arange(graphs.n_vertices, dtype=np.int64), np.diff(adjacency.indptr))
    columns = adjacency.indices.astype(np.int64)
    once = rows <= columns
    return np.column_stack([rows[once], columns[once]])
