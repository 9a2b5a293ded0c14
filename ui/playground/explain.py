"""Why two vertices are similar, and the hierarchy of clusters that A is computed along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import explain
from mpgk_core.explain import HierarchyTable, VertexPair, formula
from mpgk_core.explain.words import contribution_rows, contributions_words
from mpgk_core.formats import counted
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting.hierarchy_figure import hierarchy_figure, hierarchy_words, tree_bars_figure
from mpgk_core.plotting.matching_figure import (
    history_figure,
    history_words,
    matching_figure,
    matching_words,
)
from ui.shared.charts import chart
from ui.shared.computed import kernel_of, orbits_of
from ui.shared.widgets import button, help_of, local_choice
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, keep_selection, key_for

_MOST_ROWS = 1_000
_KINDS = {"bars": "Bars (click them)", "sunburst": "Sunburst"}
_COLOURS = {"orbit": "orbit", "label": "label"}
_TITLES = ("Clusters of the kernel (kernel k-means)", "WL colours")
Step = tuple[int, int, int]
"""Two vertices and a round."""


def explain_panel(graph: ChosenGraph, kernel: KernelParameters, selection: list[int]) -> None:
    """Decompose the similarity of two vertices."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        left, right = _two_vertices(graph, selection)
        start = (left, right, _round_slider("explain-t", "Round to explain", kernel))
    way = _way(graph, kernel, start)
    pair = explain.explain_vertices(kernel_of(graph, kernel), graph.graph, *way[-1])
    _back(way, graph.graph.names)
    first, second = (str(name)[:40] for name in pair.names)
    st.text(f"{first} and {second}, t = {pair.t}, {kernel.neighbourhood}:   {formula(pair)}")
    if pair.own is None:
        st.caption("Round 0: the product of the initial features of the two vertices.")
        return
    picture, bars = st.columns(2, gap="large")
    with picture:
        chart(matching_figure(pair), "matching", matching_words(pair), ("matching", first, second))
        st.caption(
            "The two neighbourhoods side by side. The width of a link shows the contribution of "
            "the pair; under A neighbours are matched one to one, and grey ones have no partner."
        )
    with bars:
        history = explain.pair_history(pair)
        words, saved_as = history_words(history), ("history", first, second)
        chart(history_figure(history), "history", words, saved_as)
        st.caption(
            "How much of the similarity is kept from the previous round, and how much comes from "
            "the neighbours, in every round."
        )
    _step_into(pair, way, key_for("step", graph.key, kernel, way[-1]))


def _round_slider(key: str, label: str, kernel: KernelParameters) -> int:
    last, is_fixed = kernel.n_iterations, kernel.n_iterations == 0
    t = st.slider(
        label, 0, max(last, 1), last, key=f"{key}-{last}", disabled=is_fixed, help=help_of(key)
    )
    return min(t, last)


def _two_vertices(graph: ChosenGraph, selection: list[int]) -> tuple[int, int]:
    if len(selection) == 2:
        return selection[0], selection[1]
    names = graph.graph.names
    first, second = explain.instructive_pair(graph.graph, selection[0] if selection else None)

    def box(label: str, index: int) -> int:
        return st.selectbox(
            label,
            range(len(names)),
            key=key_for(label, graph.key, first),
            index=index,
            format_func=lambda v: str(names[v])[:60],
            help=help_of("explain-vertex"),
        )

    return box("First vertex", first), box("Second vertex", second)


def _way(graph: ChosenGraph, kernel: KernelParameters, start: Step) -> list[Step]:
    """Return the pairs that were stepped into, beginning with the chosen one."""
    key = (graph.key, kernel, start)
    if st.session_state.get("explained", (None, []))[0] != key:
        st.session_state["explained"] = (key, [start])
    way: list[Step] = st.session_state["explained"][1]
    return way


def _back(way: list[Step], names: Sequence[object]) -> None:
    if len(way) == 1:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if button("explain-back", "Back"):
            way.pop()
            st.rerun()
        steps = (f"{str(names[v])[:20]}, {str(names[u])[:20]} (t = {t})" for v, u, t in way)
        st.text(" → ".join(steps))


_MOST_SEEN = 5
_HEIGHT = 35 * (1 + _MOST_SEEN) + 2
"""Of a table with so many rows: no row is cut off."""


def _step_into(pair: VertexPair, way: list[Step], box: str) -> None:
    found = pair.contributions
    if not len(found):
        st.info("One of the vertices has no neighbours, so the neighbourhoods add nothing.")
        return
    rows = contribution_rows(found, pair.graphs.names, "neighbour of the first", _MOST_ROWS)
    st.caption(contributions_words(len(rows), len(found), found.total) + ".")
    height: int | Literal["content"] = "content" if len(rows) <= _MOST_SEEN else _HEIGHT
    st.dataframe(rows, hide_index=True, height=height)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Pair of neighbours",
            range(len(rows)),
            key=box,
            format_func=lambda i: " and ".join(list(map(str, rows[i].values()))[:2]),
            help=help_of("step"),
        )
        if button("step-into", "Step into this pair"):
            below = pair.into(int(found.largest(_MOST_ROWS)[chosen]))
            way.append((below.left, below.right, below.t))
            st.rerun()


def hierarchy_panel(graph: ChosenGraph, kernel: KernelParameters) -> None:
    """Show the tree of A and the tree of WL colours of a round."""
    if kernel.neighbourhood == "R":
        st.caption(
            "R needs no hierarchy. Shown is the one that A would use with the same parameters."
        )
    codes = graph.graph.label_codes
    with st.container(horizontal=True, vertical_alignment="bottom"):
        t = _round_slider("tree-t", "Round of the trees", kernel)
        kind = local_choice("tree-kind", "Drawn as", _KINDS)
        by = local_choice("tree-colour", "Colours", _COLOURS, disabled=codes is None)
    classes = orbits_of(graph, kernel.edges).of_vertex.astype(np.int64)
    names: list[str] = [f"orbit {c + 1}" for c in range(int(classes.max(initial=-1)) + 1)]
    if by == "label" and codes is not None:
        classes = codes.astype(np.int64)
        names = [str(value) for value in graph.graph.named().label_values]
    grown = kernel.compared_by("A")
    trees = _trees(graph, grown, t)
    for place, column in enumerate(st.columns(2, gap="large")):
        with column:
            st.markdown(f"**{_TITLES[place]}**")
            if kind == "sunburst":
                _sunburst(trees[place], _TITLES[place], classes, names)
            else:
                box = key_for(f"node {place}", graph.key, grown, t)
                _bars(graph, trees[place], _TITLES[place], classes, names, box)


@cached(spinner="Computing the trees …")
def _trees(
    graph: ChosenGraph, kernel: KernelParameters, t: int
) -> tuple[HierarchyTable, HierarchyTable]:
    fitted = kernel_of(graph, kernel)
    hierarchy, leaves = fitted.hierarchy_at(t), fitted.leaves_at(t)
    assert hierarchy is not None
    assert leaves is not None
    colours = HierarchyTable(*explain.colour_hierarchy(graph.graph, t, "constant"))
    return HierarchyTable(hierarchy, leaves), colours


def _sunburst(
    table: HierarchyTable, title: str, classes: NDArray[np.int64], names: list[str]
) -> None:
    words = hierarchy_words(table, classes)
    figure = hierarchy_figure(table, classes, names)
    chart(figure, f"sun {title}", words, ("tree", title), height=380)
    st.caption(words)


def _bars(
    graph: ChosenGraph,
    table: HierarchyTable,
    title: str,
    classes: NDArray[np.int64],
    names: list[str],
    box: str,
) -> None:
    words, key = hierarchy_words(table, classes), f"tree {title}"

    def mark() -> None:
        node = st.session_state[box]
        keep_selection(graph, [] if node is None else table.vertices_of(int(node)).tolist())

    def click() -> None:
        """Put the node of the bar that was clicked into the box below, and mark its vertices."""
        points = st.session_state[key].selection.points
        st.session_state[box] = int(points[0]["customdata"]) if points else None
        mark()

    chart(
        tree_bars_figure(table, classes, names),
        key,
        words,
        ("tree", title),
        height=380,
        on_select=click,
        selection_mode="points",
    )
    st.caption(f"{words} Click a bar, or choose its node, to mark its vertices in the pictures.")
    st.selectbox(
        "Tree node",
        range(table.hierarchy.n_nodes),
        index=None,
        key=box,
        on_change=mark,
        placeholder="Choose a node",
        width=320,
        format_func=lambda node: _node_words(table, node),
        help=help_of("tree-node"),
    )


def _node_words(table: HierarchyTable, node: int) -> str:
    vertices = counted(int(table.n_vertices[node]), "vertex", "vertices")
    return f"{node}: depth {int(table.hierarchy.depths[node])}, {vertices}"
