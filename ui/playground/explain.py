"""Why two vertices are similar, and the hierarchy of clusters that A is computed along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core.explain import (
    HierarchyTable,
    VertexPair,
    colour_hierarchy,
    explain_vertices,
    formula,
    pair_history,
)
from mpgk_core.explain.words import contributions_words
from mpgk_core.plotting.hierarchy_figure import hierarchy_figure, hierarchy_words, tree_bars_figure
from mpgk_core.plotting.matching_figure import (
    history_figure,
    history_words,
    matching_figure,
    matching_words,
)
from ui.shared.charts import chart
from ui.shared.computed import kernel_of, orbits_of
from ui.state.cache import cached
from ui.state.choices import ChosenGraph, KernelChoice, keep_selection, key_for

_MOST_ROWS = 1_000
Step = tuple[int, int, int]
"""Two vertices and a round."""


def explain_panel(graph: ChosenGraph, kernel: KernelChoice, selection: list[int]) -> None:
    """Take the similarity of two vertices apart."""
    left, right = _two_vertices(graph, selection)
    t = st.slider(
        "Round to explain",
        0,
        max(kernel.n_iterations, 1),
        kernel.n_iterations,
        key=f"explain-t-{kernel.n_iterations}",
        disabled=kernel.n_iterations == 0,
        help="k of this round is made of k of the round before.",
    )
    start = (left, right, min(t, kernel.n_iterations))
    way = _way(graph, kernel, start)
    pair = _pair(graph, kernel, way[-1])
    _back(way, graph)
    first, second = (str(name)[:40] for name in pair.names)
    st.text(f"{first} and {second}, t = {pair.t}, {kernel.neighbourhood}:   {formula(pair)}")
    if pair.own is None:
        st.caption("Round 0: the product of what the two vertices start from.")
        return
    picture, bars = st.columns(2, gap="large")
    with picture:
        chart(matching_figure(pair), "matching", matching_words(pair), ("matching", first, second))
        st.caption(
            "Their neighbourhoods side by side. A link is as wide as what the pair "
            "contributes; under A neighbours are matched one to one, and grey ones have "
            "no partner."
        )
    with bars:
        history = pair_history(pair)
        chart(
            history_figure(history), "history", history_words(history), ("history", first, second)
        )
        st.caption(
            "How much of the similarity is kept from the round before, and how much comes "
            "from the neighbours, in every round."
        )
    _step_into(pair, way, key_for("step", graph.key, kernel, way[-1]))


def _two_vertices(graph: ChosenGraph, selection: list[int]) -> tuple[int, int]:
    if len(selection) == 2:
        return selection[0], selection[1]
    st.caption("Select two vertices in a picture, with shift and click, or choose them here.")
    names = graph.graph.names
    first = selection[0] if selection else 0
    second = 1 if first == 0 and len(names) > 1 else 0
    chosen = []
    with st.container(horizontal=True):
        for index, word in ((first, "First vertex"), (second, "Second vertex")):
            chosen.append(
                st.selectbox(
                    word,
                    range(len(names)),
                    key=key_for(word, graph.key, first),
                    index=index,
                    format_func=lambda v: str(names[v])[:60],
                    help="Any vertex of the graph.",
                )
            )
    return int(chosen[0]), int(chosen[1])


def _way(graph: ChosenGraph, kernel: KernelChoice, start: Step) -> list[Step]:
    """Return the pairs that were stepped into, beginning with the chosen one."""
    key = (graph.key, kernel, start)
    if st.session_state.get("explained", (None, []))[0] != key:
        st.session_state["explained"] = (key, [start])
    way: list[Step] = st.session_state["explained"][1]
    return way


def _pair(graph: ChosenGraph, kernel: KernelChoice, step: Step) -> VertexPair:
    return explain_vertices(kernel_of(graph, kernel), graph.graph, *step)


def _back(way: list[Step], graph: ChosenGraph) -> None:
    if len(way) == 1:
        return
    names = graph.graph.names
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Back", key="explain-back", help="To the pair that this one is a part of."):
            way.pop()
            st.rerun()
        st.text(
            " → ".join(f"{str(names[v])[:20]}, {str(names[u])[:20]} (t = {t})" for v, u, t in way)
        )


def _step_into(pair: VertexPair, way: list[Step], box: str) -> None:
    found = pair.contributions
    if not len(found):
        st.info("One of them has no neighbours, so the neighbourhoods add nothing.")
        return
    order = found.largest(min(len(found), _MOST_ROWS))
    names = pair.graphs.names
    nodes = found.nodes
    rows = [
        {
            "neighbour of the first": str(names[found.left[i]])[:60],
            "of the second": str(names[found.right[i]])[:60],
            "contributes": round(float(found.values[i]), 6),
        }
        | ({} if nodes is None else {"meet at tree node": int(nodes[i])})
        for i in order
    ]
    st.caption(contributions_words(len(rows), len(found), found.total) + ".")
    st.dataframe(rows, hide_index=True, height=220)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Pair of neighbours",
            range(len(rows)),
            key=box,
            format_func=lambda i: " and ".join(list(map(str, rows[i].values()))[:2]),
            help="Which of them to explain next.",
        )
        if st.button(
            "Step into this pair",
            key="step-into",
            help="Explains the two neighbours in the round before.",
        ):
            below = pair.into(int(order[chosen]))
            way.append((below.left, below.right, below.t))
            st.rerun()


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
