"""The heat map of a sweep for a page: its cells can be clicked, and one of them is outlined."""

from __future__ import annotations

from itertools import product
from math import isnan

import plotly.graph_objects as go

from mpgk_core.plotting.sweep_figures import heat_map_figure, value_range
from mpgk_core.tuning.grid import Cell
from mpgk_core.tuning.result import Sweep

_OUTLINE = {"color": "#ffffff", "width": 5}, {"color": "#000000", "width": 2}


def clickable_map(sweep: Sweep, score: str, cell: Cell) -> go.Figure:
    """Draw a score over α and β, outline one cell, and let all cells be clicked.

    A page that hears of clicks on points only hears nothing of a heat map. So there is a point in
    every cell, which cannot be seen; a click goes to the nearest one. The colours span the scores
    of one variant and choice of features, so that small differences show as well.

    Parameters
    ----------
    sweep : Sweep
    score : str
        Name of a score of the sweep.
    cell : Cell
        Is outlined, and says which variant, features and T are drawn.

    Returns
    -------
    plotly.graph_objects.Figure
        As :func:`~mpgk_core.plotting.sweep_figures.heat_map_figure` without titles; trace 2 has
        the points, with α and β as customdata.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.tuning import Grid, sweep
    >>> found = sweep(nx.path_graph(4), Grid([0.5], [0.1, 0.2], [1]), ["points"])
    >>> figure = clickable_map(found, "points", Cell("R", "auto", 0.5, 0.2, 1))
    >>> [list(place) for place in figure.data[2].customdata]
    [[0.5, 0.1], [0.5, 0.2]]
    """
    grid = sweep.grid
    variant, features, row, column, _ = grid.index(cell)
    figure = heat_map_figure(sweep, score, cell)
    cells = figure.data[0]
    low, high = value_range(sweep.of(score)[variant, features])
    cells.update(zmin=low, zmax=high, colorbar={"title": None, "exponentformat": "power"})
    places = list(product(range(len(grid.alphas)), range(len(grid.betas))))
    unseen = {"marker": {"opacity": 0}}
    figure.add_trace(
        go.Scatter(
            x=[cells.x[b] for _, b in places],
            y=[cells.y[a] for a, _ in places],
            mode="markers",
            marker={"size": 12, "opacity": 0},
            selected=unseen,
            unselected=unseen,
            customdata=[[grid.alphas[a], grid.betas[b]] for a, b in places],
            text=[_words(float(cells.z[a][b])) for a, b in places],
            hovertemplate="α = %{y}, β = %{x}: %{text}<extra></extra>",
        )
    )
    for line in _OUTLINE:
        figure.add_shape(
            type="rect", x0=column - 0.5, x1=column + 0.5, y0=row - 0.5, y1=row + 0.5, line=line
        )
    axis = {"fixedrange": True}
    return figure.update_layout(
        title=None,
        margin={"l": 48, "r": 8, "t": 8, "b": 44},
        hoverdistance=-1,
        xaxis=axis,
        yaxis=axis,
    )


def _words(value: float) -> str:
    return "not tried yet" if isnan(value) else f"{value:.6g}"
