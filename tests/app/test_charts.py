"""Charts are told in words on every page, and in large type before a projector."""

import re
from pathlib import Path

import plotly
import plotly.graph_objects as go
import pytest
import streamlit as st

from ui.shared.charts import DRAWING_LIBRARY, chart, library_for

UI = Path(__file__).parents[2] / "ui"


def test_charts_are_shown_by_one_function_that_asks_for_words():
    pages = [*UI.rglob("*.py"), *(UI.parent / "pages").glob("*.py"), UI.parent / "app.py"]
    callers = {path.name for path in pages if "plotly_chart(" in path.read_text("utf-8")}
    assert callers == {"charts.py"}
    with pytest.raises(TypeError, match="alt"):
        chart(go.Figure(), "a", saved_as=None)
    with pytest.raises(AssertionError, match="'a' has no words"):
        chart(go.Figure(), "a", " ", None)


def test_both_bundles_of_the_chart_library_have_one_version():
    whole = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    flat = (UI / "assets" / "vendor").glob(f"plotly*-{plotly.__version__}.min.js")
    heads = [path.read_text("utf-8")[:200] for path in (whole, *flat)]
    versions = {line for head in heads for line in head.splitlines() if "plotly" in line}
    assert len(heads) == 2
    assert len({line.split()[-1] for line in versions}) == 1


def test_the_drawing_library_has_the_version_in_its_address_and_a_licence():
    vendor = UI / "assets" / "vendor"
    file = vendor / DRAWING_LIBRARY.rpartition("/")[2]
    version = file.name.removeprefix("cytoscape-").removesuffix(".min.js")
    assert f'.version="{version}"' in file.read_text("utf-8")
    assert "Permission is hereby granted" in (vendor / "cytoscape.LICENSE").read_text("utf-8")


def test_scripts_use_only_members_that_some_script_defines():
    text = "\n".join(path.read_text("utf-8") for path in (UI / "assets").glob("*.js"))
    used = set(re.findall(r"\bthis\.(\w+)", text))
    methods = re.findall(r"^  (?:async |get |set )?(\w+)\(", text, re.M)
    fields = re.findall(r"\b\w+\.(\w+) (?:\S\S)?=[^=]", text)
    assigned = "".join(re.findall(r"Object\.assign\(this, \{(.*?)\}\)", text, re.S))
    assert len(used) > 100
    assert used - {*methods, *fields, *re.findall(r"\w+", assigned)} == set()


@pytest.mark.parametrize(
    ("trace", "file"),
    [
        (go.Scatter(), f"plotly-cartesian-{plotly.__version__}.min.js"),
        (go.Heatmap(), f"plotly-cartesian-{plotly.__version__}.min.js"),
        (go.Scattergl(), f"plotly.min.js?{plotly.__version__}"),
        (go.Scatter3d(), f"plotly.min.js?{plotly.__version__}"),
    ],
)
def test_the_larger_library_is_loaded_only_where_it_is_needed(trace, file):
    assert library_for(go.Figure(trace).to_json()).endswith(f"/{file}")


def test_explanations_trees_and_snapshots_are_told(open_playground, charts):
    app = open_playground("explain", sel="9,10", features="degree", cosine="false")
    assert charts["history"].startswith("At t = 0 the similarity is 20.")
    assert "pairs add up to" in charts["matching"]
    app.segmented_control(key="panel").set_value("tree").run()
    assert sum("The tree has" in words for words in charts.values()) == 2
    app.button(key="keep").click().run()
    assert "30 vertices lie on 7 points" in charts["compared-1"]
    app.segmented_control(key="panel").set_value("edit").run()
    app.button(key="remove-random").click().run()
    app.segmented_control(key="panel").set_value("change").run()
    assert charts["change-Before"].startswith("Before: 30 vertices and 101 edges")
    assert charts["change-After"].startswith("After: 30 vertices and 100 edges")
    assert charts["movement"].startswith("Farthest under R: ")
    assert not app.exception


def test_a_projector_enlarges_axes_legends_and_notes(open_page, monkeypatch):
    shown = []
    monkeypatch.setattr(st, "plotly_chart", lambda figure, **_: shown.append(figure))
    app = open_page("pages/lessons.py")
    app.query_params.update({"lesson": "molecules", "step": "3"})
    app.toggle(key="present").set_value(True).run()
    assert not app.exception
    layout = shown[-1].layout
    sizes = [
        layout.font,
        layout.legend.font,
        layout.hoverlabel.font,
        layout.xaxis.title.font,
        layout.xaxis.tickfont,
        layout.yaxis.title.font,
        layout.yaxis.tickfont,
    ]
    assert {font.size for font in sizes} == {20}
    app.toggle(key="present").set_value(False).run()
    assert shown[-1].layout.font.size is None


def test_what_the_cameras_save_is_chosen_once_for_all_pages(open_page, monkeypatch):
    saved = []
    monkeypatch.setattr(
        st, "plotly_chart", lambda _, config, **__: saved.append(config["toImageButtonOptions"])
    )
    app = open_page("pages/variants.py")
    assert {options["format"] for options in saved} == {"svg"}
    app.segmented_control(key="picture-format").set_value("png").run()
    saved.clear()
    app.switch_page("pages/playground.py").run()
    app.segmented_control(key="panel").set_value("tree").run()
    assert not app.exception
    assert {(options["format"], options["scale"]) for options in saved} == {("png", 3)}
    assert not any(options["filename"].endswith((".svg", ".png")) for options in saved)
