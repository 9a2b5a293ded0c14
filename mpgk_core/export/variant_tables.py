"""Kernels between graphs as files: of a whole set, of two graphs, and of approximations."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mpgk_core.csv_cells import csv_table
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.nystroem_quality import NystroemQuality
from mpgk_core.explain import GraphPair
from mpgk_core.export.array_files import npz, numbered_rows, texts


def set_kernels_csv(
    kernels: Mapping[str, NDArray[np.float64]], classes: Sequence[Hashable] | NDArray[np.generic]
) -> bytes:
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
    header = csv_table([["kernel", "graph", "class", *range(len(classes))]])
    return header + b"".join(
        numbered_rows(((name, g, one) for g, one in enumerate(classes)), kernel)
        for name, kernel in kernels.items()
    )


def set_kernels_npz(
    kernels: Mapping[str, NDArray[np.float64]], classes: Sequence[Hashable] | NDArray[np.generic]
) -> bytes:
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
    return npz({"classes": texts(list(classes)), **kernels})


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


def _check_sizes(kernels: Mapping[str, NDArray[np.float64]], n_graphs: int) -> None:
    for name, kernel in kernels.items():
        if kernel.shape != (n_graphs, n_graphs):
            raise InvalidParameterError(
                f"The kernel {name} has the shape {kernel.shape}, and there are {n_graphs:,} "
                "classes. Give kernels and classes of the same graphs."
            )
