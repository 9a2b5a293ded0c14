"""The page of the four variants: two graphs, the whole set, and landmarks."""

import time

import pytest

from mpgk_core import MessagePassingGraphKernel
from mpgk_core.datasets import load
from mpgk_core.formats import write_graphs

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


def test_every_variant_is_drawn_and_its_sentence_names_elements(app, charts):
    sentences = [text.value for text in app.text if " of the value comes from " in text.value]
    assert len(sentences) == 4
    assert all("two vertices labelled C (" in words for words in sentences)
    assert ["matched" in words for words in sentences] == [False, True, False, True]
    for variant, words in zip(("RR", "RA", "AR", "AA"), sentences, strict=True):
        assert words[:4] in charts[f"shares-{variant}"]
        assert charts[f"links-{variant}"].startswith("16 pairs" if variant[1] == "A" else "272 p")


def test_sentences_follow_the_graphs_that_are_chosen(app):
    before = [text.value for text in app.text]
    app.number_input(key="four-right").set_value(3).run()
    assert not app.exception
    after = [text.value for text in app.text]
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) >= 4


@pytest.mark.parametrize(("has_names", "word"), [(True, "C"), (False, "0")])
def test_labels_are_named_where_the_archive_says_what_they_stand_for(open_page, has_names, word):
    mutag = load("MUTAG")
    graphs = mutag.graphs[:40]
    graphs.label_names = graphs.label_names if has_names else None
    part = write_graphs(graphs, "tu", mutag.classes[:40])
    app = open_page("pages/variants.py")
    app.segmented_control(key="set-source").set_value("file").run()
    app.file_uploader(key="upload-set").set_value([("MUTAG.zip", part, "text/plain")]).run()
    assert not app.exception
    sentences = [text.value for text in app.text if " of the value comes from " in text.value]
    assert len(sentences) == 4
    assert all(f"two vertices labelled {word} (" in words for words in sentences)


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
