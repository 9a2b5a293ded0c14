"""What the SVMs learn from: kernel matrices or feature rows, one for every candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array, vstack

from mpgk_core.arrays import FloatArray, cosine_normalised
from mpgk_core.checks import check_memory
from mpgk_core.errors import InvalidParameterError, KernelTooLargeError
from mpgk_core.evaluation.methods import Candidate, KernelSpec, candidates, estimator_of
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


def kernel_samples(
    spec: KernelSpec, protocol: Protocol, train: GraphSet, test: GraphSet | None = None
) -> list[Samples]:
    """Return what an SVM learns from: one matrix for every candidate.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol
    train : GraphSet
        The graphs from which features and trees are learnt.
    test : GraphSet, optional
        Further graphs, whose rows follow those of the training graphs.

    Returns
    -------
    list of kernel matrices or, for the linear solver, of sparse feature rows
        In the order of :func:`candidates`.
    """
    choices = candidates(spec, protocol)
    if protocol.solver == "linear":
        return [feature_rows(spec, candidate, train, test) for candidate in choices]
    if test is None:
        return list(square_matrices(spec, protocol, train))
    return list(cross_matrices(spec, protocol, train, test))


def square_matrices(spec: KernelSpec, protocol: Protocol, graphs: GraphSet) -> list[FloatArray]:
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
    choices = candidates(spec, protocol)
    if spec.method == "WWL":
        return _of_common_distances(spec, choices, graphs)
    if spec.method not in VARIANTS:
        return [square_matrix(spec, candidate, graphs) for candidate in choices]
    found: dict[Candidate, FloatArray] = {}
    for setting in range(len(spec.settings)):
        found.update(_rounds(spec, setting, protocol, graphs))
    return [found[candidate] for candidate in choices]


def square_matrix(spec: KernelSpec, candidate: Candidate, graphs: GraphSet) -> FloatArray:
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
    matrix: FloatArray = estimator_of(spec, candidate).fit_transform(graphs)
    return matrix


def cross_matrices(
    spec: KernelSpec, protocol: Protocol, train: GraphSet, test: GraphSet
) -> list[FloatArray]:
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
    if spec.method == "WWL":
        choices = candidates(spec, protocol)
        squares = _of_common_distances(spec, choices, train)
        blocks = _of_common_distances(spec, choices, train, test)
        return [np.concatenate(parts) for parts in zip(squares, blocks, strict=True)]
    for candidate in candidates(spec, protocol):
        kernel = estimator_of(spec, candidate)
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
    spec: KernelSpec, setting: int, protocol: Protocol, graphs: GraphSet
) -> Iterator[tuple[Candidate, FloatArray]]:
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
