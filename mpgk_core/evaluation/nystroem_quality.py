"""How good the paper's landmark approximation is, and what it saves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.embedding.kernel_pca import kernel_pca
from mpgk_core.embedding.procrustes import procrustes
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels import MessagePassingGraphKernel
from mpgk_core.parameters import check_whole

__all__ = ["NystroemQuality", "nystroem_quality"]


@dataclass(frozen=True, eq=False)
class NystroemQuality:
    """One approximation, or the exact kernel.

    Attributes
    ----------
    n_landmarks : int or None
        None for the exact kernel.
    error : float
        ‖K̃ - K‖ / ‖K‖ in the Frobenius norm, both with lengths one.
    seconds : float
        For fitting and the matrix.
    megabytes : float
        Of the sparse feature rows of the graphs.
    points : ndarray of shape (N, 2)
        The kernel-PCA plane, laid on that of the exact kernel.
    disparity : float
        Share of the exact plane's spread that this one misses.
    """

    n_landmarks: int | None
    error: float
    seconds: float
    megabytes: float
    points: NDArray[np.float64]
    disparity: float


def nystroem_quality(
    graphs: GraphSet, landmarks: Sequence[int], variant: str = "AA", **parameters: Any
) -> Iterator[NystroemQuality]:
    """Compare approximations with the exact kernel, which comes first.

    Parameters
    ----------
    graphs : GraphSet
    landmarks : sequence of int
        Numbers of landmarks to try.
    variant : {"RR", "RA", "AR", "AA"}
    **parameters
        Of :class:`~mpgk_core.kernels.MessagePassingGraphKernel`.

    Yields
    ------
    NystroemQuality
        One for the exact kernel, then one for each number of landmarks.

    Examples
    --------
    >>> from mpgk_core.evaluation import generate
    >>> graphs = generate("rings", 5).graphs
    >>> exact, *others = nystroem_quality(graphs, [2, 500], n_iterations=2)
    >>> exact.error, others[0].error > others[1].error
    (0.0, True)
    """
    for n in landmarks:
        check_whole(n, 1, "landmarks", "nystroem_quality")
    exact: NDArray[np.float64] | None = None
    target: NDArray[np.float64] | None = None
    for n_landmarks in (None, *landmarks):
        kernel = MessagePassingGraphKernel(
            variant,
            approximation=None if n_landmarks is None else "nystroem",
            n_landmarks=n_landmarks or 1,
            **parameters,
        )
        begin = perf_counter()
        matrix = kernel.fit_transform(graphs)
        seconds = perf_counter() - begin
        rows = kernel.fitted_features()
        points = kernel_pca(matrix, n_components=2).points
        exact = matrix if exact is None else exact
        target = points if target is None else target
        laid = procrustes(points, target)
        yield NystroemQuality(
            n_landmarks,
            float(np.linalg.norm(matrix - exact) / np.linalg.norm(exact)),
            seconds,
            (rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes) / 1e6,
            laid.points,
            laid.disparity,
        )
