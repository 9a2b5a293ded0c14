"""Which method is better and how sure that is, ours against published, and learning curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.evaluation.average_ranks import AverageRanks
from mpgk_core.evaluation.paired_comparison import PairedComparison
from mpgk_core.evaluation.paper_table import PaperCell
from mpgk_core.evaluation.scores import summarised
from mpgk_core.evaluation.training_curve import TrainingCurve
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.evaluation_figures import axis_words, zoomed_range
from mpgk_core.plotting.style import (
    LEGEND_ABOVE,
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    base_figure,
    margins,
    titled_axis,
)

_FIRST, _SECOND = class_colours(2)
_EQUAL = "#9c9c9c"
_ROW = 42
"""Height of a row, in pixels."""

_ROOM_FOR_NAMES = 92
"""Beside a critical-difference diagram, in pixels."""

_LEAST_NUMBER = 8.0
"""Smaller shares, in per cent, have no number in their bar."""


def paired_figure(comparisons: Sequence[PairedComparison]) -> go.Figure:
    """Draw for every pair how probable it is that either method is better, or none.

    Parameters
    ----------
    comparisons : sequence of PairedComparison
        With the same first method, as from :func:`~mpgk_core.evaluation.against_best`.

    Returns
    -------
    plotly.graph_objects.Figure
        A bar for every pair, divided into three: the first is better, both are equally good, the
        second is better.
    """
    names = [f"against {one.second}" for one in comparisons]
    best = comparisons[0].first if comparisons else ""
    parts = [
        (f"{best} better", _FIRST, [100 * one.first_better for one in comparisons]),
        ("equally good", _EQUAL, [100 * one.equal for one in comparisons]),
        ("the other better", _SECOND, [100 * one.second_better for one in comparisons]),
    ]
    bars = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": shares,
            "y": names,
            "marker": {"color": colour, "line": OUTLINE},
            "text": [f"{share:.0f} %" if share >= _LEAST_NUMBER else "" for share in shares],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "insidetextfont": {"color": "black"},
            "textangle": 0,
            "hovertemplate": "%{y}: " + name + " with %{x:.1f} %<extra></extra>",
        }
        for name, colour, shares in parts
    ]
    return base_figure(
        bars,
        barmode="stack",
        xaxis=titled_axis("probability (%)", range=[0, 100], dtick=25),
        yaxis={"autorange": "reversed", "automargin": True, "type": "category"},
        height=110 + _ROW * len(comparisons),
        margin=margins(12, 16, 40, 40),
        showlegend=True,
        legend={**LEGEND_ABOVE["legend"], "traceorder": "normal"},
    )


def paired_words(comparisons: Sequence[PairedComparison]) -> str:
    """Say for every pair which method is better and how sure that is."""
    return " ".join(one.sentence for one in comparisons) or "There is no other method to compare."


def paper_figure(cells: Sequence[PaperCell]) -> go.Figure:
    """Draw our figure minus the published one, for every method that has both.

    Parameters
    ----------
    cells : sequence of PaperCell

    Returns
    -------
    plotly.graph_objects.Figure
        Points with our deviation; a grey bar around 0 is the published deviation.
    """
    both = [cell for cell in cells if cell.difference is not None]
    rows = list(range(len(both)))
    theirs = [cell.published.std if cell.published else 0.0 for cell in both]
    ours = [cell.ours.std if cell.ours else float("nan") for cell in both]
    differences = [float(cell.difference or 0.0) for cell in both]
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": "published ± deviation",
            "base": [-std for std in theirs],
            "x": [2 * std for std in theirs],
            "y": rows,
            "width": 0.7,
            "marker": {"color": _EQUAL, "opacity": 0.4},
            "hovertext": [f"{c.row}: published {c.published.text(2)}" for c in both if c.published],
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
        {
            "type": "scatter",
            "name": "measured here",
            "x": differences,
            "y": rows,
            "error_x": {
                "type": "data",
                "array": [std if np.isfinite(std) else None for std in ours],
                "thickness": 1.5,
                "width": 4,
            },
            "mode": "markers+text",
            "text": [f"{value:+.1f}" for value in differences],
            "textposition": "top center",
            "marker": {"size": 11, "color": _FIRST, "line": OUTLINE},
            "hovertext": [f"{c.row}: {c.ours.text(2)} here" for c in both if c.ours],
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
    ]
    figure = base_figure(
        traces,
        xaxis=titled_axis("points above the published figure", zeroline=False),
        yaxis={
            **QUIET_AXIS,
            "showticklabels": True,
            "tickvals": rows,
            "ticktext": [cell.row for cell in both],
            "range": [len(both) - 0.4, -0.8],
        },
        height=110 + 50 * len(both),
        margin=margins(12, 16, 40, 40),
        **LEGEND_ABOVE,
    )
    figure.add_vline(0, line={"width": 1, "color": MARK_COLOUR})
    return figure


def paper_words(cells: Sequence[PaperCell]) -> str:
    """Say for every method that has both figures how far ours is from the published one."""
    parts = [
        f"{cell.row}: {cell.ours.text(2)} here, {cell.published.text(2)} published "
        f"({cell.difference:+.2f})."
        for cell in cells
        if cell.ours and cell.published
    ]
    return " ".join(parts) or "No method here has a published figure."


def critical_difference_figure(ranks: AverageRanks) -> go.Figure:
    """Draw the critical-difference diagram: average ranks, and bars over what is not different.

    Parameters
    ----------
    ranks : AverageRanks

    Returns
    -------
    plotly.graph_objects.Figure
        The best rank is at the left. A thick bar joins methods whose ranks differ by less than
        the critical difference, which is drawn above the axis.
    """
    k = len(ranks.methods)
    n_left = (k + 1) // 2
    groups = ranks.groups
    first_label = -0.6 - 0.35 * len(groups)
    traces: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for place, (method, rank) in enumerate(zip(ranks.methods, ranks.ranks.tolist(), strict=True)):
        is_left = place < n_left
        depth = first_label - 0.6 * (place if is_left else k - 1 - place)
        end = 1.0 - 0.03 * k if is_left else k + 0.03 * k
        traces.append(
            {
                "type": "scatter",
                "x": [rank, rank, end],
                "y": [0, depth, depth],
                "mode": "lines",
                "line": {"width": 1.5, "color": MARK_COLOUR},
                "hoverinfo": "skip",
            }
        )
        annotations.append(
            {
                "x": end,
                "y": depth,
                "text": f"{method}  {rank:.2f}" if is_left else f"{rank:.2f}  {method}",
                "showarrow": False,
                "xanchor": "right" if is_left else "left",
            }
        )
    for number, (first, last) in enumerate(groups):
        y = -0.3 - 0.35 * number
        span = [float(ranks.ranks[first]) - 0.03, float(ranks.ranks[last]) + 0.03]
        traces.append(_bar(span, y, _FIRST, 6))
    end = 1 + ranks.critical_difference
    traces.append(_bar([1.0, end], 0.75, _SECOND, 4))
    annotations.append(
        {
            "x": (1 + end) / 2,
            "y": 0.78,
            "text": f"critical difference {ranks.critical_difference:.2f}",
            "showarrow": False,
            "yanchor": "bottom",
        }
    )
    traces.append(
        {
            "type": "scatter",
            "x": ranks.ranks.tolist(),
            "y": [0] * k,
            "mode": "markers",
            "marker": {"size": 9, "color": _FIRST, "line": OUTLINE},
            "text": list(ranks.methods),
            "hovertemplate": "%{text}: average rank %{x:.2f}<extra></extra>",
        }
    )
    lowest = first_label - 0.6 * max(n_left - 1, 0) - 0.5
    return base_figure(
        [_bar([1.0, float(k)], 0.0, MARK_COLOUR, 2), *traces],
        xaxis={
            **QUIET_AXIS,
            "showticklabels": True,
            "side": "top",
            "tickvals": list(range(1, k + 1)),
            "title": {"text": "average rank (1 is best)"},
            "range": [1 - 0.04 * k, max(k + 0.04 * k, end + 0.1)],
        },
        yaxis={**QUIET_AXIS, "range": [lowest, 1.5]},
        annotations=annotations,
        height=round(120 + 55 * (1.5 - lowest)),
        margin=margins(_ROOM_FOR_NAMES, _ROOM_FOR_NAMES, 56, 12),
    )


def _bar(span: Sequence[float], y: float, colour: str, width: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": list(span),
        "y": [y, y],
        "mode": "lines",
        "line": {"width": width, "color": colour},
        "hoverinfo": "skip",
    }


def training_curve_figure(curve: TrainingCurve, score: str = "accuracy") -> go.Figure:
    """Draw a score over the number of training graphs, one line per kernel.

    Parameters
    ----------
    curve : TrainingCurve
    score : str
        A key of ``SCORES``.

    Returns
    -------
    plotly.graph_objects.Figure
        Bars are the standard deviation over the repetitions or, if there is one, over the folds.
    """
    lines = []
    colours = class_colours(len(curve.of_method))
    for (method, points), colour in zip(curve.of_method.items(), colours, strict=True):
        scored = [summarised(point.evaluation, score) for point in points]
        lines.append(
            {
                "type": "scatter",
                "name": method,
                "x": [point.n_graphs for point in points],
                "y": [100 * one.mean for one in scored],
                "error_y": {
                    "type": "data",
                    "array": [100 * s.spread if np.isfinite(s.spread) else None for s in scored],
                    "thickness": 1,
                    "width": 3,
                },
                "mode": "lines+markers",
                "line": {"color": colour},
                "text": [f"{100 * point.share:.0f} % of the training graphs" for point in points],
                "hovertemplate": f"{method}, %{{text}}: %{{y:.1f}} %<extra></extra>",
            }
        )
    return base_figure(
        lines,
        xaxis=titled_axis("training graphs", rangemode="tozero"),
        yaxis=titled_axis(f"{score} (%)", range=list(training_curve_range(curve, score))),
        **LEGEND_ABOVE,
    )


def training_curve_range(curve: TrainingCurve, score: str = "accuracy") -> tuple[float, float]:
    """Return where the axis of the score begins and ends, in per cent: multiples of 5."""
    scored = [
        summarised(point.evaluation, score)
        for points in curve.of_method.values()
        for point in points
    ]
    return zoomed_range([(100 * s.mean, 100 * s.spread) for s in scored if np.isfinite(s.mean)])


def training_curve_caption(curve: TrainingCurve, score: str = "accuracy") -> str:
    """Say what :func:`training_curve_figure` shows, what is chosen, and where its axis begins."""
    low, _ = training_curve_range(curve, score)
    return (
        "Same test folds, smaller training parts; each part holds the smaller ones. The kernel is "
        "the one that a fold chose on its whole training part, C is chosen anew. Bars: standard "
        f"deviation over the repetitions or, if there is one, over the folds. {axis_words(low)}"
    ).strip()


def training_curve_words(curve: TrainingCurve, score: str = "accuracy") -> str:
    """Describe for every kernel where its line begins and ends."""
    parts = []
    for method, points in curve.of_method.items():
        ends = (points[0], points[-1]) if len(points) > 1 else points
        texts = [
            f"{100 * summarised(point.evaluation, score).mean:.1f} % with {point.n_graphs:.0f} "
            "training graphs"
            for point in ends
        ]
        parts.append(f"{method}: {', '.join(texts)}.")
    return " ".join(parts) or "No fold is done yet."
