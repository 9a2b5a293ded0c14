"""Find the line of a row: blank lines and comments are lines, but no rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled

_TAB, _NEWLINE, _RETURN, _SPACE, _HASH, _PERCENT = 9, 10, 13, 32, 35, 37


def line_of_row(content: bytes, row: int) -> int:
    r"""Return the line of a row of a table of numbers.

    Parameters
    ----------
    content : bytes
        The text of the table, as in :mod:`~mpgk_core.formats.number_table`.
    row : int
        Counted from 0.

    Returns
    -------
    int
        Counted from 1.

    Examples
    --------
    >>> line_of_row(b"# vertices\n\n7\n8\n", 1)
    4
    """
    end = _NEWLINE if b"\n" in content else _RETURN
    return _line_of_row(np.frombuffer(content, dtype=np.uint8), row, end)


@compiled
def _line_of_row(content: NDArray[np.uint8], row: int, end: int) -> int:
    line, rows, is_fresh = 1, -1, True
    for byte in content:
        if byte == end:
            line, is_fresh = line + 1, True
        elif is_fresh and byte not in (_SPACE, _TAB, _RETURN):
            is_fresh = False
            rows += byte not in (_HASH, _PERCENT)
            if rows == row:
                break
    return line
