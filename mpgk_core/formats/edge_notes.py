"""Tell the user what becomes of directions, weights, repeated edges and self-loops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


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
    >>> edge_notes(np.array([[0, 1], [1, 0], [1, 1]]), n=2, weighted=True)
    ('1 repeated edge counts once.', 'Edge weights are ignored.')
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
    if weighted:
        notes.append("Edge weights are ignored.")
    return tuple(notes)


def loop_notes(edges: NDArray[np.int64], self_loops: str = "drop") -> tuple[str, ...]:
    """Return a short sentence on edges from a vertex to itself, if there are any.

    Examples
    --------
    >>> loop_notes(np.array([[0, 1], [1, 1]])), loop_notes(np.array([[1, 1]]), "keep")
    (('1 self-loop is dropped.',), ('1 self-loop is kept.',))
    """
    n = int(np.count_nonzero(edges[:, 0] == edges[:, 1]))
    if n == 0:
        return ()
    fate = "kept" if self_loops == "keep" else "dropped"
    return (f"1 self-loop is {fate}." if n == 1 else f"{n:,} self-loops are {fate}.",)


def _n_distinct(codes: NDArray[np.int64]) -> int:
    ordered = np.sort(codes)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + bool(len(codes))
