"""Why two vertices or graphs are similar: links between what was compared, and bars over time."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.explain.graph_pairs import GraphPair
from mpgk_core.explain.vertex_pairs import History, VertexPair
from mpgk_core.explain.words import ExplainedPair, vertex_words
from mpgk_core.plotting.colouring import Colouring, class_colours
from mpgk_core.plotting.graph_figure import draw_graph
from mpgk_core.plotting.graph_layout import graph_layout
from mpgk_core.plotting.style import (
    LEGEND_ABOVE,
    MARK_COLOUR,
    OUTLINE,
    QUIET_AXIS,
    base_figure,
    line_trace,
    margins,
    point_trace,
    safe_names,
    titled_axis,
)
from mpgk_core.text import counted

MAX_LINKS_DRAWN = 200
MAX_NEIGHBOURS_DRAWN = 40
_MAX_NAMED = 3
_GOLDEN_RATIO = 0.618034
_WIDTHS = (1.0, 2.5, 4.5, 7.0)
_PAIRED, _SECOND, _NEGATIVE = class_colours(3)
_APART = 1.35
"""How far the middles of two graphs are moved to the sides."""

_Place: TypeAlias = tuple[float, float]
_Places: TypeAlias = dict[tuple[int, int], _Place]
"""Where the vertices of the left side (0) and of the right side (1) are drawn."""


def matching_figure(pair: VertexPair) -> go.Figure:
    """Draw the neighbourhoods of two vertices, with a link for each pair that contributes.

    Parameters
    ----------
    pair : VertexPair

    Returns
    -------
    plotly.graph_objects.Figure
        Links are as wide as their contributions; under A partners lie opposite each other, and
        vertices without one are grey. At most ``MAX_NEIGHBOURS_DRAWN`` neighbours on each side
        and ``MAX_LINKS_DRAWN`` links are drawn, those that contribute most. The middle of a link
        has its row of ``pair.contributions`` as customdata, a vertex its number.
    """
    found = pair.contributions
    order = found.largest(len(found))
    adjacency = pair.graphs.adjacency
    places: _Places = {}
    dots: list[tuple[int, _Place]] = []
    spokes: list[tuple[_Place, _Place]] = []
    n_most = 0
    for side, vertex, partners, x in (
        (0, pair.left, found.left, -0.4),
        (1, pair.right, found.right, 0.4),
    ):
        around = adjacency.indices[slice(*adjacency.indptr[vertex : vertex + 2])].tolist()
        shown = list(dict.fromkeys([*partners[order].tolist(), *around]))[:MAX_NEIGHBOURS_DRAWN]
        shown = shown if found.nodes is not None else sorted(shown)
        heights = np.linspace(1, -1, len(shown) + 2)[1:-1].tolist()
        places |= {(side, v): (x, y) for v, y in zip(shown, heights, strict=True)}
        dots.append((vertex, (2.5 * x, 0.0)))
        spokes += [((2.5 * x, 0.0), places[side, v]) for v in shown]
        n_most = max(n_most, len(shown))
    alone = {(side, v) for side in (0, 1) for v in pair.unmatched[side].tolist()}
    colours = [MARK_COLOUR if key in alone else _PAIRED for key in places]
    dots += [(v, place) for (_, v), place in places.items()]
    drawn = [
        line_trace(np.array(spokes).reshape(-1, 2, 2), line=OUTLINE),
        _vertices(pair, dots, [_PAIRED, _PAIRED, *colours]),
    ]
    return _figure(pair, drawn, places, 1.2).update_layout(height=max(420, 80 + 20 * n_most))


def graph_matching_figure(
    pair: GraphPair, positions: tuple[FloatArray, FloatArray] | None = None
) -> go.Figure:
    """Draw two graphs side by side, with links between the vertices that contribute most.

    Parameters
    ----------
    pair : GraphPair
    positions : tuple of two ndarrays of shape (n, 2), optional
        Where the vertices of each graph are drawn, within [-1, 1].

    Returns
    -------
    plotly.graph_objects.Figure
        At most ``MAX_LINKS_DRAWN`` links; the middle of a link has its row of
        ``pair.contributions`` as customdata, a vertex its number. Vertices that take part in no
        pair are grey.
    """
    if positions is None:
        positions = (graph_layout(pair.graphs[0]), graph_layout(pair.graphs[1]))
    where = np.concatenate([positions[0] - [_APART, 0.0], positions[1] + [_APART, 0.0]])
    alone = set(np.concatenate(pair.unmatched).tolist())
    is_alone = [v in alone for v in range(pair.graphs.n_vertices)]
    texts = ["without a partner" if one else "takes part" for one in is_alone]
    colours = [MARK_COLOUR if one else _PAIRED for one in is_alone]
    drawn = draw_graph(pair.graphs, where, Colouring("Partners", [colours], [texts])).data
    middle = int(pair.graphs.offsets[1])
    places = {(int(v >= middle), v): (x, y) for v, (x, y) in enumerate(where.tolist())}
    return _figure(pair, drawn, places, _APART + 1.1)


def _figure(
    pair: ExplainedPair, drawn: list[dict[str, Any]], places: _Places, reach: float
) -> go.Figure:
    """Draw links, the greatest contributions first, below and above what is drawn already."""
    found = pair.contributions
    left, right = found.left.tolist(), found.right.tolist()
    names = safe_names(pair.graphs.names)
    rows = [
        row
        for row in found.largest(len(found)).tolist()
        if (0, left[row]) in places and (1, right[row]) in places
    ][:MAX_LINKS_DRAWN]
    lines = [(places[0, left[row]], places[1, right[row]]) for row in rows]
    texts = [f"{names[left[row]]} · {names[right[row]]}<br>{_added(pair, row)}" for row in rows]
    *links, middles = _link_traces(
        np.array(lines).reshape(-1, 2, 2),
        found.values[rows],
        texts,
        np.array(rows, dtype=np.int64),
        is_crossing=found.nodes is None,
    )
    return base_figure(
        [*links, *drawn, middles],
        xaxis={**QUIET_AXIS, "range": [-reach, reach], "visible": False},
        yaxis={**QUIET_AXIS, "range": [-1.1, 1.1], "visible": False},
    )


def _link_traces(
    ends: FloatArray, values: FloatArray, texts: list[str], rows: IntArray, is_crossing: bool
) -> list[dict[str, Any]]:
    """Return straight links, as wide as their values, and points at their middles to hover over.

    Links of negative values are dashed. Where links cross, the points lie at different distances
    from the middles. Their customdata are the rows.
    """
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    level = np.ceil(np.abs(values) / largest * len(_WIDTHS)).astype(np.int64) - 1
    traces = []
    for is_negative in (False, True):
        look = {"color": _NEGATIVE, "dash": "dash"} if is_negative else {"color": _PAIRED}
        for step, width in enumerate(_WIDTHS):
            chosen = (np.maximum(level, 0) == step) & ((values < 0) == is_negative)
            if chosen.any():
                line = {"width": width, **look}
                traces.append(line_trace(ends[chosen], line=line, opacity=0.55))
    spread = (rows * _GOLDEN_RATIO % 1.0 - 0.5) * 0.6 if is_crossing else np.zeros(len(rows))
    middles = point_trace(
        ends[:, 0] + (0.5 + spread)[:, np.newaxis] * (ends[:, 1] - ends[:, 0]),
        marker={"size": 9, "color": _PAIRED, "opacity": 0.6},
        customdata=rows,
        text=texts,
        hovertemplate="%{text}<extra></extra>",
    )
    return [*traces, middles]


def _added(pair: ExplainedPair, row: int) -> str:
    found = pair.contributions
    text = f"adds {found.values[row]:.5g} of {found.total:.5g}"
    return text if found.nodes is None else f"{text}<br>they meet at tree node {found.nodes[row]}"


def _vertices(
    pair: VertexPair, dots: list[tuple[int, _Place]], colours: list[str]
) -> dict[str, Any]:
    """Return the two vertices, then their neighbours."""
    vertices, places = zip(*dots, strict=True)
    names = safe_names([pair.graphs.names[v] for v in vertices])
    degrees = np.diff(pair.graphs.adjacency.indptr)[list(vertices)].tolist()
    sizes = [18] * 2 + [12] * (len(dots) - 2)
    sides = ["middle left" if x < 0 else "middle right" for x, _ in places[2:]]
    return point_trace(
        np.array(places),
        mode="markers+text",
        textposition=["top center"] * 2 + sides,
        marker={"size": sizes, "color": colours, "line": OUTLINE},
        text=names,
        customdata=list(vertices),
        hovertext=[f"{name}<br>degree {d}" for name, d in zip(names, degrees, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def matching_words(pair: ExplainedPair) -> str:
    """Describe which pairs contribute most, and how many vertices have no partner.

    Parameters
    ----------
    pair : VertexPair or GraphPair

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import explain_neighbourhoods
    >>> matching_words(explain_neighbourhoods(nx.star_graph(4), 0, 1)["A"])
    '1 pair adds up to 1. The pair of vertex 1 and vertex 0 adds 1 (100 %). 3 vertices have no
    partner.'
    """
    found = pair.contributions
    if not len(found):
        return "No pair contributes."
    add = "adds" if len(found) == 1 else "add"
    parts = [f"{counted(len(found), 'pair')} {add} up to {found.total:.5g}."]
    sizes = float(np.abs(found.values).sum())
    for row in found.largest(_MAX_NAMED).tolist():
        value = float(found.values[row])
        share = 100 * abs(value) / sizes if sizes > 0 else 0.0
        parts.append(
            f"The pair of {vertex_words(pair, int(found.left[row]))} and "
            f"{vertex_words(pair, int(found.right[row]))} adds {value:.5g} ({share:.0f} %)."
        )
    n_alone = sum(map(len, pair.unmatched))
    if n_alone:
        have = "has" if n_alone == 1 else "have"
        parts.append(f"{counted(n_alone, 'vertex', 'vertices')} {have} no partner.")
    return " ".join(parts)


def history_figure(history: History) -> go.Figure:
    """Draw a bar for every round, made of the previous similarity and of their neighbours.

    Parameters
    ----------
    history : History

    Returns
    -------
    plotly.graph_objects.Figure
        Values before normalisation; the hover text has the share of the neighbours.
    """
    rounds = list(range(len(history.total)))
    bars = [
        {
            "type": "bar",
            "x": rounds,
            "y": part,
            "name": name,
            "marker": {"color": colour, "pattern": {"shape": shape}, "line": OUTLINE},
            "customdata": 100 * shares,
            "hovertemplate": f"t = %{{x}}<br>{name}: %{{y:.5g}}<br>%{{customdata:.0f}} %"
            "<extra></extra>",
        }
        for name, part, shares, colour, shape in (
            ("previous similarity", history.own, 1 - history.neighbour_share, _PAIRED, ""),
            ("neighbours", history.neighbours, history.neighbour_share, _SECOND, "/"),
        )
    ]
    return base_figure(
        bars,
        barmode="relative",
        xaxis={"title": {"text": "round t"}, "tickvals": rounds},
        yaxis=titled_axis("kᵗ(v, u)"),
        margin=margins(48, 12, 40, 40),
        **LEGEND_ABOVE,
    )


def history_words(history: History) -> str:
    """Describe for every round how much came from the past and how much from neighbours.

    Parameters
    ----------
    history : History

    Returns
    -------
    str
    """
    parts = [f"At t = 0 the similarity is {history.own[0]:.5g}."]
    for t in range(1, len(history.own)):
        parts.append(
            f"At t = {t} it is {history.total[t]:.5g}: {history.own[t]:.5g} from the previous "
            f"similarity and {history.neighbours[t]:.5g} from the neighbours "
            f"({100 * history.neighbour_share[t]:.0f} %)."
        )
    return " ".join(parts)
