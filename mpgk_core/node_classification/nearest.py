"""The k nearest labelled vertices vote; vertices at equal distance vote together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_EQUAL = 1e-9
"""Distances that differ by less, relative to the largest, are equal: automorphic vertices."""


def nearest_votes(
    kernel: NDArray[np.float64],
    roles: NDArray[np.int64],
    labelled: NDArray[np.int64],
    others: NDArray[np.int64],
    n_neighbours: int,
) -> NDArray[np.int64]:
    """Predict the roles of vertices from the labelled ones nearest in feature space.

    The squared distance is k(v, v) - 2 k(v, u) + k(u, u). All vertices as near as the k-th
    nearest vote too, so the result does not depend on the order of the vertices. With equal
    votes, the role whose voters are nearer on average wins, then the first one.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    roles : ndarray of shape (n,)
        Only those of labelled vertices are looked at.
    labelled, others : ndarray of int
        Vertices to learn from and to predict.
    n_neighbours : int
        The number k.

    Returns
    -------
    ndarray of int
        A role for each of ``others``.

    Examples
    --------
    >>> places = np.array([[0.0], [1.0], [5.0], [0.4]])
    >>> nearest_votes(places @ places.T, np.array([0, 0, 1, -1]), np.arange(3), np.array([3]), 1)
    array([0])
    """
    norms = kernel.diagonal()
    distances = norms[others, np.newaxis] - 2 * kernel[np.ix_(others, labelled)] + norms[labelled]
    slack = _EQUAL * max(float(np.abs(norms).max(initial=0.0)), np.finfo(float).tiny)
    k = min(n_neighbours, len(labelled))
    reach = np.partition(distances, k - 1, axis=1)[:, k - 1 : k] + slack
    votes = distances <= reach
    member = np.equal.outer(roles[labelled], np.arange(int(roles[labelled].max()) + 1))
    counts = votes.astype(np.float64) @ member
    total = np.where(votes, distances, 0.0) @ member
    mean = np.divide(total, counts, out=np.full_like(counts, np.inf), where=counts > 0)
    mean[counts < counts.max(axis=1, keepdims=True)] = np.inf
    is_best = mean <= mean.min(axis=1, keepdims=True) + slack
    said: NDArray[np.int64] = is_best.argmax(axis=1)
    return said
