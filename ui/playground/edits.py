"""Edits of the graph: a history for every graph, what is drawn by hand, and the panel of edits.

Histories live in the session, so no user sees those of another. Short edits stand in the
address too, so that they survive a reload and are part of a link.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from mpgk_core import GraphSet, MPGKError, edits
from mpgk_core.edits import MAX_EDIT_TEXT, History
from mpgk_core.edits.ties import ties_of
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.formats.columns import undirected_edges
from mpgk_core.memory_store import size_of
from mpgk_core.text import cell_text
from ui.shared.widgets import NOT_DONE, ProblemsShown, button, help_of, show_problem
from ui.state.address import is_asked, write_address
from ui.state.choices import (
    ChosenGraph,
    current_selection,
    forget_selection,
    keep_selection,
    key_for,
    key_of_graphs,
)

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
    if not is_edited(source):
        return source
    return ChosenGraph(f"{source.title}, edited", history_of(source).graph, origin=source)


def is_edited(source: ChosenGraph) -> bool:
    """Return whether this user sees another graph than the one that came.

    The graphs are compared by content: a graph that was forgotten meanwhile is built again.
    """
    return key_of_graphs(history_of(source).graph) != key_of_graphs(source.graph)


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
    _take_along(source, history)
    st.rerun()


def _take_along(source: ChosenGraph, history: History) -> None:
    before = edited(source)
    chosen = current_selection(before)
    _keep(source, history)
    after = edited(source)
    old, new = before.graph.names, after.graph.names
    number = {name: v for v, name in enumerate(new)}
    if len(old) == len(new):  # a vertex that was renamed is where it was
        known = set(old)
        number |= {old[v]: v for v in chosen if old[v] not in number and new[v] not in known}
    keep_selection(after, [number[old[v]] for v in chosen if old[v] in number])


MAX_DRAWN = 500
"""How many vertices a graph that is drawn by hand can have."""

_ANSWER = "answer to the drawing"
_MAX_TEXT = 60
_MAX_EDITS = 200


def drawing_of(source: ChosenGraph) -> dict[str, Any]:
    """Return what the editor in the browser has to know of a graph, besides its layout.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.

    Returns
    -------
    dict
        "key" of the source; unique "names", "labels" (or None) and "edges" of the graph as it is
        now; whether it "isEditable"; a "fresh" name; which "steps" are possible; "answered", the
        serial of the last edit that was seen, and the "problem" with it, if any.
    """
    history = history_of(source)
    graph = history.graph
    names, are_unique = _texts(graph)
    key, serial, problem = st.session_state.get(_ANSWER, ("", 0, ""))
    return {
        "key": source.key,
        "names": names,
        "labels": None if graph.labels is None else [_short(label) for label in graph.labels],
        "edges": undirected_edges(graph).tolist(),
        "isEditable": are_unique and graph.n_vertices <= MAX_DRAWN,
        "fresh": str(edits.fresh_name(version.graph for version in history.versions)),
        "steps": {"undo": history.can_undo, "redo": history.can_redo, "reset": is_edited(source)},
        "answered": serial if key == source.key else 0,
        "problem": problem if key == source.key else "",
    }


def apply_drawn(source: ChosenGraph, drawn: object) -> None:
    """Make the edits that were drawn in the browser steps of the history.

    An edit that cannot be made is left out; :func:`drawing_of` tells why. Each has a serial, and
    one that was seen already is not made again: messages of the browser repeat what is pending.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.
    drawn : object
        Not trusted: ``{"key": ..., "edits": [{"serial": 1, "kind": "add-edge", "vertices": ["a",
        "b"]}, ...]}``. Other kinds are "remove-edge" and "remove-vertices" with "vertices",
        "add-vertex" with "name" and "joined", "rename" with "vertex" and "name", "set-label" with
        "vertex" and "label", and "undo", "redo" and "reset".
    """
    if not isinstance(drawn, Mapping) or drawn.get("key") != source.key:
        return
    key, seen, _ = st.session_state.get(_ANSWER, ("", 0, ""))
    seen = seen if key == source.key else 0
    steps = drawn.get("edits")
    problem = ""
    for step in steps[:_MAX_EDITS] if isinstance(steps, list) else ():
        serial = step.get("serial") if isinstance(step, Mapping) else None
        if type(serial) is not int or not seen < serial < 2**53:
            continue
        seen = serial
        try:
            _take_along(source, _after_drawing(source, step))
        except MPGKError as refused:
            problem = str(refused)
    st.session_state[_ANSWER] = source.key, seen, problem


def _after_drawing(source: ChosenGraph, step: Mapping[str, Any]) -> History:
    """Return the history after an edit, or raise."""
    history = history_of(source)
    graph = history.graph
    match step.get("kind"):
        case "undo":
            return history.undo()
        case "redo":
            return history.redo()
        case "reset":
            return history.reset()
        case "add-vertex":
            if graph.n_vertices >= MAX_DRAWN:
                raise InvalidGraphError(
                    f"The graph has {graph.n_vertices} vertices, and up to {MAX_DRAWN} can be "
                    "drawn. Remove some first."
                )
            name = edits.typed_name(graph, _text(step, "name"))
            after = edits.with_vertex(graph, name, joined_to=_vertices(graph, step.get("joined")))
        case "add-edge" | "remove-edge" as kind:
            ends = _vertices(graph, step.get("vertices"))
            if len(ends) != 2:
                raise InvalidGraphError("An edge joins two different vertices. Choose two.")
            change = edits.with_edge if kind == "add-edge" else edits.without_edge
            after = change(graph, *ends)
        case "remove-vertices":
            after = edits.without_vertices(graph, _vertices(graph, step.get("vertices")))
        case "rename":
            (vertex,) = _vertices(graph, [step.get("vertex")])
            after = edits.renamed(graph, vertex, edits.typed_name(graph, _text(step, "name")))
            old, new = shortened(step["vertex"]), shortened(step["name"])
            return history.done(after, f"renamed {old} to {new}")
        case "set-label":
            (vertex,) = _vertices(graph, [step.get("vertex")])
            after = edits.with_label(graph, vertex, edits.typed_label(graph, _text(step, "label")))
        case kind:
            raise InvalidParameterError(f"{shortened(str(kind))!r} is no edit of a drawing.")
    return history.done(after, edits.words_of_change(graph, after))


def _vertices(graph: GraphSet, texts: object) -> list[Hashable]:
    """Return the names of vertices whose texts the browser sent, each once, or raise."""
    if not isinstance(texts, list) or len(texts) > graph.n_vertices:
        raise InvalidParameterError("The edit does not list vertices. Reload the page.")
    known = dict(zip(_texts(graph)[0], graph.names, strict=True))
    unknown = [text for text in texts if not isinstance(text, str) or text not in known]
    if unknown:
        raise InvalidGraphError(f"There is no vertex {shortened(str(unknown[0]))!r} any more.")
    return list(dict.fromkeys(known[text] for text in texts))


def _text(step: Mapping[str, Any], field: str) -> str:
    text = step.get(field)
    if not isinstance(text, str) or not text.strip():
        raise InvalidGraphError(f"The {field} is empty. Type one.")
    if len(text) > _MAX_TEXT or not text.isprintable():
        raise InvalidGraphError(
            f"The {field} must have at most {_MAX_TEXT} characters, all of them printable."
        )
    return text.strip()


def _texts(graph: GraphSet) -> tuple[list[str], bool]:
    """Return a short text for every vertex, each another one, and whether names alone are so."""
    texts = [_short(name) for name in graph.names]
    if len(set(texts)) == len(texts):
        return texts, True
    return [f"{text} #{v}" for v, text in enumerate(texts)], False


def _short(value: Hashable) -> str:
    return cell_text(value)[:_MAX_TEXT]


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


def edit_panel(source: ChosenGraph, graph: ChosenGraph) -> None:
    """Offer the edits of the graph shown, which came from ``source``, that need no drawing."""
    _steps(source)
    left, right = st.columns([1, 2], gap="large")
    with left:
        _random_edges(source, graph.graph)
    with right:
        _new_vertices(graph.graph)
        _edge_facts(source, graph)
    with st.expander("Vertices and edges as tables"), ProblemsShown(NOT_DONE, "tables-problem"):
        _tables(source, graph)


def _steps(source: ChosenGraph) -> None:
    history = history_of(source)
    with st.container(horizontal=True, vertical_alignment="center"):
        if button("undo", "Undo", disabled=not history.can_undo):
            go_to(source, history.undo())
        if button("redo", "Redo", disabled=not history.can_redo):
            go_to(source, history.redo())
        if button("reset", "Reset", disabled=not is_edited(source)):
            go_to(source, history.reset())
        st.text(f"Now: {history.present.words}")


_EDGE = "selected edge"


def choose_edge(source: ChosenGraph, pair: Sequence[int] | None) -> None:
    """Remember the edge that was selected in the picture or in the panel, by the names of its ends.

    Parameters
    ----------
    source : ChosenGraph
        The graph as it came.
    pair : sequence of int or None
        The numbers of two vertices of the graph as it is now. Not trusted.
    """
    names = history_of(source).graph.names
    ends = [names[v] for v in pair or () if 0 <= v < len(names)]
    st.session_state[_EDGE] = source.key, ends


def chosen_edge(source: ChosenGraph) -> tuple[int, int] | None:
    """Return the edge that is selected, the smaller number first, as long as it is there."""
    owner, ends = st.session_state.get(_EDGE, ("", []))
    graph = history_of(source).graph
    if owner != source.key or len(ends) != 2 or not set(ends) <= set(graph.names):
        return None
    v, u = sorted(graph.names.index(name) for name in ends)
    return (v, u) if graph.adjacency[v, u] else None


def _new_vertices(graph: GraphSet) -> None:
    st.markdown("**Vertices and edges**")
    if graph.n_vertices > MAX_DRAWN:
        st.caption(f"Graphs of up to {MAX_DRAWN} vertices can be drawn. Edit the tables instead.")
        return
    st.caption(
        "Edit them in the picture of the graph: with *Draw*, a click adds a vertex, and dragging "
        "from one vertex to another adds an edge."
    )
    if graph.labels is not None or graph.attributes is not None:
        st.text(f"A new vertex has {edits.typical_values(graph).words}.")


_WAYS = {"-": "Both ways", ">": "{} → {}", "<": "{1} → {0}"}


def _edge_facts(source: ChosenGraph, graph: ChosenGraph) -> None:
    """Set label, weight and direction of an edge: of the selected vertices, or chosen by name."""
    ties = {(v, u): own for (v, u), own in ties_of(graph.graph).items() if v != u}
    if not ties or len(ties) > _MOST_ROWS:
        return
    names = _texts(graph.graph)[0]
    selected = tuple(sorted(current_selection(graph)))
    edge = chosen_edge(source) or selected
    box = key_for("edge", graph.key)
    st.session_state[box] = edge if edge in ties else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pair = st.selectbox(
            "Edge",
            list(ties),
            index=None,
            placeholder="Click one in the picture, or choose it here",
            key=box,
            on_change=lambda: choose_edge(source, st.session_state[box]),
            format_func=lambda pair: f"{names[pair[0]]} – {names[pair[1]]}",
            help=help_of("fact-edge"),
        )
        if pair is None:
            return
        v, u = pair
        first, words = ties[v, u][0], [way.format(names[v], names[u]) for way in _WAYS.values()]
        key = key_for("fact", graph.key, v, u)
        label = st.text_input(
            "Label",
            "" if first.label is None else _short(first.label),
            _MAX_TEXT,
            key=f"{key}-label",
            help=help_of("fact-label"),
        )
        weight = st.number_input(
            "Weight", 0.0, None, first.weight, key=f"{key}-weight", help=help_of("fact-weight")
        )
        way = st.selectbox(
            "Direction",
            words,
            list(_WAYS).index(first.direction if len(ties[v, u]) == 1 else "-"),
            key=f"{key}-direction",
            help=help_of("fact-direction"),
        )
        if button("set-edge", "Set"):
            direction = list(_WAYS)[words.index(way)]
            one, other = (graph.graph.names[end] for end in (v, u))
            typed = _edge_label(graph.graph, label)
            _do(
                source,
                lambda: edits.with_edge_facts(
                    graph.graph, one, other, label=typed, weight=weight, direction=direction
                ),
            )


def _edge_label(graph: GraphSet, text: str) -> Hashable:
    """Return a label that was typed: one of the graph, if there is one of that text."""
    known = () if graph.edges is None else graph.edges.label_values
    return {_short(value): value for value in known}.get(text.strip(), text.strip() or None)


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
