"""What the SVMs learn from: kernel matrices or feature rows, one for every candidate."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from math import fsum
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array, vstack

from mpgk_core.activity import steps
from mpgk_core.arrays import FloatArray, cosine_normalised
from mpgk_core.checks import check_memory
from mpgk_core.errors import InvalidParameterError, KernelTooLargeError
from mpgk_core.evaluation.methods import (
    SHAPED,
    Candidate,
    KernelSpec,
    Shape,
    candidates,
    estimator_of,
)
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels import MessagePassingGraphKernel
from mpgk_core.kernels.graph_kernel import VARIANTS

Samples: TypeAlias = FloatArray | csr_array
"""What an SVM learns from: a kernel matrix, or sparse feature rows."""


def check_kernel(n_graphs: int, spec: KernelSpec, protocol: Protocol) -> None:
    """Raise unless the solver can use the kernel, and all kernel matrices fit into memory.

    Parameters
    ----------
    n_graphs : int
    spec : KernelSpec
    protocol : Protocol
    """
    if protocol.solver == "linear":
        _check_has_features(spec)
        return
    copies = len(candidates(spec, protocol)) + max(protocol.iterations) + 3
    check_memory(
        copies * 8 * n_graphs**2,
        f"Choosing among the kernel matrices of {n_graphs} graphs",
        "Use solver='linear', or fewer graphs, iterations or levels.",
    )


class IndefiniteMatrixWarning(UserWarning):
    """A kernel matrix of the user's has negative eigenvalues."""


def checked_matrix(matrix: Any, n_graphs: int, protocol: Protocol) -> FloatArray:
    """Return a kernel matrix that the user has made, or raise where it is none.

    Parameters
    ----------
    matrix : array-like of shape (N, N)
        Finite, and symmetric within rounding; of two entries that differ by rounding, the mean is
        taken. It is not normalised. If the smallest eigenvalue is below zero by more than
        rounding, a warning says so: an SVM on it has no guarantee to find the best solution.
    n_graphs : int
        The number N.
    protocol : Protocol
        Learns from kernel matrices, of all graphs: the matrix cannot be made anew in a fold.

    Returns
    -------
    ndarray of shape (N, N)

    Examples
    --------
    >>> checked_matrix([[1, 0], [0, 1]], 2, Protocol()).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    check_can_be_fixed(protocol)
    found = symmetric_matrix(matrix, n_graphs)
    problem = indefinite_words(found)
    if problem:
        warnings.warn(problem, IndefiniteMatrixWarning, stacklevel=2)
    return found


def check_can_be_fixed(protocol: Protocol) -> None:
    """Raise unless kernels may be learnt from all graphs, as a given matrix is, and need no map."""
    if protocol.inductive or protocol.solver == "linear":
        setting = "inductive=True" if protocol.inductive else "solver='linear'"
        raise InvalidParameterError(
            f"A kernel matrix of one's own cannot be combined with {setting}: it is fixed, and has "
            "no features. Leave one of them out."
        )


def symmetric_matrix(matrix: Any, n_graphs: int) -> FloatArray:
    """Return a kernel matrix as :func:`checked_matrix` does, without a look at its eigenvalues."""
    try:
        given = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidParameterError(
            f"The kernel matrix does not hold numbers ({error}). Give real numbers."
        ) from error
    if given.shape != (n_graphs, n_graphs):
        raise InvalidParameterError(
            f"The kernel matrix has shape {given.shape}, and there are {n_graphs} graphs. Give a "
            "square matrix with a row and a column for every graph."
        )
    if not np.all(np.isfinite(given)):
        row, column = np.argwhere(~np.isfinite(given))[0].tolist()
        raise InvalidParameterError(
            f"The kernel matrix holds {given[row, column]} in row {row}, column {column}, counted "
            "from 0. Replace what is not a finite number."
        )
    largest = float(np.abs(given).max(initial=0.0))
    gaps = np.abs(given - given.T)
    if gaps.max(initial=0.0) > _ROUNDING * largest:
        row, column = np.unravel_index(int(gaps.argmax()), gaps.shape)
        raise InvalidParameterError(
            f"The kernel matrix is not symmetric: entry ({row}, {column}) is "
            f"{given[row, column]:g} and entry ({column}, {row}) is {given[column, row]:g}, "
            "counted from 0. Give k(x, y) = k(y, x)."
        )
    return (given + given.T) / 2


def indefinite_words(matrix: FloatArray) -> str:
    """Say that a symmetric matrix has eigenvalues below zero; empty if only by rounding.

    Examples
    --------
    >>> indefinite_words(np.array([[0.0, 1.0], [1.0, 0.0]])).partition(":")[2][:32]
    ' its smallest eigenvalue is -1. '
    >>> indefinite_words(np.eye(2))
    ''
    """
    n = len(matrix)
    smallest = float(np.linalg.eigvalsh(matrix)[0]) if n else 0.0
    if smallest >= -_ROUNDING * n * float(np.abs(matrix).max(initial=0.0)):
        return ""
    return (
        f"The kernel matrix is not positive semidefinite: its smallest eigenvalue is "
        f"{smallest:.3g}. An SVM on it may stop at a solution that is not the best."
    )


_ROUNDING = 1e-8


def kernel_samples(
    spec: KernelSpec,
    choices: Sequence[Candidate],
    solver: str,
    train: GraphSet,
    test: GraphSet | None = None,
) -> list[Samples]:
    """Return what an SVM learns from: one matrix for every candidate.

    Parameters
    ----------
    spec : KernelSpec
    choices : sequence of Candidate
    solver : {"kernel", "linear"}
    train : GraphSet
        The graphs from which features and trees are learnt.
    test : GraphSet, optional
        Further graphs, whose rows follow those of the training graphs.

    Returns
    -------
    list of kernel matrices or, for the linear solver, of sparse feature rows
        In the order of the candidates.
    """
    if solver == "linear":
        return [feature_rows(spec, candidate, train, test) for candidate in choices]
    if test is None:
        found = matrices_of(spec, choices, train)
        return [found[candidate] for candidate in choices]
    return list(cross_matrices(spec, choices, train, test))


def square_matrices(spec: KernelSpec, protocol: Protocol, graphs: GraphSet) -> list[FloatArray]:
    """Return the kernel between all graphs for every candidate.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol
    graphs : GraphSet

    Returns
    -------
    list of ndarray of shape (N, N)
        In the order of :func:`candidates`.
    """
    choices = candidates(spec, protocol)
    found = matrices_of(spec, choices, graphs)
    return [found[candidate] for candidate in choices]


def square_matrix(spec: KernelSpec, candidate: Candidate, graphs: GraphSet) -> FloatArray:
    """Return the kernel between all graphs for one candidate.

    Parameters
    ----------
    spec : KernelSpec
    candidate : Candidate
    graphs : GraphSet

    Returns
    -------
    ndarray of shape (N, N)
    """
    return matrices_of(spec, [candidate], graphs)[candidate]


def matrices_of(
    spec: KernelSpec, choices: Sequence[Candidate], graphs: GraphSet
) -> dict[Candidate, FloatArray]:
    """Return the kernel between all graphs for some candidates.

    Candidates that differ in T, in the use of the rounds and in their shape share one run of the
    kernel.

    Parameters
    ----------
    spec : KernelSpec
    choices : sequence of Candidate
    graphs : GraphSet

    Returns
    -------
    dict from Candidate to ndarray of shape (N, N)
        With lengths one, or shaped as the candidate says.
    """
    if spec.method == "WWL":
        return dict(zip(choices, _of_common_distances(spec, choices, graphs), strict=True))
    what = f"{spec.method}: kernels of {len(graphs):,} graphs"
    if spec.method not in SHAPED:
        every = steps(choices, what)
        return {one: estimator_of(spec, one).fit_transform(graphs) for one in every}
    found: dict[Candidate, FloatArray] = {}
    if spec.method not in VARIANTS:
        runs = {one: (one.T, spec.groups[one.setting]) for one in choices}
        for run in steps(dict.fromkeys(runs.values()), what):
            alike = [one for one in choices if runs[one] == run]
            kernel = estimator_of(spec, alike[0]).set_params(normalize=False)
            matrix = kernel.fit_transform(graphs)
            for one in alike:
                found[one] = shaped(matrix, matrix.diagonal(), spec.shape(one.setting))
        return found
    for group in steps(dict.fromkeys(spec.groups[one.setting] for one in choices), what):
        found |= _rounds(
            spec, [one for one in choices if spec.groups[one.setting] == group], graphs
        )
    return found


def cross_matrices(
    spec: KernelSpec, choices: Sequence[Candidate], train: GraphSet, test: GraphSet
) -> list[FloatArray]:
    """Learn from the training graphs alone, and compare all graphs with them.

    Parameters
    ----------
    spec : KernelSpec
    choices : sequence of Candidate
    train, test : GraphSet
        n and m graphs.

    Returns
    -------
    list of ndarray of shape (n + m, n)
        Rows of the training graphs first; in the order of the candidates.
    """
    matrices = []
    what = f"{spec.method}: kernels of {len(train):,} training and {len(test):,} test graphs"
    if spec.method == "WWL":
        squares = _of_common_distances(spec, choices, train)
        blocks = _of_common_distances(spec, choices, train, test)
        return [np.concatenate(parts) for parts in zip(squares, blocks, strict=True)]
    for candidate in steps(choices, what):
        kernel, shape = estimator_of(spec, candidate), spec.shape(candidate.setting)
        has_shape = spec.method in SHAPED and shape != Shape()
        if has_shape:
            kernel.set_params(normalize=False)
        square = kernel.fit_transform(train)
        rows = np.concatenate([square, kernel.transform(test)])
        if has_shape:
            own = np.concatenate([square.diagonal(), kernel.squared_lengths(test)])
            rows = shaped(rows, own, shape)
        matrices.append(rows)
    return matrices


def shaped(kernel: FloatArray, own: FloatArray, shape: Shape) -> FloatArray:
    """Return a kernel matrix as an SVM learns from it.

    Parameters
    ----------
    kernel : ndarray of shape (m, n)
        The first n rows belong to the n training graphs, which the columns are.
    own : ndarray of shape (m,)
        The kernel of every graph with itself.
    shape : Shape

    Returns
    -------
    ndarray of shape (m, n)
        The median and the mean that it divides by are those of the training graphs, and exact,
        so they do not depend on the order of graphs.

    Examples
    --------
    >>> kernel = np.array([[4.0, 0.0], [0.0, 1.0]])
    >>> shaped(kernel, kernel.diagonal(), Shape(normalize=False)).tolist()
    [[1.6, 0.0], [0.0, 0.4]]
    >>> shaped(kernel, kernel.diagonal(), Shape(gaussian=1.0)).round(3).tolist()
    [[1.0, 0.368], [0.368, 1.0]]
    """
    n = kernel.shape[1]
    if shape.normalize:
        kernel = cosine_normalised(kernel, own, own[:n])
        own = (own > 0).astype(np.float64)
    else:
        mean = fsum(own[:n].tolist()) / max(n, 1)
        kernel, own = kernel / (mean or 1.0), own / (mean or 1.0)
    if shape.gaussian is None:
        return kernel
    distances = np.maximum(own[:, np.newaxis] + own[:n] - 2 * kernel, 0.0)
    apart = distances[:n][distances[:n] > _SAME_POINT * max(float(own[:n].max(initial=0)), 1e-300)]
    scale = float(np.median(apart)) if len(apart) else 1.0
    distances *= -shape.gaussian / scale
    return np.exp(distances, out=distances)


_SAME_POINT = 1e-12
"""Squared distances below this share of the largest squared length are rounding errors."""


def feature_rows(
    spec: KernelSpec, candidate: Candidate, train: GraphSet, test: GraphSet | None = None
) -> csr_array:
    """Return explicit features of length one; their products are the kernel.

    Parameters
    ----------
    spec : KernelSpec
    candidate : Candidate
    train : GraphSet
        Graphs to learn from.
    test : GraphSet, optional
        Further graphs; what only they have is left out of their rows.

    Returns
    -------
    csr_array of shape (number of graphs, number of features)
        Rows of the training graphs first.
    """
    _check_has_features(spec)
    kernel = estimator_of(spec, candidate)
    rows: csr_array = kernel.fit(train).fitted_features()
    if test is not None:
        rows = vstack([rows, kernel.feature_map(test)], format="csr")
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    data = rows.data * np.repeat(scale, np.diff(rows.indptr))
    return _with_narrow_indices(csr_array((data, rows.indices, rows.indptr), rows.shape), spec)


def _check_has_features(spec: KernelSpec) -> None:
    """Raise unless the kernel has explicit features, which the linear solver needs."""
    if not hasattr(estimator_of(spec, Candidate(1, "last")), "feature_map"):
        raise InvalidParameterError(
            f"The kernel {spec.method!r} has no explicit features. Use solver='kernel', or leave "
            "this kernel out."
        )


def _with_narrow_indices(rows: csr_array, spec: KernelSpec) -> csr_array:
    """Return the rows with indices of 32 bits, which is all that the linear SVM can read."""
    if max(rows.nnz, rows.shape[1]) > np.iinfo(np.int32).max:
        raise KernelTooLargeError(
            f"The explicit features of the kernel {spec.method!r} have {rows.nnz:,} entries, more "
            "than the linear SVM can take. Use fewer graphs, iterations or levels."
        )
    rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return rows


def _rounds(
    spec: KernelSpec, choices: Sequence[Candidate], graphs: GraphSet
) -> Iterator[tuple[Candidate, FloatArray]]:
    """Give the kernels of candidates of one group from one run."""
    kernel = MessagePassingGraphKernel(
        spec.method,
        n_iterations=max(one.T or 0 for one in choices),
        normalize=False,
        **spec.kernel_parameters(choices[0].setting),
    )
    matrices = kernel.kernels_at_all_t(graphs)
    total = np.zeros_like(matrices[0])
    for t, matrix in enumerate(matrices):
        total += matrix
        for one in choices:
            if t == one.T:
                chosen = matrix if one.levels == "last" else total
                yield one, shaped(chosen, chosen.diagonal(), spec.shape(one.setting))


def _of_common_distances(
    spec: KernelSpec, choices: Sequence[Candidate], train: GraphSet, test: GraphSet | None = None
) -> list[FloatArray]:
    """Return Wasserstein kernels; those that differ in λ alone share the distances."""
    found: dict[Candidate, FloatArray] = {}
    for candidate in choices:
        if candidate in found:
            continue
        kernel = estimator_of(spec, candidate)
        alike = {
            other: own.decay
            for other in choices
            if repr((own := estimator_of(spec, other)).unfitted(decay=kernel.decay)) == repr(kernel)
        }
        matrices = kernel.kernels(list(alike.values()), train, test)
        found.update(zip(alike, matrices, strict=True))
    return [found[candidate] for candidate in choices]
