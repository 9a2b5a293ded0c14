"""What all figures share: transparent ground, quiet axes, labels that cannot run code."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

__all__ = ["MARK_COLOUR", "QUIET_AXIS", "base_layout", "safe_names", "with_frames"]

MARK_COLOUR = "#7f7f7f"
"""A grey that shows on white and on black, for outlines and edges."""

QUIET_AXIS: dict[str, Any] = {
    "showgrid": False,
    "zeroline": False,
    "showticklabels": False,
    "ticks": "",
}

_LONGEST_NAME = 60


def base_layout(**options: Any) -> go.Layout:
    """Return a layout that fits light and dark pages.

    Parameters
    ----------
    **options
        Further layout settings.

    Returns
    -------
    plotly.graph_objects.Layout
    """
    return go.Layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 36, "r": 12, "t": 12, "b": 36},
        showlegend=False,
        hovermode="closest",
        dragmode="pan",
        clickmode="event",
        **options,
    )


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


def with_frames(figure: go.Figure, frames: list[go.Frame], controls: bool) -> go.Figure:
    """Attach one frame per round and, for notebooks, a slider and a play button.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    frames : list of plotly.graph_objects.Frame
        Named "0", "1", ..., "T".
    controls : bool
        Whether the figure brings controls of its own.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure.frames = frames
    if controls:
        how = {"mode": "immediate", "frame": {"duration": 700}, "transition": {"duration": 600}}
        steps = [{"label": f.name, "method": "animate", "args": [[f.name], how]} for f in frames]
        play = {"label": "▶", "method": "animate", "args": [None, how]}
        figure.update_layout(
            sliders=[
                {"steps": steps, "active": len(steps) - 1, "currentvalue": {"prefix": "t = "}}
            ],
            updatemenus=[{"type": "buttons", "buttons": [play], "x": 0, "y": 1.1}],
            margin={"t": 48, "b": 24},
        )
    return figure
