"""The way of the vertices through the plane: points, classes, signs, ranks."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import procrustes as standardised_procrustes

from mpgk_core import (
    GraphSet,
    InvalidGraphError,
    InvalidParameterError,
    MessagePassingNodeKernel,
    NotFittedError,
    kernel_pca,
)
from mpgk_core.embedding.trajectory import (
    aligned_to,
    kernel_clusters,
    matching_vertices,
    procrustes,
    trajectory,
)
from mpgk_core.graphs.graph_set import induced_subgraph
from mpgk_core.refinement.colour_refinement import agreeing
from tests.strategies import FEATURES, graphs, shuffled

NEIGHBOURHOODS = st.sampled_from("RA")
BOTH = pytest.mark.parametrize("neighbourhood", ["R", "A"])


def way_of(graph, neighbourhood="R", n_components=2, **options):
    kernel = MessagePassingNodeKernel(neighbourhood, **options).fit(graph)
    return trajectory(graph, kernel, n_components)


def n_points(way):
    return [way.n_points(t) for t in range(way.n_rounds + 1)]


def is_refined_by(classes, finer):
    """Whether vertices of one finer class are always in one class."""
    pairs = set(zip(classes.tolist(), finer.tolist(), strict=True))
    return len(pairs) == len(set(finer.tolist()))


@st.composite
def ways(draw, alphas=(0.2, 0.8, 1.0), n_components=2):
    return way_of(
        draw(graphs(min_vertices=1)),
        draw(NEIGHBOURHOODS),
        n_components,
        alpha=draw(st.sampled_from(alphas)),
        beta=draw(st.sampled_from([0.1, 0.2, 1.0])),
        n_iterations=draw(st.integers(0, 4)),
        features=draw(FEATURES),
        normalize=draw(st.booleans()),
    )


@BOTH
def test_barbell_comes_apart_into_its_orbits(neighbourhood):
    way = way_of(nx.barbell_graph(10, 10), neighbourhood, n_iterations=5, features="degree")
    assert n_points(way) == [3, 4, 5, 6, 7, 7]
    assert sorted(way.counts.tolist()) == [2, 2, 2, 2, 2, 2, 18]
    assert way.points.shape == (6, 7, 2)


@settings(max_examples=15)
@given(graph=graphs(min_vertices=1), neighbourhood=NEIGHBOURHOODS, features=FEATURES)
def test_classes_are_the_vertices_that_no_round_tells_apart(graph, neighbourhood, features):
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=3, features=features).fit(graph)
    way = trajectory(graph, kernel)
    own = way.representatives[way.class_of_vertex]
    kernels = [kernel.kernel_at(t) for t in range(4)]
    for values in kernels:
        np.testing.assert_allclose(values, values[own], rtol=1e-9, atol=1e-9)
    for one, other in np.argwhere(way.class_of_vertex[:, np.newaxis] != way.class_of_vertex):
        assert any(not np.array_equal(values[one], values[other]) for values in kernels)


@settings(max_examples=15)
@given(way=ways())
def test_classes_are_numbered_by_first_vertex_and_counted(way):
    assert way.representatives.tolist() == sorted(way.representatives.tolist())
    assert way.class_of_vertex[way.representatives].tolist() == list(range(len(way.counts)))
    np.testing.assert_array_equal(way.counts, np.bincount(way.class_of_vertex))
    assert way.point_of_class.shape == way.points.shape[:2]


@settings(max_examples=15)
@given(way=ways())
def test_with_a_past_points_split_and_never_merge(way):
    for before, after in pairwise(way.point_of_class):
        assert is_refined_by(before, after)
    assert n_points(way) == sorted(n_points(way))


def test_without_a_past_points_may_merge():
    way = way_of(nx.path_graph(3), alpha=0.0, beta=1.0, n_iterations=2, features="degree")
    assert n_points(way) == [2, 1, 2]


@settings(max_examples=15)
@given(way=ways())
def test_axes_keep_their_direction_from_round_to_round(way):
    for before, after in pairwise(way.points):
        assert np.all(way.counts @ (before * after) >= -1e-12)


@settings(max_examples=15)
@given(way=ways(alphas=(0.0, 0.8), n_components=3))
def test_every_axis_fills_its_range_or_is_zero(way):
    largest = np.abs(way.points).max(axis=1)
    assert set(largest.ravel().tolist()) <= {0.0, 1.0}
    assert np.all(way.explained >= 0)
    assert np.all(way.explained.sum(axis=1) <= 1 + 1e-9)


@settings(max_examples=15)
@given(way=ways())
def test_classes_on_one_point_have_the_same_coordinates(way):
    for points, point in zip(way.points, way.point_of_class, strict=True):
        first = np.unique(point, return_index=True)[1]
        of_point = dict(zip(point[first].tolist(), points[first], strict=True))
        expected = np.array([of_point[p] for p in point.tolist()])
        np.testing.assert_allclose(points, expected, atol=1e-6)


@BOTH
@pytest.mark.parametrize("normalize", [False, True])
def test_coordinates_are_those_of_kernel_pca(neighbourhood, normalize):
    graph = nx.lollipop_graph(4, 3)
    options = {"n_iterations": 3, "features": "degree", "normalize": normalize}
    kernel = MessagePassingNodeKernel(neighbourhood, **options).fit(graph)
    way = trajectory(graph, kernel)
    for t in range(4):
        expected = kernel_pca(kernel.kernel_at(t))
        real = expected.explained > 1e-6
        np.testing.assert_allclose(way.explained[t], expected.explained, atol=1e-6)
        unit = expected.points[:, real] / np.abs(expected.points[:, real]).max(axis=0)
        found = way.points[t, way.class_of_vertex][:, real]
        signs = np.sign((found * unit).sum(axis=0))
        np.testing.assert_allclose(found * signs, unit, atol=1e-4)


@settings(max_examples=15)
@given(way=ways())
def test_other_scales_show_the_same_points(way):
    true = way.points * way.scales[:, np.newaxis]
    for axes in ("fit", "equal"):
        other = way.with_axes(axes)
        atol = 1e-12 * way.scales.max(initial=1.0)
        np.testing.assert_allclose(other.points * other.scales[:, np.newaxis], true, atol=atol)
        assert np.all(np.abs(other.points) <= 1 + 1e-12)
        longest = way.scales.max(axis=1, keepdims=True)
        if axes == "equal":
            assert np.all(other.scales == longest)
        else:
            assert np.all(other.scales == np.where(way.explained < 0.01, longest, way.scales))


@settings(max_examples=15)
@given(way=ways())
def test_ranks_keep_the_order_and_are_evenly_spread(way):
    ranked = way.with_axes("rank")
    assert ranked.points.shape == way.points.shape
    for t, axis in np.ndindex(way.points.shape[0], 2):
        before, after = way.points[t, :, axis], ranked.points[t, :, axis]
        ordered = after[np.argsort(before, kind="stable")]
        assert np.all(np.diff(ordered) >= 0)
        apart = before[:, np.newaxis] - before > 1e-9
        assert np.all((after[:, np.newaxis] - after)[apart] > 0)
        levels = np.unique(after)
        spread = np.linspace(-1, 1, len(levels)) if len(levels) > 1 else [0.0]
        np.testing.assert_allclose(levels, spread, atol=1e-12)


def test_ranks_change_nothing_but_the_coordinates():
    way = way_of(nx.barbell_graph(4, 3), n_iterations=2)
    before = way.points.copy()
    ranked = way.with_axes("rank")
    np.testing.assert_array_equal(way.points, before)
    np.testing.assert_array_equal(ranked.class_of_vertex, way.class_of_vertex)
    np.testing.assert_array_equal(ranked.counts, way.counts)
    np.testing.assert_array_equal(ranked.explained, way.explained)
    np.testing.assert_array_equal(ranked.point_of_class, way.point_of_class)


@pytest.mark.parametrize(
    ("graph", "neighbourhood", "options"),
    [
        (nx.grid_2d_graph(8, 8), "R", {"normalize": True}),
        (nx.grid_2d_graph(8, 8), "R", {"normalize": True, "alpha": 0.5, "beta": 0.5}),
        (nx.lollipop_graph(30, 30), "A", {"alpha": 0.5, "beta": 0.5}),
        (nx.lollipop_graph(30, 30), "A", {"alpha": 0.99, "beta": 0.01}),
    ],
    ids=["grid", "grid half", "lollipop half", "lollipop slow"],
)
def test_classes_on_one_point_have_the_same_ranks(graph, neighbourhood, options):
    ranked = way_of(graph, neighbourhood, n_iterations=3, features="degree", **options).with_axes(
        "rank"
    )
    for points, point in zip(ranked.points, ranked.point_of_class, strict=True):
        together = point[:, np.newaxis] == point
        differences = np.abs(points[:, np.newaxis] - points).max(axis=2)
        assert differences[together].max() < 1e-9


@pytest.mark.parametrize(
    ("graph", "features", "options"),
    [
        (nx.star_graph(200), "degree", {"normalize": True}),
        (nx.star_graph(200), "degree", {"normalize": True, "alpha": 0.0, "beta": 1.0}),
        (nx.wheel_graph(60), "degree", {"normalize": True, "alpha": 0.99, "beta": 0.01}),
        (nx.turan_graph(40, 7), "clustering", {}),
        (nx.turan_graph(40, 7), "degree", {"alpha": 0.99, "beta": 0.01}),
    ],
    ids=["star", "star without past", "wheel", "turan clustering", "turan degree"],
)
def test_two_points_lie_on_one_axis(graph, features, options):
    way = way_of(graph, "A", n_iterations=4, features=features, **options)
    assert max(n_points(way)) == 2
    np.testing.assert_array_equal(way.points[:, :, 1], np.zeros(way.points.shape[:2]))


@settings(max_examples=15)
@given(graph=graphs(min_vertices=1), neighbourhood=NEIGHBOURHOODS, features=FEATURES)
def test_without_neighbours_nothing_ever_splits(graph, neighbourhood, features):
    way = way_of(graph, neighbourhood, alpha=0.8, beta=0.0, n_iterations=3, features=features)
    assert n_points(way) == [way.n_points(0)] * 4
    assert way.n_points(0) == len(way.counts)
    for points in way.points[1:]:
        np.testing.assert_allclose(points, way.points[0], atol=1e-6)


@settings(max_examples=15)
@given(graph=graphs(min_vertices=1), neighbourhood=NEIGHBOURHOODS, seed=st.integers(0, 99))
def test_order_of_vertices_does_not_matter_for_points_and_classes(graph, neighbourhood, seed):
    other, order = shuffled(graph, seed)
    before = way_of(graph, neighbourhood, n_iterations=3)
    after = way_of(other, neighbourhood, n_iterations=3)
    assert n_points(after) == n_points(before)
    pairs = zip(before.class_of_vertex[order].tolist(), after.class_of_vertex.tolist(), strict=True)
    assert len(set(pairs)) == len(before.counts) == len(after.counts)


@BOTH
def test_normalized_kernels_embed_directions(neighbourhood):
    options = {"n_iterations": 5, "features": "degree", "normalize": True}
    way = way_of(nx.barbell_graph(10, 10), neighbourhood, **options)
    assert way.n_points(0) == 1
    assert way.n_points(5) == 7
    assert np.all(np.isfinite(way.points))
    np.testing.assert_array_equal(way.points[0], np.zeros((7, 2)))


@BOTH
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("n_iterations", [0, 2])
def test_graph_without_vertices_has_no_points(neighbourhood, normalize, n_iterations):
    way = way_of(nx.Graph(), neighbourhood, n_iterations=n_iterations, normalize=normalize)
    assert way.points.shape == (n_iterations + 1, 0, 2)
    assert n_points(way) == [0] * (n_iterations + 1)
    assert way.representatives.tolist() == way.class_of_vertex.tolist() == []
    assert way.with_axes("rank").points.shape == way.points.shape


@BOTH
@pytest.mark.parametrize("normalize", [False, True])
def test_single_vertex_stays_at_the_origin(neighbourhood, normalize):
    way = way_of(nx.empty_graph(1), neighbourhood, n_iterations=3, normalize=normalize)
    np.testing.assert_array_equal(way.points, np.zeros((4, 1, 2)))
    np.testing.assert_array_equal(way.with_axes("rank").points, np.zeros((4, 1, 2)))
    assert n_points(way) == [1, 1, 1, 1]
    assert way.counts.tolist() == [1]


@BOTH
def test_no_rounds_leave_the_start_alone(neighbourhood):
    way = way_of(nx.barbell_graph(10, 10), neighbourhood, n_iterations=0, features="degree")
    assert way.n_rounds == 0
    assert n_points(way) == [3]
    assert way.counts.tolist() == [18, 2, 10]
    np.testing.assert_array_equal(way.points[:, :, 1], np.zeros((1, 3)))


@pytest.mark.parametrize("n_components", [1, 3, 9])
def test_number_of_axes_is_as_wanted(n_components):
    way = way_of(nx.barbell_graph(4, 3), n_components=n_components, n_iterations=3)
    assert way.points.shape[2] == way.explained.shape[1] == n_components


def test_several_graphs_share_one_plane():
    pair = GraphSet.from_networkx([nx.path_graph(4), nx.path_graph(4)])
    way = way_of(pair, n_iterations=2)
    np.testing.assert_array_equal(way.class_of_vertex[:4], way.class_of_vertex[4:])


def test_kernel_of_another_graph_is_refused():
    kernel = MessagePassingNodeKernel(n_iterations=1).fit(nx.path_graph(4))
    with pytest.raises(InvalidGraphError, match="5 vertices"):
        trajectory(nx.path_graph(5), kernel)


def test_kernel_that_is_not_fitted_is_refused():
    with pytest.raises(NotFittedError, match="fit"):
        trajectory(nx.path_graph(4), MessagePassingNodeKernel())


@pytest.mark.parametrize("n_components", [0, -1])
def test_impossible_numbers_of_axes_are_refused(n_components):
    kernel = MessagePassingNodeKernel(n_iterations=1).fit(nx.path_graph(4))
    with pytest.raises(InvalidParameterError, match="n_components"):
        trajectory(nx.path_graph(4), kernel, n_components)


coordinates = st.floats(-100, 100, allow_subnormal=False).map(lambda x: round(x, 3))
planes = st.integers(3, 9).flatmap(lambda n: arrays(np.float64, (n, 2), elements=coordinates))
pairs = st.integers(3, 9).flatmap(
    lambda n: st.tuples(*[arrays(np.float64, (n, 2), elements=coordinates)] * 2)
)


def turned(points, angle, is_mirrored, scale, shift):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    mirror = np.diag([1.0, -1.0 if is_mirrored else 1.0])
    return scale * points @ turn @ mirror + shift


def misfit(points, target):
    return ((points - target) ** 2).sum()


@given(planes, st.floats(0, 7), st.booleans(), st.floats(0.1, 10), coordinates)
def test_turning_mirroring_scaling_and_shifting_are_undone(points, angle, mirrored, scale, shift):
    found = procrustes(turned(points, angle, mirrored, scale, shift), points)
    np.testing.assert_allclose(found.points, points, atol=1e-8)
    assert found.disparity < 1e-9


@given(pairs)
def test_the_disparity_is_the_share_that_is_missed(pair):
    points, target = pair
    assume(np.ptp(points, axis=0).any() and np.ptp(target, axis=0).any())
    found = procrustes(points, target)
    spread = misfit(target, target.mean(axis=0))
    assert misfit(found.points, target) / spread == pytest.approx(found.disparity, abs=1e-9)
    assert found.disparity == pytest.approx(standardised_procrustes(target, points)[2], abs=1e-9)


@given(pairs, st.floats(0, 7), st.booleans(), st.floats(0, 10), coordinates)
def test_no_other_turn_and_scale_does_better(pair, angle, mirrored, scale, shift):
    points, target = pair
    best = misfit(procrustes(points, target).points, target)
    other = misfit(turned(points, angle, mirrored, scale, shift), target)
    assert best <= other * (1 + 1e-9) + 1e-6


@pytest.mark.parametrize("n", [3, 7])
def test_points_that_only_rounding_parts_are_all_one(n):
    points = np.full((n, 2), 0.1)
    found = procrustes(turned(points, 1.0, False, 3.3, 0.7), points)
    assert found.disparity == 0.0
    np.testing.assert_allclose(found.points, points)


def test_points_that_are_all_one_lie_in_the_middle():
    target = np.array([[0.0, 0.0], [2.0, 4.0]])
    found = procrustes(np.ones((2, 2)), target)
    assert found.points.tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert found.disparity == 1.0
    assert procrustes(np.ones((2, 2)), np.zeros((2, 2))).disparity == 0.0


@pytest.mark.parametrize("shapes", [((3, 2), (4, 2)), ((3, 2), (3, 3)), ((0, 2), (0, 2))])
def test_shapes_that_do_not_fit_are_refused(shapes):
    with pytest.raises(InvalidParameterError, match="Give at least one row"):
        procrustes(*map(np.zeros, shapes))


@pytest.mark.parametrize("names", [["a", "b", "x"], ["a", "b"]])
def test_other_names_are_no_match(names):
    path = GraphSet.from_networkx(nx.path_graph(["a", "b", "c"]))
    assert matching_vertices(path, GraphSet.from_networkx(nx.path_graph(names))) is None


@given(order=st.permutations(range(10)))
@settings(max_examples=20)
def test_the_same_graph_in_another_order_is_laid_on_itself(order):
    graph = GraphSet.from_networkx(
        nx.relabel_nodes(nx.barbell_graph(4, 2), {v: f"v{v}" for v in range(10)})
    )
    other = induced_subgraph(graph, np.array(order))
    one, two = (
        trajectory(g, MessagePassingNodeKernel(n_iterations=3, features="degree").fit(g))
        for g in (graph, other)
    )
    partner = matching_vertices(other, graph)
    assert partner is not None
    moved = aligned_to(two, one, partner)
    assert moved.n_rounds == 0
    np.testing.assert_allclose(
        moved.points[0][moved.class_of_vertex],
        one.points[-1][one.class_of_vertex][partner],
        atol=1e-7,
    )


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@given(graph=graphs(), n_clusters=st.integers(1, 6), data=st.data())
@settings(max_examples=25)
def test_order_of_vertices_does_not_matter(neighbourhood, graph, n_clusters, data):
    whole = GraphSet.from_networkx(graph)
    order = np.array(data.draw(st.permutations(range(whole.n_vertices))), dtype=np.int64)
    other = induced_subgraph(whole, order)
    first, second = (
        kernel_clusters(
            g, MessagePassingNodeKernel(neighbourhood, n_iterations=2).fit(g), n_clusters
        )
        for g in (whole, other)
    )
    assert agreeing(first[order]).tolist() == agreeing(second).tolist()
    assert len(set(first.tolist())) <= n_clusters or whole.n_vertices == 0


def test_cliques_and_path_of_a_barbell_are_two_clusters():
    barbell = nx.barbell_graph(6, 5)
    kernel = MessagePassingNodeKernel("R", n_iterations=3, features="degree").fit(barbell)
    assert kernel_clusters(barbell, kernel, 2).tolist() == [0] * 6 + [1] * 5 + [0] * 6


def test_each_round_has_its_own_clusters():
    path = nx.path_graph(9)
    kernel = MessagePassingNodeKernel("R", n_iterations=4, features="degree").fit(path)
    n_clusters = [len(set(kernel_clusters(path, kernel, 9, t).tolist())) for t in range(5)]
    assert n_clusters == [2, 3, 4, 5, 5]


def test_no_clusters_is_an_error():
    path = nx.path_graph(3)
    with pytest.raises(InvalidParameterError, match="n_clusters"):
        kernel_clusters(path, MessagePassingNodeKernel("R").fit(path), 0)
