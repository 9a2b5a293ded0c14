"""Where the vertices of a graph are drawn.

A natural layout recognises what the graph is: a path, a tree, a ring, a grid, cliques and rings
that share single vertices, and so on. Such shapes have edges of length 1; all others are sprung.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from types import MappingProxyType
from typing import TypeAlias

import networkx as nx
import numpy as np
from scipy.sparse import csr_array, triu
from scipy.sparse.linalg import eigsh
from scipy.spatial import KDTree

from mpgk_core.arrays import BoolArray, FloatArray, IntArray
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.graph_set import GraphSet

FEW_VERTICES = 60
"""Graphs with fewer vertices are drawn without overlaps."""

_ASPECT = 3.2
_NEEDED = 0.05
_KAMADA_KAWAI_LIMIT = 150
_SPRING_LIMIT = 1200
_SPARSE_FROM = 500
_SPECTRAL_EDGES = 4
_MAX_COMPOSED, _MAX_EDGES = 2_000, 20_000
_MAX_LEAVES_IN_ROW = 120
_CLIQUE_WIDTH, _CLIQUE_SIDE = 18.0, 1.8
_MOST_WIDENED = 1.6
_GOOD = 1.25
_TURNED, _TURNED_ANYHOW = 1.15, 1.25
_AT_ONCE = 256

_Shape: TypeAlias = Callable[[nx.Graph], FloatArray | None]


def graph_layout(graph: GraphSet, layout: str = "natural", seed: int = 0) -> FloatArray:
    """Return positions for the vertices of one graph.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    layout : {"natural", "spring", "circle", "spectral", "rings", "groups"}
        ``"natural"``: by the structure: paths, trees, rings, grids, cliques, rings of a molecule
        and others as they are usually drawn, parts side by side, and springs for all the rest.
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
    table = LAYOUTS[layout](numbered, seed)
    if n < FEW_VERTICES:
        table = without_overlaps(table)
    table = _centred(table)
    largest = np.abs(table).max()
    return table / largest if largest > 0 else table


def needed_distance(places: FloatArray) -> float:
    """Return how far apart vertices must be drawn: a twentieth of the height of the picture.

    The picture is 3.2 times as wide as high, and the drawing fills it.

    Parameters
    ----------
    places : ndarray of shape (n, 2)

    Returns
    -------
    float

    Examples
    --------
    >>> needed_distance(np.array([[0.0, 0.0], [3.2, 2.0]]))
    0.1
    """
    return _NEEDED * _height_of_picture(places)


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
        yield from place + ring * step * _on_circle(turns)


def _natural(graph: nx.Graph, seed: int) -> FloatArray:
    """Draw every part as what it is, and put the parts side by side."""
    parts = sorted(map(sorted, nx.connected_components(graph)), key=lambda part: (-len(part), part))
    if len(graph) > _SPRING_LIMIT and len(parts) > 1:
        return _spring(graph, seed)
    drawn = [_natural_part(_numbered(graph, part), seed) for part in parts]
    places = np.zeros((len(graph), 2))
    for part, part_places in zip(parts, _side_by_side(drawn), strict=True):
        places[part] = part_places
    return places


def _natural_part(graph: nx.Graph, seed: int) -> FloatArray:
    """Draw a connected graph in edges of length 1, more or less."""
    if len(graph) == 1:
        return np.zeros((1, 2))
    for shape in _SHAPES:
        places = shape(graph)
        if places is not None:
            return places
    halves = _mirrored_halves(graph)
    if halves is not None:
        return _mirrored(graph, halves, seed)
    return _widened(graph, _in_edges(graph, _spring(graph, seed)))


def _numbered(graph: nx.Graph, vertices: Sequence[int]) -> nx.Graph:
    """Return the subgraph with its vertices numbered in this order."""
    place = {v: i for i, v in enumerate(vertices)}
    part = nx.empty_graph(len(vertices))
    part.add_edges_from((place[v], place[u]) for v, u in graph.subgraph(vertices).edges)
    return part


def _side_by_side(parts: list[FloatArray]) -> list[FloatArray]:
    """Put parts into rows, the number of which lets them be drawn largest."""
    sizes = [np.ptp(part, axis=0) + 1.0 for part in parts]
    widths = np.cumsum([size[0] for size in sizes])
    found = [_in_rows(sizes, width) for width in np.unique(widths[-1] / np.arange(1, 9))]
    corners = min(found, key=lambda one: _height_of_picture(np.concatenate([one, one + sizes])))
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


def _polygon(n: int, side: float = 1.0) -> FloatArray:
    """Return a regular polygon on its side, clockwise from the top; of two points, a line."""
    if n == 2:
        return np.array([[-side / 2, 0.0], [side / 2, 0.0]])
    turn = np.pi / 2 + (0 if n % 2 else np.pi / n) - 2 * np.pi * np.arange(n) / n
    radius = side / (2 * float(np.sin(np.pi / n)))
    return radius * _on_circle(turn)


def _on_circle(angles: FloatArray) -> FloatArray:
    """Return the points of the unit circle in these directions."""
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _walk(graph: nx.Graph, start: int) -> list[int]:
    """Return the vertices of a path or ring, in their order."""
    return list(nx.dfs_preorder_nodes(graph, start))


def _degrees(graph: nx.Graph) -> list[int]:
    return [degree for _, degree in graph.degree]


def _placed(order: Sequence[int], places: FloatArray) -> FloatArray:
    """Return the places by vertex, given in the order of these vertices."""
    table = np.empty_like(places)
    table[list(order)] = places
    return table


def _path(graph: nx.Graph) -> FloatArray | None:
    degrees = _degrees(graph)
    if graph.size() != len(graph) - 1 or max(degrees) > 2:
        return None
    x = np.arange(len(graph), dtype=np.float64)
    return _placed(_walk(graph, degrees.index(1)), np.column_stack([x, np.zeros_like(x)]))


def _wheel(graph: nx.Graph) -> FloatArray | None:
    """Draw a star or a wheel, its hub in the middle."""
    n, degrees = len(graph), _degrees(graph)
    hub = degrees.index(max(degrees))
    rim = [v for v in graph if v != hub]
    rest = {degree for v, degree in enumerate(degrees) if v != hub}
    if n < 4 or degrees[hub] != n - 1 or rest not in ({1}, {3}):
        return None
    if rest == {3}:
        around = graph.subgraph(rim)
        if n < 5 or not nx.is_connected(around):
            return None
        rim = _walk(around, rim[0])
    ring = _polygon(n - 1)
    ring = ring * max(1.0, 1 / float(np.linalg.norm(ring[0])))
    return _placed([hub, *rim], np.vstack([[0.0, 0.0], ring]))


def _tree(graph: nx.Graph) -> FloatArray | None:
    """Draw a tree in layers below its middle; beside it if it is deeper than wide."""
    if graph.size() != len(graph) - 1:
        return None
    root = _middle_of_tree(graph)
    depth = nx.single_source_shortest_path_length(graph, root)
    across = np.zeros(len(graph))
    n_leaves = 0
    for v in nx.dfs_postorder_nodes(graph, root):
        below = [across[u] for u in graph[v] if depth[u] > depth[v]]
        across[v] = (min(below) + max(below)) / 2 if below else n_leaves
        n_leaves += not below
    down = np.array([depth[v] for v in range(len(graph))], dtype=np.float64)
    if n_leaves > _MAX_LEAVES_IN_ROW:
        return down[:, np.newaxis] * _on_circle(2 * np.pi * across / n_leaves)
    is_wide = n_leaves > down.max()
    table = np.column_stack([across, -down] if is_wide else [down, -across])
    width, height = np.ptp(table, axis=0)
    return table * np.maximum(1.0, [height * _ASPECT / width, width / (height * _ASPECT)])


def _middle_of_tree(graph: nx.Graph) -> int:
    """Return the vertex from which the farthest is nearest; of two, the one of larger degree."""
    left = dict(graph.degree)
    leaves = [v for v, degree in left.items() if degree <= 1]
    n_left = len(graph)
    while n_left > 2:
        n_left -= len(leaves)
        inner = []
        for leaf in leaves:
            left[leaf] = 0
            for v in graph[leaf]:
                left[v] -= 1
                if left[v] == 1:
                    inner.append(v)
        leaves = inner
    degrees = dict(graph.degree)
    found: int = min(leaves, key=lambda v: (-degrees[v], v))
    return found


def _ring(graph: nx.Graph) -> FloatArray | None:
    if set(_degrees(graph)) != {2}:
        return None
    return _placed(_walk(graph, 0), _polygon(len(graph)))


def _two_rows(graph: nx.Graph) -> FloatArray | None:
    """Draw a bipartite graph in two rows, if it is complete, or if edges must cross."""
    if graph.size() > _MAX_EDGES or not nx.is_bipartite(graph):
        return None
    rows = [sorted(side) for side in nx.bipartite.sets(graph)]
    is_complete = graph.size() == len(rows[0]) * len(rows[1])
    is_other = len(graph) > _KAMADA_KAWAI_LIMIT or len(set(_degrees(graph))) == 1
    if not is_complete and (is_other or nx.check_planarity(graph)[0]):
        return None
    rows.sort(key=lambda row: (len(row), row))
    longest = len(rows[1])
    across = np.zeros(len(graph))
    for sweep in range(1 if is_complete else 24):
        row = rows[sweep % 2]
        if sweep:
            middle = {v: np.mean([across[u] for u in graph[v]]) for v in row}
            row = sorted(row, key=lambda v: (round(middle[v], 9), v))
        else:
            across[rows[1]] = np.arange(longest) + 0.5
        across[row] = (np.arange(len(row)) + 0.5) * longest / len(row)
    down = np.zeros(len(graph))
    down[rows[1]] = -max(1.0, (longest - 1) / _ASPECT)
    return np.column_stack([across, down])


def _circulant(graph: nx.Graph) -> FloatArray | None:
    """Draw vertices on a circle if turning it by one vertex changes nothing.

    So is a regular graph whose vertices are numbered along a ring, if edges must cross anyway.
    """
    n = len(graph)
    steps = set(graph[0])
    if any(len(graph[v]) != len(steps) for v in graph):
        return None
    if any({(u - v) % n for u in graph[v]} != steps for v in graph):
        is_ring = all(graph.has_edge(v, (v + 1) % n) for v in graph)
        if not is_ring or nx.check_planarity(graph)[0]:
            return None
    return _polygon(n)


def _grid(graph: nx.Graph) -> FloatArray | None:
    """Draw a grid, its longer side across.

    With the corners c and d at the ends of a short side of s edges, the vertex in row i and column
    j is at the distances i + j and s - i + j from them.
    """
    degrees = _degrees(graph)
    corners = [v for v, degree in enumerate(degrees) if degree == 2]
    if len(corners) != 4 or max(degrees) > 4:
        return None
    far = nx.single_source_shortest_path_length(graph, corners[0])
    other = min(corners[1:], key=far.__getitem__)
    from_other = nx.single_source_shortest_path_length(graph, other)
    side = far[other]
    sums = [(far[v] - from_other[v] + side, far[v] + from_other[v] - side) for v in graph]
    rows = [(i // 2, j // 2) for i, j in sums]
    n_columns = len(graph) // (side + 1)
    is_grid = (
        len(set(rows)) == len(graph) == (side + 1) * n_columns
        and all(0 <= i <= side and 0 <= j < n_columns for i, j in rows)
        and graph.size() == side * n_columns + (side + 1) * (n_columns - 1)
        and all(
            sum(abs(a - b) for a, b in zip(rows[v], rows[u], strict=True)) == 1
            for v, u in graph.edges
        )
    )
    return np.array([(j, -i) for i, j in rows], dtype=np.float64) if is_grid else None


def _prism(graph: nx.Graph) -> FloatArray | None:
    """Draw a circular ladder as two rings."""
    m = len(graph) // 2
    if len(graph) % 2 or set(_degrees(graph)) != {3}:
        return None
    for partner in sorted(graph[0]):
        outer, inner = [0], [partner]
        for _ in range(m):
            v, u = outer[-1], inner[-1]
            pairs = product(set(graph[v]) - {u, *outer[-2:-1]}, set(graph[u]) - {v, *inner[-2:-1]})
            step = min((pair for pair in pairs if graph.has_edge(*pair)), default=(v, u))
            outer.append(step[0])
            inner.append(step[1])
        is_closed = outer.pop() == 0 and inner.pop() == partner
        if is_closed and len({*outer, *inner}) == len(graph):
            return _placed([*outer, *inner], _two_rings(m))
    return None


def _two_rings(m: int) -> FloatArray:
    inner = _polygon(m)
    radius = float(np.linalg.norm(inner[0]))
    return np.vstack([inner * max(1 + 1 / radius, 1.35), inner])


def _petersen(graph: nx.Graph) -> FloatArray | None:
    """Draw the Petersen graph, in which all strangers have one common neighbour, as a star."""
    if len(graph) != 10 or set(_degrees(graph)) != {3}:
        return None
    adjacency = nx.to_numpy_array(graph, nodelist=range(10))
    if np.any(adjacency @ adjacency + adjacency - 2 * np.eye(10) != 1):
        return None
    outer = next([0, *way] for way in _ways(graph, 0, 4) if graph.has_edge(way[-1], 0))
    inner = [next(u for u in sorted(graph[v]) if u not in outer) for v in outer]
    ring = _polygon(5, 2.4)
    return _placed([*outer, *inner], np.vstack([ring, ring / 2]))


def _ways(
    graph: nx.Graph, start: int, length: int, past: tuple[int, ...] = ()
) -> Iterator[list[int]]:
    """Yield all ways of this length from a vertex without repeated vertices, without the start."""
    if length == 0:
        yield []
        return
    for v in sorted(graph[start]):
        if v not in past and v != start:
            for rest in _ways(graph, v, length - 1, (*past, start)):
                yield [v, *rest]


def _rings_of_molecule(graph: nx.Graph) -> FloatArray | None:
    """Draw rings that share edges as regular polygons, as in a molecule.

    A ring with at most one shared edge is taken off as long as there is one: its other vertices
    are a way of vertices with two neighbours between the ends of an edge. What is left
    last is a ring itself, and the others are put onto it in the opposite order.
    """
    n = len(graph)
    if n > _MAX_COMPOSED or not n < graph.size() <= 2 * n - 3:
        return None
    left = graph.copy()
    taken: list[list[int]] = []
    while set(_degrees(left)) != {2}:
        way = next(_ears(left), None)
        if way is None:
            return None
        left.remove_nodes_from(way[1:-1])
        taken.append(way)
    first = _walk(left, min(left))
    places = np.full((n, 2), np.nan)
    places[first] = _polygon(len(first))
    middles = {frozenset(edge): places[first].mean(axis=0) for edge in left.edges}
    for way in reversed(taken):
        base = frozenset((way[0], way[-1]))
        if base not in middles:
            return None  # a third ring at one edge
        polygon = _standing_on(places[way[0]], places[way[-1]], len(way), middles.pop(base))
        places[way] = polygon
        middles |= {frozenset(edge): polygon.mean(axis=0) for edge in pairwise(way)}
    return _spread_out(places) if _is_clear(places, list(graph.edges)) else None


def _ears(graph: nx.Graph) -> Iterator[list[int]]:
    """Yield ways over vertices with two neighbours, between the ends of an edge."""
    for start in sorted(graph):
        if graph.degree[start] < 3:
            continue
        for v in sorted(graph[start]):
            way = [start, v]
            while graph.degree[way[-1]] == 2 and way[-1] != start:
                way.append(next(u for u in graph[way[-1]] if u != way[-2]))
            if len(way) > 2 and way[-1] != start and graph.has_edge(start, way[-1]):
                yield way


def _standing_on(first: FloatArray, last: FloatArray, n: int, other: FloatArray) -> FloatArray:
    """Return a regular polygon from one end of an edge to the other, away from another point."""
    polygon = _polygon(n)
    source, target = (b[0] + 1j * b[1] for b in (polygon[-1] - polygon[0], last - first))
    turned = (polygon - polygon[0]) @ np.array([[1, 1j]]).T
    results = []
    for numbers, edge in ((turned, source), (turned.conj(), np.conj(source))):
        complex_places = (numbers * target / edge).ravel()
        results.append(first + np.column_stack([complex_places.real, complex_places.imag]))
    return max(results, key=lambda one: float(np.linalg.norm(one.mean(axis=0) - other)))


def _composed(graph: nx.Graph) -> FloatArray | None:
    """Draw a graph of cliques, rings and edges that share single vertices.

    From the middle of the tree of blocks outwards, every block is turned away from those that are
    drawn already; blocks at one vertex share the free angle around it.
    """
    if len(graph) > _MAX_COMPOSED or graph.size() > _MAX_EDGES:
        return None
    found = sorted(map(sorted, nx.biconnected_components(graph)), key=lambda one: (-len(one), one))
    shapes, outline = [], []
    for block in found:
        part = _numbered(graph, block)
        is_clique = len(block) > 3 and part.size() == len(block) * (len(block) - 1) // 2
        places = _clique(len(block)) if is_clique else _block(part)
        if places is None or len(found) == 1:
            return None
        edges = pairwise([*range(len(block)), 0]) if is_clique else part.edges
        shapes.append(places)
        outline += [(block[v], block[u]) for v, u in edges]
    n = len(graph)
    tree = nx.Graph((n + b, v) for b, block in enumerate(found) for v in block)
    tree.remove_nodes_from([v for v in graph if tree.degree[v] == 1])
    root = _middle_of_tree(tree)
    places = np.zeros((n, 2))
    if root >= n:
        places[found[root - n]] = shapes[root - n]
    for v, around in [(root, None), *nx.bfs_predecessors(tree, root)]:
        if v < n:
            drawn = None if around is None else found[around - n]
            _attach(
                places, v, drawn, [(found[b - n], shapes[b - n]) for b in tree[v] if b != around]
            )
    return _spread_out(places) if _is_clear(places, outline) else None


def _attach(
    places: FloatArray, v: int, drawn: list[int] | None, new: list[tuple[list[int], FloatArray]]
) -> None:
    """Draw new blocks at a vertex, with equal gaps between them and the block that is drawn."""
    angles = [_angles_at(shape, block.index(v)) for block, shape in new]
    before, wide = (0.0, 0.0) if drawn is None else _angles_at(places[drawn], drawn.index(v))
    free = 2 * np.pi - wide - sum(span for _, span in angles)
    gap = free / (len(new) + (drawn is not None))
    turn = before + wide / 2 + gap if drawn is not None else -angles[0][1] / 2
    for (block, shape), (middle, span) in zip(new, angles, strict=True):
        moved = shape - shape[block.index(v)]
        places[block] = places[v] + _turned(moved, turn + span / 2 - middle)
        turn += span + gap


def _clique(n: int) -> FloatArray:
    """Return a polygon with wide sides, unless the edges of length 1 beside it became too short."""
    return _polygon(n, float(np.clip(_CLIQUE_WIDTH * np.sin(np.pi / n), 1.0, _CLIQUE_SIDE)))


def _block(graph: nx.Graph) -> FloatArray | None:
    return next((p for shape in _BLOCKS if (p := shape(graph)) is not None), None)


def _angles_at(block: FloatArray, spot: int) -> tuple[float, float]:
    """Return in which direction a block lies from one of its vertices, and the angle it takes."""
    others = np.delete(block, spot, axis=0) - block[spot]
    middle = others.mean(axis=0)
    direction = float(np.arctan2(middle[1], middle[0]))
    offsets = np.arctan2(others[:, 1], others[:, 0]) - direction
    offsets = (offsets + np.pi) % (2 * np.pi) - np.pi
    return direction, float(np.ptp(offsets))


def _turned(places: FloatArray, angle: float) -> FloatArray:
    cosine, sine = np.cos(angle), np.sin(angle)
    turned: FloatArray = places @ np.array([[cosine, sine], [-sine, cosine]])
    return turned


def _is_clear(places: FloatArray, edges: Sequence[tuple[int, int]]) -> bool:
    """Return whether vertices keep half an edge apart and no edges cross."""
    return _smallest_distance(places) >= 0.5 and n_crossings(places, edges) == 0


def _smallest_distance(places: FloatArray) -> float:
    return float(KDTree(places).query(places, k=2)[0][:, 1].min())


def n_crossings(places: FloatArray, edges: Sequence[tuple[int, int]]) -> int:
    """Return how many pairs of edges without a common end cross.

    Parameters
    ----------
    places : ndarray of shape (n, 2)
    edges : sequence of (int, int)

    Returns
    -------
    int

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> n_crossings(square, [(0, 2), (1, 3)]), n_crossings(square, [(0, 1), (2, 3)])
    (1, 0)
    """
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    parts = np.array_split(ends, len(ends) // _AT_ONCE + 1)
    return sum(int(_crosses(places, part, ends).sum()) for part in parts) // 2


def _crosses(places: FloatArray, some: IntArray, others: IntArray) -> BoolArray:
    """Return which of some edges cross which of the others."""
    (a, b), (c, d) = some.T[:, :, np.newaxis], others.T[:, np.newaxis]
    first = _side(places[a], places[b], places[c]) * _side(places[a], places[b], places[d])
    second = _side(places[c], places[d], places[a]) * _side(places[c], places[d], places[b])
    found: BoolArray = (first < 0) & (second < 0) & (a != c) & (a != d) & (b != c) & (b != d)
    return found


def _side(start: FloatArray, end: FloatArray, point: FloatArray) -> FloatArray:
    """Return on which side of a line a point is: -1, 1, or 0 on the line itself."""
    along, to = end - start, point - start
    turn = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
    return np.where(np.abs(turn) < 1e-9, 0.0, np.sign(turn))


def _mirrored_halves(graph: nx.Graph) -> tuple[list[int], list[int], int] | None:
    """Return two halves that a bridge joins and that are equal, vertex by vertex, and its end."""
    n = len(graph)
    if n % 2 or n > _SPRING_LIMIT or graph.size() % 2 == 0:
        return None
    for v, u in nx.bridges(graph):
        cut = nx.restricted_view(graph, [], [(v, u)])
        one, other = (sorted(nx.node_connected_component(cut, end)) for end in (v, u))
        if len(one) == len(other):
            is_same = {*_numbered(graph, one).edges} == {*_numbered(graph, other).edges}
            return (
                (one, other, one.index(v)) if is_same and one.index(v) == other.index(u) else None
            )
    return None


def _mirrored(graph: nx.Graph, halves: tuple[list[int], list[int], int], seed: int) -> FloatArray:
    """Draw one half, with the bridge at its right, and its mirror image."""
    one, other, end = halves
    half = _in_edges(_numbered(graph, one), _natural_part(_numbered(graph, one), seed))
    across = half[end] - half.mean(axis=0)
    half = _turned(half, -float(np.arctan2(across[1], across[0])))
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
    if max(_degrees(graph)) <= 4 and nx.check_planarity(graph)[0]:
        return places
    width, height = np.ptp(places, axis=0)
    return places * [float(np.clip(_ASPECT * height / max(width, 1e-9), 1.0, _MOST_WIDENED)), 1.0]


def _centred(table: FloatArray) -> FloatArray:
    middle: FloatArray = (table.max(axis=0) + table.min(axis=0)) / 2
    return table - middle


def _height_of_picture(places: FloatArray) -> float:
    width, height = map(float, np.ptp(places, axis=0))
    return max(width / _ASPECT, height)


def _spread_out(places: FloatArray) -> FloatArray:
    """Turn a drawing if it is larger then, best by a multiple of 30°, its first vertices left."""
    centred = places - places.mean(axis=0)
    axis = np.linalg.svd(centred, full_matrices=False)[2][0]
    turns = [*(np.pi / 6 * np.arange(6)), -float(np.arctan2(axis[1], axis[0]))]
    drawn = [_turned(centred, turn) for turn in turns]
    prices = [1.0, *5 * [_TURNED], _TURNED_ANYHOW]
    sizes = [_height_of_picture(one) * price for one, price in zip(drawn, prices, strict=True)]
    best = drawn[int(np.argmin(np.round(sizes, 9)))]
    is_backward = np.linspace(-1, 1, len(best)) @ best[:, 0] < -1e-9
    return best * [-1.0, 1.0] if is_backward else best


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
    if is_planar and min(_degrees(graph)) > 2 and n_crossings(best, edges):
        convex = _convex(graph, embedding)
        if _smallest_distance(convex) >= needed_distance(convex):
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
    target[face] = _polygon(len(face))
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
    circles = [_polygon(len(group)) if len(group) > 1 else np.zeros((1, 2)) for group in groups]
    apart = 2 * max(float(np.linalg.norm(circle[0])) for circle in circles) + 2.0
    m = len(groups)
    centres = apart * np.column_stack([np.arange(m), np.zeros(m)]) if m < 5 else _polygon(m, apart)
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


_BLOCKS: tuple[_Shape, ...] = (*(_path, _ring, _wheel, _grid, _rings_of_molecule, _prism),)
_SHAPES: tuple[_Shape, ...] = (
    *(_path, _wheel, _tree, _ring, _circulant, _grid, _prism, _petersen),
    *(_rings_of_molecule, _composed, _two_rows),
)

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
