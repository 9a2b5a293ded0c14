"""What can be taken away from the page of graph classification."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mpgk_core.evaluation import Evaluation, as_csv, fold_rows, summary_csv
from mpgk_core.takeaway import (
    ClassificationStudy,
    set_kernels_csv,
    set_kernels_npz,
    study_file_name,
)
from ui.classification_report import classification_report
from ui.data_set_source import ChosenSet
from ui.downloads import Download, download_row
from ui.study_downloads import graph_files, program_files

__all__ = ["classification_downloads", "map_downloads"]


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
                study_file_name(study, "folds", "csv"),
                lambda: as_csv([row for e in found for row in fold_rows(chosen.name, e)]),
                "Every fold with its accuracy and the C, T and parameters chosen in it.",
            ),
            Download(
                "table-csv",
                "Table as CSV",
                study_file_name(study, "table", "csv"),
                lambda: summary_csv({chosen.name: list(found)}),
                "One row for every kernel.",
            ),
            Download(
                "report",
                "Report",
                study_file_name(study, "report", "html"),
                lambda: classification_report(chosen, found),
                "One HTML file with pictures, numbers and parameters. It opens without a network.",
            ),
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
                study_file_name(study, "map", "csv"),
                lambda: as_csv(_map_rows(evaluation, points)),
                "Every graph with its class, whether it was mostly misclassified, and its place.",
            ),
            Download(
                "map-kernel-csv",
                "Kernel as CSV",
                study_file_name(study, "kernel", "csv"),
                lambda: set_kernels_csv({method: gram}, chosen.classes),
                f"Similarities of all pairs of graphs, {usual}, for spreadsheets.",
            ),
            Download(
                "map-kernel-npz",
                "Kernel as NPZ",
                study_file_name(study, "kernel", "npz"),
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
