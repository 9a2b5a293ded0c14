"""Embeddings side by side, each in a panel with a title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.parameters import check_whole
from mpgk_core.plotting.colouring import Colouring
from mpgk_core.plotting.embedding_figure import draw_embedding
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, base_layout

ROOM_FOR_TITLE = {"l": 36, "r": 12, "t": 56, "b": 36}
"""Margins of a figure whose title stands above it."""

_HEIGHT = 260
_AROUND = 1.3


@dataclass(frozen=True, eq=False)
class Panel:
    """One embedding.

    Attributes
    ----------
    title : str
        Safe to be shown.
    way : Trajectory
        In the plane; its last round is drawn.
    colouring : Colouring
        Of the vertices; the colours of its last round count.
    names : list of str
        Safe names of the vertices.
    """

    title: str
    way: Trajectory
    colouring: Colouring
    names: list[str]


def panels_figure(
    panels: Sequence[Panel], n_columns: int = 3, reach: float | None = None
) -> go.Figure:
    """Draw embeddings side by side, on the same scale.

    Parameters
    ----------
    panels : sequence of Panel
    n_columns : int
        Panels in a row; at least 1.
    reach : float, optional
        How far the axes go in every direction; as far as all these panels need, where none is
        given. For panels in several figures, see :func:`reach_of`.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace for each panel, with the number of the class as customdata.
    """
    check_whole(n_columns, 1, "n_columns", "panels_figure")
    if not panels:
        raise InvalidParameterError("There is no embedding to draw. Choose at least one.")
    n_columns = min(n_columns, len(panels))
    n_rows = -(-len(panels) // n_columns)
    figure = make_subplots(
        n_rows,
        n_columns,
        subplot_titles=[panel.title for panel in panels],
        horizontal_spacing=0.04,
        vertical_spacing=0.12 / n_rows,
    )
    for place, panel in enumerate(panels):
        row, column = divmod(place, n_columns)
        colouring = _in_all_rounds(panel.colouring, panel.way.n_rounds)
        drawing = draw_embedding(panel.way, colouring, panel.names)
        figure.add_trace(drawing.data[0], row + 1, column + 1)
    far = _AROUND * (reach_of(panels) if reach is None else reach)
    axis = {**QUIET_AXIS, "range": [-far, far], "showline": True, "linecolor": MARK_COLOUR}
    figure.update_xaxes(axis).update_yaxes(axis)
    figure.update_annotations(font={"size": 12})
    return figure.update_layout(base_layout(margin=ROOM_FOR_TITLE, height=40 + _HEIGHT * n_rows))


def reach_of(panels: Sequence[Panel]) -> float:
    """Return how far the points lie from the middle along an axis, and at least 1.

    Parameters
    ----------
    panels : sequence of Panel

    Returns
    -------
    float
    """
    return max(
        (float(np.abs(panel.way.points[-1]).max(initial=1.0)) for panel in panels), default=1.0
    )


def _in_all_rounds(colouring: Colouring, n_rounds: int) -> Colouring:
    """Repeat the last round of a colouring."""
    return Colouring(
        colouring.title,
        [colouring.colours[-1]] * (n_rounds + 1),
        [colouring.words[-1]] * (n_rounds + 1),
    )
