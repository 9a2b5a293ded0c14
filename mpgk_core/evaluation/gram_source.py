"""Kernel matrices of all candidates, computed once for all folds, or per fold without leaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from mpgk_core.errors import InvalidParameterError, KernelTooLargeError
from mpgk_core.evaluation.graph_size import GraphSizeKernel
from mpgk_core.evaluation.kernel_spec import VARIANTS, Candidate, KernelSpec
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.shortest_paths import ShortestPathKernel
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels import (
    MessagePassingGraphKernel,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)
from mpgk_core.kernels.normalisation import cosine_normalised


def candidates(spec: KernelSpec, protocol: Protocol) -> list[Candidate]:
    """List the kernels to choose from; among equally good ones, the first is taken.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol

    Returns
    -------
    list of Candidate

    Examples
    --------
    >>> candidates(KernelSpec.of("WL"), Protocol(iterations=(1, 2)))
    [Candidate(T=1, levels=None, setting=0), Candidate(T=2, levels=None, setting=0)]
    """
    settings = range(len(spec.settings))
    if spec.method in VARIANTS:
        rounds: list[tuple[int | None, str | None]] = [
            (T, level) for T in protocol.iterations for level in protocol.levels
        ]
    elif spec.method in ("WL", "WL-OA"):
        rounds = [(T, None) for T in protocol.iterations]
    else:
        rounds = [(None, None)]
    return [Candidate(T, level, setting) for T, level in rounds for setting in settings]


def square_matrices(
    spec: KernelSpec, protocol: Protocol, graphs: GraphSet
) -> list[NDArray[np.float64]]:
    """Return the kernel between all graphs, with lengths one, for every candidate.

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
    found: dict[Candidate, NDArray[np.float64]] = {}
    for setting in range(len(spec.settings)):
        if spec.method in VARIANTS:
            found.update(_rounds(spec, setting, protocol, graphs))
            continue
        for candidate in candidates(spec, protocol):
            if candidate.setting == setting:
                found[candidate] = square_matrix(spec, candidate, graphs)
    return [found[candidate] for candidate in candidates(spec, protocol)]


def square_matrix(spec: KernelSpec, candidate: Candidate, graphs: GraphSet) -> NDArray[np.float64]:
    """Return the kernel between all graphs, with lengths one, for one candidate.

    Parameters
    ----------
    spec : KernelSpec
    candidate : Candidate
    graphs : GraphSet

    Returns
    -------
    ndarray of shape (N, N)
    """
    matrix: NDArray[np.float64] = _estimator(spec, candidate).fit_transform(graphs)
    return matrix


def check_solver(spec: KernelSpec, solver: str) -> None:
    """Raise unless the kernel has what the solver needs.

    Parameters
    ----------
    spec : KernelSpec
    solver : {"kernel", "linear"}
    """
    if solver == "linear" and not hasattr(_estimator(spec, Candidate(1, "last")), "feature_map"):
        raise InvalidParameterError(
            f"The kernel {spec.method!r} has no explicit features. Use solver='kernel', or leave "
            "this kernel out."
        )


def cross_matrices(
    spec: KernelSpec, protocol: Protocol, train: GraphSet, test: GraphSet
) -> list[NDArray[np.float64]]:
    """Learn from the training graphs alone, and compare all graphs with them.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol
    train, test : GraphSet
        n and m graphs.

    Returns
    -------
    list of ndarray of shape (n + m, n)
        Rows of the training graphs first; in the order of :func:`candidates`.
    """
    matrices = []
    for candidate in candidates(spec, protocol):
        kernel = _estimator(spec, candidate)
        square = kernel.fit_transform(train)
        matrices.append(np.concatenate([square, kernel.transform(test)]))
    return matrices


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
    check_solver(spec, "linear")
    kernel = _estimator(spec, candidate)
    rows: csr_array = kernel.fit(train).fitted_features()
    if test is not None:
        rows = vstack([rows, kernel.feature_map(test)], format="csr")
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    data = rows.data * np.repeat(scale, np.diff(rows.indptr))
    return _with_narrow_indices(csr_array((data, rows.indices, rows.indptr), rows.shape), spec)


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
    spec: KernelSpec, setting: int, protocol: Protocol, graphs: GraphSet
) -> Iterator[tuple[Candidate, NDArray[np.float64]]]:
    """Give the kernels of all rounds from one run, alone and summed up."""
    kernel = MessagePassingGraphKernel(
        spec.method,
        n_iterations=max(protocol.iterations),
        normalize=False,
        **spec.parameters(setting),
    )
    matrices = kernel.kernels_at_all_t(graphs)
    total = np.zeros_like(matrices[0])
    for t, matrix in enumerate(matrices):
        total += matrix
        if t not in protocol.iterations:
            continue
        for level in protocol.levels:
            chosen = matrix if level == "last" else total
            lengths = chosen.diagonal()
            yield Candidate(t, level, setting), cosine_normalised(chosen, lengths, lengths)


def _estimator(spec: KernelSpec, candidate: Candidate) -> Any:
    parameters = spec.parameters(candidate.setting)
    if spec.method in VARIANTS:
        levels = "all" if candidate.levels == "sum" else "last"
        return MessagePassingGraphKernel(
            spec.method, n_iterations=candidate.T or 0, levels=levels, **parameters
        )
    if spec.method == "WL-OA":
        return WeisfeilerLehmanOptimalAssignment(candidate.T or 0, **parameters)
    if spec.method in ("WL", "VH"):
        return WeisfeilerLehmanSubtree(candidate.T or 0, **parameters)
    if spec.method == "SP":
        return ShortestPathKernel(**parameters)
    return GraphSizeKernel(**parameters)
