"""Embeddings: labels moved where that helps, never into another label, and panels on one scale."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, MessagePassingNodeKernel, orbits
from mpgk_core.embedding.methods import method_trajectory
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.plotting import colour_by_class, draw_embedding
from mpgk_core.plotting.embedding_figure import (
    SEVERAL,
    Panel,
    label_places,
    panels_figure,
    reach_of,
)

TOP = "top center"
SIDES = {TOP: (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0)}
SIZE, PIXELS = 11.0, (160.0, 62.0)

planes = st.lists(
    st.tuples(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3), st.sampled_from(["", "×2", "×12"])),
    min_size=1,
    max_size=12,
)


def box(x, y, label, side):
    """Left, bottom, right and top of a label, in pixels."""
    width, height = 7 * len(label), 14
    away = [(extent + SIZE) / 2 + 0.5 for extent in (width, height)]
    x, y = (u * p + s * a for u, p, s, a in zip(PIXELS, (x, y), SIDES[side], away, strict=True))
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def meet(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def unreadable(plane, places):
    """Return which labels meet a marker or another label, by looking at every pair."""
    boxes = {i: box(x, y, label, places[i]) for i, (x, y, label) in enumerate(plane) if label}
    half = SIZE / 2
    markers = [
        (x - half, y - half, x + half, y + half)
        for x, y in ((PIXELS[0] * x, PIXELS[1] * y) for x, y, _ in plane)
    ]
    return {
        i
        for i, one in boxes.items()
        if any(meet(one, marker) for marker in markers)
        or any(meet(one, other) for j, other in boxes.items() if i != j)
    }


def places_of(plane):
    points = np.array([point[:2] for point in plane])
    return label_places(points, [point[2] for point in plane], np.full(len(plane), SIZE))


@given(planes)
def test_moving_helps_and_harms_nobody(plane):
    places = places_of(plane)
    before = unreadable(plane, [TOP] * len(plane))
    assert unreadable(plane, places) <= before
    moved = {i for i, place in enumerate(places) if place != TOP}
    assert moved <= before, "what can be read stays where it is"


def test_a_number_between_two_markers_moves_to_the_side():
    column = [(0, 0.08 * i, "×2") for i in range(3)]
    assert places_of(column) == ["bottom center", "middle right", TOP]
    assert unreadable(column, places_of(column)) == set()


def test_numbers_of_points_that_overlap_lie_on_markers_but_not_on_each_other():
    heap = [(0.01 * i, 0.01 * i, "×2") for i in range(4)]
    assert len(set(places_of(heap))) == 4


def test_numbers_far_apart_stay_on_top_and_no_point_is_no_trouble():
    assert places_of([(-1, 0, "×2"), (0, 0, ""), (1, 0, "×3")]) == [TOP] * 3
    assert label_places(np.empty((0, 2)), [], np.empty(0)) == []


GRAPH = GraphSet.from_networkx(nx.path_graph(5))
WAY = trajectory(GRAPH, MessagePassingNodeKernel(n_iterations=2, features="degree").fit(GRAPH))
COLOURS = colour_by_class("Vertex", np.arange(5)[np.newaxis], "vertex")
PANEL = Panel("as it is", WAY, COLOURS, list("abcde"))
WIDE = replace(PANEL, title="three times as wide", trajectory=replace(WAY, points=3 * WAY.points))


def ranges(figure):
    return {tuple(axis.range) for axis in [*figure.select_xaxes(), *figure.select_yaxes()]}


def test_all_panels_have_one_scale_on_which_no_point_is_cut_off():
    figure = panels_figure([PANEL, WIDE], n_columns=1)
    ((low, high),) = ranges(figure)
    assert low == -high
    assert high > reach_of([PANEL, WIDE]) == 3 * reach_of([PANEL]) == 3.0
    assert [note.text for note in figure.layout.annotations] == [PANEL.title, WIDE.title]


def test_figures_of_one_panel_can_share_a_scale():
    both = panels_figure([PANEL, WIDE])
    assert ranges(panels_figure([PANEL], reach=3.0)) == ranges(both)
    assert ranges(panels_figure([PANEL])) != ranges(both)


def test_the_colours_of_the_last_round_are_drawn():
    sides = colour_by_class("Side", np.array([[0, 0, 0, 0, 0], [0, 1, 2, 1, 0]]), "side")
    (trace,) = panels_figure([replace(PANEL, colouring=sides)]).data
    assert list(trace.marker.color) == [sides.colours[1][v] for v in WAY.representatives]


def test_a_point_that_holds_several_colours_has_none_of_them_and_says_so():
    (trace,) = panels_figure([PANEL]).data
    middle = COLOURS.colours[0][2]
    assert list(trace.marker.color) == [SEVERAL, SEVERAL, middle]
    assert list(trace.text) == ["×2, 2 classes", "×2, 2 classes", " "]
    assert trace.hovertext[0].startswith("vertex 1, vertex 5<br>2 vertices on this point")


def test_vertices_that_are_drawn_at_one_place_are_counted_there_though_they_differ_elsewhere():
    graph = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    way = method_trajectory("struc2vec", graph, 1).with_axes("fit")
    number = orbits(graph).of_vertex
    colours = colour_by_class("Orbit", np.tile(number, (2, 1)), "orbit")
    trace = draw_embedding(way, colours, [str(v) for v in range(30)]).data[0]
    assert sorted(text for text in trace["text"] if text != " ") == ["×18", *["×2"] * 6]
    assert way.n_points(1) > 7, "their vectors are not equal"
    (clique,) = [v for v, text in enumerate(trace["text"]) if text == "×18"]
    assert "18 vertices are drawn at this place" in trace["hovertext"][clique]
    plain = colour_by_class("", np.tile(np.arange(30), (2, 1)), "vertex")
    texts = draw_embedding(way, plain, [str(v) for v in range(30)]).data[0]["text"]
    assert "×18" not in texts, "markers of several colours are not counted as one"


@pytest.mark.parametrize("axes", ["fit", "equal", "stretch"])
@pytest.mark.parametrize("graph", [nx.barbell_graph(6, 4), nx.path_graph(9)])
def test_ticks_are_coordinates_in_feature_space(graph, axes):
    kernel = MessagePassingNodeKernel(n_iterations=3).fit(graph)
    way = trajectory(graph, kernel)
    drawn = way.with_axes(axes)
    frames = draw_embedding(drawn, one_colour(len(graph), 3), list(map(str, graph))).frames
    for t, frame in enumerate(frames):
        true = way.points[t] * way.scales[t]
        for i, axis in enumerate((frame["layout"]["xaxis"], frame["layout"]["yaxis"])):
            values = np.array([float(text) for text in axis["ticktext"]])
            assert len(values) == 0 if way.scales[t, i] == 0 == drawn.scales[t, i] else values.size
            unit = drawn.scales[t, i]
            np.testing.assert_allclose(values, np.array(axis["tickvals"]) * unit, rtol=1e-2)
            np.testing.assert_allclose(drawn.points[t, :, i] * unit, true[:, i], atol=1e-9 * unit)


def test_an_axis_with_little_variance_says_how_it_is_drawn():
    graph = nx.barbell_graph(10, 10)
    way = trajectory(graph, MessagePassingNodeKernel(n_iterations=5, features="degree").fit(graph))
    for axes, word in {"fit": "to scale", "stretch": "stretched", "rank": "ranks"}.items():
        drawn = way.with_axes(axes)
        layout = draw_embedding(drawn, one_colour(30, 5), list(map(str, graph))).layout
        assert layout["yaxis"]["title"]["text"] == f"axis 2: below 0.01 % of the variance, {word}"
        assert layout["xaxis"]["title"]["text"] == "axis 1: 100 % of the variance"


def one_colour(n, T):
    return colour_by_class("One", np.zeros((T + 1, n), dtype=np.int64), "class")


def test_there_must_be_something_to_draw():
    with pytest.raises(InvalidParameterError, match="no embedding"):
        panels_figure([])
    with pytest.raises(InvalidParameterError, match="n_columns"):
        panels_figure([PANEL], n_columns=0)
