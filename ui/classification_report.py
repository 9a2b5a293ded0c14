"""What the page of graph classification shows as one page that opens anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from mpgk_core.evaluation import PUBLISHED, Evaluation, with_majority
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.evaluation.tables import summary_row
from mpgk_core.plotting.evaluation_figures import accuracy_figure, confusion_figure
from mpgk_core.takeaway import ReportFigure, ReportTable, report
from ui.data_set_source import ChosenSet
from ui.source_summary import set_summary

__all__ = ["classification_report"]


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
    title = f"How well do kernels tell classes of graphs apart? {chosen.name}"
    return report(title, [accuracies, *confusions], parameters, [table], notes)
