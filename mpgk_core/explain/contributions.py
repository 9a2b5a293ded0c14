"""The parts of a comparison of two sets: pairs of vertices and what each pair adds."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.explain.matching import match_along
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.normalisation import cosine_normalised


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
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    values: NDArray[np.float64]
    total: float
    nodes: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def largest(self, n: int) -> NDArray[np.int64]:
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

    def others(
        self, left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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
            With the names of both vertices, the value and, under A, the tree node.
        """
        columns: dict[str, list[Any]] = {
            "left": [names[v] for v in self.left.tolist()],
            "right": [names[u] for u in self.right.tolist()],
            "value": self.values.tolist(),
        }
        if self.nodes is not None:
            columns["tree node"] = self.nodes.tolist()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def all_pairs(
    left: NDArray[np.int64], right: NDArray[np.int64], kernel: NDArray[np.float64]
) -> Contributions:
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
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    hierarchy: Hierarchy,
    leaves: NDArray[np.int32],
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
