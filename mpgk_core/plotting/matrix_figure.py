"""The kernel matrix, ordered so that equivalent vertices stand side by side."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from mpgk_core.plotting.style import QUIET_AXIS, Drawing, base_layout

MOST_ROWS_DRAWN = 100
_MOST_ROWS_NAMED = 60
_COLOURS = [[0.0, "#3a5ba0"], [0.5, "#5dae8b"], [1.0, "#f0a53c"]]


def matrix_rows(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Choose the vertices that are shown: all, or an evenly spaced part of a long order.

    Parameters
    ----------
    order : ndarray of shape (n,)
        The vertices, equivalent ones side by side.

    Returns
    -------
    ndarray
        At most ``MOST_ROWS_DRAWN`` of them.
    """
    if len(order) <= MOST_ROWS_DRAWN:
        return order
    return order[np.linspace(0, len(order) - 1, MOST_ROWS_DRAWN).round().astype(np.int64)]


def matrix_figure(
    kernels: list[NDArray[np.float64]],
    rows: NDArray[np.int64],
    names: list[str],
    controls: bool = False,
) -> go.Figure:
    """Draw the similarity of the chosen vertices in every round.

    Values are cosines, k(v, u) / √(k(v, v) k(u, u)), so that all rounds share one scale.

    Parameters
    ----------
    kernels : list of ndarray of shape (m, m)
        Cosine-normalised kernels between the chosen vertices, for t = 0..T.
    rows : ndarray of shape (m,)
        The chosen vertices.
    names : list of str
        Safe names of all vertices.
    controls : bool
        Whether to add a slider and a play button, for notebooks.

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 has a cell for each pair; row and column number the chosen vertices.
    """
    return draw_matrix(kernels, rows, names).figure(controls)


def draw_matrix(
    kernels: list[NDArray[np.float64]], rows: NDArray[np.int64], names: list[str]
) -> Drawing:
    """Do the work of :func:`matrix_figure`, where the parameters are described."""
    m = len(rows)
    shown = [names[v] for v in rows]
    is_small = m <= _MOST_ROWS_NAMED
    cells = {
        "type": "heatmap",
        "z": kernels[-1],
        "zmin": _lowest(kernels),
        "zmax": 1.0,
        "colorscale": _COLOURS,
        "colorbar": {"thickness": 10, "len": 0.9, "title": {"text": "cosine"}},
        "hovertemplate": ("%{text}: " if is_small else "") + "%{z:.4f}<extra></extra>",
        "hoverongaps": False,
    }
    if is_small:
        cells["text"] = [[f"{one} · {other}" for other in shown] for one in shown]
    layout = base_layout(
        xaxis={**QUIET_AXIS, "constrain": "domain"},
        yaxis={**QUIET_AXIS, "autorange": "reversed", "scaleanchor": "x", "constrain": "domain"},
    )
    frames = [
        {"name": str(t), "data": [{"type": "heatmap", "z": kernel}], "traces": [0]}
        for t, kernel in enumerate(kernels)
    ]
    return Drawing([cells], layout, frames)


def _lowest(kernels: list[NDArray[np.float64]]) -> float:
    """Return where the colours begin: at the smallest cosine of all rounds, or at 0."""
    lowest = min(float(kernel.min(initial=1.0)) for kernel in kernels)
    return lowest if lowest < 1.0 - 1e-9 else 0.0


def matrix_words(kernel: NDArray[np.float64], classes: NDArray[np.int64]) -> str:
    """Say how similar vertices of one class are, and how similar those of different classes.

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
    is_pair = ~np.eye(len(classes), dtype=np.bool_)
    inside, between = kernel[is_same & is_pair], kernel[~is_same]
    parts = [
        f"{where} {values.mean():.4g}"
        for where, values in (("inside an orbit it is", inside), ("between orbits", between))
        if len(values)
    ]
    if not parts:
        return "There is one vertex only."
    said = " on average, ".join(parts) if len(parts) == 2 else f"{parts[0]} on average"
    return f"{said[0].upper()}{said[1:]}."
