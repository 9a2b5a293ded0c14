"""A graph before and after a change, in common colours, and how far its vertices moved."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.automorphism.orbits import Orbits
from mpgk_core.edits.comparison import NEIGHBOURHOODS, Comparison, similarity_from_distance
from mpgk_core.edits.graph_edits import with_edges
from mpgk_core.edits.names import matched_vertices, named_edges
from mpgk_core.edits.perturbation import CURVES
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.plotting.colouring import Colouring, class_colours, colour_by_class, scale_colours
from mpgk_core.plotting.graph_figure import draw_graph
from mpgk_core.plotting.style import MARK_COLOUR, Drawing, base_layout, safe_names
from mpgk_core.refinement.colour_refinement import agreeing

_ALONE = ("removed", "new")


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
        [
            f"moved {distance:.3g}, cosine {cosine:.4f}"
            for distance, cosine in zip(row.tolist(), cosines.tolist(), strict=True)
        ]
        for row, cosines in zip(movement, similarity_from_distance(movement), strict=True)
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
    pair, said = class_colours(2), ("WL colour kept", "WL colour changed")
    changed = comparison.is_recoloured.astype(np.int64).tolist()
    colours = [[pair[is_changed] for is_changed in row] for row in changed]
    words = [[said[is_changed] for is_changed in row] for row in changed]
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
    n = comparison.before.n_vertices
    both = np.hstack([comparison.colours_before, comparison.colours_after])
    classes = np.array([agreeing(row) for row in both])
    whole = colour_by_class("WL colour after t rounds", classes, "colour")
    before, after = (
        Colouring(
            whole.title, [row[side] for row in whole.colours], [row[side] for row in whole.words]
        )
        for side in (slice(None, n), slice(n, None))
    )
    return before, after


def _on_both(
    comparison: Comparison, title: str, colours: list[list[str]], words: list[list[str]]
) -> tuple[Colouring, Colouring]:
    """Give what belongs to the common vertices to both versions; others are grey."""
    sizes = (comparison.before.n_vertices, comparison.after.n_vertices)
    places = (comparison.in_before, comparison.in_after)
    before, after = (
        Colouring(
            title,
            [_placed(row, place, n, MARK_COLOUR) for row in colours],
            [_placed(row, place, n, alone) for row in words],
        )
        for n, place, alone in zip(sizes, places, _ALONE, strict=True)
    )
    return before, after


def _placed(row: list[str], place: IntArray, n: int, otherwise: str) -> list[str]:
    table = np.full(n, otherwise, dtype=object)
    table[place] = row
    placed: list[str] = table.tolist()
    return placed


_BESIDE, _OUTSIDE = 0.12, 1.05
"""How far a new vertex lies from the middle of its neighbours, or, without any, of the drawing."""

_GOLDEN_ANGLE = 2.399963
_STRIKING = class_colours(3)[2]


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
    return placed


def draw_change(
    comparison: Comparison, positions: FloatArray, colourings: tuple[Colouring, Colouring]
) -> tuple[Drawing, Drawing]:
    """Draw a graph before and after, with the edges that only one version has in red.

    Parameters
    ----------
    comparison : Comparison
    positions : ndarray of shape (n, 2)
        Of the vertices before; those after are carried over.
    colourings : tuple of two Colouring
        Of the vertices before and after.

    Returns
    -------
    before, after : Drawing
        Trace 0 are all edges, trace 1 the vertices, trace 2 the edges of this version alone.
    """
    versions = (comparison.before, comparison.after)
    carried = carried_layout(comparison.before, positions, comparison.after)
    before, after = (
        _with_own_edges(draw_graph(version, places, colouring), version, other, places, colouring)
        for version, other, places, colouring in zip(
            versions, versions[::-1], (positions, carried), colourings, strict=True
        )
    )
    return before, after


def _with_own_edges(
    drawing: Drawing,
    version: GraphSet,
    other: GraphSet,
    positions: FloatArray,
    colouring: Colouring,
) -> Drawing:
    elsewhere = named_edges(other)
    is_own = [pair not in elsewhere for pair in named_edges(version)]
    own = with_edges(version, undirected_edges(version)[np.array(is_own, dtype=np.bool_)])
    trace = draw_graph(own, positions, colouring).data[0] | {
        "line": {"width": 3, "color": _STRIKING, "dash": "dot"},
        "opacity": 1.0,
    }
    return Drawing([*drawing.data, trace], drawing.layout, drawing.frames)


_MOST_NAMED = 3
MOST_BARS_DRAWN = 40
_TITLES = {"WL": "WL: same colour", "R": "MPGK R", "A": "MPGK A"}
_COLOURS = dict(zip(CURVES, class_colours(len(CURVES))[::-1], strict=True))
_SYMBOLS = {"WL": "square", "R": "circle", "A": "diamond"}
_GRID = "#8884"
_LABEL_GAP = 0.07


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
        farthest = np.argsort(-moved, kind="stable")[:_MOST_NAMED].tolist()
        listed = ", ".join(f"{str(names[v])[:40]} ({moved[v]:.3g})" for v in farthest)
        parts.append(f"under {way}: {listed}")
    return f"Farthest {'; '.join(parts)}."


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _at_least(found: Orbits) -> str:
    return "" if found.proven else "at least "
