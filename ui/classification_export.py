"""The files that the page of graph classification offers: tables, report, programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from mpgk_core.evaluation import (
    PUBLISHED,
    Evaluation,
    as_csv,
    fold_rows,
    summary_csv,
    with_majority,
)
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.evaluation.tables import summary_row
from mpgk_core.export import (
    ClassificationStudy,
    ReportFigure,
    ReportTable,
    report,
    set_kernels_csv,
    set_kernels_npz,
)
from mpgk_core.plotting.evaluation_figures import accuracy_figure, confusion_figure
from ui.downloads import Download, download_row, graph_files, program_files, report_file
from ui.sources.sets import ChosenSet, set_summary


def classification_downloads(chosen: ChosenSet, found: Sequence[Evaluation]) -> None:
    """Offer folds, table, report, notebook and script; each is made when it is asked for."""
    methods = tuple(evaluation.spec.method for evaluation in found)
    study = ClassificationStudy(chosen.data, methods, found[0].protocol)
    download_row(
        "",
        [
            Download(
                "csv",
                "Folds as CSV",
                study.file_name("folds", "csv"),
                lambda: as_csv([row for e in found for row in fold_rows(chosen.name, e)]),
                "Every fold with its accuracy and the C, T and parameters chosen in it.",
            ),
            Download(
                "table-csv",
                "Table as CSV",
                study.file_name("table", "csv"),
                lambda: summary_csv({chosen.name: list(found)}),
                "One row for every kernel.",
            ),
            report_file(study, "", lambda: classification_report(chosen, found)),
            *program_files(study, ""),
        ],
    )


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
    method = evaluation.spec.method
    study = ClassificationStudy(chosen.data, (method,), evaluation.protocol)
    usual = "with the values that most folds chose"
    download_row(
        f"The map and its kernel ({method}), and the graphs",
        [
            Download(
                "map-csv",
                "Map as CSV",
                study.file_name("map", "csv"),
                lambda: as_csv(_map_rows(evaluation, points)),
                "Every graph with its class, whether it was mostly misclassified, and its place.",
            ),
            Download(
                "map-kernel-csv",
                "Kernel as CSV",
                study.file_name("kernel", "csv"),
                lambda: set_kernels_csv({method: gram}, chosen.classes),
                f"Similarities of all pairs of graphs, {usual}, for spreadsheets.",
            ),
            Download(
                "map-kernel-npz",
                "Kernel as NPZ",
                study.file_name("kernel", "npz"),
                lambda: set_kernels_npz({method: gram}, chosen.classes),
                f"Similarities of all pairs of graphs, {usual}, for numpy.",
            ),
            *graph_files(study, chosen.graphs, "map-"),
        ],
    )


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


def classification_report(chosen: ChosenSet, found: Sequence[Evaluation]) -> str:
    """Return accuracies, the confusions of every kernel, the table and the protocol."""
    published = PUBLISHED.best.get(chosen.name)
    accuracies = ReportFigure(
        accuracy_figure(with_majority(found), published),
        "Accuracy in per cent; bars are the standard deviation over the repetitions.",
        f"Accuracies of {len(found)} kernels; the numbers are in the table.",
    )
    confusions = [
        ReportFigure(
            confusion_figure(one),
            f"Which classes {one.spec.title} takes for which.",
            f"Confusion matrix of {one.spec.title}.",
        )
        for one in found
    ]
    rows = [summary_row(chosen.name, one) for one in with_majority(found)]
    table = ReportTable("Kernels", list(rows[0]), [list(row.values()) for row in rows])
    parameters = {
        "data set": chosen.name,
        "graphs": len(chosen.graphs),
        "vertices": chosen.graphs.n_vertices,
        "classes": len(set(chosen.classes)),
        "kernels": ", ".join(one.spec.method for one in found),
        **{f"features of {one.spec.method}": one.spec.features or "none" for one in found},
        **asdict(found[0].protocol),
    }
    notes = [set_summary(chosen).text, *([chosen.about] if chosen.about else [])]
    if needs_comparison(chosen.graphs):
        notes.append(ADVICE)
    if published is not None:
        notes.append(f"Best published: {published} %. {PUBLISHED.caveat} {PUBLISHED.source}.")
    title = f"{ClassificationStudy.question} {chosen.name}"
    return report(title, [accuracies, *confusions], parameters, [table], notes)
