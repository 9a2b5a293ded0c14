"""Sessions of the pages: opened in a tab of their own with all that was set, or refused."""

from pathlib import Path

import networkx as nx
import pytest
from streamlit.testing.v1 import AppTest

from mpgk_core import GraphSet
from mpgk_core.evaluation import checked_roles, generate
from mpgk_core.export import GivenGraph, GivenRoles, GivenSet, NamedSet, Session, save_session
from tests.app.opening_sessions import APP, followed, given, opened

EVIL = "<img src=x onerror=alert(1)>"
PATH = GraphSet.from_networkx(nx.path_graph(["a", "b", "c", "d", EVIL, "f"]))
MADE = generate("rings", 12)
ROLES = Session(
    "node_classification",
    {"node-T": ("4",), "roles-source": ("Own file",)},
    GivenRoles(EVIL, PATH, checked_roles(["x", "y"] * 3, 6)),
)
VERTICES = Session("tuning", {"tune-last": ("4",), "source": ("Own file",)}, GivenGraph(EVIL, PATH))
SETS = {
    page: Session(
        page,
        {key: (value,), "set-source": ("Own file",), **more},
        GivenSet(EVIL, MADE.graphs, MADE.classes),
    )
    for page, key, value, more in (
        ("tuning", "tune-set-last", "3", {"tune-subject": ("Graphs of a set",)}),
        ("variants", "four-T", "2", {}),
        ("graph_classification", "cv-seed", "7", {}),
    )
}


def words(app):
    return " ".join(item.value for item in [*app.text, *app.caption])


@pytest.fixture
def app(open_page):
    return open_page("pages/node_classification.py")


def test_a_graph_with_roles_is_opened_with_its_settings(app):
    other = opened(app, ROLES)
    assert "6 vertices, 5 edges, 2 roles" in words(other)
    assert other.segmented_control(key="roles-source").value == "loaded"
    assert other.slider(key="node-T").value == 4
    assert "80 vertices" in words(app), "the first tab stays as it was"
    saved = other.session_state["settings of pages"]["node_classification"]
    assert saved == {"node-T": ["4"], "roles-source": ["loaded"], "loaded": saved["loaded"]}
    marked_up = [*other.markdown, *other.caption, *other.error]
    assert not any(EVIL in element.value for element in marked_up)


def test_a_graph_is_opened_with_its_settings(app):
    other = opened(app, VERTICES)
    assert "6 vertices, 5 edges" in words(other)
    assert other.segmented_control(key="source").value == "loaded"
    assert other.slider(key="tune-last").value == 4
    other.segmented_control(key="source").set_value("build").run()
    assert "30 vertices" in words(other)
    other.segmented_control(key="source").set_value("loaded").run()
    assert "6 vertices, 5 edges" in words(other)


@pytest.mark.parametrize("page", SETS)
def test_a_set_is_opened_with_its_settings(app, page):
    other = opened(app, SETS[page])
    assert other.segmented_control(key="set-source").value == "loaded"
    assert "24 graphs" in words(other)
    key, value = next(iter(SETS[page].settings.items()))
    control = other.number_input if page == "graph_classification" else other.slider
    assert control(key=key).value == int(value[0])


def test_a_set_by_name_is_taken_from_this_machine_or_refused(app):
    settings = {"set-source": ("Fetch",), "four-T": ("2",)}
    other = opened(app, Session("variants", settings, NamedSet("MUTAG")))
    assert other.selectbox(key="set").value == "MUTAG"
    assert other.slider(key="four-T").value == 2
    given(app, save_session(Session("variants", settings, NamedSet("NOWHERE"))))
    assert "'NOWHERE' is not on this server" in words(app)
    assert not app.get("link_button")


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda content: content.replace(b'"4"', b'"5"'), "changed after it was saved"),
        (lambda content: content[:-30], "JSON"),
        (lambda content: b'{"nodes": []}', "not a session"),
        (lambda content: b'{"mpgk_session": 1}', "This field is missing"),
    ],
)
def test_a_damaged_session_is_named_and_changes_nothing(app, damage, word):
    app.slider(key="node-T").set_value(3).run()
    given(app, damage(save_session(ROLES)), "damaged.json")
    assert len(app.error) == 1
    (problem,) = [text.value for text in app.text if text.value.startswith("damaged.json")]
    assert word in problem
    assert not app.get("link_button")
    assert app.slider(key="node-T").value == 3
    assert "80 vertices" in words(app)


OLD = Path(__file__).parents[1] / "export" / "old_sessions"


@pytest.mark.parametrize(
    ("file", "key", "shown"),
    [
        ("page_roles", "roles-source", "2 labels, 2 attributes per vertex, 2 roles"),
        ("page_graph", "source", "4 vertices, 3 edges"),
        ("page_set", "set-source", "6 graphs"),
        ("playground_graph", "source", "4 vertices, 3 edges"),
    ],
)
def test_a_session_of_the_released_app_is_opened(app, file, key, shown):
    other = followed(given(app, (OLD / f"{file}.json").read_bytes()))
    assert other.segmented_control(key=key).value == "loaded"
    assert shown in words(other)


def test_a_session_of_the_playground_is_opened_from_another_page(app):
    settings = {"graph": ("cycle",), "cycle-n": ("9",), "T": ("2",), "sel": ("1,3",)}
    other = opened(app, Session("playground", settings))
    assert "9 vertices, 9 edges" in words(other)
    assert other.slider(key="T").value == 2
    assert other.session_state["selected_vertices"][1] == [1, 3]
    given(app, save_session(Session("playground", {"edits": ("1.." * 600,)})), "long.json")
    assert "more edits than a link can" in words(app)
    assert not app.get("link_button")


@pytest.mark.parametrize(
    "page",
    ["node_classification", "tuning", "variants", "graph_classification", "graph_regression"],
)
def test_every_page_saves_its_session(open_page, page):
    app = open_page(f"pages/{page}.py")
    assert "page-session-save" in {button.key for button in app.get("download_button")}


def test_data_that_are_gone_are_missed_in_words():
    app = AppTest.from_file(APP, default_timeout=300).run()
    app.switch_page("pages/variants.py")
    app.query_params.update({"loaded": "nothing", "set-source": "Loaded"})
    app.run()
    assert not app.exception
    assert any("have expired" in warning.value for warning in app.warning)
    assert app.segmented_control(key="set-source").value == "here"


def there_and_back(app, page):
    """Go to another page, whose address is another one, and come back."""
    for next_page in ("lessons", page):
        app.query_params.clear()
        app.switch_page(f"pages/{next_page}.py").run()
        assert not app.exception
    return app


@pytest.mark.parametrize(
    ("session", "key", "shown"),
    [
        (ROLES, "roles-source", "6 vertices, 5 edges, 2 roles"),
        (VERTICES, "source", "6 vertices, 5 edges"),
        (SETS["tuning"], "set-source", "24 graphs"),
        (SETS["variants"], "set-source", "24 graphs"),
        (SETS["graph_classification"], "set-source", "24 graphs"),
    ],
)
def test_loaded_data_and_their_address_outlive_a_visit_to_another_page(app, session, key, shown):
    other = opened(app, session)
    asked = other.query_params["loaded"]
    there_and_back(other, session.page)
    assert other.segmented_control(key=key).value == "loaded"
    assert shown in words(other)
    assert other.query_params["loaded"] == asked
    assert not other.warning
