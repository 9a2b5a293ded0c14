"""Bring a saved session back: everything is set as it was, or nothing changes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.export import GivenGraph, PresetGraph, Session, load_session
from mpgk_core.graphs.initial_features import resolved_features, summands_of
from ui.loaded_data import ask_for
from ui.playground.edits import edited, set_edits
from ui.playground.study import colourings_of
from ui.shared.controls import RANGES, features_of
from ui.shared.messages import show_problem
from ui.sources.graphs import preset_graph
from ui.state.choices import ChosenGraph, keep_selection, key_of_data

_KEY = "session-file"
_PROBLEM, _TITLE = "session problem", "session title"


def session_loader() -> None:
    """Let the user give a session file; it is read before any control is drawn."""
    with st.expander("Load a session"):
        st.file_uploader(
            "Session file",
            type="json",
            key=_KEY,
            on_change=_load,
            label_visibility="collapsed",
            help="A file that was saved under “Export”. Graph, kernel, pictures and "
            "selection are set as they were.",
        )
        if st.session_state.get(_PROBLEM):
            show_problem(st.session_state[_PROBLEM], "session-problem")
            st.caption("Everything is as it was before.")
        elif st.session_state.get(_TITLE):
            st.text(f"Loaded: {st.session_state[_TITLE]}")


def _load() -> None:
    """Read the file that was given; only a session that can be shown whole changes anything."""
    given = st.session_state[_KEY]
    st.session_state[_PROBLEM] = st.session_state[_TITLE] = ""
    if given is None:
        return
    content: bytes = given.getvalue()
    try:
        session = load_session(content, given.name)
        graph = _graph(session)
        settings = _settings(session, session.study().graph_set(), given.name)
    except MPGKError as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    if isinstance(graph.source, GivenGraph):
        ask_for(key_of_data(graph.source), graph.source)
    set_edits(graph, session.edits)
    for key, value in settings.items():
        if key not in st.session_state:  # the link would not know of a control that is new
            st.query_params[key] = str(value)
        st.session_state[key] = value
    keep_selection(edited(graph), list(session.selection))
    st.session_state[_TITLE] = shortened(session.title)


def _graph(session: Session) -> ChosenGraph:
    if isinstance(session.graph, PresetGraph):
        return preset_graph(session.graph.preset, dict(session.graph.values))
    return ChosenGraph(session.title, session.graph)


def _settings(session: Session, graph: GraphSet, file: str) -> dict[str, Any]:
    """Return what every control is to be set to, by its key, or raise."""
    kernel, picture = session.kernel, session.picture
    settings: dict[str, Any] = {
        **_source(session),
        "kernel": kernel.neighbourhood,
        "T": kernel.n_iterations,
        "alpha": kernel.alpha,
        "beta": kernel.beta,
        "features": _features(kernel.features, graph, file),
        "cosine": kernel.normalize,
        "colour": picture.colour,
        "rank": picture.is_ranked,
        "three": picture.n_axes == 3,
        "layout": picture.layout,
    }
    if kernel.neighbourhood == "A":
        settings |= {"branching": kernel.branching, "depth": kernel.depth}
        settings["seed"] = kernel.random_state
    if picture.colour == "clusters":
        settings["clusters"] = picture.n_clusters
    if picture.colour == "attribute" and graph.attributes is not None:
        settings["attribute"] = picture.attribute + 1
    _check(settings, graph, file)
    return settings


def _features(features: str, graph: GraphSet, file: str) -> list[str]:
    """Return the parts of a features text; "auto" depends on the graph."""
    summands = summands_of(resolved_features(features, graph))
    if len(summands) > 1:
        raise _beyond(
            file,
            f"features holds the balanced sum {', '.join(map(str, summands))}, and "
            "the page adds features as they are",
        )
    return [part.strip() for part in str(summands[0]).split("+")]


def _source(session: Session) -> dict[str, Any]:
    graph = session.graph
    if not isinstance(graph, PresetGraph):
        return {"source": "loaded"}
    values = {f"{graph.preset}-{key}": value for key, value in graph.values.items()}
    return {"source": "build", "graph": graph.preset, **values}


def _check(settings: dict[str, Any], graph: GraphSet, file: str) -> None:
    """Refuse what no control of the page can be set to."""
    for key, (low, high) in RANGES.items():
        if key in settings and not low <= settings[key] <= high:
            raise _beyond(file, f"{key} is {settings[key]}, and the page goes from {low} to {high}")
    choices = {"colour": colourings_of(graph), "features": features_of(graph)}
    for key, known in choices.items():
        given = settings[key] if key == "features" else [settings[key]]
        for word in given:
            if word not in known:
                raise _beyond(
                    file, f"{key} holds {shortened(word)!r}, and this graph has {', '.join(known)}"
                )


def _beyond(file: str, problem: str) -> UnreadableFileError:
    return UnreadableFileError(
        file, f"{problem}.", "Change it in the file, or compute it in Python with mpgk_core."
    )
