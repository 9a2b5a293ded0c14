"""A hierarchy, drawn as a sunburst, or as stacked bars that can be clicked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.explain.hierarchies import HierarchyTable
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.style import OUTLINE, QUIET_AXIS, base_figure, margins, safe_names
from mpgk_core.text import counted

MAX_NODES_DRAWN = 3_000


def hierarchy_figure(
    table: HierarchyTable, classes: IntArray, class_names: Sequence[Hashable]
) -> go.Figure:
    """Draw the tree as a sunburst, every node as large as the number of its vertices.

    Parameters
    ----------
    table : HierarchyTable
    classes : ndarray of shape (n,)
        A class of each vertex, from 0, such as its orbit: a node has the colour of the most
        frequent one.
    class_names : sequence of hashable

    Returns
    -------
    plotly.graph_objects.Figure
        The tree node is the customdata. Beyond ``MAX_NODES_DRAWN`` nodes, the deepest levels are
        left out; nodes without vertices always are.
    """
    nodes = drawn_nodes(table)
    sizes = table.n_vertices[nodes].tolist()
    trace = {
        "type": "sunburst",
        "ids": [str(node) for node in nodes.tolist()],
        "parents": ["" if p < 0 else str(p) for p in table.hierarchy.parents[nodes].tolist()],
        "values": sizes,
        "labels": [f"{size:,}" for size in sizes],
        "branchvalues": "total",
        "sort": False,
        "marker": {"colors": _colours(table, nodes, classes), "line": OUTLINE},
        **_hover(table, nodes, classes, class_names),
    }
    return base_figure([trace], margin=margins(4, 4, 4, 4))


def tree_bars_figure(
    table: HierarchyTable, classes: IntArray, class_names: Sequence[Hashable]
) -> go.Figure:
    """Draw the tree from the root down; a bar is as wide as its node holds vertices.

    Parameters
    ----------
    table : HierarchyTable
    classes, class_names
        As for :func:`hierarchy_figure`.

    Returns
    -------
    plotly.graph_objects.Figure
        The tree node is the customdata of a bar. Deep levels of large trees are left out, as
        there.
    """
    nodes = drawn_nodes(table)
    sizes = table.n_vertices[nodes]
    depths = table.hierarchy.depths[nodes]
    bars = {
        "type": "bar",
        "x": _starts(table, nodes) + sizes / 2,
        "y": np.ones(len(nodes)),
        "base": depths,
        "width": sizes,
        "marker": {"color": _colours(table, nodes, classes), "line": OUTLINE},
        **_hover(table, nodes, classes, class_names),
    }
    deepest = int(depths.max(initial=0)) + 1
    yaxis = {
        "title": {"text": "depth"},
        "range": [deepest, 0],
        "tickvals": [depth + 0.5 for depth in range(deepest)],
        "ticktext": [str(depth) for depth in range(deepest)],
        "showgrid": False,
        "zeroline": False,
    }
    return base_figure(
        [bars],
        xaxis={**QUIET_AXIS, "title": {"text": "vertices"}},
        yaxis=yaxis,
        clickmode="event+select",
        barmode="overlay",
    )


def _starts(table: HierarchyTable, nodes: IntArray) -> FloatArray:
    """Return where each bar begins: children stand side by side below their parent."""
    free: dict[int, float] = {}
    starts = np.zeros(len(nodes))
    parents = table.hierarchy.parents[nodes].tolist()
    for place, (node, parent) in enumerate(zip(nodes.tolist(), parents, strict=True)):
        starts[place] = free.get(parent, 0.0)
        free[node] = starts[place]
        free[parent] = starts[place] + float(table.n_vertices[node])
    return starts


def _colours(table: HierarchyTable, nodes: IntArray, classes: IntArray) -> list[str]:
    """Return the colour of the most frequent class in every node."""
    most, _ = table.majority(classes)
    palette = class_colours(int(np.max(classes, initial=-1)) + 1)
    return [palette[c] for c in most[nodes].tolist()]


def _hover(
    table: HierarchyTable, nodes: IntArray, classes: IntArray, class_names: Sequence[Hashable]
) -> dict[str, Any]:
    """Return the size, the weight and the classes of each node as texts to hover over."""
    tree = table.hierarchy
    most, shares = table.majority(classes)
    names = safe_names(class_names)
    texts = [
        f"tree node {v}, depth {tree.depths[v]}<br>"
        f"{counted(int(table.n_vertices[v]), 'vertex', 'vertices')}<br>ω = {tree.omega[v]:.4g}, "
        f"shared by vertices that meet here: {table.shared[v]:.4g}<br>"
        f"{names[most[v]]}: {100 * shares[v]:.0f} %"
        for v in nodes.tolist()
    ]
    return {"customdata": nodes, "hovertext": texts, "hovertemplate": "%{hovertext}<extra></extra>"}


def drawn_nodes(table: HierarchyTable) -> IntArray:
    """Return the tree nodes that are drawn: those with vertices, down to a depth that fits.

    Parameters
    ----------
    table : HierarchyTable

    Returns
    -------
    ndarray of int
        In ascending order; the root is among them.
    """
    is_held = table.n_vertices > 0
    is_held[0] = True
    depths = table.hierarchy.depths
    so_far = np.cumsum(np.bincount(depths[is_held]))
    deepest = max(int(np.searchsorted(so_far, MAX_NODES_DRAWN, side="right")) - 1, 0)
    return np.flatnonzero(is_held & (depths <= deepest))


def hierarchy_words(table: HierarchyTable, classes: IntArray) -> str:
    """Describe how large the tree is and how well its leaves keep classes apart.

    Parameters
    ----------
    table : HierarchyTable
    classes : ndarray of shape (n,)
        A class of each vertex, from 0.

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import colour_hierarchy
    >>> table = HierarchyTable(*colour_hierarchy(nx.path_graph(5), 1))
    >>> hierarchy_words(table, np.array([0, 1, 2, 1, 0]))
    'The tree has 6 nodes, 3 of them leaves, and depth 2. Its 5 vertices lie in 3 leaves, at most 2
    in one. In 3 of these leaves all vertices are of one class.'
    """
    tree = table.hierarchy
    sizes = table.n_vertices[tree.leaf_nodes]
    held = tree.leaf_nodes[sizes > 0]
    n = len(table.leaves)
    _, shares = table.majority(classes)
    n_pure = int((shares[held] == 1.0).sum())
    return (
        f"The tree has {counted(tree.n_nodes, 'node')}, {tree.n_leaves:,} of them leaves, and "
        f"depth {int(tree.depths.max())}. Its {counted(n, 'vertex', 'vertices')} "
        f"{'lies' if n == 1 else 'lie'} in {counted(len(held), 'leaf', 'leaves')}, at most "
        f"{int(sizes.max(initial=0)):,} in one. In {n_pure:,} of these leaves all vertices are of "
        "one class."
    )
