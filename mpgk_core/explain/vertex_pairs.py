"""Why two vertices are similar: their previous similarity, their neighbours, down to k⁰."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.explain.contributions import Contributions, all_pairs, as_cosine, matched_pairs
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.kernels.matrices import as_dense
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.parameters import check_whole


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
    def neighbourhood(self) -> str:
        """How neighbourhoods are compared: R or A."""
        return str(self.kernel.fitted_parameters_["neighbourhood"])

    @property
    def alpha(self) -> float:
        """The weight of the previous similarity."""
        return float(self.kernel.fitted_parameters_["alpha"])

    @property
    def beta(self) -> float:
        """The weight of their neighbours."""
        return float(self.kernel.fitted_parameters_["beta"])

    @property
    def is_normalised(self) -> bool:
        """Whether the kernel divides by the lengths."""
        return bool(self.kernel.fitted_parameters_["normalize"])

    @cached_property
    def _square(self) -> NDArray[np.float64]:
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
        return self.value if self.own is None else self.alpha * self.own.value

    @property
    def neighbour_part(self) -> float:
        """β k_N; 0 at t = 0."""
        return self.beta * self.contributions.total

    @cached_property
    def contributions(self) -> Contributions:
        """The pairs of neighbours that k_N sums up; none at t = 0."""
        if self.t == 0:
            nobody = np.zeros(0, dtype=np.int64)
            return all_pairs(nobody, nobody, np.zeros((0, 0)))
        left, right = self._neighbours(self.left), self._neighbours(self.right)
        if self.neighbourhood == "R":
            return all_pairs(left, right, self.kernel.kernel_between(left, right, self.t - 1))
        hierarchy, leaves = self.kernel.hierarchy_at(self.t - 1), self.kernel.leaves_at(self.t - 1)
        assert hierarchy is not None
        assert leaves is not None
        return matched_pairs(left, right, hierarchy, leaves)

    @property
    def unmatched(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Neighbours of v and neighbours of u that take part in no pair."""
        return self.contributions.others(self._neighbours(self.left), self._neighbours(self.right))

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

    def _neighbours(self, vertex: int) -> NDArray[np.int64]:
        adjacency = self.graphs.adjacency
        around: NDArray[np.int64] = adjacency.indices[slice(*adjacency.indptr[vertex : vertex + 2])]
        return around.astype(np.int64)

    def _before(self, left: int, right: int) -> VertexPair:
        return VertexPair(self.kernel, self.graphs, left, right, self.t - 1)


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
        n_messages = np.asarray(types.messages.sum(axis=1)).ravel()[types.of_vertex]
        is_same = bool((n_messages == np.diff(graphs.adjacency.indptr)).all())
    if not is_same:
        raise InvalidGraphError(
            f"These graphs, with {graphs.n_vertices:,} vertices, are not those that the kernel was "
            f"fitted to, with {kernel.n_vertices_in_:,}. Give the same graphs in the same order."
        )
