"""Downloads of graph and node classification: tables, reports, programs, graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core import export
from mpgk_core.datasets import recognised
from mpgk_core.errors import shortened
from mpgk_core.evaluation import (
    PUBLISHED,
    Evaluation,
    LearningCurve,
    NodeProtocol,
    PairedComparison,
    PaperCell,
    accuracy_table,
    against_best,
    as_csv,
    fold_rows,
    kind_title,
    summary_csv,
    with_majority,
)
from mpgk_core.evaluation.choices import CHOSEN
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.evaluation.methods import OWN
from mpgk_core.evaluation.tables import summary_row
from mpgk_core.export import KernelParameters, ReportFigure, ReportTable, report
from mpgk_core.export.tables import npy
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.plotting import evaluation_figures as figures
from mpgk_core.plotting.comparison_figures import paired_figure, paired_words
from mpgk_core.plotting.node_figures import (
    learning_curve_caption,
    learning_curve_figure,
    learning_curve_words,
)
from ui.classification.own_files import OwnMatrix
from ui.shared.downloads import Offer, download_row, reported
from ui.sources.roles import ChosenRoles
from ui.sources.sets import ChosenSet, set_summary


def classification_downloads(
    chosen: ChosenSet, found: Sequence[Evaluation], matrix: OwnMatrix | None
) -> None:
    """Offer folds, table, report, notebook and script; each is made when it is asked for.

    With a kernel matrix of the user's, the script and the notebook read it from a file beside them.
    """
    offer = _offer_of(chosen, found, "")

    def folds() -> str:
        return as_csv([row for one in found for row in fold_rows(chosen.name, one)])

    def table() -> str:
        return summary_csv({chosen.name: list(found)})

    files = [
        offer.file("csv", "Folds as CSV", ("folds", "csv"), folds),
        offer.file("table-csv", "Table as CSV", ("table", "csv"), table),
        offer.report(lambda: classification_report(chosen, found)),
    ]
    programs = offer.programs()
    if matrix is not None:
        make = partial(npy, matrix.values)
        programs.append(offer.file("own-npy", "Own matrix as NPY", ("own-matrix", "npy"), make))
    download_row("", [*files, *programs])


def comparison_downloads(
    chosen: ChosenSet, found: Sequence[Evaluation], compared: Sequence[PairedComparison]
) -> None:
    """Offer the comparison of kernels; it is made when it is asked for."""
    offer = _offer_of(chosen, found, "paired-")
    rows = partial(as_csv, [one.row() for one in compared])
    download_row("", [offer.file("csv", "Comparison as CSV", ("comparison", "csv"), rows)])


def training_downloads(
    chosen: ChosenSet, found: Sequence[Evaluation], make: Callable[[], str]
) -> None:
    """Offer the learning curve over training graphs; it is made when it is asked for."""
    offer = _offer_of(chosen, found, "growth-")
    download_row("", [offer.file("csv", "Curve as CSV", ("learning-curve", "csv"), make)])


def _offer_of(chosen: ChosenSet, found: Sequence[Evaluation], prefix: str) -> Offer:
    methods = tuple(one.spec.method for one in found if one.spec.method != OWN)
    rules, edges, fixed = found[0].protocol, _edges_of(found), _fixed_in(found)
    has_own = len(methods) < len(found)
    study = export.ClassificationStudy(chosen.data, methods, rules, edges, fixed, has_own)
    return Offer(study, prefix)


def _fixed_in(found: Sequence[Evaluation]) -> tuple[tuple[str, Any], ...]:
    """Return the parameters of the four kernels, where these have no others to choose from."""
    specs = [one.spec for one in found if one.spec.method in VARIANTS]
    if not specs or any(len(spec.settings) > 1 for spec in specs):
        return ()
    known = specs[0].parameters(0)
    return tuple((name, value) for name, value in known.items() if name != "edges")


def _edges_of(found: Sequence[Evaluation]) -> str:
    """Return what was asked to be used of edges; kernels that cannot use edges ignore them."""
    used = [one.spec.edges for one in found if one.spec.edges != "ignore"]
    if not used and _fixed_in(found):
        return "ignore"
    return CHOSEN if not used or " or " in used[0] else used[0]


def map_downloads(
    chosen: ChosenSet,
    evaluation: Evaluation,
    gram: NDArray[np.float64],
    points: NDArray[np.float64],
) -> None:
    """Offer the map, the kernel behind it and the graphs; each is made when it is asked for.

    Parameters
    ----------
    chosen : ChosenSet
    evaluation : Evaluation
        Of the kernel that is looked at.
    gram : ndarray of shape (N, N)
        That kernel, with the values that most folds chose.
    points : ndarray of shape (N, 2)
        The graphs in its kernel-PCA plane.
    """
    method, classes = evaluation.spec.method, chosen.classes
    offer = _offer_of(chosen, [evaluation], "map-")
    csv = partial(export.set_kernels_csv, {method: gram}, classes)
    npz = partial(export.set_kernels_npz, {method: gram}, classes)
    files = [
        offer.file(
            "csv", "Map as CSV", ("map", "csv"), lambda: as_csv(_map_rows(evaluation, points))
        ),
        offer.file("kernel-csv", "Kernel as CSV", ("kernel", "csv"), csv),
        offer.file("kernel-npz", "Kernel as NPZ", ("kernel", "npz"), npz),
    ]
    title = f"The map and its kernel ({method}), and the graphs"
    download_row(title, [*files, *offer.graphs(chosen.graphs)])


def _map_rows(
    evaluation: Evaluation, points: NDArray[np.float64]
) -> list[dict[str, str | int | float | bool]]:
    is_wrong = evaluation.is_mostly_wrong
    return [
        {
            "graph": number,
            "class": str(evaluation.names[evaluation.truth[number]]),
            "mostly misclassified": bool(is_wrong[number]),
            **{f"axis {axis}": float(x) for axis, x in enumerate(place, start=1)},
        }
        for number, place in enumerate(points)
    ]


def paper_name(chosen: ChosenSet) -> str | None:
    """Return the name of the set of the paper that has these sizes, or None."""
    known = recognised(chosen.graphs, chosen.classes)
    return None if known is None else known.name


def accuracies_picture(
    chosen: ChosenSet, shown: Sequence[Evaluation], score: str = "accuracy"
) -> ReportFigure:
    """Return a score, accuracies beside what is published for the set of the paper."""
    name = paper_name(chosen)
    figure = figures.accuracy_figure(shown, name, score)
    caption = figures.accuracy_caption(shown, name, score)
    return ReportFigure(figure, caption, figures.accuracy_words(shown, name, score))


def paper_row(cell: PaperCell) -> dict[str, object]:
    """Return ours beside the published figure of the same method, with its source."""
    difference = cell.difference
    return {
        "method": cell.row,
        "ours (%)": cell.ours.text(2) if cell.ours else "",
        "published (%)": cell.published.text(2) if cell.published else "",
        "difference": None if difference is None else round(difference, 2),
        "published figure": (cell.published.note if cell.published else "") or "In this paper",
        "measured": cell.ours.note if cell.ours else "",
    }


def confusion_picture(one: Evaluation) -> ReportFigure:
    """Return which classes a kernel takes for which."""
    caption = f"True and predicted classes under {one.spec.title}."
    return ReportFigure(figures.confusion_figure(one), caption, figures.confusion_words(one))


def curve_picture(curve: LearningCurve) -> ReportFigure:
    """Return the learning curves."""
    figure, caption = learning_curve_figure(curve), learning_curve_caption(curve)
    return ReportFigure(figure, caption, learning_curve_words(curve))


def classification_report(chosen: ChosenSet, found: Sequence[Evaluation]) -> str:
    """Return accuracies, comparisons, the confusions of every kernel, tables and the protocol."""
    shown = with_majority(found)
    compared = against_best(found)
    pictures = [accuracies_picture(chosen, shown)]
    tables = [ReportTable.of("Kernels", [summary_row(chosen.name, one) for one in shown])]
    if compared:
        figure, words = paired_figure(compared), paired_words(compared)
        pictures.append(ReportFigure(figure, words, words))
        rows = [one.row() for one in compared]
        tables.append(ReportTable.of("Comparison on the same folds", rows))
    name = paper_name(chosen)
    if name is not None:
        cells = [cell for cell in accuracy_table({name: found}).cells if cell.published]
        rows = [paper_row(cell) for cell in cells]
        tables.append(ReportTable.of(f"Ours and published, {name}. {PUBLISHED.source}", rows))
    pictures += map(confusion_picture, found)
    parameters = {
        "data set": chosen.name,
        "graphs": len(chosen.graphs),
        "vertices": chosen.graphs.n_vertices,
        "classes": len(set(chosen.classes)),
        "kernels": ", ".join(one.spec.method for one in found),
        **{f"features of {one.spec.method}": one.spec.features or "none" for one in found},
        **{f"edges in {one.spec.method}": one.spec.edges for one in found},
        **asdict(found[0].protocol),
        "splits": found[0].protocol.split_words or "none",
    }
    notes = [set_summary(chosen).text, *([chosen.about] if chosen.about else [])]
    if needs_comparison(chosen.graphs):
        notes.append(ADVICE)
    title = f"{export.ClassificationStudy.question} {chosen.name}"
    return report(title, pictures, parameters, tables, notes)


def role_downloads(
    chosen: ChosenRoles,
    curve: LearningCurve,
    methods: Sequence[str],
    protocol: NodeProtocol,
    kernel: KernelParameters,
) -> None:
    """Offer trials, report, programs and graph; each is made when it is asked for."""
    offer = Offer(export.RoleStudy(chosen.source, tuple(methods), protocol, kernel), "curve-")
    trials = offer.file(
        "csv", "Trials as CSV", ("learning-curve", "csv"), lambda: as_csv(curve.rows())
    )
    page = offer.report(lambda: role_report(chosen, curve, protocol, kernel))
    download_row("The curve", [trials, page])
    download_row("Python code for all trials", offer.programs())
    download_row("The graph, without the roles", offer.graphs(chosen.graph.graph))


def role_report(
    chosen: ChosenRoles, curve: LearningCurve, protocol: NodeProtocol, kernel: KernelParameters
) -> str:
    """Return the learning curves, their numbers and all parameters."""
    graph, roles = chosen.graph.graph, chosen.roles
    settings = {
        "graph": shortened(chosen.graph.title),
        "vertices": graph.n_vertices,
        "edges": graph.n_edges,
        "roles": ", ".join(shortened(str(name)) for name in roles.names),
        **reported(kernel.passing()),
        **asdict(protocol),
    }
    title = f"{export.RoleStudy.question} {shortened(chosen.graph.title)}"
    note = f"{len(curve.trials):,} trials."
    rows = [
        {
            "kernel and classifier": kind_title(method, classifier),
            "labelled": f"{100 * point.share:.0f} %",
            "accuracy (%)": f"{100 * point.mean:.2f}",
            "±": f"{100 * point.std:.2f}",
            "trials": point.n_trials,
        }
        for method, classifier in curve.kinds
        for point in curve.points(method, classifier)
    ]
    table = ReportTable.of("Accuracies", rows)
    return report(title, [curve_picture(curve)], settings, [table], [note])
