"""A graph before and after a change, in common colours, and how far its vertices moved."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.automorphism import Orbits
from mpgk_core.edits.comparison import NEIGHBOURHOODS, Comparison, similarity_from_distance
from mpgk_core.edits.graph_edits import with_edges
from mpgk_core.edits.names import matched_vertices, named_edges
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.colouring import (
    METHOD_COLOURS,
    METHOD_TITLES,
    Colouring,
    class_colours,
    colour_by_class,
    scale_colours,
)
from mpgk_core.plotting.graph_figure import draw_graph
from mpgk_core.plotting.graph_layout import FEW_VERTICES, without_overlaps
from mpgk_core.plotting.style import (
    LEGEND_ABOVE,
    MARK_COLOUR,
    OUTLINE,
    Drawing,
    base_figure,
    margins,
    safe_names,
    titled_axis,
)
from mpgk_core.refinement.colour_refinement import agreeing
from mpgk_core.text import counted

MAX_BARS_DRAWN = 40
_MAX_NAMED = 3

_BESIDE, _OUTSIDE = 0.12, 1.05
"""How far a new vertex lies from the middle of its neighbours, or, without any, of the drawing."""

_GOLDEN_ANGLE = 2.399963
_STRIKING = {"width": 3, "color": class_colours(3)[2], "dash": "dot"}
_WL_TEXTS = ("WL colour kept", "WL colour changed")


def colour_by_movement(comparison: Comparison, neighbourhood: str) -> tuple[Colouring, Colouring]:
    """Colour every vertex by how far it moved: graded.

    Parameters
    ----------
    comparison : Comparison
    neighbourhood : {"R", "A"}

    Returns
    -------
    before, after : Colouring
        One scale for all rounds, from 0 to the farthest; vertices without a partner are grey.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet
    >>> from mpgk_core.edits import compare
    >>> path, edge = map(GraphSet.from_networkx, (nx.path_graph(3), nx.path_graph(2)))
    >>> colour_by_movement(compare(path, edge), "R")[0].words[0]
    ['moved 0, cosine 1.0000', 'moved 0, cosine 1.0000', 'removed']
    """
    movement = comparison.movement[neighbourhood]
    farthest = float(movement.max(initial=0.0)) or 1.0
    colours = [scale_colours(np.append(row, [0.0, farthest]))[:-2] for row in movement]
    words = [
        [f"moved {distance:.3g}, cosine {cosine:.4f}" for distance, cosine in pairs.tolist()]
        for pairs in np.stack([movement, similarity_from_distance(movement)], axis=-1)
    ]
    return _on_both(comparison, f"Movement under {neighbourhood}", colours, words)


def colour_by_recolouring(comparison: Comparison) -> tuple[Colouring, Colouring]:
    """Colour every vertex by whether colour refinement still gives it its colour: yes or no.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    before, after : Colouring
        Vertices without a partner are grey.
    """
    changed = comparison.is_recoloured.astype(np.int64)
    colours, words = (np.array(two)[changed].tolist() for two in (class_colours(2), _WL_TEXTS))
    return _on_both(comparison, "WL colour kept or changed", colours, words)


def colour_by_joint_refinement(comparison: Comparison) -> tuple[Colouring, Colouring]:
    """Colour every vertex by its colour of colour refinement, equal before and after.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    before, after : Colouring
    """
    both = np.hstack([comparison.colours_before, comparison.colours_after])
    classes = np.array([agreeing(row) for row in both])
    whole = colour_by_class("WL colour after t rounds", classes, "colour")
    n = comparison.before.n_vertices
    return whole.of(range(n)), whole.of(range(n, both.shape[1]))


def _on_both(
    comparison: Comparison, title: str, colours: list[list[str]], words: list[list[str]]
) -> tuple[Colouring, Colouring]:
    """Give what belongs to the common vertices to both versions; others are grey."""

    def placed(rows: list[list[str]], places: IntArray, n: int, otherwise: str) -> list[list[str]]:
        table = np.full((len(rows), n), otherwise, dtype=object)
        table[:, places] = np.array(rows, dtype=object).reshape(len(rows), -1)
        result: list[list[str]] = table.tolist()
        return result

    before, after = (
        Colouring(title, placed(colours, at, n, MARK_COLOUR), placed(words, at, n, alone))
        for at, n, alone in (
            (comparison.in_before, comparison.before.n_vertices, "removed"),
            (comparison.in_after, comparison.after.n_vertices, "new"),
        )
    )
    return before, after


def carried_layout(before: GraphSet, positions: FloatArray, after: GraphSet) -> FloatArray:
    """Leave vertices where they were drawn, and place new ones among their neighbours.

    Parameters
    ----------
    before : GraphSet
        With one graph.
    positions : ndarray of shape (n, 2)
        Its drawing, within [-1, 1].
    after : GraphSet
        Another version of the graph; equal names are the same vertex.

    Returns
    -------
    ndarray of shape (number of vertices after, 2)

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.edits import with_vertex
    >>> path = GraphSet.from_networkx(nx.path_graph(2))
    >>> line = np.array([[-1.0, 0.0], [1.0, 0.0]])
    >>> carried_layout(path, line, with_vertex(path, joined_to=[0, 1])).round(2)
    array([[-1.  ,  0.  ],
           [ 1.  ,  0.  ],
           [ 0.01, -0.12]])
    """
    in_before, in_after = matched_vertices(before, after)
    placed = np.zeros((after.n_vertices, 2))
    placed[in_after] = positions[in_before]
    is_placed = np.isin(np.arange(after.n_vertices), in_after)
    for v in np.flatnonzero(~is_placed).tolist():
        neighbours = after.adjacency.indices[slice(*after.adjacency.indptr[v : v + 2])]
        known = placed[neighbours[is_placed[neighbours]]]
        middle, reach = (known.mean(axis=0), _BESIDE) if len(known) else (0.0, _OUTSIDE)
        angle = _GOLDEN_ANGLE * v
        placed[v] = middle + reach * np.array([np.cos(angle), np.sin(angle)])
        is_placed[v] = True
    if after.n_vertices < FEW_VERTICES:
        order = np.concatenate([in_after, np.setdiff1d(np.arange(len(placed)), in_after)])
        placed[order] = without_overlaps(placed[order], len(in_after))
    return placed


def draw_change(
    comparison: Comparison,
    positions: FloatArray,
    colourings: tuple[Colouring, Colouring],
    edge_use: str | None = None,
) -> tuple[Drawing, Drawing]:
    """Draw a graph before and after, with the edges that only one version has in red.

    Parameters
    ----------
    comparison : Comparison
    positions : ndarray of shape (n, 2)
        Of the vertices before; those after are carried over.
    colourings : tuple of two Colouring
        Of the vertices before and after.
    edge_use : str, optional
        What the kernel uses of edges, as in :func:`~mpgk_core.plotting.graph_figure`.

    Returns
    -------
    before, after : Drawing
        Trace 0 are plain edges, trace 1 the vertices, the last trace the edges of this version
        alone; edges with labels, weights or directions lie between them.
    """
    versions = (comparison.before, comparison.after)
    edges = [named_edges(version) for version in versions]
    carried = carried_layout(comparison.before, positions, comparison.after)
    drawings = []
    for i, places in enumerate((positions, carried)):
        drawing = draw_graph(versions[i], places, colourings[i], edge_use)
        is_own = np.array([pair not in edges[1 - i] for pair in edges[i]], dtype=np.bool_)
        own = with_edges(versions[i], undirected_edges(versions[i])[is_own])
        look = {"line": _STRIKING, "opacity": 1.0, "showlegend": False}
        trace = draw_graph(own, places, colourings[i]).data[0] | look
        drawings.append(Drawing([*drawing.data, trace], drawing.layout, drawing.frames))
    return drawings[0], drawings[1]


def movement_figure(comparison: Comparison) -> go.Figure:
    """Draw how far each vertex moved under R and under A, those that moved farthest on top.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    plotly.graph_objects.Figure
        At most ``MAX_BARS_DRAWN`` vertices; a star marks those whose WL colour changed.
    """
    t = comparison.n_rounds
    distances = {kind: comparison.movement[kind][t] for kind in NEIGHBOURHOODS}
    total = np.sum(list(distances.values()), axis=0)
    rows = np.argsort(-total, kind="stable")[:MAX_BARS_DRAWN]
    names = safe_names(_chosen(comparison.names, rows))
    changed = comparison.is_recoloured[t][rows].tolist()
    places = np.arange(len(rows))
    texts = [f"{name}<br>{_WL_TEXTS[new]}" for name, new in zip(names, changed, strict=True)]
    bars = [
        {
            "type": "bar",
            "x": distances[kind][rows],
            "y": places,
            "orientation": "h",
            "name": METHOD_TITLES[kind],
            "marker": {"color": METHOD_COLOURS[kind], "line": OUTLINE},
            "hovertext": texts,
            "hovertemplate": f"%{{hovertext}}<br>{METHOD_TITLES[kind]}: moved %{{x:.4f}}"
            "<extra></extra>",
        }
        for kind in NEIGHBOURHOODS
    ]
    yaxis = {
        "title": {"text": "vertex (* WL colour changed)"},
        "tickvals": places,
        "ticktext": [name + " *" * new for name, new in zip(names, changed, strict=True)],
        "autorange": "reversed",
        "automargin": True,
    }
    return base_figure(
        bars,
        xaxis=titled_axis("distance moved in feature space", rangemode="tozero"),
        yaxis=yaxis,
        height=140 + 26 * max(len(rows), 1),
        margin=margins(36, 12, 40, 40),
        **LEGEND_ABOVE,
    )


def movement_words(comparison: Comparison) -> str:
    """Describe which vertices moved farthest under R and under A.

    Parameters
    ----------
    comparison : Comparison

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
    t = comparison.n_rounds
    parts = []
    for kind in NEIGHBOURHOODS:
        moved = comparison.movement[kind][t]
        farthest = np.argsort(-moved, kind="stable")[:_MAX_NAMED]
        names = [str(name)[:40] for name in _chosen(comparison.names, farthest)]
        pairs = zip(names, moved[farthest], strict=True)
        parts.append(f"under {kind}: " + ", ".join(f"{name} ({gap:.3g})" for name, gap in pairs))
    return f"Farthest {'; '.join(parts)}."


def _chosen(names: Sequence[Hashable], rows: IntArray) -> list[Hashable]:
    return [names[v] for v in rows.tolist()]


def comparison_words(comparison: Comparison) -> str:
    r"""Describe how many vertices changed colour, and how far vertices moved.

    Parameters
    ----------
    comparison : Comparison

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
    t = comparison.n_rounds
    n = len(comparison.in_before)
    n_changed = int(comparison.is_recoloured[t].sum())
    parts = [
        f"After {counted(t, 'round')}, {n_changed:,} of {counted(n, 'vertex', 'vertices')} "
        f"{'has' if n_changed == 1 else 'have'} another WL colour."
    ]
    for kind in NEIGHBOURHOODS:
        moved = comparison.movement[kind][t]
        parts.append(
            f"Under {kind}, a vertex moves by {moved.mean():.3g} on average and by "
            f"{moved.max():.3g} at most; its mean cosine with what it was is "
            f"{comparison.similarity(kind)[t].mean():.4f}."
        )
    old, new = comparison.orbits_before, comparison.orbits_after
    parts.append(
        f"There {'was' if old.n_orbits == 1 else 'were'} {_at_least(old)}"
        f"{counted(old.n_orbits, 'orbit')} before and there "
        f"{'is' if new.n_orbits == 1 else 'are'} {_at_least(new)}{new.n_orbits:,} now; "
        f"{100 * comparison.share_of_orbit_pairs_kept:.0f} % of the equivalent pairs still are."
    )
    return " ".join(parts)


def _at_least(found: Orbits) -> str:
    return "" if found.proven else "at least "
