"""Predicted numbers: errors of models, predictions beside the truth, residuals, and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray
from mpgk_core.evaluation.regression import RegressionResult, TargetColumn
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.style import (
    LEGEND_ABOVE,
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    base_figure,
    margins,
    safe_names,
    titled_axis,
)
from mpgk_core.text import counted

_OURS, _THEIRS = class_colours(7)[0], class_colours(7)[6]
_MAX_NAMED = 5


_MAX_BINS = 40


def target_figure(target: TargetColumn) -> go.Figure:
    """Draw how the values of a target are distributed.

    Parameters
    ----------
    target : TargetColumn

    Returns
    -------
    plotly.graph_objects.Figure
    """
    n_bins = int(np.clip(np.sqrt(len(target.values)), 4, _MAX_BINS))
    counts, ends = np.histogram(target.values, n_bins)
    bars = {
        "type": "bar",
        "x": (ends[:-1] + ends[1:]) / 2,
        "y": counts,
        "width": np.diff(ends),
        "marker": {"color": _OURS, "line": OUTLINE},
        "customdata": np.column_stack([ends[:-1], ends[1:]]),
        "hovertemplate": "%{customdata[0]:.5g} to %{customdata[1]:.5g}: %{y}<extra></extra>",
    }
    return base_figure(
        [bars],
        xaxis=titled_axis(safe_names([target.title])[0]),
        yaxis=titled_axis("graphs"),
        margin=margins(12, 12, 12, 40),
    )


def target_words(target: TargetColumn) -> str:
    """Describe how the values of a target are distributed."""
    low, middle, high = np.quantile(target.values, [0.0, 0.5, 1.0]).tolist()
    unit = f" {target.unit}" if target.unit else ""
    return (
        f"From {low:.4g} to {high:.4g}{unit}, median {middle:.4g}, mean "
        f"{target.values.mean():.4g}, standard deviation {target.values.std():.4g}."
    )


def error_figure(
    results: Sequence[RegressionResult],
    published: Mapping[str, float] | None = None,
    names: Sequence[str] | None = None,
    in_percent: bool = False,
) -> go.Figure:
    """Draw the normalised mean absolute error of every model, with its bootstrap interval.

    Parameters
    ----------
    results : sequence of RegressionResult
        Of one target and one size of the training part.
    published : mapping of str to float, optional
        Errors that others reported, drawn as hollow diamonds below.
    names : sequence of str, optional
        Of the models; by default their titles.
    in_percent : bool, default=False
        Whether the own errors are in per cent, as the tables of lessons are.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    others, unit, form = dict(published or {}), 1, "{:.3f}"
    axis = "mean absolute error / standard deviation"
    if in_percent:
        unit, form, axis = 100, "{:.1f} %", "mean absolute error, % of the standard deviation"
    own = [one.spec.title for one in results] if names is None else list(names)
    titles = own + [f"{name}, published" for name in others]
    errors = [unit * one.normalised_mae for one in results]
    lows, highs = (unit * np.array([one.interval("mae")[i] for one in results]) for i in (0, 1))
    ours = {
        "type": "scatter",
        "mode": "markers",
        "x": errors,
        "y": list(range(len(errors))),
        "error_x": {
            "array": highs - errors,
            "arrayminus": np.array(errors) - lows,
            "color": MARK_COLOUR,
            "thickness": 1.5,
        },
        "text": list(map(form.format, errors)),
        "marker": {"size": 11, "color": _OURS, "line": OUTLINE},
        "hovertemplate": "%{text}<extra></extra>",
    }
    theirs = {
        "type": "scatter",
        "mode": "markers",
        "x": list(others.values()),
        "y": [len(errors) + place for place in range(len(others))],
        "text": [f"{error:.2f}" for error in others.values()],
        "marker": {"size": 12, "symbol": "diamond-open", "color": _THEIRS, "line": {"width": 2}},
        "hovertemplate": "%{text}<extra></extra>",
    }
    highest = max([*highs.tolist(), *others.values()], default=1.0)
    figure = base_figure(
        [ours, *([theirs] if others else [])],
        xaxis=titled_axis(axis, range=[0, 1.08 * highest]),
        yaxis={**QUIET_AXIS, "range": [len(titles) - 0.5, -0.9]},
        height=90 + 46 * len(titles),
        margin=margins(12, 24, 12, 40),
    )
    shown = [*ours["text"], *theirs["text"]]  # names stand above the rows, so that a phone has room
    for row, (title, error) in enumerate(zip(titles, shown, strict=True)):
        place = {"xref": "paper", "x": 0, "xanchor": "left", "y": row, "yshift": 16}
        text = f"{safe_names([title])[0]}: <b>{error}</b>"
        figure.add_annotation(text=text, showarrow=False, **place)
    return figure


def predictor_words(results: Mapping[str, RegressionResult]) -> str:
    """Describe the errors of models under names of one's own."""
    parts = [f"{name}: {100 * one.normalised_mae:.1f} %" for name, one in results.items()]
    return f"Mean absolute error in per cent of the standard deviation: {'; '.join(parts)}."


def error_words(
    results: Sequence[RegressionResult], published: Mapping[str, float] | None = None
) -> str:
    """Describe the errors of all models.

    Returns
    -------
    str
        Plain text.
    """
    parts = [
        f"{one.spec.title}: {one.normalised_mae:.3f} ({one.interval('mae')[0]:.3f} to "
        f"{one.interval('mae')[1]:.3f})"
        for one in results
    ]
    parts += [f"{name}, published: {error:.2f}" for name, error in (published or {}).items()]
    return f"Mean absolute error over the standard deviation: {'; '.join(parts)}."


def prediction_figure(result: RegressionResult, names: Sequence[str]) -> go.Figure:
    """Draw the prediction of every test graph over its true value.

    Parameters
    ----------
    result : RegressionResult
    names : sequence of str
        Of the test graphs.

    Returns
    -------
    plotly.graph_objects.Figure
        The customdata of a point is its position in the test part. Predictive deviations are bars.
    """
    unit = f" ({result.unit})" if result.unit else ""
    ends = [
        float(np.min([result.actual, result.predicted])),
        float(np.max([result.actual, result.predicted])),
    ]
    room = 0.04 * (ends[1] - ends[0]) or 1.0
    ends = [ends[0] - room, ends[1] + room]
    diagonal = {
        "type": "scatter",
        "mode": "lines",
        "x": ends,
        "y": ends,
        "line": {"color": MARK_COLOUR, "dash": "dash", "width": 1},
        "hoverinfo": "skip",
    }
    points: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": result.actual,
        "y": result.predicted,
        "marker": {"size": 7, "color": _OURS, "opacity": 0.7, "line": {"width": 0}},
        "customdata": list(range(len(result.test))),
        "text": safe_names(names),
        "hovertemplate": "%{text}<br>true %{x:.5g}<br>predicted %{y:.5g}<extra></extra>",
    }
    if result.deviation is not None:
        points["error_y"] = {"array": result.deviation, "thickness": 0.7, "color": MARK_COLOUR}
    axis = {"range": ends, "showgrid": True}
    return base_figure(
        [diagonal, points],
        xaxis=titled_axis(f"true {safe_names([result.target])[0]}{unit}", **axis),
        yaxis=titled_axis(f"predicted{unit}", **axis),
        margin=margins(12, 12, 12, 40),
    )


def prediction_words(result: RegressionResult) -> str:
    """Describe predictions and their largest errors."""
    worst = float(np.abs(result.errors).max())
    return (
        f"{counted(len(result.test), 'test graph')}: predictions of {result.spec.title} beside the "
        f"true {result.target}. R² is {result.r2:.3f}; the largest error is {worst:.4g} "
        f"{result.unit}".rstrip()
        + "."
    )


def group_figure(rows: Sequence[Mapping[str, Any]], column: str, title: str) -> go.Figure:
    """Draw error and bias of groups of test graphs.

    Parameters
    ----------
    rows : sequence of mapping
        Each with ``column``, "graphs", "MAE" and "bias", the last two normalised.
    column : str
        Names the groups.
    title : str
        Of the axis of groups.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    names = safe_names([f"{row[column]} ({row['graphs']})" for row in rows])
    looks = (("MAE", "mean absolute error", _OURS, ""), ("bias", "bias", class_colours(2)[1], "/"))
    bars = [
        {
            "type": "bar",
            "x": names,
            "y": [row[key] for row in rows],
            "name": words,
            "marker": {"color": colour, "pattern": {"shape": shape}, "line": OUTLINE},
            "hovertemplate": f"%{{x}}<br>{words}: %{{y:.3f}}<extra></extra>",
        }
        for key, words, colour, shape in looks
    ]
    return base_figure(
        bars,
        xaxis={"title": {"text": title}, "type": "category"},
        yaxis=titled_axis("error / deviation"),
        margin=margins(12, 12, 40, 40),
        **LEGEND_ABOVE,
    )


def group_words(rows: Sequence[Mapping[str, Any]], column: str) -> str:
    """Describe error and bias of groups of test graphs."""
    parts = [
        f"{row[column]} ({counted(row['graphs'], 'graph')}): error {row['MAE']:.3f}, bias "
        f"{row['bias']:+.3f}"
        for row in rows
    ]
    return f"Errors over the standard deviation. {'; '.join(parts)}."


def errors_by_label(
    result: RegressionResult, words: Sequence[frozenset[str]]
) -> list[dict[str, Any]]:
    """Return error and bias of the test graphs that contain a label, for every label.

    Parameters
    ----------
    result : RegressionResult
    words : sequence of frozenset of str
        The labels of every test graph.

    Returns
    -------
    list of dict
        With "label", "graphs", "MAE", "RMSE" and "bias", normalised; the commonest label first.
    """
    found = []
    errors = result.errors / result.scale
    for label in sorted(frozenset().union(*words)):
        own: FloatArray = errors[[label in labels for labels in words]]
        found.append(
            {
                "label": label,
                "graphs": len(own),
                "MAE": float(np.mean(np.abs(own))),
                "RMSE": float(np.sqrt(np.mean(own**2))),
                "bias": float(np.mean(own)),
            }
        )
    return sorted(found, key=lambda row: (-row["graphs"], row["label"]))


def size_curve_figure(results: Sequence[RegressionResult]) -> go.Figure:
    """Draw the error of every model over the number of training graphs, both on logarithmic axes.

    Parameters
    ----------
    results : sequence of RegressionResult
        Of one target and several sizes.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    titles = list(dict.fromkeys(one.spec.title for one in results))
    traces = []
    for place, (title, colour) in enumerate(zip(titles, class_colours(len(titles)), strict=True)):
        own = sorted((one for one in results if one.spec.title == title), key=lambda one: one.size)
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": [one.size for one in own],
                "y": [one.normalised_mae for one in own],
                "name": safe_names([title])[0],
                "line": {"color": colour},
                "marker": {"symbol": place % 8, "size": 9},
                "hovertemplate": "%{x:,} graphs<br>%{y:.3f}<extra>%{fullData.name}</extra>",
            }
        )
    sizes = sorted({one.size for one in results})
    ticks = {"tickvals": sizes, "ticktext": [f"{size:,}" for size in sizes]}
    return base_figure(
        traces,
        xaxis=titled_axis("training graphs", type="log", **ticks),
        yaxis=titled_axis("mean absolute error / standard deviation", type="log"),
        margin=margins(12, 12, 40, 40),
        **LEGEND_ABOVE,
    )


def size_curve_words(results: Sequence[RegressionResult]) -> str:
    """Describe the error of every model with few and with all training graphs."""
    parts = []
    for title in dict.fromkeys(one.spec.title for one in results):
        own = sorted((one for one in results if one.spec.title == title), key=lambda one: one.size)
        parts.append(
            f"{title}: {own[0].normalised_mae:.3f} with {own[0].size:,} training graphs, "
            f"{own[-1].normalised_mae:.3f} with {own[-1].size:,}"
        )
    return f"{'; '.join(parts)}."


def calibration_figure(result: RegressionResult) -> go.Figure:
    """Draw how many targets lie in predictive intervals, over how many should.

    Parameters
    ----------
    result : RegressionResult
        With deviations.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    rows = result.calibration()
    return base_figure(
        [
            {
                "type": "scatter",
                "mode": "lines",
                "x": [0, 100],
                "y": [0, 100],
                "line": {"color": MARK_COLOUR, "dash": "dash", "width": 1},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": [100 * row["nominal"] for row in rows],
                "y": [100 * row["observed"] for row in rows],
                "marker": {"size": 10, "color": _OURS, "line": OUTLINE},
                "line": {"color": _OURS},
                "hovertemplate": "%{y:.1f} % lie in the interval of %{x:.0f} %<extra></extra>",
            },
        ],
        xaxis=titled_axis("nominal level of the interval (%)", range=[40, 102]),
        yaxis=titled_axis("targets inside (%)", range=[0, 102]),
        margin=margins(12, 12, 12, 40),
    )


def calibration_words(result: RegressionResult) -> str:
    """Describe how many targets lie in predictive intervals.

    Returns
    -------
    str
        Empty for a model without deviations.
    """
    rows = result.calibration()
    parts = [
        f"{100 * row['observed']:.0f} % of the targets lie in the interval of "
        f"{100 * row['nominal']:.0f} %"
        for row in rows
    ]
    return f"{'; '.join(parts)}." if parts else ""


def worst(result: RegressionResult, n: int = _MAX_NAMED) -> list[int]:
    """Return the positions in the test part with the largest errors, the largest first."""
    order: list[int] = np.argsort(-np.abs(result.errors), kind="stable")[:n].tolist()
    return order
