"""Where vertices are drawn: within the picture, the same every time."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, InvalidParameterError
from mpgk_core.plotting import LAYOUTS, graph_layout
from mpgk_core.plotting.graph_figure import diffused_start, is_crowded, spread_layout

GRAPHS = {
    "path": nx.path_graph(9),
    "two vertices": nx.path_graph(2),
    "barbell": nx.barbell_graph(5, 2),
    "star": nx.star_graph(6),
    "complete": nx.complete_graph(5),
    "disconnected": nx.disjoint_union(nx.path_graph(4), nx.cycle_graph(5)),
    "no edges": nx.empty_graph(4),
    "single vertex": nx.empty_graph(1),
    "empty": nx.Graph(),
    "200 vertices": nx.gnm_random_graph(200, 500, seed=2),
}
EVERY_LAYOUT = pytest.mark.parametrize("layout", list(LAYOUTS))


def prepared(graph):
    return GraphSet.from_networkx(graph)


@EVERY_LAYOUT
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_positions_are_finite_and_within_the_picture(graph, layout):
    positions = graph_layout(prepared(graph), layout)
    assert positions.shape == (len(graph), 2)
    assert np.all(np.isfinite(positions))
    assert np.abs(positions).max(initial=0.0) <= 1.0 + 1e-12


@EVERY_LAYOUT
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_same_graph_is_drawn_the_same_way(graph, layout):
    one, other = graph_layout(prepared(graph), layout), graph_layout(prepared(graph), layout)
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(("layout", "n"), [("spectral", 600), ("spring", 1300)])
def test_large_graphs_are_drawn_the_same_way(layout, n):
    graph = prepared(nx.gnm_random_graph(n, 3 * n, seed=1))
    np.testing.assert_array_equal(graph_layout(graph, layout), graph_layout(graph, layout))


@EVERY_LAYOUT
@pytest.mark.parametrize("name", [name for name, graph in GRAPHS.items() if 1 < len(graph) < 200])
def test_drawings_fill_the_picture(name, layout):
    positions = graph_layout(prepared(GRAPHS[name]), layout)
    assert np.abs(positions).max() == pytest.approx(1.0)


@EVERY_LAYOUT
@pytest.mark.parametrize("name", ["two vertices", "path"])
def test_vertices_do_not_hide_each_other(name, layout):
    positions = graph_layout(prepared(GRAPHS[name]), layout)
    distances = np.linalg.norm(positions[:, np.newaxis] - positions, axis=2)
    assert distances[~np.eye(len(positions), dtype=bool)].min() > 1e-3


@EVERY_LAYOUT
def test_single_vertex_is_drawn_in_the_middle(layout):
    assert graph_layout(prepared(nx.empty_graph(1)), layout).tolist() == [[0.0, 0.0]]


@EVERY_LAYOUT
def test_names_do_not_move_vertices(layout):
    graph = GRAPHS["disconnected"]
    renamed = nx.relabel_nodes(graph, {v: f"vertex {v}" for v in graph})
    expected = graph_layout(prepared(graph), layout)
    np.testing.assert_array_equal(graph_layout(prepared(renamed), layout), expected)


def test_spring_lays_a_path_from_left_to_right():
    positions = graph_layout(prepared(nx.path_graph(9)), "spring")
    assert np.all(np.diff(positions[:, 0]) > 0)
    np.testing.assert_allclose(positions[:, 1], np.zeros(9), atol=0.05)


def test_circle_puts_vertices_at_equal_distances():
    positions = graph_layout(prepared(nx.path_graph(8)), "circle")
    np.testing.assert_allclose(np.linalg.norm(positions, axis=1), np.ones(8), rtol=1e-5)
    steps = np.linalg.norm(positions - np.roll(positions, 1, axis=0), axis=1)
    np.testing.assert_allclose(steps, np.full(8, steps[0]), rtol=1e-5)


def test_rings_put_hubs_inside():
    graph = nx.barbell_graph(5, 4)
    radii = np.linalg.norm(graph_layout(prepared(graph), "rings"), axis=1)
    degrees = np.array([graph.degree(v) for v in graph])
    means = [radii[degrees == degree].mean() for degree in sorted(set(degrees.tolist()))]
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("layout", ["square", "", "SPRING", None])
@pytest.mark.parametrize("graph", [nx.path_graph(3), nx.Graph()], ids=["path", "empty"])
def test_unknown_layouts_are_refused(graph, layout):
    with pytest.raises(InvalidParameterError, match="spring, circle, spectral, rings"):
        graph_layout(prepared(graph), layout)


LARGE = {
    "random, with parts apart": nx.gnm_random_graph(1_300, 2_600, seed=1),
    "random and dense": nx.gnm_random_graph(1_300, 8_000, seed=1),
    "tree": nx.balanced_tree(2, 10),
    "hubs": nx.barabasi_albert_graph(1_300, 2, seed=1),
    "ring": nx.cycle_graph(1_300),
    "no edges": nx.empty_graph(1_300),
}


@pytest.mark.parametrize("name", LARGE)
def test_no_spot_holds_many_vertices(name):
    graph = GraphSet.from_networkx(LARGE[name])
    places = graph_layout(graph, "spring")
    assert np.abs(places).max() == pytest.approx(1.0)
    assert not is_crowded(places)
    np.testing.assert_array_equal(places, graph_layout(graph, "spring"))


def test_a_large_ring_stays_a_ring():
    places = graph_layout(GraphSet.from_networkx(LARGE["ring"]), "spring")
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), 1.0, atol=0.01)


def test_neighbours_come_nearer_than_strangers():
    adjacency = nx.to_scipy_sparse_array(LARGE["tree"], dtype=np.float64)
    places = spread_layout(adjacency, diffused_start(adjacency, 0), 0)
    ends = np.array(list(LARGE["tree"].edges()))
    near = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    strangers = np.linalg.norm(places - places[::-1], axis=1)
    assert np.median(near) < np.median(strangers) / 4


def test_a_crowd_is_seen():
    assert is_crowded(np.vstack([np.zeros((10, 2)), np.random.default_rng(0).random((90, 2))]))
    assert is_crowded(np.zeros((5, 2)))
    assert not is_crowded(np.random.default_rng(0).random((1_000, 2)))
