"""What can be taken away from the page of tuning."""

from __future__ import annotations

from mpgk_core.evaluation.tables import as_csv
from mpgk_core.takeaway import (
    ClassifiedGraphs,
    SweepStudy,
    study_file_name,
)
from mpgk_core.tuning import SetSweepTask, Sweep, VertexSweepTask
from mpgk_core.tuning.task import SweepTask
from ui.choices import ChosenGraph
from ui.downloads import Download, download_row
from ui.study_downloads import graph_files, program_files
from ui.tuning_report import tuning_report
from ui.tuning_views import SweepView

__all__ = ["set_sweep_downloads", "vertex_sweep_downloads"]


def vertex_sweep_downloads(
    chosen: ChosenGraph, task: VertexSweepTask, sweep: Sweep, view: SweepView
) -> None:
    """Offer a sweep over the vertices of a graph, and the graph."""
    study = SweepStudy(chosen.source, task.grid, task.scores, task.n_folds, task.random_state)
    _downloads(study, sweep, view, "tune-", task)
    download_row("The graph", graph_files(study, chosen.graph, "tune-"))


def set_sweep_downloads(
    data: ClassifiedGraphs, task: SetSweepTask, sweep: Sweep, view: SweepView
) -> None:
    """Offer a sweep over a set of graphs."""
    rules = task.protocol
    study = SweepStudy(data, task.grid, ("recovered",), rules.n_folds, rules.random_state)
    _downloads(study, sweep, view, "tune-set-", task)


def _downloads(
    study: SweepStudy, sweep: Sweep, view: SweepView, prefix: str, task: SweepTask
) -> None:
    download_row(
        "The sweep",
        [
            Download(
                f"{prefix}csv",
                "Cells as CSV",
                study_file_name(study, "sweep", "csv"),
                lambda: as_csv(sweep.rows()),
                "All cells that have been tried, with all scores.",
            ),
            Download(
                f"{prefix}report",
                "Report",
                study_file_name(study, "report", "html"),
                lambda: tuning_report(study, sweep, view, task),
                "One HTML file with maps, best cells and parameters. It opens without a network.",
            ),
        ],
    )
    download_row("All cells again in Python", program_files(study, prefix))
