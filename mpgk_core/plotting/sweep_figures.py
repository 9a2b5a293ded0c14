"""A sweep in pictures: scores over α and β, and scores over T."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isnan
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from mpgk_core.arrays import FloatArray
from mpgk_core.plotting.colouring import COLOUR_SCALE, class_colours
from mpgk_core.plotting.embedding_figure import ROOM_FOR_TITLE
from mpgk_core.plotting.style import base_figure, margins, safe_names, titled_axis
from mpgk_core.tuning.grid import Cell, Sweep

_PLAIN_NUMBER = ".3~g"
_STAR_LINE = {"width": 1.5, "color": "#000000"}


def heat_map_figure(sweep: Sweep, score: str, cell: Cell) -> go.Figure:
    """Draw a score over α and β.

    More is better, and orange is more. A star marks the best cell of the map; cells that have not
    been tried yet stay empty.

    Parameters
    ----------
    sweep : Sweep
    score : str
        Name of a score of the sweep.
    cell : Cell
        Its variant, features and T are drawn; its α and β do not count.

    Returns
    -------
    plotly.graph_objects.Figure
        Trace 0 has a cell for each α (rows) and β (columns), with α, β and T as customdata; trace
        1 is the star. The title describes the map.
    """
    grid = sweep.grid
    low, high = value_range(sweep.of(score))
    scale = {"title": {"text": f"{sweep.titles[score]}<br>(more is better)"}, "thickness": 10}
    cells = {
        "type": "heatmap",
        "z": sweep.map_of(score, cell),
        "x": [f"{beta:g}" for beta in grid.betas],
        "y": [f"{alpha:g}" for alpha in grid.alphas],
        "zmin": low,
        "zmax": high,
        "colorscale": COLOUR_SCALE,
        "colorbar": {**scale, "tickformat": _PLAIN_NUMBER},
        "customdata": [[[a, b, cell.T] for b in grid.betas] for a in grid.alphas],
        "hoverongaps": False,
        "hovertemplate": "α = %{y}, β = %{x}: %{z:.6g}<extra></extra>",
    }
    best = sweep.best_of_map(score, cell)
    star = {
        "type": "scatter",
        "x": [] if best is None else [f"{best.beta:g}"],
        "y": [] if best is None else [f"{best.alpha:g}"],
        "mode": "markers",
        "marker": {"symbol": "star", "size": 14, "color": "#ffffff", "line": _STAR_LINE},
        "hoverinfo": "skip",
    }
    axis = {"type": "category", "showgrid": False}
    return base_figure(
        [cells, star],
        title={"text": heat_map_words(sweep, score, cell), "font": {"size": 14}},
        margin=ROOM_FOR_TITLE,
        xaxis={**axis, "title": {"text": "β: weight of the neighbourhoods"}},
        yaxis={**axis, "title": {"text": "α: weight of the previous similarity"}},
    )


def rounds_figure(sweep: Sweep, score: str, cell: Cell) -> go.Figure:
    """Draw a score over T, a line for each variant and choice of features.

    Parameters
    ----------
    sweep : Sweep
    score : str
        Name of a score of the sweep.
    cell : Cell
        Its α and β are drawn; the rest does not count.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace for each line, with T as customdata.
    """
    grid = sweep.grid
    rounds = list(grid.iterations)
    lines = [
        {
            "type": "scatter",
            "x": rounds,
            "y": values,
            "name": name,
            "mode": "lines+markers",
            "line": {"color": colour},
            "customdata": rounds,
            "hovertemplate": f"{name}, T = %{{x}}: %{{y:.6g}}<extra></extra>",
        }
        for (name, values), colour in zip(
            _lines_over_rounds(sweep, score, cell, safe_names(grid.features)),
            class_colours(len(grid.variants) * len(grid.features)),
            strict=True,
        )
    ]
    scale = {"range": list(value_range(sweep.of(score))), "tickformat": _PLAIN_NUMBER}
    return base_figure(
        lines,
        title={"text": _rounds_title(sweep, score, cell), "font": {"size": 14}},
        margin=ROOM_FOR_TITLE,
        showlegend=len(lines) > 1,
        xaxis={"title": {"text": "T, rounds"}, "tickvals": rounds, "showgrid": False},
        yaxis=titled_axis(sweep.titles[score], **scale),
    )


def _rounds_title(sweep: Sweep, score: str, cell: Cell) -> str:
    return f"{sweep.titles[score]} over T, at α = {cell.alpha:g}, β = {cell.beta:g}"


def _lines_over_rounds(
    sweep: Sweep, score: str, cell: Cell, features: Sequence[str]
) -> list[tuple[str, FloatArray]]:
    """Return the name and the scores of every variant and choice of features, over T."""
    _, _, alpha, beta, _ = sweep.grid.index(cell)
    table = sweep.of(score)
    return [
        (f"{variant}, {name}", table[v, f, alpha, beta])
        for v, variant in enumerate(sweep.grid.variants)
        for f, name in enumerate(features)
    ]


def value_range(table: NDArray[Any]) -> tuple[float, float]:
    """Return where a scale of colours or an axis begins and ends.

    Parameters
    ----------
    table : ndarray
        NaN where nothing is known.

    Returns
    -------
    tuple of float
        A little below the smallest number, and a little above the largest.

    Examples
    --------
    >>> value_range(np.array([0.0, np.nan, 1.0]))
    (-0.02, 1.02)
    """
    known = table[~np.isnan(table)]
    low, high = float(known.min(initial=np.inf)), float(known.max(initial=-np.inf))
    if low >= high:
        middle = low if len(known) else 0.0
        return middle - 0.5, middle + 0.5
    margin = 0.02 * (high - low)
    return low - margin, high + margin


def heat_map_words(sweep: Sweep, score: str, cell: Cell) -> str:
    """Describe where a map of scores is best, and how much of it is still to come.

    Parameters
    ----------
    sweep : Sweep
    score : str
        Name of a score of the sweep.
    cell : Cell
        Its variant, features and T are drawn; its α and β do not count.

    Returns
    -------
    str
        Safe to be shown.
    """
    values = sweep.map_of(score, cell)
    [features] = safe_names([cell.features])
    head = f"{sweep.titles[score]} ({cell.variant}, {features}, T = {cell.T})"
    best = sweep.best_of_map(score, cell)
    if best is None:
        return f"{head}: nothing yet"
    n_missing = int(np.count_nonzero(np.isnan(values)))
    so_far = f", {n_missing} of {values.size} cells to come" if n_missing else ""
    place = f"α = {best.alpha:g}, β = {best.beta:g}"
    return f"{head}: best {sweep.score(score, best):.4g} at {place}{so_far}"


def rounds_words(sweep: Sweep, score: str, cell: Cell) -> str:
    """Describe for every line where it begins and ends, and where it is highest.

    Parameters
    ----------
    sweep : Sweep
    score : str
        Name of a score of the sweep.
    cell : Cell
        Its α and β are drawn; the rest does not count.

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    grid = sweep.grid
    parts = [f"{_rounds_title(sweep, score, cell)}."]
    for name, values in _lines_over_rounds(sweep, score, cell, grid.features):
        known = np.flatnonzero(~np.isnan(values))
        if not len(known):
            parts.append(f"{name}: nothing yet.")
            continue
        first, best, last = known[0], known[values[known].argmax()], known[-1]
        listed = ", ".join(
            f"{word} {values[t]:.4g} at T = {grid.iterations[t]}"
            for word, t in (("from", first), ("best", best), ("last", last))
        )
        parts.append(f"{name}: {listed}.")
    return " ".join(parts)


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
        Is outlined; its variant, features and T are drawn.

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
    scores = [float(cells.z[a][b]) for a, b in places]
    unseen = {"marker": {"opacity": 0}}
    figure.add_scatter(
        x=[cells.x[b] for _, b in places],
        y=[cells.y[a] for a, _ in places],
        mode="markers",
        marker={"size": 12, "opacity": 0},
        selected=unseen,
        unselected=unseen,
        customdata=[[grid.alphas[a], grid.betas[b]] for a, b in places],
        text=["not tried yet" if isnan(value) else f"{value:.6g}" for value in scores],
        hovertemplate="α = %{y}, β = %{x}: %{text}<extra></extra>",
    )
    box = {"x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5}
    axis = {"fixedrange": True}
    return figure.update_layout(
        title=None,
        margin=margins(48, 8, 8, 44),
        hoverdistance=-1,
        shapes=[{"type": "rect", **box, "line": line} for line in _OUTLINE],
        xaxis=axis,
        yaxis=axis,
    )
