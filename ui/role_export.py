"""The files that the page of node classification offers: tables, report, programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from mpgk_core.errors import shortened
from mpgk_core.evaluation import LearningCurve, NodeProtocol, kind_title
from mpgk_core.evaluation.tables import as_csv
from mpgk_core.export import KernelParameters, ReportFigure, ReportTable, RoleStudy, report
from mpgk_core.plotting.node_figures import learning_curve_figure
from ui.downloads import Download, download_row, graph_files, program_files, report_file
from ui.sources.roles import ChosenRoles


def role_downloads(
    chosen: ChosenRoles,
    curve: LearningCurve,
    methods: Sequence[str],
    protocol: NodeProtocol,
    kernel: KernelParameters,
) -> None:
    """Offer trials, report, programs and graph; each is made when it is asked for."""
    study = RoleStudy(chosen.source, tuple(methods), protocol, kernel)
    trials = Download(
        "curve-csv",
        "Trials as CSV",
        study.file_name("learning-curve", "csv"),
        lambda: as_csv(curve.rows()),
        "Every trial with the labelled share, the chosen C and its accuracy.",
    )
    page = report_file(study, "curve-", lambda: role_report(chosen, curve, protocol, kernel))
    download_row("The curve", [trials, page])
    download_row("All trials again in Python", program_files(study, "curve-"))
    download_row("The graph, without the roles", graph_files(study, chosen.graph.graph, "curve-"))


def role_report(
    chosen: ChosenRoles, curve: LearningCurve, protocol: NodeProtocol, kernel: KernelParameters
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
        **kernel.passing(),
        **asdict(protocol),
    }
    title = f"{RoleStudy.question} {shortened(chosen.graph.title)}"
    note = f"{len(curve.trials):,} trials."
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
    table = ReportTable("Accuracies", header, rows)
    return report(title, [figure], settings, [table], [note])
