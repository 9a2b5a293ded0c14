"""Graph regression: the set at first sight, run, errors, predictions, residuals and molecules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from mpgk_core.arrays import FloatArray
from mpgk_core.errors import shortened
from mpgk_core.evaluation.regression import (
    KERNELS,
    MODELS,
    PUBLISHED_TABLE2,
    FittedRegression,
    RegressionProtocol,
    RegressionResult,
    RegressionSpec,
    RegressionTask,
    evaluate_regression,
    fit_regression,
)
from mpgk_core.formats import counted
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.plotting import Colouring, graph_layout
from mpgk_core.plotting import regression_figures as figures
from mpgk_core.plotting.colouring import colour_by_class, signed_colours
from mpgk_core.plotting.graph_figure import graph_words, small_figure
from mpgk_core.plotting.molecule_drawing import element_colours, elements_of
from ui.regression.export import (
    curve_picture,
    error_row,
    errors_picture,
    published_rows,
    set_elements,
    with_most,
)
from ui.regression.molecules import ChosenMolecules
from ui.shared.charts import chart
from ui.shared.jobs import Results, job_box
from ui.shared.widgets import (
    NOT_DONE,
    ProblemsShown,
    button,
    help_of,
    number,
    one_of,
    show_table,
    slider,
    some_of,
    switch,
)
from ui.state.cache import cached

_USUAL = ("mean", "linear-counts", "ridge", "gaussian-process")
_SHARES = (8, 4, 2)
_WORST = 4
_TOLD_ELSEWHERE = ("95 % interval", "training graphs")
_EXAMPLE_WIDTH = 160
_LEAST = 20
_MOST_AT_ONCE = 5_000
_EXAMPLES = 5
_MOST_FOR_BASELINES = 20_000
_BASELINES = (
    RegressionSpec.of("mean"),
    RegressionSpec.of("mean", composition=True),
    RegressionSpec.of("linear-counts"),
)


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
    is_quick = len(chosen.graphs) <= _MOST_AT_ONCE
    has_curve = switch("size-curve", "Learning curve", value=is_quick)
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
    known = job_box(task, "regress", title, show, show_before=lambda: _first_sight(chosen, seed))
    return task.results(known) if known else []


@cached()
def _task(chosen: ChosenMolecules, choice: ModelChoice) -> RegressionTask:
    return RegressionTask(chosen.graphs, (chosen.target,), choice.specs, choice.protocol)


def _first_sight(chosen: ChosenMolecules, seed: int) -> None:
    """Show some graphs, how the target is distributed, and what counting predicts."""
    order = np.argsort(chosen.target.values, kind="stable")
    places = np.linspace(0, len(order) - 1, min(_EXAMPLES, len(order))).round().astype(int)
    st.markdown("**Examples, from the lowest to the highest target**")
    with st.container(horizontal=True, gap="small"):
        for place, graph in enumerate(order[places].tolist()):
            with st.container(width=_EXAMPLE_WIDTH, gap=None):
                _picture(chosen, graph, f"example {place}", _EXAMPLE_WIDTH)
                st.caption(f"{_with_unit(chosen, chosen.target.values[graph])}")
    left, right = st.columns(2)
    with left:
        st.markdown("**Distribution of the target**")
        words, name = figures.target_words(chosen.target), (chosen.name, "target")
        chart(figures.target_figure(chosen.target), "target", words, name, True, height=280)
        st.caption(words)
    with right:
        st.markdown("**What counting predicts**")
        if len(chosen.graphs) > _MOST_FOR_BASELINES:
            st.caption("Baselines of a large set are measured by a run.")
            return
        with ProblemsShown(NOT_DONE, "baseline-problem"):
            found = _baselines(chosen, seed)
            words, name = figures.error_words(found), (chosen.name, "baselines")
            chart(figures.error_figure(found), "baselines", words, name, True, height=280)
            st.caption(
                "Baselines without a kernel: the mean, a linear model of how many vertices have "
                "each label, and one that also counts neighbourhoods and edges. Same split as in a "
                f"run: {found[0].size:,} graphs to learn from, {len(found[0].test):,} to test."
            )
            _duplicates(found[0])


@cached(spinner="Measuring the baselines …")
def _baselines(chosen: ChosenMolecules, seed: int) -> list[RegressionResult]:
    rules = RegressionProtocol(random_state=seed)
    return evaluate_regression(chosen.graphs, chosen.target, _BASELINES, rules)


def _picture(chosen: ChosenMolecules, graph: int, key: str, height: int) -> None:
    words, saved_as = _words(chosen, graph), (chosen.name, "graph", graph)
    chart(_drawn(chosen, graph), key, words, saved_as, True, height=height)


def _words(chosen: ChosenMolecules, graph: int) -> str:
    """Describe a graph; a molecule by its atoms."""
    one = chosen.graphs[graph]
    elements = elements_of(one)
    if elements is None:
        return graph_words(one)
    atoms = ", ".join(f"{n} {element}" for element, n in Counter(elements).most_common())
    name = shortened(chosen.names[graph], 60)
    return f"{name}: {counted(len(elements), 'atom')} ({atoms}), {counted(one.n_edges, 'bond')}."


def _with_unit(chosen: ChosenMolecules, value: float) -> str:
    return f"{value:.4g} {chosen.target.unit}".rstrip()


def _errors(chosen: ChosenMolecules, results: Sequence[RegressionResult]) -> None:
    """Show the errors of all models with all training graphs, and the learning curve."""
    largest = with_most(results)
    picture = errors_picture(chosen, largest)
    chart(picture.figure, "errors", picture.alternative, (chosen.name, "errors"), is_small=True)
    st.caption(picture.caption)
    rows = [error_row(one) for one in largest]
    columns = [key for key in rows[0] if key not in _TOLD_ELSEWHERE]
    show_table(rows, "error-table", column_order=columns)
    _duplicates(largest[0])
    rows = published_rows(chosen, largest)
    if rows:
        with st.expander(f"The paper's Table 2 for {chosen.target.name}, beside ours"):
            st.dataframe(rows, hide_index=True)
            st.caption(
                "Errors over the standard deviation of the target, smallest first. "
                f"{PUBLISHED_TABLE2.source}. {PUBLISHED_TABLE2.caveat}"
            )
    _curve_and_calibration(chosen, results, largest)


def _duplicates(one: RegressionResult) -> None:
    """Say how many test graphs a model has seen already, if there are any."""
    if one.duplicates:
        st.caption(
            f"{counted(one.duplicates, 'test graph')} of {len(one.test):,} cannot be told apart "
            "from a training graph by labels and neighbours, so errors are optimistically biased."
        )


def _curve_and_calibration(
    chosen: ChosenMolecules,
    results: Sequence[RegressionResult],
    largest: Sequence[RegressionResult],
) -> None:
    """Show the learning curve and the intervals of a Gaussian process, where there are any."""
    process = next((one for one in largest if one.deviation is not None), None)
    left, right = st.columns(2)  # always, so that nothing moves when the second one arrives
    if len({one.size for one in results}) > 1:
        with left:
            st.markdown("**Learning curve**")
            curve = curve_picture(results)
            chart(curve.figure, "sizes", curve.alternative, (chosen.name, "curve"), height=320)
            st.caption(curve.caption)
    if process is not None:
        with right:
            st.markdown("**Calibration of predictive intervals**")
            words, name = figures.calibration_words(process), (chosen.name, "calibration")
            chart(figures.calibration_figure(process), "calibration", words, name, height=320)
            st.caption(f"{process.spec.title}: {words}")


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
            height=460,
        )
        st.caption(f"{figures.prediction_words(result)} Click a point to see its graph below.")
    with right:
        _groups("Residuals by size", result.by_size(), "vertices", "vertices (graphs)", saved_as)
        rows = _by_element(chosen, result)
        if rows:
            title = "Residuals by element"
            _groups(title, rows, "label", "element (graphs that contain it)", saved_as)
        st.caption("Bias: the mean of predicted minus true, in standard deviations of the target.")


def _groups(
    title: str, rows: Sequence[dict[str, Any]], column: str, axis: str, saved_as: tuple[str, ...]
) -> None:
    """Show errors of groups of test graphs."""
    st.markdown(f"**{title}**")
    figure, words = figures.group_figure(rows, column, axis), figures.group_words(rows, column)
    key = "by-size" if column == "vertices" else "by-element"
    chart(figure, key, words, (*saved_as, key), height=250)


def _by_element(chosen: ChosenMolecules, result: RegressionResult) -> list[dict[str, Any]]:
    elements = set_elements(chosen)
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
    with st.container(border=True):
        st.text(
            f"Test graph {place + 1}: {shortened(chosen.names[graph], 60)}. True "
            f"{_with_unit(chosen, result.actual[place])}, predicted "
            f"{_with_unit(chosen, result.predicted[place])}."
        )
        columns = st.columns(3)
        with columns[0]:
            words, found = _words(chosen, graph), None
            if fitted is not None and fitted.can_contribute:
                found = fitted.contributions(chosen.graphs[graph])
                told = _contribution_words(chosen, graph, found.values, found.base)
                words = f"{words} {told}"
            figure = _drawn(chosen, graph, None if found is None else found.values)
            key, saved_as = f"drawn {result.spec.model} {place}", (chosen.name, "graph", graph)
            chart(figure, key, words, saved_as, True, height=210)
            if found is not None:
                st.caption(told)
        if fitted is None:
            return
        positions, similarities = fitted.nearest(chosen.graphs[graph], 2)
        for column, near, similarity in zip(
            columns[1:], positions[0].tolist(), similarities[0].tolist(), strict=False
        ):
            with column:
                _picture(chosen, near, f"near {result.spec.model} {place} {near}", 210)
                st.caption(
                    f"Similar training graph, cosine {similarity:.3f}: true "
                    f"{_with_unit(chosen, chosen.target.values[near])}"
                )


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
    elements = elements_of(one)
    if values is not None:
        texts = [f"contributes {value:+.4g}" for value in values.tolist()]
        colouring = Colouring("Contribution", [signed_colours(values)], [texts])
    elif elements is not None:
        colouring = Colouring("Element", [element_colours(elements)], [elements])
    else:
        codes = np.zeros(one.n_vertices, dtype=np.int64)
        if one.label_codes is not None:
            codes = one.label_codes.astype(np.int64)
        colouring = colour_by_class("Label", codes[np.newaxis], "label")
    figure = small_figure(one, graph_layout(one), colouring)
    return figure.update_layout(showlegend=False)
