"""The tree behind A, and the tree of WL colours beside it; a click lights its vertices up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core.explain import HierarchyTable, colour_hierarchy
from mpgk_core.plotting.hierarchy_figure import hierarchy_figure, hierarchy_words, tree_bars_figure
from ui.cache import cached
from ui.cached import kernel_of, orbits_of
from ui.charts import chart
from ui.choices import ChosenGraph, KernelChoice
from ui.keys import key_for
from ui.selection import keep_selection

_KINDS = {"bars": "Bars (click them)", "sunburst": "Sunburst"}


def hierarchy_panel(graph: ChosenGraph, kernel: KernelChoice) -> None:
    """Show both trees of a round."""
    if kernel.neighbourhood == "R":
        st.caption(
            "R needs no hierarchy. Shown is the one that A would grow from the same parameters."
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        t = st.slider(
            "Round of the trees",
            0,
            max(kernel.n_iterations, 1),
            kernel.n_iterations,
            key=f"tree-t-{kernel.n_iterations}",
            disabled=kernel.n_iterations == 0,
            help="The hierarchy is grown anew from the kernel of every round.",
        )
        kind = st.segmented_control(
            "Drawn as",
            list(_KINDS),
            default="bars",
            required=True,
            key="tree-kind",
            format_func=_KINDS.__getitem__,
            help="The root is on top, or in the middle.",
        )
        has_labels = graph.graph.label_codes is not None
        by = st.segmented_control(
            "Colours",
            ["orbit", "label"],
            default="orbit",
            required=True,
            key="tree-colour",
            disabled=not has_labels,
            help="A node has the colour of most of its vertices.",
        )
    classes = orbits_of(graph).of_vertex.astype(np.int64)
    names: list[str] = [f"orbit {c + 1}" for c in range(int(classes.max(initial=-1)) + 1)]
    codes = graph.graph.label_codes
    if by == "label" and codes is not None:
        classes = codes.astype(np.int64)
        names = [str(value) for value in graph.graph.label_values]
    grown, rounds = replace(kernel, neighbourhood="A"), min(t, kernel.n_iterations)
    trees = _trees(graph, grown, rounds)
    titles = ("Clusters of the kernel (kernel k-means)", "WL colours")
    for place, column in enumerate(st.columns(2, gap="large")):
        with column:
            box = key_for(f"node {place}", graph.key, grown, rounds)
            _tree(graph, trees[place], titles[place], kind or "bars", classes, names, box)


@cached(spinner="Growing the trees …")
def _trees(
    graph: ChosenGraph, kernel: KernelChoice, t: int
) -> tuple[HierarchyTable, HierarchyTable]:
    fitted = kernel_of(graph, kernel)
    hierarchy, leaves = fitted.hierarchy_at(t), fitted.leaves_at(t)
    assert hierarchy is not None
    assert leaves is not None
    return (
        HierarchyTable(hierarchy, leaves),
        HierarchyTable(*colour_hierarchy(graph.graph, t, "constant")),
    )


def _tree(
    graph: ChosenGraph,
    table: HierarchyTable,
    title: str,
    kind: str,
    classes: NDArray[np.int64],
    names: list[str],
    box: str,
) -> None:
    st.markdown(f"**{title}**")
    words = hierarchy_words(table, classes)
    if kind == "sunburst":
        chart(
            hierarchy_figure(table, classes, names, "sunburst"),
            f"sun {title}",
            words,
            ("tree", title),
            height=380,
        )
        st.caption(words)
        return
    bars = f"tree {title}"
    chart(
        tree_bars_figure(table, classes, names),
        bars,
        words,
        ("tree", title),
        height=380,
        on_select=lambda: _click(graph, table, bars, box),
        selection_mode="points",
    )
    st.caption(f"{words} Click a bar, or choose its node, to mark its vertices in the pictures.")
    st.selectbox(
        "Tree node",
        range(table.hierarchy.n_nodes),
        index=None,
        key=box,
        on_change=_mark,
        args=(graph, table, box),
        placeholder="Choose a node",
        width=320,
        format_func=lambda node: _node_words(table, node),
        help="Marks the vertices below it in all pictures, as a click on its bar does.",
    )


def _click(graph: ChosenGraph, table: HierarchyTable, bars: str, box: str) -> None:
    """Put the node of the bar that was clicked into the box below, and mark its vertices."""
    points = st.session_state[bars].selection.points
    st.session_state[box] = int(points[0]["customdata"]) if points else None
    _mark(graph, table, box)


def _mark(graph: ChosenGraph, table: HierarchyTable, box: str) -> None:
    node = st.session_state[box]
    keep_selection(graph, [] if node is None else table.vertices_of(int(node)).tolist())


def _node_words(table: HierarchyTable, node: int) -> str:
    depth, n = int(table.hierarchy.depths[node]), int(table.n_vertices[node])
    return f"{node}: depth {depth}, {n:,} {'vertex' if n == 1 else 'vertices'}"
