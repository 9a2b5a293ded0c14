"""Sessions come back as they were; damaged ones are refused with the name of the field."""

import json
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError, InvalidParameterError
from mpgk_core.errors import UnreadableFileError
from mpgk_core.export import (
    KernelParameters,
    PictureParameters,
    PresetGraph,
    Session,
    load_session,
    save_session,
    script,
)
from mpgk_core.graphs.generators import PRESETS
from mpgk_core.plotting import LAYOUTS
from tests.export.studies import NASTY, nasty_graph
from tests.export.test_packed_graphs import assert_identical
from tests.formats import mutations
from tests.strategies import FEATURES, graphs

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(NASTY)
WIDGETS = st.dictionaries(
    TEXT,
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(-1e9, 1e9)
    | TEXT
    | st.lists(TEXT | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9), max_size=3).map(tuple),
    max_size=5,
)
MUTATIONS = (
    mutations.flip_bits,
    mutations.change_bytes,
    mutations.truncate,
    mutations.cut,
    mutations.repeat,
    mutations.blow_up_number,
    mutations.swap_tokens,
)
WRONG = (
    None,
    True,
    -1,
    10**400,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\ud800",
    [],
    [[]],
    {},
    {"a": 1},
    [1] * 300,
    "y" * 2000,
    "preset",
)
EXAMPLE = Session(
    nasty_graph(),
    KernelParameters("A", 0.5, 0.25, 3),
    PictureParameters("circle", "attribute", 3, True, 5, 1),
    (0, 3),
    {"zoom": 1.5, "open": True, "features": ("degree", "labels"), "name": NASTY[0], "none": None},
    "Nasty",
)
PRESET = Session(PresetGraph("barbell", {"h": 3}), KernelParameters(), widgets={"a": 1})
FILES = {"graph": save_session(EXAMPLE), "preset": save_session(PRESET)}


@st.composite
def sessions(draw):
    features = draw(FEATURES)
    source = draw(
        graphs(min_vertices=1).map(GraphSet.from_networkx) | st.sampled_from(list(PRESETS))
    )
    if isinstance(source, str):
        source, features, n, width = PresetGraph(source), "degree", 2, 1
    else:
        n, width = source.n_vertices, 2
    kernel = KernelParameters(
        draw(st.sampled_from("RA")),
        draw(st.floats(0, 10)),
        draw(st.floats(0, 10)),
        draw(st.integers(0, 12)),
        features,
        draw(st.booleans()),
        random_state=draw(st.integers(0, 9999)),
    )
    picture = PictureParameters(
        draw(st.sampled_from(list(LAYOUTS))),
        draw(TEXT),
        draw(st.integers(2, 3)),
        draw(st.booleans()),
        attribute=draw(st.integers(0, width - 1)),
    )
    selection = draw(st.sets(st.integers(0, n - 1)))
    return Session(source, kernel, picture, tuple(selection), draw(WIDGETS), draw(TEXT))


def assert_same(back, session):
    if isinstance(session.graph, PresetGraph):
        assert back.graph == session.graph
    else:
        assert_identical(back.graph, session.graph)
    for part in ("kernel", "picture", "selection", "title"):
        assert getattr(back, part) == getattr(session, part)
    assert {key: repr(value) for key, value in back.widgets.items()} == {
        key: repr(value) for key, value in session.widgets.items()
    }


@settings(max_examples=60)
@given(session=sessions())
def test_a_session_comes_back(session):
    content = save_session(session)
    back = load_session(content)
    assert_same(back, session)
    assert save_session(back) == content


@pytest.mark.parametrize("kind", FILES)
@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), mutate=st.sampled_from(MUTATIONS))
def test_damaged_bytes_are_refused_or_make_a_whole_session(kind, seed, mutate):
    content = bytearray(FILES[kind])
    mutate(Random(seed), content)
    assert_refused_or_whole(bytes(content))


@pytest.mark.parametrize("kind", FILES)
@settings(max_examples=150)
@given(data=st.data())
def test_wrong_values_are_refused_or_make_a_whole_session(kind, data):
    saved = json.loads(FILES[kind])
    place, key = saved, data.draw(st.sampled_from(list(saved)))
    while isinstance(place[key], (dict, list)) and place[key] and data.draw(st.booleans()):
        place = place[key]
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
    action = data.draw(st.sampled_from(["replace", "delete", "add"]))
    if action == "replace":
        place[key] = data.draw(st.sampled_from(WRONG))
    elif action == "delete":
        del place[key]
    elif isinstance(place, dict):
        place["more"] = data.draw(st.sampled_from(WRONG))
    assert_refused_or_whole(json.dumps(saved).encode())


def assert_refused_or_whole(content):
    try:
        back = load_session(content, "my.json")
    except UnreadableFileError as error:
        message = str(error)
    else:
        assert_same(load_session(save_session(back)), back)
        return
    assert message.startswith("my.json")
    assert message.endswith(".")
    assert len(message) < 1_000


@pytest.mark.parametrize(
    ("path", "value", "match"),
    [
        ("mpgk_session", 2, "of version 2, and here version 1"),
        ("mpgk_session", True, "of version True, and here version 1"),
        ("title", 3, "'title' must be a text"),
        ("extra", 3, "'extra' is unknown"),
        ("graph", [], "'graph' must be an object"),
        ("graph", {"graphs": {"nodes": []}}, "'graph' cannot be used: Graph 0: it has no list"),
        ("graph", {"graphs": [], "classes": []}, "'graph.classes' is unknown"),
        ("graph.preset", "dumbbell", "'graph' cannot be used: The 'preset' parameter"),
        ("graph.values", {"h": 10**400}, "'graph' cannot be used: The 'h' parameter"),
        ("kernel", None, "'kernel' must be an object"),
        ("kernel.alpha", "much", "'kernel' cannot be used: The 'alpha' parameter"),
        ("kernel.alpha", 10**400, "'kernel' cannot be used"),
        ("kernel.gamma", 1, "'kernel.gamma' is unknown"),
        ("kernel.n_iterations", 10**9, "n_iterations"),
        ("kernel.random_state", 2**80, "random_state"),
        ("kernel.features", "labels", "'features' parameter of the kernel does not suit the graph"),
        ("picture.layout", "moon", "'picture' cannot be used: The 'layout' parameter"),
        ("picture.attribute", 2, "coloured by attribute 2, and the graph has 0"),
        ("selection", {}, "'selection' must be a list"),
        ("selection", [16], "'selection' parameter of Session must be .* at most 15"),
        ("selection", [True], "'selection' parameter"),
        ("widgets", [], "'widgets' must be an object"),
        ("widgets.a", {"b": 1}, "widget 'a'"),
        ("widgets.a", [None], "widget 'a'"),
        ("widgets.a", [0] * 300, "widget 'a'"),
        ("widgets.a", "y" * 2000, "widget 'a'"),
        ("widgets", dict.fromkeys(map(str, range(501))), "501 widgets"),
    ],
)
def test_the_error_names_the_field_and_what_to_do(path, value, match):
    saved = json.loads(FILES["preset"])
    *outer, last = path.split(".")
    place = saved
    for key in outer:
        place = place[key]
    place[last] = value
    with pytest.raises(UnreadableFileError, match=match) as caught:
        load_session(json.dumps(saved).encode(), "my.json")
    assert str(caught.value).startswith("my.json: ")
    assert str(caught.value).endswith(
        ("Correct that field, or save the session again.", "the program that saved it.")
    )


@pytest.mark.parametrize("field", json.loads(FILES["preset"]))
def test_a_missing_field_is_named(field):
    saved = json.loads(FILES["preset"])
    del saved[field]
    with pytest.raises(UnreadableFileError, match=f"{field!r} is missing|This is not a session"):
        load_session(json.dumps(saved).encode())


@pytest.mark.parametrize("content", [b"", b"\0", b"[]", b"{", b"3", b"PK\x03\x04", b"[" * 10**5])
def test_other_files_are_no_sessions(content):
    with pytest.raises(UnreadableFileError):
        load_session(content)


def test_large_files_are_not_read(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_FILE_BYTES", "10")
    with pytest.raises(UnreadableFileError, match="at most 10 are read"):
        load_session(FILES["preset"])


def test_a_session_says_what_it_computes():
    back = load_session(FILES["graph"])
    assert script(back.study()) == script(EXAMPLE.study())


def test_sessions_that_cannot_be_shown_are_never_made():
    graph = GraphSet.from_networkx(nx.path_graph(2))
    with pytest.raises(InvalidGraphError, match="does not suit the graph"):
        Session(graph, KernelParameters(features="labels"))
    with pytest.raises(InvalidGraphError, match="no vertices"):
        Session(GraphSet.from_networkx(nx.Graph()), KernelParameters())
    with pytest.raises(InvalidParameterError, match="widget 'a'"):
        Session(graph, KernelParameters(), widgets={"a": float("inf")})
    with pytest.raises(InvalidParameterError, match="widget 'a'"):
        Session(graph, KernelParameters(), widgets={"a": "\ud800"})
