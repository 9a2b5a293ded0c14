"""How good the paper's landmark approximation is, and what it saves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_whole
from mpgk_core.embedding.kernel_pca import kernel_pca
from mpgk_core.embedding.trajectory import procrustes
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Task, Unit, run_key
from mpgk_core.kernels import MessagePassingGraphKernel


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
    points: FloatArray
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
    task = LandmarkTask(graphs, tuple(landmarks), variant, parameters)
    memory: dict[Any, Any] = {}
    for unit in task.units():
        yield from task.qualities({unit: task.run(unit, memory)})


@dataclass(frozen=True, eq=False)
class LandmarkTask(Task):
    """Approximations beside the exact kernel; a unit is one of them.

    Attributes
    ----------
    graphs : GraphSet
    landmarks : tuple of int
        Numbers of landmarks to try.
    variant : {"RR", "RA", "AR", "AA"}
    parameters : mapping
        Of :class:`~mpgk_core.kernels.MessagePassingGraphKernel`.
    """

    graphs: GraphSet
    landmarks: tuple[int, ...]
    variant: str
    parameters: Mapping[str, Any]

    kind = "landmarks"
    unit_name = "kernels"

    def units(self) -> list[Unit]:
        """Return the exact kernel, as 0 landmarks, and the approximations."""
        for n in self.landmarks:
            check_whole(n, 1, "landmarks", "nystroem_quality")
        return [Unit(self._run_key, str(n)) for n in (0, *self.landmarks)]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> list[Any]:
        """Return error, seconds, megabytes, points and disparity."""
        if "exact" not in memory:
            memory["exact"] = self._made(0)
        exact, target, *_ = memory["exact"]
        n_landmarks = int(unit.place)
        matrix, points, seconds, megabytes = (
            self._made(n_landmarks) if n_landmarks else memory["exact"]
        )
        laid = procrustes(points, target)
        error = float(np.linalg.norm(matrix - exact) / np.linalg.norm(exact))
        return [error, seconds, megabytes, laid.points.tolist(), laid.disparity]

    def qualities(self, results: Mapping[Unit, Any]) -> list[NystroemQuality]:
        """Return what is known, the exact kernel first.

        Parameters
        ----------
        results : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        list of NystroemQuality
        """
        return [
            NystroemQuality(
                int(unit.place) or None, error, seconds, megabytes, np.array(points), disparity
            )
            for unit in self.units()
            if unit in results
            for error, seconds, megabytes, points, disparity in [results[unit]]
        ]

    def _made(self, n_landmarks: int) -> tuple[FloatArray, FloatArray, float, float]:
        kernel = MessagePassingGraphKernel(
            self.variant,
            approximation="nystroem" if n_landmarks else None,
            n_landmarks=n_landmarks or 1,
            **self.parameters,
        )
        begin = perf_counter()
        matrix = kernel.fit_transform(self.graphs)
        seconds = perf_counter() - begin
        rows = kernel.fitted_features()
        megabytes = (rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes) / 1e6
        return matrix, kernel_pca(matrix, n_components=2).points, seconds, megabytes

    @cached_property
    def _run_key(self) -> str:
        return run_key("landmarks", self.graphs, self.variant, self.parameters)
