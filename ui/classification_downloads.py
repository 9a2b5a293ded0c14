"""What can be taken away from the page of graph classification."""

from __future__ import annotations

from collections.abc import Sequence

from mpgk_core.evaluation import Evaluation, as_csv, fold_rows, summary_csv
from mpgk_core.takeaway import ClassificationStudy, study_file_name
from ui.classification_report import classification_report
from ui.data_set_source import ChosenSet
from ui.downloads import Download, download_row
from ui.study_downloads import program_files

__all__ = ["classification_downloads"]


def classification_downloads(chosen: ChosenSet, found: Sequence[Evaluation]) -> None:
    """Offer folds, table, report, notebook and script; each is made when it is asked for."""
    methods = tuple(evaluation.spec.method for evaluation in found)
    study = ClassificationStudy(chosen.data, methods, found[0].protocol)
    download_row("", [
        Download(
            "csv", "Folds as CSV", study_file_name(study, "folds", "csv"),
            lambda: as_csv([row for e in found for row in fold_rows(chosen.name, e)]),
            "Every fold with the chosen C and T, its accuracy and its predictions.",
        ),
        Download(
            "table-csv", "Table as CSV", study_file_name(study, "table", "csv"),
            lambda: summary_csv({chosen.name: list(found)}), "One row for every kernel.",
        ),
        Download(
            "report", "Report", study_file_name(study, "report", "html"),
            lambda: classification_report(chosen, found),
            "One HTML file with pictures, numbers and parameters. It opens without a network.",
        ),
        *program_files(study, ""),
    ])  # fmt: skip
