"""The steps of k-means on one cluster, each against the obvious computation with numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core.kernels import clustering
from mpgk_core.kernels.clustering import _SAMPLE_SIZE, Points, split_points
from mpgk_core.kernels.hierarchy import grow_tree

SEEDS = st.integers(0, 10**6)


def points_of(seed, m, n_dims=4, n_distinct=None):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(m, n_dims))
    return points if n_distinct is None else points[rng.integers(min(n_distinct, m), size=m)]


def distances(points, centroids):
    return ((points[:, np.newaxis] - centroids) ** 2).sum(axis=2)


@pytest.mark.parametrize("m", [1, 5, clustering._BLOCK, 2 * clustering._BLOCK + 3])
@pytest.mark.parametrize("n_dims", [4, 8])
def test_squared_distances_are_those_of_numpy(m, n_dims):
    points, centre = points_of(m, m, n_dims), points_of(m + 1, 1, n_dims)[0]
    found = np.full(m, np.nan)
    clustering._squared_distances(np.ascontiguousarray(points.T), m, centre, found)
    np.testing.assert_allclose(found, distances(points, centre[np.newaxis])[:, 0])


@pytest.mark.parametrize("m", [3, clustering._BLOCK + 7])
def test_points_go_to_the_nearest_centroid_and_ties_to_the_first(m):
    points = points_of(0, m)
    centroids = np.concatenate([points_of(1, 4), points_of(1, 4)])
    expected = distances(points, centroids[:4]).argmin(axis=1)
    labels = np.full(m, -1)
    clustering._assign_nearest(np.ascontiguousarray(points.T), m, centroids, labels)
    np.testing.assert_array_equal(labels, expected)
    members = np.random.default_rng(2).permutation(m)[: m - 1]
    blockwise = clustering._assign_in_blocks(Points.of(points), members, centroids, 1.0)
    np.testing.assert_array_equal(blockwise, expected[members])


@given(SEEDS, st.integers(1, 30), st.integers(1, 4))
def test_centroids_move_to_weighted_means_and_empty_ones_stay(seed, m, k):
    rng = np.random.default_rng(seed)
    points, weights = points_of(seed, m), rng.integers(1, 5, size=m).astype(float)
    labels = rng.integers(k, size=m)
    before = points_of(seed + 1, k + 1)
    centroids = before.copy()
    clustering._move_to_means(points, weights, labels, centroids)
    for c in range(k + 1):
        own = labels == c
        expected = np.average(points[own], axis=0, weights=weights[own]) if own.any() else before[c]
        np.testing.assert_allclose(centroids[c], expected)


@given(SEEDS, st.integers(1, 30), st.integers(1, 6))
def test_empty_clusters_are_dropped_and_the_others_keep_their_order(seed, m, k):
    labels = np.random.default_rng(seed).integers(k, size=m)
    centroids = points_of(seed, k)
    kept, numbers = clustering._drop_empty(centroids, labels)
    np.testing.assert_array_equal(kept, centroids[np.unique(labels)])
    np.testing.assert_array_equal(kept[numbers], centroids[labels])


@given(SEEDS, st.integers(1, 40), st.integers(1, 6), st.integers(1, 12))
def test_first_centroids_are_distinct_points_as_many_as_there_are(seed, m, k, n_distinct):
    points = points_of(seed, m, n_distinct=n_distinct)
    columns = np.ascontiguousarray(points.T)
    found = clustering._spread_out_seeds(points, columns, np.ones(m), k, np.uint64(seed))
    distinct = {tuple(row) for row in points.tolist()}
    chosen = [tuple(row) for row in found.tolist()]
    assert len(chosen) == len(set(chosen)) == min(k, len(distinct))
    assert set(chosen) <= distinct


def test_first_centroids_are_drawn_by_weight_and_then_by_squared_distance():
    points = np.array([[0.0] * 4, [1.0, 0, 0, 0], [3.0, 0, 0, 0]])
    weights = np.array([4.0, 2.0, 0.0])
    draws = [
        clustering._spread_out_seeds(points, points.T.copy(), weights, 3, np.uint64(seed))
        for seed in range(3000)
    ]
    assert {len(draw) for draw in draws} == {2}
    share = np.mean([draw[0, 0] == 0.0 for draw in draws])
    assert abs(share - 4 / 6) < 0.04
    weights = np.array([1.0, 1.0, 1.0])
    pairs = [
        clustering._spread_out_seeds(points, points.T.copy(), weights, 2, np.uint64(seed))
        for seed in range(3000)
    ]
    second = [pair[1, 0] for pair in pairs if pair[0, 0] == 0.0]
    assert abs(np.mean(np.array(second) == 3.0) - 9 / 10) < 0.04


@given(SEEDS, st.integers(1, 20), st.integers(1, 4))
def test_points_equally_near_to_several_seeds_take_turns(seed, m, k):
    rng = np.random.default_rng(seed)
    points, seeds = rng.integers(0, 2, size=(m, 4)) * 1.0, rng.integers(0, 2, size=(k, 4)) * 1.0
    found = clustering._first_assignment(np.ascontiguousarray(points.T), seeds)
    for i, row in enumerate(distances(points, seeds)):
        nearest = np.flatnonzero(row == row.min())
        assert found[i] == nearest[i % len(nearest)]


@given(SEEDS, st.integers(_SAMPLE_SIZE + 1, 3 * _SAMPLE_SIZE))
@settings(max_examples=10)
def test_a_sample_is_spread_evenly_and_holds_every_heavy_point(seed, m):
    weights = np.random.default_rng(seed).random(m)
    heavy = np.random.default_rng(seed + 1).integers(m, size=3)
    weights[heavy] = m
    half = _SAMPLE_SIZE // 2
    chosen = clustering._sample(weights, np.uint64(seed * 2**40 + 1))
    assert (np.diff(chosen) > 0).all()
    assert half <= len(chosen) <= _SAMPLE_SIZE
    assert set(heavy.tolist()) <= set(chosen.tolist())
    assert np.diff(np.concatenate([[-1], chosen, [m]])).max() <= 2 * m / half + 1
    every = clustering._sample(np.ones(m), np.uint64(seed))
    assert np.diff(np.concatenate([[-1], every, [m]])).max() <= m / half + 2


@given(SEEDS, st.integers(2, 60), st.integers(2, 5))
def test_splitting_improves_on_one_cluster_and_labels_are_the_nearest_centroids(seed, m, k):
    points = points_of(seed, m + 3)
    members = np.random.default_rng(seed).permutation(m + 3)[:m]
    weights = np.random.default_rng(seed).integers(1, 4, size=m + 3).astype(float)
    centroids, labels = split_points(Points.of(points), weights, members, k, np.uint64(seed))
    assert 1 < len(centroids) <= k
    assert set(labels.tolist()) == set(range(len(centroids)))
    near = distances(points[members], centroids)
    np.testing.assert_array_equal(labels, near.argmin(axis=1))
    mean = np.average(points[members], axis=0, weights=weights[members])
    around_mean = distances(points[members], mean[np.newaxis])[:, 0]
    assert weights[members] @ near.min(axis=1) < weights[members] @ around_mean


def test_lloyd_steps_reach_separate_groups_whatever_the_seed():
    groups = np.repeat(np.eye(4) * 50, 30, axis=0)
    points = groups + points_of(3, 120) * 0.1
    for seed in range(20):
        centroids, labels = split_points(
            Points.of(points), np.ones(120), np.arange(120), 4, np.uint64(seed)
        )
        means = np.array([points[labels == c].mean(axis=0) for c in range(len(centroids))])
        np.testing.assert_allclose(centroids, means, atol=1e-9)


def test_very_many_points_are_split_by_the_centroids_of_a_sample():
    m = 4 * _SAMPLE_SIZE
    points = points_of(5, m)
    centroids, labels = split_points(Points.of(points), np.ones(m), np.arange(m), 3, np.uint64(1))
    np.testing.assert_array_equal(labels, distances(points, centroids).argmin(axis=1))
    means = np.array([points[labels == c].mean(axis=0) for c in range(3)])
    assert np.abs(centroids - means).max() > 1e-6
    assert np.abs(centroids - means).max() < 0.5


def test_equal_points_are_not_split():
    points = np.ones((6, 4))
    centroids, labels = split_points(Points.of(points), np.ones(6), np.arange(6), 3, np.uint64(0))
    assert len(centroids) == 1
    assert labels.tolist() == [0] * 6


@given(SEEDS, st.integers(1, 3), st.integers(1, 3))
def test_points_read_from_shared_rows_are_clustered_like_points_written_out(seed, width, n_parts):
    rng = np.random.default_rng(seed)
    table, factors = rng.normal(size=(9, width)), rng.random(n_parts)
    rows = rng.integers(9, size=(30, n_parts)).astype(np.int32)
    shared = Points(table, rows, factors)
    joined = np.hstack([factor * table[own] for factor, own in zip(factors, rows.T, strict=True)])
    if n_parts > 1:
        np.testing.assert_array_equal(shared.written_out(), joined)
    assert clustering.largest_coordinate(shared) == np.abs(joined).max()
    tree, leaves = grow_tree(shared, np.ones(30), 2, 4, 0)
    other, expected = grow_tree(joined, np.ones(30), 2, 4, 0)
    np.testing.assert_array_equal(leaves, expected)
    np.testing.assert_array_equal(tree.centroids, other.centroids)
    np.testing.assert_array_equal(tree.route(shared), leaves)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_coordinates_that_are_not_finite_are_noticed(bad):
    table = np.array([[1.0, bad], [3.0, 4.0]])
    assert clustering.largest_coordinate(Points.of(table)) == np.inf
