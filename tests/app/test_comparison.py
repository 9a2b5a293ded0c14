"""Comparing kernels on the page of graph classification: views, words, and what is missing."""

import json
import re

import numpy as np
import pytest

from mpgk_core.evaluation import PUBLISHED
from tests.app.test_graph_classification import n_folds, small_set, wait_until


@pytest.fixture
def app(open_page):
    return open_page("pages/graph_classification.py")


def evaluated(app, *methods):
    app.multiselect(key="methods").set_value(list(methods)).run()
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10] * len(methods))
    return app


def view(app, name):
    app.segmented_control(key="compare-view").set_value(name).run()
    assert not app.exception


def test_the_best_kernel_is_compared_with_the_others_in_sentences(app, charts):
    evaluated(app, "size", "VH")
    assert "size is better than VH: " in charts["paired"]
    assert any(text.value.startswith("size is better than VH: ") for text in app.text)
    tables = [t.value for t in app.dataframe if "first better (%)" in t.value.columns]
    assert tables[0]["second"].tolist() == ["VH"]
    assert "paired-csv" in {button.key for button in app.get("download_button")}


def test_one_kernel_has_nothing_to_be_compared_with(app):
    small_set(app)
    evaluated(app, "size")
    assert any("two kernels or more" in item.value for item in app.info)


def test_ours_stand_beside_the_same_published_cell(app, charts):
    evaluated(app, "WL", "size")
    view(app, "paper")
    (table,) = [t.value for t in app.dataframe if "published (%)" in t.value.columns]
    assert table["method"].tolist() == [one.title for one in PUBLISHED.figures("MUTAG")]
    own = table[table["method"] == "WL"].iloc[0]
    assert own["published (%)"] == "82.05 ± 0.36"
    mean = float(own["ours (%)"].split(" ")[0])
    assert own["difference"] == pytest.approx(mean - 82.05, abs=0.011)
    assert "deviation over folds" in own["measured"]
    assert "Shervashidze" in own["published figure"]
    assert f"WL: {own['ours (%)']} here, 82.05 ± 0.36 published" in charts["against-paper"]
    assert any(PUBLISHED.caveat in caption.value for caption in app.caption)


def test_texts_in_tables_are_seen_whole(app):
    evaluated(app, "WL", "size")
    element = next(one for one in app.dataframe if "folds" in one.value.columns)
    widths = json.loads(element.proto.columns)
    longest = max(element.value["kernel"], key=len)
    assert longest == "Graph size (vertices and edges only)"
    assert widths["kernel"]["width"] >= 7 * len(longest)
    assert widths["features"]["width"] >= 7 * len("features")


def test_two_buttons_that_run_something_have_different_words(app):
    evaluated(app, "WL", "size")
    view(app, "training")
    labels = [one.label for one in app.button if one.key.endswith("-run")]
    assert sorted(labels) == ["Run", "Run the learning curve"]
    assert any("Press Run the learning curve." in one.value for one in app.caption)


def test_isomorphic_graphs_are_told_and_left_out(app):
    evaluated(app, "WL", "size")
    assert any("24 graphs (13 %) are isomorphic" in item.value for item in app.warning)
    column = "without isomorphic graphs (%)"
    (table,) = [t.value for t in app.dataframe if column in t.value.columns]
    assert (table[column] != table["accuracy (%)"]).all()
    told = next(item.value for item in app.warning if "isomorphic" in item.value)
    pairs = re.findall(r"(\w+) ([\d.]+) % instead of ([\d.]+) %", told)
    for (kernel, strict, usual), (_, row) in zip(pairs, table.iterrows(), strict=True):
        assert kernel == row["kernel"]
        assert float(strict) == pytest.approx(row[column], abs=0.06)
        assert float(usual) == pytest.approx(row["accuracy (%)"], abs=0.06)


def test_other_scores_are_a_choice(app, charts):
    evaluated(app, "WL", "size")
    app.selectbox(key="score").set_value("ROC AUC").run()
    assert charts["accuracies"].startswith("ROC AUC: WL ")
    table = next(t.value for t in app.dataframe if "ROC AUC (%)" in t.value.columns)
    assert np.isnan(table["ROC AUC (%)"].iloc[-1]), "the majority class ranks nothing"
    assert any("highest ROC AUC" in caption.value for caption in app.caption)


def test_the_curve_over_training_graphs_is_computed_behind_a_button(app, charts):
    small_set(app)
    evaluated(app, "size")
    view(app, "training")
    assert "growth" not in charts
    app.button(key="growth-run").click().run()
    wait_until(app, lambda app: "growth-csv" in {b.key for b in app.get("download_button")})
    assert "with 36 training graphs" in charts["growth"]


def test_ranks_need_two_sets_and_come_with_the_second(app, charts):
    small_set(app)
    evaluated(app, "size", "AA")
    view(app, "sets")
    assert any("two sets or more" in item.value for item in app.info)
    app.slider(key="per-class").set_value(21).run()
    evaluated(app, "size", "AA")
    view(app, "sets")
    assert "Average ranks over 2 data sets (1 is best): size 1.50, AA 1.50" in charts["ranks"]
