"""What a regression found: predictions, errors with bootstrap intervals, calibration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_choice
from mpgk_core.evaluation.regression.spec import RegressionSpec
from mpgk_core.kernels.update import derived_seed

LEVELS = (0.5, 0.8, 0.9, 0.95)
"""Nominal shares of predictive intervals in a calibration."""

_N_SAMPLES = 1000
_GROUPS = 6


@dataclass(frozen=True, eq=False)
class RegressionResult:
    """How well one model predicts one target of graphs that it has not seen.

    Attributes
    ----------
    spec : RegressionSpec
    target, unit : str
    size, n_validation : int
        Graphs of the training and the validation part.
    test : ndarray of shape (m,)
        Graphs of the test part, as positions in the set that was given.
    actual, predicted : ndarray of shape (m,)
        In the unit of the target.
    deviation : ndarray of shape (m,) or None
        Predictive standard deviation, of a Gaussian process.
    n_vertices : ndarray of shape (m,)
        Of the test graphs.
    mean, scale : float
        Mean and standard deviation of the target in the training part: normalised errors are in
        units of this deviation.
    chosen : mapping
        Settings that were chosen on the validation part.
    validation_rmse : float
        Normalised; the smallest, so a little optimistic.
    duplicates : int
        Test graphs that are indistinguishable from a graph of the training part.
    seconds : float
        What models share counts with the first one of a run.
    """

    spec: RegressionSpec
    target: str
    unit: str
    size: int
    n_validation: int
    test: IntArray
    actual: FloatArray
    predicted: FloatArray
    deviation: FloatArray | None
    n_vertices: IntArray
    mean: float
    scale: float
    chosen: Mapping[str, Any]
    validation_rmse: float
    duplicates: int
    seconds: float

    @property
    def errors(self) -> FloatArray:
        """Predicted minus actual."""
        return self.predicted - self.actual

    @property
    def mae(self) -> float:
        """Mean absolute error, in the unit of the target."""
        return float(np.mean(np.abs(self.errors)))

    @property
    def rmse(self) -> float:
        """Root mean squared error, in the unit of the target."""
        return float(np.sqrt(np.mean(self.errors**2)))

    @property
    def normalised_mae(self) -> float:
        """Mean absolute error over the standard deviation of the target."""
        return self.mae / self.scale

    @property
    def normalised_rmse(self) -> float:
        """Root mean squared error over the standard deviation of the target."""
        return self.rmse / self.scale

    @property
    def r2(self) -> float:
        """Share of the variance of the test part that is explained; NaN where there is none."""
        total = float(np.sum((self.actual - self.actual.mean()) ** 2))
        return 1.0 - float(np.sum(self.errors**2)) / total if total > 0 else float("nan")

    def interval(self, measure: str, level: float = 0.95) -> tuple[float, float]:
        """Return a bootstrap interval of a normalised error.

        The percentiles of the error over 1,000 samples of the test part with replacement (Efron
        1979). It tells what other test graphs would have given, not other training graphs.

        Parameters
        ----------
        measure : {"mae", "rmse"}
        level : float

        Returns
        -------
        tuple of float
        """
        check_choice(measure, ("mae", "rmse"), "measure", "interval")
        samples = self._samples[0 if measure == "mae" else 1]
        low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return low, high

    @cached_property
    def _samples(self) -> tuple[FloatArray, FloatArray]:
        m = len(self.actual)
        generator = np.random.default_rng(derived_seed(0, "bootstrap", m))
        absolute = np.abs(self.errors) / self.scale
        sizes = np.sort(absolute)  # whatever the order of the graphs
        means, squares = np.empty(_N_SAMPLES), np.empty(_N_SAMPLES)
        for i in range(_N_SAMPLES):
            drawn = sizes[generator.integers(0, m, m)]
            means[i], squares[i] = drawn.mean(), np.sqrt(np.mean(drawn**2))
        return means, squares

    def by_size(self) -> list[dict[str, Any]]:
        """Return errors by the number of vertices, in at most six groups of similar size.

        Returns
        -------
        list of dict
            With ``vertices`` (a text), ``graphs``, ``MAE`` and ``RMSE`` (normalised), and
            ``bias``, the mean of predicted minus actual, normalised.
        """
        distinct = np.unique(self.n_vertices)
        if len(distinct) > _GROUPS:
            cuts = np.quantile(self.n_vertices, np.linspace(0, 1, _GROUPS + 1)[1:-1])
            edges = np.unique(np.concatenate([[distinct[0]], np.ceil(cuts)])).astype(np.int64)
        else:
            edges = distinct
        group = np.searchsorted(edges, self.n_vertices, side="right")
        rows = []
        for number in np.unique(group).tolist():
            own = group == number
            of_group, errors = self.n_vertices[own], self.errors[own] / self.scale
            low, high = int(of_group.min()), int(of_group.max())
            rows.append(
                {
                    "vertices": f"{low}" if low == high else f"{low} to {high}",
                    "graphs": int(own.sum()),
                    "MAE": float(np.mean(np.abs(errors))),
                    "RMSE": float(np.sqrt(np.mean(errors**2))),
                    "bias": float(np.mean(errors)),
                }
            )
        return rows

    def calibration(self) -> list[dict[str, float]]:
        """Return how many targets lie in predictive intervals; nothing without deviations.

        Returns
        -------
        list of dict
            ``nominal``, the share that a normal distribution promises, and ``observed``.
        """
        if self.deviation is None:
            return []
        ratios = np.abs(self.errors) / np.maximum(self.deviation, 1e-300)
        widths = [NormalDist().inv_cdf((1 + level) / 2) for level in LEVELS]
        return [
            {"nominal": level, "observed": float(np.mean(ratios <= width))}
            for level, width in zip(LEVELS, widths, strict=True)
        ]
