"""Matrix Market files: an adjacency matrix, sparse ("coordinate") or dense ("array")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import tril

from mpgk_core.errors import shortened
from mpgk_core.formats.columns import written_matrix
from mpgk_core.formats.format import Format, GraphTables, Writer
from mpgk_core.formats.graph_collector import check_square, graph_of_entries
from mpgk_core.formats.number_table import real_numbers, whole_numbers
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import FIRST_ROW, line_of
from mpgk_core.graphs import GraphSet

_TITLE = "Matrix Market"
_BANNER = re.compile(rb"%%MatrixMarket[^\r\n]*", re.IGNORECASE)
_ROW = re.compile(rb"\s*[^\s%]")
_FIELDS = ("pattern", "real", "double", "integer")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


def read(source: Source) -> GraphTables:
    r"""Read an adjacency matrix.

    Parameters
    ----------
    source : Source
        With the banner ``%%MatrixMarket matrix coordinate|array field symmetry``.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> text = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    >>> read(Source("a.mtx", text)).edges.tolist()
    [[1, 0], [2, 1]]
    """
    layout, field, symmetry = _banner(source)
    size = FIRST_ROW.search(source.plain)
    if size is None:
        raise source.error("The size of the matrix is missing.", "The file may be cut off.")
    line = line_of(source.plain, size.end())
    expected = 3 if layout == "coordinate" else 2
    cells = size.group().split(None, expected)
    numbers = whole_numbers(source, b" ".join(cells), len(cells), line)[0].tolist()
    if len(numbers) != expected or min(numbers) < 0:
        raise source.error(
            f"The size of the matrix is given by {expected} whole numbers.",
            "Write rows, columns" + (" and entries." if expected == 3 else "."),
            line,
        )
    n = check_square(source, numbers[0], numbers[1], line)
    rest, lines = source.plain[size.end() :], None
    if layout == "coordinate":
        rows, columns, values = _coordinates(source, rest, n, numbers[2], field, line)
        lines = _lines_of_entries(rest, line, values)
    else:
        rows, columns, values = _array(source, rest, n, symmetry, line)
    is_half = symmetry != "general"
    if symmetry == "skew-symmetric" and values is not None:  # one half is the other, negative
        values = np.abs(values)
    return graph_of_entries(source, _TITLE, range(n), rows, columns, values, is_half, lines)


def _lines_of_entries(
    content: bytes, line: int, values: NDArray[np.float64] | None
) -> NDArray[np.int32] | None:
    """Return the line of every entry, where an error will need one: some are no weights."""
    if values is None or bool(np.all(np.isfinite(values) & (values >= 0))):
        return None
    after = content.split(b"\n")[1:]
    found = [number for number, text in enumerate(after, line + 1) if _ROW.match(text)]
    return np.array(found, dtype=np.int32) if len(found) == len(values) else None


def _banner(source: Source) -> tuple[str, str, str]:
    banner = _BANNER.match(source.plain)
    words = banner.group().decode("ascii", "replace").lower().split()[1:] if banner else []
    if len(words) != 4 or words[0] != "matrix" or words[1] not in ("coordinate", "array"):
        raise source.error(
            "The first line is not that of a Matrix Market file.",
            'Start it with "%%MatrixMarket matrix coordinate pattern symmetric" or the like.',
            1,
        )
    _, layout, field, symmetry = words
    if field not in _FIELDS or (field == "pattern" and layout == "array"):
        raise source.error(
            f"Entries of the kind {shortened(field)!r} cannot be read here.",
            "Use pattern, real or integer.",
            1,
        )
    if symmetry not in _SYMMETRIES:
        raise source.error(
            f"The symmetry {shortened(symmetry)!r} is unknown.",
            f"Use one of {', '.join(_SYMMETRIES)}.",
            1,
        )
    return layout, field, symmetry


def _coordinates(
    source: Source, content: bytes, n: int, n_entries: int, field: str, line: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64] | None]:
    source.check("edges", n_entries, line)
    values: NDArray[np.float64] | None = None
    places: NDArray[Any]
    if field == "pattern":
        places = whole_numbers(source, content, 2, line)
    else:
        table = real_numbers(source, content, 3, line)
        places, values = table[:, :2], table[:, 2]
    _check_count(source, len(places), n_entries)
    if not ((places >= 1) & (places <= n) & (np.floor(places) == places)).all():
        raise source.error(
            f"An entry stands outside of the {n:,} rows and columns.",
            f"Rows and columns count from 1 to {n:,}.",
        )
    rows, columns = places.T.astype(np.int64) - 1
    return rows, columns, values


def _array(
    source: Source, content: bytes, n: int, symmetry: str, line: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the entries, which go down the columns; of a symmetric matrix, from the diagonal."""
    values = real_numbers(source, content, 1, line)[:, 0]
    skew = symmetry == "skew-symmetric"
    n_entries = n * n if symmetry == "general" else n * (n - 1 if skew else n + 1) // 2
    _check_count(source, len(values), n_entries)
    there = np.flatnonzero(values)
    if symmetry == "general":
        return there % max(n, 1), there // max(n, 1), values[there]
    lengths = np.arange(n, 0, -1) - skew
    ends = np.cumsum(lengths)
    columns = np.searchsorted(ends, there, side="right")
    rows = there - (ends[columns] - lengths[columns]) + columns + skew
    return rows, columns, values[there]


def _check_count(source: Source, found: int, declared: int) -> None:
    if found != declared:
        raise source.error(
            f"There are {found:,} entries, and {declared:,} were announced.",
            "The file may be cut off.",
        )


def _recognises(source: Source) -> bool:
    return _BANNER.match(source.head) is not None


def write(graphs: GraphSet, _: NDArray[Any] | None) -> Iterator[str]:
    """Yield the adjacency matrix as a sparse one; of a symmetric one, the lower half is given."""
    matrix = written_matrix(graphs)
    is_directed = graphs.edges is not None and graphs.edges.is_directed
    matrix = matrix.tocsc() if is_directed else tril(matrix, format="csc")
    rows, columns = (matrix.indices + 1).tolist(), np.diff(matrix.indptr)
    ends = zip(rows, np.repeat(np.arange(1, len(columns) + 1), columns).tolist(), strict=True)
    has_weights = graphs.edges is not None and graphs.edges.weights is not None
    field, symmetry = ("pattern", "real")[has_weights], ("symmetric", "general")[is_directed]
    yield f"%%MatrixMarket matrix coordinate {field} {symmetry}\n"
    yield f"{graphs.n_vertices} {graphs.n_vertices} {len(rows)}\n"
    if has_weights:
        entries = zip(ends, matrix.data.tolist(), strict=True)
        yield from (f"{a} {b} {weight}\n" for (a, b), weight in entries)
    else:
        yield from (f"{a} {b}\n" for a, b in ends)


FORMAT = Format(_TITLE, (".mtx", ".mm"), _recognises, read)
WRITER = Writer(
    _TITLE,
    ".mtx",
    write,
    keeps_names=False,
    keeps_edges=("weights", "directions"),
    has_columns=False,
)
