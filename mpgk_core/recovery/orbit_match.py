"""How the orbits of a graph and the points of a kernel fit together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core.recovery.point_distances import largest_distance, smallest_distance


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

    orbits: NDArray[np.int64]
    points: NDArray[np.int64]
    n_points_of_orbit: NDArray[np.int64]
    n_orbits_of_point: NDArray[np.int64]

    @property
    def n_recovered(self) -> int:
        """Number of orbits that are one point of their own."""
        is_whole = self.n_points_of_orbit[self.orbits] == 1
        return int(np.count_nonzero(is_whole & (self.n_orbits_of_point[self.points] == 1)))

    @property
    def split_orbits(self) -> NDArray[np.int64]:
        """The orbits that lie on several points."""
        return np.flatnonzero(self.n_points_of_orbit > 1)

    def smallest_gap(self, rows: csr_array) -> float | None:
        """Return the smallest distance between two points of different orbits.

        Parameters
        ----------
        rows : csr_array of shape (n_points, D)
            Where the points lie.

        Returns
        -------
        float or None
            None where there are no two such points.
        """
        only_orbit = np.full(len(self.n_orbits_of_point), -1)
        is_alone = self.n_orbits_of_point[self.points] == 1
        only_orbit[self.points] = np.where(is_alone, self.orbits, -1)
        return smallest_distance(rows, only_orbit)

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


def match_orbits(
    orbit_of_vertex: NDArray[np.int64], point_of_vertex: NDArray[np.int64]
) -> OrbitMatch:
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
