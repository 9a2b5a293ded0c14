"""Graph regression: run, errors, predictions, residuals, molecules, and downloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.errors import shortened
from mpgk_core.evaluation import as_csv
from mpgk_core.evaluation.regression import (
    KERNELS,
    MODELS,
    FittedRegression,
    RegressionProtocol,
    RegressionResult,
    RegressionSpec,
    RegressionTask,
    fit_regression,
)
from mpgk_core.evaluation.regression.tables import PUBLISHED_TABLE2
from mpgk_core.export import ReportFigure, ReportTable, file_name, report
from mpgk_core.formats import counted
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.plotting import Colouring, draw_graph, graph_layout
from mpgk_core.plotting import regression_figures as figures
from mpgk_core.plotting.colouring import colour_by_class, signed_colours
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.molecule_drawing import elements_of
from mpgk_core.plotting.style import margins
from ui.regression.molecules import ChosenMolecules
from ui.shared.charts import chart
from ui.shared.downloads import Download, download_row
from ui.shared.jobs import Results, is_running, job_box
from ui.shared.widgets import (
    NOT_DONE,
    ProblemsShown,
    button,
    help_of,
    number,
    one_of,
    slider,
    some_of,
    switch,
)
from ui.state.cache import cached

_USUAL = ("mean", "linear-counts", "ridge", "gaussian-process")
_SHARES = (8, 4, 2)
_WORST = 4
_LEAST = 20
_MOST_AT_ONCE = 5_000
_QM9_ELEMENTS = frozenset("CHNOF")
_QM9_HEAVY = 9


@dataclass(frozen=True)
class ModelChoice:
    """The models to compare, and how."""

    specs: tuple[RegressionSpec, ...]
    protocol: RegressionProtocol


def model_controls(chosen: ChosenMolecules) -> ModelChoice:
    """Let the user choose models, their kernel, and the split."""
    st.subheader("Models")
    titles = {key: kind.title for key, kind in MODELS.items()}
    models = some_of("models", "Models", titles, list(_USUAL), label_visibility="collapsed")
    st.subheader("Kernel")
    kernel = one_of("regress-kernel", "Kernel", list(KERNELS), "RA", draw=st.selectbox)
    parameters: dict[str, Any] = {}
    if kernel != "SP":
        parameters["n_iterations"] = slider("regress-T", "Rounds T", 0, 6, 3)
    has_labels = chosen.graphs.edges is not None and chosen.graphs.edges.label_codes is not None
    if has_labels and switch("use-bonds", "Compare types of bonds", value=True):
        parameters["edges"] = "labels"
    composition = switch("composition", "Count the atoms first", value=True)
    has_curve = switch("size-curve", "Learning curve")
    seed = number("split-seed", "Seed of the split")
    specs = []
    for model in models:
        source = MODELS[model].source
        if source in ("kernel", "landmarks"):
            own = kernel if source == "kernel" or kernel in VARIANTS else "AA"
            specs.append(RegressionSpec.of(model, own, composition, parameters))
        else:
            specs.append(RegressionSpec.of(model))
    n_train = round(0.8 * len(chosen.graphs))
    sizes = [n_train // share for share in _SHARES if n_train // share >= _LEAST] * has_curve
    return ModelChoice(tuple(specs), RegressionProtocol(sizes=(*sizes, None), random_state=seed))


def regression_run(chosen: ChosenMolecules, choice: ModelChoice) -> list[RegressionResult]:
    """Offer run and stop, show the results so far, and return them once nothing runs."""
    task = _task(chosen, choice)

    def show(results: Results, _is_running: bool) -> None:
        _errors(chosen, task.results(results))

    seed = choice.protocol.random_state
    title = f"{shortened(chosen.name)}: {chosen.target.name}, seed {seed}"
    known = job_box(task, "regress", title, show)
    return [] if not known or is_running(task) else task.results(known)


@cached()
def _task(chosen: ChosenMolecules, choice: ModelChoice) -> RegressionTask:
    return RegressionTask(chosen.graphs, (chosen.target,), choice.specs, choice.protocol)


def _errors(chosen: ChosenMolecules, results: Sequence[RegressionResult]) -> None:
    """Show the errors of all models with all training graphs, and the learning curve."""
    largest = _with_most(results)
    picture = errors_picture(chosen, largest)
    chart(picture.figure, "errors", picture.alternative, (chosen.name, "errors"), is_small=True)
    st.caption(picture.caption)
    st.dataframe([error_row(one) for one in largest], hide_index=True)
    one = largest[0]
    if one.duplicates:
        st.caption(
            f"{counted(one.duplicates, 'test graph')} of {len(one.test):,} cannot be told apart "
            "from a training graph by labels and neighbours, so errors are optimistically biased."
        )
    if len({one.size for one in results}) > 1:
        curve = curve_picture(results)
        chart(curve.figure, "sizes", curve.alternative, (chosen.name, "curve"), height=320)
        st.caption(curve.caption)


def _with_most(results: Sequence[RegressionResult]) -> list[RegressionResult]:
    """Return the results with the largest training part that there is yet."""
    most = max(one.size for one in results)
    return [one for one in results if one.size == most]


def published_errors(chosen: ChosenMolecules) -> Mapping[str, float]:
    """Return the mean absolute errors of the paper's Table 2, where the molecules are of its kind.

    What counts is the name of the target and the molecules: of the elements of QM9, with at most
    nine atoms other than hydrogen.
    """
    known = PUBLISHED_TABLE2.errors.get(chosen.target.name, {})
    elements = _elements(chosen) if known else None
    if elements is None or not set(elements) <= _QM9_ELEMENTS:
        return {}
    is_heavy = np.array([element != "H" for element in elements])
    heavy = np.bincount(chosen.graphs.graph_of_vertex[is_heavy])
    if heavy.max(initial=0) > _QM9_HEAVY:
        return {}
    return {method: mae for method, (mae, _) in known.items()}


@cached()
def _elements(chosen: ChosenMolecules) -> list[str] | None:
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
            f" Diamonds: {PUBLISHED_TABLE2.source}. {PUBLISHED_TABLE2.caveat} They learnt from "
            "about 107,000 molecules, so only a run with the whole set can be compared."
        )
    figure = figures.error_figure(results, published)
    return ReportFigure(figure, caption, figures.error_words(results, published))


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


def details(chosen: ChosenMolecules, result: RegressionResult) -> None:
    """Show predictions, residuals and intervals of one model."""
    left, right = st.columns(2)
    names = [chosen.names[graph] for graph in result.test.tolist()]
    saved_as = (chosen.name, result.spec.model)
    box = f"molecule {result.spec.model}"

    def pick() -> None:
        """Put the test graph that was clicked into the field below."""
        clicked = st.session_state[f"truth {result.spec.model}"].selection.points
        own = [point for point in clicked if "customdata" in point]
        st.session_state[box] = int(own[0]["customdata"]) + 1 if own else None

    with left:
        st.markdown("**Predicted and true**")
        chart(
            figures.prediction_figure(result, names),
            f"truth {result.spec.model}",
            figures.prediction_words(result),
            (*saved_as, "predictions"),
            on_select=pick,
            selection_mode="points",
            height=360,
        )
        words = figures.calibration_words(result)
        if words:
            st.markdown("**Calibration of the intervals**")
            chart(
                figures.calibration_figure(result),
                "calibration",
                words,
                (*saved_as, "calibration"),
                height=260,
            )
            st.caption(words)
    with right:
        rows = result.by_size()
        st.markdown("**Residuals by size** (vertices)")
        chart(
            figures.group_figure(rows, "vertices", "vertices (graphs)"),
            "by-size",
            figures.group_words(rows, "vertices"),
            (*saved_as, "by-size"),
            height=260,
        )
        by_element = _by_element(chosen, result)
        if by_element:
            st.markdown("**Residuals by element** (graphs that contain it)")
            chart(
                figures.group_figure(by_element, "label", "element (graphs)"),
                "by-element",
                figures.group_words(by_element, "label"),
                (*saved_as, "by-element"),
                height=260,
            )


def _by_element(chosen: ChosenMolecules, result: RegressionResult) -> list[dict[str, Any]]:
    elements = _elements(chosen)
    if elements is None:
        return []
    starts = chosen.graphs.offsets
    contained = [frozenset(elements[starts[g] : starts[g + 1]]) for g in result.test.tolist()]
    return figures.errors_by_label(result, contained)


def molecules(chosen: ChosenMolecules, result: RegressionResult) -> None:
    """Draw the molecules with the largest errors, or the one that was asked for."""
    st.markdown("**Molecules**")
    picked = st.number_input(
        "Test graph to see",
        1,
        len(result.test),
        None,
        1,
        key=f"molecule {result.spec.model}",
        width=220,
        placeholder="Number",
        help=help_of("test-graph"),
    )
    places = figures.worst(result, _WORST) if picked is None else [int(picked) - 1]
    if picked is None:
        st.caption(
            f"The {counted(len(places), 'test graph')} with the largest errors. Click a point "
            "above to see another one, or enter its number."
        )
    fitted = _learnt(chosen, result)
    for place in places:
        _molecule(chosen, result, place, fitted)


def _learnt(chosen: ChosenMolecules, result: RegressionResult) -> FittedRegression | None:
    """Return the model, which is learnt again to be looked into; large sets need a click."""
    if MODELS[result.spec.model].source == "":
        return None
    if len(chosen.graphs) > _MOST_AT_ONCE and not button("look-inside", "Look into the model"):
        return None
    with ProblemsShown(NOT_DONE, "fit-problem"):
        return _fitted(chosen, result.spec, RegressionProtocol(random_state=_seed(result)))
    return None


def _seed(_result: RegressionResult) -> int:
    seed: int = st.session_state.get("split-seed", 0)
    return seed


@cached(spinner="Learning the model …")
def _fitted(
    chosen: ChosenMolecules, spec: RegressionSpec, protocol: RegressionProtocol
) -> FittedRegression:
    return fit_regression(chosen.graphs, chosen.target, spec, protocol)


def _molecule(
    chosen: ChosenMolecules, result: RegressionResult, place: int, fitted: FittedRegression | None
) -> None:
    """Draw a test graph, coloured by the contributions of its vertices, and those nearest to it."""
    graph = int(result.test[place])
    unit = f" {result.unit}" if result.unit else ""
    st.text(
        f"{place + 1}: {shortened(chosen.names[graph], 60)}. "
        f"True {result.actual[place]:.5g}{unit}, predicted {result.predicted[place]:.5g}{unit}."
    )
    columns = st.columns(3)
    with columns[0]:
        found = None
        if fitted is not None and fitted.can_contribute:
            found = fitted.contributions(chosen.graphs[graph])
        figure = _drawn(chosen, graph, None if found is None else found.values)
        words = graph_words(chosen.graphs[graph])
        if found is not None:
            words += " " + _contribution_words(chosen, graph, found.values, found.base)
        saved_as = (chosen.name, "graph", graph)
        chart(figure, f"drawn {result.spec.model} {place}", words, saved_as, True, height=230)
        if found is not None:
            st.caption(_contribution_words(chosen, graph, found.values, found.base))
    if fitted is None:
        return
    positions, similarities = fitted.nearest(chosen.graphs[graph], 2)
    for column, near, similarity in zip(
        columns[1:], positions[0].tolist(), similarities[0].tolist(), strict=False
    ):
        with column:
            st.caption(
                f"Similar training graph: {chosen.target.values[near]:.5g}{unit}, cosine "
                f"{similarity:.3f}"
            )
            key, words = (
                f"near {result.spec.model} {place} {near}",
                graph_words(chosen.graphs[near]),
            )
            saved_as = (chosen.name, "graph", near)
            chart(_drawn(chosen, near), key, words, saved_as, True, height=230)


def _contribution_words(
    chosen: ChosenMolecules, graph: int, values: FloatArray, base: float
) -> str:
    """Say how the prediction is a sum over vertices, and which contribute most."""
    one = chosen.graphs[graph]
    elements = elements_of(one) or [str(name) for name in one.names]
    most = np.argsort(-np.abs(values), kind="stable")[:3].tolist()
    largest = ", ".join(f"{elements[v]}{v} {values[v]:+.4g}" for v in most)
    return (
        f"Prediction = {base:.5g} + the contributions of all vertices ({values.sum():+.5g}). "
        f"Orange raises it, blue lowers it. Largest: {largest}."
    )


def _drawn(chosen: ChosenMolecules, graph: int, values: FloatArray | None = None) -> go.Figure:
    one = chosen.graphs[graph]
    if values is None:
        codes: IntArray = np.zeros(one.n_vertices, dtype=np.int64)
        if one.label_codes is not None:
            codes = one.label_codes.astype(np.int64)
        colouring = colour_by_class("Label", codes[np.newaxis], "label")
    else:
        texts = [f"contributes {value:+.4g}" for value in values.tolist()]
        colouring = Colouring("Contribution", [signed_colours(values)], [texts])
    drawing = draw_graph(one, graph_layout(one), colouring, "ignore", elements_of(one))
    return drawing.figure().update_layout(showlegend=False, margin=margins(4, 4, 4, 4))


def regression_downloads(
    chosen: ChosenMolecules, results: Sequence[RegressionResult], choice: ModelChoice
) -> None:
    """Offer predictions, errors and a report; each is made when it is asked for."""

    def name(what: str, kind: str) -> str:
        return file_name(chosen.name, chosen.target.name, what, extension=kind)

    def predictions() -> str:
        return as_csv([row for one in results for row in _prediction_rows(chosen, one)])

    files = [
        Download("regress-csv", "Predictions as CSV", name("predictions", "csv"), predictions),
        Download(
            "regress-table-csv",
            "Errors as CSV",
            name("errors", "csv"),
            lambda: as_csv([error_row(one) for one in results]),
        ),
        Download(
            "regress-report",
            "Report",
            name("report", "html"),
            lambda: regression_report(chosen, results, choice),
        ),
    ]
    download_row("", files)


def _prediction_rows(
    chosen: ChosenMolecules, one: RegressionResult
) -> list[dict[str, str | int | float | bool]]:
    deviations = np.full(len(one.test), np.nan) if one.deviation is None else one.deviation
    return [
        {
            "model": one.spec.title,
            "training graphs": one.size,
            "graph": graph,
            "name": chosen.names[graph],
            "true": float(actual),
            "predicted": float(predicted),
            "deviation": "" if np.isnan(deviation) else float(deviation),
        }
        for graph, actual, predicted, deviation in zip(
            one.test.tolist(), one.actual, one.predicted, deviations, strict=True
        )
    ]


def regression_report(
    chosen: ChosenMolecules, results: Sequence[RegressionResult], choice: ModelChoice
) -> str:
    """Return errors, learning curve, predictions of every model, the table and the protocol."""
    largest = _with_most(results)
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
        **{f"settings of {one.title}": one.settings for one in choice.specs},
        **asdict(choice.protocol),
    }
    notes = [*chosen.notes, *([chosen.about] if chosen.about else [])]
    table = ReportTable.of("Errors", [error_row(one) for one in results])
    title = f"Which numbers can be predicted from graphs? {shortened(chosen.name)}"
    return report(title, pictures, parameters, [table], notes)
