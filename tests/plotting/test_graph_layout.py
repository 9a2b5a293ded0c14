"""Where vertices are drawn: within the picture, apart, and as what the graph is."""

from itertools import combinations, pairwise
from typing import get_args, get_type_hints

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidParameterError
from mpgk_core.datasets import samples
from mpgk_core.evaluation.node_roles import role_graph
from mpgk_core.formats import read_graphs
from mpgk_core.graphs.generators import PRESETS, GivenGraph, Preset, PresetGraph, build_graph
from mpgk_core.lessons import lessons
from mpgk_core.plotting import LAYOUTS, graph_layout
from mpgk_core.plotting.graph_layout import (
    FEW_VERTICES,
    diffused_start,
    is_crowded,
    spread_layout,
    without_overlaps,
)
from mpgk_core.plotting.style import needed_distance

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
    with pytest.raises(InvalidParameterError, match="natural, spring, circle, spectral, rings"):
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


def crossings(graph, places):
    """Pairs of edges without a common end that have a point in common, one pair after the other."""
    found = []
    for (a, b), (c, d) in combinations(graph.edges, 2):
        if len({a, b, c, d}) < 4:
            continue
        matrix = np.column_stack([places[b] - places[a], places[c] - places[d]])
        if abs(np.linalg.det(matrix)) < 1e-12:
            continue
        s, t = np.linalg.solve(matrix, places[c] - places[a])
        if -1e-9 < s < 1 + 1e-9 and -1e-9 < t < 1 + 1e-9:
            found.append(((a, b), (c, d)))
    return found


def edge_lengths(graph, places):
    return np.array([np.linalg.norm(places[v] - places[u]) for v, u in graph.edges])


def smallest_distance(places):
    distances = np.linalg.norm(places[:, np.newaxis] - places, axis=2)
    return distances[np.triu_indices(len(places), 1)].min(initial=np.inf)


def natural(graph):
    return graph_layout(GraphSet.from_networkx(graph), "natural")


def numbered(graph):
    return nx.convert_node_labels_to_integers(graph)


def same_drawing(one, other):
    """Whether two drawings have equal distances between their vertices, in some order."""
    tables = [np.linalg.norm(p[:, np.newaxis] - p, axis=2) for p in (one, other)]
    return np.allclose(*[np.sort(np.sort(table, axis=1), axis=0) for table in tables], atol=1e-6)


DECALIN = nx.cycle_graph(10)
DECALIN.add_edge(0, 5)
BICYCLOPENTYL = nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(5))
BICYCLOPENTYL.add_edge(0, 5)
PLANE = {
    "path": nx.path_graph(12),
    "star": nx.star_graph(9),
    "tree": nx.balanced_tree(3, 3),
    "random tree": nx.random_labeled_tree(40, seed=1),
    "deep tree": nx.Graph([*nx.path_graph(15).edges, (3, 15), (15, 16), (9, 17), (12, 18)]),
    "large tree": nx.balanced_tree(4, 4),
    "ring": nx.cycle_graph(11),
    "wheel": nx.wheel_graph(9),
    "grid": numbered(nx.grid_2d_graph(4, 7)),
    "high grid": numbered(nx.grid_2d_graph(9, 2)),
    "prism": nx.circular_ladder_graph(7),
    "triangular prism": nx.circular_ladder_graph(3),
    "cube": numbered(nx.hypercube_graph(3)),
    "house": nx.house_graph(),
    "decalin": DECALIN,
    "bicyclopentyl": BICYCLOPENTYL,
    "both": nx.disjoint_union(DECALIN, BICYCLOPENTYL),
    "houses on a ring": build_graph("houses-on-a-ring"),
    "many houses": build_graph("houses-on-a-ring", houses=12, spacing=1),
    "friends": nx.windmill_graph(6, 3),
    "florentine families": numbered(build_graph("florentine-families")),
    "icosahedron": numbered(nx.icosahedral_graph()),
    "dodecahedron": nx.dodecahedral_graph(),
    "Frucht": nx.frucht_graph(),
    "hexagons": numbered(nx.hexagonal_lattice_graph(2, 3)),
    "triangles": numbered(nx.triangular_lattice_graph(3, 6)),
}


@pytest.mark.parametrize("name", PLANE)
def test_no_edges_cross_where_they_need_not(name):
    assert nx.check_planarity(PLANE[name])[0]
    assert not crossings(PLANE[name], natural(PLANE[name]))


def test_the_oracle_sees_crossings():
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert crossings(nx.Graph([(0, 2), (1, 3)]), square)
    assert not crossings(nx.Graph([(0, 1), (2, 3)]), square)


@pytest.mark.parametrize("preset", PRESETS)
def test_vertices_of_presets_keep_apart(preset):
    recipe = PresetGraph(preset)
    places = graph_layout(recipe.build(), recipe.layout)
    assert np.abs(places).max() == pytest.approx(1.0)
    if len(places) < FEW_VERTICES:
        assert smallest_distance(places) >= needed_distance(places)
    else:
        assert smallest_distance(places) > 0


@st.composite
def any_graphs(draw):
    n = draw(st.integers(2, FEW_VERTICES - 1))
    density = draw(st.sampled_from([0.0, 0.02, 0.05, 0.2, 1.0]))
    return nx.fast_gnp_random_graph(n, density, seed=draw(st.integers(0, 999)))


@settings(max_examples=40, deadline=None)
@given(any_graphs(), st.sampled_from(list(LAYOUTS)))
def test_vertices_of_small_graphs_never_overlap(graph, layout):
    places = graph_layout(GraphSet.from_networkx(graph), layout)
    assert np.abs(places).max() == pytest.approx(1.0)
    assert smallest_distance(places) >= needed_distance(places)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*2 * [st.sampled_from([0.0, 0.001, 0.3, 1.0])]), min_size=1, max_size=59))
def test_overlaps_are_removed_and_others_stay(points):
    places = np.array(points)
    parted = without_overlaps(places)
    assert smallest_distance(parted) >= needed_distance(parted) or len(places) == 1
    if smallest_distance(places) >= 1.02 * needed_distance(places) > 0:
        np.testing.assert_array_equal(parted, places)


SHAPES = {
    "grid": numbered(nx.grid_2d_graph(4, 6)),
    "tree": nx.balanced_tree(2, 4),
    "ring": nx.cycle_graph(9),
    "path": nx.path_graph(7),
    "wheel": nx.wheel_graph(8),
    "complete": nx.complete_graph(7),
    "two rows": nx.complete_bipartite_graph(3, 6),
    "prism": nx.circular_ladder_graph(6),
    "Petersen": nx.petersen_graph(),
    "barbell": nx.barbell_graph(6, 3),
    "lollipop": nx.lollipop_graph(6, 3),
    "decalin": DECALIN,
    "houses on a ring": build_graph("houses-on-a-ring", houses=4, spacing=2),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SHAPES)
def test_numbering_does_not_change_a_shape(name, seed):
    graph = SHAPES[name]
    order = np.random.default_rng(seed).permutation(len(graph))
    renamed = nx.empty_graph(len(graph))
    renamed.add_edges_from((int(order[v]), int(order[u])) for v, u in graph.edges)
    assert same_drawing(natural(graph), natural(renamed))


@pytest.mark.parametrize("h", [3, 5, 10, 20, 29])
@pytest.mark.parametrize("k", [0, 1, 2, 10, 40])
def test_barbells_lie_across_the_picture(h, k):
    graph = build_graph("barbell", h=h, k=k)
    places = natural(graph)
    assert np.ptp(places[:, 0]) == pytest.approx(2.0)
    for clique in (range(h), range(h + k, 2 * h + k)):
        own = places[list(clique)]
        radii = np.linalg.norm(own - own.mean(axis=0), axis=1)
        np.testing.assert_allclose(radii, radii[0])
        sides = np.sort(np.linalg.norm(own[:, np.newaxis] - own, axis=2), axis=1)[:, 1:3]
        np.testing.assert_allclose(sides, sides[0, 0])
    path = places[h - 1 : h + k + 1]
    np.testing.assert_allclose(path[:, 1], path[0, 1], atol=1e-9)
    steps = np.diff(path[:, 0])
    np.testing.assert_allclose(steps, steps[0])
    assert steps[0] > 0
    assert smallest_distance(places) >= needed_distance(places) or len(places) >= FEW_VERTICES
    assert places[:h, 0].max() < places[h + k :, 0].min()


def test_default_barbell_fills_a_wide_picture():
    width, height = np.ptp(natural(build_graph("barbell")), axis=0)
    assert 3 < width / height < 5


def test_rings_of_molecules_are_regular():
    for graph, rings in (
        (DECALIN, ([0, 1, 2, 3, 4, 5], [5, 6, 7, 8, 9, 0])),
        (BICYCLOPENTYL, ([0, 1, 2, 3, 4], [5, 6, 7, 8, 9])),
    ):
        places = natural(graph)
        lengths = edge_lengths(graph, places)
        np.testing.assert_allclose(lengths, lengths[0])
        for ring in rings:
            radii = np.linalg.norm(places[ring] - places[ring].mean(axis=0), axis=1)
            np.testing.assert_allclose(radii, radii[0])
        width, height = np.ptp(places, axis=0)
        assert width > 1.4 * height


def test_grids_have_rows_and_columns():
    places = natural(nx.grid_2d_graph(4, 7))
    assert len(set(places[:, 0].round(9))) == 7
    assert len(set(places[:, 1].round(9))) == 4
    lengths = edge_lengths(numbered(nx.grid_2d_graph(4, 7)), places)
    np.testing.assert_allclose(lengths, lengths[0])


def test_trees_have_a_layer_for_every_level():
    graph = nx.balanced_tree(2, 4)
    places = natural(graph)
    depth = nx.single_source_shortest_path_length(graph, 0)
    levels = [places[[v for v in graph if depth[v] == d], 1] for d in range(5)]
    assert all(np.ptp(level) < 1e-9 for level in levels)
    assert all(one[0] > other[0] for one, other in pairwise(levels))
    for v in graph:
        below = [places[u, 0] for u in graph[v] if depth[u] > depth[v]]
        assert not below or places[v, 0] == pytest.approx(np.mean(below))


@pytest.mark.parametrize(
    "graph", [nx.circulant_graph(13, [1, 4]), nx.complete_graph(8), nx.desargues_graph()]
)
def test_circulant_and_regular_graphs_lie_on_a_circle(graph):
    radii = np.linalg.norm(natural(graph) - natural(graph).mean(axis=0), axis=1)
    np.testing.assert_allclose(radii, radii[0])


@pytest.mark.parametrize(
    "graph", [nx.complete_bipartite_graph(3, 8), numbered(nx.davis_southern_women_graph())]
)
def test_bipartite_graphs_have_two_rows(graph):
    places = natural(graph)
    heights = places[:, 1].round(9)
    assert len(set(heights)) == 2
    assert all(heights[v] != heights[u] for v, u in graph.edges)


def test_equal_halves_are_mirror_images():
    places = graph_layout(role_graph("karate")[0])
    left, right = places[:34], places[34:]
    np.testing.assert_allclose(left * [-1, 1], right, atol=1e-9)
    assert left[:, 0].max() < 0


def test_parts_stand_side_by_side():
    graph = nx.disjoint_union_all([nx.cycle_graph(6), nx.cycle_graph(3), nx.cycle_graph(3)])
    places = natural(graph)
    lengths = edge_lengths(graph, places)
    np.testing.assert_allclose(lengths, lengths[0])
    parts = [places[:6], places[6:9], places[9:]]
    for one, other in pairwise(parts):
        assert one[:, 0].max() < other[:, 0].min()


def test_groups_have_circles_of_their_own():
    graph = build_graph("caveman", cliques=5, size=6)
    places = graph_layout(GraphSet.from_networkx(graph), "groups")
    for first in range(0, 30, 6):
        own = places[first : first + 6]
        radii = np.linalg.norm(own - own.mean(axis=0), axis=1)
        np.testing.assert_allclose(radii, radii[0])


def test_presets_name_known_layouts():
    assert set(get_args(get_type_hints(Preset)["layout"])) == set(LAYOUTS)


def test_graphs_of_lessons_are_drawn_without_crossings():
    n_drawn = 0
    for step in (step for lesson in lessons() for step in lesson.steps):
        source, layout = step.picture.source, step.picture.layout
        if isinstance(source, PresetGraph | GivenGraph):
            graph = source.build()
            numbers = nx.from_scipy_sparse_array(graph.adjacency)
            if nx.check_planarity(numbers)[0]:
                n_drawn += 1
                assert not crossings(numbers, graph_layout(graph, layout)), source.title
    assert n_drawn > 15


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.path.name)
def test_samples_are_drawn_without_overlaps(sample):
    graphs = read_graphs(sample.path.name, sample.path.read_bytes())
    for graph in graphs[:20]:
        places = graph_layout(graph)
        if 1 < len(places) < FEW_VERTICES:
            assert smallest_distance(places) >= needed_distance(places)
        assert np.abs(places).max() == pytest.approx(1.0)
