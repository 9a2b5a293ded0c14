"""Accuracies with their spread, and confusions between classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from mpgk_core.evaluation.results import Evaluation
from mpgk_core.plotting.colouring import SHARE_SCALE, class_colours
from mpgk_core.plotting.style import MARK_COLOUR, OUTLINE, base_figure, safe_names, titled_axis
from mpgk_core.text import counted

_MAX_NAMED = 6


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
    shown = [one for one in evaluations if one.records]
    bars = {
        "type": "bar",
        "x": [one.spec.method for one in shown],
        "y": [100 * one.mean for one in shown],
        "error_y": {"type": "data", "array": [100 * one.std for one in shown]},
        "text": [f"{100 * one.mean:.1f}" for one in shown],
        "textposition": "inside",
        "insidetextanchor": "start",
        "marker": {"color": class_colours(len(shown)), "line": OUTLINE},
        "hovertext": [f"{one.spec.title}: {counted(len(one.records), 'fold')}" for one in shown],
        "hovertemplate": "%{hovertext}<br>%{y:.2f} %<extra></extra>",
    }
    figure = base_figure(
        [bars],
        xaxis={"title": {"text": "kernel"}, "showgrid": False},
        yaxis=titled_axis("accuracy (%)", range=[0, 105]),
    )
    if published is not None:
        line = {"dash": "dash", "color": MARK_COLOUR}
        figure.add_hline(published, line=line, annotation_text=f"best published: {published}")
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
    bars = {
        "type": "bar",
        "x": list(sizes.values()),
        "y": safe_names(list(sizes)),
        "orientation": "h",
        "text": list(sizes.values()),
        "marker": {"color": class_colours(len(sizes)), "line": OUTLINE},
        "hovertemplate": "class %{y}: %{x} graphs<extra></extra>",
    }
    yaxis = {"title": {"text": "class"}, "type": "category", "autorange": "reversed"}
    return base_figure([bars], xaxis=titled_axis("graphs"), yaxis=yaxis)


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
    cells = {
        "type": "heatmap",
        "z": 100 * shares,
        "x": names,
        "y": names,
        "zmin": 0,
        "zmax": 100,
        "colorscale": SHARE_SCALE,
        "text": counts,
        "texttemplate": "%{z:.0f} %",
        "hovertemplate": "%{y} taken for %{x}: %{text} times<extra></extra>",
        "colorbar": {"title": {"text": "% of row"}, "thickness": 10},
    }
    yaxis = {"title": {"text": "true"}, "autorange": "reversed"}
    return base_figure([cells], xaxis={"title": {"text": "predicted"}}, yaxis=yaxis)


def class_sizes_words(sizes: Mapping[str, int]) -> str:
    """Describe how many graphs every class has.

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
    listed = ", ".join(f"{name} {size}" for name, size in list(sizes.items())[:_MAX_NAMED])
    n_more = len(sizes) - _MAX_NAMED
    more = f", and {counted(n_more, 'more class', 'more classes')}" if n_more > 0 else ""
    return f"Graphs in each of {counted(len(sizes), 'class', 'classes')}: {listed}{more}."


def accuracy_words(evaluations: Sequence[Evaluation], published: float | None = None) -> str:
    """Describe the accuracy of every kernel, and which is best.

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
    """Describe how much of each class is found, and what it is mostly taken for otherwise.

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
    for true, row in enumerate(evaluation.confusion[:_MAX_NAMED]):
        total = int(row.sum())
        if not total:
            continue
        others = np.where(np.arange(len(row)) == true, -1, row)
        other = int(others.argmax())
        mistaken = f", {row[other]:,} taken for {names[other]}" if others[other] > 0 else ""
        parts.append(f"Of {total:,} judged in class {names[true]}, {row[true]:,} found{mistaken}.")
    n_more = len(names) - _MAX_NAMED
    if n_more > 0:
        parts.append(f"And {counted(n_more, 'more class', 'more classes')}.")
    return " ".join(parts)
