"""Sessions loaded and refused, settings kept side by side, and files that are offered."""

from pathlib import Path

import networkx as nx
import pytest
from streamlit.testing.v1 import AppTest

from mpgk_core import GraphSet
from mpgk_core.evaluation import (
    LearningCurve,
    NodeProtocol,
    Protocol,
    checked_roles,
    evaluate,
    generate,
    learning_curve,
    table_spec,
)
from mpgk_core.export import GeneratedSet, GivenGraph, Session, load_session, save_session
from mpgk_core.kernels.update import KernelParameters
from tests.app.opening_sessions import loaded, opened, saved_session
from tests.app.shown import numbers, recovered, study
from ui.classification.export import classification_report, role_report
from ui.sources.roles import ChosenRoles
from ui.sources.sets import ChosenSet
from ui.state.choices import ChosenGraph

APP = str(Path(__file__).parents[2] / "app.py")
EVIL = "<img src=x onerror=alert(1)>"
OLD = Path(__file__).parents[1] / "export" / "old_sessions"
SESSION = (OLD / "playground_preset.json").read_bytes()
OWN = (OLD / "playground_plain.json").read_bytes()


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=120).run()


def settings(app):
    """Return what every control is set to, and the numbers that are shown."""
    kinds = [app.slider, app.selectbox, app.multiselect, app.toggle, app.number_input]
    controls = {control.key: control.value for kind in kinds for control in kind}
    controls["kernel"] = app.segmented_control(key="kernel").value
    shown = {"rounds": numbers(app), "selection": app.session_state["selected_vertices"]}
    return controls | shown


def kept(app):
    return [button.label for button in app.button if button.label.startswith("Remove")]


def test_a_session_sets_every_control(app):
    loaded(app, SESSION)
    now = settings(app)
    assert app.segmented_control(key="kernel").value == "A"
    assert {key: now[key] for key in ("graph", "barbell-h", "T", "alpha", "beta", "cosine")} == {
        "graph": "barbell",
        "barbell-h": 6,
        "T": 3,
        "alpha": 0.6,
        "beta": 0.4,
        "cosine": True,
    }
    assert {key: now[key] for key in ("branching", "depth", "seed", "clusters")} == {
        "branching": 3,
        "depth": 5,
        "seed": 7,
        "clusters": 3,
    }
    assert now["features"] == ["degree", "triangles"]
    assert (now["colour"], now["layout"], now["axes"], now["three"]) == (
        "clusters",
        "circle",
        "rank",
        True,
    )
    assert now["selection"][1] == [2, 3]


def test_a_saved_session_sets_every_control_in_another_browser(app, monkeypatch):
    loaded(app, SESSION)
    content = saved_session(app, monkeypatch)
    assert load_session(content).page == "playground"
    other = AppTest.from_file(APP, default_timeout=120).run()
    usual = settings(other)
    untouched = saved_session(other, monkeypatch)
    other.slider(key="beta").set_value(0.9).run()
    loaded(other, content)
    assert settings(other) == settings(app)
    loaded(other, untouched, "untouched.json")
    now = settings(other)
    assert {key: now[key] for key in usual if key != "selection"} == {
        key: usual[key] for key in usual if key != "selection"
    }
    assert now["selection"][1] == []


SHOWN = {
    "source": "sample",
    "sample": "florentine_families.gexf",
    "kernel": "A",
    "beside": "deepwalk",
    "axes": "equal",
    "colour": "attribute",
    "features": ["attributes-standardised"],
    "sel": "1,2",
}


@pytest.mark.parametrize(
    "query", [{}, {"kernel": "A", "colour": "clusters", "barbell-h": "8", "features": ""}, SHOWN]
)
def test_a_session_holds_the_value_of_every_control(query, monkeypatch):
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(query)
    app.run()
    content = saved_session(app, monkeypatch)
    saved = load_session(content).settings
    held = {key: value for key, value in settings(app).items() if key not in ("rounds", "sample")}
    held |= {"sel": ",".join(map(str, held.pop("selection")[1])), "large": False}
    for key, value in held.items():
        texts = value if isinstance(value, list) else [value]
        expected = [str(text).lower() if isinstance(text, bool) else str(text) for text in texts]
        if key not in ("large", "sel") or value:
            assert list(saved[key]) == (expected or [""]), key
    other = AppTest.from_file(APP, default_timeout=120).run()
    other.slider(key="T").set_value(2).run()
    loaded(other, content)
    assert study(other) == study(app)
    assert {key: held[key] for key in held if key in settings(other)} == {
        key: value for key, value in settings(other).items() if key in held
    }


def test_a_session_means_the_same_when_defaults_have_changed(app, monkeypatch):
    content = saved_session(app, monkeypatch)
    before = settings(app)
    later = "kernel=A&T=2&alpha=0.1&beta=1&features=constant&cosine=false&axes=rank&layout=circle"
    monkeypatch.setattr("ui.sessions._DEFAULTS", later)
    loaded(app, content)
    assert {**settings(app), "selection": None} == {**before, "selection": None}


OLDER = Session("playground", {"graph": ("barbell",), "T": ("4",), "rank": ("true",)})


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_a_session_that_leaves_defaults_out_means_those_of_its_time(app, is_elsewhere):
    if is_elsewhere:
        app.switch_page("pages/tuning.py").run()
        app = opened(app, OLDER)
    else:
        loaded(app, save_session(OLDER))
    now = settings(app)
    assert (now["T"], now["features"], now["cosine"]) == (4, ["degree"], False)
    assert (now["axes"], now["layout"]) == ("rank", "spring")
    if not is_elsewhere:
        loaded(app, save_session(Session("playground", {})), "bare.json")
        assert settings(app)["axes"] == "stretch"


def test_a_session_replaces_the_second_plane(app, monkeypatch):
    app.selectbox(key="beside").set_value("wl").run()
    content = saved_session(app, monkeypatch)
    loaded(app, save_session(Session("playground", {})), "bare.json")
    assert app.selectbox(key="beside").value == "struc2vec"
    loaded(app, content)
    assert app.selectbox(key="beside").value == "wl"
    large = {"graph": ("path",), "path-n": ("300",), "beside": ("struc2vec",)}
    loaded(app, save_session(Session("playground", large)), "large.json")
    assert app.selectbox(key="beside").value == "deepwalk", "this graph is too large"


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"kernel": ("",)}, "kernel holds ''"),
        ({"layout": ()}, "layout holds ''"),
        ({"axes": ("bent",)}, "axes holds 'bent'"),
        ({"beside": ("<b>",)}, "beside holds '<b>'"),
        ({"T": ("40",)}, "T is 40"),
        ({"T": ("many",)}, "T is 'many' and not a number"),
        ({"alpha": ("nan",)}, "alpha is nan"),
        ({"barbell-h": ("6000",)}, "'h' parameter"),
        ({"colour": ("label",)}, "colour holds 'label'"),
        ({"features": ("degree", "<b>")}, "features holds '<b>'"),
        ({"sel": ("2,300",)}, "selection holds '300'"),
        ({"edits": ("1..00000000..c0.1",)}, "another graph"),
    ],
)
def test_a_session_that_cannot_be_shown_changes_nothing(app, changes, word):
    app.slider(key="T").set_value(4).run()
    before = settings(app)
    loaded(app, save_session(Session("playground", changes)), "wrong.json")
    assert settings(app) == before
    (problem,) = [text.value for text in app.text if text.value.startswith("wrong.json")]
    assert word in problem


def test_a_session_of_another_page_is_refused_on_the_playground(app):
    loaded(app, save_session(Session("tuning", {"tune-last": ("4",)})), "tuning.json")
    (problem,) = [text.value for text in app.text if text.value.startswith("tuning.json")]
    assert "a session of the page “tuning”" in problem


def test_a_graph_of_ones_own_is_loaded_and_stays_at_hand(app):
    loaded(app, OWN)
    assert app.segmented_control(key="source").value == "loaded"
    assert recovered(app) == "2 of 2"
    assert settings(app)["selection"][1] == [2]
    app.segmented_control(key="source").set_value("build").run()
    assert recovered(app) == "7 of 7"
    app.segmented_control(key="source").set_value("loaded").run()
    assert recovered(app) == "2 of 2"
    marked_up = [*app.markdown, *app.caption, *app.error]
    assert not any(EVIL in element.value for element in marked_up)


def test_a_graph_that_is_loaded_later_takes_the_place_of_the_first(app):
    loaded(app, OWN)
    asked = app.query_params["loaded"]
    other = Session("playground", {}, GivenGraph("other", GraphSet.from_networkx(nx.path_graph(7))))
    loaded(app, save_session(other), "other.json")
    assert any("other: 7 vertices" in text.value for text in app.text)
    assert app.query_params["loaded"] != asked


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('"mpgk_session": 1', '"mpgk_session": 9', "version"),
        ('"alpha": 0.6', '"alpha": -1', "alpha"),
        ('"alpha": 0.6', '"alpha": 1.5', "alpha is 1.5"),
        ('"n_iterations": 3', '"n_iterations": 40', "T is 40"),
        ('"random_state": 7', '"random_state": 123456', "seed is 123456"),
        ('"colour": "clusters"', '"colour": "label"', "colour holds 'label'"),
        ("degree+triangles", "attributes", "features"),
        ('"h": 6', '"h": 6000', "'h' parameter"),
        ("[2, 3]", "[2, 300]", "selection"),
        ('"layout": "circle"', '"layout": "moon"', "layout holds 'moon'"),
        ('"widgets"', '"edits": "1..00000000..c0.1", "widgets"', "another graph"),
        ("}", "", "JSON"),
    ],
)
def test_a_damaged_session_is_named_and_changes_nothing(app, old, new, word):
    app.slider(key="T").set_value(4).run()
    before = settings(app)
    damaged = SESSION.decode().replace(old, new)
    assert damaged != SESSION.decode()
    loaded(app, damaged.encode(), "damaged.json")
    assert settings(app) == before
    assert len(app.error) == 1
    problems = [text.value for text in app.text if text.value.startswith("damaged.json")]
    assert len(problems) == 1
    assert word in problems[0]
    loaded(app, SESSION)
    assert not app.error


def test_four_settings_are_kept_and_only_differences_are_listed(app):
    for T in (5, 2, 3, 4):
        app.slider(key="T").set_value(T).run()
        assert not app.button(key="keep").disabled
        app.button(key="keep").click().run()
        assert app.button(key="keep").disabled
        assert not app.exception
    app.slider(key="T").set_value(1).run()
    assert app.button(key="keep").disabled, "four are enough"
    (table,) = [frame.value for frame in app.dataframe]
    assert list(table["what differs"]) == ["rounds T", "classes recovered", "distinct points"]
    assert list(table.iloc[0])[1:] == ["5", "2", "3", "4"]
    app.button(key="remove-2").click().run()
    assert kept(app) == ["Remove 1", "Remove 3", "Remove 4"]
    app.button(key="keep").click().run()
    assert kept(app) == ["Remove 1", "Remove 3", "Remove 4", "Remove 2"]


def test_another_number_of_clusters_is_a_difference(app):
    app.selectbox(key="colour").set_value("clusters").run()
    for n in (3, 5):
        app.slider(key="clusters").set_value(n).run()
        app.button(key="keep").click().run()
    (table,) = [frame.value for frame in app.dataframe]
    assert list(table["what differs"]) == ["clusters"]


def test_another_graph_is_shown_beside_but_not_laid_on_the_first(app):
    app.button(key="keep").click().run()
    app.selectbox(key="graph").set_value("houses-on-a-ring").run()
    app.button(key="keep").click().run()
    assert not app.exception
    assert any("does not apply to 2" in caption.value for caption in app.caption)


def test_nothing_is_drawn_in_a_closed_box_and_every_file_in_an_open_one(app):
    assert not app.get("download_button")
    app.session_state["takeaway"] = True
    app.run()
    offered = {button.key for button in app.get("download_button")}
    assert offered == {
        "take-embedding-csv",
        "take-embedding-npz",
        "take-kernel-csv",
        "take-kernel-npz",
        "take-graphml",
        "take-json",
        "take-script",
        "take-notebook",
        "take-report",
        "take-session",
    }
    app.selectbox(key="graph").set_value("erdos-renyi").run()
    app.toggle(key="large").set_value(True).run()
    app.slider(key="erdos-renyi-n").set_value(3_000).run()
    refused = {button.key for button in app.get("download_button") if button.disabled}
    assert refused == {"take-kernel-csv", "take-kernel-npz"}


def test_a_classification_is_reported_with_its_protocol():
    made = generate("rings", 6)
    protocol = Protocol(n_folds=2, n_repeats=1, inner_folds=2, random_state=41)
    found = [
        evaluate(made.graphs, made.classes, table_spec(method, made.graphs), protocol)
        for method in ("size", "WL")
    ]
    chosen = ChosenSet(EVIL, made.graphs, made.classes, EVIL, GeneratedSet("rings", 6))
    page = classification_report(chosen, found)
    assert page.count('class="plot"') == 4, "accuracies, comparison, and confusions of both"
    assert '<td>random_state</td><td class="number">41</td>' in page
    assert EVIL not in page


def test_learning_curves_are_reported_with_their_numbers():
    graph = GraphSet.from_networkx(nx.path_graph(12))
    roles = checked_roles([EVIL, "b"] * 6, 12)
    protocol = NodeProtocol((0.5,), 2, random_state=41)
    kernel = KernelParameters(n_iterations=2, features="degree")
    trials = learning_curve(graph, roles, ["R"], ["knn"], protocol, **kernel.passing())
    chosen = ChosenRoles(ChosenGraph(EVIL, graph), roles)
    page = role_report(chosen, LearningCurve(roles, tuple(trials)), protocol, kernel)
    assert page.count('class="plot"') == 1
    assert '<td>random_state</td><td class="number">41</td>' in page
    assert "<td>50 %</td>" in page
    assert EVIL not in page
