"""Sessions that the first release saved still open; damaged ones are refused by field."""

import json
from pathlib import Path
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet
from mpgk_core.errors import UnreadableFileError
from mpgk_core.evaluation import checked_roles, generate
from mpgk_core.export import (
    GivenGraph,
    GivenRoles,
    GivenSet,
    NamedSet,
    Session,
    load_session,
    save_session,
)
from tests.export.test_packed_graphs import assert_identical
from tests.export.test_session import MUTATIONS, assert_same

FOLDER = Path(__file__).with_name("old_sessions")
FILES = {path.stem: path.read_bytes() for path in sorted(FOLDER.glob("*.json"))}
EVIL = "<img src=x onerror=alert(1)>"
BARBELL = {"source": ("build",), "graph": ("barbell",), "barbell-h": ("6",), "barbell-k": ("10",)}
USUAL = {
    "kernel": ("R",),
    "T": ("5",),
    "alpha": ("0.8",),
    "beta": ("0.2",),
    "features": ("degree",),
    "cosine": ("false",),
    "colour": ("orbit",),
    "axes": ("stretch",),
    "three": ("false",),
    "layout": ("spring",),
}
WRONG = (None, True, -1, 10**400, 1.5, float("nan"), float("inf"), "", "x", "\ud800")
WRONG += ([], [[]], {}, {"a": 1}, [1] * 300, "y" * 2000, "preset")


def own_graph():
    graph = nx.path_graph(["a", "b", EVIL, "é👩‍👧"])
    for place, vertex in enumerate(graph):
        graph.nodes[vertex].update(label="CN"[place % 2], attributes=[place / 3, 1.0])
    return GraphSet.from_networkx(graph)


MADE = generate("rings", 3)
OPENED = {
    "playground_preset": Session(
        "playground",
        BARBELL
        | USUAL
        | {
            "kernel": ("A",),
            "T": ("3",),
            "alpha": ("0.6",),
            "beta": ("0.4",),
            "features": ("degree", "triangles"),
            "cosine": ("true",),
            "branching": ("3",),
            "depth": ("5",),
            "seed": ("7",),
            "colour": ("clusters",),
            "clusters": ("3",),
            "axes": ("rank",),
            "three": ("true",),
            "layout": ("circle",),
            "sel": ("2,3",),
        },
    ),
    "playground_edited": Session("playground", BARBELL | USUAL | {"edits": ("1..cdbdb661..c0.1",)}),
    "playground_graph": Session(
        "playground",
        USUAL
        | {
            "source": ("loaded",),
            "T": ("2",),
            "alpha": ("1.0",),
            "beta": ("0.25",),
            "features": ("labels", "degree"),
            "colour": ("attribute",),
            "attribute": ("2",),
            "sel": ("0,2",),
        },
        GivenGraph(EVIL, own_graph()),
    ),
    "playground_plain": Session(
        "playground",
        USUAL | {"source": ("loaded",), "sel": ("2",)},
        GivenGraph(EVIL, GraphSet.from_networkx(nx.path_graph(["a", "b", EVIL]))),
    ),
    "page_tuning": Session(
        "tuning", {"tune-last": ("4",), "tune-scores-3": ("Distinct points", "Gap between orbits")}
    ),
    "page_named": Session(
        "variants", {"set-source": ("Fetch",), "four-T": ("2",)}, NamedSet("MUTAG")
    ),
    "page_graph": Session(
        "tuning", {"tune-last": ("4",), "source": ("Own file",)}, GivenGraph(EVIL, own_graph())
    ),
    "page_set": Session(
        "graph_classification",
        {"cv-seed": ("7",), "set-source": ("Own file",)},
        GivenSet(EVIL, MADE.graphs, MADE.classes),
    ),
    "page_roles": Session(
        "node_classification",
        {"node-T": ("4",), "roles-source": ("Own file",)},
        GivenRoles(EVIL, own_graph(), checked_roles(["x", "y"] * 2, 4)),
    ),
}


def test_there_is_a_file_of_every_kind():
    assert set(FILES) == set(OPENED)


@pytest.mark.parametrize("name", OPENED)
def test_an_old_session_opens_with_all_that_was_set(name):
    found = load_session(FILES[name])
    assert_same(found, OPENED[name])
    assert_same(load_session(save_session(found)), OPENED[name])


def test_an_old_page_session_that_was_changed_is_refused():
    damaged = FILES["page_roles"].replace(b'"4"', b'"5"')
    with pytest.raises(UnreadableFileError, match="changed after it was saved"):
        load_session(damaged)


@pytest.mark.parametrize("kind", ["playground_graph", "playground_preset"])
@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), mutate=st.sampled_from(MUTATIONS))
def test_damaged_bytes_are_refused_or_make_a_whole_session(kind, seed, mutate):
    content = bytearray(FILES[kind])
    mutate(Random(seed), content)
    assert_refused_or_whole(bytes(content))


@pytest.mark.parametrize("kind", ["playground_graph", "playground_preset"])
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
        ("mpgk_session", 3, "of version 3, and this program reads versions 1 and 2"),
        ("mpgk_session", True, "of version True, and this program reads"),
        ("title", 3, "'title': This is 3. It must be a text."),
        ("extra", 3, "'extra': This field is unknown. The fields here are engine, title"),
        ("graph", [], "'graph': This is .*. It must be a table."),
        ("graph", {"graphs": {"nodes": []}}, "Graph 0: it has no list"),
        ("graph", {"graphs": [], "classes": []}, "There is no graph in it"),
        ("graph.preset", "dumbbell", "The 'preset' parameter"),
        ("graph.values", {"h": 10**400}, "The 'h' parameter|out of range"),
        ("kernel", None, "'kernel': This is None. It must be a table."),
        ("kernel.alpha", "much", "'kernel.alpha': This is 'much'. It must be a number."),
        ("kernel.alpha", -1, "The 'alpha' parameter"),
        ("kernel.alpha", 10**400, "'kernel.alpha': This is 1000.*. It must be a number."),
        ("kernel.gamma", 1, "'kernel.gamma': This field is unknown."),
        ("kernel.random_state", -1, "random_state"),
        ("kernel.features", "age", "'features' parameter"),
        (
            "picture.n_axes",
            4,
            "'picture.n_axes': This is 4. It must be a whole number from 2 to 3.",
        ),
        ("picture.attribute", -1, "'picture.attribute'"),
        ("selection", {}, "'selection': This is {}. It must be a list."),
        ("selection", [-1], "Selected vertex 1: This is -1. It must be a whole number from 0"),
        ("selection", [True], "Selected vertex 1: This is True."),
        ("widgets", [], "'widgets': This is .*. It must be a table."),
        ("edits", 3, "'edits': This is 3. It must be a text."),
    ],
)
def test_the_error_names_the_field_and_what_to_do(path, value, match):
    saved = json.loads(FILES["playground_preset"])
    *outer, last = path.split(".")
    place = saved
    for key in outer:
        place = place[key]
    place[last] = value
    with pytest.raises(UnreadableFileError, match=match) as caught:
        load_session(json.dumps(saved).encode(), "my.json")
    assert str(caught.value).startswith("my.json: ")
    assert str(caught.value).endswith(".")
    assert ". " in str(caught.value), "what is wrong, and what to do"


@pytest.mark.parametrize("field", json.loads(FILES["playground_preset"]))
def test_a_missing_field_is_named(field):
    saved = json.loads(FILES["playground_preset"])
    del saved[field]
    with pytest.raises(
        UnreadableFileError, match=f"Field {field!r}: This field is missing|This is not a session"
    ):
        load_session(json.dumps(saved).encode())


def test_the_graph_of_an_old_session_is_the_one_that_was_saved():
    assert_identical(load_session(FILES["playground_graph"]).data.graph, own_graph())
