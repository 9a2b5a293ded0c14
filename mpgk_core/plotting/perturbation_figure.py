"""How much of a graph's vertices is left while edges are removed, as curves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.edits.perturbation import CURVES, PerturbationCurve
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.style import base_layout

_TITLES = {"WL": "WL: same colour", "R": "MPGK R", "A": "MPGK A"}
_COLOURS = dict(zip(CURVES, class_colours(len(CURVES))[::-1], strict=True))
_SYMBOLS = {"WL": "square", "R": "circle", "A": "diamond"}
_GRID = "#8884"
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
    lows: list[float] = []
    for name in CURVES:
        low, mean, high = (
            line[shown] for line in (curve.lowest(name), curve.mean(name), curve.highest(name))
        )
        lows += low.tolist()
        look = {"color": _COLOURS[name]}
        traces.append(
            go.Scatter(
                x=np.concatenate([removed, removed[::-1]]),
                y=np.concatenate([high, low[::-1]]),
                fill="toself",
                fillcolor=_COLOURS[name],
                opacity=0.2,
                line={"width": 0},
                mode="lines",
                hoverinfo="skip",
            )
        )
        traces.append(
            go.Scatter(
                x=removed,
                y=mean,
                name=_TITLES[name],
                mode="lines+markers",
                line=look,
                marker=look | {"symbol": _SYMBOLS[name], "size": 7},
                customdata=np.column_stack([low, high]),
                hovertemplate=f"{_TITLES[name]}<br>%{{x}} edges removed: %{{y:.3f}}"
                "<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
            )
        )
    figure = go.Figure(
        traces,
        base_layout(
            xaxis={"title": {"text": "removed edges"}, "gridcolor": _GRID, "rangemode": "tozero"},
            yaxis={
                "title": {"text": "share of colours kept, mean cosine"},
                "range": [min([0.0, *lows]) - 0.03, 1.06],
                "gridcolor": _GRID,
                "zeroline": False,
            },
            margin={"l": 48, "r": 130, "t": 12, "b": 40},
        ),
    )
    if len(removed):
        ends = [float(curve.mean(name)[shown][-1]) for name in CURVES]
        for name, height in zip(CURVES, _apart(ends), strict=True):
            figure.add_annotation(
                x=1.0,
                xref="paper",
                y=height,
                text=_TITLES[name],
                showarrow=False,
                xanchor="left",
                xshift=8,
                bordercolor=_COLOURS[name],
                borderwidth=2,
                borderpad=2,
            )
    return figure


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
    """Say what is left at the first removed edges and at the last.

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
    told = [step for step in measured if curve.n_removed[step] > 0] or measured
    lines = {name: curve.mean(name) for name in curve.values}
    parts = [
        f"With {_counted(int(curve.n_removed[step]), 'edge')} removed, "
        f"{100 * lines['WL'][step]:.0f} % of the vertices keep their WL colour after "
        f"{_counted(curve.n_rounds, 'round')}, and the mean cosine of a vertex with what it was "
        f"is {lines['R'][step]:.3f} under R and {lines['A'][step]:.3f} under A."
        for step in dict.fromkeys((told[0], told[-1]))
    ]
    return " ".join(parts)


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"
