"""Learning curves, and maps of right and wrong predictions of roles."""

from __future__ import annotations

from collections import Counter

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray
from mpgk_core.evaluation import (
    CLASSIFIERS,
    MAJORITY,
    NODE_METHODS,
    LearningCurve,
    NodeTrial,
    Roles,
    kind_title,
)
from mpgk_core.graphs import GraphSet
from mpgk_core.plotting.colouring import Colouring, class_colours
from mpgk_core.plotting.evaluation_figures import axis_words, zoomed_range
from mpgk_core.plotting.graph_figure import draw_graph
from mpgk_core.plotting.style import LEGEND_ABOVE, MARK_COLOUR, base_figure, safe_names, titled_axis
from mpgk_core.text import counted

_DASHES = {**dict(zip(CLASSIFIERS, ("solid", "dot"), strict=True)), "": "dash"}
_WRONG_COLOUR = "#bd1f01"
_MAX_LISTED = 12


def learning_curve_figure(curve: LearningCurve) -> go.Figure:
    """Draw accuracy over the share of labelled vertices, one line per kernel and classifier.

    Parameters
    ----------
    curve : LearningCurve

    Returns
    -------
    plotly.graph_objects.Figure
        Bars are the standard deviation over the trials; the dashed line is the accuracy of always
        saying the most frequent role of the labelled vertices.
    """
    colours = dict(zip(NODE_METHODS, class_colours(len(NODE_METHODS)), strict=True))
    colours[MAJORITY] = MARK_COLOUR
    lines = []
    for method, classifier in curve.kinds:
        points, title = curve.points(method, classifier), kind_title(method, classifier)
        spread = {
            "type": "data",
            "array": [100 * point.std if point.n_trials > 1 else None for point in points],
        }
        lines.append(
            {
                "type": "scatter",
                "x": [100 * point.share for point in points],
                "y": [100 * point.mean for point in points],
                "error_y": spread | {"thickness": 1, "width": 2},
                "mode": "lines+markers",
                "name": f"{method}, {CLASSIFIERS[classifier]}" if classifier else method,
                "line": {"color": colours[method], "dash": _DASHES[classifier]},
                "text": [f"{title}<br>{counted(point.n_trials, 'trial')}" for point in points],
                "hovertemplate": "%{text}<br>%{x:.0f} % labelled: %{y:.1f} %<extra></extra>",
            }
        )
    return base_figure(
        lines,
        xaxis=titled_axis("labelled vertices (%)", range=[0, 100]),
        yaxis=titled_axis("accuracy on the others (%)", range=list(learning_curve_range(curve))),
        **LEGEND_ABOVE,
    )


def learning_curve_range(curve: LearningCurve) -> tuple[float, float]:
    """Return where the axis of accuracies begins and ends, in per cent: multiples of 5."""
    points = [point for kind in curve.kinds for point in curve.points(*kind)]
    return zoomed_range([(100 * point.mean, 100 * point.std) for point in points])


def learning_curve_caption(curve: LearningCurve) -> str:
    """Say what :func:`learning_curve_figure` shows, and where its axis begins.

    Parameters
    ----------
    curve : LearningCurve

    Returns
    -------
    str
    """
    low, _ = learning_curve_range(curve)
    bars = (
        "; bars are the standard deviation over the trials"
        if any(point.n_trials > 1 for kind in curve.kinds for point in curve.points(*kind))
        else ""
    )
    words = "Accuracy in per cent on the vertices that are not labelled, by the share of labelled"
    return f"{words} ones{bars}. {axis_words(low)}".strip()


def role_map_figure(
    graph: GraphSet, positions: FloatArray, roles: Roles, trial: NodeTrial, edges: str | None = None
) -> go.Figure:
    """Draw the graph with its roles, and mark which of them were shown, found and missed.

    Parameters
    ----------
    graph : GraphSet
        With one graph.
    positions : ndarray of shape (n, 2)
    roles : Roles
    trial : NodeTrial
    edges : str, optional
        What the kernel uses of edges, as for :func:`~mpgk_core.plotting.graph_figure`.

    Returns
    -------
    plotly.graph_objects.Figure
        Colours are the true roles; squares were labelled, circles found, red-rimmed crosses
        missed.
    """
    names = safe_names(roles.names)
    colours = class_colours(len(names))
    is_shown = np.isin(np.arange(len(roles.of_vertex)), trial.labelled)
    is_wrong = (trial.predicted != roles.of_vertex) & ~is_shown
    texts = [
        f"{names[true]}, taken for {names[predicted]}"
        if wrong
        else f"{names[true]} ({'its role was shown' if shown else 'found'})"
        for true, predicted, wrong, shown in zip(
            roles.of_vertex, trial.predicted, is_wrong, is_shown, strict=True
        )
    ]
    of_vertex = [colours[role] for role in roles.of_vertex]
    drawing = draw_graph(graph, positions, Colouring("Role", [of_vertex], [texts]), edges)
    vertices = drawing.data[1]
    for trace in drawing.data[:2]:
        trace["showlegend"] = False
    rim = np.where(is_wrong, _WRONG_COLOUR, MARK_COLOUR)
    vertices["marker"] |= {
        "symbol": np.where(is_shown, "square", np.where(is_wrong, "x", "circle")).tolist(),
        "size": np.where(is_wrong, 1.3, 1.0) * vertices["marker"]["size"],
        "line": {"width": np.where(is_wrong, 2, 1), "color": rim},
    }
    legend = [
        {"type": "scatter", "x": [None], "y": [None], "mode": "markers", "name": name}
        | {"marker": {"color": colour, "size": 10}}
        for name, colour in zip(names, colours, strict=True)
        if len(names) <= _MAX_LISTED
    ]
    layout = {"legend": {"orientation": "h", "y": 0, "yanchor": "top"}, "showlegend": True}
    return go.Figure([*drawing.data, *legend], drawing.layout | layout)


def learning_curve_words(curve: LearningCurve) -> str:
    """Describe for every kernel where its line begins and ends.

    Parameters
    ----------
    curve : LearningCurve

    Returns
    -------
    str
    """
    parts = []
    for method, classifier in curve.kinds:
        points = curve.points(method, classifier)
        ends = (points[0], points[-1]) if len(points) > 1 else points
        texts = (f"{100 * p.mean:.1f} % with {100 * p.share:.0f} % labelled" for p in ends)
        parts.append(f"{kind_title(method, classifier)}: {', '.join(texts)}.")
    return " ".join(parts)


def role_map_words(roles: Roles, trial: NodeTrial) -> str:
    """Describe how many vertices were labelled and found, and which role was missed most often.

    Parameters
    ----------
    roles : Roles
    trial : NodeTrial

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import numpy as np
    >>> from mpgk_core.evaluation import NodeProtocol, learning_curve, role_graph
    >>> graph, roles = role_graph("barbell")
    >>> one = NodeProtocol((0.5,), 1)
    >>> role_map_words(roles, next(learning_curve(graph, roles, ["R"], ["svm"], one)))[:30]
    '15 of 30 vertices were labelle'
    """
    n, n_labelled = len(roles.of_vertex), len(trial.labelled)
    n_right = round(trial.accuracy * (n - n_labelled))
    wrong = trial.missed(roles)
    missed = Counter(
        zip(roles.of_vertex[wrong].tolist(), trial.predicted[wrong].tolist(), strict=True)
    )
    words = (
        f"{n_labelled:,} of {counted(n, 'vertex', 'vertices')} were labelled; {n_right:,} of "
        f"{n - n_labelled:,} others were found ({100 * trial.accuracy:.1f} %)."
    )
    if missed:
        (true, predicted), times = missed.most_common(1)[0]
        words += (
            f" Missed most often: {roles.names[true][:40]}, taken for "
            f"{roles.names[predicted][:40]} ({counted(times, 'time')})."
        )
    return words
