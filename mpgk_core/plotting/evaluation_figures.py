"""Accuracies with their spread, and confusions between classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from mpgk_core.evaluation.results import Evaluation
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.style import MARK_COLOUR, base_layout, safe_names

_MOST_NAMED = 6


def accuracy_figure(evaluations: Sequence[Evaluation], published: float | None = None) -> go.Figure:
    """Draw the accuracy of every kernel, with its standard deviation over the repetitions.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Those without a fold are left out.
    published : float, optional
        An accuracy in per cent to compare with, drawn as a line.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    shown = [evaluation for evaluation in evaluations if evaluation.records]
    colours = class_colours(max(len(shown), 1))
    bars = go.Bar(
        x=[evaluation.spec.method for evaluation in shown],
        y=[100 * evaluation.mean for evaluation in shown],
        error_y={"type": "data", "array": [100 * evaluation.std for evaluation in shown]},
        text=[f"{100 * evaluation.mean:.1f}" for evaluation in shown],
        textposition="inside",
        insidetextanchor="start",
        marker={"color": colours[: len(shown)], "line": {"width": 1, "color": MARK_COLOUR}},
        hovertext=[
            f"{evaluation.spec.title}: {len(evaluation.records)} folds" for evaluation in shown
        ],
        hovertemplate="%{hovertext}<br>%{y:.2f} %<extra></extra>",
    )
    figure = go.Figure(
        [bars],
        base_layout(
            xaxis={"title": {"text": "kernel"}, "showgrid": False},
            yaxis={"title": {"text": "accuracy (%)"}, "range": [0, 105], "gridcolor": "#8884"},
        ),
    )
    if published is not None:
        figure.add_hline(
            published,
            line={"dash": "dash", "color": MARK_COLOUR},
            annotation_text=f"best published: {published}",
        )
    return figure


def class_sizes_figure(sizes: Mapping[str, int]) -> go.Figure:
    """Draw how many graphs every class has.

    Parameters
    ----------
    sizes : mapping from str to int
        Number of graphs by the name of the class, which is not trusted.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    bars = go.Bar(
        x=list(sizes.values()),
        y=safe_names(list(sizes)),
        orientation="h",
        text=list(sizes.values()),
        marker={"color": class_colours(len(sizes)), "line": {"width": 1, "color": MARK_COLOUR}},
        hovertemplate="class %{y}: %{x} graphs<extra></extra>",
    )
    xaxis = {"title": {"text": "graphs"}, "gridcolor": "#8884"}
    yaxis = {"title": {"text": "class"}, "type": "category", "autorange": "reversed"}
    return go.Figure([bars], base_layout(xaxis=xaxis, yaxis=yaxis))


def confusion_figure(evaluation: Evaluation) -> go.Figure:
    """Draw which classes are taken for which.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    plotly.graph_objects.Figure
        Rows are the true classes; cells hold the share of the row and the number of predictions.
    """
    counts = evaluation.confusion
    shares = counts / counts.sum(axis=1, keepdims=True).clip(min=1)
    names = [f"class {name}" for name in safe_names(evaluation.names)]
    cells = go.Heatmap(
        z=100 * shares,
        x=names,
        y=names,
        zmin=0,
        zmax=100,
        colorscale=[[0.0, "#3a5ba0"], [0.5, "#5dae8b"], [1.0, "#f0a53c"]],
        text=counts,
        texttemplate="%{z:.0f} %",
        hovertemplate="%{y} taken for %{x}: %{text} times<extra></extra>",
        colorbar={"title": {"text": "% of row"}, "thickness": 10},
    )
    return go.Figure(
        [cells],
        base_layout(
            xaxis={"title": {"text": "predicted"}},
            yaxis={"title": {"text": "true"}, "autorange": "reversed"},
        ),
    )


def class_sizes_words(sizes: Mapping[str, int]) -> str:
    """Say how many graphs every class has.

    Parameters
    ----------
    sizes : mapping from str to int

    Returns
    -------
    str

    Examples
    --------
    >>> class_sizes_words({"a": 7, "b": 5})
    'Graphs in each of 2 classes: a 7, b 5.'
    """
    some = list(sizes.items())[:_MOST_NAMED]
    more = f", and {len(sizes) - len(some)} more classes" if len(sizes) > len(some) else ""
    said = ", ".join(f"{name} {size}" for name, size in some)
    return f"Graphs in each of {len(sizes)} classes: {said}{more}."


def accuracy_words(evaluations: Sequence[Evaluation], published: float | None = None) -> str:
    """Say the accuracy of every kernel, and which is best.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Those without a fold are left out.
    published : float, optional
        An accuracy in per cent to compare with.

    Returns
    -------
    str

    Examples
    --------
    >>> from mpgk_core.evaluation import Protocol, evaluate, generate
    >>> made = generate("motif", n_per_class=15)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=3)
    >>> size = evaluate(made.graphs, made.classes, "size", protocol)
    >>> accuracy_words([size], 90.0).split(": ")[0]
    'Accuracies'
    >>> accuracy_words([])
    'No accuracy is known yet.'
    """
    shown = [one for one in evaluations if one.records]
    if not shown:
        return "No accuracy is known yet."
    listed = ", ".join(f"{one.spec.method} {100 * one.mean:.1f} %" for one in shown)
    best = max(shown, key=lambda one: one.mean)
    line = f" Best published: {published:g} %." if published is not None else ""
    return f"Accuracies: {listed}. Best: {best.spec.method}.{line}"


def confusion_words(evaluation: Evaluation) -> str:
    """Say how much of each class is found, and what it is mostly taken for otherwise.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    names = [str(name)[:40] for name in evaluation.names]
    parts = []
    for true, row in enumerate(evaluation.confusion[:_MOST_NAMED]):
        total = int(row.sum())
        if not total:
            continue
        others = np.where(np.arange(len(row)) == true, -1, row)
        other = int(others.argmax())
        mistaken = f", {row[other]:,} taken for {names[other]}" if others[other] > 0 else ""
        parts.append(f"Of {total:,} judged in class {names[true]}, {row[true]:,} found{mistaken}.")
    left = len(names) - _MOST_NAMED
    return " ".join(parts) + (f" And {left} more classes." if left > 0 else "")
