"""What a regression found: predictions, errors with bootstrap intervals, calibration, and tables.

What our Table 2 fixes, by one rule for all targets, is in ``TABLE2_LABELS`` and ``TABLE2_MODELS``:
AA, WL and shortest paths with the elements and hybridisations of atoms, hydrogens too, as labels
and bonds as labels of edges. Everything else is chosen on the validation part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_choice
from mpgk_core.evaluation.paper_table import MeanAndSpread, PaperCell, PaperTable
from mpgk_core.evaluation.published import PUBLISHED_TABLE2
from mpgk_core.evaluation.regression.spec import RegressionSpec
from mpgk_core.evaluation.tables import as_csv
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


TABLE2_LABELS = ("element", "hybridisation")
"""What makes the label of an atom in our Table 2."""

_KERNELS = ("AA", "WL", "SP")
_KERNEL = {"n_iterations": 2, "edges": "labels", "features": "labels"}
_PAPERS_KERNEL = {"n_iterations": 4, "features": "labels"}
_WIDTH = [1.5]
_BATCH = 512  # the paper names none; with few molecules in a step, memory takes most of the time
_MEASURES = ("MAE", "RMSE")

TABLE2_MODELS: Mapping[str, RegressionSpec] = {
    "linear-counts": RegressionSpec.of("linear-counts"),
    "boosting-counts": RegressionSpec.of("boosting-counts"),
    "network": RegressionSpec.of("network", "AA", kernel_parameters=_PAPERS_KERNEL, batch=_BATCH),
    "ridge": RegressionSpec.of("ridge", _KERNELS, kernel_parameters=_KERNEL),
    "composition-ridge": RegressionSpec.of(
        "ridge", _KERNELS, composition=True, kernel_parameters=_KERNEL | {"n_iterations": 3}
    ),
    "composition-kernel": RegressionSpec.of(
        "kernel-ridge",
        _KERNELS,
        composition=True,
        kernel_parameters=_KERNEL,
        widths=_WIDTH,
        n_landmarks=6000,
    ),
    "composition-process": RegressionSpec.of(
        "gaussian-process",
        _KERNELS,
        composition=True,
        kernel_parameters=_KERNEL,
        widths=_WIDTH,
        n_landmarks=2000,
    ),
}
"""The models of our Table 2 by their keys; "network" is the paper's recipe."""


def regression_rows(results: Sequence[RegressionResult]) -> list[dict[str, Any]]:
    """Return one row for every result.

    Parameters
    ----------
    results : sequence of RegressionResult

    Returns
    -------
    list of dict
        Errors in the unit of the target; "normalised" over its standard deviation, with 95 %
        bootstrap intervals.
    """
    rows = []
    for one in results:
        low, high = one.interval("mae")
        least, most = one.interval("rmse")
        chosen = ", ".join(f"{key} {_short(value)}" for key, value in one.chosen.items())
        rows.append(
            {
                "target": one.target,
                "unit": one.unit,
                "model": one.spec.title,
                "training graphs": one.size,
                "test graphs": len(one.test),
                "MAE": _short(one.mae),
                "RMSE": _short(one.rmse),
                "normalised MAE": round(one.normalised_mae, 4),
                "MAE interval": f"{low:.4f} to {high:.4f}",
                "normalised RMSE": round(one.normalised_rmse, 4),
                "RMSE interval": f"{least:.4f} to {most:.4f}",
                "R2": round(one.r2, 4),
                "chosen": chosen,
                "duplicates": one.duplicates,
                "seconds": round(one.seconds, 1),
            }
        )
    return rows


def _short(value: Any) -> Any:
    return f"{value:.4g}" if isinstance(value, float) else value


def regression_markdown(results: Sequence[RegressionResult]) -> str:
    """Return the rows as a Markdown table, with what holds for all of them below."""
    rows = regression_rows(results)
    if not rows:
        return "No results yet.\n"
    lines = [f"| {' | '.join(rows[0])} |", f"|{'---|' * len(rows[0])}"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row.values())} |" for row in rows]
    return "\n".join([*lines, "", " ".join(remarks(results)), ""])


def _cell(value: Any) -> str:
    return str(value).replace("|", r"\|").replace("\n", " ")


def regression_csv(results: Sequence[RegressionResult]) -> str:
    """Return the rows as comma-separated values."""
    return as_csv(regression_rows(results))


def regression_latex(results: Sequence[RegressionResult]) -> str:
    """Return normalised errors as LaTeX: models in rows, targets in columns."""
    return _paper_table(results, {}).latex()


def prediction_rows(result: RegressionResult, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return one row for every test graph, with the deviation where the model knows it.

    Parameters
    ----------
    result : RegressionResult
    names : sequence of str
        Of all graphs that were given.

    Returns
    -------
    list of dict
    """
    n = len(result.test)
    deviations = [""] * n if result.deviation is None else result.deviation.tolist()
    values = zip(result.test.tolist(), result.actual, result.predicted, deviations, strict=True)
    return [
        {
            "model": result.spec.title,
            "training graphs": result.size,
            "graph": graph,
            **({"name": names[graph]} if names else {}),
            "true": float(actual),
            "predicted": float(predicted),
            "deviation": deviation,
        }
        for graph, actual, predicted, deviation in values
    ]


def remarks(results: Sequence[RegressionResult]) -> list[str]:
    """Return what has to be known beside the numbers, one sentence each."""
    found = [
        "Normalised errors are in units of the target's standard deviation in the training part; "
        "intervals are 95 % bootstrap intervals over the test part."
    ]
    repeated = max((one.duplicates for one in results), default=0)
    if repeated:
        n = len(results[0].test)
        found.append(
            f"{repeated:,} of {n:,} test graphs are indistinguishable from a graph of the "
            "training part."
        )
    return found


def table2(results: Sequence[RegressionResult]) -> PaperTable:
    """Return the paper's Table 2 with our normalised errors beside all published figures.

    Parameters
    ----------
    results : sequence of RegressionResult
        Of columns of QM9.

    Returns
    -------
    PaperTable

    Examples
    --------
    >>> [(cell.row, cell.column, cell.published.mean) for cell in table2([]).cells][:2]
    [('WLGK, MAE', 'mu', 0.69), ('WLGK, MAE', 'alpha', 0.46)]
    """
    return _paper_table(results, PUBLISHED_TABLE2.errors)


def _paper_table(
    results: Sequence[RegressionResult], published: Mapping[str, Mapping[str, tuple[float, float]]]
) -> PaperTable:
    """Join our figures and published ones; the paper's own recipe is "MPGK"."""
    known, titles = PUBLISHED_TABLE2, PUBLISHED_TABLE2.titles
    ours: dict[tuple[str, str], RegressionResult] = {}
    for one in results:
        name = "MPGK" if one.spec.model == "network" and published else one.spec.title
        ours[f"{name} ({one.size:,} training graphs)", one.target] = one
    reported = dict.fromkeys(method for of in published.values() for method in of)
    targets = [*published, *dict.fromkeys(t for _, t in ours if t not in published)]
    cells = []
    for method in reported:
        note = f"As reported by {known.taken_from[method]}" if method in known.taken_from else ""
        for number, measure in enumerate(_MEASURES):
            cells += [
                PaperCell(
                    titles.get(target, target),
                    f"{method}, {measure}",
                    None,
                    MeanAndSpread(published[target][method][number], float("nan"), note),
                )
                for target in targets
                if method in published.get(target, {})
            ]
    for method in dict.fromkeys(method for method, _ in ours):
        for measure in _MEASURES:
            cells += [
                PaperCell(
                    titles.get(target, target),
                    f"{method}, {measure}",
                    _measured(ours[method, target], measure),
                    None,
                )
                for target in targets
                if (method, target) in ours
            ]
    below = remarks(results) if results else []
    if published:
        below = [f"Published: {known.source}.", known.caveat, *below]
    return PaperTable(
        "Errors in units of the target's standard deviation; ± is half the width of a 95 % "
        "bootstrap interval.",
        tuple(cells),
        tuple(below),
        column_name="target",
        digits=3,
    )


def _measured(one: RegressionResult, measure: str) -> MeanAndSpread:
    low, high = one.interval("mae" if measure == "MAE" else "rmse")
    value = one.normalised_mae if measure == "MAE" else one.normalised_rmse
    return MeanAndSpread(value, (high - low) / 2)
