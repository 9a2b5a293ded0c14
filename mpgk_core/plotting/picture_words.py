"""What drawings of graphs and kernels show, in sentences: for those who cannot see them."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs import GraphSet

__all__ = ["graph_words", "matrix_words"]

_MOST_LABELS = 6


def graph_words(graph: GraphSet) -> str:
    """Say how large a graph is, and which degrees and labels it has.

    Parameters
    ----------
    graph : GraphSet

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> graph_words(GraphSet.from_networkx(nx.star_graph(3)))
    '4 vertices and 3 edges; degrees from 1 to 3.'
    """
    degrees = np.diff(graph.adjacency.indptr)
    words = f"{graph.n_vertices:,} vertices and {graph.n_edges:,} edges"
    if len(degrees):
        words += f"; degrees from {degrees.min()} to {degrees.max()}"
    if graph.labels is None:
        return f"{words}."
    counts = Counter(str(label)[:40] for label in graph.labels).most_common()
    listed = ", ".join(f"{label} ({n:,})" for label, n in counts[:_MOST_LABELS])
    more = " and others" if len(counts) > _MOST_LABELS else ""
    return f"{words}; labels {listed}{more}."


def matrix_words(kernel: NDArray[np.float64], classes: NDArray[np.int64]) -> str:
    """Say how similar vertices of one class are, and how similar those of different classes.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    classes : ndarray of shape (n,)
        A class of each row.

    Returns
    -------
    str

    Examples
    --------
    >>> kernel = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    >>> matrix_words(kernel, np.array([0, 0, 1]))
    'Inside an orbit it is 0.5 on average, between orbits 0.3.'
    """
    is_same = classes[:, np.newaxis] == classes
    is_pair = ~np.eye(len(classes), dtype=np.bool_)
    inside, between = kernel[is_same & is_pair], kernel[~is_same]
    parts = [
        f"{where} {values.mean():.4g}"
        for where, values in (("inside an orbit it is", inside), ("between orbits", between))
        if len(values)
    ]
    if not parts:
        return "There is one vertex only."
    said = " on average, ".join(parts) if len(parts) == 2 else f"{parts[0]} on average"
    return f"{said[0].upper()}{said[1:]}."
