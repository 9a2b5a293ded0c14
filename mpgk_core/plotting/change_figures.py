"""How much of a graph's vertices is left after a change, in curves and in bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.edits.comparison import NEIGHBOURHOODS, Comparison
from mpgk_core.edits.perturbation import CURVES, PerturbationCurve
from mpgk_core.plotting.palette import class_colours
from mpgk_core.plotting.style import MARK_COLOUR, base_layout, safe_names

__all__ = ["MOST_BARS_DRAWN", "movement_figure", "perturbation_figure"]

MOST_BARS_DRAWN = 40

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


def movement_figure(comparison: Comparison, t: int | None = None) -> go.Figure:
    """Draw how far each vertex moved under R and under A, those that moved farthest on top.

    Parameters
    ----------
    comparison : Comparison
    t : int, optional
        Round; by default the last.

    Returns
    -------
    plotly.graph_objects.Figure
        At most ``MOST_BARS_DRAWN`` vertices; a star marks those whose WL colour changed.
    """
    t = comparison.checked_round(t)
    distances = {way: comparison.movement[way][t] for way in NEIGHBOURHOODS}
    total = np.sum(list(distances.values()), axis=0)
    rows = np.argsort(-total, kind="stable")[:MOST_BARS_DRAWN]
    everyone = comparison.names
    names = safe_names([everyone[v] for v in rows.tolist()])
    changed = comparison.is_recoloured[t][rows].tolist()
    said = ["WL colour changed" if is_changed else "WL colour kept" for is_changed in changed]
    places = np.arange(len(rows))
    bars = [
        go.Bar(
            x=distances[way][rows],
            y=places,
            orientation="h",
            name=_TITLES[way],
            marker={"color": _COLOURS[way], "line": {"width": 1, "color": MARK_COLOUR}},
            hovertext=[f"{name}<br>{words}" for name, words in zip(names, said, strict=True)],
            hovertemplate=f"%{{hovertext}}<br>{_TITLES[way]}: moved %{{x:.4f}}<extra></extra>",
        )
        for way in NEIGHBOURHOODS
    ]
    marked = [name + " *" * is_changed for name, is_changed in zip(names, changed, strict=True)]
    return go.Figure(
        bars,
        base_layout(
            xaxis={
                "title": {"text": "distance moved in feature space"},
                "rangemode": "tozero",
                "gridcolor": _GRID,
            },
            yaxis={
                "title": {"text": "vertex (* WL colour changed)"},
                "tickvals": places,
                "ticktext": marked,
                "autorange": "reversed",
                "automargin": True,
            },
            showlegend=True,
            legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
            height=140 + 26 * max(len(rows), 1),
            margin={"l": 36, "r": 12, "t": 40, "b": 40},
        ),
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
