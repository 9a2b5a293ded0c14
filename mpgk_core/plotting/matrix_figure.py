"""The kernel matrix, ordered so that equivalent vertices stand side by side."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.plotting.colouring import SHARE_SCALE
from mpgk_core.plotting.style import QUIET_AXIS, Drawing, base_layout

MAX_ROWS_DRAWN = 100
_MAX_ROWS_NAMED = 60


def matrix_rows(order: IntArray) -> IntArray:
    """Choose the vertices that are shown: all, or an evenly spaced part of a long order.

    Parameters
    ----------
    order : ndarray of shape (n,)
        The vertices, equivalent ones side by side.

    Returns
    -------
    ndarray
        At most ``MAX_ROWS_DRAWN`` of them.
    """
    if len(order) <= MAX_ROWS_DRAWN:
        return order
    return order[np.linspace(0, len(order) - 1, MAX_ROWS_DRAWN).round().astype(np.int64)]


def matrix_figure(
    kernels: list[FloatArray],
    rows: IntArray,
    names: list[str],
    controls: bool = False,
    largest: float | None = None,
) -> go.Figure:
    """Draw the similarity of the chosen vertices in every round.

    Values are cosines, k(v, u) / √(k(v, v) k(u, u)), so that all rounds share one scale; or
    kernel values, on a scale from 0 to a largest value.

    Parameters
    ----------
    kernels : list of ndarray of shape (m, m)
        Kernels between the chosen vertices, for t = 0..T; cosine-normalised unless there is a
        largest value.
    rows : ndarray of shape (m,)
        The chosen vertices.
    names : list of str
        Safe names of all vertices.
    controls : bool
        Whether to add a slider and a play button, for notebooks.
    largest : float, optional
        The end of the scale of kernel values.

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 has a cell for each pair; row and column number the chosen vertices.
    """
    return draw_matrix(kernels, rows, names, largest).figure(controls)


def draw_matrix(
    kernels: list[FloatArray], rows: IntArray, names: list[str], largest: float | None = None
) -> Drawing:
    """Do the work of :func:`matrix_figure`, where the parameters are described."""
    shown = [names[v] for v in rows]
    is_small = len(rows) <= _MAX_ROWS_NAMED
    lowest = 0.0 if largest else min(float(kernel.min(initial=1.0)) for kernel in kernels)
    cells = {
        "type": "heatmap",
        "z": kernels[-1],
        "zmin": lowest if lowest < 1.0 - 1e-9 else 0.0,
        "zmax": largest or 1.0,
        "colorscale": SHARE_SCALE,
        "colorbar": {
            "thickness": 10,
            "len": 0.9,
            "title": {"text": "k(v, u)" if largest else "cosine"},
        },
        "hovertemplate": ("%{text}: " if is_small else "") + "%{z:.4f}<extra></extra>",
        "hoverongaps": False,
    }
    if is_small:
        cells["text"] = [[f"{one} · {other}" for other in shown] for one in shown]
    axis = {**QUIET_AXIS, "constrain": "domain"}
    layout = base_layout(xaxis=axis, yaxis=axis | {"autorange": "reversed", "scaleanchor": "x"})
    frames = [
        {"name": str(t), "data": [{"type": "heatmap", "z": kernel}], "traces": [0]}
        for t, kernel in enumerate(kernels)
    ]
    return Drawing([cells], layout, frames)


def matrix_words(kernel: FloatArray, classes: IntArray) -> str:
    """Describe how similar vertices of one class are, and how similar those of different classes.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    classes : ndarray of shape (n,)
        A class of each row.

    Returns
    -------
    str

    Examples
    --------
    >>> kernel = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    >>> matrix_words(kernel, np.array([0, 0, 1]))
    'Inside an orbit it is 0.5 on average, between orbits 0.3.'
    """
    is_same = classes[:, np.newaxis] == classes
    inside = kernel[is_same & ~np.eye(len(classes), dtype=np.bool_)]
    between = kernel[~is_same]
    if len(inside) and len(between):
        means = f"Inside an orbit it is {inside.mean():.4g} on average, between orbits "
        return f"{means}{between.mean():.4g}."
    if len(inside):
        return f"Inside an orbit it is {inside.mean():.4g} on average."
    if len(between):
        return f"Between orbits {between.mean():.4g} on average."
    return "There is one vertex only."
