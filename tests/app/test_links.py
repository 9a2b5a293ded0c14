"""Links: they hold stable keys, and those of the released app still open."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opening_sessions import loaded, saved_session
from tests.app.shown import drawing, given, numbers, study
from tests.app.test_editing import press, said
from ui.state.address import read_choices

APP = str(Path(__file__).parents[2] / "app.py")
RELEASED = json.loads(Path(__file__).with_name("released_labels.json").read_text(encoding="utf-8"))
"""For every choice of the released app: what its links called an option, and which one it was."""


def opened(page="playground", query=None):
    app = AppTest.from_file(APP, default_timeout=300)
    if page != "playground":
        app.run()
        app.switch_page(f"pages/{page}.py")
    for key, value in (query or {}).items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app.run()  # widgets of the very first run have other identities


def choices(app):
    """Return all boxes and buttons with options, by key."""
    return {
        element.key: element
        for kind in ("selectbox", "multiselect", "button_group", "segmented_control", "pills")
        for element in app.get(kind)
    }


@pytest.mark.parametrize("key", RELEASED)
def test_every_label_of_the_released_app_is_read(key):
    options = list(RELEASED[key].values())
    for label, option in RELEASED[key].items():
        assert read_choices(key, [label], options) == [option]
        assert read_choices(key, [option], options) == [option]
    assert read_choices(key, ["<b>", *RELEASED[key]], options) == list(dict.fromkeys(options))


@pytest.mark.parametrize(
    ("page", "link", "chosen"),
    [
        (
            "playground",
            {
                "graph": "Karate club",
                "kernel": "A: best matching",
                "colour": "Degree",
                "panel": "Before and after",
                "features": ["degree", "triangles"],
            },
            {
                "graph": "karate-club",
                "kernel": "A",
                "colour": "degree",
                "panel": "change",
                "features": ["degree", "triangles"],
            },
        ),
        (
            "playground",
            {"source": "Sample", "sample": "Krackhardt's kite", "layout": "circle"},
            {"source": "sample", "sample": "krackhardt_kite.dot", "layout": "circle"},
        ),
        (
            "tuning",
            {
                "graph": "Star",
                "tune-variants": "A: best matching",
                "tune-values": "5",
                "tune-scores-3": ["Distinct points", "Gap between orbits"],
            },
            {
                "graph": "star",
                "tune-variants": ["A"],
                "tune-values": 5,
                "tune-scores-3": ["points", "gap"],
            },
        ),
        (
            "graph_classification",
            {
                "set-source": "Generated",
                "recipe": "A house, or none",
                "methods": ["Shortest paths"],
                "scope": "Full: 10 × 10",
            },
            {"set-source": "made", "recipe": "motif", "methods": ["SP"], "scope": "full"},
        ),
        (
            "node_classification",
            {"roles": "Mirrored karate club", "node-methods": "Degree only", "classifier": "k-NN"},
            {"roles": "karate", "node-methods": ["degree"], "classifier": "knn"},
        ),
        ("variants", {"four-view": "The whole set"}, {"four-view": "set"}),
    ],
)
def test_a_link_of_the_released_app_opens_with_the_same_choices(page, link, chosen):
    app = opened(page, link)
    found = choices(app)
    assert {key: found[key].value for key in chosen} == chosen
    texts = {
        key: [str(option) for option in (value if isinstance(value, list) else [value])]
        for key, value in chosen.items()
    }
    address = {key: app.query_params[key] for key in chosen}
    assert {
        key: value if isinstance(value, list) else [value] for key, value in address.items()
    } == texts


@pytest.mark.parametrize(
    ("page", "queries"),
    [
        ("playground", [{"panel": panel} for panel in ("explain", "tree", "edit", "perturb")]),
        ("playground", [{"source": "sample", "sample": "MUTAG.zip"}, {"source": "file"}]),
        ("tuning", [{}, {"tune-subject": "graphs"}]),
        ("graph_classification", [{}, {"set-source": "made"}]),
        ("graph_regression", [{}]),
        ("node_classification", [{}]),
        ("variants", [{}]),
    ],
)
def test_no_choice_is_in_the_address_by_its_label(page, queries):
    for query in queries:
        app = opened(page, query)
        for key, element in choices(app).items():
            assert not element.proto.query_param_key, f"{key} writes labels into the address"


def test_every_choice_of_the_playground_is_in_the_address_by_its_key():
    app = opened()
    seen = set()
    for key in choices(app):
        if key in app.session_state["visits of the address"]:
            element = choices(app)[key]
            before = element.value
            options = element.options
            element.set_value([] if isinstance(before, list) else _other(key, app)).run()
            assert not app.exception
            assert app.query_params[key] not in ([*options] if key in RELEASED else [])
            seen.add(key)
    assert {
        *("source", "graph", "kernel", "features", "colour", "layout", "panel", "axes", "beside")
    } <= seen


def _other(key, app):
    """Return another option than the one that is chosen."""
    options = {"layout": ["circle"], "axes": ["equal"], "beside": ["wl"]}
    options |= {name: list(RELEASED[name].values()) for name in RELEASED}
    (other, *_) = (o for o in options[key] if o not in (choices(app)[key].value, "loaded", "file"))
    return other


def test_an_address_that_makes_no_sense_shows_the_default():
    app = opened(query={"graph": "<script>", "kernel": "", "features": ["x", "y"], "panel": "z"})
    found = choices(app)
    assert found["graph"].value == "barbell"
    assert found["kernel"].value == "R"
    assert found["features"].value == ["degree-label"]
    assert found["panel"].value == ""
    assert not set(app.query_params) & {"graph", "kernel", "features", "panel"}


def test_no_feature_at_all_is_a_choice_that_travels():
    app = opened(query={"features": ""})
    assert choices(app)["features"].value == []
    assert app.query_params["features"] == ""


def offered(app):
    return [button.key for button in app.get("download_button")]


def test_edits_travel_with_the_link_and_follow_undo_redo_and_reset(draw):
    app = opened(query={"sel": "0,1", "panel": "edit", "barbell-h": "8"})
    assert "edits" not in app.query_params
    draw(app, "remove-edge", vertices=["0", "1"])
    first = app.query_params["edits"]
    draw(app, "add-vertex", name="26", joined=["0", "1"])
    both = app.query_params["edits"]
    other = opened(query=app.query_params)
    assert said(other) == "added vertex 26 joined to 0, 1; removed edge 0 – 1"
    assert study(other) == study(app)
    assert given(other)["selection"] == given(app)["selection"]
    assert other.query_params == app.query_params
    assert other.session_state["selected_vertices"][1] == [0, 1]
    press(app, "undo")
    assert app.query_params["edits"] == first
    press(app, "redo")
    assert app.query_params["edits"] == both
    press(app, "reset")
    assert "edits" not in app.query_params
    press(other, "reset")
    assert "edits" not in other.query_params
    assert press(other, "undo").query_params["edits"] == both, "edits of a link are a step"


def test_edits_belong_to_their_graph():
    app = press(opened(query={"panel": "edit"}), "remove-random")
    edits = app.query_params["edits"]
    app.selectbox(key="graph").set_value("cycle").run()
    assert "edits" not in app.query_params
    app.selectbox(key="graph").set_value("barbell").run()
    assert app.query_params["edits"] == edits


@pytest.mark.parametrize(
    "edits", ["2..00000000..c0.1", "1..00000000..c0.1", "<script>", "1....v_i7" * 999]
)
def test_edits_that_cannot_be_applied_leave_the_graph_and_say_so(edits):
    app = opened(query={"panel": "edit", "edits": edits})
    (problem,) = [text.value for text in app.text if "in this link" in text.value]
    assert problem.startswith("The edits in this link could not be applied: ")
    assert said(app) == "the original graph"
    assert "edits" not in app.query_params


def test_many_random_edges_are_short_and_many_single_edits_are_offered_as_a_file(monkeypatch):
    app = opened(query={"panel": "edit", "graph": "complete", "complete-n": "20"})
    app.number_input(key="n-random").set_value(150).run()
    press(app, "remove-random")
    assert len(app.query_params["edits"]) < 40
    assert "link-session" not in offered(app)
    monkeypatch.setattr("ui.playground.edits.MAX_EDIT_TEXT", 10)
    app.run()
    assert "edits" not in app.query_params
    assert any("shows the unedited graph" in caption.value for caption in app.caption)
    assert "link-session" in offered(app)


def test_the_link_of_an_uploaded_graph_says_that_it_cannot_hold_it():
    app = opened(query={"source": "file", "panel": "edit"})
    app.file_uploader(key="upload").set_value(("a.csv", b"a,b\nb,c\nc,d\n", "text/csv")).run()
    assert any("cannot hold an uploaded graph" in caption.value for caption in app.caption)
    press(app, "remove-random")
    assert "edits" not in app.query_params
    assert "link-session" in offered(app)


@pytest.mark.parametrize("source", ["build", "sample"])
def test_a_session_file_keeps_edits_and_places_of_vertices(source, monkeypatch, draw):
    query = {"source": source, "sample": "karate_club.gml", "sel": "0,1", "panel": "edit"}
    app = opened(query=query)
    one, other, *_ = drawing(app)["names"]
    draw(app, "remove-edge", vertices=[one, other])
    draw(app, "add-vertex", name="new", joined=[one, other])
    content = saved_session(app, monkeypatch)
    other = opened(query={"panel": "edit"})
    loaded(other, content)
    assert _places(other) == _places(app)
    assert said(other).startswith("added vertex")
    assert said(press(other, "undo")) == "the original graph", "edits of a session are a step"


def _places(app):
    vertices = study(app)["figures"]["graph"]["data"][1]
    return vertices["x"], vertices["y"]


def test_sliders_of_a_preset_are_fine_enough_to_drag():
    app = opened()
    assert (app.slider(key="barbell-h").max, app.slider(key="barbell-k").max) == (20, 30)
    assert not app.toggle(key="large").value


def test_larger_graphs_have_the_whole_range_and_keep_the_values():
    app = opened()
    app.slider(key="barbell-k").set_value(12).run()
    app.toggle(key="large").set_value(True).run()
    assert not app.exception
    assert (app.slider(key="barbell-h").max, app.slider(key="barbell-k").max) == (60, 200)
    assert (app.slider(key="barbell-h").value, app.slider(key="barbell-k").value) == (10, 12)
    app.slider(key="barbell-k").set_value(150).run()
    assert app.slider(key="barbell-k").value == 150
    app.toggle(key="large").set_value(False).run()
    assert not app.exception
    assert (app.slider(key="barbell-k").max, app.slider(key="barbell-k").value) == (30, 30)
    assert not app.toggle(key="large").value
    assert app.slider(key="barbell-h").value == 10


def test_a_link_to_a_larger_graph_opens():
    app = opened(query={"barbell-h": "8", "barbell-k": "150"})
    assert (app.slider(key="barbell-h").value, app.slider(key="barbell-k").value) == (8, 150)
    assert app.toggle(key="large").value
    assert app.query_params["barbell-k"] == "150"


@pytest.mark.parametrize("text", ["9999", "-1", "many", ""])
def test_a_link_beyond_all_ranges_shows_the_default(text):
    app = opened(query={"barbell-k": text})
    assert app.slider(key="barbell-k").value == 10
    assert not app.toggle(key="large").value


def test_a_session_of_a_larger_graph_opens(monkeypatch):
    content = saved_session(opened(query={"barbell-k": "150"}), monkeypatch)
    app = opened()
    loaded(app, content)
    assert app.slider(key="barbell-k").value == 150


def test_a_graph_without_fine_ranges_has_no_switch():
    assert "large" not in [toggle.key for toggle in opened(query={"graph": "petersen"}).toggle]


def test_layouts_of_old_links_still_open():
    for layout in ("spring", "circle", "spectral", "rings"):
        assert opened(query={"layout": layout}).selectbox(key="layout").value == layout
    assert opened().selectbox(key="layout").value == "natural"


def test_presets_are_drawn_in_their_own_layout():
    app = opened(query={"graph": "watts-strogatz"})
    circle = opened(query={"graph": "watts-strogatz", "layout": "circle"})
    spring = opened(query={"graph": "watts-strogatz", "layout": "spring"})
    assert _places(app) == _places(circle) != _places(spring)


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ({"graph": "moon"}, ["graph=moon"]),
        ({"T": "99"}, ["T=99"]),
        ({"T": "-1"}, ["T=-1"]),
        ({"T": "2.5"}, ["T=2.5"]),
        ({"seed": "1e-1", "kernel": "A"}, ["seed=1e-1"]),
        ({"alpha": "x"}, ["alpha=x"]),
        ({"beta": "nan"}, ["beta=nan"]),
        ({"features": "foo"}, ["features=foo"]),
        ({"features": ["degree", "foo"]}, ["features=degree, foo"]),
        ({"cosine": "perhaps"}, ["cosine=perhaps"]),
        ({"panel": "garden"}, ["panel=garden"]),
        ({"beside": "tea leaves"}, ["beside=tea leaves"]),
        ({"axes": "bent"}, ["axes=bent"]),
        ({"barbell-h": "9999"}, ["barbell-h=9999"]),
        ({"kernel": "A", "depth": "99", "seed": "x"}, ["depth=99", "seed=x"]),
        ({"colour": "<b>**bold**" + "x" * 99}, ["colour=<b>**bold**xxx"]),
    ],
)
def test_what_a_link_asks_for_in_vain_is_named(link, named):
    app = opened(query=link)
    assert all(one in " ".join(broken(app)) for one in named)
    assert numbers(app)[-1].last == 5, "the default, as the page says"
    assert len(broken(app)[0]) < 200
    marked_up = [*app.markdown, *app.caption, *app.error, *app.warning]
    assert not any("<b>" in element.value for element in marked_up)
    assert broken(app.run()) == broken(app), "it stays while nothing is done"


def broken(app):
    """Return what the page says of a link that it cannot show whole."""
    is_said = any("not available" in warning.value for warning in app.warning)
    parts = [text.value for text in app.text if "=" in text.value and ": " not in text.value]
    assert is_said == bool(parts)
    return parts


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"graph": "karate-club", "T": "0", "alpha": "1", "beta": "0.33", "features": ""},
        {"graph": "Karate club", "kernel": "A: best matching", "panel": "Before and after"},
        {"T": "12", "kernel": "A", "depth": "12", "seed": "9999", "cosine": "false"},
        {"barbell-k": "150", "three": "true", "rank": "true", "layout": "rings"},
        {"rank": "false", "panel": "", "beside": "wl", "axes": "equal", "sel": "1,2"},
        {"source": "sample", "sample": "krackhardt_kite.dot"},
    ],
)
def test_of_a_good_link_nothing_is_said(link):
    assert broken(opened(query=link)) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda app: app.selectbox(key="graph").set_value("cycle"),
        lambda app: app.slider(key="T").set_value(3),
        lambda app: app.segmented_control(key="panel").set_value("matrix"),
        lambda app: app.multiselect(key="features").set_value(["degree"]),
        lambda app: app.toggle(key="cosine").set_value(False),
    ],
)
def test_a_link_is_no_longer_complained_of_when_something_else_is_chosen(change):
    app = opened(query={"graph": "moon", "T": "99", "features": "foo"})
    assert broken(app)
    change(app).run()
    assert not app.exception
    assert broken(app) == []
    assert broken(app.run()) == []


def test_a_link_to_another_page_is_not_complained_of_on_the_playground():
    app = opened("tuning", {"graph": "moon", "tune-last": "999"})
    app.query_params.clear()
    app.switch_page("pages/playground.py").run()
    assert not app.exception
    assert broken(app) == []


def everything(app):
    """Return what all controls are set to, and what is drawn."""
    controls = [*app.slider, *app.selectbox, *app.multiselect, *app.toggle, *app.segmented_control]
    return {control.key: control.value for control in controls}, study(app), given(app)["view"]


def test_reset_all_shows_all_defaults_and_empties_the_address():
    usual = everything(opened())
    app = opened(
        query={
            "graph": "karate-club",
            "kernel": "A",
            "T": "2",
            "features": ["degree", "triangles"],
            "cosine": "false",
            "beside": "wl",
            "axes": "rank",
            "three": "true",
            "colour": "degree",
            "panel": "edit",
            "sel": "1,2",
            "alpha": "x",
        }
    )
    press(app, "remove-random")
    assert everything(app) != usual
    press(app, "reset-all")
    assert app.query_params == {}
    assert everything(app.run()) == usual
    assert app.query_params == {}
    assert given(app)["selection"] == []
    assert broken(app) == []
    app.segmented_control(key="panel").set_value("edit").run()
    assert said(app) == "the original graph"


def test_reset_all_needs_no_graph():
    app = opened(query={"graph": "cycle", "T": "3"})
    press(app, "reset-all")
    app.switch_page("pages/tuning.py").run()
    app.query_params.clear()
    app.switch_page("pages/playground.py").run()
    assert not app.exception
    assert everything(app)[0]["graph"] == "barbell", "what was reset does not come back"
    assert everything(app)[0]["T"] == 5


def test_links_with_the_old_switch_show_ranks():
    app = opened(query={"rank": "true"})
    assert app.selectbox(key="axes").value == "rank"
    assert app.query_params == {"axes": "rank"}
    assert study(app) == study(opened(query={"axes": "rank"})) != study(opened())
    app.selectbox(key="axes").set_value("fit").run()
    assert app.query_params == {}
    assert study(app) == study(opened())
    assert opened(query={"rank": "false"}).selectbox(key="axes").value == "fit"
    assert opened(query={"rank": "false", "axes": "equal"}).selectbox(key="axes").value == "equal"


def test_methods_that_a_graph_is_too_large_for_are_not_offered():
    app = opened(query={"graph": "path", "path-n": "250"})
    assert app.selectbox(key="beside").value == "struc2vec"
    assert study(app)["words"]["otherTitle"] == "struc2vec"
    app.slider(key="path-n").set_value(251).run()
    assert app.selectbox(key="beside").value == "deepwalk"
    assert study(app)["words"]["otherTitle"] == "DeepWalk"
    assert "beside" not in app.query_params
    app.slider(key="path-n").set_value(250).run()
    assert app.selectbox(key="beside").value == "struc2vec"
