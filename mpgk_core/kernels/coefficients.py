"""How the blocks of a message passing kernel add up, for every t = 0..T."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import KernelOverflowError


def convolution_coefficients(n_iterations: int, alpha: float, beta: float) -> NDArray[np.float64]:
    """Unroll k' = αk + β Σ Σ k over neighbours into a closed form.

    One round maps K to αK + βAKA. The two parts commute, so

        K^t = Σ_j C(t, j) α^(t-j) β^j (A^j X)(A^j X)ᵀ.

    Parameters
    ----------
    n_iterations : int
        T.
    alpha, beta : float

    Returns
    -------
    ndarray of shape (T + 1, T + 1)
        Entry (t, j) belongs to the block (A^j X)(A^j X)ᵀ.

    Examples
    --------
    >>> convolution_coefficients(2, 0.5, 1.0)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 1.  , 0.  ],
           [0.25, 1.  , 1.  ]])
    """
    table = np.zeros((n_iterations + 1, n_iterations + 1))
    try:
        for t in range(n_iterations + 1):
            for j in range(t + 1):
                table[t, j] = math.comb(t, j) * alpha ** (t - j) * beta**j
    except OverflowError as error:
        raise KernelOverflowError(_too_many_rounds(n_iterations, alpha, beta)) from error
    return table


def assignment_coefficients(n_iterations: int, alpha: float, beta: float) -> NDArray[np.float64]:
    """Unroll k' = αk + βk_N, where k_N of round s has a block of its own.

        K^t = α^t K^0 + Σ_{s<t} α^(t-1-s) β K_N^s.

    Parameters
    ----------
    n_iterations : int
        T.
    alpha, beta : float

    Returns
    -------
    ndarray of shape (T + 1, T + 1)
        Column 0 belongs to K^0, column s + 1 to the neighbourhood kernel of round s.

    Examples
    --------
    >>> assignment_coefficients(2, 0.5, 1.0)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 1.  , 0.  ],
           [0.25, 0.5 , 1.  ]])
    """
    table = np.zeros((n_iterations + 1, n_iterations + 1))
    try:
        for t in range(n_iterations + 1):
            table[t, 0] = float(alpha) ** t
            for s in range(t):
                table[t, s + 1] = float(alpha) ** (t - 1 - s) * beta
    except OverflowError as error:
        raise KernelOverflowError(_too_many_rounds(n_iterations, alpha, beta)) from error
    return table


def _too_many_rounds(n_iterations: int, alpha: float, beta: float) -> str:
    return (
        f"With alpha={alpha} and beta={beta}, {n_iterations} iterations lead beyond the range of "
        "floating-point numbers. Choose fewer iterations, or alpha + beta near 1."
    )
