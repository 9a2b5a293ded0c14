"""Errors of regression as tables, and the paper's Table 2 with our figures beside it.

What Table 2 fixes, by one rule for all targets, is in ``table2_specs``: AA and shortest paths with
the elements of atoms, hydrogens too, as labels and bonds as labels of edges. Everything else is
chosen on the validation part.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from mpgk_core.evaluation.paper_table import MeanAndSpread, PaperCell, PaperTable
from mpgk_core.evaluation.regression.results import RegressionResult
from mpgk_core.evaluation.regression.spec import RegressionSpec
from mpgk_core.evaluation.tables import as_csv


@dataclass(frozen=True)
class PublishedErrors:
    """Errors that others reported, of targets with mean 0 and variance 1.

    Attributes
    ----------
    source, caveat : str
        Where they stand, and how far they can be compared.
    taken_from : mapping of str to str
        From methods to the publications that the paper takes their figures from.
    titles, units : mapping of str to str
        The targets as the paper calls them, and their units, by the column of QM9.
    errors : mapping
        From target and method to mean absolute and root mean squared error.
    """

    source: str
    caveat: str
    taken_from: Mapping[str, str]
    titles: Mapping[str, str]
    units: Mapping[str, str]
    errors: Mapping[str, Mapping[str, tuple[float, float]]]

    def best(self, target: str) -> tuple[float, float]:
        """Return the smallest MAE and RMSE of any method."""
        of = self.errors[target].values()
        return min(mae for mae, _ in of), min(rmse for _, rmse in of)


PUBLISHED_TABLE2 = PublishedErrors(
    **json.loads(
        files("mpgk_core.evaluation.regression")
        .joinpath("published_table2.json")
        .read_text(encoding="utf-8")
    )
)
"""What the paper reports for QM9, read from data.

>>> PUBLISHED_TABLE2.best("mu")
(0.48, 0.67)
"""

_KERNEL = {"n_iterations": 3, "edges": "labels", "features": "labels"}
_PAPERS_KERNEL = {"n_iterations": 4, "features": "labels"}
_WIDTHS = [1.0, 1.5, 2.5]
_MEASURES = ("MAE", "RMSE")

TABLE2_MODELS: Mapping[str, RegressionSpec] = {
    "linear-counts": RegressionSpec.of("linear-counts"),
    "boosting-counts": RegressionSpec.of("boosting-counts"),
    "network": RegressionSpec.of("network", "AA", kernel_parameters=_PAPERS_KERNEL),
    "ridge": RegressionSpec.of("ridge", ["AA", "SP"], kernel_parameters=_KERNEL),
    "composition-ridge": RegressionSpec.of(
        "ridge", ["AA", "SP"], composition=True, kernel_parameters=_KERNEL
    ),
    "composition-kernel": RegressionSpec.of(
        "kernel-ridge",
        ["AA", "SP"],
        composition=True,
        kernel_parameters=_KERNEL,
        widths=_WIDTHS,
        n_landmarks=3000,
    ),
    "composition-process": RegressionSpec.of(
        "gaussian-process",
        ["AA", "SP"],
        composition=True,
        kernel_parameters=_KERNEL,
        widths=_WIDTHS,
        n_landmarks=1000,
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
