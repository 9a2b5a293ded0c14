"""Why two vertices are similar: their previous similarity, their neighbours, down to k⁰."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from mpgk_core.arrays import FloatArray, Int32Array, IntArray, as_dense, cosine_normalised
from mpgk_core.checks import check_whole
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.explain.hierarchies import match_along
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.neighbourhoods import Neighbourhoods
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.kernels.update import KernelParameters


class Busiest(NamedTuple):
    """The vertex that takes part in more of a value than any other."""

    vertex: int
    share: float
    """of the sum of the absolute contributions"""
    even_share: float
    """what every vertex of its side would have if all took part alike"""

    @property
    def excess(self) -> float:
        """How many times an even share it has."""
        return self.share / self.even_share


@dataclass(frozen=True, eq=False)
class Contributions:
    """Pairs of vertices whose values sum up to the kernel between two sets.

    Attributes
    ----------
    left, right : ndarray of shape (m,)
        Numbers of the vertices of each pair.
    values : ndarray of shape (m,)
        What each pair adds: k^t under R, the strong kernel k_s under A.
    total : float
        Their sum.
    nodes : ndarray of shape (m,) or None
        Under A, the tree node at which the two meet.
    edges : list of str or None
        Where kernels use labels, bins of weights or directions of edges: those over which the
        two were reached.
    """

    left: IntArray
    right: IntArray
    values: FloatArray
    total: float
    nodes: Int32Array | None = None
    edges: list[str] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def largest(self, n: int) -> IntArray:
        """Return the rows of the n contributions of greatest size, the greatest first."""
        return np.argsort(-np.abs(self.values), kind="stable")[:n]

    def busiest(self) -> Busiest | None:
        """Return the vertex that takes part in most of the value; None where all is 0.

        Examples
        --------
        >>> pairs = all_pairs(np.array([0, 1]), np.array([2, 3]), np.array([[3.0, 3.0], [1, 1]]))
        >>> pairs.busiest()
        Busiest(vertex=0, share=0.75, even_share=0.5)
        """
        sizes = np.abs(self.values)
        if not sizes.sum() > 0:
            return None
        found = []
        for side in (self.left, self.right):
            vertices, index = np.unique(side, return_inverse=True)
            shares = np.bincount(index, sizes) / sizes.sum()
            most = int(shares.argmax())
            found.append(Busiest(int(vertices[most]), float(shares[most]), 1 / len(vertices)))
        return max(found, key=lambda one: one.excess)

    def others(self, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
        """Return those members of two sets that take part in no pair.

        Parameters
        ----------
        left, right : ndarray of int
            The two sets; a vertex may belong to both, and lack a partner in one of them.

        Returns
        -------
        tuple of two ndarrays of int
        """
        return np.setdiff1d(left, self.left), np.setdiff1d(right, self.right)

    def rows(self, names: Sequence[Hashable]) -> list[dict[str, Any]]:
        """Return a plain table.

        Parameters
        ----------
        names : sequence of hashable
            Of all vertices.

        Returns
        -------
        list of dict
            With the names of both vertices, the value, under A the tree node, and the kind of
            edges where it counts.
        """
        columns: dict[str, list[Any]] = {
            "left": [names[v] for v in self.left.tolist()],
            "right": [names[u] for u in self.right.tolist()],
            "value": self.values.tolist(),
        }
        if self.nodes is not None:
            columns["tree node"] = self.nodes.tolist()
        if self.edges is not None:
            columns["edges"] = self.edges
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def all_pairs(left: IntArray, right: IntArray, kernel: FloatArray) -> Contributions:
    """Return the contributions of all pairs (R), row by row.

    Parameters
    ----------
    left : ndarray of shape (a,)
    right : ndarray of shape (b,)
    kernel : ndarray of shape (a, b)

    Returns
    -------
    Contributions
    """
    return Contributions(
        np.repeat(left, len(right)), np.tile(right, len(left)), kernel.ravel(), float(kernel.sum())
    )


def matched_pairs(
    left: IntArray, right: IntArray, hierarchy: Hierarchy, leaves: Int32Array
) -> Contributions:
    """Return the contributions of an optimal matching (A).

    Parameters
    ----------
    left, right : ndarray of int
        The vertices to match.
    hierarchy : Hierarchy
    leaves : ndarray of shape (n,)
        The leaf of every vertex.

    Returns
    -------
    Contributions
    """
    found = match_along(hierarchy, leaves[left], leaves[right])
    return Contributions(
        left[found.left], right[found.right], found.similarities, found.value, found.nodes
    )


def as_cosine(value: float, own_values: tuple[float, float]) -> float:
    """Return k(x, y) / √(k(x, x) k(y, y)), or 0 where a length is 0.

    Parameters
    ----------
    value : float
        k(x, y).
    own_values : tuple of two floats
        k(x, x) and k(y, y).

    Returns
    -------
    float
    """
    first, second = own_values
    return float(
        cosine_normalised(np.array([[value]]), np.array([first]), np.array([second]))[0, 0]
    )


class _Neighbours(NamedTuple):
    """The neighbours of one vertex."""

    vertices: IntArray
    channels: IntArray
    weights: FloatArray

    def over(self, channel: int) -> _Neighbours:
        """Return those that are reached over one channel."""
        chosen = self.channels == channel
        return _Neighbours(self.vertices[chosen], self.channels[chosen], self.weights[chosen])


@dataclass(frozen=True, eq=False)
class VertexPair:
    """k^t(v, u) = α k^(t-1)(v, u) + β k_N, each part computed when it is looked at.

    The pair is the root of a tree: ``own`` is the same pair one round before, and ``into`` leads
    to a pair of neighbours one round before. All ways end at t = 0. Under R the value is the sum
    over the whole tree. Under A the neighbours add their strong kernel k_s, read off the
    hierarchy that was grown from k^(t-1).

    Attributes
    ----------
    kernel : MessagePassingNodeKernel
        Fitted.
    graphs : GraphSet
        What it was fitted to.
    left, right : int
        The vertices v and u.
    t : int
        Round.
    """

    kernel: MessagePassingNodeKernel
    graphs: GraphSet
    left: int
    right: int
    t: int

    @property
    def names(self) -> tuple[Hashable, Hashable]:
        """The names of both vertices."""
        names = self.graphs.names
        return names[self.left], names[self.right]

    @property
    def parameters(self) -> KernelParameters:
        """The parameters with which the kernel was fitted."""
        return KernelParameters(**self.kernel.fitted_parameters_)

    @property
    def is_normalised(self) -> bool:
        """Whether the kernel divides by the lengths."""
        return self.parameters.normalize

    @cached_property
    def _square(self) -> FloatArray:
        both = [self.left, self.right]
        return self.kernel.kernel_between(both, both, self.t)

    @property
    def value(self) -> float:
        """k^t(v, u) before normalisation."""
        return float(self._square[0, 1])

    @property
    def own_values(self) -> tuple[float, float]:
        """k^t(v, v) and k^t(u, u)."""
        return float(self._square[0, 0]), float(self._square[1, 1])

    @property
    def similarity(self) -> float:
        """What the kernel says: k^t(v, u), or k^t(v, u) / √(k^t(v, v) k^t(u, u))."""
        return as_cosine(self.value, self.own_values) if self.is_normalised else self.value

    @cached_property
    def own(self) -> VertexPair | None:
        """The same vertices one round before; None at t = 0."""
        return self._before(self.left, self.right) if self.t else None

    @property
    def own_part(self) -> float:
        """α k^(t-1)(v, u); at t = 0 the whole value, for there is nothing else."""
        return self.value if self.own is None else self.parameters.alpha * self.own.value

    @property
    def neighbour_part(self) -> float:
        """β k_N; 0 at t = 0."""
        return self.parameters.beta * self.contributions.total

    @cached_property
    def contributions(self) -> Contributions:
        """The pairs of neighbours that k_N sums up; none at t = 0."""
        if self.t == 0:
            nobody = np.zeros(0, dtype=np.int64)
            return all_pairs(nobody, nobody, np.zeros((0, 0)))
        left, right = self._neighbours(self.left), self._neighbours(self.right)
        channels = np.intersect1d(left.channels, right.channels).tolist()
        parts = [self._over(left.over(channel), right.over(channel)) for channel in channels]
        if not parts:
            return all_pairs(left.vertices[:0], right.vertices[:0], np.zeros((0, 0)))
        if not self.kernel.uses_channels_:
            return parts[0]
        names = self.kernel.channel_names_
        nodes = [part.nodes for part in parts if part.nodes is not None]
        return Contributions(
            np.concatenate([part.left for part in parts]),
            np.concatenate([part.right for part in parts]),
            np.concatenate([part.values for part in parts]),
            sum(part.total for part in parts),
            np.concatenate(nodes) if nodes else None,
            [names[channel] for channel, p in zip(channels, parts, strict=True) for _ in p.values],
        )

    def _over(self, left: _Neighbours, right: _Neighbours) -> Contributions:
        """Compare neighbours that are reached over one channel."""
        if self.parameters.neighbourhood == "R":
            kernel = self.kernel.kernel_between(left.vertices, right.vertices, self.t - 1)
            weighted = np.multiply.outer(left.weights, right.weights) * kernel
            return all_pairs(left.vertices, right.vertices, weighted)
        before = self.kernel.rounds_[self.t - 1]
        return matched_pairs(left.vertices, right.vertices, before.hierarchy, before.leaf_of_vertex)

    @property
    def unmatched(self) -> tuple[IntArray, IntArray]:
        """Neighbours of v and neighbours of u that take part in no pair."""
        left, right = self._neighbours(self.left), self._neighbours(self.right)
        return self.contributions.others(left.vertices, right.vertices)

    def into(self, row: int) -> VertexPair:
        """Return the pair of neighbours in a row of ``contributions``, one round before.

        Parameters
        ----------
        row : int

        Returns
        -------
        VertexPair
        """
        if not len(self.contributions):
            raise InvalidParameterError(
                f"At t = {self.t} no pair of neighbours contributes to these vertices. Step into "
                "their previous similarity, or choose a pair with neighbours."
            )
        check_whole(row, 0, "row", "VertexPair.into", maximum=len(self.contributions) - 1)
        pairs = self.contributions
        return self._before(int(pairs.left[row]), int(pairs.right[row]))

    def start_terms(self) -> list[tuple[str, float, float]]:
        """Return what k⁰(v, u) = ⟨x_v, x_u⟩ multiplies: the features that neither lacks.

        Returns
        -------
        list of tuple
            A name, not escaped, the entry of x_v and the entry of x_u.
        """
        table = as_dense(self.kernel.initial_features_[[self.left, self.right]])
        names = self.kernel.feature_names_
        return [
            (names[i], float(table[0, i]), float(table[1, i]))
            for i in np.flatnonzero(table.all(axis=0)).tolist()
        ]

    @cached_property
    def _around(self) -> Neighbourhoods:
        return self.kernel.neighbourhoods(self.graphs)

    def _neighbours(self, vertex: int) -> _Neighbours:
        around = self._around
        own = slice(*around.indptr[vertex : vertex + 2].tolist())
        vertices = around.indices[own].astype(np.int64)
        if around.kinds is None:
            return _Neighbours(vertices, np.zeros(len(vertices), np.int64), np.ones(len(vertices)))
        kinds = around.kinds[own]
        weights = around.weight_of_kind
        return _Neighbours(
            vertices,
            around.channel_of_kind[kinds].astype(np.int64),
            np.ones(len(vertices)) if weights is None else weights[kinds],
        )

    def _before(self, left: int, right: int) -> VertexPair:
        return VertexPair(self.kernel, self.graphs, left, right, self.t - 1)


def instructive_pair(graph: GraphSet, first: int | None = None) -> tuple[int, int]:
    """Return two vertices whose neighbourhoods are small enough to be looked through.

    Parameters
    ----------
    graph : GraphSet
        With one graph that has vertices.
    first : int, optional
        One of them, if it is given already.

    Returns
    -------
    tuple of int
        Vertices with about two neighbours, not joined and not the same where that is possible.

    Examples
    --------
    >>> import networkx as nx
    >>> instructive_pair(GraphSet.from_networkx(nx.barbell_graph(10, 10)))
    (10, 12)
    """
    degrees = np.diff(graph.adjacency.indptr)
    beyond, is_joined_to_all = np.abs(degrees - 2), degrees == graph.n_vertices - 1
    start = int(np.lexsort([beyond, is_joined_to_all])[0]) if first is None else first
    is_near = np.zeros(graph.n_vertices, dtype=np.bool_)
    is_near[graph.adjacency[[start]].indices] = True
    order = np.lexsort([beyond, is_near, np.arange(graph.n_vertices) == start])
    return start, int(order[0])


def explain_vertices(
    kernel: MessagePassingNodeKernel, graphs: Any, left: int, right: int, t: int | None = None
) -> VertexPair:
    """Take the similarity of two vertices apart.

    Parameters
    ----------
    kernel : MessagePassingNodeKernel
        Fitted.
    graphs : GraphSet, networkx graph, or list of these
        What it was fitted to.
    left, right : int
        Numbers of the vertices, all graphs stacked.
    t : int, optional
        Round; by default the last.

    Returns
    -------
    VertexPair

    Examples
    --------
    The two ends of a path of five share 0.8 of what they shared before, and 0.2 of what their
    only neighbours share:

    >>> import networkx as nx
    >>> path = nx.path_graph(5)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(path)
    >>> pair = explain_vertices(kernel, path, 0, 4)
    >>> round(pair.value, 2), round(pair.own_part, 2), round(pair.neighbour_part, 2)
    (2.28, 1.28, 1.0)
    >>> pair.contributions.rows(range(5))
    [{'left': 1, 'right': 3, 'value': 5.0}]
    >>> pair.into(0).own.start_terms()
    [('degree', 2.0, 2.0)]
    """
    prepared = as_graph_set(graphs)
    t = kernel.checked_round(t)
    _check_same_graphs(kernel, prepared)
    last = prepared.n_vertices - 1
    check_whole(left, 0, "left", "explain_vertices", maximum=last)
    check_whole(right, 0, "right", "explain_vertices", maximum=last)
    return VertexPair(kernel, prepared, int(left), int(right), t)


def _check_same_graphs(kernel: MessagePassingNodeKernel, graphs: GraphSet) -> None:
    is_same = graphs.n_vertices == kernel.n_vertices_in_
    if is_same and len(kernel.rounds_) > 1:
        types = kernel.rounds_[1].types
        received = np.asarray(types.messages.sum(axis=1)).ravel()[types.of_vertex]
        is_same = np.allclose(received, kernel.neighbourhoods(graphs).strengths())
    if not is_same:
        raise InvalidGraphError(
            f"These graphs, with {graphs.n_vertices:,} vertices, are not those that the kernel was "
            f"fitted to, with {kernel.n_vertices_in_:,}. Give the same graphs in the same order."
        )


@dataclass(frozen=True, eq=False)
class History:
    """The two parts of k^t(v, u) in all rounds up to t.

    Attributes
    ----------
    pair : VertexPair
    own : ndarray of shape (t + 1,)
        α k^(s-1)(v, u) in round s; k⁰(v, u) in round 0.
    neighbours : ndarray of shape (t + 1,)
        β k_N in round s; 0 in round 0.
    """

    pair: VertexPair
    own: FloatArray
    neighbours: FloatArray

    @property
    def total(self) -> FloatArray:
        """(t + 1,) both parts together: k^s(v, u)."""
        return self.own + self.neighbours

    @property
    def neighbour_share(self) -> FloatArray:
        """(t + 1,) the share of the neighbours in the sizes of both parts; 0 where both are 0."""
        sizes = np.abs(self.own) + np.abs(self.neighbours)
        share = np.zeros(len(sizes))
        np.divide(np.abs(self.neighbours), sizes, out=share, where=sizes > 0)
        return share


def pair_history(pair: VertexPair) -> History:
    """Return the two parts of a similarity for every round.

    Parameters
    ----------
    pair : VertexPair

    Returns
    -------
    History

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> from mpgk_core.explain import explain_vertices
    >>> path = nx.path_graph(5)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(path)
    >>> found = pair_history(explain_vertices(kernel, path, 0, 4))
    >>> found.own.round(2).tolist(), found.neighbours.round(2).tolist()
    ([1.0, 0.8, 1.28], [0.0, 0.8, 1.0])
    """
    rounds = [replace(pair, t=s) for s in range(pair.t + 1)]
    return History(
        pair,
        np.array([one.own_part for one in rounds]),
        np.array([one.neighbour_part for one in rounds]),
    )
