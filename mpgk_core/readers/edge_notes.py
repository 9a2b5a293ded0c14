"""Tell the user what becomes of directions, weights, repeated edges and self-loops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["edge_notes"]


def edge_notes(
    edges: NDArray[np.int64], n: int, *, directed: bool = False, weighted: bool = False
) -> tuple[str, ...]:
    """Return one short sentence for everything about the edges that a kernel will not see.

    Parameters
    ----------
    edges : ndarray of shape (m, 2)
        Pairs of vertices.
    n : int
        Number of vertices.
    directed : bool
        Whether the file gives edges a direction.
    weighted : bool
        Whether the file gives edges a weight.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> edge_notes(np.array([[0, 1], [1, 0], [1, 1]]), n=2)
    ('1 repeated edge counts once.', '1 self-loop is dropped, unless you keep it.')
    """
    notes = []
    low, high = edges[:, 0], edges[:, 1]
    if directed:
        notes.append("Directed edges join their two ends.")
    else:
        low, high = np.minimum(low, high), np.maximum(low, high)
    repeated = len(edges) - _n_distinct(low * n + high)
    if repeated:
        notes.append(f"{repeated:,} repeated edge{' counts' if repeated == 1 else 's count'} once.")
    loops = int(np.count_nonzero(low == high))
    if loops == 1:
        notes.append("1 self-loop is dropped, unless you keep it.")
    elif loops:
        notes.append(f"{loops:,} self-loops are dropped, unless you keep them.")
    if weighted:
        notes.append("Edge weights are ignored.")
    return tuple(notes)


def _n_distinct(codes: NDArray[np.int64]) -> int:
    ordered = np.sort(codes)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + bool(len(codes))
