"""How much of a graph's vertices is left while edges are removed, as curves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.edits.perturbation import PerturbationCurve
from mpgk_core.plotting.colouring import METHOD_COLOURS, METHOD_TITLES
from mpgk_core.plotting.style import base_figure, margins, point_trace, titled_axis
from mpgk_core.text import counted

_SYMBOLS = {"WL": "square", "R": "circle", "A": "diamond"}
_AT_THE_END = {
    "x": 1.0,
    "xref": "paper",
    "showarrow": False,
    "xanchor": "left",
    "xshift": 8,
    "borderwidth": 2,
    "borderpad": 2,
}
_LABEL_GAP = 0.07


def perturbation_figure(curve: PerturbationCurve) -> go.Figure:
    """Draw what is left of the vertices over the number of removed edges.

    Parameters
    ----------
    curve : PerturbationCurve
        Complete or not: steps without a measurement are left out.

    Returns
    -------
    plotly.graph_objects.Figure
        For each of WL, R and A, a band from the lowest to the highest seed, then the line of the
        means, named at its end.
    """
    shown = curve.is_measured.any(axis=0)
    removed = curve.n_removed[shown]
    traces: list[Any] = []
    lows, ends = [0.0], []
    for name, title in METHOD_TITLES.items():
        low, mean, high = (
            line[shown] for line in (curve.lowest(name), curve.mean(name), curve.highest(name))
        )
        lows += low.tolist()
        ends += mean[-1:].tolist()
        look = {"color": METHOD_COLOURS[name]}
        band = np.column_stack([[*removed, *removed[::-1]], [*high, *low[::-1]]])
        traces.append(
            point_trace(
                band,
                fill="toself",
                fillcolor=METHOD_COLOURS[name],
                opacity=0.2,
                line={"width": 0},
                mode="lines",
                hoverinfo="skip",
            )
        )
        traces.append(
            point_trace(
                np.column_stack([removed, mean]),
                name=title,
                mode="lines+markers",
                line=look,
                marker=look | {"symbol": _SYMBOLS[name], "size": 7},
                customdata=np.column_stack([low, high]),
                hovertemplate=f"{title}<br>%{{x}} edges removed: %{{y:.3f}}"
                "<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
            )
        )
    notes = [
        {"text": title, "y": height, "bordercolor": METHOD_COLOURS[name], **_AT_THE_END}
        for (name, title), height in zip(METHOD_TITLES.items(), _apart(ends), strict=False)
    ]
    heights = {"range": [min(lows) - 0.03, 1.06], "zeroline": False}
    return base_figure(
        traces,
        xaxis=titled_axis("removed edges", rangemode="tozero"),
        yaxis=titled_axis("share of colours kept, mean cosine", **heights),
        margin=margins(48, 130, 12, 40),
        annotations=notes,
    )


def _apart(heights: Sequence[float]) -> list[float]:
    """Move heights up, where they are too close for labels, but not out of the drawing."""
    order = np.argsort(heights, kind="stable")
    apart = np.array(heights, dtype=np.float64)
    for lower, upper in pairwise(order.tolist()):
        apart[upper] = max(apart[upper], apart[lower] + _LABEL_GAP)
    for upper, lower in pairwise(order[::-1].tolist()):
        apart[upper] = min(apart[upper], 1.0)
        apart[lower] = min(apart[lower], apart[upper] - _LABEL_GAP)
    result: list[float] = apart.tolist()
    return result


def perturbation_words(curve: PerturbationCurve) -> str:
    """Describe what is left at the first removed edges and at the last.

    Parameters
    ----------
    curve : PerturbationCurve

    Returns
    -------
    str
    """
    measured = np.flatnonzero(curve.is_measured.any(axis=0)).tolist()
    if not measured:
        return "Nothing is measured yet."
    steps = [step for step in measured if curve.n_removed[step] > 0] or measured
    lines = {name: curve.mean(name) for name in curve.values}
    parts = [
        f"With {counted(int(curve.n_removed[step]), 'edge')} removed, "
        f"{100 * lines['WL'][step]:.0f} % of the vertices keep their WL colour after "
        f"{counted(curve.n_rounds, 'round')}, and the mean cosine of a vertex with what it was "
        f"is {lines['R'][step]:.3f} under R and {lines['A'][step]:.3f} under A."
        for step in dict.fromkeys((steps[0], steps[-1]))
    ]
    return " ".join(parts)
