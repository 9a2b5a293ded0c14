"""Embedding and kernel as files: CSV for spreadsheets, NPZ for numpy; same numbers, same bytes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core.automorphism import Orbits
from mpgk_core.csv_cells import csv_table
from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.export.array_files import npz, numbered_rows, texts
from mpgk_core.graphs import GraphSet
from mpgk_core.refinement import colour_refinement


def embedding_csv(graph: GraphSet, way: Trajectory, orbits: Orbits) -> bytes:
    """Return a table with a row for every vertex: where it lies after the last round.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    way : Trajectory
        Of its vertices.
    orbits : Orbits
        Of the graph.

    Returns
    -------
    bytes
        Columns vertex, label (where there are labels), orbit, colour (of colour refinement after
        T rounds), axis_1, axis_2, ... All classes are numbered from 0.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel, orbits
    >>> from mpgk_core.embedding.trajectory import trajectory
    >>> graph = GraphSet.from_networkx(nx.path_graph(2))
    >>> way = trajectory(graph, MessagePassingNodeKernel(n_iterations=1).fit(graph))
    >>> embedding_csv(graph, way, orbits(graph)).decode().split()
    ['vertex,orbit,colour,axis_1,axis_2', '0,0,0,0.0,0.0', '1,0,0,0.0,0.0']
    """
    _check_rows(graph, len(way.class_of_vertex), "embedding")
    points = way.points[-1][way.class_of_vertex]
    labels = graph.labels
    known = {
        "vertex": graph.names,
        **({} if labels is None else {"label": labels}),
        "orbit": orbits.of_vertex.tolist(),
        "colour": colour_refinement(graph, way.n_rounds).tolist(),
    }
    header = [*known, *(f"axis_{axis + 1}" for axis in range(points.shape[1]))]
    return csv_table([header]) + numbered_rows(zip(*known.values(), strict=True), points)


def embedding_npz(graph: GraphSet, way: Trajectory, orbits: Orbits) -> bytes:
    """Return arrays about every vertex in every round.

    Parameters
    ----------
    graph, way, orbits
        As for :func:`embedding_csv`.

    Returns
    -------
    bytes
        Arrays ``names`` (n), ``labels`` (n, where there are labels), ``orbit`` (n), ``colour``
        (T + 1, n), ``points`` (T + 1, n, axes) and ``explained`` (T + 1, axes). Names and labels
        are text.
    """
    _check_rows(graph, len(way.class_of_vertex), "embedding")
    rounds = range(way.n_rounds + 1)
    labels = graph.labels
    return npz(
        {
            "names": texts(graph.names),
            **({} if labels is None else {"labels": texts(labels)}),
            "orbit": orbits.of_vertex,
            "colour": np.array([colour_refinement(graph, t) for t in rounds]),
            "points": way.points[:, way.class_of_vertex],
            "explained": way.explained,
        }
    )


def kernel_csv(graph: GraphSet, kernel: NDArray[np.float64]) -> bytes:
    """Return the kernel between all pairs of vertices as a table, with all digits.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    kernel : ndarray of shape (n, n)

    Returns
    -------
    bytes
        The first row and the first column name the vertices.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = GraphSet.from_networkx(nx.Graph([("a", "=b")]))
    >>> kernel_csv(graph, np.eye(2)).decode().split()
    ["vertex,a,'=b", 'a,1.0,0.0', "'=b,0.0,1.0"]
    """
    _check_rows(graph, len(kernel), "kernel")
    names = graph.names
    return csv_table([["vertex", *names]]) + numbered_rows(((name,) for name in names), kernel)


def kernel_npz(graph: GraphSet, kernel: NDArray[np.float64]) -> bytes:
    """Return the kernel between all pairs of vertices as arrays ``names`` and ``kernel``.

    Parameters
    ----------
    graph, kernel
        As for :func:`kernel_csv`.

    Returns
    -------
    bytes

    Examples
    --------
    >>> import io
    >>> import networkx as nx
    >>> content = kernel_npz(GraphSet.from_networkx(nx.path_graph(2)), np.eye(2))
    >>> np.load(io.BytesIO(content))["kernel"].tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    _check_rows(graph, len(kernel), "kernel")
    return npz({"names": texts(graph.names), "kernel": kernel})


def _check_rows(graph: GraphSet, n_rows: int, what: str) -> None:
    if n_rows != graph.n_vertices:
        raise InvalidParameterError(
            f"The {what} has {n_rows:,} rows, and the graph has {graph.n_vertices:,} vertices. "
            "Give those of the same graph."
        )
