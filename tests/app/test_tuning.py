"""The page of tuning: sweeps that run, stop and go on, and what they refuse."""

import re
import time
from urllib.parse import parse_qs

import pytest


@pytest.fixture
def app(open_page, workers):
    """The page; small sweeps begin at once, so workers rest until a test wants results."""
    workers.rest()
    return open_page("pages/tuning.py")


def words(app):
    return " ".join(item.value for item in [*app.caption, *app.text, *app.info, *app.warning])


def small(app, name="tune", last=2):
    app.segmented_control(key=f"{name}-values").set_value(5).run()
    app.slider(key=f"{name}-last").set_value(last).run()
    assert not app.exception
    return app


def wait_until(app, is_done, seconds=240):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.run()
        assert not app.exception
        if is_done(app):
            return
        time.sleep(0.5)
    pytest.fail(f"the sweep did not get there: {words(app)}")


def run(app, workers):
    """Let workers work, and press Run where the sweep did not begin at once."""
    workers.go_on()
    if not app.button(key="tune-run").disabled:
        app.button(key="tune-run").click().run()


def run_to_the_end(app, workers):
    run(app, workers)
    wait_until(app, is_done)


def is_done(app):
    """Return whether all parts of the sweep have been done."""
    return re.search(r"\b(\d+) of \1 parts\.", words(app)) is not None


def offered(app):
    return {button.key for button in app.get("download_button")}


def follow(app, label):
    """Go where a link leads."""
    (link,) = (link for link in app.get("page_link") if link.proto.label == label)
    app.switch_page("pages/playground.py")
    app.query_params.clear()
    app.query_params.update(parse_qs(link.proto.query_string))
    app.run()
    assert not app.exception
    return app


def selected(app):
    return tuple(app.selectbox(key=f"tune-cell-{name}").value for name in ("alpha", "beta"))


def button_keys(app):
    return {button.key for button in app.button}


def test_a_sweep_ends_with_a_map_and_survives_a_page_change(app, workers):
    small(app)
    assert app.button(key="tune-run").disabled
    assert not app.button(key="tune-stop").disabled
    run_to_the_end(app, workers)
    assert app.button(key="tune-run").disabled
    assert app.button(key="tune-stop").disabled
    assert "Best by gap between orbits" in words(app)
    assert {"Classes recovered", "Distinct points"} <= set(app.dataframe[0].value["score"])
    assert offered(app) == {
        "tune-csv",
        "tune-report",
        "tune-script",
        "tune-notebook",
        "tune-graphml",
        "tune-json",
        "page-session-save",
    }
    app.switch_page("pages/playground.py").run()
    app.switch_page("pages/tuning.py").run()
    small(app)
    assert is_done(app)


def test_the_best_cell_can_be_selected_and_kept(app, charts, workers):
    small(app, last=4)
    run_to_the_end(app, workers)
    app.selectbox(key="tune-score").set_value("recovered").run()
    app.session_state["tune place"] = (0.4, 0.6)
    app.run()
    assert "Selected" in " ".join(item.value for item in app.markdown)
    assert app.selectbox(key="tune-cell-alpha").value == 0.4
    app.selectbox(key="tune-cell-beta").set_value(1.0).run()
    assert app.session_state["tune place"] == (0.4, 1.0)
    assert app.selectbox(key="tune-cell-beta").value == 1.0
    assert "β = 1" in charts["tune-rounds"]
    app.button(key="tune-go").click().run()
    assert app.button(key="tune-go").disabled
    assert app.slider(key="tune-T-4").value == 4
    app.button(key="tune-keep").click().run()
    assert app.button(key="tune-keep").disabled
    app.button(key="tune-forget").click().run()


def test_kept_cells_belong_to_their_graph(app, workers):
    app.segmented_control(key="source").set_value("sample").run()
    app.selectbox(key="sample").set_value("Caffeine").run()
    small(app)
    app.multiselect(key="tune-features").set_value(["degree", "labels"]).run()
    run_to_the_end(app, workers)
    app.selectbox(key="tune-start").set_value("labels").run()
    app.button(key="tune-keep").click().run()
    app.segmented_control(key="source").set_value("build").run()
    run_to_the_end(app, workers)
    assert app.button(key="tune-forget").disabled
    app.segmented_control(key="source").set_value("sample").run()
    app.multiselect(key="tune-features").set_value(["degree", "labels"]).run()
    assert not app.exception
    assert not app.button(key="tune-forget").disabled


def test_the_address_and_the_session_know_the_selected_cell(app, open_page, workers):
    small(app)
    run_to_the_end(app, workers)
    best = selected(app)
    assert "tune-cell" not in app.query_params, "nothing is selected by itself"
    assert best != (0.4, 0.6)
    app.selectbox(key="tune-cell-alpha").set_value(0.4).run()
    app.selectbox(key="tune-cell-beta").set_value(0.6).run()
    assert app.query_params["tune-cell"] == "0.4,0.6"
    assert app.session_state["settings of pages"]["tuning"]["tune-cell"] == ["0.4,0.6"]
    for address, cell in {
        "0.4,0.6": (0.4, 0.6),
        "0.41,0.6": best,
        "0.4": best,
        "nan,inf": best,
        "a,b": best,
    }.items():
        other = open_page("pages/tuning.py")
        other.query_params["tune-cell"] = address
        assert selected(small(other)) == cell
    app.switch_page("pages/playground.py").run()
    app.query_params.clear()
    app.switch_page("pages/tuning.py").run()
    assert selected(small(app)) == (0.4, 0.6)
    assert app.query_params["tune-cell"] == "0.4,0.6"


def test_a_cell_opens_with_its_own_parameters_whatever_the_playground_showed(app, workers):
    app.switch_page("pages/playground.py")
    app.query_params.update(
        kernel="A: best matching",
        T="3",
        alpha="0.5",
        features="triangles",
        cosine="true",
        branching="3",
        depth="2",
        seed="9",
    )
    app.run()
    assert app.slider(key="depth").value == 2
    app.query_params.clear()
    app.switch_page("pages/tuning.py").run()
    small(app, last=5)
    app.pills(key="tune-variants").set_value(["A"]).run()
    run_to_the_end(app, workers)
    app.session_state["tune place"] = (0.8, 0.2)
    app.run()
    follow(app, "Open in the playground")
    assert app.segmented_control(key="kernel").value == "A"
    shown = {key: app.slider(key=key).value for key in ("T", "alpha", "beta", "branching", "depth")}
    assert shown == {"T": 5, "alpha": 0.8, "beta": 0.2, "branching": 4, "depth": 8}
    assert app.multiselect(key="features").value == ["degree"]
    assert not app.toggle(key="cosine").value
    assert app.number_input(key="seed").value == 0
    assert app.query_params == {"kernel": "A", "features": "degree", "cosine": "false"}
    app.slider(key="depth").set_value(3).run()
    assert app.slider(key="depth").value == 3


def test_scores_by_label_are_offered_only_where_there_are_labels(app):
    assert "the vertices have none" in words(app)
    app.selectbox(key="graph").set_value("houses-on-a-ring").run()
    assert not app.exception
    offered = next(box for box in app.multiselect if box.key.startswith("tune-scores"))
    assert "Silhouette by label" in offered.options
    assert "the vertices have none" not in words(app)


def test_one_orbit_has_no_gap_and_says_so(app):
    app.selectbox(key="graph").set_value("cycle").run()
    assert not app.exception
    assert "no gap between orbits" in words(app)
    assert app.multiselect(key="tune-scores-2").options == ["Classes recovered", "Distinct points"]


@pytest.mark.parametrize("key", ["tune-features", "tune-scores-3"])
def test_nothing_chosen_is_no_error(app, key):
    app.multiselect(key=key).set_value([]).run()
    assert not app.exception
    assert "at least one" in words(app)
    assert "tune-run" not in button_keys(app)


def test_a_large_graph_is_swept_as_a_sample(app):
    app.selectbox(key="graph").set_value("erdos-renyi").run()
    app.toggle(key="large").set_value(True).run()
    app.slider(key="erdos-renyi-n").set_value(3_000).run()
    assert not app.exception
    assert "at most 1,000" in app.warning[0].value
    assert (
        max(
            map(int, (o.replace(",", "") for o in app.segmented_control(key="sample-size").options))
        )
        <= 1_000
    )


@pytest.mark.parametrize(("n_vertices", "is_whole"), [(30, False), (1_500, True), (7_000, False)])
def test_a_link_says_when_the_playground_shows_more_than_was_swept(
    app, n_vertices, is_whole, workers
):
    ring = "\n".join(f"{v} {(v + 1) % n_vertices}" for v in range(n_vertices))
    app.segmented_control(key="source").set_value("file").run()
    app.file_uploader(key="upload").set_value(("ring.txt", ring.encode(), "text/plain")).run()
    small(app)
    run(app, workers)
    wait_until(app, lambda app: "Best" in words(app))
    assert ("The playground shows the whole graph" in words(app)) == is_whole


def test_a_quick_sweep_begins_at_once_and_again_for_another_graph_but_not_when_stopped(app):
    def is_live():
        return not app.button(key="tune-stop").disabled

    assert is_live()
    app.button(key="tune-stop").click().run()
    app.run()
    assert not is_live()
    app.slider(key="barbell-h").set_value(6).run()
    assert is_live()
    app.slider(key="barbell-h").set_value(10).run()
    assert is_live()
    assert "Another job of yours" not in words(app)
    app.segmented_control(key="tune-values").set_value(20).run()
    app.selectbox(key="graph").set_value("barabasi-albert").run()
    assert not is_live()
    assert "Press Run" in words(app)


def test_a_set_of_graphs_is_swept_stopped_and_continued(app, workers):
    app.button(key="tune-stop").click().run()
    app.segmented_control(key="tune-subject").set_value("graphs").run()
    app.segmented_control(key="set-source").set_value("made").run()
    app.slider(key="per-class").set_value(20).run()
    small(app, "tune-set")
    workers.rest()
    app.button(key="tune-run").click().run()
    for _ in range(12):
        wait_until(app, lambda app: workers.advance())
    wait_until(app, lambda app: "Best so far" in words(app))
    app.button(key="tune-stop").click().run()
    assert "12 of 250 parts. Press Run to resume." in words(app)
    assert app.button(key="tune-stop").disabled
    workers.go_on()
    run_to_the_end(app, workers)
    assert "Best by classes predicted" in words(app)
    assert offered(app) == {
        "tune-set-csv",
        "tune-set-report",
        "tune-set-script",
        "tune-set-notebook",
        "page-session-save",
    }


def test_a_cell_is_evaluated_in_graph_classification_by_one_link(app, workers):
    app.segmented_control(key="tune-subject").set_value("graphs").run()
    app.segmented_control(key="set-source").set_value("made").run()
    app.slider(key="per-class").set_value(20).run()
    small(app, "tune-set")
    app.slider(key="tune-set-folds").set_value(2).run()
    run_to_the_end(app, workers)
    alpha, beta = (app.selectbox(key=f"tune-set-cell-{name}").value for name in ("alpha", "beta"))
    (link,) = (link for link in app.get("page_link") if link.proto.label.startswith("Evaluate in"))
    app.switch_page("pages/graph_classification.py")
    app.query_params.clear()
    app.query_params.update(parse_qs(link.proto.query_string))
    app.run()
    assert not app.exception
    assert app.segmented_control(key="set-source").value == "made"
    assert app.slider(key="per-class").value == 20
    assert app.multiselect(key="methods").value == ["AA"]
    assert app.toggle(key="fixed").value
    assert app.slider(key="fixed-alpha").value == alpha
    assert app.slider(key="fixed-beta").value == beta
    assert f"α = {alpha:g}, β = {beta:g}, T = 2, last round" in words(app)
    assert app.query_params["fixed"] == "true"
