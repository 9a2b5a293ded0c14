"""Numbers and texts as the bytes of files: rows of a CSV, arrays of an NPZ."""

from __future__ import annotations

import io
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.csv_cells import cell_text, encoded, quoted, safe_text
from mpgk_core.formats.archives import packed as zipped
from mpgk_core.limits import check_memory


def numbered_rows(starts: Iterable[Iterable[Hashable]], numbers: NDArray[np.float64]) -> bytes:
    r"""Return lines with some cells of any kind, and then numbers, which need no quoting.

    Parameters
    ----------
    starts : iterable of iterables
        The first cells of every line.
    numbers : ndarray of shape (n, m)
        Its other cells, with all digits.

    Returns
    -------
    bytes

    Examples
    --------
    >>> numbered_rows([("a",), ("=b",)], np.eye(2))
    b"a,1.0,0.0\n'=b,0.0,1.0\n"
    """
    lines = (
        ",".join([*(quoted(safe_text(cell_text(cell))) for cell in start), *map(repr, row)]) + "\n"
        for start, row in zip(starts, numbers.tolist(), strict=True)
    )
    return encoded("".join(lines))


def texts(values: Sequence[Hashable]) -> NDArray[np.str_]:
    """Return names, labels or classes as an array of texts, or raise where it takes too much room.

    Parameters
    ----------
    values : sequence of hashable

    Returns
    -------
    ndarray of str
    """
    written = [cell_text(value) for value in values]
    check_memory(
        4 * len(written) * max(map(len, written), default=0),
        f"An array of {len(written):,} texts",
        "Shorten the names, or take the CSV, where a text takes no more room than it needs.",
    )
    return np.array(written, dtype=np.str_)


def npz(arrays: dict[str, NDArray[Any]]) -> bytes:
    """Return arrays as a file for ``numpy.load``; the same arrays give the same bytes.

    Parameters
    ----------
    arrays : dict of str to ndarray

    Returns
    -------
    bytes
    """
    files = {}
    for name, array in arrays.items():
        file = io.BytesIO()
        np.save(file, array, allow_pickle=False)
        files[f"{name}.npy"] = file.getvalue()
    return zipped(files)
