"""Numbers as files: CSV for spreadsheets, NPZ for numpy; the same numbers give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mpgk_core.automorphism import Orbits
from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.nystroem_quality import NystroemQuality
from mpgk_core.explain import GraphPair
from mpgk_core.formats.archives import packed as zipped
from mpgk_core.graphs import GraphSet
from mpgk_core.refinement import colour_refinement
from mpgk_core.text import csv_lines, csv_table, text_array

Kernels: TypeAlias = Mapping[str, NDArray[np.float64]]
"""Matrices of shape (N, N) by the names of their kernels."""

Classes: TypeAlias = Sequence[Hashable] | NDArray[np.generic]
"""One for every graph."""


def embedding_csv(graph: GraphSet, way: Trajectory, orbits: Orbits, edges: str = "ignore") -> bytes:
    """Return a table with a row for every vertex: where it lies after the last round.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    way : Trajectory
        Of its vertices.
    orbits : Orbits
        Of the graph.
    edges : str
        What colour refinement uses of edges, as by the kernels.

    Returns
    -------
    bytes
        Columns vertex, label (where there are labels), orbit, colour (of colour refinement after
        T rounds), axis_1, axis_2, ... Orbits and colours are numbered from 1.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel, orbits
    >>> from mpgk_core.embedding.trajectory import trajectory
    >>> graph = GraphSet.from_networkx(nx.path_graph(2))
    >>> way = trajectory(graph, MessagePassingNodeKernel(n_iterations=1).fit(graph))
    >>> embedding_csv(graph, way, orbits(graph)).decode().split()
    ['vertex,orbit,colour,axis_1,axis_2', '0,1,1,0.0,0.0', '1,1,1,0.0,0.0']
    """
    _check_rows(graph, len(way.class_of_vertex), "embedding")
    points = way.points[-1][way.class_of_vertex]
    labels = graph.labels
    known = {
        "vertex": graph.names,
        **({} if labels is None else {"label": labels}),
        "orbit": (orbits.of_vertex + 1).tolist(),
        "colour": (colour_refinement(graph, way.n_rounds, edges=edges) + 1).tolist(),
    }
    header = [*known, *(f"axis_{axis + 1}" for axis in range(points.shape[1]))]
    return _matrix_csv(header, zip(*known.values(), strict=True), points)


def embedding_npz(graph: GraphSet, way: Trajectory, orbits: Orbits, edges: str = "ignore") -> bytes:
    """Return arrays about every vertex in every round.

    Parameters
    ----------
    graph, way, orbits, edges
        As for :func:`embedding_csv`.

    Returns
    -------
    bytes
        Arrays ``names`` (n), ``labels`` (n, where there are labels), ``orbit`` (n), ``colour``
        (T + 1, n), ``points`` (T + 1, n, axes) and ``explained`` (T + 1, axes). Names and labels
        are text, and orbits and colours are numbered from 1.
    """
    _check_rows(graph, len(way.class_of_vertex), "embedding")
    rounds = range(way.n_rounds + 1)
    labels = graph.labels
    return npz(
        {
            "names": text_array(graph.names),
            **({} if labels is None else {"labels": text_array(labels)}),
            "orbit": orbits.of_vertex + 1,
            "colour": np.array([colour_refinement(graph, t, edges=edges) + 1 for t in rounds]),
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
    return _matrix_csv(["vertex", *names], ((name,) for name in names), kernel)


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
    return npz({"names": text_array(graph.names), "kernel": kernel})


def _check_rows(graph: GraphSet, n_rows: int, what: str) -> None:
    if n_rows != graph.n_vertices:
        raise InvalidParameterError(
            f"The {what} has {n_rows:,} rows, and the graph has {graph.n_vertices:,} vertices. "
            "Give those of the same graph."
        )


def set_kernels_csv(kernels: Kernels, classes: Classes) -> bytes:
    """Return several kernels between all pairs of graphs as one table, with all digits.

    Parameters
    ----------
    kernels : mapping of str to ndarray of shape (N, N)
        By name.
    classes : sequence of length N

    Returns
    -------
    bytes
        A row for every kernel and graph: columns kernel, graph, class, and then a column for every
        graph, numbered from 0.

    Examples
    --------
    >>> set_kernels_csv({"RR": np.eye(2)}, ["a", "b"]).decode().split()
    ['kernel,graph,class,0,1', 'RR,0,a,1.0,0.0', 'RR,1,b,0.0,1.0']
    """
    _check_sizes(kernels, len(classes))
    header = ["kernel", "graph", "class", *range(len(classes))]
    rows = ((name, g, one) for name in kernels for g, one in enumerate(classes))
    return _matrix_csv(header, rows, chain.from_iterable(kernels.values()))


def set_kernels_npz(kernels: Kernels, classes: Classes) -> bytes:
    """Return several kernels between all pairs of graphs as arrays under their names.

    Parameters
    ----------
    kernels, classes
        As for :func:`set_kernels_csv`.

    Returns
    -------
    bytes
        And the array ``classes``, of texts.
    """
    _check_sizes(kernels, len(classes))
    return npz({"classes": text_array(list(classes)), **kernels})


def similarities_csv(pairs: Mapping[str, GraphPair]) -> bytes:
    """Return what each kernel says of two graphs.

    Parameters
    ----------
    pairs : mapping of str to GraphPair
        By the name of the kernel.

    Returns
    -------
    bytes
        Columns kernel, similarity, value (before normalisation), and the two values of the graphs
        with themselves.
    """
    header = ("kernel", "similarity", "value", "first with itself", "second with itself")
    rows = [(name, one.similarity, one.value, *one.own_values) for name, one in pairs.items()]
    return csv_table([header, *rows])


def contributions_csv(pairs: Mapping[str, GraphPair]) -> bytes:
    """Return what every pair of vertices adds to the kernels of two graphs.

    Parameters
    ----------
    pairs : mapping of str to GraphPair
        By the name of the kernel.

    Returns
    -------
    bytes
        Columns kernel, vertex of the first graph, vertex of the second, what the two contribute,
        and under A the tree node at which they meet.
    """
    header = ("kernel", "first", "second", "contributes", "tree node")
    rows: list[tuple[Hashable, ...]] = []
    for name, pair in pairs.items():
        found, names = pair.contributions, pair.graphs.names
        nodes = [None] * len(found) if found.nodes is None else found.nodes.tolist()
        for left, right, value, node in zip(
            found.left.tolist(), found.right.tolist(), found.values.tolist(), nodes, strict=True
        ):
            rows.append((name, names[left], names[right], value, node))
    return csv_table([header, *rows])


def landmarks_csv(found: Sequence[NystroemQuality]) -> bytes:
    """Return how far approximations are from the exact kernel, and what they cost.

    Parameters
    ----------
    found : sequence of NystroemQuality

    Returns
    -------
    bytes
        Columns landmarks (empty for the exact kernel), error, disparity, megabytes and seconds;
        but for the seconds, they are the same on every run.
    """
    rows = [
        (one.n_landmarks, one.error, one.disparity, one.megabytes, one.seconds) for one in found
    ]
    return csv_table([("landmarks", "error", "disparity", "megabytes", "seconds"), *rows])


def _check_sizes(kernels: Kernels, n_graphs: int) -> None:
    for name, kernel in kernels.items():
        if kernel.shape != (n_graphs, n_graphs):
            raise InvalidParameterError(
                f"The kernel {name} has the shape {kernel.shape}, and there are {n_graphs:,} "
                "classes. Give kernels and classes of the same graphs."
            )


def _matrix_csv(
    header: Sequence[Hashable],
    rows: Iterable[Iterable[Hashable]],
    numbers: Iterable[NDArray[np.float64]],
) -> bytes:
    return csv_table([header]) + b"".join(csv_lines(rows, numbers))


def npz(arrays: dict[str, NDArray[Any]]) -> bytes:
    """Return arrays as a file for ``numpy.load``; the same arrays give the same bytes.

    Parameters
    ----------
    arrays : dict of str to ndarray

    Returns
    -------
    bytes
    """
    return zipped({f"{name}.npy": npy(array) for name, array in arrays.items()})


def npy(array: NDArray[Any]) -> bytes:
    """Return one array as a file for ``numpy.load``."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
