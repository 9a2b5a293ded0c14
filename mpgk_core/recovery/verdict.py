"""The verdict on a node kernel: which orbits it recovers, which it confuses, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import IntArray
from mpgk_core.automorphism import Orbits
from mpgk_core.automorphism import orbits as find_orbits
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs.graph_set import GraphSet, as_graph_set
from mpgk_core.recovery.diagnosis import Confusion, find_confusions
from mpgk_core.recovery.points import (
    KernelPoints,
    kernel_points,
    largest_distance,
    points_of_rounds,
    smallest_distance,
)

if TYPE_CHECKING:
    from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel


@dataclass(frozen=True, eq=False)
class OrbitMatch:
    """Which orbits lie on which points.

    Attributes
    ----------
    orbits, points : ndarray of shape (q,)
        All pairs of an orbit and a point that share a vertex.
    n_points_of_orbit : ndarray of shape (n_orbits,)
        On how many points the vertices of each orbit lie.
    n_orbits_of_point : ndarray of shape (n_points,)
        Of how many orbits each point holds vertices.
    """

    orbits: IntArray
    points: IntArray
    n_points_of_orbit: IntArray
    n_orbits_of_point: IntArray

    @property
    def n_recovered(self) -> int:
        """Number of orbits that are one point of their own."""
        is_whole = self.n_points_of_orbit[self.orbits] == 1
        return int(np.count_nonzero(is_whole & (self.n_orbits_of_point[self.points] == 1)))

    @property
    def are_mixed(self) -> bool:
        """Whether a point holds several orbits."""
        return bool(np.any(self.n_orbits_of_point > 1))

    @property
    def split_orbits(self) -> IntArray:
        """The orbits that lie on several points."""
        return np.flatnonzero(self.n_points_of_orbit > 1)

    def smallest_gap(self, rows: csr_array) -> float | None:
        """Return the smallest distance between two vertices of different orbits.

        Parameters
        ----------
        rows : csr_array of shape (n_points, D)
            Where the points lie.

        Returns
        -------
        float or None
            0 where a point holds several orbits; None where there is but one orbit.
        """
        if self.are_mixed:
            return 0.0
        orbit_of_point = np.empty_like(self.n_orbits_of_point)
        orbit_of_point[self.points] = self.orbits
        return smallest_distance(rows, orbit_of_point)

    def largest_spread(self, rows: csr_array) -> float:
        """Return the largest distance between two vertices of one orbit.

        Parameters
        ----------
        rows : csr_array of shape (n_points, D)
            Where the points lie.

        Returns
        -------
        float
        """
        members = (self.points[self.orbits == orbit] for orbit in self.split_orbits)
        return max((largest_distance(rows[points]) for points in members), default=0.0)


def match_orbits(orbit_of_vertex: IntArray, point_of_vertex: IntArray) -> OrbitMatch:
    """Compare two ways to put vertices together.

    Parameters
    ----------
    orbit_of_vertex, point_of_vertex : ndarray of shape (n,)
        Numbered from 0, without gaps.

    Returns
    -------
    OrbitMatch

    Examples
    --------
    >>> found = match_orbits(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1]))
    >>> found.n_recovered, found.n_orbits_of_point.tolist()
    (1, [1, 2])
    """
    n_points = int(point_of_vertex.max(initial=0)) + 1
    orbits, points = np.divmod(np.unique(orbit_of_vertex * n_points + point_of_vertex), n_points)
    return OrbitMatch(orbits, points, np.bincount(orbits), np.bincount(points))


@dataclass(frozen=True)
class SplitOrbit:
    """An orbit whose vertices lie on several points.

    Attributes
    ----------
    orbit : int
        The number of the orbit.
    n_points : int
        On how many points its vertices lie.
    is_proven : bool
        Whether it is certain that this is an orbit.
    """

    orbit: int
    n_points: int
    is_proven: bool

    @property
    def explanation(self) -> str:
        """One sentence for a student."""
        if self.is_proven:
            return "The features tell apart vertices that the structure of the graph does not."
        return (
            "Colour refinement of the bare graph does not tell these vertices apart, but the "
            "kernel does; whether they are one orbit is not known."
        )


@dataclass(frozen=True)
class Recovery:
    """How well the points of a node kernel separate the orbits of a graph, in numbers.

    Attributes
    ----------
    n_orbits : int
        Number of orbits.
    n_points : int
        Number of distinct points.
    n_recovered : int
        Number of orbits that are one point of their own.
    smallest_gap : float or None
        The smallest distance in feature space between two vertices of different orbits: 0 where
        some of them share a point, None where there is but one orbit.
    largest_spread : float
        The largest distance in feature space between two vertices of one orbit.
    """

    n_orbits: int
    n_points: int
    n_recovered: int
    smallest_gap: float | None
    largest_spread: float

    @property
    def is_complete(self) -> bool:
        """Whether every orbit is one point and every point one orbit."""
        return self.n_recovered == self.n_orbits

    @property
    def summary(self) -> str:
        """One line, such as "7 of 7 classes recovered"."""
        return f"{self.n_recovered} of {self.n_orbits} classes recovered"


@dataclass(frozen=True, eq=False)
class Verdict(Recovery):
    """How the points of a node kernel and the orbits of a graph fit together, and why.

    Attributes
    ----------
    orbits_proven : bool
        False where the orbit search reached its limit: the classes are then those of colour
        refinement, of which some may hold several orbits.
    orbit_of_vertex, point_of_vertex : ndarray of shape (n,)
        Numbered in order of the first vertex.
    confusions : tuple of Confusion
        Which orbits share a point, and why.
    split_orbits : tuple of SplitOrbit
        Orbits that lie on several points, because labels or attributes differ.
    """

    orbits_proven: bool
    orbit_of_vertex: IntArray
    point_of_vertex: IntArray
    confusions: tuple[Confusion, ...]
    split_orbits: tuple[SplitOrbit, ...]


def verdict(
    graph: Any,
    kernel: MessagePassingNodeKernel,
    t: int | None = None,
    orbits: Orbits | None = None,
    points: Sequence[KernelPoints] | None = None,
) -> Verdict:
    """Compare the points on which a kernel puts vertices with the orbits of their graph.

    Two vertices are one point if the kernel does not tell them apart: if their distance in
    feature space is zero, up to rounding. Orbits are those of the bare graph: labels and
    attributes that differ within an orbit split it, which is no confusion.

    Parameters
    ----------
    graph : networkx graph, or GraphSet with one graph
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    t : int, optional
        Round; by default the last.
    orbits : Orbits, optional
        The orbits of the graph, where they are known already.
    points : sequence of KernelPoints, optional
        The points of all rounds, where they are known already; see
        :func:`mpgk_core.recovery.points.points_of_rounds`.

    Returns
    -------
    Verdict

    Raises
    ------
    InvalidGraphError
        If the kernel was fitted to something else, or to more than one graph.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> barbell = nx.barbell_graph(10, 10)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree").fit(barbell)
    >>> verdict(barbell, kernel).summary
    '7 of 7 classes recovered'
    >>> early = verdict(barbell, kernel, t=3)
    >>> early.summary, early.n_points
    ('5 of 7 classes recovered', 6)
    >>> print(early.confusions[0].explanation)
    T is too small. The difference is 4 steps away, so T = 4 would show it.
    """
    graphs = as_graph_set(graph)
    t = kernel.n_iterations if t is None else t
    now = kernel_points(graphs, kernel, t) if points is None else points[t]
    found = known_orbits(graphs, orbits, kernel.edges)
    match = match_orbits(found.of_vertex, now.of_vertex)
    confusions: tuple[Confusion, ...] = ()
    if match.are_mixed:
        confusions = find_confusions(graphs, kernel, t, now.of_vertex, found.of_vertex)
    return Verdict(
        **vars(_recovery(match, now)),
        orbits_proven=found.proven,
        orbit_of_vertex=found.of_vertex,
        point_of_vertex=now.of_vertex,
        confusions=confusions,
        split_orbits=tuple(
            SplitOrbit(int(orbit), int(match.n_points_of_orbit[orbit]), found.proven)
            for orbit in match.split_orbits
        ),
    )


def verdicts(
    graph: Any,
    kernel: MessagePassingNodeKernel,
    orbits: Orbits | None = None,
    points: Sequence[KernelPoints] | None = None,
) -> tuple[Recovery, ...]:
    """Compare the points of a kernel with the orbits of a graph in every round, without reasons.

    Parameters
    ----------
    graph, kernel, orbits, points
        As for :func:`verdict`.

    Returns
    -------
    tuple of Recovery
        For the rounds 0 to T.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> barbell = nx.barbell_graph(10, 10)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree").fit(barbell)
    >>> [found.n_recovered for found in verdicts(barbell, kernel)]
    [2, 3, 4, 5, 7, 7]
    """
    graphs = as_graph_set(graph)
    found = known_orbits(graphs, orbits, kernel.edges)
    rounds = points_of_rounds(graphs, kernel) if points is None else points
    return tuple(_recovery(match_orbits(found.of_vertex, p.of_vertex), p) for p in rounds)


def known_orbits(graphs: GraphSet, orbits: Orbits | None, edges: str = "ignore") -> Orbits:
    """Return the orbits of a graph: those given, where they can be its own, or else find them."""
    found = find_orbits(graphs, edges=edges) if orbits is None else orbits
    if len(found.of_vertex) != graphs.n_vertices:
        raise InvalidGraphError(
            f"The orbits are those of {len(found.of_vertex)} vertices, but the graph has "
            f"{graphs.n_vertices}. Give the orbits of this graph, or none."
        )
    return found


def _recovery(match: OrbitMatch, points: KernelPoints) -> Recovery:
    return Recovery(
        n_orbits=len(match.n_points_of_orbit),
        n_points=points.n_points,
        n_recovered=match.n_recovered,
        smallest_gap=match.smallest_gap(points.rows),
        largest_spread=match.largest_spread(points.rows),
    )
