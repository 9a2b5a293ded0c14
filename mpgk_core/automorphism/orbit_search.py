"""Automorphism orbits: which vertices of a graph play exactly the same role, found by a search.

What falls apart is matched; only where nothing falls apart is guessed. Two questions are answered
about coloured parts of one graph.

*Is there an isomorphism from part X to part Y?* Both fall apart. Loose vertices are matched cell
by cell. Pieces are matched greedily: if X1 is isomorphic to Y1 and also to Y2, either will do, so
no choice is ever taken back. A part in one piece is matched by setting the first vertex of one
cell, the target cell, apart, and trying every vertex of the same cell of Y in its place.

*Which vertices of part X are equivalent?* Loose vertices of one cell are. Of isomorphic pieces,
one is enough. In a part in one piece, first find the automorphisms that fix the first vertex v of
the target cell; those, and one automorphism from v to each vertex it can reach, generate all.

A map that is found is checked edge by edge in the whole graph before it counts. That there is
none is concluded only from different signatures and from trying everything.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from mpgk_core._compiled import compiled
from mpgk_core.arrays import IntArray
from mpgk_core.automorphism.coloured_part import ColouredPart, SearchAbandonedError, WorkBudget
from mpgk_core.checks import check_whole
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_set import GraphSet, as_graph_set
from mpgk_core.graphs.neighbourhoods import EdgeEncoder, EdgeUse
from mpgk_core.refinement.colour_refinement import agreeing


class DisjointSets:
    """A partition of 0, 1, ..., n - 1 that starts with single elements.

    Parameters
    ----------
    n : int
        Number of elements.

    Examples
    --------
    >>> sets = DisjointSets(5)
    >>> sets.merge(np.array([4, 1]), np.array([2, 4]))
    >>> sets.first_of(4), sets.first_of_all().tolist()
    (1, [0, 1, 1, 3, 1])
    """

    def __init__(self, n: int) -> None:
        self._parent = np.arange(n, dtype=np.int64)

    def merge(self, left: IntArray, right: IntArray) -> None:
        """Unite the set of ``left[i]`` with the set of ``right[i]``, for every i."""
        _merge(self._parent, left, right)

    def first_of(self, element: int) -> int:
        """Return the smallest element of the set of ``element``."""
        return int(_root(self._parent, element))

    def first_of_all(self) -> IntArray:
        """Return the smallest element of the set of each element."""
        return _roots(self._parent)


@compiled
def _root(parent: IntArray, element: int) -> int:
    while parent[element] != element:
        parent[element] = parent[parent[element]]
        element = parent[element]
    return element


@compiled
def _roots(parent: IntArray) -> IntArray:
    roots = np.empty(len(parent), np.int64)
    for element in range(len(parent)):
        roots[element] = _root(parent, element)
    return roots


@compiled
def _merge(parent: IntArray, left: IntArray, right: IntArray) -> None:
    for i in range(len(left)):
        a, b = _root(parent, left[i]), _root(parent, right[i])
        parent[max(a, b)] = min(a, b)


_DEEPEST = 600  # nested calls before giving up; Python allows about 1000
_PATIENCE = 64  # failures as costly as so many looks at a part call for the orbits of that part


class AutomorphismSearch:
    """Finds which vertices the automorphisms of a coloured part map onto each other.

    Parameters
    ----------
    graph : ColouredPart
        A whole graph.
    part : ColouredPart, optional
        A part of it, by default all of it. Its automorphisms leave all other vertices where
        they are, and are automorphisms of the whole graph, too.
    depth : int
        The number of nested calls so far.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.automorphism.coloured_part import WorkBudget
    >>> house = nx.to_scipy_sparse_array(nx.house_graph(), dtype=np.int64)
    >>> colours, budget = np.zeros(5, dtype=np.int64), WorkBudget(1_000_000)
    >>> graph = ColouredPart.from_graph(house.indptr, house.indices, colours, budget)
    >>> AutomorphismSearch(graph).orbits().first_of_all().tolist()
    [0, 0, 2, 2, 4]
    """

    def __init__(
        self, graph: ColouredPart, part: ColouredPart | None = None, depth: int = 0
    ) -> None:
        self._graph = graph
        self._part = graph if part is None else part
        self._depth = depth
        self._budget = graph.budget
        self._orbits = DisjointSets(len(graph))
        self._image = np.arange(len(graph))
        self._identity = np.arange(len(graph))

    def orbits(self) -> DisjointSets:
        """Return the orbits of the part; other vertices stay alone.

        Raises
        ------
        SearchAbandonedError
            If the budget is spent, or the calls are nested too deeply, before all is proven.
        """
        guesses = []
        todo = [self._part]
        while todo:
            pieces = todo.pop().pieces
            alike = np.flatnonzero(np.diff(pieces.loose_cells) == 0)
            self._orbits.merge(pieces.loose[alike], pieces.loose[alike + 1])
            if pieces.whole:
                guesses.append(pieces.connected[0])
                todo.append(pieces.connected[0].first_child)
            else:
                todo += self._one_of_each(pieces.connected)
        for piece in reversed(guesses):  # automorphisms that fix more vertices come first
            self._reach_from_first(piece)
        return self._orbits

    def _one_of_each(self, pieces: list[ColouredPart]) -> list[ColouredPart]:
        """Merge the vertices of isomorphic pieces and return one piece of each type."""
        types: defaultdict[int, list[ColouredPart]] = defaultdict(list)
        for piece in pieces:
            alike = types[piece.signature]
            for model in alike:
                if self._match(model, piece, self._depth):
                    self._merge_image(model)
                    break
            else:
                alike.append(piece)
        return [piece for alike in types.values() for piece in alike]

    def _reach_from_first(self, part: ColouredPart) -> None:
        """Merge the first vertex of the target cell with every vertex it can be mapped to."""
        model = part.first_child
        source = part.vertex_at(part.target_cell[0])
        out_of_reach: set[int] = set()
        for position in part.target_cell[1:]:
            orbit = self._orbits.first_of(part.vertex_at(position))
            if orbit == self._orbits.first_of(source) or orbit in out_of_reach:
                continue
            child = part.child_like(model, position)
            if child is not None and self._match(model, child, self._depth):
                self._merge_image(model)
                out_of_reach = {self._orbits.first_of(vertex) for vertex in out_of_reach}
            else:
                out_of_reach.add(orbit)

    def _match(self, left: ColouredPart, right: ColouredPart, depth: int) -> bool:
        """Look for an isomorphism between parts of equal signature; leave it in ``_image``."""
        if depth > _DEEPEST:
            raise SearchAbandonedError
        ours, theirs = left.pieces, right.pieces
        if not np.array_equal(ours.loose_cells, theirs.loose_cells):
            return False
        self._image[ours.loose] = theirs.loose
        if ours.whole and theirs.whole:
            return self._match_by_guessing(ours.connected[0], theirs.connected[0], depth + 1)
        candidates: defaultdict[int, list[ColouredPart]] = defaultdict(list)
        for piece in theirs.connected:
            candidates[piece.signature].append(piece)
        for piece in ours.connected:
            alike = candidates[piece.signature]
            for i, candidate in enumerate(alike):
                if self._match(piece, candidate, depth + 1):
                    del alike[i]
                    break
            else:
                return False
        return True

    def _match_by_guessing(self, left: ColouredPart, right: ColouredPart, depth: int) -> bool:
        """Match parts in one piece by trying all images of the first vertex of a cell.

        If the first image fails, it must at least resemble some other vertex of the left cell.
        Vertices equivalent to one that failed would fail as well. To know them is worth its price
        only once failures have cost much more than looking at the whole part.
        """
        if not np.array_equal(left.partition.cell, right.partition.cell):
            return False
        model = left.first_child
        patience = self._budget.left - _PATIENCE * self._budget.price(len(right.indices))
        orbits: DisjointSets | None = None
        failed: set[int] = set()
        for position in left.target_cell:
            vertex = right.vertex_at(position)
            if orbits is not None and orbits.first_of(vertex) in failed:
                continue
            child = right.child_like(model, position)
            if child is None:
                if position == left.target_cell[0] and not left.has_child_like(right, position):
                    return False
                continue
            if self._match(model, child, depth + 1):
                return True
            if orbits is None and self._budget.left < patience:
                orbits = AutomorphismSearch(self._graph, right, depth + 1).orbits()
            if orbits is not None:
                failed.add(orbits.first_of(vertex))
        return False

    def _merge_image(self, part: ColouredPart) -> None:
        """Check the map in ``_image`` and merge its cycles.

        It maps ``part`` onto itself, or onto a part elsewhere that takes its place in return.
        """
        graph, image = self._graph, self._identity
        sources = part.vertices
        targets = self._image[sources]
        moved = np.union1d(sources, targets)
        self._budget.spend(2 * int(np.sum(graph.indptr[moved + 1] - graph.indptr[moved])))
        image[targets] = sources
        image[sources] = targets
        if not _is_automorphism(graph.indptr, graph.indices, graph.partition.cell, image, moved):
            raise SearchAbandonedError  # different parts had equal hashes, so nothing is certain
        image[moved] = moved
        self._orbits.merge(sources, targets)


@compiled
def _is_automorphism(
    indptr: IntArray, indices: IntArray, colours: IntArray, image: IntArray, moved: IntArray
) -> bool:
    """Check that ``image`` permutes ``moved`` and keeps colours and neighbourhoods."""
    last_seen_by = np.full(len(image), -1, np.int64)
    for v in moved:
        last_seen_by[v] = v
    for v in moved:
        if last_seen_by[image[v]] < 0 or colours[image[v]] != colours[v]:
            return False
        last_seen_by[image[v]] = -1
    for v in moved:
        target = image[v]
        if indptr[v + 1] - indptr[v] != indptr[target + 1] - indptr[target]:
            return False
        for e in range(indptr[target], indptr[target + 1]):
            last_seen_by[indices[e]] = v
        for e in range(indptr[v], indptr[v + 1]):
            if last_seen_by[image[indices[e]]] != v:
                return False
    return True


_DEFAULT_BUDGET = 700_000_000


@dataclass(frozen=True, eq=False)
class Orbits:
    """The orbits of the automorphism group of a graph.

    Parameters
    ----------
    of_vertex : ndarray of shape (n,)
        The orbit of each vertex. Orbits are numbered 0, 1, 2, ... in order of their first vertex.
    proven : bool
        True: these are the orbits. False: the search reached its limit; vertices of different
        classes are certainly not equivalent, vertices of one class may or may not be.
    """

    of_vertex: IntArray
    proven: bool

    @property
    def n_orbits(self) -> int:
        """Number of orbits."""
        return int(self.of_vertex.max(initial=-1)) + 1

    def classes(self) -> list[IntArray]:
        """Return the vertices of each orbit, in ascending order."""
        by_orbit = np.argsort(self.of_vertex, kind="stable")
        sizes = np.bincount(self.of_vertex, minlength=self.n_orbits)
        return np.split(by_orbit, np.cumsum(sizes)[:-1]) if self.n_orbits else []


def orbits(
    graph: Any,
    *,
    respect_labels: bool = False,
    edges: str = "ignore",
    budget: int = _DEFAULT_BUDGET,
) -> Orbits:
    """Find the automorphism orbits of a graph, exactly.

    An automorphism is a way to rename the vertices that leaves the graph as it is. Two vertices
    are in one orbit if an automorphism maps one to the other: nothing about the graph tells them
    apart. Colour refinement only comes close to this: it can never tell apart the vertices of a
    regular graph, such as a cycle of three and a cycle of four side by side.

    The search starts from the stable colours. In a forest these are the orbits already. Elsewhere
    the graph is taken apart where its colours explain all edges, alike pieces are matched, and in
    pieces that do not come apart a vertex is set aside to see what it can be mapped to. Every map
    is checked edge by edge.

    Parameters
    ----------
    graph : GraphSet with one graph, or networkx graph
        A vertex with a self-loop (in a GraphSet that keeps them) differs from one without.
    respect_labels : bool
        Whether automorphisms must keep the vertex labels. Without labels, this changes nothing.
    edges : str
        What automorphisms must keep of edges, in the words of the kernels: ``"labels"``,
        ``"weights"`` or bins of them, and directions, of which any one means all.
    budget : int
        The search ends after about so many edge visits, some 10 to 20 seconds by default.

    Returns
    -------
    Orbits
        If the budget was not enough, the classes of stable colours, marked as not proven.

    Raises
    ------
    InvalidGraphError
        If there is more than one graph.
    InvalidParameterError
        If the budget is negative.

    Examples
    --------
    >>> import networkx as nx
    >>> cycles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))
    >>> found = orbits(cycles)
    >>> found.of_vertex.tolist(), found.proven
    ([0, 0, 0, 1, 1, 1, 1], True)
    >>> orbits(nx.barbell_graph(10, 10)).n_orbits
    7
    """
    graphs = as_graph_set(graph)
    if len(graphs) != 1:
        raise InvalidGraphError(
            f"Orbits belong to one graph. Got {len(graphs)}: choose one of them."
        )
    check_whole(budget, 0, "budget", "orbits")
    n = graphs.n_vertices
    adjacency = graphs.adjacency
    colours = (adjacency.diagonal() != 0).astype(np.int64)
    if respect_labels and graphs.label_codes is not None:
        colours += 2 * graphs.label_codes.astype(np.int64)
    if edges != "ignore":
        adjacency, colours = _with_edges_as_vertices(graphs, edges, colours)
    whole = ColouredPart.from_graph(*_without_loops(adjacency), colours, WorkBudget(budget))
    n_components = connected_components(adjacency, directed=False, return_labels=False)
    if len(whole.indices) // 2 == len(whole) - n_components:
        return Orbits(agreeing(whole.partition.cell[:n]), proven=True)
    try:
        found = AutomorphismSearch(whole).orbits()
    except SearchAbandonedError:
        return Orbits(agreeing(whole.partition.cell[:n]), proven=False)
    return Orbits(agreeing(found.first_of_all()[:n]), proven=True)


def _with_edges_as_vertices(
    graphs: GraphSet, edges: str, colours: IntArray
) -> tuple[csr_array, IntArray]:
    """Return a plain graph with the same automorphisms, restricted to the first vertices.

    Every edge becomes a vertex between its ends, and every arc two, one behind the other, with
    colours for what is used of edges.
    """
    around = EdgeEncoder(edges).fit(graphs)
    kinds = np.zeros(len(around.indices), np.int64) if around.kinds is None else around.kinds
    n = graphs.n_vertices
    sources = np.repeat(np.arange(n), np.diff(around.indptr))
    targets = around.indices.astype(np.int64)
    has_directions = EdgeUse.of(edges).direction != "merge"
    if not has_directions:
        once = sources <= targets
        sources, targets, kinds = sources[once], targets[once], kinds[once]
    middle = n + np.arange(len(sources))
    after = middle + len(sources) if has_directions else middle
    ends = [(sources, middle), (after, targets)]
    new_colours = [kinds]
    if has_directions:
        ends.append((middle, after))
        new_colours.append(kinds + kinds.max(initial=0) + 1)
    size = n + len(sources) * len(new_colours)
    rows, columns = (np.concatenate(side) for side in zip(*ends, strict=True))
    half = coo_array((np.ones(len(rows), np.int8), (rows, columns)), shape=(size, size))
    first_free = colours.max(initial=0) + 1
    all_colours = np.concatenate([colours, *(first_free + own for own in new_colours)])
    return csr_array(half + half.T), all_colours


def _without_loops(adjacency: csr_array) -> tuple[IntArray, IntArray]:
    rows = np.repeat(np.arange(adjacency.shape[0]), np.diff(adjacency.indptr))
    others = adjacency.indices != rows
    kept_before = np.concatenate([[0], np.cumsum(others)])
    return kept_before[adjacency.indptr], adjacency.indices[others]
