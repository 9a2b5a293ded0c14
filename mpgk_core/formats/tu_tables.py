"""The tables of a TU data set, each checked line by line; lines and ids count from 1."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.graph_tables import edge_notes
from mpgk_core.formats.number_table import real_numbers, whole_numbers
from mpgk_core.formats.row_lines import line_of_row
from mpgk_core.formats.source import Source
from mpgk_core.formats.tu_edges import first_bad_edge, merged_edges

_ROW = re.compile(rb"^[ \t]*[^#%\s][^\r\n]*", re.MULTILINE)
_BYTES_PER_CELL = 8


def graph_ids(table: Source) -> NDArray[np.int64]:
    """Read the graph of every vertex."""
    table.bounds.check_vertices(table.name, _n_lines(table))
    ids = whole_numbers(table, table.plain, 1)[:, 0]
    if len(ids) and ids.min() < 1:
        row = int(np.argmax(ids < 1))
        raise _wrong(table, row, f"There is no graph {ids[row]}.", "Number the graphs from 1.")
    return ids


def graph_sizes(table: Source, ids: NDArray[np.int64], n_graphs: int | None) -> NDArray[np.int64]:
    """Return the number of vertices of every graph.

    Parameters
    ----------
    table : Source
        Where the ids come from, for messages.
    ids : ndarray of shape (n,)
        The graph of every vertex, from 1.
    n_graphs : int or None
        How many graphs have a class. None: as many as the ids say, and none without vertices.

    Returns
    -------
    ndarray of shape (N,)
    """
    if n_graphs is None:
        gaps = np.setdiff1d(np.arange(1, len(ids) + 1), ids)
        n_graphs = int(gaps[0]) - 1 if len(gaps) else len(ids)
        remedy = f"There is no graph {n_graphs + 1}; number the graphs without gaps."
    else:
        remedy = f"Give it a class: there are {n_graphs:,}."
    beyond = np.flatnonzero(ids > n_graphs)
    if len(beyond):
        row = int(beyond[0])
        raise _wrong(table, row, f"This vertex is in graph {ids[row]}.", remedy)
    if n_graphs == 0:
        raise table.error("There are no graphs.", "Give at least one.")
    return np.bincount(ids, minlength=n_graphs + 1)[1:]


def class_column(table: Source) -> NDArray[np.int64]:
    """Read the class of every graph."""
    table.bounds.check_vertices(table.name, _n_lines(table))
    return whole_numbers(table, table.plain, 1)[:, 0]


def edge_pairs(
    table: Source, graph: NDArray[np.int64]
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Read the edges.

    Parameters
    ----------
    table : Source
        One line for each edge and direction.
    graph : ndarray of shape (n,)
        The graph of every vertex.

    Returns
    -------
    edges : ndarray of shape (m, 2)
        Each once, by vertices counted from 0.
    notes : tuple of str
        What was unusual.
    """
    table.bounds.check_edges(table.name, _n_lines(table))
    edges, n = whole_numbers(table, table.plain, 2), len(graph)
    row = first_bad_edge(edges, graph)
    if row >= 0:
        u, v = edges[row].tolist()
        if min(u, v) < 1 or max(u, v) > n:
            problem = f"Vertex {u if not 1 <= u <= n else v} does not exist."
            raise _wrong(table, row, problem, f"The vertices are numbered from 1 to {n:,}.")
        problem = f"Vertex {u} is in graph {graph[u - 1]}, and vertex {v} in graph {graph[v - 1]}."
        raise _wrong(table, row, problem, "An edge must stay within one graph.")
    edges -= 1
    edges, n_repeated, n_one_way = merged_edges(edges, n)
    notes = []
    if n_one_way:
        plural = " is" if n_one_way == 1 else "s are"
        notes.append(f"{n_one_way:,} edge{plural} listed in one direction only, and counted.")
    if n_repeated:
        plural = " counts" if n_repeated == 1 else "s count"
        notes.append(f"{n_repeated:,} repeated edge{plural} once.")
    loops = edges[edges[:, 0] == edges[:, 1]]
    return edges, (*notes, *edge_notes(loops, n))


def label_columns(table: Source, n: int) -> dict[str, NDArray[Any]]:
    """Read the labels of n vertices: "label", and "label_2", ... where there are several."""
    width = _n_columns(table, n)
    labels = whole_numbers(table, table.plain, width)
    _check_length(table, len(labels), n)
    keys = ["label", *(f"label_{j}" for j in range(2, width + 1))]
    return dict(zip(keys, labels.T, strict=True))


def attribute_columns(table: Source, n: int) -> dict[str, NDArray[Any]]:
    """Read the attributes of n vertices: "attribute_1", "attribute_2", ..."""
    width = _n_columns(table, n)
    attributes = real_numbers(table, table.plain, width)
    _check_length(table, len(attributes), n)
    if not np.isfinite(attributes).all():
        row, column = np.argwhere(~np.isfinite(attributes))[0].tolist()
        problem = f"Attribute {column + 1} is {attributes[row, column]}."
        raise _wrong(table, row, problem, "Replace it by a finite number.")
    return {f"attribute_{j}": column for j, column in enumerate(attributes.T, start=1)}


def _check_length(table: Source, n_lines: int, n: int) -> None:
    if n_lines != n:
        raise table.error(
            f"There are {n_lines:,} lines for {n:,} vertices.", "Give one line for each."
        )


def _n_columns(table: Source, n: int) -> int:
    """Return how many cells the first row has, if a table of that width may be read."""
    first = _ROW.search(table.plain)
    row = b"1" if first is None else first.group()
    width = row.count(b",") + 1 if b"," in row else len(row.split())
    limit = min(table.bounds.columns, table.bounds.unpacked_bytes // (_BYTES_PER_CELL * max(n, 1)))
    if width > limit:
        raise table.error(
            f"There are {width:,} columns, and at most {limit:,} are read.",
            "Leave some out, or set MPGK_MAX_COLUMNS and MPGK_MAX_UNPACKED_BYTES to more.",
        )
    return width


def _n_lines(table: Source) -> int:
    return max(table.plain.count(b"\n"), table.plain.count(b"\r")) + 1


def _wrong(table: Source, row: int, problem: str, remedy: str) -> UnreadableFileError:
    return table.error(problem, remedy, line_of_row(table.plain, row))
