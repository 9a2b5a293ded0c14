"""How inner loops are compiled: one decorator, so that every loop is compiled alike.

``cache`` keeps the machine code beside the source, so only the first process ever compiles;
``nogil`` lets other threads (another user's page) run meanwhile. Loops stay sequential: their
results must not depend on the number of cores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

__all__ = ["compiled"]

_F = TypeVar("_F", bound=Callable[..., Any])


def compiled(function: _F) -> _F:
    """Compile ``function`` with numba at its first call.

    Parameters
    ----------
    function : callable
        A loop over arrays and numbers, without Python objects.

    Returns
    -------
    callable
        The same function, compiled; its type is kept for the type checker.
    """
    decorated: _F = numba.njit(cache=True, nogil=True)(function)
    return decorated
