"""Infinity is never a result."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import KernelOverflowError

__all__ = ["refuse_overflow"]


def refuse_overflow(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values, or raise if any of them is beyond the range of floating-point numbers.

    Parameters
    ----------
    values : ndarray

    Returns
    -------
    ndarray
        The same array.
    """
    if not np.all(np.isfinite(values)):
        raise KernelOverflowError(
            "The kernel values grow beyond the range of floating-point numbers: with neighbourhood "
            "R they rise like degree to the power of T. Choose fewer iterations, or smaller "
            "features, for example features='log-degree'."
        )
    return values
