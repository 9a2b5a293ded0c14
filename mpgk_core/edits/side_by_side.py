"""Two versions of a graph as one set, in which colours and kernels mean the same for both.

Equal colours are equal in both versions, and an assignment kernel compares the neighbourhoods of
both in one hierarchy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from mpgk_core.edits.lookup import matched_vertices
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.recovery.kernel_points import KernelPoints, kernel_points
from mpgk_core.refinement.colour_refinement import colour_refinement, refinement_rounds


@dataclass(frozen=True, eq=False)
class SideBySide:
    """A graph before and after a change.

    Attributes
    ----------
    graphs : GraphSet
        The two versions.
    before, after : ndarray of shape (m,)
        Numbers in ``graphs`` of the vertices that both versions have, before and after.

    Examples
    --------
    >>> import networkx as nx
    >>> both = SideBySide.of(*map(GraphSet.from_networkx, (nx.cycle_graph(6), nx.path_graph(6))))
    >>> colours = both.colours(2)
    >>> (colours[:, both.before] != colours[:, both.after]).mean(axis=1).round(2).tolist()
    [0.0, 0.33, 0.67]
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=2)
    >>> both.distances(kernel, "R", [2]).round(2).tolist()
    [[0.11, 0.13, 0.06, 0.06, 0.13, 0.11]]
    """

    graphs: GraphSet
    before: NDArray[np.int64]
    after: NDArray[np.int64]

    @classmethod
    def of(cls, before: GraphSet, after: GraphSet) -> SideBySide:
        """Stack two versions of a graph; vertices with equal names are the same.

        Parameters
        ----------
        before, after : GraphSet
            With one graph each.

        Returns
        -------
        SideBySide

        Raises
        ------
        InvalidGraphError
            If no vertex is in both.
        """
        in_before, in_after = matched_vertices(before, after)
        if not len(in_before):
            raise InvalidGraphError(
                "The two graphs have no vertex in common. Compare two versions of one graph."
            )
        graphs = GraphSet.concatenate([before, after])
        return cls(graphs, in_before, in_after + before.n_vertices)

    def colours(self, n_iterations: int, respect_labels: bool = False) -> NDArray[np.int32]:
        """Refine the colours of both versions together.

        Parameters
        ----------
        n_iterations : int
            Number of rounds T.
        respect_labels : bool
            Start from the vertex labels instead of a single colour.

        Returns
        -------
        ndarray of shape (T + 1, n)
            The colour of every vertex in ``graphs`` in every round.
        """
        start = colour_refinement(self.graphs, 0, respect_labels=respect_labels)
        n_colours = int(start.max(initial=-1)) + 1
        rounds = islice(refinement_rounds(self.graphs, start, n_colours), n_iterations)
        return np.array([start, *(types.of_vertex for types in rounds)])

    def distances(
        self, kernel: MessagePassingNodeKernel, neighbourhood: str, rounds: Iterable[int]
    ) -> NDArray[np.float64]:
        """Measure how far every vertex moved, as a unit vector of the kernel's feature space.

        Parameters
        ----------
        kernel : MessagePassingNodeKernel
            Its parameters count; fitted or not, it stays as it is.
        neighbourhood : {"R", "A"}
            In place of the kernel's own.
        rounds : iterable of int
            From 0 to the kernel's ``n_iterations``.

        Returns
        -------
        ndarray of shape (number of rounds, m)
            √(2 - 2 cos): 0 for a vertex that stays, √2 for one that has nothing in common with
            what it was. Only features that can be negative lead further, up to 2.
        """
        own = {"neighbourhood": neighbourhood, "normalize": True}
        fitted = kernel.unfitted(**own).fit(self.graphs)
        points = (kernel_points(self.graphs, fitted, t) for t in rounds)
        return np.array([self._gaps(of_round) for of_round in points])

    def _gaps(self, points: KernelPoints) -> NDArray[np.float64]:
        start, end = points.of_vertex[self.before], points.of_vertex[self.after]
        ways = points.rows[start] - points.rows[end]
        gaps: NDArray[np.float64] = np.sqrt(ways.multiply(ways).sum(axis=1))
        is_nothing = np.diff(points.rows.indptr) == 0
        gaps[is_nothing[start] != is_nothing[end]] = np.sqrt(2.0)
        return gaps


def similarity_from_distance(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the cosine of two unit vectors with this distance.

    Parameters
    ----------
    distance : ndarray

    Returns
    -------
    ndarray of the same shape

    Examples
    --------
    >>> similarity_from_distance(np.array([0.0, 1.0]))
    array([1. , 0.5])
    """
    return 1.0 - distance**2 / 2.0
