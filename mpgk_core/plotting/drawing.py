"""A figure before plotly checks it: plain data that becomes JSON at once, or a plotly figure.

Building and checking plotly's objects takes longer than computing a small kernel, so the app sends
drawings as they are; a notebook gets figures.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
from numpy.typing import NDArray


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
