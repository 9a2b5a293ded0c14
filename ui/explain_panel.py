"""Why two vertices are as similar as they are: past and neighbours, matched and stepped into."""

from __future__ import annotations

import streamlit as st

from mpgk_core.explain import VertexPair, explain_vertices, formula, pair_history
from mpgk_core.explain.words import contributions_words
from mpgk_core.plotting.history_figure import history_figure, history_words
from mpgk_core.plotting.matching_figure import matching_figure, matching_words
from ui.cached import kernel_of
from ui.charts import chart
from ui.choices import ChosenGraph, KernelChoice
from ui.keys import key_for

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
