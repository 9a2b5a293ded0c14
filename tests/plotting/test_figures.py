"""Figures: a frame per round, and never more than a browser can draw."""

import json
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet
from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.plotting import (
    MAX_EDGES_DRAWN,
    MAX_ROWS_DRAWN,
    colour_by_number,
    embedding_figure,
    graph_figure,
    graph_layout,
    matrix_figure,
    matrix_rows,
    safe_names,
)
from tests.plotting.three_figures import EVERY_FIGURE, FIGURES, figures_of


@pytest.fixture(scope="module")
def barbell():
    return figures_of(nx.barbell_graph(10, 10), n_iterations=5)


@pytest.fixture(scope="module")
def controlled():
    return figures_of(nx.path_graph(5), n_iterations=2, controls=True)


@pytest.fixture(scope="module")
def crowd():
    """A graph with too many vertices and edges for an ordinary drawing, every vertex a class."""
    n, n_edges = 1_600, MAX_EDGES_DRAWN + 1
    graphs = GraphSet.from_networkx(nx.gnm_random_graph(n, n_edges, seed=4))
    colouring = colour_by_number("Degree", np.arange(n, dtype=np.float64), n_rounds=1)
    way = Trajectory(
        class_of_vertex=np.arange(n),
        counts=np.ones(n, dtype=np.int64),
        points=np.random.default_rng(0).uniform(-1, 1, (2, n, 2)),
        scales=np.ones((2, 2)),
        explained=np.full((2, 2), 0.5),
        point_of_class=np.tile(np.arange(n), (2, 1)),
    )
    return SimpleNamespace(
        graphs=graphs,
        graph=graph_figure(graphs, graph_layout(graphs, "circle"), colouring),
        embedding=embedding_figure(way, colouring, safe_names(graphs.names)),
    )


def n_edges_drawn(figure):
    return int(np.count_nonzero(np.isnan(np.asarray(figure.data[0].x, dtype=np.float64))))


@pytest.mark.parametrize("n_iterations", [0, 1, 5])
def test_every_round_is_a_frame(n_iterations):
    found = figures_of(nx.barbell_graph(4, 3), n_iterations)
    for figure in (found.graph, found.embedding, found.matrix):
        assert [frame.name for frame in figure.frames] == [str(t) for t in range(n_iterations + 1)]


def test_graph_frames_colour_every_vertex(barbell):
    edges, vertices = barbell.graph.data
    assert len(vertices.x) == len(vertices.y) == len(vertices.text) == 30
    assert list(vertices.customdata) == list(range(30))
    assert n_edges_drawn(barbell.graph) == nx.barbell_graph(10, 10).number_of_edges()
    assert len(edges.x) == len(edges.y)
    for t, frame in enumerate(barbell.graph.frames):
        assert list(frame.traces) == [1]
        assert list(frame.data[0].marker.color) == barbell.colouring.colours[t]


def test_graph_edges_join_the_positions_of_their_ends():
    path = nx.path_graph(4)
    figure = figures_of(path).graph
    edges, vertices = figure.data
    ends = np.column_stack([edges.x, edges.y]).reshape(-1, 3, 2)[:, :2]
    places = np.column_stack([vertices.x, vertices.y])
    np.testing.assert_array_equal(ends, places[np.array(path.edges())])


def test_graph_hover_names_vertex_orbit_and_degree(barbell):
    assert barbell.graph.data[1].text[0] == "0<br>orbit 1<br>degree 9"


def test_embedding_frames_move_every_class(barbell):
    way = barbell.way
    assert list(barbell.embedding.data[0].customdata) == list(range(7))
    for t, frame in enumerate(barbell.embedding.frames):
        moved = frame.data[0]
        assert list(frame.traces) == [0]
        np.testing.assert_array_equal(np.column_stack([moved.x, moved.y]), way.points[t])
        assert len(moved.marker.color) == len(moved.marker.size) == 7
        assert len(moved.text) == len(moved.hovertext) == 7


def test_embedding_counts_all_vertices_once_in_every_round(barbell):
    for t, frame in enumerate(barbell.embedding.frames):
        together = [int(text[1:].split(",")[0]) for text in frame.data[0].text if text.strip()]
        alone = barbell.way.n_points(t) - len(together)
        assert sum(together) + alone == 30


def test_embedding_axes_name_their_share_of_the_variance(barbell):
    for t, frame in enumerate(barbell.embedding.frames):
        for axis in (frame.layout.xaxis, frame.layout.yaxis):
            assert "% of the variance" in axis.title.text
        largest = barbell.way.explained[t, 0] == 0.0
        assert frame.layout.xaxis.title.text.startswith("axis 1: 0 %") == largest


def test_matrix_frames_have_a_cell_for_every_pair(barbell):
    assert np.shape(barbell.matrix.data[0].z) == (30, 30)
    assert np.shape(barbell.matrix.data[0].text) == (30, 30)
    for frame in barbell.matrix.frames:
        assert list(frame.traces) == [0]
        assert np.shape(frame.data[0].z) == (30, 30)
        np.testing.assert_allclose(np.diagonal(frame.data[0].z), np.ones(30))


@EVERY_FIGURE
def test_without_a_frame_a_figure_shows_the_last_round(barbell, name):
    figure = getattr(barbell, name)
    last = figure.frames[-1]
    shown, framed = figure.data[last.traces[0]], last.data[0]
    if name == "matrix":
        np.testing.assert_array_equal(shown.z, framed.z)
    else:
        assert list(shown.marker.color) == list(framed.marker.color)


@EVERY_FIGURE
def test_frames_keep_the_kind_of_their_trace(barbell, name):
    figure = getattr(barbell, name)
    for frame in figure.frames:
        assert frame.data[0].type == figure.data[frame.traces[0]].type


@pytest.mark.parametrize("name", ["graph", "embedding"])
def test_frames_of_large_figures_keep_the_kind_of_their_trace(crowd, name):
    figure = getattr(crowd, name)
    for frame in figure.frames:
        assert frame.data[0].type == figure.data[frame.traces[0]].type


def test_three_axes_are_drawn_in_space():
    found = figures_of(nx.barbell_graph(5, 5), n_iterations=3, n_axes=3)
    assert found.embedding.data[0].type == "scatter3d"
    assert len(found.embedding.frames) == 4
    for t, frame in enumerate(found.embedding.frames):
        np.testing.assert_array_equal(frame.data[0].z, found.way.points[t, :, 2])
        assert frame.layout.scene.zaxis.title.text == "axis 3"
        (words,) = frame.layout.annotations
        assert [line.split(":")[0] for line in words.text.split("<br>")] == [
            "axis 1",
            "axis 2",
            "axis 3",
        ]


@pytest.mark.parametrize("graph", [nx.Graph(), nx.empty_graph(1), nx.empty_graph(3)], ids=len)
@pytest.mark.parametrize("n_iterations", [0, 2])
def test_graphs_with_nothing_to_see_are_drawn(graph, n_iterations):
    found = figures_of(graph, n_iterations, controls=True)
    for figure in (found.graph, found.embedding, found.matrix):
        assert len(json.loads(figure.to_json())["frames"]) == n_iterations + 1


@pytest.mark.parametrize(
    ("name", "most"), [("graph", 30_000), ("embedding", 25_000), ("matrix", 120_000)]
)
def test_json_of_a_barbell_is_valid_and_small(barbell, name, most):
    text = getattr(barbell, name).to_json()
    assert set(json.loads(text)) == {"data", "layout", "frames"}
    assert "NaN" not in text
    assert len(text.encode()) < most


def test_json_of_200_vertices_stays_small():
    found = figures_of(nx.gnm_random_graph(200, 400, seed=1), n_iterations=5)
    sizes = [len(getattr(found, name).to_json().encode()) for name in FIGURES]
    assert max(sizes) < 1_100_000
    assert sum(sizes) < 1_500_000


def test_many_vertices_are_drawn_by_the_graphics_card(barbell, crowd):
    assert [trace.type for trace in barbell.graph.data] == ["scatter", "scatter"]
    assert [trace.type for trace in barbell.embedding.data] == ["scatter"]
    assert [trace.type for trace in crowd.graph.data] == ["scattergl", "scattergl"]
    assert [trace.type for trace in crowd.embedding.data] == ["scattergl"]
    assert len(crowd.graph.data[1].x) == len(crowd.embedding.data[0].x) == 1_600


def test_too_many_edges_are_thinned_out(crowd):
    assert crowd.graphs.n_edges > MAX_EDGES_DRAWN
    assert MAX_EDGES_DRAWN / 3 < n_edges_drawn(crowd.graph) <= MAX_EDGES_DRAWN


def test_as_many_edges_as_can_be_drawn_are_all_drawn():
    graphs = GraphSet.from_networkx(nx.gnm_random_graph(400, MAX_EDGES_DRAWN, seed=5))
    colouring = colour_by_number("Degree", np.zeros(400), n_rounds=0)
    figure = graph_figure(graphs, graph_layout(graphs, "circle"), colouring)
    assert n_edges_drawn(figure) == MAX_EDGES_DRAWN


@EVERY_FIGURE
def test_controls_are_a_slider_and_a_play_button(controlled, name):
    figure = getattr(controlled, name)
    (slider,) = figure.layout.sliders
    assert [step.label for step in slider.steps] == ["0", "1", "2"]
    assert [list(step.args[0]) for step in slider.steps] == [["0"], ["1"], ["2"]]
    assert slider.active == 2
    (menu,) = figure.layout.updatemenus
    (button,) = menu.buttons
    assert menu.type == "buttons"
    assert button.method == "animate"
    assert button.args[0] is None


@EVERY_FIGURE
def test_without_controls_there_are_none(barbell, name):
    layout = getattr(barbell, name).layout
    assert not layout.sliders
    assert not layout.updatemenus


@pytest.mark.parametrize("n", [0, 1, MAX_ROWS_DRAWN - 1, MAX_ROWS_DRAWN])
def test_short_matrices_show_all_rows(n):
    order = np.random.default_rng(n).permutation(n)
    np.testing.assert_array_equal(matrix_rows(order), order)


@pytest.mark.parametrize("n", [MAX_ROWS_DRAWN + 1, 2 * MAX_ROWS_DRAWN, 12_345])
def test_long_matrices_show_an_even_part_in_the_same_order(n):
    order = np.random.default_rng(n).permutation(n)
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    shown = place[matrix_rows(order)]
    steps = np.diff(shown)
    assert len(shown) == MAX_ROWS_DRAWN
    assert shown[0] == 0
    assert shown[-1] == n - 1
    assert steps.min() >= 1
    assert np.ptp(steps) <= 1


def test_large_matrices_name_no_cells():
    graph = nx.gnm_random_graph(MAX_ROWS_DRAWN + 20, 300, seed=1)
    cells = figures_of(graph, n_iterations=1).matrix.data[0]
    assert np.shape(cells.z) == (MAX_ROWS_DRAWN, MAX_ROWS_DRAWN)
    assert cells.text is None
    assert "%{text}" not in cells.hovertemplate


def test_matrix_colours_cover_negative_cosines():
    kernels = [np.array([[1.0, -0.5], [-0.5, 1.0]]), np.eye(2)]
    cells = matrix_figure(kernels, np.array([1, 0]), ["a", "b"]).data[0]
    assert (cells.zmin, cells.zmax) == (-0.5, 1.0)
    values = matrix_figure(kernels, np.array([1, 0]), ["a", "b"], largest=8.0).data[0]
    assert (values.zmin, values.zmax) == (0.0, 8.0)
    assert [list(row) for row in cells.text] == [["b · b", "b · a"], ["a · b", "a · a"]]
