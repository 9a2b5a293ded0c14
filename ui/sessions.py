"""Save all that is set on a page, and open it again: whole, or nothing changes.

On the playground a session takes the place of what is set. On the other pages it opens in a tab of
its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qs, urlencode

import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.datasets import available
from mpgk_core.edits import MAX_EDIT_TEXT, History, edited_by_text
from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.export import (
    GeneratedSet,
    GivenGraph,
    GivenRoles,
    GivenSet,
    NamedSet,
    PresetGraph,
    PresetRoles,
    Session,
    SessionData,
    file_name,
    load_session,
    save_session,
)
from mpgk_core.graphs.generators import PRESETS
from mpgk_core.plotting import LAYOUTS
from ui.playground.edits import set_edits
from ui.playground.study import AXES, colourings_of, methods_for
from ui.shared.charts import picture_format_choice
from ui.shared.downloads import Download, download_row
from ui.shared.widgets import (
    NEIGHBOURHOODS,
    RANGES,
    edge_parts,
    edges_of,
    features_of,
    help_of,
    set_edges,
    show_problem,
)
from ui.sources.graphs import preset_graph
from ui.state.address import read_choices, remember_settings
from ui.state.cache import cached
from ui.state.choices import (
    ASKED,
    ChosenGraph,
    OwnData,
    ask_for,
    forget_selection,
    is_missed,
    keep,
    key_of_data,
)

Settings: TypeAlias = Mapping[str, tuple[str, ...]]
"""Parts of an address by their keys."""

SavedData: TypeAlias = SessionData | PresetGraph | PresetRoles | GeneratedSet
"""What a page is about; presets and generated sets stand in its address already."""

_SOURCES = {GivenGraph: "source", GivenSet: "set-source", GivenRoles: "roles-source"}
_KEY, _PROBLEM, _TITLE = "session-file", "session problem", "session title"
_DEFAULTS = (
    "kernel=R&T=5&alpha=0.8&beta=0.2&features=degree-label&cosine=true&branching=4&depth=8&seed=0"
    "&colour=orbit&clusters=4&attribute=1&axes=fit&three=false&layout=natural"
)
"""What the controls of the playground show where its address has no value."""

_LEFT_OUT = {
    "features": ("degree",),
    "cosine": ("false",),
    "axes": ("stretch",),
    "layout": ("spring",),
}
"""What other defaults meant, in sessions that were saved when they left defaults out."""


def session_file(
    page: str, data: SavedData, edits: str = "", usual: Settings | None = None
) -> Callable[[], bytes]:
    """Return what makes the file of a session, with all that stands in the address by then.

    Parameters
    ----------
    page : str
        As its address calls it.
    data : SavedData
    edits : str
        Those of the graph, also where they are too long for an address.
    usual : mapping of str to tuple of str, optional
        What the page shows where its address has no value.
    """
    address = remember_settings()

    def content() -> bytes:
        settings = dict(usual or {})
        settings |= {key: tuple(texts) for key, texts in address.items() if key != ASKED}
        if edits:
            settings["edits"] = (edits,)
        given = None if isinstance(data, (PresetGraph, PresetRoles, GeneratedSet)) else data
        return save_session(Session(page, settings, given))

    return content


def playground_session(graph: ChosenGraph) -> Callable[[], bytes]:
    """Return what makes the session of the playground; edits stay apart from the graph."""
    edits = None
    if graph.origin is not None:
        edits = History.of(graph.origin.graph).done(graph.graph, "edited").link_text
    origin = graph.origin if graph.origin is not None and edits else graph
    return session_file("playground", origin.source, edits or "", _usual(graph, origin.recipe))


def _usual(graph: ChosenGraph, recipe: PresetGraph | None) -> dict[str, tuple[str, ...]]:
    """Return what the controls of the playground show where its address has no value.

    A session holds it too, so that it shows the same when defaults have changed.
    """
    usual = {key: text for key, text in _defaults(graph.graph).items() if key in st.session_state}
    usual["edges"] = (st.session_state.get("edges", "ignore"),)
    if recipe is not None:
        usual |= {"source": ("build",), "graph": (recipe.preset,)}
        usual |= {f"{recipe.preset}-{key}": (str(n),) for key, n in recipe.values.items()}
    return usual


def _defaults(graph: GraphSet) -> dict[str, tuple[str, ...]]:
    """Return the defaults of all controls, whether shown or not."""
    settings = {key: tuple(texts) for key, texts in parse_qs(_DEFAULTS).items()}
    return settings | {"beside": tuple(methods_for(graph) or VERTEX_METHODS)[:1]}


def _whole(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the settings of a session with what it means by leaving defaults out."""
    ranked = {"axes": ("rank",)} if "true" in settings.get("rank", ()) else {}
    return {**_LEFT_OUT, **ranked, **settings}


class _Opened(NamedTuple):
    """What came of a file: an address and the data that it asks for, or a problem."""

    address: str = ""
    problem: str = ""
    data: OwnData | None = None


def page_sessions(page: str, data: SavedData | None) -> None:
    """Offer to save what is set on a page, if there are data, and to load what was saved.

    What the cameras of charts save is chosen here too.
    """
    with st.sidebar, st.expander("Session and pictures"):
        if data is not None:
            name = file_name(page, data.file_part, "session", extension="json")
            content = session_file(page, data)
            download_row("", [Download("page-session-save", "Save the session", name, content)])
        words = help_of("page-session")
        given = st.file_uploader("Load a session", type="json", key="page-session", help=words)
        if given is not None:
            opened = _opened(given.file_id, given.name, tuple(available()), given.getvalue)
            if opened.data is not None:
                keep(opened.data)
            if opened.address:
                words = "In a new tab, with all settings as they were."
                st.link_button("Open the session", opened.address, help=words)
            else:
                _show(opened.problem)
        if is_missed():
            st.warning("The graphs of this session have expired. Load its file again.")
        picture_format_choice()


def _show(problem: str) -> None:
    show_problem(problem, "session-problem")
    st.caption("Everything is as it was before.")


@cached(
    spinner="Reading …",
    apart_from={"content": "The upload stands for it: an id is given once, and its bytes stay."},
)
def _opened(
    upload: str, name: str, on_server: tuple[str, ...], content: Callable[[], bytes]
) -> _Opened:
    own: OwnData | None = None
    try:
        session = load_session(content(), name)
        settings = dict(session.settings)
        if session.page == "playground":
            settings = _whole(settings)  # an address without a value means another one today
        if len("".join(settings.get("edits", ()))) > MAX_EDIT_TEXT:
            raise UnreadableFileError(
                name, "It holds more edits than a link can.", "Load it on the playground."
            )
        if isinstance(session.data, NamedSet):
            if session.data.name not in on_server:
                raise UnreadableFileError(
                    name,
                    f"The data set {session.data.name!r} is not on this server.",
                    "Download it first, then load the session again.",
                )
            settings.pop("set-source", None)
            settings["set"] = (session.data.name,)
        elif session.data is not None:
            own = session.data
            settings |= {_SOURCES[type(own)]: ("loaded",), ASKED: (key_of_data(own),)}
    except MPGKError as problem:
        return _Opened(problem=str(problem))
    return _Opened(f"{session.page}?{urlencode(settings, doseq=True)}", data=own)


def session_loader() -> None:
    """Let the user give a session of the playground; it is read before any control is drawn."""
    box = st.expander("Load a session", key="load-session", on_change="rerun")
    if not box.open:  # what nobody sees, no browser has to draw
        return
    with box:
        st.file_uploader(
            "Session file",
            "json",
            key=_KEY,
            help=help_of(_KEY),
            on_change=_load,
            label_visibility="collapsed",
        )
        if st.session_state.get(_PROBLEM):
            _show(st.session_state[_PROBLEM])
        elif st.session_state.get(_TITLE):
            st.text(f"Loaded: {st.session_state[_TITLE]}")


def _load() -> None:
    """Read the file that was given; only a session that can be shown whole changes anything."""
    given = st.session_state[_KEY]
    st.session_state[_PROBLEM] = st.session_state[_TITLE] = ""
    if given is None:
        return
    try:
        session = load_session(given.getvalue(), given.name)
        graph, values = _source(session, given.name)
        edits = "".join(session.settings.get("edits", ()))
        shown = edited_by_text(graph.graph, edits, None) if edits else graph.graph
        values |= _values(_whole(session.settings), shown, given.name)
        used = _edges(session.settings, shown, values["kernel"], given.name)
    except UnreadableFileError as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    except MPGKError as problem:  # of the graph or its edits
        st.session_state[_PROBLEM] = f"{given.name}: The graph cannot be shown. {problem}"
        return
    if isinstance(graph.source, GivenGraph):
        ask_for(graph.source)
    set_edits(graph, edits)
    for key, value in values.items():
        if key not in st.session_state:  # a control that is new is not in the address yet
            st.query_params[key] = str(value)
        st.session_state[key] = value
    set_edges(used)
    st.query_params["sel"] = "".join(session.settings.get("sel", ()))
    forget_selection()
    st.session_state[_TITLE] = shortened(graph.title)


def _source(session: Session, file: str) -> tuple[ChosenGraph, dict[str, Any]]:
    """Return the graph of a session of the playground, and what its controls are to be set to."""
    if session.page != "playground":
        raise UnreadableFileError(
            file, f"This is a session of the page “{session.page}”.", "Load it there."
        )
    if isinstance(session.data, GivenGraph):
        return ChosenGraph(session.data.title, session.data.graph), {"source": "loaded"}
    known = read_choices("graph", session.settings.get("graph", ()), list(PRESETS))
    preset = (known or list(PRESETS))[0]
    given = {
        p.key: _number(f"{preset}-{p.key}", session.settings, type(p.default), file)
        for p in PRESETS[preset].parameters
        if f"{preset}-{p.key}" in session.settings
    }
    values = dict(PresetGraph(preset, given).values)
    numbers = {f"{preset}-{key}": value for key, value in values.items()}
    return preset_graph(preset, values), {"source": "build", "graph": preset, **numbers}


def _values(settings: Settings, graph: GraphSet, file: str) -> dict[str, Any]:
    """Return what the controls are to be set to, or refuse what they cannot be set to."""
    for vertex in "".join(settings.get("sel", ())).split(","):
        if vertex and not (vertex.isdecimal() and int(vertex) < graph.n_vertices):
            words = f"the graph has {graph.n_vertices:,} vertices, counted from 0"
            raise _beyond(file, f"The selection holds {shortened(vertex)!r}, and {words}")
    options = {
        "kernel": list(NEIGHBOURHOODS),
        "features": features_of(graph),
        "colour": colourings_of(graph),
        "beside": list(VERTEX_METHODS),
        "axes": list(AXES),
        "layout": list(LAYOUTS),
    }
    values: dict[str, Any] = {}
    for key, default in _defaults(graph).items():
        if key not in settings and key not in st.session_state:
            continue  # a control that is not shown
        texts = {key: default} | dict(settings)
        if key not in options:
            values[key] = _number(key, texts, type(RANGES.get(key, (0,))[0]), file)
            continue
        for text in texts[key] or [""]:
            is_none = key == "features" and not text
            if not is_none and not read_choices(key, [text], options[key]):
                known = ", ".join(options[key])
                raise _beyond(file, f"{key} holds {shortened(text)!r}, and this graph has {known}")
        chosen = read_choices(key, texts[key], options[key])
        values[key] = chosen if key == "features" else chosen[0]
    return values


def _edges(settings: Settings, graph: GraphSet, kernel: str, file: str) -> dict[str, str]:
    """Return what the controls for the use of edges are to be set to, or refuse it."""
    text = "".join(settings.get("edges", ("ignore",)))
    offered = edges_of(graph, can_multiply=kernel == "R")
    parts = edge_parts(text, offered)
    if parts is None:
        known = ", ".join(filter(None, (part for own in offered.values() for part in own)))
        words = f"this graph and kernel can use {known}" if known else "the edges are plain"
        raise _beyond(file, f"edges holds {shortened(text)!r}, and {words}")
    return parts


def _number(key: str, settings: Settings, kind: type[float], file: str) -> float:
    """Return a number or a truth value of the settings."""
    text = "".join(settings[key])
    if text in ("true", "false"):
        return text == "true"
    try:
        number = kind(text)
    except ValueError:
        raise _beyond(file, f"{key} is {shortened(text)!r} and not a number") from None
    low, high = RANGES.get(key, (number, number))
    if not low <= number <= high:
        raise _beyond(file, f"{key} is {number}, and the page goes from {low} to {high}")
    return number


def _beyond(file: str, problem: str) -> UnreadableFileError:
    return UnreadableFileError(
        file, f"{problem}.", "Change it in the file, or compute it in Python with mpgk_core."
    )
