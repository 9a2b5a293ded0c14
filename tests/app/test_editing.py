"""Editing in the playground: every edit, undo, redo, reset, and what two users see."""

import time

import networkx as nx
import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some

from mpgk_core import GraphSet
from tests.app.shown import drawing, recovered, send
from ui.playground import edits
from ui.state.cache import STORE
from ui.state.choices import ChosenGraph


@pytest.fixture
def app(open_playground):
    return open_playground("edit")


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception
    return app


def said(app):
    (words,) = [text.value for text in app.text if text.value.startswith("Now: ")]
    return words.removeprefix("Now: ")


def link(app):
    return app.query_params.get("edits", "")


def test_a_drawn_edge_is_a_step_and_the_selection_is_kept(open_playground, draw):
    app = open_playground("edit", sel="0,1")
    draw(app, "remove-edge", vertices=["0", "1"])
    assert said(app) == "removed edge 0 – 1"
    assert app.query_params["sel"] == "0,1"
    draw(app, "add-edge", vertices=["0", "1"])
    assert said(app) == "added edge 0 – 1"
    draw(app, "undo")
    assert said(app) == "removed edge 0 – 1"
    draw(app, "redo")
    assert said(app) == "added edge 0 – 1"
    draw(app, "reset")
    assert said(app) == "back to the original graph"


def test_undo_redo_and_reset(app):
    assert app.button(key="undo").disabled
    press(app, "remove-random")
    changed = link(app)
    assert changed
    assert recovered(app) != "7 of 7"
    press(app, "undo")
    assert link(app) == ""
    assert recovered(app) == "7 of 7"
    assert app.button(key="undo").disabled
    press(app, "redo")
    assert link(app) == changed
    press(app, "reset")
    assert link(app) == ""
    press(app, "undo")
    assert link(app) == changed, "a reset can be undone"


def test_vertices_come_go_and_get_names_and_labels(open_playground, draw):
    app = open_playground("edit", sel="0,1,5")
    draw(app, "add-vertex", name="30", joined=["0", "1"])
    assert said(app) == "added vertex 30 joined to 0, 1"
    draw(app, "rename", vertex="5", name="five")
    assert said(app) == "renamed 5 to five"
    assert app.query_params["sel"] == "0,1,5", "a vertex that is renamed stays selected"
    draw(app, "set-label", vertex="five", label="C")
    assert said(app) == "changed the labels of 31 vertices"
    draw(app, "set-label", vertex="0", label="N")
    assert said(app) == "changed the label of 0"
    draw(app, "remove-vertices", vertices=["0", "1"])
    assert said(app) == "removed vertices 0, 1"
    assert app.query_params["sel"] == "3", "it has another number now"


def test_names_and_labels_survive_in_a_link(open_playground, draw):
    app = open_playground("edit", graph="cycle")
    draw(app, "set-label", vertex="3", label="<b>")
    draw(app, "rename", vertex="3", name="<img src=x>")
    other = open_playground("edit", graph="cycle", edits=app.query_params["edits"])
    tables = [table.value for table in other.dataframe]
    (vertices,) = [table for table in tables if "label" in table]
    assert vertices["name"][3] == "<img src=x>"
    assert vertices["label"][3] == "<b>"


@pytest.fixture
def session(monkeypatch):
    """The state of one user, outside of a page."""
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "query_params", {})
    return state


PATH = ChosenGraph("path", GraphSet.from_networkx(nx.path_graph(4)))


def drawn(*steps, source=PATH, first=1):
    """Draw edits one after the other, and return what the browser is told then."""
    numbered = [{"serial": first + i, **step} for i, step in enumerate(steps)]
    edits.apply_drawn(source, {"key": source.key, "edits": numbered})
    return edits.drawing_of(source)


def test_the_browser_is_told_names_edges_and_steps(session):
    told = drawn({"kind": "add-vertex", "name": "x", "joined": ["3"]})
    assert told["names"] == ["0", "1", "2", "3", "x"]
    assert told["edges"] == [[0, 1], [1, 2], [2, 3], [3, 4]]
    assert told["labels"] is None
    assert told["isEditable"]
    assert told["steps"] == {"undo": True, "redo": False, "reset": True}
    assert (told["answered"], told["problem"]) == (1, "")
    assert told["fresh"] not in told["names"]


def test_edits_that_are_sent_again_are_made_once(session):
    steps = [{"kind": "add-vertex", "name": name, "joined": []} for name in ("a", "b", "c")]
    drawn(steps[0])
    drawn(*steps[:2])
    assert drawn(*steps)["names"] == ["0", "1", "2", "3", "a", "b", "c"]
    assert edits.history_of(PATH).graph.n_vertices == 7


def test_edits_of_another_graph_are_left_out(session):
    other = ChosenGraph("ring", GraphSet.from_networkx(nx.cycle_graph(4)))
    edits.apply_drawn(other, {"key": PATH.key, "edits": [{"serial": 1, "kind": "undo"}]})
    assert edits.drawing_of(other)["answered"] == 0
    assert drawn({"kind": "remove-edge", "vertices": ["0", "1"]}, source=other)["problem"] == ""
    assert edits.drawing_of(PATH)["answered"] == 0


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ({}, "'None' is no edit of a drawing"),
        ({"kind": ["add-edge"]}, "is no edit of a drawing"),
        ({"kind": "remove-random-edges", "vertices": [1, 2]}, "is no edit of a drawing"),
        ({"kind": "undo"}, "There is no step to undo"),
        ({"kind": "redo"}, "There is no step to redo"),
        ({"kind": "add-edge"}, "does not list vertices"),
        ({"kind": "add-edge", "vertices": "01"}, "does not list vertices"),
        ({"kind": "add-edge", "vertices": ["0"] * 5}, "does not list vertices"),
        ({"kind": "add-edge", "vertices": ["0", "0"]}, "joins two different vertices"),
        ({"kind": "add-edge", "vertices": ["0", "1", "2"]}, "joins two different vertices"),
        ({"kind": "add-edge", "vertices": ["0", "1"]}, "are joined already"),
        ({"kind": "add-edge", "vertices": [0, 2]}, "There is no vertex '0' any more"),
        ({"kind": "add-edge", "vertices": ["0", {}]}, "There is no vertex"),
        ({"kind": "remove-edge", "vertices": ["0", "2"]}, "There is no edge between"),
        ({"kind": "remove-vertices", "vertices": []}, "No vertex is named"),
        ({"kind": "remove-vertices", "vertices": list("0123")}, "No vertex would be left"),
        ({"kind": "add-vertex", "joined": []}, "The name is empty"),
        ({"kind": "add-vertex", "name": "  ", "joined": []}, "The name is empty"),
        ({"kind": "add-vertex", "name": "0", "joined": []}, "There is a vertex '0' already"),
        ({"kind": "add-vertex", "name": "x" * 61, "joined": []}, "at most 60 characters"),
        ({"kind": "add-vertex", "name": "a\u202eb", "joined": []}, "printable"),
        ({"kind": "add-vertex", "name": "x"}, "does not list vertices"),
        ({"kind": "rename", "name": "x"}, "There is no vertex 'None'"),
        ({"kind": "rename", "vertex": "0", "name": "1"}, "There is a vertex '1' already"),
        ({"kind": "rename", "vertex": "0", "name": 7}, "The name is empty"),
        ({"kind": "set-label", "vertex": "0", "label": ""}, "The label is empty"),
        ({"kind": "set-label", "vertex": "9", "label": "C"}, "There is no vertex '9'"),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused_with_a_reason(session, step, problem):
    told = drawn(step)
    assert problem in told["problem"]
    assert told["answered"] == 1
    assert edits.history_of(PATH).graph is PATH.graph
    assert drawn({"kind": "add-edge", "vertices": ["0", "3"]}, first=2)["problem"] == ""


ANYTHING = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=5) | some.just("0"),
    lambda parts: some.lists(parts, max_size=3) | some.dictionaries(some.text(), parts, max_size=3),
    max_leaves=6,
)
STEPS = some.fixed_dictionaries(
    {"serial": some.integers(-1, 3) | ANYTHING},
    optional={
        "kind": some.sampled_from(["add-vertex", "add-edge", "rename", "undo", "reset"]) | ANYTHING,
        **dict.fromkeys(["vertices", "vertex", "name", "label", "joined"], ANYTHING),
    },
)


@given(some.lists(STEPS | ANYTHING, max_size=4) | ANYTHING)
def test_no_message_of_a_browser_breaks_the_page(steps):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", {})
        patch.setattr(st, "query_params", {})
        edits.apply_drawn(PATH, {"key": PATH.key, "edits": steps})
        edits.apply_drawn(PATH, steps)
        told = edits.drawing_of(PATH)
        assert len(set(told["names"])) == len(told["names"]) > 0


def test_names_that_look_the_same_can_be_drawn_but_not_edited(session):
    twins = nx.Graph([(1, "1"), ("1", "x" * 70), ("x" * 70, "x" * 80)])
    told = edits.drawing_of(ChosenGraph("twins", GraphSet.from_networkx(twins)))
    assert len(set(told["names"])) == 4
    assert not told["isEditable"]


def test_a_drawing_grows_up_to_its_limit(session):
    source = ChosenGraph("large", GraphSet.from_networkx(nx.path_graph(edits.MAX_DRAWN - 1)))
    steps = [{"kind": "add-vertex", "name": name, "joined": []} for name in ("a", "b")]
    told = drawn(*steps, source=source)
    assert told["names"][-1] == "a"
    assert "up to 500 can be drawn" in told["problem"]


def test_edits_stay_while_sliders_move_and_the_graph_changes(app):
    press(app, "remove-random")
    words = said(app)
    app.slider(key="T").set_value(3).run()
    assert said(app) == words
    app.selectbox(key="graph").set_value("cycle").run()
    assert said(app) == "the original graph"
    app.selectbox(key="graph").set_value("barbell").run()
    assert said(app) == words


def test_two_users_do_not_see_each_others_edits(open_playground):
    first, second = open_playground("edit"), open_playground("edit")
    press(first, "remove-random")
    second.run()
    assert said(second) == "the original graph"
    assert link(second) == ""
    second.number_input(key="random-seed").set_value(5).run()
    press(second, "remove-random")
    first.run()
    assert said(first) != said(second)


def test_labels_and_attributes_are_in_the_tables(open_playground):
    app = open_playground("edit")
    app.selectbox(key="graph").set_value("houses-on-a-ring").run()
    columns = [list(table.value) for table in app.dataframe]
    assert any({"name", "label"} <= set(names) for names in columns)
    assert any({"from", "to"} <= set(names) for names in columns)


def test_before_and_after_shows_what_changed(open_playground):
    app = open_playground("change")
    assert any("has not been edited yet" in info.value for info in app.info)
    app.segmented_control(key="panel").set_value("edit").run()
    press(app, "remove-random")
    app.segmented_control(key="panel").set_value("change").run()
    assert not app.exception
    labels = {metric.label for metric in app.metric}
    assert {
        "Orbits",
        "WL colour changed",
        "Similarity to before, R",
        "Similarity to before, A",
    } <= labels
    for colour in ("kept", "R", "A", "colour"):
        app.segmented_control(key="change-colour").set_value(colour).run()
        assert not app.exception


def test_the_curve_of_removed_edges_runs_stops_and_goes_on(open_playground, workers):
    workers.rest()
    app = open_playground("perturb", graph="cycle")
    while not workers.advance():
        time.sleep(0.01)
    press(app, "perturb-stop")
    assert any("Press Run to resume" in caption.value for caption in app.caption)
    workers.go_on()
    press(app, "perturb-run")
    for _ in range(200):
        if app.button(key="perturb-stop").disabled:
            break
        time.sleep(0.05)
        app.run()
    assert not app.exception
    assert any("of" in c.value and "measurements." in c.value for c in app.caption)


def test_a_graph_that_was_built_again_is_not_an_edited_one(open_playground):
    app = open_playground("edit")
    app.button(key="remove-random").click().run()
    app.button(key="undo").click().run()
    STORE.clear()
    app.run()
    assert app.button(key="reset").disabled
    assert not any("edited" in text.value for text in app.text)


def test_a_message_of_the_browser_edits_the_graph_and_is_answered(app):
    send(app, {"kind": "remove-edge", "vertices": ["0", "1"]}, {"kind": "add-edge"})
    assert said(app) == "removed edge 0 – 1"
    assert recovered(app) != "7 of 7"
    told = drawing(app)
    assert [0, 1] not in told["edges"]
    assert told["answered"] == 2
    assert "does not list vertices" in told["problem"]
    send(app, {"kind": "undo"})
    assert [0, 1] in drawing(app)["edges"]
    assert drawing(app)["problem"] == ""
    assert recovered(app) == "7 of 7"


@pytest.mark.parametrize("step", ["undo", "redo", "reset"])
def test_steps_can_be_drawn_and_pressed(step, app):
    for vertex in ("1", "2"):
        send(app, {"kind": "remove-edge", "vertices": ["0", vertex]})
    if step == "redo":
        send(app, {"kind": "undo"})
    assert drawing(app)["steps"][step]
    assert not app.button(key=step).disabled
    send(app, {"kind": step})
    after = said(app), recovered(app), drawing(app)["edges"]
    press(app, "redo" if step == "undo" else "undo")
    assert (said(app), recovered(app), drawing(app)["edges"]) != after
    press(app, step)
    assert (said(app), recovered(app), drawing(app)["edges"]) == after


def test_a_graph_that_is_too_large_to_be_drawn_is_a_still_picture(open_playground):
    app = open_playground("edit", graph="path", **{"path-n": "501"})
    assert drawing(app) is None
    assert any("up to 500 vertices can be drawn" in caption.value for caption in app.caption)
    app.slider(key="path-n").set_value(500).run()
    assert drawing(app)["isEditable"]
