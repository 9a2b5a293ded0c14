"""What a step shows in numbers: one round by hand, accuracies, errors, the map of a data set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import streamlit as st

from mpgk_core import kernel_pca
from mpgk_core.evaluation import Candidate, Evaluation, KernelSpec
from mpgk_core.evaluation.samples import square_matrix
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons import Picture, Question, Scene, answer_of, one_round
from mpgk_core.lessons.scene import (
    MAP_KERNEL,
    PREDICTORS,
    UNKNOWN,
    DataSource,
    MeasuredSource,
    quick_errors,
    quick_evaluation,
)
from mpgk_core.plotting.evaluation_figures import fold_figure
from mpgk_core.plotting.graph_figure import edge_words, graph_words
from mpgk_core.plotting.regression_figures import error_figure, predictor_words
from mpgk_core.plotting.set_maps_figure import graph_map_figure, graph_map_words
from mpgk_core.plotting.vertex_names import name_vertices
from ui.lessons.graph_pictures import enlarge
from ui.playground.study import study_of
from ui.shared.charts import chart, type_size
from ui.shared.widgets import help_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, PictureChoice

_STAGES = {"kernel_value 0": 1, "neighbourhood_value 0": 2}
PAIR = ("First vertex", "Second vertex")
"""The controls of the two vertices of one round by hand; their keys end so."""


def by_hand_view(
    picture: Picture,
    question: Question,
    is_done: bool,
    graph: ChosenGraph,
    kernel: KernelParameters,
    key: str,
    pair: Sequence[int],
) -> None:
    """Show the numbers of one round up to what is asked for, and write out the terms of a pair."""
    found = one_round(Scene(picture.source, kernel))
    n_tables = _STAGES.get(f"{question.quantity} {question.arguments.get('t')}", 3)
    height = 215 + 8 * type_size() - 40 * n_tables
    look = PictureChoice(picture.layout, picture.colour)
    drawn = json.loads(study_of(graph, kernel, look))["figures"]["graph"]
    name_vertices(
        drawn["data"][1], drawn["layout"], graph.graph.adjacency, found.names, type_size=type_size()
    )
    figure = go.Figure(drawn["data"], drawn["layout"])
    figure.update_layout(margin={"l": 10, "r": 10, "t": 20, "b": 20})
    figure.update_yaxes(constrain="domain")  # else a place that shrinks leaves a small drawing
    figure.update_xaxes(constrain="domain")
    large = {"marker_size": 1.5 * type_size(), "textfont_size": type_size() + 2}
    figure.update_traces(**large, selector={"mode": "markers+text"})
    words = f"{graph_words(graph.graph)} {edge_words(graph.graph)}"
    drawing, choices = st.columns([3, 2], vertical_alignment="center")
    with drawing:
        chart(figure, f"{key}-drawn", words, (key, "graph"), height=height)
    with choices:
        numbers = range(len(found.names))
        v, u = (
            st.segmented_control(
                label,
                list(numbers),
                default=start,
                required=True,
                key=f"{key}-{label}",
                format_func=found.names.__getitem__,
                help=help_of("lesson-vertex"),
                persist_state="session",
            )
            for label, start in zip(PAIR, pair, strict=True)
        )
    v, u = int(v or 0), int(u or 0)
    hidden = None
    if not is_done:
        answer = answer_of(question, picture)
        hidden = float(answer) if isinstance(answer, int | float) else None
    tables = found.tables(n_tables, hidden)
    titles = ("$k^{0}(v, u)$", r"$\sum \sum k^{0}(v', u')$", "$k^{1}(v, u)$")
    with st.container(horizontal=True, key="by-hand"):
        for title, table in zip(titles, tables, strict=False):
            with st.container(width="content"):
                rows = dict(zip(found.names, table, strict=True))
                st.markdown(f"{title}\n\n{markdown_table(found.names, rows, (v, u))}")
    with st.container(key="formula"):
        formula = found.written_out(v, u, kernel, tables)
        if formula:
            st.latex(formula)


def markdown_table(
    columns: Sequence[str], rows: dict[str, list[str]], bold: tuple[int, int] | None = None
) -> str:
    """Return a table in Markdown, one of its cells in bold."""
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for i, (name, row) in enumerate(rows.items()):
        cells = [f"**{x}**" if (i, j) == bold else x for j, x in enumerate(row)]
        lines.append(f"| **{name}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def accuracy_view(
    source: DataSource, methods: Sequence[str], T: int, cost: float, asked: Question | None
) -> None:
    """Show how accurate graph kernels are in every fold, and on average."""
    found = [quick_evaluation(source, method, T, cost) for method in methods]
    is_asked = asked is not None and asked.kind == "number" and "accuracy" in asked.quantity
    rows = {one.spec.method: accuracy_row(one, is_asked) for one in found}
    columns = [f"fold {i + 1}" for i in range(len(rows[methods[0]]) - 2)]
    columns += ["mean", "standard deviation"]
    words = "; ".join(
        f"{name}: {', '.join(map(' '.join, zip(columns, row, strict=True)))}"
        for name, row in rows.items()
    )
    figure = fold_figure(found, has_means=not is_asked)
    saved_as, height = (source.name, "accuracies"), type_size() * (17 + 5 * len(found))
    alt = f"Accuracies in per cent. {words}."
    chart(_for_room(figure), "lesson-folds", alt, saved_as, is_small=True, height=height)
    with st.container(key="by-hand"):
        st.markdown(markdown_table([*columns[:-1], "±"], rows))
    meanings = ". ".join(f"{one.spec.method}: {one.spec.title}" for one in found)
    st.caption(
        "Accuracies in per cent. Circles: folds. Diamonds: mean, with the standard deviation over "
        f"the folds, ±. {meanings}."
    )


def error_view(
    source: MeasuredSource, models: Sequence[str], T: int, asked: Question | None
) -> None:
    """Show the errors of predicted numbers; that of the model that is asked for is hidden."""
    hidden = asked_model(asked)
    found = {
        PREDICTORS[model]: quick_errors(source, model, T) for model in models if model != hidden
    }
    if found:
        figure = error_figure(list(found.values()), names=list(found), in_percent=True)
        words = predictor_words(found)
        saved_as, height = (source.name, "errors"), type_size() * (8 + 5 * len(found))
        chart(_for_room(figure), "lesson-errors", words, saved_as, is_small=True, height=height)
    shown = {PREDICTORS[model]: (model, T) for model in models}
    with st.container(key="by-hand"):
        st.markdown(error_table(source, shown, hidden))
    one = next(iter(found.values()), None)
    if one is not None:
        st.caption(
            "Mean absolute errors in per cent of the standard deviation, on "
            f"{len(one.test)} molecules that no model has seen, learnt from {one.size}; with 95 % "
            "bootstrap intervals over these test molecules."
        )


def asked_model(asked: Question | None) -> str:
    """Return the model whose error is asked for as a number."""
    if asked is None or asked.kind != "number" or asked.quantity != "prediction_error":
        return ""
    return str(asked.arguments.get("model", ""))


def error_table(
    source: MeasuredSource, shown: Mapping[str, tuple[str, int]], hidden: str = ""
) -> str:
    """Return errors as a table in Markdown: a row for each model with its number of rounds."""
    rows = {}
    for name, (model, T) in shown.items():
        one = quick_errors(source, model, T)
        low, high = one.interval("mae")
        cells = [f"{100 * one.normalised_mae:.1f}", f"{100 * low:.0f} to {100 * high:.0f}"]
        rows[name] = [UNKNOWN] * 2 if model == hidden else cells
    return markdown_table(["error (%)", "interval"], rows)


def accuracy_row(one: Evaluation, is_asked: bool) -> list[str]:
    """Return accuracies of folds, mean and deviation; what is asked for is hidden."""
    folds = [100 * record.accuracy for record in one.records]
    means = [UNKNOWN] * 2 if is_asked else [f"{100 * x:.1f}" for x in (one.mean, one.fold_std)]
    return [*(f"{x:.1f}" for x in folds), *means]


def map_view(source: DataSource, T: int) -> None:
    """Show every graph of a data set as a point."""
    figure, words = map_figure(source, T)
    sizes = Counter(source.labelled().classes)
    listed = ", ".join(f"class {name}: {n:,}" for name, n in sorted(sizes.items()))
    saved_as, height = (source.name, "map"), 250 + 19 * type_size()
    chart(_for_room(figure), "lesson-map", words, saved_as, height=height)
    st.caption(
        f"Every graph is a point of the kernel-PCA plane of AA. Numbers of graphs: {listed}. A "
        "cross marks a graph whose class the classifier gets wrong."
    )


@cached(spinner="Comparing the graphs …")
def map_figure(source: DataSource, T: int) -> tuple[go.Figure, str]:
    """Return the plane of all graphs of a data set, and its description."""
    gram = square_matrix(KernelSpec.of(MAP_KERNEL), Candidate(T, "last"), source.build())
    evaluation = quick_evaluation(source, MAP_KERNEL, T)
    plane = kernel_pca(gram, n_components=2)
    return graph_map_figure(plane, evaluation), graph_map_words(plane, evaluation)


def _for_room(figure: go.Figure) -> go.Figure:
    """Return a chart of numbers with marks that are seen from the last row of a room."""
    drawn = figure.to_dict()
    for trace in drawn["data"]:
        enlarge(trace, type_size() / 12, 0)
    return go.Figure(drawn)
