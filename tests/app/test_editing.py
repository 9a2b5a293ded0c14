"""Editing in the playground: every edit, undo, redo, reset, and what two users see."""

import time

import pytest


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


def recovered(app):
    (value,) = [m.value for m in app.metric if m.label == "Classes recovered"]
    return value


def test_two_selected_vertices_can_be_parted_and_joined(open_playground):
    app = open_playground("edit", sel="0,1")
    assert app.button(key="toggle-edge").label == "Remove the edge"
    press(app, "toggle-edge")
    assert said(app) == "removed edge 0 – 1"
    assert recovered(app) != "7 of 7"
    assert app.button(key="toggle-edge").label == "Add the edge", "the selection is kept"
    press(app, "toggle-edge")
    assert said(app) == "added edge 0 – 1"
    assert recovered(app) == "7 of 7"


def test_undo_redo_and_reset(app):
    assert app.button(key="undo").disabled
    press(app, "remove-random")
    changed = recovered(app)
    assert changed != "7 of 7"
    press(app, "undo")
    assert recovered(app) == "7 of 7"
    assert app.button(key="undo").disabled
    press(app, "redo")
    assert recovered(app) == changed
    press(app, "reset")
    assert recovered(app) == "7 of 7"
    press(app, "undo")
    assert recovered(app) == changed, "a reset can be undone"


def test_vertices_come_and_go(open_playground):
    app = open_playground("edit", sel="0,1")
    press(app, "add-vertex")
    assert said(app) == "added vertex 30 joined to 0, 1"
    press(app, "remove-vertices")
    assert said(app) == "removed vertices 0, 1"
    app.text_input(key="new-name-2").set_value("30").run()
    press(app, "add-vertex")
    assert len(app.error) == 1
    assert said(app) == "removed vertices 0, 1", "nothing has changed"


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
    assert recovered(second) == "7 of 7"
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
