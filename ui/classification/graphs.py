"""Graph classification: run, accuracies, confusions, and a map of the graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import evaluation as engine
from mpgk_core import kernel_pca
from mpgk_core.embedding.kernel_pca import KernelEmbedding
from mpgk_core.evaluation import ClassificationTask, Evaluation, Protocol, table_spec
from mpgk_core.evaluation.choices import CHOSEN
from mpgk_core.evaluation.methods import OWN, KernelSpec
from mpgk_core.evaluation.samples import square_matrix
from mpgk_core.formats import counted
from mpgk_core.plotting import evaluation_figures as figures
from mpgk_core.plotting import graph_layout
from mpgk_core.plotting.graph_figure import graph_words, labelled_figure
from mpgk_core.plotting.set_maps_figure import graph_map_figure, graph_map_words
from ui.classification.export import accuracies_picture, confusion_picture, map_downloads
from ui.classification.own_files import OwnMatrix
from ui.shared.charts import chart
from ui.shared.jobs import Results, is_running, job_box
from ui.shared.widgets import help_of, show_table
from ui.sources.sets import ChosenSet
from ui.state.cache import cached

_MOST_ERRORS = 6
_MOST_MAPPED = 3_000
_MOST_CLASSES = 20
_CLASSES_DRAWN, _GRAPHS_DRAWN, _MOST_VERTICES_DRAWN = 3, 3, 100
_UNDECIDED = "chosen in every fold"


def evaluation_run(
    chosen: ChosenSet,
    methods: Sequence[str],
    protocol: Protocol,
    edges: str,
    score: str,
    fixed: Mapping[str, Any],
    matrix: OwnMatrix | None,
) -> list[Evaluation]:
    """Offer run and stop, show the results so far, and return them once nothing runs."""
    task = _task(chosen, tuple(methods), protocol, edges, _of_kernel(fixed), matrix)
    kernels = [*methods, *(["own kernel matrix"] if matrix else [])]
    splits = "fixed splits, " if protocol.splits else ""

    def show(results: Results, _is_running: bool) -> None:
        found = task.evaluations(results)
        if any(one.records for one in found):
            _accuracies(chosen, found, score)
            return
        _classes(chosen)
        st.caption("Folds compare their kernels; accuracies follow when they have chosen.")

    title = (
        f"{chosen.name}: {', '.join(kernels)}; {splits}{protocol.n_repeats} × {protocol.n_folds} "
        f"folds, seed {protocol.random_state}"
        + (", trees from training graphs only" if protocol.inductive else "")
        + (", linear SVM" if protocol.solver == "linear" else "")
        + ("" if edges == CHOSEN else f", edges: {edges}")
        + (", fixed parameters" if fixed else "")
    )
    known = job_box(task, "classify", title, show, show_before=lambda: _classes(chosen))
    if not known or is_running(task):
        return []
    return [evaluation for evaluation in task.evaluations(known) if evaluation.records]


def _of_kernel(fixed: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return fixed parameters but for the rounds, which belong to the protocol."""
    return tuple((name, value) for name, value in fixed.items() if name != "n_iterations")


@cached()
def _task(
    chosen: ChosenSet,
    methods: tuple[str, ...],
    protocol: Protocol,
    edges: str,
    fixed: tuple[tuple[str, Any], ...],
    matrix: OwnMatrix | None,
) -> ClassificationTask:
    specs = [table_spec(method, chosen.graphs, edges, **dict(fixed)) for method in methods]
    of_spec = {} if matrix is None else matrix.of_spec
    every = (*specs, *of_spec)
    return ClassificationTask(chosen.graphs, tuple(chosen.classes), every, protocol, of_spec)


def _classes(chosen: ChosenSet) -> None:
    """Show some graphs of every class; of many classes, how many graphs each has."""
    sizes = dict(Counter(map(str, chosen.classes)).most_common())
    drawn = {name: _examples(chosen, name) for name in list(sizes)[:_CLASSES_DRAWN]}
    if len(sizes) > len(drawn) or not all(drawn.values()):
        shown = dict(list(sizes.items())[:_MOST_CLASSES])
        part = "" if len(shown) == len(sizes) else f" (the {len(shown)} largest of {len(sizes):,})"
        st.markdown("**Graphs per class**" + part)
        figure, words = figures.class_sizes_figure(shown), figures.class_sizes_words(shown)
        height, saved_as = 90 + 34 * len(shown), (chosen.name, "classes")
        chart(figure, "class-sizes", words, saved_as, is_small=True, height=height)
    for name, places in drawn.items():
        if places:
            st.text(f"Class {name[:40]}: {len(places)} of {counted(sizes[name], 'graph')}")
        for column, place in zip(st.columns(_GRAPHS_DRAWN), places, strict=False):
            with column:
                _drawn(chosen, place, f"example {place}", height=190, showlegend=False)


@cached()
def _examples(chosen: ChosenSet, name: str) -> list[int]:
    """Return graphs of a class that can be seen at a glance, those of usual size first."""
    members = np.flatnonzero(np.array([str(one) == name for one in chosen.classes]))
    sizes = chosen.graphs.sizes[members]
    usual = np.argsort(np.abs(sizes - np.median(sizes)), kind="stable")
    return [int(members[i]) for i in usual if 1 < sizes[i] <= _MOST_VERTICES_DRAWN][:_GRAPHS_DRAWN]


def _accuracies(chosen: ChosenSet, found: Sequence[Evaluation], score: str) -> None:
    """Show the results so far, beside the majority class and what the paper reports."""
    shown = engine.with_majority([one for one in found if one.records])
    picture = accuracies_picture(chosen, shown, score)
    saved_as = (chosen.name, "accuracies")
    chart(picture.figure, "accuracies", picture.alternative, saved_as, is_small=True)
    st.caption(picture.caption)
    show_table([_row(one, score) for one in shown], "accuracy-table")


def _row(found: Evaluation, score: str) -> dict[str, object]:
    rules = found.protocol
    deviation = f"± over {found.spread_over}"
    asked = {}
    if score != "accuracy":
        asked[f"{score} (%)"] = rounded_percent(engine.summarised(found, score).mean)
    return {
        "kernel": found.spec.title,
        **asked,
        "accuracy (%)": round(100 * found.mean, 2),
        deviation: rounded_percent(found.spread),
        **{
            name: _UNDECIDED if " or " in text else text
            for name, text in {"features": found.spec.features, "edges": found.spec.edges}.items()
        },
        "folds": f"{len(found.records)} of {rules.n_folds * rules.n_repeats}",
        "seconds in SVMs": round(found.svm_seconds, 1),
        "seconds elsewhere": round(found.other_seconds, 1),
    }


def rounded_percent(share: float) -> float | None:
    """Return a share in per cent; None where it is NaN."""
    return round(100 * share, 2) if np.isfinite(share) else None


def details(evaluation: Evaluation) -> None:
    """Show confusions, scores of classes, and the parameters chosen in the folds."""
    left, right = st.columns(2)
    with left:
        picture, saved_as = confusion_picture(evaluation), (evaluation.spec.method, "confusions")
        chart(picture.figure, "confusion", picture.alternative, saved_as, height=340)
    classes = [
        {
            "class": str(score.name),
            "graphs": score.n_graphs,
            "precision": round(score.precision, 3),
            "recall": round(score.recall, 3),
            "F1": round(score.f1, 3),
        }
        for score in evaluation.class_scores
    ]
    folds = [
        {
            "fold": f"{one.repeat + 1}.{one.fold + 1}",
            "C": one.C,
            "T": one.T,
            "rounds": _ROUNDS.get(one.levels or "", one.levels),
            **_in_columns(evaluation.spec.parameters(one.setting)),
            "accuracy (%)": round(100 * one.accuracy, 1),
        }
        for one in evaluation.records
    ]
    with right:
        st.dataframe(classes, hide_index=True)
        st.dataframe(folds, hide_index=True, height=180)


_ROUNDS = {"last": "last round", "sum": "sum of rounds"}
_COLUMNS = {"alpha": "α", "beta": "β", "normalize": "lengths one", "gaussian": "Gaussian"}
_WORDS = {"True": "yes", "False": "no", "None": "no"}


def _in_columns(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters that a fold has chosen, for a row of a table."""
    texts = {_COLUMNS.get(name, name): str(value) for name, value in parameters.items()}
    return {name: _WORDS.get(text, text) for name, text in texts.items()}


@cached(spinner="Comparing the graphs …")
def _kernel(
    chosen: ChosenSet, spec: KernelSpec, candidate: engine.Candidate, own: OwnMatrix | None = None
) -> tuple[NDArray[np.float64], KernelEmbedding]:
    gram = square_matrix(spec, candidate, chosen.graphs) if own is None else own.values
    return gram, kernel_pca(gram, n_components=2)


def graph_map(chosen: ChosenSet, evaluation: Evaluation, matrix: OwnMatrix | None) -> None:
    """Draw every graph as a point; below it the one that was clicked, or those misclassified.

    The kernel has the parameters that most folds chose, or is the user's matrix.
    """
    if len(chosen.graphs) > _MOST_MAPPED:
        st.info(f"The map is drawn for at most {_MOST_MAPPED:,} graphs.")
        return
    method = evaluation.spec.method
    usual = [evaluation.chosen[name].most_common(1)[0][0] for name in ("T", "levels", "setting")]
    own = matrix if evaluation.spec.method == OWN else None
    gram, plane = _kernel(chosen, evaluation.spec, engine.Candidate(*usual), own)
    points, box = f"map {method}", f"seen {method}"

    def pick() -> None:
        """Put the number of the graph that was clicked into the field below the map."""
        clicked = st.session_state[points].selection.points
        st.session_state[box] = int(clicked[0]["customdata"]) if clicked else None

    chart(
        graph_map_figure(plane, evaluation),
        points,
        graph_map_words(plane, evaluation),
        (chosen.name, method, "map-of-graphs"),
        on_select=pick,
        selection_mode="points",
        height=420,
    )
    st.caption(
        "Kernel-PCA plane of the graphs; a cross marks a graph that is misclassified in most "
        "repetitions. Click a graph to see it, or enter its number."
    )
    map_downloads(chosen, evaluation, gram, plane.points)
    picked = st.number_input(
        "Graph to see",
        0,
        len(chosen.graphs) - 1,
        None,
        1,
        key=box,
        width=220,
        placeholder="Number",
        help=help_of("seen"),
    )
    wrong = np.flatnonzero(evaluation.is_mostly_wrong).tolist()
    shown = wrong[:_MOST_ERRORS] if picked is None else [int(picked)]
    if picked is None:
        st.caption(_words_on_errors(len(wrong), len(shown)))
    for graph in shown:
        _beside_nearest(chosen, evaluation, gram, graph)


def _words_on_errors(n_wrong: int, n_shown: int) -> str:
    """Say how many graphs are misclassified, and which of them follow."""
    if n_wrong == 0:
        return "No graph is misclassified in most repetitions."
    which = f"The first {n_shown} are shown, each" if n_wrong > n_shown else "Each is shown"
    return (
        f"{counted(n_wrong, 'graph')} misclassified in most repetitions. {which} beside the most "
        "similar training graph."
    )


def _beside_nearest(
    chosen: ChosenSet, evaluation: Evaluation, gram: NDArray[np.float64], graph: int
) -> None:
    """Draw a graph and the most similar one of its training graphs."""
    known = evaluation.learnt_from(graph)
    nearest = int(known[gram[graph, known].argmax()])
    usual = evaluation.chosen["setting"].most_common(1)[0][0]
    edges = evaluation.spec.parameters(usual).get("edges", "ignore")
    left, right = st.columns(2)
    for column, place, word in ((left, graph, "Graph"), (right, nearest, "Most similar:")):
        name = str(evaluation.names[evaluation.truth[place]])[:40]
        with column:
            st.text(f"{word} {place}, class {name}")
            _drawn(chosen, place, f"drawn {word} {graph}", edges, height=220)


def _drawn(
    chosen: ChosenSet, place: int, key: str, edges: str = "ignore", *, height: int, **look: Any
) -> None:
    """Draw a graph; ``look`` goes into the layout of the figure."""
    graph = chosen.graphs[place]
    figure = labelled_figure(graph, _layout(chosen, place), edges).update_layout(**look)
    words, saved_as = graph_words(graph), (chosen.name, "graph", place)
    chart(figure, key, words, saved_as, is_small=True, height=height)


@cached()
def _layout(chosen: ChosenSet, place: int) -> NDArray[np.float64]:
    return graph_layout(chosen.graphs[place])
