"""Sparse matrices as ``scipy.sparse.save_npz`` writes them; nothing in them is unpickled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.archives import SafeZip, is_zip
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables, check_square, graph_of_entries
from mpgk_core.formats.npy_header import array_of
from mpgk_core.formats.source import Source

_TITLE = "SciPy sparse matrix"
_Entries = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]


def read(source: Source) -> GraphTables:
    """Read an adjacency matrix.

    Parameters
    ----------
    source : Source
        An archive of arrays that make a matrix in one of SciPy's layouts csr, csc, coo, bsr, dia.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> import io
    >>> from scipy.sparse import csr_array, save_npz
    >>> file = io.BytesIO()
    >>> save_npz(file, csr_array([[0, 1], [1, 0]]))
    >>> read(Source("a.npz", file.getvalue())).edges.tolist()
    [[0, 1]]
    """
    return _SparseMatrix(source).graph()


class _SparseMatrix:
    def __init__(self, source: Source) -> None:
        self.source, self.archive = source, SafeZip(source)

    def graph(self) -> GraphTables:
        layout = self._layout()
        shape = self._whole_numbers("shape")
        if len(shape) != 2 or min(shape) < 0:
            raise self.source.error("The matrix does not have two sides.", "Give a square one.")
        n = check_square(self.source, *shape.tolist())
        layouts = {
            "csr": self._compressed,
            "csc": self._compressed_columns,
            "coo": self._coordinates,
            "bsr": self._blocks,
            "dia": self._diagonals,
        }
        if layout not in layouts:
            raise self.source.error(
                f"The layout {shortened(layout)!r} is unknown.", f"Use one of {', '.join(layouts)}."
            )
        rows, columns, values = layouts[layout](n)
        if len(rows) and (
            min(rows.min(), columns.min()) < 0 or max(rows.max(), columns.max()) >= n
        ):
            raise self.source.error(
                f"An entry stands outside of the {n:,} rows and columns.", "Save the matrix again."
            )
        return graph_of_entries(
            self.source, _TITLE, n, rows, columns, values.astype(np.float64, copy=False)
        )

    def _compressed(self, n: int) -> _Entries:
        values = self._values(1)
        rows, columns = self._rows(n), self._whole_numbers("indices")
        self._check_lengths(rows, columns, values)
        return rows, columns, values

    def _compressed_columns(self, n: int) -> _Entries:
        columns, rows, values = self._compressed(n)
        return rows, columns, values

    def _coordinates(self, n: int) -> _Entries:
        rows, columns = self._whole_numbers("row"), self._whole_numbers("col")
        values = self._values(1)
        self._check_lengths(rows, columns, values)
        return rows, columns, values

    def _blocks(self, n: int) -> _Entries:
        values = self._values(3)
        size = values.shape[1]
        if size == 0 or values.shape[2] != size or n % size:
            raise self._unfit("data")
        rows, columns = self._rows(n // size), self._whole_numbers("indices")
        self._check_lengths(rows, columns, values)
        self._check_count(values)
        if ((columns < 0) | (columns >= n // size)).any():
            raise self._unfit("indices")
        block, row, column = np.nonzero(values)
        return (
            rows[block] * size + row,
            columns[block] * size + column,
            values[block, row, column],
        )

    def _diagonals(self, n: int) -> _Entries:
        values, offsets = self._values(2), self._whole_numbers("offsets")
        self._check_lengths(offsets, values)
        self._check_count(values)
        diagonal, column = np.nonzero(values)
        row = column - offsets[diagonal]
        inside = (row >= 0) & (row < n) & (column < n)
        return row[inside], column[inside], values[diagonal[inside], column[inside]]

    def _rows(self, n: int) -> NDArray[np.int64]:
        """Return the row of each entry, from the places where the rows begin."""
        starts = self._whole_numbers("indptr")
        lengths = np.diff(starts)
        if len(starts) != n + 1 or starts[0] != 0 or (lengths < 0).any():
            raise self._unfit("indptr")
        self.source.bounds.check_edges(self.source.name, int(starts[-1]))
        return np.repeat(np.arange(n, dtype=np.int64), lengths)

    def _check_lengths(self, *arrays: NDArray[Any]) -> None:
        if len({len(array) for array in arrays}) > 1:
            raise self._unfit("data")

    def _check_count(self, values: NDArray[Any]) -> None:
        self.source.bounds.check_edges(self.source.name, int(np.count_nonzero(values)))

    def _array(self, key: str) -> NDArray[Any]:
        name = f"{key}.npy"
        if name not in self.archive.names:
            raise self.source.error(
                f"The array {key!r} is missing.", "Save the matrix with scipy.sparse.save_npz."
            )
        return array_of(self.archive.member(name))

    def _layout(self) -> str:
        word = self._array("format")
        if word.ndim != 0 or word.dtype.kind not in "SU":
            raise self.source.error("The layout is no word.", "Save the matrix again.")
        value = word.item()
        return value.decode("latin-1") if isinstance(value, bytes) else str(value)

    def _whole_numbers(self, key: str) -> NDArray[np.int64]:
        numbers = self._array(key)
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
            raise self._unfit(key)
        return numbers.astype(np.int64)

    def _values(self, n_dimensions: int) -> NDArray[Any]:
        values = self._array("data")
        if values.ndim != n_dimensions or values.dtype.kind not in "biuf":
            raise self._unfit("data")
        return values

    def _unfit(self, key: str) -> UnreadableFileError:
        return self.source.error(
            f"The array {key!r} does not fit the others.", "Save the matrix again."
        )


def _recognises(source: Source) -> bool:
    if not is_zip(source):
        return False
    try:
        names = SafeZip(source).names
    except UnreadableFileError:
        return False
    return {"format.npy", "shape.npy", "data.npy"} <= set(names)


FORMAT = Format(_TITLE, (".npz",), _recognises, read)
