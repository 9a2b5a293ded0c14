"""Own files and samples on the playground: read, shown, or refused in words."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mpgk_core.datasets import samples
from tests.app.shown import components, numbers
from ui.state.cache import STORE

APP = str(Path(__file__).parents[2] / "app.py")
SCRIPT = "<img src=x onerror=alert(1)>"


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=300).run()


def choose(app, source):
    return app.segmented_control(key="source").set_value(source).run()


def upload(app, *files):
    return (
        app.file_uploader(key="upload")
        .set_value([(name, content, "application/octet-stream") for name, content in files])
        .run()
    )


def n_orbits(app):
    (found,) = {one.orbits for one in numbers(app)}
    return found


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.path.name)
def test_every_sample_is_shown_and_gives_the_same_as_a_file(app, sample):
    choose(app, "sample")
    app.selectbox(key="sample").set_value(sample.title).run()
    assert not app.exception
    assert not app.error
    shown = n_orbits(app)
    assert shown >= 1
    choose(app, "file")
    upload(app, (sample.path.name, sample.path.read_bytes()))
    assert not app.exception
    assert not app.error
    assert n_orbits(app) == shown


def said(app):
    return " ".join(text.value for text in app.text)


def shows_nothing(app):
    assert not app.exception
    assert not components(app)
    assert not app.success
    assert "barbell" not in said(app).lower()
    return True


PATH = ("path.txt", b"a b\nb c\nc d\nd e\n")
LOSSY = ("lossy.txt", b"1 2 7\n2 1 7\n3 3 1\n2 3 1\n")


def test_a_built_graph_says_how_large_it_is(app):
    assert "Barbell: 30 vertices, 101 edges." in said(app)


def test_an_uploaded_graph_is_shown_with_what_was_read(app):
    choose(app, "file")
    assert shows_nothing(app)
    assert "Upload a graph." in app.info[0].value
    assert "not kept when the page is reloaded" in app.info[0].value
    upload(app, PATH)
    assert not app.exception
    assert n_orbits(app) == 3
    assert "path.txt: 5 vertices, 4 edges." in said(app)
    assert "Read as an edge list: one edge per line." in said(app)


def test_losses_stand_beside_the_first_result(app):
    choose(app, "file")
    upload(app, LOSSY)
    for loss in (
        "The weights of 1 repeated edge are added.",
        "Kernels ignore edge weights by default.",
        "1 self-loop is dropped.",
    ):
        assert loss in said(app)


def test_a_broken_file_stands_alone_with_what_to_do(app):
    choose(app, "file")
    upload(app, PATH)
    upload(app, ("bad.graphml", b"<graphml><graph>"))
    assert shows_nothing(app)
    assert [error.value for error in app.error] == ["This could not be read."]
    assert not app.info
    assert "bad.graphml" in said(app)
    assert "path.txt" not in said(app)
    choose(app, "build")
    assert "30 vertices" in said(app)
    choose(app, "file")
    assert "path.txt" not in said(app)


def test_when_all_files_are_removed_the_page_asks_for_some(app):
    choose(app, "file")
    upload(app, PATH)
    upload(app)
    assert shows_nothing(app)
    assert "path.txt" not in said(app)
    assert "Upload a graph" in app.info[0].value


def test_after_a_reload_the_file_has_to_be_given_again():
    app = AppTest.from_file(APP, default_timeout=300)
    app.query_params["source"] = "file"
    app.run()
    assert app.segmented_control(key="source").value == "file"
    assert shows_nothing(app)
    assert "upload them again" in app.info[0].value


def test_after_a_visit_to_another_page_the_file_is_named_and_used(app):
    choose(app, "file")
    upload(app, LOSSY)
    app.switch_page("pages/lessons.py").run()
    app.switch_page("pages/playground.py").run()
    assert not app.exception
    assert "In use: lossy.txt" in said(app)
    assert "lossy.txt: 3 vertices, 2 edges, edge weights." in said(app)
    assert "Kernels ignore edge weights by default." in said(app)


def test_files_whose_memory_was_needed_are_asked_for_again(app):
    choose(app, "file")
    upload(app, ("path.txt", b"a b\nb c\nc d\nd e\n"))
    STORE.clear()
    assert n_orbits(app.run()) == 3, "the box still has the file"
    app.switch_page("pages/lessons.py").run()
    STORE.clear()
    app.switch_page("pages/playground.py").run()
    assert not app.exception
    assert any("expired" in info.value for info in app.info)
    assert not components(app)


def test_of_several_files_the_newest_is_used_until_another_is_chosen(app):
    longer = ("b.txt", b"1 2\n2 3\n3 4\n4 5\n")
    choose(app, "file")
    upload(app, ("a.txt", b"1 2\n2 3\n"), longer)
    (use,) = [box for box in app.selectbox if box.label == "Files in use"]
    assert use.options == ["b.txt", "a.txt", "All 2 files as one set of graphs"]
    assert "b.txt: 5 vertices, 4 edges." in said(app)
    use.select_index(1).run()
    assert "a.txt: 3 vertices, 2 edges." in said(app)
    (use,) = [box for box in app.selectbox if box.label == "Files in use"]
    use.select_index(2).run()
    (number,) = [box for box in app.number_input if box.label == "Graph, of 2"]
    assert n_orbits(app) == 2
    number.set_value(2).run()
    assert n_orbits(app) == 3


def test_a_file_with_several_readings_says_which_and_offers_the_others(app):
    choose(app, "file")
    upload(app, ("m.txt", b"0 1\n1 0\n"))
    assert "Read as an adjacency matrix" in said(app)
    assert "It could also be an edge array or an edge list" in said(app)
    (reading,) = [box for box in app.selectbox if box.label == "Read as"]
    reading.set_value("edge-list").run()
    assert "Read as an edge list" in said(app)
    assert not app.exception


def test_names_of_vertices_and_files_are_never_markup(app):
    choose(app, "file")
    upload(app, (f"![x](http://x){SCRIPT}.txt", f'"{SCRIPT}",b\nb,c\n'.encode()))
    upload(app, (f"![x](http://x){SCRIPT}.graphml", b"<graphml>"))
    shown = [*app.markdown, *app.caption, *app.error]
    assert not any(SCRIPT in element.value or "](http://x" in element.value for element in shown)
    assert any("![x]" in text.value for text in app.text)


def test_what_columns_are_used_as_is_remembered_while_other_pages_are_visited(app):
    choose(app, "file")
    upload(
        app, ("vertices.csv", b"id,kind\na,x\nb,y\nc,y\n"), ("edges.csv", b"source,target\na,b\n")
    )
    (table,) = app.data_editor
    assert "labels" in app.multiselect(key="features").options
    app.session_state[table.key] = {"edited_rows": {0: {"used as": "ignore"}}}
    app.run()
    assert "labels" not in app.multiselect(key="features").options
    (table,) = app.run().data_editor
    assert dict(table.value.values) == {"kind": "label"}, "edits are kept beside the table"
    for page in ("lessons", "tuning", "playground"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
    (table,) = app.data_editor
    assert dict(table.value.values) == {"kind": "ignore"}
    assert "labels" not in app.multiselect(key="features").options


def test_columns_of_edges_have_a_guessed_use_that_can_be_changed(app):
    choose(app, "file")
    upload(app, ("roads.csv", b"source,target,kind,km\na,b,road,1.5\nb,c,rail,2.5\nc,d,road,3\n"))
    (table,) = app.data_editor
    assert table.value.values.tolist() == [
        ["kind", "label", "2 values"],
        ["km", "weight", "the only column of numbers; never negative"],
    ]
    assert "4 vertices, 3 edges, 2 edge labels, edge weights." in said(app)
    assert "Kernels ignore edge labels and weights by default." in said(app)
    app.session_state[table.key] = {"edited_rows": {0: {"used as": "ignore"}}}
    app.run()
    assert "4 vertices, 3 edges, edge weights." in said(app)
    assert "Edge column not used: kind." in said(app)
    (directed,) = [box for box in app.checkbox if box.label == "Edges are directed"]
    directed.check().run()
    assert not app.exception
    assert "Kernels ignore edge weights and directions by default." in said(app)


def test_attributes_and_labels_can_be_used(app):
    choose(app, "sample")
    app.selectbox(key="sample").set_value("Florentine families").run()
    features = app.multiselect(key="features")
    assert "attributes-standardised" in features.options
    features.set_value(["attributes-standardised"]).run()
    app.selectbox(key="colour").set_value("attribute").run()
    assert not app.exception
