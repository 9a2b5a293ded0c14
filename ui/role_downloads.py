"""What can be taken away from the page of node classification."""

from __future__ import annotations

from typing import Any

from mpgk_core.evaluation.tables import as_csv
from mpgk_core.node_classification import LearningCurve, NodeProtocol
from mpgk_core.takeaway import file_name
from ui.downloads import Download, download_row
from ui.role_report import role_report
from ui.role_source import ChosenRoles

__all__ = ["role_downloads"]


def role_downloads(
    chosen: ChosenRoles, curve: LearningCurve, protocol: NodeProtocol, parameters: dict[str, Any]
) -> None:
    """Offer the trials as a table, and a report."""
    parts = [
        chosen.graph.title,
        f"T{parameters['n_iterations']}",
        f"alpha{parameters['alpha']:g}",
        f"beta{parameters['beta']:g}",
        f"seed{protocol.random_state}",
    ]
    download_row("", [
        Download(
            "curve-csv", "Trials as CSV", file_name(*parts, "learning-curve", extension="csv"),
            lambda: as_csv(curve.rows()),
            "Every trial with the labelled share, the chosen C and its accuracy.",
        ),
        Download(
            "curve-report", "Report", file_name(*parts, "learning-curve", extension="html"),
            lambda: role_report(chosen, curve, protocol, parameters),
            "One HTML file with the curve, numbers and parameters. It opens without a network.",
        ),
    ])  # fmt: skip
