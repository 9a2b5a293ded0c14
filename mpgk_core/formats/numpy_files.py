"""NumPy's and SciPy's own files: .npy arrays and sparse .npz matrices; nothing is unpickled.

A .npy file holds an edge array (two rows), its transpose (one edge per row), or an adjacency
matrix; its shape says which, and where two of them fit, its numbers.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import save_npz

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.archives import SafeZip, is_zip
from mpgk_core.formats.columns import written_matrix
from mpgk_core.formats.edge_array import graph_of_columns, vertex_numbers
from mpgk_core.formats.format import Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import check_square, graph_of_entries
from mpgk_core.formats.source import Source
from mpgk_core.graphs import GraphSet

_NPY, _NPZ = "NumPy array", "SciPy sparse matrix"
_MAGIC = b"\x93NUMPY"
_HEADER = re.compile(
    r"\s*\{'descr': *'([<>|=]?[biufcSUOV][0-9]{0,6})', *'fortran_order': *(True|False), *"
    r"'shape': *\(([0-9, ]{0,80})\)"
)
_MAX_DIMENSIONS = 3
#: The arrays of every layout of a sparse matrix.
_LAYOUTS = {
    "csr": ("indices", "indptr"),
    "csc": ("indices", "indptr"),
    "coo": ("row", "col"),
    "bsr": ("indices", "indptr"),
    "dia": ("offsets",),
}


def array_of(source: Source) -> NDArray[Any]:
    """Return the array in a ``.npy`` file, without copying it; its header is checked before.

    Parameters
    ----------
    source : Source
        The file. Python objects, which could run code, and structured types are refused.

    Returns
    -------
    ndarray
        Of booleans, numbers or text; it cannot be written to.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.save(file, [1, 2])
    >>> array_of(Source("a.npy", file.getvalue()))
    array([1, 2])
    """
    content = source.content
    if not content.startswith(_MAGIC) or len(content) < 12:
        raise source.error("It is no array of NumPy.", "Save it with numpy.save.")
    first, kind_of_size = (12, "<I") if content[6] > 1 else (10, "<H")
    start = first + struct.unpack_from(kind_of_size, content, 8)[0]
    if start > len(content):
        raise source.error("Its header is cut off.", "Save it again.")
    header = _HEADER.match(content[first:start].decode("latin-1"))
    kind = header.group(1) if header else ""
    if "O" in kind:
        raise source.error(
            "It holds Python objects, which could run code.", "Save numbers instead of objects."
        )
    sizes = tuple(map(int, re.findall("[0-9]+", header.group(3)))) if header else ()
    try:
        dtype = np.dtype(kind or "V")
    except TypeError:
        dtype = np.dtype("V")
    is_plain = dtype.kind in "SU" or (dtype.kind in "biuf" and dtype.itemsize <= 8)
    if header is None or not is_plain or dtype.itemsize == 0 or len(sizes) > _MAX_DIMENSIONS:
        raise source.error("It holds no plain array of numbers.", "Save a matrix of numbers.")
    if prod(sizes) * dtype.itemsize != len(content) - start:
        raise source.error("It is longer or shorter than it says.", "It may be cut off.")
    flat = np.frombuffer(content, dtype, offset=start) if 0 not in sizes else np.empty(0, dtype)
    return flat.reshape(sizes, order="F" if header.group(2) == "True" else "C")


def read_npz(source: Source) -> GraphTables:
    """Read an adjacency matrix as ``scipy.sparse.save_npz`` writes it.

    Parameters
    ----------
    source : Source
        An archive of arrays that make a matrix in one of SciPy's layouts csr, csc, coo, bsr, dia.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> file = io.BytesIO()
    >>> save_npz(file, csr_array([[0, 1], [1, 0]]))
    >>> read_npz(Source("a.npz", file.getvalue())).edges.tolist()
    [[0, 1]]
    """
    archive = SafeZip(source)
    layout = _layout(archive)
    shape = _whole_numbers(archive, "shape")
    if len(shape) != 2 or min(shape) < 0:
        raise source.error("The matrix does not have two sides.", "Give a square one.")
    n = check_square(source, *shape.tolist())
    if layout not in _LAYOUTS:
        raise source.error(
            f"The layout {shortened(layout)!r} is unknown.", f"Use one of {', '.join(_LAYOUTS)}."
        )
    values = _array(archive, "data")
    n_dimensions = {"bsr": 3, "dia": 2}.get(layout, 1)
    if values.ndim != n_dimensions or values.dtype.kind not in "biuf":
        raise _unfit(source, "data")
    source.check("edges", int(np.count_nonzero(values)))
    parts = [_whole_numbers(archive, key) for key in _LAYOUTS[layout]]
    rows, columns, values = _entries(source, layout, n, values, parts)
    if len(rows) and (min(rows.min(), columns.min()) < 0 or max(rows.max(), columns.max()) >= n):
        raise source.error(
            f"An entry stands outside of the {n:,} rows and columns.", "Save the matrix again."
        )
    return graph_of_entries(source, _NPZ, range(n), rows, columns, values.astype(np.float64))


def _entries(
    source: Source, layout: str, n: int, values: NDArray[Any], parts: list[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Return row, column and value of every entry, after the arrays were found to fit."""
    if len(parts[0]) != len(values):
        raise _unfit(source, "data")
    if layout == "dia":
        diagonal, column = np.nonzero(values)
        row = column - parts[0][diagonal]
        inside = (row >= 0) & (row < n) & (column < n)
        return row[inside], column[inside], values[diagonal[inside], column[inside]]
    if layout == "coo":
        if len(parts[1]) != len(values):
            raise _unfit(source, "data")
        return parts[0], parts[1], values
    indices, starts = parts
    size = values.shape[1] if layout == "bsr" else 1
    if size == 0 or (layout == "bsr" and values.shape[2] != size) or n % size:
        raise _unfit(source, "data")
    lengths = np.diff(starts)
    if len(starts) != n // size + 1 or starts[0] != 0 or (lengths < 0).any():
        raise _unfit(source, "indptr")
    source.check("edges", int(starts[-1]))
    if starts[-1] != len(values):
        raise _unfit(source, "data")
    outer = np.repeat(np.arange(n // size, dtype=np.int64), lengths)
    if layout == "bsr":
        if ((indices < 0) | (indices >= n // size)).any():
            raise _unfit(source, "indices")
        block, row, column = np.nonzero(values)
        columns = indices[block] * size + column
        return outer[block] * size + row, columns, values[block, row, column]
    return (outer, indices, values) if layout == "csr" else (indices, outer, values)


def _array(archive: SafeZip, key: str) -> NDArray[Any]:
    name = f"{key}.npy"
    if name not in archive.names:
        raise archive.source.error(
            f"The array {key!r} is missing.", "Save the matrix with scipy.sparse.save_npz."
        )
    return array_of(archive.member(name))


def _layout(archive: SafeZip) -> str:
    word = _array(archive, "format")
    if word.ndim != 0 or word.dtype.kind not in "SU":
        raise archive.source.error("The layout is no word.", "Save the matrix again.")
    value = word.item()
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _whole_numbers(archive: SafeZip, key: str) -> NDArray[np.int64]:
    numbers = _array(archive, key)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise _unfit(archive.source, key)
    return numbers.astype(np.int64)


def _unfit(source: Source, key: str) -> UnreadableFileError:
    return source.error(f"The array {key!r} does not fit the others.", "Save the matrix again.")


def _recognises_npz(source: Source) -> bool:
    if not is_zip(source):
        return False
    try:
        names = SafeZip(source).names
    except UnreadableFileError:
        return False
    return {"format.npy", "shape.npy", "data.npy"} <= set(names)


def write_npz(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    """Return the adjacency matrix as SciPy stores sparse matrices."""
    file = io.BytesIO()
    save_npz(file, written_matrix(graphs))
    return file.getvalue()


def _read_array(source: Source) -> GraphTables:
    array = _table(source)
    if array.shape[0] != 2:
        raise source.error(
            f"An edge array has two rows, and there are {array.shape[0]:,}.", "Transpose it."
        )
    return graph_of_columns(source, _NPY, *(vertex_numbers(source, row) for row in array))


def _read_rows(source: Source) -> GraphTables:
    array = _table(source)
    if array.shape[1] != 2:
        raise source.error(
            f"The array has {array.shape[0]:,} rows and {array.shape[1]:,} columns.",
            "Give one edge per row (two columns), two rows of vertex numbers, or a square "
            "adjacency matrix.",
        )
    return graph_of_columns(source, _NPY, *(vertex_numbers(source, row) for row in array.T))


def _read_matrix(source: Source) -> GraphTables:
    array = _table(source)
    n = check_square(source, *array.shape)
    rows, columns = np.nonzero(array)
    source.check("edges", len(rows))
    values = array[rows, columns].astype(np.float64)
    return graph_of_entries(source, _NPY, range(n), rows, columns, values)


def _table(source: Source) -> NDArray[Any]:
    array = array_of(source)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        shape = " × ".join(map(str, array.shape)) or "no"
        raise source.error(
            f"The array is of shape {shape} and type {array.dtype}.",
            "Give a table of numbers: 2 × m or m × 2 vertex numbers, or an n × n matrix.",
        )
    return array


def _npy_readings(source: Source) -> list[str]:
    """Return how an array could be understood, the likeliest first."""
    if not source.content.startswith(_MAGIC):
        return []
    try:
        array = _table(source)
    except UnreadableFileError:
        return ["edge-list"]  # whose error says what is wrong
    n_rows, n_columns = array.shape
    fitting = {
        "adjacency-matrix": n_rows == n_columns,
        "edge-array": n_rows == 2,
        "edge-list": n_columns == 2,
    }
    found = [reading for reading, fits in fitting.items() if fits]
    if array.shape == (2, 2) and (array.diagonal().any() or array[0, 1] != array[1, 0]):
        found = found[1:] + found[:1]
    return found or ["edge-list"]


def _npy(reading: str, read: Callable[[Source], GraphTables]) -> Format:
    return Format(
        _NPY,
        (".npy",),
        lambda source: _npy_readings(source)[:1] == [reading],
        read,
        reading,
        lambda source: reading in _npy_readings(source),
    )


NPY_MATRIX = _npy("adjacency-matrix", _read_matrix)
NPY_EDGE_ARRAY = _npy("edge-array", _read_array)
NPY_EDGES = _npy("edge-list", _read_rows)
SPARSE_NPZ = Format(_NPZ, (".npz",), _recognises_npz, read_npz)
SPARSE_NPZ_WRITER = Writer(
    _NPZ,
    ".npz",
    write_npz,
    keeps_names=False,
    keeps_edges=("weights", "directions"),
    has_columns=False,
)
