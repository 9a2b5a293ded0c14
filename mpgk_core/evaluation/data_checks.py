"""Is this data set fit for this protocol? Asked before any long work begins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError
from mpgk_core.evaluation.gram_source import candidates, check_solver
from mpgk_core.evaluation.kernel_spec import KernelSpec
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.limits import check_memory

FEWEST_GRAPHS = 10
"""Accuracies on fewer graphs say nothing."""


def checked_classes(
    classes: Any, n_graphs: int, protocol: Protocol
) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the names of the classes and the class of every graph as a number, or raise.

    Parameters
    ----------
    classes : array-like of shape (N,)
        Numbers or text.
    n_graphs : int
        The number N.
    protocol : Protocol

    Returns
    -------
    names : tuple
        In ascending order.
    codes : ndarray of shape (N,)
        Positions in ``names``.

    Examples
    --------
    >>> names, codes = checked_classes(["b", "a"] * 5, 10, Protocol(n_folds=5, inner_folds=2))
    >>> names, codes[:4].tolist()
    (('a', 'b'), [1, 0, 1, 0])
    """
    given = list(classes) if classes is not None else []
    if len(given) != n_graphs:
        raise InvalidGraphError(
            f"There are {n_graphs} graphs and {len(given)} classes. Give every graph one class."
        )
    for g, name in enumerate(given):
        if name is None or name != name or name == "":
            raise InvalidGraphError(f"Graph {g} has no class. Give it one, or leave the graph out.")
    if n_graphs < FEWEST_GRAPHS:
        raise InvalidGraphError(
            f"There are only {n_graphs} graphs. Give at least {FEWEST_GRAPHS}: accuracies on fewer "
            "say nothing."
        )
    table, codes = np.unique(np.array(given), return_inverse=True)
    counts = np.bincount(codes)
    if len(table) < 2:
        raise InvalidGraphError(
            f"All graphs are of class {table[0]!s}. Give graphs of at least two classes."
        )
    _check_counts(table, counts, protocol)
    return tuple(table.tolist()), codes.astype(np.int64)


def check_kernel(n_graphs: int, spec: KernelSpec, protocol: Protocol) -> None:
    """Raise unless the solver can use the kernel, and all kernel matrices fit into memory.

    Parameters
    ----------
    n_graphs : int
    spec : KernelSpec
    protocol : Protocol
    """
    check_solver(spec, protocol.solver)
    if protocol.solver == "linear":
        return
    copies = len(candidates(spec, protocol)) + max(protocol.iterations) + 3
    check_memory(
        copies * 8 * n_graphs**2,
        f"Choosing among the kernel matrices of {n_graphs} graphs",
        "Use solver='linear', or fewer graphs, iterations or levels.",
    )


def _check_counts(table: NDArray[Any], counts: NDArray[np.int64], protocol: Protocol) -> None:
    rarest = int(counts.argmin())
    fewest = int(counts[rarest])
    if fewest < protocol.n_folds:
        raise InvalidGraphError(
            f"Class {table[rarest]!s} has only {fewest} graphs, fewer than the {protocol.n_folds} "
            "folds. Use fewer folds, or leave this class out."
        )
    in_training = fewest - -(-fewest // protocol.n_folds)
    if in_training < protocol.inner_folds:
        raise InvalidGraphError(
            f"Class {table[rarest]!s} has only {fewest} graphs: {in_training} remain for training, "
            f"fewer than the {protocol.inner_folds} inner folds. Use fewer inner folds, or leave "
            "this class out."
        )
