"""Before and after: which vertices changed their colour, and how far each one moved.

Colour refinement gives a vertex the same colour as before or another one. A message passing
kernel measures how similar the vertex is to what it was. Both versions form one set of graphs, so
that equal colours are equal in both, and an assignment kernel compares the neighbourhoods of both
in one hierarchy.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from mpgk_core.arrays import BoolArray, FloatArray, Int32Array, IntArray
from mpgk_core.automorphism import Orbits, orbits
from mpgk_core.checks import check_iterations
from mpgk_core.edits.names import matched_vertices
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.neighbourhoods import edges_for
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.recovery.points import KernelPoints, kernel_points
from mpgk_core.refinement.colour_refinement import agreeing, colour_refinement, refinement_rounds


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
    before: IntArray
    after: IntArray

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

    def colours(self, n_iterations: int, respect_labels: bool = False) -> Int32Array:
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
    ) -> FloatArray:
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
        edges = edges_for(kernel.edges, can_multiply=neighbourhood == "R")
        own = {"neighbourhood": neighbourhood, "normalize": True, "edges": edges}
        fitted = kernel.unfitted(**own).fit(self.graphs)
        points = (kernel_points(self.graphs, fitted, t) for t in rounds)
        return np.array([self._gaps(of_round) for of_round in points])

    def _gaps(self, points: KernelPoints) -> FloatArray:
        start, end = points.of_vertex[self.before], points.of_vertex[self.after]
        moves = points.rows[start] - points.rows[end]
        gaps: FloatArray = np.sqrt(moves.multiply(moves).sum(axis=1))
        is_nothing = np.diff(points.rows.indptr) == 0
        gaps[is_nothing[start] != is_nothing[end]] = np.sqrt(2.0)
        return gaps


def similarity_from_distance(distance: FloatArray) -> FloatArray:
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


NEIGHBOURHOODS = ("R", "A")
"""The two ways to compare neighbourhoods."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a change did to the vertices of a graph.

    Attributes
    ----------
    before, after : GraphSet
        With one graph each.
    in_before, in_after : ndarray of shape (m,)
        Numbers of the vertices that both have, in the order of the graph before.
    orbits_before, orbits_after : Orbits
    colours_before : ndarray of shape (T + 1, number of vertices before)
        Colours of colour refinement in rounds 0..T.
    colours_after : ndarray of shape (T + 1, number of vertices after)
        The same colour is the same number before and after.
    movement : mapping of str to ndarray of shape (T + 1, m)
        For "R" and "A", how far each common vertex moved as a unit vector of feature space: 0
        for one that stays, √2 for one that has nothing in common with what it was.
    """

    before: GraphSet
    after: GraphSet
    in_before: IntArray
    in_after: IntArray
    orbits_before: Orbits
    orbits_after: Orbits
    colours_before: Int32Array
    colours_after: Int32Array
    movement: Mapping[str, FloatArray]

    @property
    def n_rounds(self) -> int:
        """Number of rounds T."""
        return len(self.colours_before) - 1

    @property
    def names(self) -> list[Hashable]:
        """Names of the common vertices."""
        names = self.before.names
        return [names[v] for v in self.in_before.tolist()]

    @property
    def is_recoloured(self) -> BoolArray:
        """(T + 1, m) whether each common vertex has another colour than before."""
        changed: BoolArray = (
            self.colours_before[:, self.in_before] != self.colours_after[:, self.in_after]
        )
        return changed

    @property
    def share_recoloured(self) -> FloatArray:
        """(T + 1,) share of the common vertices that have another colour than before."""
        share: FloatArray = self.is_recoloured.mean(axis=1)
        return share

    @property
    def share_of_orbit_pairs_kept(self) -> float:
        """Share of the pairs that were in one orbit before and still are; 1 if there were none."""
        old = self.orbits_before.of_vertex[self.in_before]
        new = self.orbits_after.of_vertex[self.in_after]
        n_before = _pairs(old)
        return _pairs(agreeing(old, new)) / n_before if n_before else 1.0

    def similarity(self, neighbourhood: str) -> FloatArray:
        """Return the cosine of every common vertex with what it was, in every round.

        Parameters
        ----------
        neighbourhood : {"R", "A"}

        Returns
        -------
        ndarray of shape (T + 1, m)
        """
        return similarity_from_distance(self.movement[neighbourhood])


def compare(
    before: GraphSet,
    after: GraphSet,
    kernel: MessagePassingNodeKernel | None = None,
    *,
    respect_labels: bool = False,
    orbits_before: Orbits | None = None,
    orbits_after: Orbits | None = None,
) -> Comparison:
    """Compare two versions of a graph, vertex by vertex; equal names are the same vertex.

    Parameters
    ----------
    before, after : GraphSet
        With one graph each.
    kernel : MessagePassingNodeKernel, optional
        Its parameters count, except for the neighbourhood: both are measured.
    respect_labels : bool
        Whether orbits and colours start from the vertex labels.
    orbits_before, orbits_after : Orbits, optional
        Where they are known already.

    Returns
    -------
    Comparison

    Raises
    ------
    InvalidGraphError
        If the two graphs have no vertex in common.

    Examples
    --------
    One edge of a ring is removed. After three rounds no vertex has the colour it had, but each is
    nearly what it was:

    >>> import networkx as nx
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(6), nx.path_graph(6)))
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=3)
    >>> found = compare(ring, path, kernel)
    >>> found.share_recoloured.round(2).tolist()
    [0.0, 0.33, 0.67, 1.0]
    >>> found.similarity("R").mean(axis=1).round(3).tolist()
    [1.0, 0.997, 0.994, 0.993]
    >>> found.orbits_before.n_orbits, found.orbits_after.n_orbits
    (1, 3)
    """
    kernel = MessagePassingNodeKernel() if kernel is None else kernel
    T = kernel.n_iterations
    check_iterations(T, type(kernel).__name__)
    both = SideBySide.of(before, after)
    colours = both.colours(T, respect_labels)
    n = before.n_vertices
    if orbits_before is None:
        orbits_before = orbits(before, respect_labels=respect_labels)
    if orbits_after is None:
        orbits_after = orbits(after, respect_labels=respect_labels)
    return Comparison(
        before=before,
        after=after,
        in_before=both.before,
        in_after=both.after - n,
        orbits_before=orbits_before,
        orbits_after=orbits_after,
        colours_before=colours[:, :n],
        colours_after=colours[:, n:],
        movement={kind: both.distances(kernel, kind, range(T + 1)) for kind in NEIGHBOURHOODS},
    )


def _pairs(classes: IntArray) -> int:
    counts = np.bincount(classes)
    return int((counts * (counts - 1) // 2).sum())
