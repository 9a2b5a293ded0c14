"""The playground without a browser: every control at its ends, and what the numbers say."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mpgk_core.graphs.generators import PRESETS
from tests.extremes import EXTREMES

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=120).run()


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def test_first_page_shows_that_all_classes_are_recovered(app):
    assert not app.exception
    assert metrics(app)["Classes recovered"] == "7 of 7"
    assert metrics(app)["Distinct points"] == "7"
    assert "0.8" in app.latex[0].value


def test_too_few_rounds_are_named_as_the_reason(app):
    app.slider(key="T").set_value(2).run()
    assert metrics(app)["Classes recovered"] == "4 of 7"
    reasons = " ".join(caption.value for caption in app.caption)
    assert "T is too small" in reasons
    app.slider(key="T").set_value(4).run()
    assert metrics(app)["Classes recovered"] == "7 of 7"


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


@pytest.mark.parametrize("key", ["rank", "three", "cosine"])
def test_switches_work(app, key):
    app.toggle(key=key).set_value(True).run()
    assert not app.exception


@pytest.mark.parametrize("layout", ["circle", "spectral", "rings"])
def test_layouts_work(app, layout):
    app.selectbox(key="layout").set_value(layout).run()
    assert not app.exception


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_graph_works(app, preset):
    app.selectbox(key="graph").set_value(preset).run()
    assert not app.exception
    assert metrics(app)["Classes recovered"].split(" of ")[1].isdigit()


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
        assert metrics(app)["Classes recovered"].split(" of ")[1].isdigit()


def test_every_control_has_help(app):
    controls = [*app.slider, *app.selectbox, *app.multiselect, *app.toggle]
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
    orbits = int(metrics(app)["Classes recovered"].split(" of ")[1])
    assert orbits <= 1_000
    app.slider(key="erdos-renyi-n").set_value(50).run()
    assert not app.warning
