"""Own files and samples on the playground: read, shown, or refused in words."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mpgk_core.datasets import samples

APP = str(Path(__file__).parents[2] / "app.py")
SCRIPT = "<img src=x onerror=alert(1)>"


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=120).run()


def choose(app, source):
    return app.segmented_control(key="source").set_value(source).run()


def upload(app, *files):
    return app.file_uploader(key="upload").set_value(
        [(name, content, "application/octet-stream") for name, content in files]
    ).run()  # fmt: skip


def n_orbits(app):
    (recovered,) = [m.value for m in app.metric if m.label == "Classes recovered"]
    return int(recovered.split(" of ")[1])


@pytest.mark.parametrize("title", [sample.title for sample in samples()])
def test_every_sample_is_shown(app, title):
    choose(app, "sample")
    app.selectbox(key="sample").set_value(title).run()
    assert not app.exception
    assert not app.error
    assert n_orbits(app) >= 1


def test_an_uploaded_graph_is_shown(app):
    choose(app, "file")
    assert n_orbits(app) == 7, "until a file comes, the last graph stays"
    upload(app, ("path.txt", b"a b\nb c\nc d\nd e\n"))
    assert not app.exception
    assert n_orbits(app) == 3


def test_a_broken_file_is_named_and_the_graph_before_it_stays(app):
    choose(app, "file")
    upload(app, ("path.txt", b"a b\nb c\nc d\nd e\n"))
    upload(app, ("bad.graphml", b"<graphml><graph>"))
    assert not app.exception
    assert len(app.error) == 1
    assert any("bad.graphml" in text.value for text in app.text)
    assert n_orbits(app) == 3


def test_several_files_are_a_set_of_graphs(app):
    choose(app, "file")
    upload(app, ("a.txt", b"1 2\n2 3\n"), ("b.txt", b"1 2\n2 3\n3 4\n4 5\n"))
    (number,) = [box for box in app.number_input if box.label == "Graph, of 2"]
    assert n_orbits(app) == 2
    number.set_value(2).run()
    assert n_orbits(app) == 3


def test_names_of_vertices_and_files_are_never_markup(app):
    choose(app, "file")
    upload(app, (f"![x](http://x){SCRIPT}.txt", f'"{SCRIPT}",b\nb,c\n'.encode()))
    upload(app, (f"![x](http://x){SCRIPT}.graphml", b"<graphml>"))
    shown = [*app.markdown, *app.caption, *app.error]
    assert not any(SCRIPT in element.value or "](http" in element.value for element in shown)
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


def test_attributes_and_labels_can_be_used(app):
    choose(app, "sample")
    app.selectbox(key="sample").set_value("Florentine families").run()
    features = app.multiselect(key="features")
    assert "attributes-standardised" in features.options
    features.set_value(["attributes-standardised"]).run()
    app.selectbox(key="colour").set_value("attribute").run()
    assert not app.exception
