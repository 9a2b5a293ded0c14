"""Where the vertices of a graph are drawn.

A natural layout recognises what the graph is; see :mod:`mpgk_core.plotting.graph_shapes`. Graphs of
no known shape are sprung.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType

import networkx as nx
import numpy as np
from scipy.sparse import csr_array, triu
from scipy.sparse.linalg import eigsh
from scipy.spatial import KDTree

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.graph_shapes import (
    SHAPES,
    degrees_of,
    n_crossings,
    on_circle,
    regular_polygon,
    renumbered,
    rotated,
    smallest_distance,
)
from mpgk_core.plotting.molecule_drawing import molecule_layout
from mpgk_core.plotting.style import ASPECT, height_of_picture, needed_distance

FEW_VERTICES = 60
"""Graphs with fewer vertices are drawn without overlaps."""

_KAMADA_KAWAI_LIMIT = 150
_SPRING_LIMIT = 1200
_SPARSE_FROM = 500
_SPECTRAL_EDGES = 4
_MOST_WIDENED = 1.6
_GOOD = 1.25


def graph_layout(graph: GraphSet, layout: str = "natural", seed: int = 0) -> FloatArray:
    """Return positions for the vertices of one graph.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    layout : {"natural", "spring", "circle", "spectral", "rings", "groups"}
        ``"natural"``: by the structure: paths, trees, rings, grids, cliques, rings of a molecule
        and others as they are usually drawn, parts side by side, and springs for all the rest;
        atoms lie as RDKit draws a molecule, if it is installed.
        ``"spring"``: Kamada-Kawai for small graphs, Fruchterman-Reingold for larger ones, and
        for very large ones eigenvectors where they show more. ``"circle"``: in the order of the
        vertices.
        ``"spectral"``: eigenvectors of the Laplacian. ``"rings"``: by degree, hubs inside.
        ``"groups"``: communities on circles of their own.
    seed : int

    Returns
    -------
    ndarray of shape (n, 2)
        Within [-1, 1], both axes to the same scale; the same for the same graph, layout and seed.
        No two of fewer than ``FEW_VERTICES`` vertices are nearer than :func:`needed_distance`.

    Examples
    --------
    >>> graph_layout(GraphSet.from_networkx(nx.path_graph(2)), "circle")[:, 0].tolist()
    [1.0, -1.0]
    >>> graph_layout(GraphSet.from_networkx(nx.grid_2d_graph(2, 3))).round(2).tolist()
    [[-1.0, 0.5], [0.0, 0.5], [1.0, 0.5], [-1.0, -0.5], [0.0, -0.5], [1.0, -0.5]]
    """
    if layout not in LAYOUTS:
        raise InvalidParameterError(
            f"The layout must be one of {', '.join(LAYOUTS)}. Got {layout!r} instead."
        )
    n = graph.n_vertices
    if n <= 1:
        return np.zeros((n, 2))
    numbered = nx.from_scipy_sparse_array(graph.adjacency)
    numbered.remove_edges_from(list(nx.selfloop_edges(numbered)))
    table = molecule_layout(graph) if layout == "natural" else None
    if table is None:
        table = LAYOUTS[layout](numbered, seed)
    if n < FEW_VERTICES:
        table = without_overlaps(table)
    table = _centred(table)
    largest = np.abs(table).max()
    return table / largest if largest > 0 else table


def without_overlaps(places: FloatArray, n_fixed: int = 0) -> FloatArray:
    """Move vertices that are too near to others to the nearest free places around them.

    Parameters
    ----------
    places : ndarray of shape (n, 2)
    n_fixed : int
        The first so many vertices stay where they are.

    Returns
    -------
    ndarray of shape (n, 2)
        Vertices that were far enough from all before them have not moved.

    Examples
    --------
    >>> line = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    >>> without_overlaps(line).round(2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.02, 0.0]]
    """
    parted = places.copy()
    if not np.ptp(places, axis=0).any():
        parted = parted + np.linspace(-0.5, 0.5, len(places))[:, np.newaxis] * [1.0, 0.0]
    while True:
        needed = 1.02 * needed_distance(parted)
        for v in range(n_fixed, len(parted)):
            others = parted[:v]
            for place in _around(parted[v], needed):
                if not v or np.linalg.norm(others - place, axis=1).min() >= needed * (1 - 1e-9):
                    parted[v] = place
                    break
        if needed >= needed_distance(parted):
            return parted


def _around(place: FloatArray, step: float) -> Iterator[FloatArray]:
    """Yield a place, and places around it on larger and larger circles."""
    yield place
    ring = 0
    while True:
        ring += 1
        turns = np.arange(6 * ring) * np.pi / (3 * ring)
        yield from place + ring * step * on_circle(turns)


def _natural(graph: nx.Graph, seed: int) -> FloatArray:
    """Draw every part as what it is, and put the parts side by side."""
    parts = sorted(map(sorted, nx.connected_components(graph)), key=lambda part: (-len(part), part))
    if len(graph) > _SPRING_LIMIT and len(parts) > 1:
        return _spring(graph, seed)
    drawn = [_natural_part(renumbered(graph, part), seed) for part in parts]
    places = np.zeros((len(graph), 2))
    for part, part_places in zip(parts, _side_by_side(drawn), strict=True):
        places[part] = part_places
    return places


def _natural_part(graph: nx.Graph, seed: int) -> FloatArray:
    """Draw a connected graph in edges of length 1, more or less."""
    if len(graph) == 1:
        return np.zeros((1, 2))
    for shape in SHAPES:
        places = shape(graph)
        if places is not None:
            return places
    halves = _mirrored_halves(graph)
    if halves is not None:
        return _mirrored(graph, halves, seed)
    return _widened(graph, _in_edges(graph, _spring(graph, seed)))


def _side_by_side(parts: list[FloatArray]) -> list[FloatArray]:
    """Put parts into rows, the number of which lets them be drawn largest."""
    sizes = [np.ptp(part, axis=0) + 1.0 for part in parts]
    widths = np.cumsum([size[0] for size in sizes])
    found = [_in_rows(sizes, width) for width in np.unique(widths[-1] / np.arange(1, 9))]
    corners = min(found, key=lambda one: height_of_picture(np.concatenate([one, one + sizes])))
    return [
        _centred(part) + corner + size / 2
        for part, corner, size in zip(parts, corners, sizes, strict=True)
    ]


def _in_rows(sizes: list[FloatArray], width: float) -> FloatArray:
    """Return the lower left corners of boxes in rows of about this width, from top to bottom."""
    rows: list[list[int]] = [[]]
    for i, size in enumerate(sizes):
        if rows[-1] and sum(sizes[j][0] for j in rows[-1]) + size[0] / 2 > width:
            rows.append([])
        rows[-1].append(i)
    corners = np.zeros((len(sizes), 2))
    top = 0.0
    for row in rows:
        height = max(sizes[i][1] for i in row)
        left = -sum(sizes[i][0] for i in row) / 2
        for i in row:
            corners[i] = left, top - (height + sizes[i][1]) / 2
            left += sizes[i][0]
        top -= height
    return corners


def _mirrored_halves(graph: nx.Graph) -> tuple[list[int], list[int], int] | None:
    """Return two halves that a bridge joins and that are equal, vertex by vertex, and its end."""
    n = len(graph)
    if n % 2 or n > _SPRING_LIMIT or graph.size() % 2 == 0:
        return None
    for v, u in nx.bridges(graph):
        cut = nx.restricted_view(graph, [], [(v, u)])
        one, other = (sorted(nx.node_connected_component(cut, end)) for end in (v, u))
        if len(one) == len(other):
            is_same = {*renumbered(graph, one).edges} == {*renumbered(graph, other).edges}
            return (
                (one, other, one.index(v)) if is_same and one.index(v) == other.index(u) else None
            )
    return None


def _mirrored(graph: nx.Graph, halves: tuple[list[int], list[int], int], seed: int) -> FloatArray:
    """Draw one half, with the bridge at its right, and its mirror image."""
    one, other, end = halves
    half = _in_edges(renumbered(graph, one), _natural_part(renumbered(graph, one), seed))
    across = half[end] - half.mean(axis=0)
    half = rotated(half, -float(np.arctan2(across[1], across[0])))
    half[:, 0] -= half[:, 0].max() + 0.5
    places = np.zeros((len(graph), 2))
    places[one], places[other] = half, half * [-1.0, 1.0]
    return places


def _in_edges(graph: nx.Graph, places: FloatArray) -> FloatArray:
    """Scale a drawing so that its edges have the length 1 in the mean."""
    ends = np.array(graph.edges)
    length = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1).mean()
    return places / length if length > 0 else places


def _widened(graph: nx.Graph, places: FloatArray) -> FloatArray:
    """Stretch a drawing towards the shape of the picture, unless it may be rings of a molecule."""
    if max(degrees_of(graph)) <= 4 and nx.check_planarity(graph)[0]:
        return places
    width, height = np.ptp(places, axis=0)
    return places * [float(np.clip(ASPECT * height / max(width, 1e-9), 1.0, _MOST_WIDENED)), 1.0]


def _centred(table: FloatArray) -> FloatArray:
    middle: FloatArray = (table.max(axis=0) + table.min(axis=0)) / 2
    return table - middle


def _lying(table: FloatArray) -> FloatArray:
    """Turn the drawing so that its longest side lies horizontally, its first vertex on the left."""
    centred = table - table.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned: FloatArray = centred @ axes.T
    return turned * np.where(turned[0] > 0, -1.0, 1.0)


def _spring(graph: nx.Graph, seed: int) -> FloatArray:
    n = len(graph)
    if n > _SPRING_LIMIT:
        return _lying(_large(graph, seed))
    if n <= _KAMADA_KAWAI_LIMIT and nx.is_connected(graph):
        return _lying(_kamada_kawai(graph, seed))
    sprung = nx.spring_layout(graph, seed=seed, iterations=100 if n <= 400 else 40, method="force")
    return _lying(_table(sprung))


def _kamada_kawai(graph: nx.Graph, seed: int) -> FloatArray:
    """Begin with several drawings; of those that end well, take one with the fewest crossings."""
    starts, is_planar = [_circle(graph, seed)], False
    if 2 < len(graph) < FEW_VERTICES:
        # Twins have equal eigenvector entries: ranks give every vertex a place of its own.
        order = np.argsort(_spectral(graph, seed), axis=0, kind="stable")
        starts.append(np.argsort(order, axis=0).astype(np.float64))
        is_planar, embedding = nx.check_planarity(graph)
        if is_planar:
            starts.append(_table(nx.combinatorial_embedding_to_pos(embedding)))
    steps = nx.floyd_warshall_numpy(graph, range(len(graph)))
    dist = {v: dict(enumerate(row)) for v, row in enumerate(steps.tolist())}
    ends = [_table(nx.kamada_kawai_layout(graph, dist, pos=dict(enumerate(one)))) for one in starts]
    stress = [_stress(one, steps) for one in ends]
    good = [one for one, value in zip(ends, stress, strict=True) if value <= _GOOD * min(stress)]
    edges = list(graph.edges)
    best = min(good, key=lambda one: n_crossings(one, edges))
    if is_planar and min(degrees_of(graph)) > 2 and n_crossings(best, edges):
        convex = _convex(graph, embedding)
        if smallest_distance(convex) >= needed_distance(convex):
            return convex
    return best


def _convex(graph: nx.Graph, embedding: nx.PlanarEmbedding) -> FloatArray:
    """Draw a polyhedron: its longest face outside, all others in the middle of their neighbours.

    No edges cross if two vertices can be taken away without parting the graph (Tutte 1963).
    """
    face = max((embedding.traverse_face(*edge) for edge in embedding.edges), key=len)
    matrix = nx.laplacian_matrix(graph, range(len(graph))).toarray().astype(np.float64)
    matrix[face] = np.eye(len(graph))[face]
    target = np.zeros((len(graph), 2))
    target[face] = regular_polygon(len(face))
    places: FloatArray = np.linalg.solve(matrix, target)
    return places


def _stress(places: FloatArray, steps: FloatArray) -> float:
    """Return the mean of (c · distance / steps - 1)² over all pairs, c being the best scale."""
    pairs = np.triu_indices(len(places), 1)
    ratio = np.linalg.norm(places[pairs[0]] - places[pairs[1]], axis=1) / steps[pairs]
    return float(1 - ratio.mean() ** 2 / (ratio**2).mean())


def _table(positions: dict[int, FloatArray]) -> FloatArray:
    return np.array([positions[v] for v in range(len(positions))], dtype=np.float64)


def _large(graph: nx.Graph, seed: int) -> FloatArray:
    """Take eigenvectors where they show the shape, as of rings and grids, and springs elsewhere."""
    adjacency = nx.to_scipy_sparse_array(graph, dtype=np.float64)
    if graph.number_of_edges() > _SPECTRAL_EDGES * len(graph):
        start = diffused_start(adjacency, seed)
    else:
        start = _spectral(graph, seed)
        if not is_crowded(start):
            return start
    return spread_layout(adjacency, start, seed)


def _circle(graph: nx.Graph, seed: int) -> FloatArray:
    return _table(nx.circular_layout(graph))


def _spectral(graph: nx.Graph, seed: int) -> FloatArray:
    """Use the eigenvectors of the Laplacian with the smallest eigenvalues above zero."""
    n = len(graph)
    if n == 2:
        return _circle(graph, seed)
    laplacian = nx.laplacian_matrix(graph).astype(np.float64)
    if n < _SPARSE_FROM:
        _, vectors = np.linalg.eigh(laplacian.toarray())
    else:
        _, vectors = eigsh(laplacian, k=3, sigma=-1e-2, v0=np.linspace(1.0, 2.0, n))
    places: FloatArray = vectors[:, 1:3]
    return places


def _rings(graph: nx.Graph, seed: int) -> FloatArray:
    degrees = sorted({degree for _, degree in graph.degree()}, reverse=True)
    shells = [[v for v, degree in graph.degree() if degree == wanted] for wanted in degrees]
    return _table(nx.shell_layout(graph, shells))


def _groups(graph: nx.Graph, seed: int) -> FloatArray:
    """Draw communities as circles: up to four in a row, more on a ring."""
    if len(graph) > _SPRING_LIMIT or not graph.size():
        return _natural(graph, seed)
    found = nx.community.louvain_communities(graph, seed=seed)
    groups = sorted(map(sorted, found))
    circles = [
        regular_polygon(len(group)) if len(group) > 1 else np.zeros((1, 2)) for group in groups
    ]
    apart = 2 * max(float(np.linalg.norm(circle[0])) for circle in circles) + 2.0
    m = len(groups)
    centres = (
        apart * np.column_stack([np.arange(m), np.zeros(m)]) if m < 5 else regular_polygon(m, apart)
    )
    places = np.zeros((len(graph), 2))
    for group, circle, centre in zip(groups, circles, centres, strict=True):
        places[group] = centre + circle
    for group, circle, centre in zip(groups, circles, centres, strict=True):
        inside = set(group)
        links = [(i, u) for i, v in enumerate(group) for u in graph[v] if u not in inside]
        if links:
            own, others = np.array(links).T
            turns = [centre + np.roll(circle, k, axis=0) for k in range(len(group))]
            lengths = [np.linalg.norm(one[own] - places[others], axis=1).sum() for one in turns]
            places[group] = turns[int(np.argmin(np.round(lengths, 9)))]
    return places


LAYOUTS = MappingProxyType(
    {
        "natural": _natural,
        "spring": _spring,
        "circle": _circle,
        "spectral": _spectral,
        "rings": _rings,
        "groups": _groups,
    }
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
