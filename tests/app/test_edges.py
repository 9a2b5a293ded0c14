"""Labels, weights and directions of edges on the pages: control, links, sessions, programs."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.evaluation import Protocol, checked_roles
from mpgk_core.export import (
    ClassificationStudy,
    GeneratedSet,
    GivenGraph,
    GivenRoles,
    GivenSet,
    NodeStudy,
    PresetGraph,
    SweepStudy,
    load_session,
    save_session,
    script,
)
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting import MAX_STYLED
from mpgk_core.tuning import Grid
from tests.app.opening_sessions import loaded, saved_session
from tests.app.shown import recovered, study
from tests.app.test_graph_classification import n_folds, wait_until
from tests.app.test_links import opened
from ui.playground.results import update_formula
from ui.playground.study import study_words
from ui.shared.computed import kernel_of, orbits_of
from ui.shared.widgets import edge_parts, edges_of
from ui.state.choices import ChosenGraph, PictureChoice, keep

POND, RING, ASPIRIN = "pond-food-web", "ring-line", "aspirin"


def edge_boxes(app):
    """Return what is chosen for the edges, by the label of the control."""
    return {one.label: one.value for one in app.selectbox if one.label.startswith("Edges: ")}


def orbit_of(app):
    links = study(app)["links"]
    return dict(zip(links["names"], links["orbit"], strict=True))


def test_directions_separate_plants_from_predators(open_playground):
    app = open_playground(graph=POND)
    assert edge_boxes(app) == {"Edges: directions": "both"}
    assert recovered(app) == "4 of 4"
    orbit = orbit_of(app)
    assert orbit["algae"] == orbit["pondweed"] != orbit["newt"] == orbit["stickleback"]
    assert any("by default" in one.value for one in app.caption)
    app.selectbox(key="edges-directions").set_value("").run()
    assert recovered(app) == "3 of 3"
    orbit = orbit_of(app)
    assert orbit["algae"] == orbit["newt"]
    assert not any("by default" in one.value for one in app.caption)


def test_a_link_holds_the_use_of_edges(open_playground):
    app = open_playground(graph=POND)
    assert "edges" not in app.query_params
    app.selectbox(key="edges-directions").set_value("reverse").run()
    assert app.query_params["edges"] == "reverse"
    other = open_playground(**app.query_params)
    assert edge_boxes(other) == {"Edges: directions": "reverse"}
    assert study(other)["rounds"] == study(app)["rounds"]
    app.selectbox(key="edges-directions").set_value("").run()
    assert app.query_params["edges"] == "ignore"
    assert recovered(open_playground(graph=POND, edges="ignore")) == "3 of 3"
    app.selectbox(key="edges-directions").set_value("both").run()
    assert "edges" not in app.query_params


@pytest.mark.parametrize("text", ["labels", "both+both", "<b>", "weights", "both+follow", "+"])
def test_a_link_to_edges_that_are_not_there_is_named(open_playground, text):
    app = open_playground(graph=POND, edges=text)
    assert edge_boxes(app) == {"Edges: directions": "both"}
    assert any("not available" in one.value for one in app.warning)


def test_only_what_edges_have_and_kernels_can_use_is_offered(open_playground):
    app = open_playground(graph="barbell")
    assert edge_boxes(app) == {}
    app.selectbox(key="graph").set_value(RING).run()
    assert edge_boxes(app) == {"Edges: weights": "weights"}
    app.segmented_control(key="kernel").set_value("A").run()
    assert edge_boxes(app) == {"Edges: weights": "weights/4"}
    assert "Multiply messages" not in app.selectbox(key="edges-weights").options
    app.selectbox(key="graph").set_value("karate-club").run()
    assert edge_boxes(app) == {"Edges: weights": ""}, "presets that do not need them ignore them"


def test_a_page_says_which_weights_it_offers_and_which_edges_it_does_not_draw(open_playground):
    app = open_playground(graph=RING, kernel="A")
    assert any("Weights only in bins" in one.value for one in app.caption)
    app = open_playground(graph=RING, kernel="R")
    assert not any("Weights only in bins" in one.value for one in app.caption)
    many = ChosenGraph("Line", PresetGraph(RING, {"n": MAX_STYLED + 1}).build())
    words = study_words(many, KernelParameters(features="degree"), PictureChoice())
    assert "Above 1,500 vertices, labels, weights and directions" in words["graphTitle"]


def test_a_reset_goes_back_to_what_the_preset_needs(open_playground):
    app = open_playground(graph=ASPIRIN, edges="ignore")
    app.button(key="reset-all").click().run()
    app.selectbox(key="graph").set_value(ASPIRIN).run()
    assert edge_boxes(app) == {"Edges: labels": "labels"}


def test_a_session_holds_the_use_of_edges(open_playground, monkeypatch):
    app = open_playground(graph=POND, edges="follow")
    content = saved_session(app, monkeypatch)
    assert load_session(content).settings["edges"] == ("follow",)
    other = open_playground()
    loaded(other, content)
    assert edge_boxes(other) == {"Edges: directions": "follow"}
    assert study(other)["rounds"] == study(app)["rounds"]
    session = load_session(content)
    damaged = save_session(replace(session, settings={**session.settings, "edges": ("labels",)}))
    loaded(other, damaged)
    assert edge_boxes(other) == {"Edges: directions": "follow"}
    assert any("follow, reverse, both" in one.value for one in other.text)


def test_the_explanation_names_the_edges(open_playground):
    app = open_playground("explain", graph=POND)
    (table,) = [one.value for one in app.dataframe if "edges" in one.value.columns]
    assert set(table["edges"]) <= {"outgoing", "incoming"}


@pytest.mark.parametrize("panel", ["methods", "tree", "perturb", "edit"])
def test_panels_take_weights_that_only_r_can_use(open_playground, panel):
    open_playground(panel, graph=RING)


def labelled(*labels):
    path = nx.path_graph(4)
    for (a, b), label in zip(list(path.edges), labels, strict=True):
        path.edges[a, b]["label"] = label
    return GraphSet.from_networkx(path)


def test_graphs_that_differ_in_edge_labels_alone_share_no_result():
    kernel = KernelParameters(n_iterations=2, features="constant", edges="labels")
    plain = KernelParameters(n_iterations=2, features="constant")
    first, second = (ChosenGraph("Mine", labelled(*labels)) for labels in ("aba", "aab"))
    assert orbits_of(first, "labels").n_orbits == 2
    assert orbits_of(second, "labels").n_orbits == 4
    assert orbits_of(first, "ignore").n_orbits == orbits_of(second, "ignore").n_orbits == 2
    for chosen in (first, second):
        exact = MessagePassingNodeKernel(**kernel.settings()).fit_transform(chosen.graph)
        np.testing.assert_array_equal(kernel_of(chosen, kernel).kernel_at(2), exact)
    assert not np.allclose(
        kernel_of(first, kernel).kernel_at(2), kernel_of(first, plain).kernel_at(2)
    )


@pytest.fixture
def molecules():
    """Chains of atoms, whose classes only the bonds tell apart."""
    graphs = GraphSet.from_networkx(
        [labelled(*("aab" if i % 2 else "aba")).to_networkx()[0] for i in range(24)]
    )
    return GivenSet("Chains", graphs, tuple("xy"[i % 2] for i in range(24)))


@pytest.mark.parametrize(
    ("page", "key", "query"),
    [
        ("graph_classification", "set-edges", {}),
        ("variants", "four-edges", {}),
        ("tuning", "tune-set-edges", {"tune-subject": "graphs"}),
    ],
)
def test_pages_about_sets_offer_the_edges(molecules, page, key, query):
    from_file = {"set-source": "loaded", "loaded": keep(molecules), key: "labels"}
    app = opened(page, query | from_file)
    assert edge_boxes(app) == {"Edges: labels": "labels"}
    if page == "graph_classification":
        app.selectbox(key="edges-by").set_value("folds").run()
        assert edge_boxes(app) == {}
        app.selectbox(key="edges-by").set_value("own").run()
        app.selectbox(key="set-edges-labels").set_value("").run()
        assert app.query_params.get("edges-by") == "own"
        app.selectbox(key="set-edges-labels").set_value("labels").run()
    if page == "graph_classification":
        app.multiselect(key="methods").set_value(["RR", "WL", "size"]).run()
        app.button(key="classify-run").click().run()
        wait_until(app, lambda app: n_folds(app) == [10, 10, 10])
        tables = [one.value for one in app.dataframe]
        (table,) = [table for table in tables if {"edges", "folds"} <= {*table.columns}]
        by_kernel = dict(zip(table["kernel"], table["edges"], strict=True))
        accuracy = dict(zip(table["kernel"], table["accuracy (%)"], strict=True))
        assert by_kernel["Message passing, RR"] == "labels"
        assert by_kernel["Weisfeiler-Lehman subtree"] == "labels"
        assert by_kernel["Graph size (vertices and edges only)"] == "ignore"
        assert accuracy["Message passing, RR"] == 100
        assert accuracy["Graph size (vertices and edges only)"] < 100


def test_node_classification_and_tuning_of_a_graph_offer_the_edges(open_page):
    app = open_page("pages/tuning.py")
    app.selectbox(key="graph").set_value(POND).run()
    assert edge_boxes(app) == {"Edges: directions": "both"}
    assert not app.exception
    web = PresetGraph(POND).build()
    roles = GivenRoles("Pond", web, checked_roles(list(web.labels), web.n_vertices))
    query = {"roles-source": "loaded", "loaded": keep(roles), "node-edges": "both"}
    app = opened("node_classification", query)
    assert edge_boxes(app) == {"Edges: directions": "both"}


@pytest.mark.parametrize(
    "study",
    [
        NodeStudy(PresetGraph(POND), KernelParameters(n_iterations=2, edges="both")),
        SweepStudy(PresetGraph(RING), Grid((0.5,), (0.5,), (1,), edges="weights")),
        ClassificationStudy(
            GeneratedSet("rings", 10), ("WL",), Protocol(2, 1, iterations=(1,)), "both"
        ),
    ],
)
def test_programs_hold_the_use_of_edges_and_run(study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = script(study)
    assert "edges='both'" in text or "edges='weights'" in text
    assert any("edges-" in part for part in study.file_parts())
    names = {}
    exec(compile(text, "script.py", "exec"), names)  # the program of a user
    assert list(tmp_path.iterdir())
    if isinstance(study, NodeStudy):
        assert names["roles"].n_orbits == 4


def test_the_text_of_an_address_is_read_part_by_part():
    graph = nx.MultiDiGraph()
    graph.add_edge(0, 1, label="a", weight=2.0)
    offered = edges_of(GraphSet.from_networkx(graph), can_multiply=True)
    assert list(offered) == ["labels", "weights", "directions"]
    expected = {"labels": "labels", "weights": "", "directions": "both"}
    assert edge_parts("labels+both", offered) == edge_parts("both labels", offered) == expected
    assert edge_parts("ignore", offered) == dict.fromkeys(offered, "")
    for text in ("", "labels+labels", "weights/3", "ignore+labels", "labels+"):
        assert edge_parts(text, offered) is None


def test_the_formula_shows_what_is_used():
    assert "w_{vv'}" in update_formula(KernelParameters(edges="weights"))
    assert "N_b" in update_formula(KernelParameters(edges="labels"))
    assert "N_b" not in update_formula(KernelParameters(edges="follow"))


def test_an_edit_sets_label_weight_and_direction_of_an_edge(open_playground):
    app = open_playground("edit", graph="path", **{"path-n": "4"})
    assert edge_boxes(app) == {}
    assert not any(one.key == "set-edge" for one in app.button), "no edge is chosen yet"
    next(one for one in app.selectbox if one.label == "Edge").set_value((0, 1)).run()
    field = next(one for one in app.text_input if one.label == "Label")
    field.set_value("=").run()
    next(one for one in app.selectbox if one.label == "Direction").set_value("0 → 1").run()
    app.button(key="set-edge").click().run()
    assert not app.exception
    assert edge_boxes(app) == {"Edges: labels": "", "Edges: directions": ""}
    app.selectbox(key="edges-labels").set_value("labels").run()
    assert recovered(app) == "4 of 4"
    other = open_playground(**app.query_params)
    assert study(other)["edges"] == study(app)["edges"]
    assert study(app)["rounds"] == study(other)["rounds"]


def test_untouched_edges_keep_their_facts_when_another_is_drawn(open_playground, draw):
    app = open_playground(graph=ASPIRIN)
    draw(app, "add-edge", vertices=["O3", "O4"])
    looks, edges = (study(app)["edges"][key] for key in ("looks", "edges"))
    labels = [looks[look]["words"] for _, _, look, *_ in edges]
    assert len(edges) == 14
    assert labels.count("double") == 2


def test_the_picture_says_what_its_edges_mean(open_playground):
    shown = study(open_playground(graph=POND))
    assert shown["words"]["graph"].endswith("Edges: directions by arrows.")
    shown = study(open_playground(graph=POND, edges="ignore"))
    assert "directions by arrows (not used by the kernel)" in shown["words"]["graph"]
    assert study(open_playground(graph="barbell"))["edges"] is None
    large = study(open_playground(graph=RING, **{"ring-line-n": "501"}))
    assert large["edges"] is None, "a still picture has its own traces"
    assert large["words"]["graphTitle"].endswith("in it. Edges: weights by width")


def test_an_own_graph_keeps_its_edges_in_sessions_and_programs(
    open_playground, monkeypatch, tmp_path
):
    app = open_playground(source="loaded", loaded=keep(GivenGraph("Mine", labelled(*"aab"))))
    app.selectbox(key="edges-labels").set_value("labels").run()
    assert recovered(app) == "4 of 4"
    content = saved_session(app, monkeypatch)
    other = open_playground()
    loaded(other, content)
    assert edge_boxes(other) == {"Edges: labels": "labels"}
    assert study(other)["rounds"] == study(app)["rounds"]
    monkeypatch.chdir(tmp_path)
    kernel = KernelParameters(n_iterations=1, features="constant", edges="labels")
    names = {}
    exec(script(NodeStudy(GivenGraph("Mine", labelled(*"aab")), kernel)), names)
    assert names["roles"].n_orbits == 4


def test_bonds_of_mutag_are_offered_and_change_the_kernels(charts):
    plain = opened("variants", {"four-T": "2"})
    assert edge_boxes(plain) == {"Edges: labels": ""}
    bonds = opened("variants", {"four-T": "2", "four-edges": "labels"})
    first, second = ([one.value for one in app.metric] for app in (plain, bonds))
    assert len(first) == 4
    assert first != second
