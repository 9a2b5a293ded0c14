"""What can be taken away from the page of node classification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mpgk_core.errors import shortened
from mpgk_core.evaluation.tables import as_csv
from mpgk_core.node_classification import CLASSIFIERS, NODE_METHODS, LearningCurve, NodeProtocol
from mpgk_core.plotting.node_figures import learning_curve_figure
from mpgk_core.takeaway import ReportFigure, ReportTable, file_name, report
from ui.downloads import Download, download_row
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
            lambda: _report(chosen, curve, protocol, parameters),
            "One HTML file with the curve, numbers and parameters. It opens without a network.",
        ),
    ])  # fmt: skip


def _report(
    chosen: ChosenRoles, curve: LearningCurve, protocol: NodeProtocol, parameters: dict[str, Any]
) -> str:
    figure = ReportFigure(
        learning_curve_figure(curve),
        "Accuracy on the vertices that are not labelled, by the share of labelled ones; bars are "
        "the standard deviation over the trials.",
        f"Learning curves of {len(curve.kinds)} classifiers; the numbers are in the table.",
    )
    graph, roles = chosen.graph.graph, chosen.roles
    settings = {
        "graph": shortened(chosen.graph.title),
        "vertices": graph.n_vertices,
        "edges": graph.n_edges,
        "roles": ", ".join(shortened(str(name)) for name in roles.names),
        **parameters,
        **asdict(protocol),
    }
    note = (f"{len(curve.trials):,} trials. Always saying the most frequent role is right for "
            f"{100 * roles.chance:.1f} %.")  # fmt: skip
    title = f"Which role does a vertex play? {shortened(chosen.graph.title)}"
    return report(title, [figure], settings, [_table(curve)], [note])


def _table(curve: LearningCurve) -> ReportTable:
    rows: Sequence[Sequence[Any]] = [
        [NODE_METHODS[method], CLASSIFIERS[classifier], f"{100 * point.share:.0f} %",
         f"{100 * point.mean:.2f}", f"{100 * point.std:.2f}", point.n_trials]
        for method, classifier in curve.kinds
        for point in curve.points(method, classifier)
    ]  # fmt: skip
    header = ("kernel", "classifier", "labelled", "accuracy (%)", "±", "trials")
    return ReportTable("Accuracies", header, rows)
