"""Edits of the graph: a history for every graph, and the panel that changes it.

Histories live in the session, so no user sees those of another. Short edits stand in the
address too, so that they survive a reload and are part of a link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import streamlit as st

from mpgk_core import GraphSet, MPGKError, edits
from mpgk_core.edits import MAX_EDIT_TEXT, History
from mpgk_core.formats import counted
from mpgk_core.memory_size import size_of
from ui.shared.messages import NOT_DONE, ProblemsShown, show_problem
from ui.shared.widgets import button, help_of
from ui.state.address import is_asked, write_address
from ui.state.choices import ChosenGraph, current_selection, forget_selection, keep_selection

_KEY, _PROBLEM = "histories", "problem of edits"
_PARAMETER = "edits"
_MOST_KEPT = 12
_MOST_BYTES = 50_000_000
_MOST_ROWS = 3_000
_FILE = "To keep or share what is shown, save a session file."


def follow_edits(source: ChosenGraph, kind: str) -> None:
    """Apply the edits in the address, and write the edits of this user into it.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.
    kind : str
        Where it came from; no address can hold a "file".
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
    """Return what the address of the page cannot hold; empty if it holds all that is shown.

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
    if graph is source.graph:
        return source
    return ChosenGraph(f"{source.title}, edited", graph, origin=source)


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
        graph = edits.edited_by_text(source.graph, text, most)
        _keep(source, history.reset().done(graph, edits.words_of_change(source.graph, graph)))


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
    with st.expander("Vertices and edges as tables"), ProblemsShown(NOT_DONE, "tables-problem"):
        _tables(source, graph)


def _steps(source: ChosenGraph) -> None:
    history = history_of(source)
    with st.container(horizontal=True, vertical_alignment="center"):
        if button("undo", "Undo", disabled=not history.can_undo):
            go_to(source, history.undo())
        if button("redo", "Redo", disabled=not history.can_redo):
            go_to(source, history.redo())
        if button("reset", "Reset", disabled=history.graph is source.graph):
            go_to(source, history.reset())
        st.text(f"Now: {history.present.words}")


def _by_selection(source: ChosenGraph, graph: GraphSet, selection: list[int]) -> None:
    st.markdown("**With the selected vertices**")
    names = [graph.names[v] for v in selection]
    is_pair = len(names) == 2
    joined = is_pair and bool(graph.adjacency[selection[0], selection[1]])
    edge = "Remove the edge" if joined else "Add the edge"
    if button("toggle-edge", edge, disabled=not is_pair):
        _do(source, lambda: edits.toggled_edge(graph, *names))
    vertices = counted(len(names), "vertex", "vertices") if names else "selected vertices"
    if button("remove-vertices", f"Remove {vertices}", disabled=not names):
        _do(source, lambda: edits.without_vertices(graph, names))
    if is_pair:
        st.text(" and ".join(str(name)[:30] for name in names))
    else:
        st.caption(
            "Select two vertices in a picture, with shift and click or a box, to add or "
            "remove the edge between them."
        )


def _new_vertex(source: ChosenGraph, graph: GraphSet, selection: list[int]) -> None:
    st.markdown("**New vertex**")
    proposed = edits.fresh_name(version.graph for version in history_of(source).versions)
    given = st.text_input(
        "Name",
        max_chars=60,
        key=f"new-name-{len(history_of(source).past)}",
        placeholder=str(proposed),
        help=help_of("new-name"),
    )
    joined = [graph.names[v] for v in selection]
    label = f"Add, joined to the {len(joined)} selected" if joined else "Add"

    def added() -> GraphSet:
        name = edits.typed_name(graph, given) if given else proposed
        return edits.with_vertex(graph, name, joined_to=joined)

    if button("add-vertex", label):
        _do(source, added)
    if graph.labels is not None or graph.attributes is not None:
        st.caption(edits.typical_values(graph).words)


def _random_edges(source: ChosenGraph, graph: GraphSet) -> None:
    st.markdown("**Random edges**")
    most, asked = graph.n_edges, "Edges to remove"
    n = int(st.number_input(asked, 0, most, min(1, most), key="n-random", help=help_of("n-random")))
    draw = "Seed of the draw"
    seed = int(st.number_input(draw, 0, 9999, key="random-seed", help=help_of("random-seed")))
    if button("remove-random", "Remove at random", disabled=not n):
        operation = edits.Operation("remove-random-edges", (n, seed))
        _do(source, lambda: edits.without_random_edges(graph, n, seed), (operation,))


def _tables(source: ChosenGraph, graph: ChosenGraph) -> None:
    if max(graph.graph.n_vertices, graph.graph.n_edges) > _MOST_ROWS:
        st.info(f"Tables are shown for at most {_MOST_ROWS:,} vertices and edges.")
        return
    edited = []
    names, tables = ("Vertices", "Edges"), edits.tables_of(graph.graph)
    for name, table, column in zip(names, tables, st.columns(2), strict=True):
        with column:
            st.caption(name)
            key = f"{name.lower()} {graph.key}"
            new = st.data_editor(table, key=key, num_rows="dynamic", height=260)
            edited.append({title: list(values) for title, values in new.items()})
    if button("use-tables", "Use these tables"):
        vertices, links = edited
        given = (vertices, links, graph.graph)
        _do(source, lambda: edits.graph_from_tables(*given, dangling_edges="drop"))


def _do(
    source: ChosenGraph,
    change: Callable[[], GraphSet],
    operations: tuple[edits.Operation, ...] | None = None,
) -> None:
    """Make an edit a step of the history, or show why it cannot be made."""
    history = history_of(source)
    with ProblemsShown(NOT_DONE, "edit-problem"):
        graph = change()
        words = edits.words_of_change(history.graph, graph)
        go_to(source, history.done(graph, words, operations))
