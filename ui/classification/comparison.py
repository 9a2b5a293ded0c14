"""Comparing kernels: on the same folds, with the paper, by training graphs, over several sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from mpgk_core.automorphism import IsomorphicGraphs, isomorphic_graphs
from mpgk_core.evaluation import (
    METHODS_USED,
    PUBLISHED,
    Evaluation,
    Protocol,
    TrainingCurveTask,
    accuracy_table,
    against_best,
    as_csv,
    isomorphism_bias,
    isomorphism_sentences,
    ranks_of_evaluations,
    ranks_text,
)
from mpgk_core.plotting import comparison_figures as figures
from ui.classification.export import comparison_downloads, paper_name, paper_row, training_downloads
from ui.classification.graphs import rounded_percent
from ui.classification.own_files import OwnMatrix
from ui.shared.charts import chart
from ui.shared.jobs import Results, is_running, job_box
from ui.shared.widgets import local_choice, show_table
from ui.sources.sets import ChosenSet
from ui.state.cache import cached

_VIEWS = {
    "folds": "On the same folds",
    "paper": "With the paper",
    "training": "By training graphs",
    "sets": "Over several sets",
}
_MANY_TWINS = 0.1
_MOST_SETS = 30
_KNOWN_SETS = "compared sets"


def comparison(
    chosen: ChosenSet, found: Sequence[Evaluation], score: str, matrix: OwnMatrix | None
) -> None:
    """Show how kernels compare, one view at a time."""
    st.subheader("Compare", anchor=False)
    _isomorphism(chosen, found)
    same = _sets_of_session(chosen, found)
    views: dict[str, Callable[[], None]] = {
        "folds": lambda: _on_the_same_folds(chosen, found, score),
        "paper": lambda: _with_the_paper(chosen, found),
        "training": lambda: _by_training_graphs(chosen, found, score, matrix),
        "sets": lambda: _over_several_sets(same, score),
    }
    views[local_choice("compare-view", "Comparison", _VIEWS, label_visibility="collapsed")]()


@cached(spinner="Looking for isomorphic graphs …")
def _isomorphic(chosen: ChosenSet, edges: str) -> IsomorphicGraphs:
    return isomorphic_graphs(chosen.graphs, edges=edges)


def _isomorphism(chosen: ChosenSet, found: Sequence[Evaluation]) -> None:
    """Warn of isomorphic graphs on both sides of a fold, and show the accuracy without them.

    Edges count only if all kernels use the same of them.
    """
    used = {one.spec.edges for one in found}
    edges = used.pop() if len(used) == 1 else "ignore"
    isomorphic = _isomorphic(chosen, "ignore" if " or " in edges else edges)
    biases = [(one, isomorphism_bias(one, isomorphic)) for one in found]
    sentences = isomorphism_sentences(found, isomorphic)
    if not sentences:
        return
    show = st.warning if biases[0][1].share > _MANY_TWINS else st.caption
    show(" ".join(sentences))
    rows = [
        {
            "kernel": one.spec.method,
            "accuracy (%)": round(100 * bias.usual.mean, 1),
            "without isomorphic graphs (%)": rounded_percent(bias.strict.mean),
            "on isomorphic graphs (%)": rounded_percent(bias.twin_accuracy),
        }
        for one, bias in biases
    ]
    with st.expander("Accuracy without isomorphic graphs"):
        st.dataframe(rows, hide_index=True)


def _on_the_same_folds(chosen: ChosenSet, found: Sequence[Evaluation], score: str) -> None:
    """Draw how probable it is that the best kernel is better than each other one."""
    compared = against_best(found, score)
    if not compared:
        st.info("Evaluate two kernels or more to compare them.")
        return
    words = figures.paired_words(compared)
    chart(figures.paired_figure(compared), "paired", words, (chosen.name, "compared"), True)
    for one in compared:
        st.text(one.sentence)
    st.caption(
        f"The kernel with the highest {score} against each other one. {METHODS_USED} Both take "
        "into account that folds share training graphs."
    )
    with st.expander("Numbers"):
        show_table([one.row() for one in compared], "paired-table")
    comparison_downloads(chosen, found, compared)


def _with_the_paper(chosen: ChosenSet, found: Sequence[Evaluation]) -> None:
    """Draw our accuracy minus the published one of the same variant, cell by cell."""
    name = paper_name(chosen)
    if name is None:
        st.info("The paper reports nothing for this set.")
        return
    table = accuracy_table({name: found})
    cells = [cell for cell in table.cells if cell.published]
    if any(cell.difference is not None for cell in cells):
        words = figures.paper_words(cells)
        chart(figures.paper_figure(cells), "against-paper", words, (name, "against-paper"), True)
    show_table([paper_row(cell) for cell in cells], "paper-table")
    st.caption(
        "Each variant beside the published figure of the same variant. Bars: our standard "
        "deviation; grey: the published one. Published deviations are taken over repetitions. "
        f"{PUBLISHED.caveat} {PUBLISHED.source}."
    )


def _by_training_graphs(
    chosen: ChosenSet, found: Sequence[Evaluation], score: str, matrix: OwnMatrix | None
) -> None:
    """Offer the learning curve over the number of training graphs."""
    task = _curve_task(chosen, tuple(found), matrix)

    def show(results: Results, _is_running: bool) -> None:
        curve = task.curve(results)
        words = figures.training_curve_words(curve, score)
        saved_as = (chosen.name, "learning-curve")
        chart(figures.training_curve_figure(curve, score), "growth", words, saved_as, height=400)
        st.caption(figures.training_curve_caption(curve, score))

    st.caption("Would more graphs help? Each fold is tested again with fewer training graphs.")
    title = f"Learning curve of {chosen.name}"
    known = job_box(task, "growth", title, show, run="Run the learning curve")
    if known and not is_running(task):
        training_downloads(chosen, found, lambda: as_csv(task.curve(known).rows(score)))


@cached()
def _curve_task(
    chosen: ChosenSet, found: tuple[Evaluation, ...], matrix: OwnMatrix | None
) -> TrainingCurveTask:
    of_spec = {} if matrix is None else matrix.of_spec
    return TrainingCurveTask(chosen.graphs, found, matrices=of_spec)


def _sets_of_session(
    chosen: ChosenSet, found: Sequence[Evaluation]
) -> Mapping[str, Sequence[Evaluation]]:
    """Return what was evaluated in this session with the same protocol, by the name of the set."""
    rules = found[0].protocol
    known: dict[tuple[str, Protocol], Sequence[Evaluation]]
    known = st.session_state.setdefault(_KNOWN_SETS, {})
    name = f"{chosen.name} ({len(chosen.graphs):,} graphs, {chosen.graphs.n_vertices:,} vertices)"
    known.pop((name, rules), None)
    known[name, rules] = tuple(found)
    while len(known) > _MOST_SETS:
        del known[next(iter(known))]
    return {name: several for (name, protocol), several in known.items() if protocol == rules}


def _over_several_sets(same: Mapping[str, Sequence[Evaluation]], score: str) -> None:
    """Draw the average ranks over the sets that were evaluated in this session."""
    ranks = ranks_of_evaluations(same, score)
    if ranks is None:
        st.info(
            "Average ranks need two sets or more with at least two kernels in common, evaluated in "
            "this session with the same protocol. Choose another set and press Run."
        )
        return
    words = ranks_text(ranks)
    figure = figures.critical_difference_figure(ranks)
    chart(figure, "ranks", words, ("critical-difference",), True)
    st.text(words)
    st.text(f"Sets: {', '.join(name[:100] for name in same)}.")
    st.caption(f"Ranks by {score}; tests as in Demšar 2006.")
    with st.expander("Numbers"):
        show_table(ranks.rows(), "ranks-table")
