"""Downloads of graph regression: predictions, errors, report and programs; and its pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from mpgk_core import export
from mpgk_core.errors import shortened
from mpgk_core.evaluation import as_csv
from mpgk_core.evaluation.regression import (
    PUBLISHED_TABLE2,
    RegressionResult,
    prediction_rows,
    regression_csv,
)
from mpgk_core.export import ReportFigure, ReportTable, report
from mpgk_core.formats import counted
from mpgk_core.plotting import regression_figures as figures
from mpgk_core.plotting.molecule_drawing import elements_of
from ui.regression.molecules import ChosenMolecules
from ui.shared.downloads import Offer, download_row
from ui.state.cache import cached

_QM9_ELEMENTS = frozenset("CHNOF")
_QM9_HEAVY = 9


def regression_downloads(
    chosen: ChosenMolecules, results: Sequence[RegressionResult], study: export.RegressionStudy
) -> None:
    """Offer predictions, errors, report, script and notebook; each is made when it is asked for."""
    offer = Offer(study, "regress-")

    def predictions() -> str:
        return as_csv([row for one in results for row in prediction_rows(one, chosen.names)])

    files = [
        offer.file("csv", "Predictions as CSV", ("predictions", "csv"), predictions),
        offer.file(
            "table-csv", "Errors as CSV", ("errors", "csv"), lambda: regression_csv(results)
        ),
        offer.report(lambda: regression_report(chosen, results, study)),
    ]
    download_row("", [*files, *offer.programs()])


def published_errors(chosen: ChosenMolecules) -> Mapping[str, tuple[float, float]]:
    """Return MAE and RMSE of the paper's Table 2, where the molecules are of its kind.

    What counts is the name of the target and the molecules: of the elements of QM9, with at most
    nine atoms other than hydrogen.
    """
    known = PUBLISHED_TABLE2.errors.get(chosen.target.name, {})
    elements = set_elements(chosen) if known else None
    if elements is None or not set(elements) <= _QM9_ELEMENTS:
        return {}
    is_heavy = np.array([element != "H" for element in elements])
    heavy = np.bincount(chosen.graphs.graph_of_vertex[is_heavy])
    if heavy.max(initial=0) > _QM9_HEAVY:
        return {}
    return known


@cached()
def set_elements(chosen: ChosenMolecules) -> list[str] | None:
    """Return the element of every vertex, where labels are elements."""
    return elements_of(chosen.graphs)


def errors_picture(chosen: ChosenMolecules, results: Sequence[RegressionResult]) -> ReportFigure:
    """Return the errors of all models, beside those of the paper where there are any."""
    published = published_errors(chosen)
    n_test = counted(len(results[0].test), "graph")
    caption = (
        f"Mean absolute errors of {chosen.target.title} on {n_test} "
        f"that no model has seen, learnt from {results[0].size:,}; bars are 95 % bootstrap "
        "intervals over these test graphs. 1 is the standard deviation of the target."
    )
    if published:
        caption += (
            " Diamonds: the paper's Table 2, learnt from about 107,000 molecules; only a run with "
            "the whole set can be compared."
        )
    maes = {method: mae for method, (mae, _) in published.items()}
    figure = figures.error_figure(results, maes)
    return ReportFigure(figure, caption, figures.error_words(results, maes))


def with_most(results: Sequence[RegressionResult]) -> list[RegressionResult]:
    """Return the results with the largest training part that there is yet."""
    most = max(one.size for one in results)
    return [one for one in results if one.size == most]


def curve_picture(results: Sequence[RegressionResult]) -> ReportFigure:
    """Return the errors over the number of training graphs."""
    caption = (
        "Learning curve: error over the number of training graphs. Test graphs are the same for "
        "all sizes, and a smaller training part is part of every larger one."
    )
    figure = figures.size_curve_figure(results)
    return ReportFigure(figure, caption, figures.size_curve_words(results))


def error_row(one: RegressionResult) -> dict[str, object]:
    """Return the errors of a model as a row of a table."""
    unit = f" ({one.unit})" if one.unit else ""
    low, high = one.interval("mae")
    return {
        "model": one.spec.title,
        f"MAE{unit}": round(one.mae, 5),
        f"RMSE{unit}": round(one.rmse, 5),
        "MAE / deviation": round(one.normalised_mae, 4),
        "95 % interval": f"{low:.3f} to {high:.3f}",
        "RMSE / deviation": round(one.normalised_rmse, 4),
        "R²": round(one.r2, 4),
        "training graphs": one.size,
        "chosen": ", ".join(f"{key} {_short(value)}" for key, value in one.chosen.items()),
        "seconds": round(one.seconds, 1),
    }


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else shortened(str(value))


def published_rows(
    chosen: ChosenMolecules, results: Sequence[RegressionResult]
) -> list[dict[str, object]]:
    """Return our errors and those of the paper's Table 2 below each other; none without these."""
    published = published_errors(chosen)
    if not published:
        return []
    ours = [
        (one.spec.title, one.normalised_mae, one.normalised_rmse, f"here, {one.size:,} learnt from")
        for one in results
    ]
    theirs = [(name, *errors, "published") for name, errors in published.items()]
    return [
        {"method": name, "MAE": round(mae, 3), "RMSE": round(rmse, 3), "measured": where}
        for name, mae, rmse, where in sorted([*ours, *theirs], key=lambda row: row[2])
    ]


def regression_report(
    chosen: ChosenMolecules, results: Sequence[RegressionResult], study: export.RegressionStudy
) -> str:
    """Return errors, learning curve, predictions of every model, the table and the protocol."""
    largest = with_most(results)
    pictures = [errors_picture(chosen, largest)]
    if len({one.size for one in results}) > 1:
        pictures.append(curve_picture(results))
    for one in largest:
        names = [chosen.names[graph] for graph in one.test.tolist()]
        words = figures.prediction_words(one)
        pictures.append(ReportFigure(figures.prediction_figure(one, names), words, words))
    parameters = {
        "data": chosen.name,
        "graphs": len(chosen.graphs),
        "vertices": chosen.graphs.n_vertices,
        "target": chosen.target.title,
        **{f"settings of {one.title}": one.settings for one in study.specs},
        **asdict(study.protocol),
    }
    notes = [*chosen.notes, *([chosen.about] if chosen.about else [])]
    table = ReportTable.of("Errors", [error_row(one) for one in results])
    return report(study.title, pictures, parameters, [table], notes)
