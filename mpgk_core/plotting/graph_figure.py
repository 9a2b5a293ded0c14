"""One graph: where its vertices are drawn, and the drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import MappingProxyType

import networkx as nx
import numpy as np
import plotly.graph_objects as go
from scipy.sparse import csr_array, triu
from scipy.sparse.linalg import eigsh
from scipy.spatial import KDTree

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.style import (
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    Drawing,
    base_layout,
    line_trace,
    point_trace,
    safe_names,
)
from mpgk_core.text import counted

_MAX_LABELS = 6

MAX_EDGES_DRAWN = 12_000
_MANY_VERTICES = 1_500


def graph_figure(
    graph: GraphSet, positions: FloatArray, colouring: Colouring, controls: bool = False
) -> go.Figure:
    """Draw one graph; every round is a frame with the colours of that round.

    Beyond ``MAX_EDGES_DRAWN`` edges only an evenly spaced part of them is drawn.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    positions : ndarray of shape (n, 2)
    colouring : Colouring
    controls : bool
        Whether to add a slider and a play button, for notebooks.

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 are the edges, trace 1 the vertices, with the vertex number as customdata.
    """
    return draw_graph(graph, positions, colouring).figure(controls)


def draw_graph(graph: GraphSet, positions: FloatArray, colouring: Colouring) -> Drawing:
    """Do the work of :func:`graph_figure`, where the parameters are described."""
    n = graph.n_vertices
    kind = "scattergl" if n > _MANY_VERTICES else "scatter"
    degrees = np.diff(graph.adjacency.indptr).tolist()
    width, opacity = (1, 0.6) if n <= 300 else (0.5, 0.35)
    line = {"width": width, "color": MARK_COLOUR}
    size = float(np.clip(66 / np.sqrt(max(n, 1)), 4, 16))
    vertices = point_trace(
        positions,
        type=kind,
        marker={"size": size, "color": colouring.colours[-1], "line": OUTLINE},
        customdata=list(range(n)),
        text=[
            f"{name}<br>{word}<br>degree {degree}"
            for name, word, degree in zip(
                safe_names(graph.names), colouring.words[-1], degrees, strict=True
            )
        ],
        hovertemplate="%{text}<extra></extra>",
    )
    axis = {**QUIET_AXIS, "range": [-1.1, 1.1], "visible": False}
    frames = [
        {"name": str(t), "data": [{"type": kind, "marker": {"color": colours}}], "traces": [1]}
        for t, colours in enumerate(colouring.colours)
    ]
    return Drawing(
        [
            line_trace(positions[_drawn_edges(graph)], type=kind, line=line, opacity=opacity),
            vertices,
        ],
        base_layout(xaxis=axis, yaxis={**axis, "scaleanchor": "x"}),
        frames,
    )


def _drawn_edges(graph: GraphSet) -> IntArray:
    """Return an evenly spaced part of the edges as (m, 2) vertex numbers, without self-loops."""
    entries = graph.adjacency.tocoo()
    upper = entries.row < entries.col
    ends = np.stack([entries.row[upper], entries.col[upper]], axis=1)
    return ends[:: -(-len(ends) // MAX_EDGES_DRAWN) or 1]


def graph_words(graph: GraphSet) -> str:
    """Describe how large a graph is, and which degrees and labels it has.

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
    words = counted(graph.n_vertices, "vertex", "vertices")
    words += f" and {counted(graph.n_edges, 'edge')}"
    if len(degrees):
        words += f"; degrees from {degrees.min()} to {degrees.max()}"
    if graph.labels is None:
        return f"{words}."
    counts = Counter(str(label)[:40] for label in graph.labels).most_common()
    listed = ", ".join(f"{label} ({n:,})" for label, n in counts[:_MAX_LABELS])
    more = " and others" if len(counts) > _MAX_LABELS else ""
    return f"{words}; labels {listed}{more}."


_KAMADA_KAWAI_LIMIT = 150
_SPRING_LIMIT = 1200
_SPARSE_FROM = 500
_SPECTRAL_EDGES = 4


def graph_layout(graph: GraphSet, layout: str = "spring", seed: int = 0) -> FloatArray:
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


def _lying(table: FloatArray) -> FloatArray:
    """Turn the drawing so that its longest side lies horizontally, its first vertex on the left."""
    centred = table - table.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned: FloatArray = centred @ axes.T
    return turned * np.where(turned[0] > 0, -1.0, 1.0)


def _spring(graph: nx.Graph, seed: int) -> dict[int, FloatArray]:
    n = len(graph)
    if n > _SPRING_LIMIT:
        return _large(graph, seed)
    if n <= _KAMADA_KAWAI_LIMIT and nx.is_connected(graph):
        positions: dict[int, FloatArray] = nx.kamada_kawai_layout(graph)
        return positions
    sprung: dict[int, FloatArray] = nx.spring_layout(
        graph, seed=seed, iterations=100 if n <= 400 else 40, method="force"
    )
    return sprung


def _large(graph: nx.Graph, seed: int) -> dict[int, FloatArray]:
    """Take eigenvectors where they show the shape, as of rings and grids, and springs elsewhere."""
    adjacency = nx.to_scipy_sparse_array(graph, dtype=np.float64)
    if graph.number_of_edges() > _SPECTRAL_EDGES * len(graph):
        start = diffused_start(adjacency, seed)
    else:
        start = np.array(list(_spectral(graph, seed).values()))
        if not is_crowded(start):
            return dict(enumerate(start))
    return dict(enumerate(spread_layout(adjacency, start, seed)))


def _circle(graph: nx.Graph, seed: int) -> dict[int, FloatArray]:
    positions: dict[int, FloatArray] = nx.circular_layout(graph)
    return positions


def _spectral(graph: nx.Graph, seed: int) -> dict[int, FloatArray]:
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


def _rings(graph: nx.Graph, seed: int) -> dict[int, FloatArray]:
    degrees = sorted({degree for _, degree in graph.degree()}, reverse=True)
    shells = [[v for v, degree in graph.degree() if degree == wanted] for wanted in degrees]
    positions: dict[int, FloatArray] = nx.shell_layout(graph, shells)
    return positions


LAYOUTS = MappingProxyType(
    {"spring": _spring, "circle": _circle, "spectral": _spectral, "rings": _rings}
)
"""The layouts by name."""


_MIN_STEPS, _MAX_STEPS = 10, 40
_ENOUGH_PULLS = 4e6
_REACH = 3.0
_FIRST_MOVE = 0.1
_GRAVITY = 2.0
_MAX_NEAR = 40
_CELLS, _CROWD = 40, 0.05
_DIFFUSIONS = 60


def spread_layout(adjacency: csr_array, start: FloatArray, seed: int) -> FloatArray:
    """Let vertices push those near them away, and pull their neighbours.

    The forces are those of Fruchterman and Reingold (1991). With k the distance at which n
    vertices fill the picture evenly, near ones push by k²/d and neighbours pull by d²/k; a weak
    pull to the middle keeps parts together that no edge joins. Only vertices within a few k push,
    so that a step costs little more than there are vertices and edges.

    Parameters
    ----------
    adjacency : sparse array of shape (n, n)
    start : ndarray of shape (n, 2)
        Where to begin; only the order along each axis counts, so nothing begins on one spot.
    seed : int
        Parts vertices that begin together.

    Returns
    -------
    ndarray of shape (n, 2)
    """
    n = len(start)
    from scipy.stats import rankdata  # a quarter of a second, for large graphs only

    k = 2 / np.sqrt(n)
    chance = np.random.default_rng(seed)
    places: FloatArray = 2 * rankdata(start, axis=0) / n - 1 + chance.normal(0, k / 10, (n, 2))
    edges = np.column_stack(triu(adjacency, 1).nonzero())
    steps = int(np.clip(_ENOUGH_PULLS / max(len(edges), 1), _MIN_STEPS, _MAX_STEPS))
    for step in range(steps):
        near = _near(places, _REACH * k)
        push = _forces(places, near, lambda distance: k**2 / distance)
        pull = _forces(places, edges, lambda distance: -(distance**2) / k)
        move = push + pull - _GRAVITY * k * places
        length = np.linalg.norm(move, axis=1, keepdims=True)
        allowed = _FIRST_MOVE * (1 - step / steps)
        places += move * np.minimum(1.0, allowed / np.maximum(length, 1e-12))
    return places


def diffused_start(adjacency: csr_array, seed: int) -> FloatArray:
    """Return two columns of chance, evened out along the edges until neighbours are near.

    Parameters
    ----------
    adjacency : sparse array of shape (n, n)
    seed : int

    Returns
    -------
    ndarray of shape (n, 2)
    """
    degrees = np.maximum(adjacency.sum(axis=1), 1.0)
    spread: FloatArray = np.random.default_rng(seed).normal(size=(len(degrees), 2))
    for _ in range(_DIFFUSIONS):
        evened = (spread + (adjacency @ spread) / degrees[:, None]) / 2
        spread = np.linalg.qr(evened - evened.mean(axis=0)).Q
    return spread


def is_crowded(places: FloatArray) -> bool:
    """Return whether a small spot of the picture would hold many of the vertices."""
    extent = np.ptp(places, axis=0)
    cells = (places - places.min(axis=0)) / np.where(extent > 0, extent, 1.0) * (_CELLS - 1)
    numbers = cells.astype(np.int64) @ [1, _CELLS]
    return bool(np.bincount(numbers).max() > _CROWD * len(places))


def _near(places: FloatArray, reach: float) -> IntArray:
    """Return pairs of vertices that are near; in a crowd, only the nearest."""
    tree = KDTree(places)
    while tree.count_neighbors(tree, reach) > _MAX_NEAR * len(places):
        reach /= 1.5
    pairs: IntArray = tree.query_pairs(reach, output_type="ndarray")
    return pairs


def _forces(
    places: FloatArray, pairs: IntArray, strength: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Add up what every pair does to both of its vertices, along the line between them."""
    apart = places[pairs[:, 0]] - places[pairs[:, 1]]
    distance = np.maximum(np.linalg.norm(apart, axis=1), 1e-9)
    force = apart * (strength(distance) / distance)[:, None]
    total = np.empty_like(places)
    for axis in range(places.shape[1]):
        gained, lost = (
            np.bincount(pairs[:, end], force[:, axis], minlength=len(places)) for end in (0, 1)
        )
        total[:, axis] = gained - lost
    return total
