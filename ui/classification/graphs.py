"""Graph classification: run, accuracies, confusions, and a map of the graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import MPGKError, kernel_pca
from mpgk_core.embedding.kernel_pca import KernelEmbedding
from mpgk_core.evaluation import (
    PUBLISHED,
    Candidate,
    ClassificationTask,
    Evaluation,
    FeatureComparison,
    Protocol,
    compare_features,
    table_spec,
    with_majority,
)
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.evaluation.methods import square_matrix
from mpgk_core.formats import counted
from mpgk_core.plotting import colour_by_class, draw_graph, graph_layout
from mpgk_core.plotting.evaluation_figures import (
    accuracy_figure,
    accuracy_words,
    class_sizes_figure,
    class_sizes_words,
    confusion_figure,
    confusion_words,
)
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.set_maps_figure import graph_map_figure, graph_map_words
from ui.classification_export import map_downloads
from ui.shared.charts import chart
from ui.shared.jobs import Results, is_running, job_box
from ui.shared.messages import NOT_DONE, show_problem
from ui.sources.sets import ChosenSet
from ui.state.address import one_of
from ui.state.cache import cached

_MOST_ERRORS = 6
_MOST_MAPPED = 3_000
_MOST_CLASSES = 20


def class_sizes(chosen: ChosenSet) -> None:
    """Show how many graphs every class has: what a classifier must at least beat."""
    counts = Counter(map(str, chosen.classes))
    sizes = dict(counts.most_common(_MOST_CLASSES))
    st.markdown("**Graphs per class**" + _part_of(len(sizes), len(counts)))
    chart(
        class_sizes_figure(sizes),
        "class-sizes",
        class_sizes_words(sizes),
        (chosen.name, "classes"),
        height=90 + 34 * len(sizes),
        is_small=True,
    )


def _part_of(n_shown: int, n_all: int) -> str:
    return "" if n_shown == n_all else f" (the {n_shown} largest of {n_all:,} classes)"


def accuracies(chosen: ChosenSet, found: Sequence[Evaluation]) -> None:
    """Show what is known so far, beside the majority class and the paper's best figure."""
    published = PUBLISHED.best.get(chosen.name)
    shown = with_majority([evaluation for evaluation in found if evaluation.records])
    chart(
        accuracy_figure(shown, published),
        "accuracies",
        accuracy_words(shown, published),
        (chosen.name, "accuracies"),
        height=320,
    )
    st.dataframe(
        [
            {
                "kernel": evaluation.spec.title,
                "features": evaluation.spec.features,
                "accuracy (%)": round(100 * evaluation.mean, 2),
                **_spread(evaluation),
                "folds": f"{len(evaluation.records)} of "
                f"{evaluation.protocol.n_folds * evaluation.protocol.n_repeats}",
                "seconds in SVMs": round(evaluation.svm_seconds, 1),
                "seconds elsewhere": round(evaluation.other_seconds, 1),
            }
            for evaluation in shown
        ],
        hide_index=True,
    )
    if published is not None:
        st.caption(f"Best published: {published} %. {PUBLISHED.caveat} {PUBLISHED.source}.")


def feature_box(chosen: ChosenSet, seed: int) -> None:
    """Say what vertices start with and, where it is a choice, compare the single ones."""
    features = table_spec("AA", chosen.graphs).features
    names = features.replace(",", ", ")
    st.caption(f"Initial features of the message passing kernels: {names}.")
    if not needs_comparison(chosen.graphs):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        is_asked = st.button(
            "Compare initial features",
            key="compare-features",
            help="One quick cross-validation on training graphs, a few seconds.",
        )
        st.caption(ADVICE)
    if not is_asked:
        return
    try:
        found = _comparison(chosen, seed)
    except MPGKError as problem:
        show_problem(str(problem), "features-problem", NOT_DONE)
        return
    st.dataframe(
        [{"features": row["features"], "accuracy (%)": row["accuracy"]} for row in found.rows()],
        hide_index=True,
    )
    st.caption(found.about)


@cached(spinner="Comparing features …")
def _comparison(chosen: ChosenSet, seed: int) -> FeatureComparison:
    return compare_features(chosen.graphs, chosen.classes, random_state=seed)


def _spread(evaluation: Evaluation) -> dict[str, float]:
    """Return a column, if there are repetitions at all."""
    if evaluation.protocol.n_repeats == 1:
        return {}
    return {"± over repetitions": round(100 * evaluation.std, 2)}


def details(evaluation: Evaluation) -> None:
    """Show confusions, scores of classes, and what was chosen in the folds."""
    left, right = st.columns(2)
    with left:
        chart(
            confusion_figure(evaluation),
            "confusion",
            confusion_words(evaluation),
            (evaluation.spec.method, "confusions"),
            height=340,
        )
    with right:
        st.dataframe(
            [
                {
                    "class": str(score.name),
                    "graphs": score.n_graphs,
                    "precision": round(score.precision, 3),
                    "recall": round(score.recall, 3),
                    "F1": round(score.f1, 3),
                }
                for score in evaluation.class_scores
            ],
            hide_index=True,
        )
        rows = [
            {
                "fold": f"{r.repeat + 1}.{r.fold + 1}",
                "C": r.C,
                "T": r.T,
                "rounds": r.levels,
                "accuracy (%)": round(100 * r.accuracy, 1),
            }
            for r in evaluation.records
        ]
        st.dataframe(rows, hide_index=True, height=180)


def _usual_kernel(
    chosen: ChosenSet, evaluation: Evaluation
) -> tuple[NDArray[np.float64], KernelEmbedding]:
    """Return the kernel of the values that most folds chose, and its plane."""
    usual = [evaluation.chosen[name].most_common(1)[0][0] for name in ("T", "levels", "setting")]
    return _kernel(chosen, evaluation.spec.method, Candidate(*usual))


@cached(spinner="Comparing the graphs …")
def _kernel(
    chosen: ChosenSet, method: str, candidate: Candidate
) -> tuple[NDArray[np.float64], KernelEmbedding]:
    gram = square_matrix(table_spec(method, chosen.graphs), candidate, chosen.graphs)
    return gram, kernel_pca(gram, n_components=2)


def graph_map(chosen: ChosenSet, evaluation: Evaluation) -> None:
    """Draw every graph as a point; below it the one that was clicked, or those misclassified."""
    if len(chosen.graphs) > _MOST_MAPPED:
        st.info(f"The map is drawn for at most {_MOST_MAPPED:,} graphs.")
        return
    gram, plane = _usual_kernel(chosen, evaluation)
    method = evaluation.spec.method
    chart(
        graph_map_figure(plane, evaluation),
        f"map {method}",
        graph_map_words(plane, evaluation),
        (chosen.name, method, "map-of-graphs"),
        on_select=lambda: _pick(method),
        selection_mode="points",
        height=420,
    )
    st.caption(
        "Kernel-PCA plane of the graphs; a cross marks a graph that is mostly "
        "misclassified. Click a graph to see it, or give its number."
    )
    map_downloads(chosen, evaluation, gram, plane.points)
    picked = st.number_input(
        "Graph to see",
        0,
        len(chosen.graphs) - 1,
        None,
        1,
        key=f"seen {method}",
        width=220,
        placeholder="Number",
        help="Its number in the set, from 0. Empty: those misclassified.",
    )
    wrong = np.flatnonzero(evaluation.is_mostly_wrong).tolist()
    shown = wrong[:_MOST_ERRORS] if picked is None else [int(picked)]
    if picked is None:
        st.caption(
            f"{counted(len(wrong), 'graph')} misclassified in most repetitions; the first "
            f"{len(shown)}, each beside the most similar graph that was learnt "
            "from."
        )
    for graph in shown:
        _beside_nearest(chosen, evaluation, gram, graph)


def _pick(method: str) -> None:
    """Put the number of the graph that was clicked into the field below the map."""
    points = st.session_state[f"map {method}"].selection.points
    st.session_state[f"seen {method}"] = int(points[0]["customdata"]) if points else None


def _beside_nearest(
    chosen: ChosenSet, evaluation: Evaluation, gram: NDArray[np.float64], graph: int
) -> None:
    """Draw a graph and the most similar one among those it was judged by."""
    known = evaluation.learnt_from(graph)
    nearest = int(known[gram[graph, known].argmax()])
    left, right = st.columns(2)
    for column, number, word in ((left, graph, "Graph"), (right, nearest, "Most similar:")):
        name = str(evaluation.names[evaluation.truth[number]])[:40]
        with column:
            st.text(f"{word} {number}, class {name}")
            chart(
                _drawn(chosen, number),
                f"drawn {word} {graph}",
                graph_words(chosen.graphs[number]),
                (chosen.name, "graph", number),
                height=220,
            )


def _drawn(chosen: ChosenSet, number: int) -> go.Figure:
    graph = chosen.graphs[number]
    codes = np.zeros(graph.n_vertices, dtype=np.int64)
    if graph.label_codes is not None:
        codes = graph.label_codes.astype(np.int64)
    colouring = colour_by_class("Label", codes[np.newaxis], "label")
    return draw_graph(graph, graph_layout(graph), colouring).figure()


def protocol_controls() -> Protocol:
    """Let the user choose how accuracy is measured."""
    scope = one_of(
        st.segmented_control,
        "Protocol",
        ["quick", "full"],
        "quick",
        key="scope",
        format_func={"quick": "Quick: 1 × 10 folds", "full": "Full: 10 × 10"}.__getitem__,
        help="The paper repeats ten times with different shuffles. Quick is the first of them.",
    )
    is_inductive = st.toggle(
        "Learn trees from training graphs only",
        key="inductive",
        bind="query-params",
        help="The paper computes the kernel over all graphs, without their classes: features and "
        "trees have seen the test graphs too. Switched on, they are learnt anew in every fold "
        "from the training graphs alone. Slower and stricter; compare the numbers.",
    )
    is_linear = st.toggle(
        "Linear SVM on explicit features",
        key="linear",
        bind="query-params",
        help="For large sets: no N × N matrix is formed. A different classifier than the paper's "
        "(squared hinge loss), so numbers differ a little.",
    )
    seed = st.number_input(
        "Seed",
        0,
        9999,
        0,
        key="cv-seed",
        bind="query-params",
        help="Of all shuffles. Same seed, same numbers.",
    )
    return Protocol(
        random_state=int(seed),
        n_repeats=10 if scope == "full" else 1,
        inductive=is_inductive,
        solver="linear" if is_linear else "kernel",
    )


def evaluation_run(
    chosen: ChosenSet, methods: Sequence[str], protocol: Protocol
) -> list[Evaluation]:
    """Offer run and stop, show what is known so far, and return it once nothing runs."""
    task = _task(chosen, tuple(methods), protocol)

    def show(results: Results, _is_running: bool) -> None:
        accuracies(chosen, task.evaluations(results))

    title = _title(chosen.name, methods, protocol)
    known = job_box(task, "classify", title, show, show_before=lambda: class_sizes(chosen))
    if not known or is_running(task):
        return []
    return [evaluation for evaluation in task.evaluations(known) if evaluation.records]


@cached()
def _task(chosen: ChosenSet, methods: tuple[str, ...], protocol: Protocol) -> ClassificationTask:
    specs = tuple(table_spec(method, chosen.graphs) for method in methods)
    return ClassificationTask(chosen.graphs, tuple(chosen.classes), specs, protocol)


def _title(name: str, methods: Sequence[str], protocol: Protocol) -> str:
    """Return what tells a run from others."""
    return (
        f"{name}: {', '.join(methods)}; {protocol.n_repeats} × {protocol.n_folds} folds, "
        f"seed {protocol.random_state}"
        + (", trees from training graphs only" if protocol.inductive else "")
        + (", linear SVM" if protocol.solver == "linear" else "")
    )
