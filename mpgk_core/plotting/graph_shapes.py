"""What a graph is, and how that is drawn: paths, trees, rings, grids, cliques and the like.

A shape is a function that returns places for the vertices of a connected graph, in edges of length
1, or None where the graph is something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import TypeAlias

import networkx as nx
import numpy as np
from scipy.spatial import KDTree

from mpgk_core.arrays import BoolArray, FloatArray, IntArray
from mpgk_core.plotting.style import ASPECT, height_of_picture

_MAX_COMPOSED, _MAX_EDGES = 2_000, 20_000
_MAX_PLANAR_CHECK = 150
_MAX_LEAVES_IN_ROW = 120
_CLIQUE_WIDTH, _CLIQUE_SIDE = 18.0, 1.8
_TURNED, _TURNED_ANYHOW = 1.15, 1.25
_AT_ONCE = 256

_Shape: TypeAlias = Callable[[nx.Graph], FloatArray | None]


def regular_polygon(n: int, side: float = 1.0) -> FloatArray:
    """Return a regular polygon on its side, clockwise from the top; of two points, a line."""
    if n <= 2:
        return np.array([[-side / 2, 0.0], [side / 2, 0.0]]) if n == 2 else np.zeros((n, 2))
    turn = np.pi / 2 + (0 if n % 2 else np.pi / n) - 2 * np.pi * np.arange(n) / n
    radius = side / (2 * float(np.sin(np.pi / n)))
    return radius * on_circle(turn)


def on_circle(angles: FloatArray) -> FloatArray:
    """Return the points of the unit circle in these directions."""
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _walk(graph: nx.Graph, start: int) -> list[int]:
    """Return the vertices of a path or ring, in their order."""
    return list(nx.dfs_preorder_nodes(graph, start))


def degrees_of(graph: nx.Graph) -> list[int]:
    """Return the number of neighbours of every vertex."""
    return [degree for _, degree in graph.degree]


def renumbered(graph: nx.Graph, vertices: Sequence[int]) -> nx.Graph:
    """Return the subgraph with its vertices numbered in this order."""
    place = {v: i for i, v in enumerate(vertices)}
    part = nx.empty_graph(len(vertices))
    part.add_edges_from((place[v], place[u]) for v, u in graph.subgraph(vertices).edges)
    return part


def _placed(order: Sequence[int], places: FloatArray) -> FloatArray:
    """Return the places by vertex, given in the order of these vertices."""
    table = np.empty_like(places)
    table[list(order)] = places
    return table


def _path(graph: nx.Graph) -> FloatArray | None:
    degrees = degrees_of(graph)
    if graph.size() != len(graph) - 1 or max(degrees) > 2:
        return None
    x = np.arange(len(graph), dtype=np.float64)
    return _placed(_walk(graph, degrees.index(1)), np.column_stack([x, np.zeros_like(x)]))


def _wheel(graph: nx.Graph) -> FloatArray | None:
    """Draw a star or a wheel, its hub in the middle."""
    n, degrees = len(graph), degrees_of(graph)
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
    ring = regular_polygon(n - 1)
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
        return down[:, np.newaxis] * on_circle(2 * np.pi * across / n_leaves)
    is_wide = n_leaves > down.max()
    table = np.column_stack([across, -down] if is_wide else [down, -across])
    width, height = np.ptp(table, axis=0)
    return table * np.maximum(1.0, [height * ASPECT / width, width / (height * ASPECT)])


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
    if set(degrees_of(graph)) != {2}:
        return None
    return _placed(_walk(graph, 0), regular_polygon(len(graph)))


def _two_rows(graph: nx.Graph) -> FloatArray | None:
    """Draw a bipartite graph in two rows, if it is complete, or if edges must cross."""
    if graph.size() > _MAX_EDGES or not nx.is_bipartite(graph):
        return None
    rows = [sorted(side) for side in nx.bipartite.sets(graph)]
    is_complete = graph.size() == len(rows[0]) * len(rows[1])
    is_other = len(graph) > _MAX_PLANAR_CHECK or len(set(degrees_of(graph))) == 1
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
    down[rows[1]] = -max(1.0, (longest - 1) / ASPECT)
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
    return regular_polygon(n)


def _grid(graph: nx.Graph) -> FloatArray | None:
    """Draw a grid, its longer side across.

    With the corners c and d at the ends of a short side of s edges, the vertex in row i and column
    j is at the distances i + j and s - i + j from them.
    """
    degrees = degrees_of(graph)
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
    if len(graph) % 2 or set(degrees_of(graph)) != {3}:
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
    inner = regular_polygon(m)
    radius = float(np.linalg.norm(inner[0]))
    return np.vstack([inner * max(1 + 1 / radius, 1.35), inner])


def _petersen(graph: nx.Graph) -> FloatArray | None:
    """Draw the Petersen graph, in which all strangers have one common neighbour, as a star."""
    if len(graph) != 10 or set(degrees_of(graph)) != {3}:
        return None
    adjacency = nx.to_numpy_array(graph, nodelist=range(10))
    if np.any(adjacency @ adjacency + adjacency - 2 * np.eye(10) != 1):
        return None
    outer = next(nx.simple_cycles(graph, length_bound=5))
    inner = [next(u for u in sorted(graph[v]) if u not in outer) for v in outer]
    ring = regular_polygon(5, 2.4)
    return _placed([*outer, *inner], np.vstack([ring, ring / 2]))


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
    while set(degrees_of(left)) != {2}:
        way = next(_ears(left), None)
        if way is None:
            return None
        left.remove_nodes_from(way[1:-1])
        taken.append(way)
    first = _walk(left, min(left))
    places = np.full((n, 2), np.nan)
    places[first] = regular_polygon(len(first))
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
    polygon = regular_polygon(n)
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
        part = renumbered(graph, block)
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
        places[block] = places[v] + rotated(moved, turn + span / 2 - middle)
        turn += span + gap


def _clique(n: int) -> FloatArray:
    """Return a polygon with wide sides, unless the edges of length 1 beside it became too short."""
    return regular_polygon(n, float(np.clip(_CLIQUE_WIDTH * np.sin(np.pi / n), 1.0, _CLIQUE_SIDE)))


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


def rotated(places: FloatArray, angle: float) -> FloatArray:
    """Return places turned about the origin, counterclockwise."""
    cosine, sine = np.cos(angle), np.sin(angle)
    turned: FloatArray = places @ np.array([[cosine, sine], [-sine, cosine]])
    return turned


def _is_clear(places: FloatArray, edges: Sequence[tuple[int, int]]) -> bool:
    """Return whether vertices keep half an edge apart and no edges cross."""
    return smallest_distance(places) >= 0.5 and n_crossings(places, edges) == 0


def smallest_distance(places: FloatArray) -> float:
    """Return how far the closest two of some places are apart."""
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


def _spread_out(places: FloatArray) -> FloatArray:
    """Turn a drawing if it is larger then, best by a multiple of 30°, its first vertices left."""
    centred = places - places.mean(axis=0)
    axis = np.linalg.svd(centred, full_matrices=False)[2][0]
    turns = [*(np.pi / 6 * np.arange(6)), -float(np.arctan2(axis[1], axis[0]))]
    drawn = [rotated(centred, turn) for turn in turns]
    prices = [1.0, *5 * [_TURNED], _TURNED_ANYHOW]
    sizes = [height_of_picture(one) * price for one, price in zip(drawn, prices, strict=True)]
    best = drawn[int(np.argmin(np.round(sizes, 9)))]
    is_backward = np.linspace(-1, 1, len(best)) @ best[:, 0] < -1e-9
    return best * [-1.0, 1.0] if is_backward else best


_BLOCKS: tuple[_Shape, ...] = (_path, _ring, _wheel, _grid, _rings_of_molecule, _prism)

SHAPES: tuple[_Shape, ...] = (
    *(_path, _wheel, _tree, _ring, _circulant, _grid, _prism, _petersen),
    *(_rings_of_molecule, _composed, _two_rows),
)
"""All shapes, in the order in which they are tried."""
