"""A hierarchy as stacked bars: every tree node is a bar that can be clicked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from mpgk_core.explain.hierarchy_table import HierarchyTable
from mpgk_core.plotting.hierarchy_figure import drawn_nodes, node_colours, node_texts
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, base_layout


def tree_bars_figure(
    table: HierarchyTable,
    classes: NDArray[np.int64] | None = None,
    class_names: Sequence[Hashable] | None = None,
) -> go.Figure:
    """Draw the tree from the root down; a bar is as wide as its node holds vertices.

    Parameters
    ----------
    table : HierarchyTable
    classes, class_names
        As for :func:`~mpgk_core.plotting.hierarchy_figure.hierarchy_figure`.

    Returns
    -------
    plotly.graph_objects.Figure
        The tree node is the customdata of a bar. Deep levels of large trees are left out, as
        there.
    """
    nodes = drawn_nodes(table)
    sizes = table.n_vertices[nodes]
    starts = _starts(table, nodes)
    depths = table.hierarchy.depths[nodes]
    bars = go.Bar(
        x=starts + sizes / 2,
        y=np.ones(len(nodes)),
        base=depths,
        width=sizes,
        marker={
            "color": node_colours(table, nodes, classes),
            "line": {"width": 1, "color": MARK_COLOUR},
        },
        customdata=nodes,
        hovertext=node_texts(table, nodes, classes, class_names),
        hovertemplate="%{hovertext}<extra></extra>",
    )
    deepest = int(depths.max(initial=0)) + 1
    return go.Figure(
        [bars],
        base_layout(
            xaxis={**QUIET_AXIS, "title": {"text": "vertices"}},
            yaxis={
                "title": {"text": "depth"},
                "range": [deepest, 0],
                "tickvals": [depth + 0.5 for depth in range(deepest)],
                "ticktext": [str(depth) for depth in range(deepest)],
                "showgrid": False,
                "zeroline": False,
            },
            clickmode="event+select",
            barmode="overlay",
        ),
    )


def _starts(table: HierarchyTable, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return where each bar begins: children stand side by side below their parent."""
    free: dict[int, float] = {}
    starts = np.zeros(len(nodes))
    parents = table.hierarchy.parents[nodes].tolist()
    for place, (node, parent) in enumerate(zip(nodes.tolist(), parents, strict=True)):
        starts[place] = free.get(parent, 0.0)
        free[node] = starts[place]
        free[parent] = starts[place] + float(table.n_vertices[node])
    return starts
