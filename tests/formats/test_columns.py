"""Columns of numbers or text."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.formats.columns import column_of_cells, column_of_values

WHOLE = st.integers(-(2**63), 2**63 - 1)


def missing(value) -> bool:
    return value is None or value == "" or value != value


@given(st.lists(WHOLE, min_size=1))
def test_whole_numbers_of_64_bits_are_exact(numbers):
    for column in (column_of_values(numbers), column_of_cells([str(n) for n in numbers])):
        assert column.dtype == np.int64
        assert column.tolist() == numbers


@given(st.lists(st.floats() | st.none(), min_size=1))
def test_real_numbers_are_exact(numbers):
    cells = [None if x is None else repr(float(x)) for x in numbers]
    expected = [math.nan if x is None else float(x) for x in numbers]
    if any(x is not None for x in numbers):
        np.testing.assert_array_equal(column_of_values(numbers), expected)
        np.testing.assert_array_equal(column_of_cells(cells), expected)


@given(st.lists(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), max_size=8))
def test_every_column_is_whole_numbers_real_numbers_or_text(values):
    column = column_of_values(values)
    assert len(column) == len(values)
    assert column.dtype in (np.int64, np.float64, object)
    for cell, value in zip(column.tolist(), values, strict=True):
        assert missing(cell) == missing(value)
        if column.dtype == object and cell is not None:
            assert isinstance(cell, str)
            assert not isinstance(value, str) or cell == value
        elif not missing(value):
            assert cell == value


@given(st.lists(st.sampled_from(["1", "01", "1.5", "1e5", "-0", "+1", "x", "nan", "", "1_0", "٣"])))
def test_cells_are_numbers_only_if_all_are(cells):
    column = column_of_cells(cells)
    is_text = any(cell in ("01", "x", "1_0", "٣") for cell in cells)
    assert (column.dtype == object and any(v is not None for v in column.tolist())) == is_text
    if not is_text:
        expected = [float(cell) if cell else math.nan for cell in cells]
        np.testing.assert_array_equal(column.astype(float), expected)


def test_numbers_that_no_column_can_hold_stay_apart_as_text():
    assert column_of_values([2**64, 2**64 + 1]).tolist() == [str(2**64), str(2**64 + 1)]
    assert column_of_values([2**60 + 1, None]).tolist() == [str(2**60 + 1), None]
    assert column_of_values([10**400, 0.5]).tolist() == [str(10**400), "0.5"]
