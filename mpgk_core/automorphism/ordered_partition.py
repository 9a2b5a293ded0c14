"""A partition of vertices into cells that stand in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["OrderedPartition"]


@dataclass(frozen=True, eq=False)
class OrderedPartition:
    """Cells of vertices in a fixed order.

    Parameters
    ----------
    order : ndarray of shape (n,)
        The vertices, cell after cell.
    cell : ndarray of shape (n,)
        The position where the cell of each vertex starts.
    size : ndarray of shape (n,)
        ``size[c]`` is the size of the cell that starts at position c.

    Examples
    --------
    >>> partition = OrderedPartition.by_colour(np.array([7, 3, 7]))
    >>> partition.order.tolist(), partition.cell.tolist()
    ([1, 0, 2], [1, 0, 1])
    >>> partition.starts().tolist()
    [0, 1]
    """

    order: NDArray[np.int64]
    cell: NDArray[np.int64]
    size: NDArray[np.int64]

    @classmethod
    def by_colour(cls, colours: NDArray[np.int64]) -> OrderedPartition:
        """Make one cell of every colour, in ascending order of the colours."""
        order = np.argsort(colours, kind="stable")
        _, first, code, counts = np.unique(
            colours[order], return_index=True, return_inverse=True, return_counts=True
        )
        cell = np.empty(len(colours), dtype=np.int64)
        cell[order] = first[code]
        size = np.zeros(len(colours), dtype=np.int64)
        size[first] = counts
        return cls(order.astype(np.int64), cell, size)

    def starts(self) -> NDArray[np.int64]:
        """Return the position where each cell starts, in ascending order."""
        return np.unique(self.cell)

    def with_first(self, vertex: int) -> OrderedPartition:
        """Return a copy in which ``vertex`` is a cell of its own, before the rest of its cell."""
        order, cell, size = self.order.copy(), self.cell.copy(), self.size.copy()
        start = cell[vertex]
        members = self.order[start : start + size[start]]
        rest = members[members != vertex]
        order[start] = vertex
        order[start + 1 : start + 1 + len(rest)] = rest
        cell[rest] = start + 1
        size[start] = 1
        if len(rest):
            size[start + 1] = len(rest)
        return OrderedPartition(order, cell, size)
