"""Every graph of a set as a point of a plane: by class, under several kernels, or approximately."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.embedding import KernelEmbedding
from mpgk_core.evaluation.nystroem_quality import NystroemQuality
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.style import (
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    base_figure,
    base_layout,
    line_trace,
    margins,
    panel_grid,
    point_trace,
    safe_names,
    titled_axis,
)
from mpgk_core.text import counted


def set_maps_figure(planes: Mapping[str, FloatArray], classes: Sequence[Hashable]) -> go.Figure:
    """Draw every graph as a point in the plane of each kernel, coloured by its class.

    Parameters
    ----------
    planes : mapping of str to ndarray of shape (N, 2)
        By the title of the kernel.
    classes : sequence of length N

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels in a row.
    """
    names, codes = np.unique([str(name) for name in classes], return_inverse=True)
    shown = safe_names(names.tolist())
    look = {"size": 7}
    panels = [
        [
            trace | {"legendgroup": name, "showlegend": place == 0}
            for name, trace in zip(shown, _class_traces(points, codes, shown, look), strict=True)
        ]
        for place, points in enumerate(planes.values())
    ]
    figure = panel_grid(panels, list(planes), 2, vertical_spacing=0.14)
    axis = {**QUIET_AXIS, "showline": True, "linecolor": MARK_COLOUR}
    figure.update_xaxes(**axis).update_yaxes(**axis)
    layout = base_layout(
        showlegend=True,
        legend={"orientation": "h", "y": -0.04},
        margin=margins(16, 12, 36, 16),
        height=290 * -(-len(planes) // 2) + 60,
    )
    return figure.update_layout(layout)


def _class_traces(
    points: FloatArray, classes: IntArray, names: Sequence[str], look: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the markers of the graphs of every class, with their numbers as customdata."""
    traces = []
    for c, colour in enumerate(class_colours(len(names))):
        members = np.flatnonzero(classes == c)
        marker = {key: value[members] if np.ndim(value) else value for key, value in look.items()}
        traces.append(
            point_trace(
                points[members],
                name=f"class {names[c]}",
                customdata=members,
                hovertemplate="graph %{customdata}<extra></extra>",
                marker={"color": colour, **marker},
            )
        )
    return traces


def error_figure(found: Sequence[NystroemQuality]) -> go.Figure:
    """Draw the error of approximations over their number of landmarks.

    Parameters
    ----------
    found : sequence of NystroemQuality
        The exact kernel among them is left out.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    shown = [one for one in found if one.n_landmarks is not None]
    landmarks = [one.n_landmarks for one in shown]
    line = {
        "type": "scatter",
        "x": landmarks,
        "y": [100 * one.error for one in shown],
        "mode": "lines+markers",
        "line": {"color": class_colours(1)[0]},
        "hovertemplate": "%{x} landmarks: %{y:.3g} %<extra></extra>",
    }
    return base_figure(
        [line],
        xaxis=titled_axis("landmarks", type="log", tickvals=landmarks),
        yaxis=titled_axis("error of the matrix (%)", rangemode="tozero"),
    )


def overlay_figure(exact: NystroemQuality, other: NystroemQuality) -> go.Figure:
    """Draw an approximate plane on the exact one, with a line between the two places of a graph.

    Parameters
    ----------
    exact, other : NystroemQuality

    Returns
    -------
    plotly.graph_objects.Figure
    """
    line = {"width": 0.5, "color": MARK_COLOUR}
    ends = np.stack([exact.points, other.points], axis=1)
    first, second = class_colours(2)
    planes = (
        (exact, "exact", {"color": first, "size": 7, "symbol": "circle"}),
        (other, f"{other.n_landmarks} landmarks", {"color": second, "size": 7, "symbol": "x"}),
    )
    places = [
        point_trace(
            one.points,
            name=name,
            customdata=np.arange(len(one.points)),
            hovertemplate=f"graph %{{customdata}}, {name}<extra></extra>",
            marker=marker,
        )
        for one, name, marker in planes
    ]
    return base_figure(
        [line_trace(ends, line=line, showlegend=False), *places],
        xaxis=QUIET_AXIS,
        yaxis=QUIET_AXIS,
        showlegend=True,
        legend={"orientation": "h"},
    )


def neighbour_words(points: FloatArray, classes: IntArray) -> str:
    """Describe how often a point and the one nearest to it are of one class.

    Parameters
    ----------
    points : ndarray of shape (N, d)
    classes : ndarray of shape (N,)

    Returns
    -------
    str

    Examples
    --------
    >>> neighbour_words(np.array([[0.0], [1.0], [5.0], [6.5]]), np.array([0, 0, 1, 0]))
    'The nearest point is of the same class for 50 %.'
    """
    return f"The nearest point is of the same class for {_agreement(points, classes):.0f} %."


def set_maps_words(planes: Mapping[str, FloatArray], classes: Sequence[Hashable]) -> str:
    """Describe how well classes lie together in the plane of each kernel.

    Parameters
    ----------
    planes : mapping of str to ndarray of shape (N, 2)
        By the title of the kernel.
    classes : sequence of length N

    Returns
    -------
    str

    Examples
    --------
    >>> near, mixed = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([[0.0], [5.0], [1.0], [6.0]])
    >>> set_maps_words({"RR": near, "AA": mixed}, "aabb")
    '4 graphs of 2 classes. The nearest point is of the same class: RR 100 %, AA 0 %. Best: RR.'
    """
    _, codes = np.unique([str(name) for name in classes], return_inverse=True)
    shares = {title: _agreement(points, codes) for title, points in planes.items()}
    listed = ", ".join(f"{title} {share:.0f} %" for title, share in shares.items())
    return (
        f"{_graphs_of_classes(len(codes), len(set(codes.tolist())))}. The nearest point is of "
        f"the same class: {listed}. Best: {max(shares, key=shares.__getitem__)}."
    )


def error_words(found: Sequence[NystroemQuality]) -> str:
    """Describe how far approximations are from the exact kernel.

    Parameters
    ----------
    found : sequence of NystroemQuality
        The exact kernel among them is left out.

    Returns
    -------
    str
    """
    listed = ", ".join(
        f"{one.n_landmarks} landmarks {100 * one.error:.3g} %"
        for one in found
        if one.n_landmarks is not None
    )
    return f"Error of the matrix: {listed}." if listed else "No approximation is measured yet."


def overlay_words(exact: NystroemQuality, other: NystroemQuality) -> str:
    """Describe how far graphs move if the exact plane is replaced by an approximate one.

    Parameters
    ----------
    exact, other : NystroemQuality

    Returns
    -------
    str
    """
    moved = np.linalg.norm(exact.points - other.points, axis=1)
    width = float(np.ptp(exact.points, axis=0).max(initial=0.0)) or 1.0
    return (
        f"{counted(len(moved), 'graph')}; with {other.n_landmarks} landmarks a graph moves by "
        f"{100 * moved.mean() / width:.2g} % of the width of the plane on average, and by "
        f"{100 * moved.max() / width:.2g} % at most."
    )


def _graphs_of_classes(n_graphs: int, n_classes: int) -> str:
    return f"{counted(n_graphs, 'graph')} of {counted(n_classes, 'class', 'classes')}"


def _agreement(points: FloatArray, classes: IntArray) -> float:
    """Return in per cent how often the nearest other point is of the same class."""
    if len(points) < 2:
        return 100.0
    from sklearn.neighbors import NearestNeighbors  # takes half a second

    near = NearestNeighbors(n_neighbors=1).fit(points).kneighbors(return_distance=False)[:, 0]
    return float(100 * np.mean(classes[near] == classes))


def graph_map_figure(embedding: KernelEmbedding, evaluation: Evaluation) -> go.Figure:
    """Draw the kernel-PCA plane of the graphs.

    Parameters
    ----------
    embedding : KernelEmbedding
        Of the evaluated kernel, with two axes.
    evaluation : Evaluation

    Returns
    -------
    plotly.graph_objects.Figure
        One trace per class, with the numbers of the graphs as customdata. A cross marks a graph
        that is mostly misclassified.
    """
    symbols = np.where(evaluation.is_mostly_wrong, "x", "circle")
    look = {"size": 9, "symbol": symbols, "line": OUTLINE}
    names = safe_names(evaluation.names)
    xaxis, yaxis = (
        {**QUIET_AXIS, "title": {"text": f"axis {i + 1}: {100 * share:.3g} % of the variance"}}
        for i, share in enumerate(embedding.explained[:2])
    )
    return base_figure(
        _class_traces(embedding.points, evaluation.truth, names, look),
        xaxis=xaxis,
        yaxis=yaxis,
        showlegend=True,
        legend={"orientation": "h"},
        clickmode="event+select",
    )


def graph_map_words(embedding: KernelEmbedding, evaluation: Evaluation) -> str:
    """Count the graphs, those misclassified, and how often a graph and its nearest one agree.

    Parameters
    ----------
    embedding : KernelEmbedding
        With two axes.
    evaluation : Evaluation

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    n_wrong = int(evaluation.is_mostly_wrong.sum())
    shares = " and ".join(f"{100 * share:.3g} %" for share in embedding.explained[:2])
    return (
        f"{_graphs_of_classes(len(evaluation.truth), len(evaluation.names))}; "
        f"{n_wrong:,} of them mostly misclassified. The axes carry {shares} of the variance. "
        f"{neighbour_words(embedding.points[:, :2], evaluation.truth)}"
    )
