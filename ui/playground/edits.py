"""Edits of the graph: a history for every graph, and the panel that changes it.

Histories live in the session, so no user sees those of another. Short edits stand in the
address too, so that they survive a reload and are part of a link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.edits import (
    MAX_EDIT_TEXT,
    History,
    Operation,
    edited_by_text,
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
from mpgk_core.memory_size import size_of
from ui.shared.messages import NOT_DONE, show_problem
from ui.state.address import is_asked, write_address
from ui.state.choices import ChosenGraph, current_selection, forget_selection, keep_selection

_KEY, _PROBLEM = "histories", "problem of edits"
_PARAMETER = "edits"
_MOST_KEPT = 12
_MOST_BYTES = 50_000_000
_FILE = "To keep or share what is shown, save a session file."


def follow_edits(source: ChosenGraph, kind: str) -> None:
    """Make the edits that the address asks for, and see to it that the address holds the edits.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.
    kind : str
        Where it came from; "file" is what no address can hold.
    """
    if is_asked(_PARAMETER):
        _follow(source, st.query_params.get(_PARAMETER, ""))
    text = history_of(source).link_text or ""
    is_held = kind != "file" and len(text) <= MAX_EDIT_TEXT
    write_address(_PARAMETER, [text] if text and is_held else [])
    owner, problem = st.session_state.get(_PROBLEM, ("", ""))
    if owner == source.key and not text:
        show_problem(
            f"The edits in this link could not be applied: {problem}", "link-problem", NOT_DONE
        )


def words_on_link(source: ChosenGraph, kind: str) -> str:
    """Say what the address of the page cannot hold; empty where it holds all that is shown.

    Parameters
    ----------
    source, kind
        As for :func:`follow_edits`.

    Returns
    -------
    str
    """
    if kind == "file":
        return f"The link of this page cannot hold an uploaded graph. {_FILE}"
    if kind == "loaded":
        return (
            "The link of this page opens the graph of a session file only while this server keeps "
            f"it. {_FILE}"
        )
    text = history_of(source).link_text
    if text is None or len(text) > MAX_EDIT_TEXT:
        return (
            "The link of this page shows the unedited graph: there are too many edits for a link. "
            f"{_FILE}"
        )
    return ""


def edited(source: ChosenGraph) -> ChosenGraph:
    """Return the graph with this user's edits."""
    graph = history_of(source).graph
    return source if graph is source.graph else _chosen(source, graph)


def history_of(source: ChosenGraph) -> History:
    """Return the history of a graph; it begins with the graph as it came."""
    kept: dict[str, History] = st.session_state.get(_KEY, {})
    return kept.get(source.key) or History.of(source.graph)


def set_edits(source: ChosenGraph, text: str, most: int | None = None) -> None:
    """Show the graph with the edits of a link or a session, or raise; undo leads back.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.
    text : str
        Not trusted. Without any, the graph is shown as it came.
    most : int, optional
        How many characters are read at most.
    """
    history = history_of(source)
    if not text:
        _keep(source, history.reset())
    elif text != history.link_text:
        graph = edited_by_text(source.graph, text, most)
        _keep(source, history.reset().done(graph, words_of_change(source.graph, graph)))


def go_to(source: ChosenGraph, history: History) -> None:
    """Make a history the present one, take the selection along by names, and show the graph."""
    before = edited(source)
    names = [before.graph.names[v] for v in current_selection(before)]
    _keep(source, history)
    after = edited(source)
    number = {name: v for v, name in enumerate(after.graph.names)}
    keep_selection(after, [number[name] for name in names if name in number])
    st.rerun()


def _follow(source: ChosenGraph, text: str) -> None:
    """Show what the address asks for: a version that is known, as after Back, or another one."""
    st.session_state.pop(_PROBLEM, None)
    if history_of(source).link_text == text:
        return
    forget_selection()
    for step in _reachable(history_of(source)):
        if step.link_text == text:
            _keep(source, step)
            return
    try:
        set_edits(source, text, MAX_EDIT_TEXT)
    except MPGKError as problem:
        st.session_state[_PROBLEM] = source.key, str(problem)


def _reachable(history: History) -> Iterator[History]:
    """Return all that undo and redo lead to."""
    back = forth = history
    while back.can_undo:
        back = back.undo()
        yield back
    while forth.can_redo:
        forth = forth.redo()
        yield forth


def _keep(source: ChosenGraph, history: History) -> None:
    kept: dict[str, History] = st.session_state.setdefault(_KEY, {})
    kept.pop(source.key, None)
    kept[source.key] = history
    _forget_the_oldest(kept)


def _forget_the_oldest(kept: dict[str, History]) -> None:
    """Forget histories, then steps of the present one, until the session is small enough."""
    *others, present = kept
    while others and (len(kept) > _MOST_KEPT or size_of(kept) > _MOST_BYTES):
        del kept[others.pop(0)]
    while kept[present].past and size_of(kept) > _MOST_BYTES:
        history = kept[present]
        kept[present] = replace(history, past=history.past[len(history.past) // 2 + 1 :])


def _chosen(source: ChosenGraph, graph: GraphSet) -> ChosenGraph:
    return ChosenGraph(f"{source.title}, edited", graph, origin=source)


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
