"""Drawings of small graphs with the names of their vertices in them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from mpgk_core.plotting import safe_names
from ui.lesson_layout import numbers_of_trace

_MOST_NAMED = 40


def name_vertices(trace: dict[str, Any], names: Sequence[Hashable]) -> None:
    """Write the names of the vertices above them, unless they are too many.

    Parameters
    ----------
    trace : dict
        The vertices of a drawing.
    names : sequence of hashable
        Of all vertices, in the order of the drawing.
    """
    if len(names) > _MOST_NAMED:
        return
    trace.update(
        mode="markers+text",
        hovertext=trace["text"],
        hovertemplate="%{hovertext}<extra></extra>",
        text=safe_names(names),
        textposition="top center",
        cliponaxis=False,
    )


def fit_height(layout: dict[str, Any], trace: dict[str, Any]) -> None:
    """Let a drawing use all its height, with room for names."""
    heights = numbers_of_trace(trace["y"])
    layout["yaxis"]["range"] = [heights.min() - 0.12, heights.max() + 0.22]
