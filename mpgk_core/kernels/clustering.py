"""Weighted k-means on one cluster of points: the step that splits a node of a cluster tree.

Sums run in a fixed order, one coordinate after the other, and are vectorised over points, so
the result is the same to the last bit on every processor and for every order of vertices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Int32Array, IntArray
from mpgk_core.grouping import mix

_N_LLOYD_STEPS = 6
_SAMPLE_SIZE = 1024
_BLOCK = 512
_SAME_POINT = 1e-20
"""Squared distance, where the largest coordinate is one, below which points are not split."""
_TWO_TO_53 = 9007199254740992.0
_SHIFT_11 = np.uint64(11)


class Points(NamedTuple):
    """Points made of rows of one table, which many of them share: written out only where read.

    Part j of point i is ``factors[j] * table[rows[i, j]]``. Zeros follow, up to a multiple of four.
    """

    table: FloatArray
    rows: Int32Array
    factors: FloatArray

    @classmethod
    def of(cls, table: FloatArray) -> Points:
        """Return points that have a row of the table each."""
        rows = np.arange(len(table), dtype=np.int32)[:, np.newaxis]
        return cls(np.ascontiguousarray(table), rows, np.ones(1))

    def written_out(self) -> FloatArray:
        """Return the points as an array; if they have one part, the table itself."""
        if len(self.factors) == 1:
            return self.table
        width = self.table.shape[1] * len(self.factors)
        return gathered(self, np.arange(len(self.rows)), 1.0)[:, :width]


@compiled
def n_coordinates(points: Points) -> int:
    """Return the length of a point, with the zeros at its end."""
    length: int = (points.table.shape[1] * points.rows.shape[1] + 3) // 4 * 4
    return length


@compiled
def largest_coordinate(points: Points) -> float:
    """Return the largest absolute value; infinity if one of them is not finite."""
    largest = 0.0
    for i in range(len(points.rows)):
        for j in range(len(points.factors)):
            row = points.table[points.rows[i, j]]
            for d in range(len(row)):
                value = abs(points.factors[j] * row[d])
                if not value < np.inf:
                    return np.inf
                largest = max(largest, value)
    return largest


@compiled
def write_point(points: Points, i: int, scale: float, target: FloatArray) -> None:
    """Write the scaled coordinates of a point, without the zeros at its end."""
    width = points.table.shape[1]
    for j in range(len(points.factors)):
        row = points.table[points.rows[i, j]]
        for d in range(width):
            target[j * width + d] = points.factors[j] * row[d] * scale


@compiled
def gathered(points: Points, members: IntArray, scale: float) -> FloatArray:
    """Return some of the points, scaled, as an array."""
    found = np.zeros((len(members), n_coordinates(points)))
    for i in range(len(members)):
        write_point(points, members[i], scale, found[i])
    return found


@compiled
def split_points(
    points: Points,
    weights: FloatArray,
    members: IntArray,
    k: int,
    seed: np.uint64,
    scale: float = 1.0,
) -> tuple[FloatArray, IntArray]:
    """Split some of the points into at most ``k`` non-empty clusters.

    k-means++ seeding, then Lloyd steps, on a sample where there are very many points; the
    labels always come from a last assignment of all points to the final centroids (ties to the
    lowest number), which is where a new point with the same coordinates would go.

    Parameters
    ----------
    points : Points
        All points.
    weights : ndarray of shape (m,)
        How often each point occurs.
    members : ndarray of int
        The points to split, in an order of their own (it decides the order of sums).
    k : int
        Number of clusters to aim at.
    seed : uint64
        Of the random choices.
    scale : float
        What points are multiplied by first: no scaled copy of all of them is made.

    Returns
    -------
    centroids : ndarray of shape (k', D)
        k' <= k; one centroid means that the points could not be told apart.
    labels : ndarray
        The cluster of every member.
    """
    chosen = members
    is_sampled = len(members) > _SAMPLE_SIZE
    if is_sampled:
        chosen = members[_sample(weights[members], mix(seed, np.uint64(k)))]
    chosen_weights = weights[chosen]
    sample = gathered(points, chosen, scale)
    columns = np.ascontiguousarray(sample.T)
    centroids = _spread_out_seeds(sample, columns, chosen_weights, k, seed)
    labels = _first_assignment(columns, centroids)
    for _ in range(_N_LLOYD_STEPS):
        _move_to_means(sample, chosen_weights, labels, centroids)
        previous = labels.copy()
        _assign_nearest(columns, len(chosen), centroids, labels)
        if np.array_equal(labels, previous):
            break
    if is_sampled:
        labels = _assign_in_blocks(points, members, centroids, scale)
    return _drop_empty(centroids, labels)


@compiled
def _first_assignment(columns: FloatArray, seeds: FloatArray) -> IntArray:
    """Assign points to the seeds, and points that are equally near to several in turn.

    Distinct labels are all equally far from each other: without turns, all but k of them would
    stay together at every split.
    """
    m = columns.shape[1]
    distances = np.empty((len(seeds), m))
    for c in range(len(seeds)):
        _squared_distances(columns, m, seeds[c], distances[c])
    labels = np.empty(m, dtype=np.int64)
    for i in range(m):
        limit = distances[:, i].min() * (1.0 + 1e-9)
        n_near = 0
        for c in range(len(seeds)):
            n_near += distances[c, i] <= limit
        turn = i % n_near
        for c in range(len(seeds)):
            if distances[c, i] <= limit:
                if turn == 0:
                    labels[i] = c
                    break
                turn -= 1
    return labels


@compiled
def _assign_in_blocks(
    points: Points, members: IntArray, centroids: FloatArray, scale: float
) -> IntArray:
    """Assign many points, a few hundred at a time, so that they stay close to the processor."""
    labels = np.empty(len(members), dtype=np.int64)
    columns = np.empty((centroids.shape[1], _BLOCK))
    for start in range(0, len(members), _BLOCK):
        stop = min(len(members), start + _BLOCK)
        columns[:, : stop - start] = gathered(points, members[start:stop], scale).T
        _assign_nearest(columns, stop - start, centroids, labels[start:stop])
    return labels


@compiled
def _assign_nearest(columns: FloatArray, m: int, centroids: FloatArray, labels: IntArray) -> None:
    """Find the nearest centroid of the first m columns, the lowest number among equals."""
    nearest = np.full(m, np.inf)
    distance = np.empty(m)
    labels[:] = 0
    for c in range(len(centroids)):
        _squared_distances(columns, m, centroids[c], distance)
        for i in range(m):
            if distance[i] < nearest[i]:
                nearest[i] = distance[i]
                labels[i] = c


@compiled
def _squared_distances(
    columns: FloatArray, m: int, centre: FloatArray, distance: FloatArray
) -> None:
    """Add up squared differences, four coordinates at a time (D is a multiple of four)."""
    n_dims = len(columns)
    for start in range(0, m, _BLOCK):
        stop = min(m, start + _BLOCK)
        distance[start:stop] = 0.0
        for d in range(0, n_dims, 4):
            a, b, c, e = centre[d], centre[d + 1], centre[d + 2], centre[d + 3]
            for i in range(start, stop):
                gap_a = columns[d, i] - a
                gap_b = columns[d + 1, i] - b
                gap_c = columns[d + 2, i] - c
                gap_e = columns[d + 3, i] - e
                distance[i] += (gap_a * gap_a + gap_b * gap_b) + (gap_c * gap_c + gap_e * gap_e)


@compiled
def _spread_out_seeds(
    points: FloatArray, columns: FloatArray, weights: FloatArray, k: int, seed: np.uint64
) -> FloatArray:
    """Choose up to k distinct points, far ones more likely (k-means++)."""
    m = len(points)
    centroids = np.empty((k, points.shape[1]))
    nearest = np.ones(m)
    distance = np.empty(m)
    state = seed
    for c in range(k):
        total = 0.0
        for i in range(m):
            total += weights[i] * nearest[i]
        if not total > 0.0:
            return centroids[:c].copy()
        state = mix(state, np.uint64(c))
        threshold = total * (np.float64(state >> _SHIFT_11) / _TWO_TO_53)
        chosen = -1
        running = 0.0
        for i in range(m):
            mass = weights[i] * nearest[i]
            if mass > 0.0:
                chosen = i
                running += mass
                if running > threshold:
                    break
        centroids[c] = points[chosen]
        _squared_distances(columns, m, centroids[c], distance)
        for i in range(m):
            if distance[i] < _SAME_POINT:
                nearest[i] = 0.0
            elif c == 0 or distance[i] < nearest[i]:
                nearest[i] = distance[i]
    return centroids


@compiled
def _move_to_means(
    points: FloatArray, weights: FloatArray, labels: IntArray, centroids: FloatArray
) -> None:
    sums = np.zeros_like(centroids)
    totals = np.zeros(len(centroids))
    for i in range(len(points)):
        totals[labels[i]] += weights[i]
        for d in range(points.shape[1]):
            sums[labels[i], d] += weights[i] * points[i, d]
    for c in range(len(centroids)):
        if totals[c] > 0.0:
            centroids[c] = sums[c] / totals[c]


@compiled
def _sample(weights: FloatArray, seed: np.uint64) -> IntArray:
    """Choose distinct points: half of them by weight, half of them evenly along their order."""
    is_chosen = np.zeros(len(weights), dtype=np.bool_)
    half = _SAMPLE_SIZE // 2
    start = np.float64(seed >> _SHIFT_11) / _TWO_TO_53
    for j in range(half):
        is_chosen[np.int64((j + start) * len(weights) / half)] = True
    step = weights.sum() / half
    position = step * start
    running = 0.0
    for i in range(len(weights)):
        running += weights[i]
        if running > position:
            is_chosen[i] = True
            position += step * np.ceil((running - position) / step)
    return np.flatnonzero(is_chosen)


@compiled
def _drop_empty(centroids: FloatArray, labels: IntArray) -> tuple[FloatArray, IntArray]:
    number = np.full(len(centroids), -1, dtype=np.int64)
    for label in labels:
        number[label] = 0
    kept = np.flatnonzero(number == 0)
    number[kept] = np.arange(len(kept))
    return centroids[kept], number[labels]
