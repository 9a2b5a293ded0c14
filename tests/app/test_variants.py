"""The page of the four variants: two graphs, the whole set, and landmarks."""

import time

import pytest

from mpgk_core import MessagePassingGraphKernel
from mpgk_core.datasets import load

ALWAYS = {"report", "script", "notebook", "page-session-save"}


@pytest.fixture
def app(open_page):
    return open_page("pages/variants.py")


def offered(app):
    return {button.key.removeprefix("four-") for button in app.get("download_button")}


def test_the_numbers_are_those_of_the_engine(app):
    shown = {metric.label: float(metric.value) for metric in app.metric}
    graphs = load("MUTAG").graphs
    for variant, value in shown.items():
        kernel = MessagePassingGraphKernel(variant, n_iterations=3, features="labels")
        assert value == pytest.approx(kernel.fit_transform(graphs)[0, -1], abs=5e-5)
    assert list(shown) == ["RR", "RA", "AR", "AA"]
    assert any("is largest under" in text.value for text in app.text)
    assert offered(app) == ALWAYS | {"similarities", "contributions", "graphml", "json"}


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
def test_every_variant_is_taken_apart(app, variant):
    app.segmented_control(key="variant-apart").set_value(variant).run()
    assert not app.exception
    assert any("contributes" in table.value.columns for table in app.dataframe)


def test_the_whole_set_and_landmarks(app):
    app.segmented_control(key="set-source").set_value("made").run()
    app.slider(key="per-class").set_value(10).run()
    app.segmented_control(key="four-view").set_value("set").run()
    assert not app.exception
    assert offered(app) == ALWAYS | {"csv", "npz", "graphml", "json"}
    app.segmented_control(key="four-view").set_value("nystroem").run()
    app.button(key="nystroem-run").click().run()
    for _ in range(100):
        if app.button(key="nystroem-stop").disabled:
            break
        time.sleep(0.1)
        app.run()
    assert not app.exception
    assert any("8 of 8 kernels." in caption.value for caption in app.caption)
    assert offered(app) == ALWAYS | {"landmarks"}


def test_features_that_a_set_lacks_are_refused_in_words(app):
    app.multiselect(key="four-features").set_value([]).run()
    assert not app.exception
