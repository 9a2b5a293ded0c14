"""What can be taken away from the page of node classification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mpgk_core.evaluation.tables import as_csv
from mpgk_core.node_classification import LearningCurve, NodeProtocol
from mpgk_core.takeaway import PassingParameters, RoleStudy, study_file_name
from ui.downloads import Download, download_row
from ui.role_report import role_report
from ui.role_source import ChosenRoles
from ui.study_downloads import graph_files, program_files

__all__ = ["role_downloads"]


def role_downloads(
    chosen: ChosenRoles,
    curve: LearningCurve,
    methods: Sequence[str],
    protocol: NodeProtocol,
    parameters: dict[str, Any],
) -> None:
    """Offer trials, report, programs and graph; each is made when it is asked for."""
    graph = chosen.graph
    study = RoleStudy(chosen.source, tuple(methods), protocol, PassingParameters(**parameters))
    download_row(
        "The curve",
        [
            Download(
                "curve-csv",
                "Trials as CSV",
                study_file_name(study, "learning-curve", "csv"),
                lambda: as_csv(curve.rows()),
                "Every trial with the labelled share, the chosen C and its accuracy.",
            ),
            Download(
                "curve-report",
                "Report",
                study_file_name(study, "report", "html"),
                lambda: role_report(chosen, curve, protocol, parameters),
                "One HTML file with the curve, numbers and parameters. It opens without a network.",
            ),
        ],
    )
    download_row("All trials again in Python", program_files(study, "curve-"))
    download_row("The graph, without the roles", graph_files(study, graph.graph, "curve-"))
