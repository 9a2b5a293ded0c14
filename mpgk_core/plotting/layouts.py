"""Where to draw the vertices of one graph."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import eigsh

from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.spread_layout import diffused_start, is_crowded, spread_layout

_KAMADA_KAWAI_LIMIT = 150
_SPRING_LIMIT = 1200
_SPARSE_FROM = 500
_SPECTRAL_EDGES = 4


def graph_layout(graph: GraphSet, layout: str = "spring", seed: int = 0) -> NDArray[np.float64]:
    """Return positions for the vertices of one graph.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    layout : {"spring", "circle", "spectral", "rings"}
        ``"spring"``: Kamada-Kawai for small graphs, Fruchterman-Reingold for larger ones, and
        for very large ones eigenvectors where they show more. ``"circle"``: in the order of the
        vertices.
        ``"spectral"``: eigenvectors of the Laplacian. ``"rings"``: by degree, hubs inside.
    seed : int

    Returns
    -------
    ndarray of shape (n, 2)
        Within [-1, 1]; the same for the same graph, layout and seed.

    Examples
    --------
    >>> graph_layout(GraphSet.from_networkx(nx.path_graph(2)), "circle")[:, 0].tolist()
    [1.0, -1.0]
    """
    if layout not in LAYOUTS:
        raise InvalidParameterError(
            f"The layout must be one of {', '.join(LAYOUTS)}. Got {layout!r} instead."
        )
    n = graph.n_vertices
    if n <= 1:
        return np.zeros((n, 2))
    numbered = nx.from_scipy_sparse_array(graph.adjacency)
    positions = LAYOUTS[layout](numbered, seed)
    table = np.array([positions[v] for v in range(n)], dtype=np.float64)
    if layout == "spring":
        table = _lying(table)
    table -= (table.max(axis=0) + table.min(axis=0)) / 2
    largest = np.abs(table).max()
    return table / largest if largest > 0 else table


def _lying(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the drawing so that its longest side lies horizontally, its first vertex on the left."""
    centred = table - table.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned: NDArray[np.float64] = centred @ axes.T
    return turned * np.where(turned[0] > 0, -1.0, 1.0)


def _spring(graph: nx.Graph, seed: int) -> dict[int, NDArray[np.float64]]:
    n = len(graph)
    if n > _SPRING_LIMIT:
        return _large(graph, seed)
    if n <= _KAMADA_KAWAI_LIMIT and nx.is_connected(graph):
        positions: dict[int, NDArray[np.float64]] = nx.kamada_kawai_layout(graph)
        return positions
    sprung: dict[int, NDArray[np.float64]] = nx.spring_layout(
        graph, seed=seed, iterations=100 if n <= 400 else 40, method="force"
    )
    return sprung


def _large(graph: nx.Graph, seed: int) -> dict[int, NDArray[np.float64]]:
    """Take eigenvectors where they show the shape, as of rings and grids, and springs elsewhere."""
    adjacency = nx.to_scipy_sparse_array(graph, dtype=np.float64)
    if graph.number_of_edges() > _SPECTRAL_EDGES * len(graph):
        start = diffused_start(adjacency, seed)
    else:
        start = np.array(list(_spectral(graph, seed).values()))
        if not is_crowded(start):
            return dict(enumerate(start))
    return dict(enumerate(spread_layout(adjacency, start, seed)))


def _circle(graph: nx.Graph, seed: int) -> dict[int, NDArray[np.float64]]:
    positions: dict[int, NDArray[np.float64]] = nx.circular_layout(graph)
    return positions


def _spectral(graph: nx.Graph, seed: int) -> dict[int, NDArray[np.float64]]:
    """Use the eigenvectors of the Laplacian with the smallest eigenvalues above zero."""
    n = len(graph)
    if n == 2:
        return _circle(graph, seed)
    laplacian = nx.laplacian_matrix(graph).astype(np.float64)
    if n < _SPARSE_FROM:
        _, vectors = np.linalg.eigh(laplacian.toarray())
    else:
        _, vectors = eigsh(laplacian, k=3, sigma=-1e-2, v0=np.linspace(1.0, 2.0, n))
    return dict(enumerate(vectors[:, 1:3]))


def _rings(graph: nx.Graph, seed: int) -> dict[int, NDArray[np.float64]]:
    degrees = sorted({degree for _, degree in graph.degree()}, reverse=True)
    shells = [[v for v, degree in graph.degree() if degree == wanted] for wanted in degrees]
    positions: dict[int, NDArray[np.float64]] = nx.shell_layout(graph, shells)
    return positions


LAYOUTS: MappingProxyType[str, Callable[[nx.Graph, int], dict[int, NDArray[np.float64]]]] = (
    MappingProxyType({"spring": _spring, "circle": _circle, "spectral": _spectral, "rings": _rings})
)
"""The layouts by name."""
