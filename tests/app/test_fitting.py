"""Choices and the address agree when other data leave fewer choices."""

import pytest


def test_another_set_starts_from_its_own_default_and_back(open_page):
    app = open_page("pages/variants.py")
    assert app.multiselect(key="four-features").value == ["labels"]
    app.segmented_control(key="set-source").set_value("made").run()
    assert app.multiselect(key="four-features").value == ["degree", "triangles", "core-number"]
    app.segmented_control(key="set-source").set_value("here").run()
    assert app.multiselect(key="four-features").value == ["labels"]
    assert "four-features" not in app.query_params


def test_graphs_that_another_set_lacks_are_no_longer_in_the_address(open_page):
    app = open_page("pages/variants.py")
    app.number_input(key="four-left").set_value(150).run()
    app.number_input(key="four-right").set_value(180).run()
    app.segmented_control(key="set-source").set_value("made").run()
    last = app.number_input(key="four-right").max
    assert [app.number_input(key=f"four-{side}").value for side in ("left", "right")] == [0, last]
    app.segmented_control(key="set-source").set_value("here").run()
    assert [app.number_input(key=f"four-{side}").value for side in ("left", "right")] == [0, 187]
    assert not {"four-left", "four-right"} & set(app.query_params)


def test_a_graph_without_labels_forgets_them(open_playground):
    app = open_playground(source="Sample", sample="Caffeine", colour="Label", features="labels")
    assert app.selectbox(key="colour").value == "label"
    app.selectbox(key="sample").set_value("Petersen graph").run()
    assert not app.exception
    for _ in range(2):
        assert app.selectbox(key="colour").value == "orbit"
        assert app.multiselect(key="features").value == ["degree-label"]
        assert not {"colour", "features"} & set(app.query_params)
        app.selectbox(key="sample").set_value("Caffeine").run()


@pytest.mark.parametrize("kept", ["degree", "triangles"])
def test_what_fits_stays(open_playground, kept):
    app = open_playground(source="Sample", sample="Caffeine")
    app.multiselect(key="features").set_value([kept]).run()
    app.selectbox(key="sample").set_value("Petersen graph").run()
    assert app.multiselect(key="features").value == [kept]


def test_a_selection_is_in_the_address_again_after_a_visit_elsewhere(open_playground):
    app = open_playground(sel="3,4")
    app.switch_page("pages/tuning.py").run()
    app.query_params.clear()
    app.switch_page("pages/playground.py").run()
    assert app.query_params["sel"] == "3,4"
