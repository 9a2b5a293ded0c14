"""The files that the page of node classification offers: tables, report, programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mpgk_core.errors import shortened
from mpgk_core.evaluation import LearningCurve, NodeProtocol, kind_title
from mpgk_core.evaluation.tables import as_csv
from mpgk_core.export import (
    PassingParameters,
    ReportFigure,
    ReportTable,
    RoleStudy,
    report,
    study_file_name,
)
from mpgk_core.plotting.node_figures import learning_curve_figure
from ui.downloads import Download, download_row
from ui.playground_export import graph_files, program_files
from ui.sources.roles import ChosenRoles


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


def role_report(
    chosen: ChosenRoles, curve: LearningCurve, protocol: NodeProtocol, parameters: dict[str, Any]
) -> str:
    """Return the learning curves, their numbers and all parameters."""
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
    note = f"{len(curve.trials):,} trials."
    title = f"Which role does a vertex play? {shortened(chosen.graph.title)}"
    return report(title, [figure], settings, [_table(curve)], [note])


def _table(curve: LearningCurve) -> ReportTable:
    rows = [
        [
            kind_title(method, classifier),
            f"{100 * point.share:.0f} %",
            f"{100 * point.mean:.2f}",
            f"{100 * point.std:.2f}",
            point.n_trials,
        ]
        for method, classifier in curve.kinds
        for point in curve.points(method, classifier)
    ]
    header = ("kernel and classifier", "labelled", "accuracy (%)", "±", "trials")
    return ReportTable("Accuracies", header, rows)
