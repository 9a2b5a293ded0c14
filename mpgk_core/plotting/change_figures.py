"""How much of a graph's vertices is left after a change, in curves and in bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.automorphism.orbits import Orbits
from mpgk_core.edits.comparison import NEIGHBOURHOODS, Comparison
from mpgk_core.edits.perturbation import CURVES, PerturbationCurve
from mpgk_core.plotting.palette import class_colours
from mpgk_core.plotting.style import MARK_COLOUR, base_layout, safe_names

_MOST_SAID = 3

MOST_BARS_DRAWN = 40

_TITLES = {"WL": "WL: same colour", "R": "MPGK R", "A": "MPGK A"}
_COLOURS = dict(zip(CURVES, class_colours(len(CURVES))[::-1], strict=True))
_SYMBOLS = {"WL": "square", "R": "circle", "A": "diamond"}
_GRID = "#8884"
_LABEL_GAP = 0.07


def perturbation_figure(curve: PerturbationCurve) -> go.Figure:
    """Draw what is left of the vertices over the number of removed edges.

    Parameters
    ----------
    curve : PerturbationCurve
        Complete or not: steps without a measurement are left out.

    Returns
    -------
    plotly.graph_objects.Figure
        For each of WL, R and A, a band from the lowest to the highest seed, then the line of the
        means, named at its end.
    """
    shown = curve.is_measured.any(axis=0)
    removed = curve.n_removed[shown]
    traces: list[Any] = []
    lows: list[float] = []
    for name in CURVES:
        low, mean, high = (
            line[shown] for line in (curve.lowest(name), curve.mean(name), curve.highest(name))
        )
        lows += low.tolist()
        look = {"color": _COLOURS[name]}
        traces.append(
            go.Scatter(
                x=np.concatenate([removed, removed[::-1]]),
                y=np.concatenate([high, low[::-1]]),
                fill="toself",
                fillcolor=_COLOURS[name],
                opacity=0.2,
                line={"width": 0},
                mode="lines",
                hoverinfo="skip",
            )
        )
        traces.append(
            go.Scatter(
                x=removed,
                y=mean,
                name=_TITLES[name],
                mode="lines+markers",
                line=look,
                marker=look | {"symbol": _SYMBOLS[name], "size": 7},
                customdata=np.column_stack([low, high]),
                hovertemplate=f"{_TITLES[name]}<br>%{{x}} edges removed: %{{y:.3f}}"
                "<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
            )
        )
    figure = go.Figure(
        traces,
        base_layout(
            xaxis={"title": {"text": "removed edges"}, "gridcolor": _GRID, "rangemode": "tozero"},
            yaxis={
                "title": {"text": "share of colours kept, mean cosine"},
                "range": [min([0.0, *lows]) - 0.03, 1.06],
                "gridcolor": _GRID,
                "zeroline": False,
            },
            margin={"l": 48, "r": 130, "t": 12, "b": 40},
        ),
    )
    if len(removed):
        ends = [float(curve.mean(name)[shown][-1]) for name in CURVES]
        for name, height in zip(CURVES, _apart(ends), strict=True):
            figure.add_annotation(
                x=1.0,
                xref="paper",
                y=height,
                text=_TITLES[name],
                showarrow=False,
                xanchor="left",
                xshift=8,
                bordercolor=_COLOURS[name],
                borderwidth=2,
                borderpad=2,
            )
    return figure


def movement_figure(comparison: Comparison, t: int | None = None) -> go.Figure:
    """Draw how far each vertex moved under R and under A, those that moved farthest on top.

    Parameters
    ----------
    comparison : Comparison
    t : int, optional
        Round; by default the last.

    Returns
    -------
    plotly.graph_objects.Figure
        At most ``MOST_BARS_DRAWN`` vertices; a star marks those whose WL colour changed.
    """
    t = comparison.checked_round(t)
    distances = {way: comparison.movement[way][t] for way in NEIGHBOURHOODS}
    total = np.sum(list(distances.values()), axis=0)
    rows = np.argsort(-total, kind="stable")[:MOST_BARS_DRAWN]
    everyone = comparison.names
    names = safe_names([everyone[v] for v in rows.tolist()])
    changed = comparison.is_recoloured[t][rows].tolist()
    said = ["WL colour changed" if is_changed else "WL colour kept" for is_changed in changed]
    places = np.arange(len(rows))
    bars = [
        go.Bar(
            x=distances[way][rows],
            y=places,
            orientation="h",
            name=_TITLES[way],
            marker={"color": _COLOURS[way], "line": {"width": 1, "color": MARK_COLOUR}},
            hovertext=[f"{name}<br>{words}" for name, words in zip(names, said, strict=True)],
            hovertemplate=f"%{{hovertext}}<br>{_TITLES[way]}: moved %{{x:.4f}}<extra></extra>",
        )
        for way in NEIGHBOURHOODS
    ]
    marked = [name + " *" * is_changed for name, is_changed in zip(names, changed, strict=True)]
    return go.Figure(
        bars,
        base_layout(
            xaxis={
                "title": {"text": "distance moved in feature space"},
                "rangemode": "tozero",
                "gridcolor": _GRID,
            },
            yaxis={
                "title": {"text": "vertex (* WL colour changed)"},
                "tickvals": places,
                "ticktext": marked,
                "autorange": "reversed",
                "automargin": True,
            },
            showlegend=True,
            legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
            height=140 + 26 * max(len(rows), 1),
            margin={"l": 36, "r": 12, "t": 40, "b": 40},
        ),
    )


def _apart(heights: Sequence[float]) -> list[float]:
    """Move heights up, where they are too close for labels, but not out of the drawing."""
    order = np.argsort(heights, kind="stable")
    apart = np.array(heights, dtype=np.float64)
    for lower, upper in pairwise(order.tolist()):
        apart[upper] = max(apart[upper], apart[lower] + _LABEL_GAP)
    for upper, lower in pairwise(order[::-1].tolist()):
        apart[upper] = min(apart[upper], 1.0)
        apart[lower] = min(apart[lower], apart[upper] - _LABEL_GAP)
    result: list[float] = apart.tolist()
    return result


def comparison_words(comparison: Comparison, t: int | None = None) -> str:
    r"""Say how many vertices changed colour, and how far vertices moved.

    Parameters
    ----------
    comparison : Comparison
    t : int, optional
        Round; by default the last.

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet, MessagePassingNodeKernel
    >>> from mpgk_core.edits import compare
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(6), nx.path_graph(6)))
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=3)
    >>> print(*comparison_words(compare(ring, path, kernel)).split(". "), sep=".\n")
    After 3 rounds, 6 of 6 vertices have another WL colour.
    Under R, a vertex moves by 0.116 on average and by 0.142 at most; its mean cosine with what
    it was is 0.9930.
    Under A, a vertex moves by 0.961 on average and by 1.09 at most; its mean cosine with what
    it was is 0.5328.
    There was 1 orbit before and there are 3 now; 20 % of the equivalent pairs still are.
    """
    t = comparison.checked_round(t)
    n = len(comparison.in_before)
    n_changed = int(comparison.is_recoloured[t].sum())
    parts = [
        f"After {_counted(t, 'round')}, {n_changed:,} of {_counted(n, 'vertex', 'vertices')} "
        f"{'has' if n_changed == 1 else 'have'} another WL colour."
    ]
    for way in NEIGHBOURHOODS:
        moved = comparison.movement[way][t]
        parts.append(
            f"Under {way}, a vertex moves by {moved.mean():.3g} on average and by "
            f"{moved.max():.3g} at most; its mean cosine with what it was is "
            f"{comparison.similarity(way)[t].mean():.4f}."
        )
    old, new = comparison.orbits_before, comparison.orbits_after
    parts.append(
        f"There {'was' if old.n_orbits == 1 else 'were'} {_at_least(old)}"
        f"{_counted(old.n_orbits, 'orbit')} before and there "
        f"{'is' if new.n_orbits == 1 else 'are'} {_at_least(new)}{new.n_orbits:,} now; "
        f"{100 * comparison.share_of_orbit_pairs_kept:.0f} % of the equivalent pairs still are."
    )
    return " ".join(parts)


def movement_words(comparison: Comparison, t: int | None = None) -> str:
    """Say which vertices moved farthest under R and under A.

    Parameters
    ----------
    comparison : Comparison
    t : int, optional
        Round; by default the last.

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet, MessagePassingNodeKernel
    >>> from mpgk_core.edits import compare
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(4), nx.path_graph(4)))
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=1)
    >>> movement_words(compare(ring, path, kernel)).split(";")[0]
    'Farthest under R: 1 (0.142), 2 (0.142), 0 (0)'
    """
    t = comparison.checked_round(t)
    names = comparison.names
    parts = []
    for way in NEIGHBOURHOODS:
        moved = comparison.movement[way][t]
        farthest = np.argsort(-moved, kind="stable")[:_MOST_SAID].tolist()
        listed = ", ".join(f"{str(names[v])[:40]} ({moved[v]:.3g})" for v in farthest)
        parts.append(f"under {way}: {listed}")
    return f"Farthest {'; '.join(parts)}."


def perturbation_words(curve: PerturbationCurve) -> str:
    """Say what is left at the first removed edges and at the last.

    Parameters
    ----------
    curve : PerturbationCurve

    Returns
    -------
    str
    """
    measured = np.flatnonzero(curve.is_measured.any(axis=0)).tolist()
    if not measured:
        return "Nothing is measured yet."
    told = [step for step in measured if curve.n_removed[step] > 0] or measured
    lines = {name: curve.mean(name) for name in curve.values}
    parts = [
        f"With {_counted(int(curve.n_removed[step]), 'edge')} removed, "
        f"{100 * lines['WL'][step]:.0f} % of the vertices keep their WL colour after "
        f"{_counted(curve.n_rounds, 'round')}, and the mean cosine of a vertex with what it was "
        f"is {lines['R'][step]:.3f} under R and {lines['A'][step]:.3f} under A."
        for step in dict.fromkeys((told[0], told[-1]))
    ]
    return " ".join(parts)


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _at_least(found: Orbits) -> str:
    return "" if found.proven else "at least "
