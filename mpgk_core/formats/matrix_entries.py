"""From the entries of an adjacency matrix to a graph, whatever file they were in."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from mpgk_core.formats.edge_notes import edge_notes
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source


def check_square(source: Source, n_rows: int, n_columns: int, line: int | None = None) -> int:
    """Return the number of vertices, or raise unless a matrix is square and not too large."""
    if n_rows != n_columns:
        raise source.error(
            f"The matrix has {n_rows:,} rows and {n_columns:,} columns.",
            "An adjacency matrix has one row and one column for each vertex.",
            line,
        )
    source.bounds.check_vertices(source.name, n_rows, line)
    return n_rows


def graph_of_entries(
    source: Source,
    title: str,
    n: int,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.float64] | None = None,
    names: Sequence[Hashable] | None = None,
    is_half: bool = False,
) -> GraphTables:
    """Return the graph with one edge for every entry that is not zero.

    Parameters
    ----------
    source : Source
        The file.
    title : str
        Name of its format.
    n : int
        Number of vertices.
    rows, columns : ndarray of shape (k,)
        Where the entries stand, from 0 to n - 1.
    values : ndarray of shape (k,), optional
        The entries; default: all are 1.
    names : sequence of hashable, optional
        Of the vertices.
    is_half : bool
        Whether the other half is left out because the matrix is symmetric.

    Returns
    -------
    GraphTables
        Of a symmetric matrix, one half makes the edges.

    Examples
    --------
    >>> ends = np.array([0, 1]), np.array([1, 0])
    >>> graph_of_entries(Source("a.mtx", b""), "Matrix Market", 2, *ends).edges.tolist()
    [[0, 1]]
    """
    weighted = False
    if values is not None:
        if np.isnan(values).any():
            raise source.error("An entry of the matrix is NaN.", "Write 0 where there is no edge.")
        there = values != 0
        rows, columns, weighted = rows[there], columns[there], bool((values[there] != 1).any())
    symmetric = is_half or np.array_equal(np.sort(rows * n + columns), np.sort(columns * n + rows))
    if symmetric and not is_half:
        half = rows <= columns
        rows, columns = rows[half], columns[half]
    edges = np.column_stack([rows, columns]).astype(np.int64, copy=False)
    source.bounds.check_edges(source.name, len(edges))
    return GraphTables(
        source.name,
        title,
        np.array([0, n], dtype=np.int64),
        edges,
        names=names,
        notes=edge_notes(edges, n, directed=not symmetric, weighted=weighted),
    )
