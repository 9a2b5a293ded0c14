"""Closest and farthest pairs against all pairs, also where lengths span many orders."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from mpgk_core.recovery.points import largest_distance, leading_coordinate, smallest_distance


@st.composite
def tables(draw, max_rows=200):
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    shape = draw(st.integers(1, max_rows)), draw(st.integers(1, 12))
    table = rng.normal(size=shape) * (rng.random(shape) < draw(st.sampled_from([0.1, 0.5, 1.0])))
    orders = draw(st.sampled_from([0, 4, 9]))
    return table * 10.0 ** rng.integers(-orders, orders + 1, size=(shape[0], 1))


@given(tables(), st.sampled_from([1, 2, 5, 1000]))
def test_smallest_distance_is_that_of_all_pairs(table, n_classes):
    classes = np.arange(len(table)) % n_classes
    expected = cdist(table, table)[np.not_equal.outer(classes, classes)]
    found = smallest_distance(csr_array(table), classes)
    if len(expected):
        assert found == pytest.approx(expected.min(), rel=1e-9)
    else:
        assert found is None


@given(tables())
def test_largest_distance_is_that_of_all_pairs(table):
    expected = cdist(table, table).max()
    assert largest_distance(csr_array(table)) == pytest.approx(expected, rel=1e-9)


@given(tables(max_rows=30))
def test_rows_are_at_least_as_far_apart_as_their_projections(table):
    along = leading_coordinate(csr_array(table))
    room = 1e-9 * np.abs(table).max()
    assert np.all(np.abs(np.subtract.outer(along, along)) <= cdist(table, table) + room)


def test_a_tiny_distance_between_long_rows_is_not_lost():
    rows = csr_array(np.array([[1e9, 0.0], [1e9, 1e-6], [-1e9, 0.0]]))
    assert smallest_distance(rows, np.arange(3)) == 1e-6


def test_columns_that_add_up_to_the_same_do_not_hide_the_spread():
    along = leading_coordinate(csr_array(np.eye(50)))
    assert len(np.unique(along.round(6))) > 25


def test_no_rows_have_no_distances():
    nothing = csr_array((0, 3))
    assert smallest_distance(nothing, np.empty(0, dtype=np.int64)) is None
    assert largest_distance(nothing) == 0.0
    assert leading_coordinate(nothing).shape == (0,)
