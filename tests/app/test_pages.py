"""The playground without a browser: every control at its ends, and what the numbers say."""

from pathlib import Path

import networkx as nx
import pytest
from streamlit.testing.v1 import AppTest

from mpgk_core import GraphSet, MessagePassingNodeKernel, orbits
from mpgk_core.embedding.methods import VERTEX_METHODS, orbit_separation, vertex_vectors
from mpgk_core.graphs.generators import PRESETS
from mpgk_core.recovery.verdict import verdicts
from tests.app.shown import given, numbers, recovered, study
from tests.extremes import EXTREMES

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=120).run()


def opened(**query):
    app = AppTest.from_file(APP, default_timeout=120)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def test_first_page_shows_that_all_classes_are_recovered(app):
    assert not app.exception
    assert recovered(app) == "7 of 7"
    assert numbers(app)[-1].points == 7
    assert [success.value for success in app.success] == ["All orbits are separated at t = 5."]
    assert "0.8" in app.latex[0].value


def test_first_page_leads_to_the_paper_and_to_the_first_lesson(app):
    assert app.title[0].value == "Which vertices play the same role?"
    assert any("https://arxiv.org/abs/1808.02510" in text.value for text in app.markdown)
    (link,) = [one.proto for one in app.get("page_link") if "lesson 1" in one.proto.label]
    assert link.query_string == "lesson=what-is-similar"


BARBELL = GraphSet.from_networkx(nx.barbell_graph(10, 10))
ORBITS = orbits(BARBELL)


@pytest.mark.parametrize(
    ("query", "kernel"),
    [
        ({}, MessagePassingNodeKernel("R", features="degree-label", normalize=True)),
        (
            {"kernel": "A", "T": "3", "alpha": "0.5", "features": "constant", "cosine": "false"},
            MessagePassingNodeKernel("A", alpha=0.5, n_iterations=3, features="constant"),
        ),
        (
            {"T": "0", "features": "", "beside": "wl"},
            MessagePassingNodeKernel(n_iterations=0, features="constant", normalize=True),
        ),
    ],
)
def test_every_round_has_the_numbers_of_the_engine(query, kernel):
    app = opened(**query)
    found = verdicts(BARBELL, kernel.fit(BARBELL), orbits=ORBITS)
    assert [one[2:] for one in numbers(app)] == [
        (one.n_points, one.n_recovered, one.n_orbits) for one in found
    ]
    last = len(found) - 1
    assert [one[:2] for one in numbers(app)] == [(t, last) for t in range(last + 1)]
    assert study(app)["last"] == last
    for words, one in zip(study(app)["under"]["embedding"], found, strict=True):
        assert words == said_of(one)


def said_of(found):
    """Return what is to be said of a plane: the same numbers, put together in another place."""
    inside = f"≤ {found.largest_spread:.3g}" if found.largest_spread > 1e-12 else "0"
    return (
        f"{found.n_recovered} of {found.n_orbits} orbits recovered. Distances: {inside} inside "
        f"orbits, ≥ {found.smallest_gap:.3g} between them."
    )


@pytest.mark.parametrize("method", VERTEX_METHODS)
def test_under_the_second_plane_stand_the_numbers_of_its_method(method):
    app = opened(beside=method, T="3")
    assert study(app)["words"]["otherTitle"] == VERTEX_METHODS[method].title
    under = study(app)["under"]["other"]
    assert len(under) == 4
    for t, words in enumerate(under):
        vectors = vertex_vectors(method, BARBELL, t)
        assert words.startswith(said_of(orbit_separation(vectors, ORBITS.of_vertex)))
    assert VERTEX_METHODS[method].note in [one.value for one in app.caption]
    assert (len(set(under)) > 1) == (method == "wl"), "only colours have rounds"
    is_proximity = "far apart in the graph" in under[0]
    assert is_proximity == (method in ("deepwalk", "node2vec", "line", "spectral"))


def test_one_orbit_has_nothing_to_be_separated_from():
    app = opened(graph="cycle")
    assert set(study(app)["under"]["embedding"]) == {
        "1 of 1 orbit recovered. Distances: 0 inside the orbit."
    }
    assert {one[2:] for one in numbers(app)} == {(1, 1, 1)}


@pytest.mark.parametrize(
    ("panel", "view"),
    [("", "planes"), ("matrix", "matrix"), ("methods", "graph"), ("edit", "graph")],
)
def test_below_the_graph_stands_what_was_chosen(app, panel, view):
    app.segmented_control(key="panel").set_value(panel).run()
    assert not app.exception
    assert given(app)["view"] == view
    seen = {"graph", "embedding", "other"} | ({"matrix"} if view == "matrix" else set())
    assert set(study(app)["figures"]) == seen


def test_controls_stand_on_the_page_and_not_beside_it(app):
    assert not app.sidebar.children
    assert {"T", "alpha", "beta"} <= {slider.key for slider in app.main.slider}


def test_too_few_rounds_are_named_as_the_reason(app):
    app.slider(key="T").set_value(2).run()
    assert recovered(app) == "4 of 7"
    reasons = " ".join(caption.value for caption in app.caption)
    assert "T is too small" in reasons
    app.slider(key="T").set_value(4).run()
    assert recovered(app) == "7 of 7"


def test_a_regular_graph_is_named_as_the_reason(app):
    app.selectbox(key="graph").set_value("random-regular").run()
    assert "regular graph" in " ".join(caption.value for caption in app.caption)


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@pytest.mark.parametrize("key", ["T", "alpha", "beta", "branching", "depth"])
def test_kernel_sliders_work_at_both_ends(app, neighbourhood, key):
    app.segmented_control(key="kernel").set_value(neighbourhood).run()
    sliders = [slider for slider in app.slider if slider.key == key]
    for slider in sliders:
        for value in (slider.min, slider.max):
            app.slider(key=key).set_value(value).run()
            assert not app.exception


@pytest.mark.parametrize(
    "features",
    [[], ["constant"], ["degree", "triangles"], ["log-degree", "core-number", "clustering"]],
)
def test_initial_features_can_be_none_one_or_many(app, features):
    app.multiselect(key="features").set_value(features).run()
    assert not app.exception


@pytest.mark.parametrize("colour", ["orbit", "refinement", "points", "clusters", "degree", "label"])
def test_all_colourings_work(app, colour):
    app.selectbox(key="graph").set_value("houses-on-a-ring").run()
    app.selectbox(key="colour").set_value(colour).run()
    assert not app.exception


@pytest.mark.parametrize("key", ["three", "cosine"])
def test_switches_work(app, key):
    before = study(app)["figures"]
    switch = app.toggle(key=key)
    switch.set_value(not switch.value).run()
    assert not app.exception
    assert study(app)["figures"] != before


FLAT = {"features": "degree", "cosine": "false"}
"""A kernel whose first axis holds nearly all of the variance."""


@pytest.mark.parametrize(("axes", "query"), [("equal", {}), ("stretch", FLAT), ("rank", {})])
def test_scales_of_the_axes_change_the_planes_only(axes, query):
    app = opened(panel="matrix", **query)
    before = study(app)
    app.selectbox(key="axes").set_value(axes).run()
    assert not app.exception
    after = study(app)
    assert after["figures"]["embedding"] != before["figures"]["embedding"]
    assert after["figures"]["graph"] == before["figures"]["graph"]
    assert after["figures"]["matrix"] == before["figures"]["matrix"]
    assert (after["rounds"], after["under"]) == (before["rounds"], before["under"])


@pytest.mark.parametrize("layout", ["natural", "spring", "circle", "spectral", "rings"])
def test_layouts_work(app, layout):
    app.selectbox(key="layout").set_value(layout).run()
    assert not app.exception


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_graph_works(app, preset):
    app.selectbox(key="graph").set_value(preset).run()
    assert not app.exception
    assert all(one.recovered <= one.orbits for one in numbers(app))


@pytest.mark.parametrize("settings", EXTREMES.values(), ids=EXTREMES)
def test_no_graph_fails_at_any_end_of_any_control(settings):
    app = AppTest.from_file(APP, default_timeout=120)
    for key, value in settings.items():
        app.query_params[key] = str(value)
    app.run()
    for preset in PRESETS.values():
        app.selectbox(key="graph").set_value(preset.key).run()
        assert not app.exception, preset.key
        for parameter in preset.parameters:
            key = f"{preset.key}-{parameter.key}"
            assert app.slider(key=key).value == settings[key]
        assert all(one.recovered <= one.orbits for one in numbers(app))


def test_every_control_has_help(app):
    controls = [*app.slider, *app.selectbox, *app.multiselect, *app.toggle, *app.segmented_control]
    assert len(controls) > 8
    assert all(control.help for control in controls)


def test_a_graph_beyond_the_limit_is_shown_as_a_sample_and_said_so(app):
    app.selectbox(key="graph").set_value("erdos-renyi").run()
    app.toggle(key="large").set_value(True).run()
    app.slider(key="erdos-renyi-n").set_value(20_000).run()
    assert not app.exception
    assert "20,000 vertices" in app.warning[0].value
    assert "a sample of it" in app.warning[0].value
    assert "feature_map" in app.code[0].value
    assert numbers(app)[-1].orbits <= 1_000
    app.slider(key="erdos-renyi-n").set_value(50).run()
    assert not app.warning
