"""Still pictures: sound XML that shows every vertex at its place and runs nothing."""

import json
import re
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet
from mpgk_core.lessons import lessons
from mpgk_core.plotting import colour_by_class, draw_graph, draw_matrix, graph_layout
from mpgk_core.plotting.still_picture import still_picture

SVG = "{http://www.w3.org/2000/svg}"
POINTS = st.lists(st.tuples(*[st.floats(-1e3, 1e3)] * 2), min_size=1, max_size=12)


def drawn(data, layout=None, **options):
    return ElementTree.fromstring(still_picture(data, layout or {}, **options))


def places(tree):
    circles = tree.findall(f"{SVG}circle")
    return np.array([[float(one.get("cx")), float(one.get("cy"))] for one in circles])


@given(POINTS, st.booleans())
def test_every_point_lies_inside_and_keeps_its_order(points, is_bare):
    x, y = (list(values) for values in zip(*points, strict=True))
    tree = drawn([{"type": "scatter", "mode": "markers", "x": x, "y": y}], is_bare=is_bare)
    found = places(tree)
    assert ((found >= 0) & (found <= [480, 320])).all()
    for i in range(len(x)):
        for j in range(len(x)):
            if x[i] < x[j]:
                assert found[i, 0] <= found[j, 0]
            if y[i] < y[j]:
                assert found[i, 1] >= found[j, 1], "up is up"


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.key)
def test_the_first_graph_of_a_lesson_is_drawn_whole(lesson):
    pictures = [step.picture.source.build() for step in lesson.steps]
    graph = next((graph for graph in pictures if len(graph) == 1), pictures[0][0])
    classes = colour_by_class("one", np.zeros((1, graph.n_vertices), dtype=np.int64), "class")
    drawing = draw_graph(graph, graph_layout(graph), classes)
    tree = drawn(drawing.data, drawing.layout, is_bare=True, size=(200, 120))
    assert len(tree.findall(f"{SVG}circle")) == graph.n_vertices
    lines = tree.find(f"{SVG}path").get("d")
    assert len(re.findall("M", lines)) == graph.n_edges
    assert tree.findall(f"{SVG}text") == []


def test_one_unit_is_as_long_in_both_directions():
    graph = GraphSet.from_networkx(nx.path_graph(3))
    spots = np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]])
    colours = colour_by_class("one", np.zeros((1, 3), dtype=np.int64), "class")
    drawing = draw_graph(graph, spots, colours)
    a, b, c = places(drawn(drawing.data, drawing.layout))
    assert b[0] - a[0] == pytest.approx(3 * (b[1] - c[1]), abs=0.5)


def test_packed_and_listed_numbers_are_drawn_alike():
    graph = GraphSet.from_networkx(nx.cycle_graph(5))
    colours = colour_by_class("one", np.zeros((1, 5), dtype=np.int64), "class")
    drawing = draw_graph(graph, graph_layout(graph), colours)
    packed = json.loads(drawing.to_json())
    assert still_picture(packed["data"], packed["layout"]) == still_picture(
        drawing.data, drawing.layout
    )


def test_a_matrix_has_a_cell_for_every_pair_and_equal_values_share_a_colour():
    kernel = np.array([[1.0, 0.5], [0.5, 1.0]])
    drawing = draw_matrix([kernel], np.arange(2), ["a", "b"])
    cells = drawn(drawing.data, drawing.layout).findall(f"{SVG}rect")[:4]
    colours = [cell.get("fill") for cell in cells]
    assert colours[0] == colours[3] != colours[1] == colours[2]
    spots = [(float(cell.get("x")), float(cell.get("y"))) for cell in cells]
    assert spots[0][0] == spots[2][0] < spots[1][0]
    assert spots[0][1] == spots[1][1] < spots[2][1], "the first row is on top"


def test_names_are_text_and_never_markup():
    trace = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [0],
        "y": [0],
        "text": ["&lt;script&gt;<br>alert(1)"],
        "textposition": "top center",
        "marker": {"color": '"><script>'},
        "name": "<i>",
    }
    tree = drawn([trace], {"showlegend": True, "xaxis": {"title": {"text": "<b>x</b>"}}})
    assert {one.tag for one in tree.iter()} <= {f"{SVG}{tag}" for tag in ("svg", "circle", "text")}
    assert "<script> alert(1)" in [one.text for one in tree.iter(f"{SVG}text")]


def test_a_graph_without_edges_is_drawn():
    graph = GraphSet.from_networkx(nx.empty_graph(3))
    colours = colour_by_class("one", np.zeros((1, 3), dtype=np.int64), "class")
    drawing = draw_graph(graph, graph_layout(graph), colours)
    tree = drawn(drawing.data, drawing.layout, title="Three")
    assert len(places(tree)) == 3
    assert tree.find(f"{SVG}path") is None
    assert [one.text for one in tree.iter(f"{SVG}text")] == ["Three"]


def test_dashes_and_arrow_heads_are_drawn():
    graph = GraphSet.from_networkx(nx.DiGraph([(0, 1, {"label": "a"}), (1, 2, {"label": "b"})]))
    colours = colour_by_class("Degree", np.zeros((1, 3), dtype=int), "degree")
    drawing = draw_graph(graph, graph_layout(graph), colours, "labels+follow")
    tree = drawn(drawing.data, drawing.layout)
    paths = tree.findall(f"{SVG}path")
    assert len({path.get("stroke-dasharray") for path in paths}) == 2
    heads = [path for path in paths if path.get("d").endswith("Z")]
    assert len(heads) == 2
    centres = places(tree)
    for head, target in zip(heads, (1, 2), strict=True):
        tip = np.array(head.get("d")[1:].split("L")[0].split(), dtype=float)
        away = np.linalg.norm(centres - tip, axis=1)
        assert away.argmin() == target
        assert 3 < away.min() < 20
