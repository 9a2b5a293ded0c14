"""All ways to place the vertices of one graph, by name, and how well each separates the orbits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_choice
from mpgk_core.embedding.deepwalk import deepwalk
from mpgk_core.embedding.kernel_pca import KernelEmbedding, feature_pca
from mpgk_core.embedding.line import line
from mpgk_core.embedding.node2vec import node2vec
from mpgk_core.embedding.spectral import spectral_embedding
from mpgk_core.embedding.struc2vec import struc2vec
from mpgk_core.embedding.trajectory import Trajectory, trajectory_of_points
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.generators import check_one_graph
from mpgk_core.recovery.points import KernelPoints
from mpgk_core.recovery.verdict import Recovery
from mpgk_core.refinement import colour_refinement
from mpgk_core.refinement.colour_refinement import agreeing

_ROUNDING = 1e-9


@dataclass(frozen=True)
class VertexMethod:
    """A way to place the vertices of a graph that is not a message passing kernel.

    Attributes
    ----------
    title : str
        Name on screen.
    note : str
        How the vectors are computed, in one sentence.
    is_structural : bool
        Whether vertices are compared by their surroundings; otherwise by how close they are.
    max_vertices : int
        Up to which a picture need not wait for it.
    vectors : callable
        From a graph, a number of rounds and parameters of its own to an array of shape (n, d).
    max_edges : int, optional
        Up to which a picture need not wait for it.
    """

    title: str
    note: str
    is_structural: bool
    max_vertices: int
    vectors: Callable[..., FloatArray]
    max_edges: int | None = None

    def is_quick(self, graph: GraphSet) -> bool:
        """Return whether a picture of this graph need not wait for it."""
        has_few_edges = self.max_edges is None or graph.n_edges <= self.max_edges
        return graph.n_vertices <= self.max_vertices and has_few_edges


def _colours(graph: GraphSet, n_iterations: int) -> IntArray:
    return colour_refinement(graph, n_iterations, respect_labels=True).astype(np.int64)


def wl_colours(graph: GraphSet, n_iterations: int) -> FloatArray:
    """Return one column for every Weisfeiler-Lehman colour of the last round."""
    colours = _colours(graph, n_iterations)
    return np.asarray(colours[:, np.newaxis] == np.unique(colours), dtype=np.float64)


def degree_column(graph: GraphSet) -> FloatArray:
    """Return the degree of every vertex as one column."""
    degrees: FloatArray = np.diff(graph.adjacency.indptr).astype(np.float64)
    return degrees[:, np.newaxis]


_EXPECTED = "Walks are not sampled and nothing is trained: expected counts are factorised"
VERTEX_METHODS: Mapping[str, VertexMethod] = {
    "struc2vec": VertexMethod(
        "struc2vec",
        f"{_EXPECTED} (Ribeiro et al. 2017, with at most 10 layers).",
        True,
        250,
        lambda graph, _: struc2vec(graph),
    ),
    "deepwalk": VertexMethod(
        "DeepWalk",
        f"{_EXPECTED} (Perozzi et al. 2014, closed form of Qiu et al. 2018).",
        False,
        800,
        lambda graph, _: deepwalk(graph),
    ),
    "node2vec": VertexMethod(
        "node2vec",
        f"{_EXPECTED} (Grover & Leskovec 2016). The setting for structural roles: p = 1, q = 2.",
        False,
        250,
        lambda graph, _, **own: node2vec(graph, **own),
        max_edges=4_000,
    ),
    "line": VertexMethod(
        "LINE",
        f"{_EXPECTED} (Tang et al. 2015, closed form of Qiu et al. 2018).",
        False,
        800,
        lambda graph, _: line(graph),
    ),
    "spectral": VertexMethod(
        "Spectral embedding",
        "The two leading non-constant eigenvectors of the random walk.",
        False,
        1_500,
        lambda graph, _: spectral_embedding(graph),
    ),
    "wl": VertexMethod(
        "Weisfeiler-Lehman colours",
        "One axis for every colour of round t, so two vertices are equal or not.",
        True,
        6_000,
        wl_colours,
    ),
    "degree": VertexMethod(
        "Degree only",
        "The number of neighbours.",
        True,
        6_000,
        lambda graph, _: degree_column(graph),
    ),
}
"""The methods to compare message passing kernels with."""


def vertex_vectors(
    method: str, graph: GraphSet, n_iterations: int = 5, **parameters: float
) -> FloatArray:
    """Return a vector for every vertex.

    Parameters
    ----------
    method : str
        A key of :data:`VERTEX_METHODS`.
    graph : GraphSet
        With one graph.
    n_iterations : int
        The number of rounds, for Weisfeiler-Lehman colours.
    **parameters
        p and q, for node2vec.

    Returns
    -------
    ndarray of shape (n, d)

    Examples
    --------
    >>> import networkx as nx
    >>> vertex_vectors("degree", GraphSet.from_networkx(nx.star_graph(3))).ravel().tolist()
    [3.0, 1.0, 1.0, 1.0]
    """
    check_choice(method, list(VERTEX_METHODS), "method", "vertex_vectors")
    check_one_graph(graph, "vertex embedding")
    return VERTEX_METHODS[method].vectors(graph, n_iterations, **parameters)


def vertex_plane(vectors: FloatArray, n_components: int = 2) -> KernelEmbedding:
    """Return the principal components of vectors of vertices."""
    return feature_pca(csr_array(vectors), np.ones(len(vectors), dtype=np.int64), n_components)


def method_trajectory(
    method: str, graph: GraphSet, n_rounds: int, n_components: int = 2
) -> Trajectory:
    """Embed the vertices by a method, in as many rounds as a kernel has.

    Only Weisfeiler-Lehman colours have rounds of their own; other methods stay where they are.

    Parameters
    ----------
    method : str
        A key of :data:`VERTEX_METHODS`.
    graph : GraphSet
        With one graph.
    n_rounds : int
        T.
    n_components : int
        Number of axes.

    Returns
    -------
    Trajectory

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(7))
    >>> way = method_trajectory("wl", path, 3)
    >>> [way.n_points(t) for t in range(4)]
    [1, 2, 3, 4]
    """
    if method == "wl":
        check_one_graph(graph, "vertex embedding")
        found = [_points_of_colours(_colours(graph, t)) for t in range(n_rounds + 1)]
        return trajectory_of_points(found, n_components)
    points = _distinct_points(vertex_vectors(method, graph))
    return trajectory_of_points([points] * (n_rounds + 1), n_components)


def _distinct_points(vectors: FloatArray) -> KernelPoints:
    """Find the vertices whose vectors are equal up to rounding."""
    unit = float(np.abs(vectors).max(initial=0.0)) or 1.0
    _, same = np.unique((vectors / unit / _ROUNDING).round() + 0.0, axis=0, return_inverse=True)
    of_vertex = agreeing(same.ravel())
    return KernelPoints(of_vertex, csr_array(vectors[np.unique(of_vertex, return_index=True)[1]]))


def _points_of_colours(colours: IntArray) -> KernelPoints:
    """Return the points of the rows of :func:`wl_colours`, without a column for every colour."""
    of_vertex = agreeing(colours)
    columns = np.unique(colours, return_inverse=True)[1][np.unique(of_vertex, return_index=True)[1]]
    n = len(columns)
    return KernelPoints(of_vertex, csr_array((np.ones(n), (np.arange(n), columns)), shape=(n, n)))


def method_separation(
    method: str, graph: GraphSet, n_iterations: int, orbit_of_vertex: IntArray
) -> Recovery:
    """Compare distances inside orbits with distances between them, in the vectors of a method.

    Two Weisfeiler-Lehman colours are at distance √2 and equal ones at 0, so colours are counted
    and not compared: n² distances in as many dimensions would take minutes on a large graph.

    Parameters
    ----------
    method, graph, n_iterations
        As for :func:`vertex_vectors`.
    orbit_of_vertex : ndarray of shape (n,)

    Returns
    -------
    Recovery
        That of :func:`orbit_separation`.

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.path_graph(5))
    >>> method_separation("wl", path, 1, np.array([0, 1, 2, 1, 0])).n_recovered
    1
    """
    if method != "wl":
        return orbit_separation(vertex_vectors(method, graph, n_iterations), orbit_of_vertex)
    check_one_graph(graph, "vertex embedding")
    colours = np.unique(_colours(graph, n_iterations), return_inverse=True)[1]
    orbit_numbers = np.unique(orbit_of_vertex, return_inverse=True)[1]
    of_orbit, of_colour = np.unique(np.stack([orbit_numbers, colours]), axis=1)
    is_split = np.bincount(of_orbit) > 1
    is_shared = np.zeros(len(is_split), dtype=np.bool_)
    is_shared[of_orbit[np.bincount(of_colour)[of_colour] > 1]] = True
    apart = float(np.sqrt(2))
    is_alone = len(is_split) == 1
    return Recovery(
        n_orbits=len(is_split),
        n_points=int(of_colour.max(initial=-1)) + 1,
        n_recovered=1 if is_alone else int(np.count_nonzero(~is_split & ~is_shared)),
        smallest_gap=None if is_alone else 0.0 if is_shared.any() else apart,
        largest_spread=apart if is_split.any() else 0.0,
    )


def orbit_separation(vectors: FloatArray, orbit_of_vertex: IntArray) -> Recovery:
    """Compare distances inside orbits with distances between them.

    Vectors of other methods hardly ever coincide. So an orbit counts as recovered if all its
    vertices are closer to each other than any of them to another orbit.

    Parameters
    ----------
    vectors : ndarray of shape (n, d)
    orbit_of_vertex : ndarray of shape (n,)

    Returns
    -------
    Recovery

    Examples
    --------
    >>> found = orbit_separation(np.array([[0.0], [0.5], [2.0]]), np.array([0, 0, 1]))
    >>> found.n_recovered, found.largest_spread, found.smallest_gap
    (2, 0.5, 1.5)
    """
    scale = float(np.abs(vectors).max(initial=0.0))
    inside, between = [], []
    for orbit in np.unique(orbit_of_vertex):
        is_member = orbit_of_vertex == orbit
        distances = cdist(vectors[is_member], vectors)
        inside.append(float(distances[:, is_member].max()))
        between.append(float(distances[:, ~is_member].min(initial=np.inf)))
    recovered = [far < near - _ROUNDING * scale for far, near in zip(inside, between, strict=True)]
    return Recovery(
        n_orbits=len(inside),
        n_points=_distinct_points(vectors).n_points,
        n_recovered=sum(recovered),
        smallest_gap=min(between) if len(between) > 1 else None,
        largest_spread=max(inside, default=0.0),
    )
