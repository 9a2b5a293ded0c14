"""Classes of vertices, numbered in the order in which they first occur."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def agreeing(*classes: NDArray[Any]) -> NDArray[np.int64]:
    """Put two vertices into one class if they agree in all given classes.

    Parameters
    ----------
    *classes : ndarray of shape (n,)
        Any numbers; equal ones are one class.

    Returns
    -------
    ndarray of shape (n,)
        Numbered 0, 1, 2, ... in order of the first vertex.

    Examples
    --------
    >>> agreeing(np.array([7, 7, 2, 2]), np.array([0, 1, 0, 0])).tolist()
    [0, 1, 2, 2]
    """
    joint = classes[0]
    for part in classes[1:]:
        values, code = np.unique(part, return_inverse=True)
        together = np.unique(joint, return_inverse=True)[1].astype(np.int64)
        joint = together * max(len(values), 1) + code
    _, first, code = np.unique(joint, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[code]
