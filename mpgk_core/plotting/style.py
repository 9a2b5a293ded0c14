"""What all figures share: plain data, transparent ground, quiet axes, labels that run no code."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from mpgk_core.arrays import FloatArray

MARK_COLOUR = "#7f7f7f"
"""A grey that shows on white and on black, for outlines and edges."""

OUTLINE: dict[str, Any] = {"width": 1, "color": MARK_COLOUR}

QUIET_AXIS: dict[str, Any] = {
    "showgrid": False,
    "zeroline": False,
    "showticklabels": False,
    "ticks": "",
    "automargin": True,
}

LEGEND_ABOVE: dict[str, Any] = {
    "showlegend": True,
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
}

ASPECT = 3.2
"""The width of a picture of a graph by its height."""

_LONGEST_NAME = 60
_NEEDED = 0.05


def base_layout(**options: Any) -> dict[str, Any]:
    """Return a layout that fits light and dark pages.

    Parameters
    ----------
    **options
        Further layout settings.

    Returns
    -------
    dict
    """
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 36, "r": 12, "t": 12, "b": 36},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": "pan",
        "clickmode": "event",
        **options,
    }


def base_figure(traces: list[Any], **options: Any) -> go.Figure:
    """Return a plotly figure of these traces; further settings are those of :func:`base_layout`."""
    if "pandas" in sys.modules:  # another thread may still import it, and Plotly would look into
        import_module("pandas")  # one half of it: this waits
    return go.Figure(traces, base_layout(**options))


def margins(left: int, right: int, top: int, bottom: int) -> dict[str, int]:
    """Return the margins of a layout, in pixels."""
    return {"l": left, "r": right, "t": top, "b": bottom}


def titled_axis(title: str, **options: Any) -> dict[str, Any]:
    """Return an axis with a title and grey grid lines."""
    return {"title": {"text": title}, "gridcolor": "#8884", **options}


def point_trace(points: FloatArray, **options: Any) -> dict[str, Any]:
    """Return a trace of markers at these (n, 2) points."""
    trace = {"type": "scatter", "x": points[:, 0], "y": points[:, 1], "mode": "markers"}
    return {**trace, **options}


def line_trace(ends: FloatArray, **options: Any) -> dict[str, Any]:
    """Return a trace of separate lines between these (m, 2, 2) pairs of points."""
    line = np.full((len(ends), 3, 2), np.nan)
    line[:, :2] = ends
    x, y = line[:, :, 0].ravel(), line[:, :, 1].ravel()
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "hoverinfo": "skip", **options}


def height_of_picture(places: FloatArray) -> float:
    """Return the height of the picture that shows some places, in their unit."""
    width, height = map(float, np.ptp(places, axis=0))
    return max(width / ASPECT, height)


def needed_distance(places: FloatArray) -> float:
    """Return how far apart vertices must be drawn: a twentieth of the height of the picture.

    The picture is 3.2 times as wide as high, and the drawing fills it.

    Parameters
    ----------
    places : ndarray of shape (n, 2)

    Returns
    -------
    float

    Examples
    --------
    >>> needed_distance(np.array([[0.0, 0.0], [3.2, 2.0]]))
    0.1
    """
    return _NEEDED * height_of_picture(places)


def panel_grid(
    panels: Sequence[Sequence[Any]], titles: Sequence[str], n_columns: int, **spacing: float
) -> go.Figure:
    """Return a figure with a titled panel for each sequence of traces, row by row."""
    n_rows = -(-len(panels) // n_columns)
    figure = make_subplots(n_rows, n_columns, subplot_titles=list(titles), **spacing)
    for place, traces in enumerate(panels):
        row, column = divmod(place, n_columns)
        figure.add_traces(list(traces), row + 1, column + 1)
    return figure


def safe_names(names: Sequence[Hashable]) -> list[str]:
    """Return names that can be shown as they are: escaped, and not endless.

    Parameters
    ----------
    names : sequence of hashable

    Returns
    -------
    list of str

    Examples
    --------
    >>> safe_names(["a", "<b>", (0, 1)])
    ['a', '&lt;b&gt;', '(0, 1)']
    """
    texts = (str(name) for name in names)
    return [escape(t if len(t) <= _LONGEST_NAME else t[: _LONGEST_NAME - 1] + "…") for t in texts]


@dataclass(frozen=True, eq=False)
class Drawing:
    """Traces, layout and frames in plotly's terms.

    Attributes
    ----------
    data : list of dict
        Traces, each with its ``type``.
    layout : dict
    frames : list of dict
        One per round, named "0", "1", ..., "T".
    """

    data: list[dict[str, Any]]
    layout: dict[str, Any]
    frames: list[dict[str, Any]]

    def figure(self, controls: bool = False) -> go.Figure:
        """Return a plotly figure.

        Parameters
        ----------
        controls : bool
            Whether the figure brings a slider and a play button, for notebooks.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        figure = go.Figure(self.data, self.layout, self.frames)
        if controls:
            how = {"mode": "immediate", "frame": {"duration": 700}, "transition": {"duration": 600}}
            names = [frame["name"] for frame in self.frames]
            steps = [{"label": name, "method": "animate", "args": [[name], how]} for name in names]
            play = {"label": "▶", "method": "animate", "args": [None, how]}
            figure.update_layout(
                sliders=[
                    {"steps": steps, "active": len(steps) - 1, "currentvalue": {"prefix": "t = "}}
                ],
                updatemenus=[{"type": "buttons", "buttons": [play], "x": 0, "y": 1.1}],
                margin={"t": 48, "b": 24},
            )
        return figure

    def to_json(self) -> str:
        """Return what plotly.js draws; tables of floats are packed in single precision.

        Returns
        -------
        str

        Examples
        --------
        >>> import numpy as np
        >>> Drawing([{"type": "scatter", "x": np.array([1, 2])}], {}, []).to_json()
        '{"data": [{"type": "scatter", "x": [1, 2]}], "layout": {}, "frames": []}'
        """
        parts = {"data": self.data, "layout": self.layout, "frames": self.frames}
        return json.dumps(parts, default=_plain)


def _plain(array: NDArray[Any]) -> Any:
    if array.dtype.kind != "f":
        return array.tolist()
    packed = array.astype("<f4")
    shape = {"shape": ", ".join(map(str, array.shape))} if array.ndim > 1 else {}
    return {"dtype": "f4", "bdata": b64encode(packed.tobytes()).decode(), **shape}
