"""Which graphs of a set are isomorphic: equal but for the order of their vertices.

Colour refinement first sorts out graphs that cannot be isomorphic. What remains is verified
exactly: vertices are mapped one by one, in an order in which each has a neighbour that is mapped
already, onto vertices of the same colour with the same edges to what is mapped; where none is
left, the search goes back. The number of steps is bounded, and pairs for which the bound was
reached are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import BoolArray, IntArray
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.neighbourhoods import EdgeEncoder, Neighbourhoods
from mpgk_core.refinement.colour_refinement import refine

_FIRST_ROUNDS, _MORE_ROUNDS = 2, 14
"""Rounds of colour refinement of all graphs, and of those that may have a twin after these. Still
more rounds would help few graphs, and are not needed for exactness."""

MAX_STEPS_PER_PAIR = 1_000_000
"""Edges looked at before the check of a pair gives up."""

MAX_STEPS = 200_000_000
"""Edges looked at in all pairs of a set together: some seconds."""

_DIFFERENT, _ISOMORPHIC, _UNDECIDED = 0, 1, 2


@dataclass(frozen=True, eq=False)
class IsomorphicGraphs:
    """Groups of isomorphic graphs.

    Attributes
    ----------
    of_graph : ndarray of shape (N,)
        The group of every graph; groups are numbered by their first graph.
    possible : ndarray of shape (N,)
        The same, with undecided pairs in one group.
    n_undecided : int
        Pairs for which the check reached its limit.
    """

    of_graph: IntArray
    possible: IntArray
    n_undecided: int

    @property
    def n_copies(self) -> int:
        """How many graphs are isomorphic to an earlier one."""
        return len(self.of_graph) - len(np.unique(self.of_graph))

    @property
    def has_twin(self) -> BoolArray:
        """Whether each graph is isomorphic to another one, as far as is known."""
        has_twin: BoolArray = np.bincount(self.possible)[self.possible] > 1
        return has_twin


class _Rows(NamedTuple):
    """Edges by vertex: the neighbours, and a code for all edges to the same neighbour."""

    indptr: IntArray
    indices: IntArray
    codes: IntArray


def isomorphic_graphs(
    graphs: Any,
    *,
    edges: str = "ignore",
    max_steps_per_pair: int = MAX_STEPS_PER_PAIR,
    max_steps: int = MAX_STEPS,
) -> IsomorphicGraphs:
    """Group isomorphic graphs, exactly and in bounded time.

    Labels and attributes of the vertices have to be equal; attributes to the last digit.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
    edges : str
        What else has to be equal: with ``"labels+both"`` labels and directions of edges. See
        ``EdgeUse``.
    max_steps_per_pair, max_steps : int
        Edges looked at before the check of a pair, or of all others, gives up.

    Returns
    -------
    IsomorphicGraphs

    Examples
    --------
    >>> import networkx as nx
    >>> members = [nx.path_graph(4), nx.star_graph(3), nx.Graph([(3, 1), (1, 0), (0, 2)])]
    >>> isomorphic_graphs(members).of_graph.tolist()
    [0, 1, 0]
    """
    members = as_graph_set(graphs)
    encoder = EdgeEncoder(_with_both_ends(edges))
    colours = _refined(encoder.fit(members), _first_colours(members), _FIRST_ROUNDS)
    groups = _groups(colours, members.offsets)
    some = np.sort(np.concatenate([np.empty(0, dtype=np.int64), *groups]))
    found, possible = np.arange(len(members)), np.arange(len(members))
    n_undecided, left = 0, max_steps
    if len(some):
        part = members[some]
        is_in = np.zeros(len(members), dtype=np.bool_)
        is_in[some] = True
        colours = colours[np.repeat(is_in, np.diff(members.offsets))]
        neighbourhoods = encoder.transform(part)
        colours = _refined(neighbourhoods, colours, _MORE_ROUNDS)
        rows, offsets = _rows(neighbourhoods), part.offsets.astype(np.int64)
        for group in _groups(colours, part.offsets):
            known: list[int] = []
            for graph in group.tolist():
                place = some[graph]
                for other in known:
                    budget = min(max_steps_per_pair, left)
                    status, n_steps = _compared(rows, colours, offsets, other, graph, budget)
                    left -= n_steps
                    if status == _DIFFERENT:
                        continue
                    possible[possible == possible[place]] = possible[some[other]]
                    if status == _ISOMORPHIC:
                        found[place] = some[other]
                        break
                    n_undecided += 1
                else:
                    known.append(graph)
    return IsomorphicGraphs(_numbered(found), _numbered(possible), n_undecided)


def _with_both_ends(edges: str) -> str:
    """Return the same use of edges with each arc known at both of its ends."""
    parts = [part.strip() for part in edges.split("+")]
    return "+".join("both" if part in ("follow", "reverse") else part for part in parts)


def _numbered(representatives: IntArray) -> IntArray:
    """Return the number of every group, in the order of their first graphs."""
    return np.unique(representatives, return_inverse=True)[1].astype(np.int64)


def _first_colours(graphs: GraphSet) -> IntArray:
    """Return a number for every combination of label and attributes."""
    colours = np.zeros(graphs.n_vertices, dtype=np.int64)
    if graphs.label_codes is not None:
        colours = graphs.label_codes.astype(np.int64)
    if graphs.attributes is not None and graphs.n_vertices:
        codes = np.unique(graphs.attributes, axis=0, return_inverse=True)[1].reshape(-1)
        colours = colours * (int(codes.max()) + 1) + codes
    return colours


def _refined(neighbourhoods: Neighbourhoods, colours: IntArray, n_rounds: int) -> IntArray:
    """Return colours that isomorphic vertices share, of all graphs together."""
    values, numbered = np.unique(colours, return_inverse=True)
    types, n_types = numbered.astype(np.int32), len(values)
    for _ in range(n_rounds):
        refined = refine(neighbourhoods, types, types, n_types)
        if refined.n_types == n_types:
            break
        types, n_types = refined.of_vertex, refined.n_types
    return types.astype(np.int64)


def _rows(neighbourhoods: Neighbourhoods) -> _Rows:
    """Return rows in which every neighbour occurs once, with what all edges to it are."""
    n = len(neighbourhoods.indptr) - 1
    targets = neighbourhoods.indices.astype(np.int64)
    if neighbourhoods.kinds is None:
        return _Rows(neighbourhoods.indptr, targets, np.zeros(len(targets), dtype=np.int64))
    sources = np.repeat(np.arange(n), np.diff(neighbourhoods.indptr))
    kinds = neighbourhoods.kinds.astype(np.int64)
    order = np.lexsort((kinds, targets, sources))
    sources, targets, kinds = sources[order], targets[order], kinds[order]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (np.diff(sources) != 0) | (np.diff(targets) != 0)
    firsts = np.flatnonzero(is_first)
    pair = np.cumsum(is_first) - 1
    place = np.arange(len(order)) - firsts[pair] if len(order) else pair
    table = np.full((len(firsts), int(place.max(initial=0)) + 1), -1, dtype=np.int64)
    table[pair, place] = kinds
    codes = np.unique(table, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    counts = np.bincount(sources[firsts], minlength=n)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return _Rows(indptr, targets[firsts], codes)


def _groups(colours: IntArray, offsets: IntArray) -> list[IntArray]:
    """Return graphs with equal multisets of colours, where there are at least two."""
    graph_of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    by_graph = colours[np.lexsort((colours, graph_of))]
    groups: dict[bytes, list[int]] = {}
    for graph, (start, stop) in enumerate(pairwise(offsets.tolist())):
        groups.setdefault(by_graph[start:stop].tobytes(), []).append(graph)
    return [np.array(group) for group in groups.values() if len(group) > 1]


def _compared(
    rows: _Rows, colours: IntArray, offsets: IntArray, first: int, second: int, budget: int
) -> tuple[int, int]:
    """Return whether two graphs are isomorphic, and how many edges were looked at."""
    n = int(offsets[first + 1] - offsets[first])
    if budget <= 0:
        return _UNDECIDED, 0
    order, parents = _search_order(rows.indptr, rows.indices, colours, int(offsets[first]), n)
    status, n_steps = _map_vertices(
        *rows, colours, int(offsets[first]), int(offsets[second]), order, parents, budget
    )
    return int(status), int(n_steps)


@compiled
def _search_order(
    indptr: IntArray, indices: IntArray, colours: IntArray, start: int, n: int
) -> tuple[IntArray, IntArray]:
    """Return vertices in breadth-first order, and for each an earlier neighbour or -1.

    Every component begins with a vertex of one of its rarest colours, where few choices are.
    """
    ranked = np.argsort(colours[start : start + n])
    frequency = np.zeros(n, dtype=np.int64)
    first = 0
    for i in range(1, n + 1):
        if i == n or colours[start + ranked[i]] != colours[start + ranked[first]]:
            for j in range(first, i):
                frequency[ranked[j]] = i - first
            first = i
    starts = np.argsort(frequency)
    order = np.empty(n, dtype=np.int64)
    parents = np.full(n, -1, dtype=np.int64)
    is_seen = np.zeros(n, dtype=np.bool_)
    n_ordered = 0
    for vertex in starts:
        if is_seen[vertex]:
            continue
        is_seen[vertex] = True
        order[n_ordered] = vertex
        head = n_ordered
        n_ordered += 1
        while head < n_ordered:
            v = order[head]
            head += 1
            for e in range(indptr[start + v], indptr[start + v + 1]):
                w = indices[e] - start
                if not is_seen[w]:
                    is_seen[w] = True
                    parents[n_ordered] = v
                    order[n_ordered] = w
                    n_ordered += 1
    return order, parents


@compiled
def _map_vertices(
    indptr: IntArray,
    indices: IntArray,
    codes: IntArray,
    colours: IntArray,
    start: int,
    other: int,
    order: IntArray,
    parents: IntArray,
    budget: int,
) -> tuple[int, int]:
    """Search for an isomorphism by mapping vertex after vertex; see the module."""
    n = len(order)
    image = np.full(n, -1, dtype=np.int64)
    preimage = np.full(n, -1, dtype=np.int64)
    tried = np.zeros(n, dtype=np.int64)
    seen_code = np.full(n, -1, dtype=np.int64)
    place, n_steps = 0, 0
    while place < n:
        v = order[place]
        parent = parents[place]
        from_row = parent >= 0
        low, high = 0, n
        if from_row:
            low, high = indptr[other + image[parent]], indptr[other + image[parent] + 1]
        is_mapped = False
        while tried[place] < high - low:
            position = low + tried[place]
            tried[place] += 1
            n_steps += 1
            x = indices[position] - other if from_row else position
            if preimage[x] >= 0 or colours[other + x] != colours[start + v]:
                continue
            n_mapped = 0
            for e in range(indptr[other + x], indptr[other + x + 1]):
                y = indices[e] - other
                seen_code[y] = codes[e]
                if preimage[y] >= 0 or y == x:
                    n_mapped += 1
            fits = True
            for e in range(indptr[start + v], indptr[start + v + 1]):
                w = indices[e] - start
                target = x if w == v else image[w]
                if target >= 0:
                    n_mapped -= 1
                    if seen_code[target] != codes[e]:
                        fits = False
                        break
            for e in range(indptr[other + x], indptr[other + x + 1]):
                seen_code[indices[e] - other] = -1
                n_steps += 1
            if fits and n_mapped == 0:
                image[v] = x
                preimage[x] = v
                is_mapped = True
                break
            if n_steps > budget:
                return _UNDECIDED, n_steps
        if is_mapped:
            place += 1
            if place < n:
                tried[place] = 0
            continue
        if place == 0:
            return _DIFFERENT, n_steps
        if n_steps > budget:
            return _UNDECIDED, n_steps
        place -= 1
        back = order[place]
        preimage[image[back]] = -1
        image[back] = -1
    return _ISOMORPHIC, n_steps
