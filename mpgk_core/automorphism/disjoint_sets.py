"""Sets of vertices that only ever grow together (union-find)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled

__all__ = ["DisjointSets"]


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

    def merge(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> None:
        """Unite the set of ``left[i]`` with the set of ``right[i]``, for every i."""
        _merge(self._parent, left, right)

    def first_of(self, element: int) -> int:
        """Return the smallest element of the set of ``element``."""
        return _root(self._parent, element)

    def first_of_all(self) -> NDArray[np.int64]:
        """Return the smallest element of the set of each element."""
        return _roots(self._parent)


@compiled
def _root(parent: NDArray[np.int64], element: int) -> int:
    while parent[element] != element:
        parent[element] = parent[parent[element]]
        element = parent[element]
    return element


@compiled
def _roots(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    roots = np.empty(len(parent), np.int64)
    for element in range(len(parent)):
        roots[element] = _root(parent, element)
    return roots


@compiled
def _merge(parent: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64]) -> None:
    for i in range(len(left)):
        a, b = _root(parent, left[i]), _root(parent, right[i])
        parent[max(a, b)] = min(a, b)
