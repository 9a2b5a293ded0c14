"""Change the graph: an edge, a vertex, tables, random edges; undo, redo, reset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.edits import (
    Operation,
    fresh_name,
    graph_from_tables,
    tables_of,
    toggled_edge,
    typed_name,
    typical_values,
    with_vertex,
    without_random_edges,
    without_vertices,
    words_of_change,
)
from ui.choices import ChosenGraph
from ui.edit_history import go_to, history_of
from ui.problem_box import NOT_DONE, show_problem

_MOST_ROWS = 3_000


def edit_panel(source: ChosenGraph, graph: ChosenGraph, selection: list[int]) -> None:
    """Offer all edits of the graph shown, which came from ``source``."""
    _steps(source)
    left, middle, right = st.columns(3, gap="large")
    with left:
        _by_selection(source, graph.graph, selection)
    with middle:
        _new_vertex(source, graph.graph, selection)
    with right:
        _random_edges(source, graph.graph)
    _tables(source, graph)


def _steps(source: ChosenGraph) -> None:
    history = history_of(source)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Undo", key="undo", disabled=not history.can_undo, help="Undo the last step."):
            go_to(source, history.undo())
        if st.button(
            "Redo",
            key="redo",
            disabled=not history.can_redo,
            help="Repeat the step that was undone.",
        ):
            go_to(source, history.redo())
        if st.button(
            "Reset",
            key="reset",
            disabled=history.graph is source.graph,
            help="Return to the original graph. This can be undone too.",
        ):
            go_to(source, history.reset())
        st.text(f"Now: {history.present.words}")


def _by_selection(source: ChosenGraph, graph: GraphSet, selection: list[int]) -> None:
    st.markdown("**With the selected vertices**")
    names = [graph.names[v] for v in selection]
    is_pair = len(names) == 2
    joined = is_pair and bool(graph.adjacency[selection[0], selection[1]])
    if st.button(
        "Remove the edge" if joined else "Add the edge",
        key="toggle-edge",
        disabled=not is_pair,
        help="Between two selected vertices.",
    ):
        _do(source, lambda: toggled_edge(graph, *names))
    many = "vertices" if len(names) != 1 else "vertex"
    if st.button(
        f"Remove {len(names) or 'selected'} {many}",
        key="remove-vertices",
        disabled=not names,
        help="With all their edges.",
    ):
        _do(source, lambda: without_vertices(graph, names))
    if is_pair:
        st.text(" and ".join(str(name)[:30] for name in names))
    else:
        st.caption(
            "Select two vertices in a picture, with shift and click or a box, to add or "
            "remove the edge between them."
        )


def _new_vertex(source: ChosenGraph, graph: GraphSet, selection: list[int]) -> None:
    st.markdown("**A new vertex**")
    proposed = fresh_name(version.graph for version in history_of(source).versions)
    given = st.text_input(
        "Its name",
        key=f"new-name-{len(history_of(source).past)}",
        placeholder=str(proposed),
        max_chars=60,
        help="Empty: the next free one.",
    )
    joined = [graph.names[v] for v in selection]
    label = f"Add it, joined to the {len(joined)} selected" if joined else "Add it"
    if st.button(label, key="add-vertex", help="Select vertices first to join it to them."):
        _do(
            source,
            lambda: with_vertex(
                graph, typed_name(graph, given) if given else proposed, joined_to=joined
            ),
        )
    if graph.labels is not None or graph.attributes is not None:
        st.caption(typical_values(graph).words)


def _random_edges(source: ChosenGraph, graph: GraphSet) -> None:
    st.markdown("**Random edges**")
    n = st.number_input(
        "Edges to remove",
        0,
        graph.n_edges,
        min(1, graph.n_edges),
        key="n-random",
        help="Drawn at random; more edges begin with the same ones.",
    )
    seed = st.number_input(
        "Seed of the draw", 0, 9999, 0, key="random-seed", help="Another seed, other edges."
    )
    if st.button(
        "Remove them", key="remove-random", disabled=not n, help="One step, which can be undone."
    ):
        _do(
            source,
            lambda: without_random_edges(graph, int(n), int(seed)),
            (Operation("remove-random-edges", (int(n), int(seed))),),
        )


def _tables(source: ChosenGraph, graph: ChosenGraph) -> None:
    with st.expander("Vertices and edges as tables"):
        if max(graph.graph.n_vertices, graph.graph.n_edges) > _MOST_ROWS:
            st.info(f"Tables are shown for at most {_MOST_ROWS:,} vertices and edges.")
            return
        try:
            vertices, edges = tables_of(graph.graph)
        except MPGKError as problem:
            show_problem(str(problem), "tables-problem", NOT_DONE)
            return
        left, right = st.columns(2)
        with left:
            st.caption("Vertices")
            new_vertices = _editor(vertices, f"vertices {graph.key}")
        with right:
            st.caption("Edges")
            new_edges = _editor(edges, f"edges {graph.key}")
        if st.button(
            "Use these tables", key="use-tables", help="Edges of removed vertices go with them."
        ):
            _do(
                source,
                lambda: graph_from_tables(
                    new_vertices, new_edges, graph.graph, dangling_edges="drop"
                ),
            )


def _editor(table: dict[str, list[Any]], key: str) -> dict[str, list[Any]]:
    edited = st.data_editor(table, key=key, num_rows="dynamic", height=260)
    return {column: list(values) for column, values in edited.items()}


def _do(
    source: ChosenGraph,
    change: Callable[[], GraphSet],
    operations: tuple[Operation, ...] | None = None,
) -> None:
    """Make an edit a step of the history, or say why it cannot be made."""
    history = history_of(source)
    try:
        graph = change()
    except MPGKError as problem:
        show_problem(str(problem), "edit-problem", NOT_DONE)
        return
    go_to(source, history.done(graph, words_of_change(history.graph, graph), operations))
