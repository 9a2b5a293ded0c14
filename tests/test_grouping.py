"""Grouping is exact whatever the hashes, and its numbering ignores the order of rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.grouping import Rows, group_rows, recognise_rows

ROW_LISTS = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.integers(-2, 2), max_size=3)), min_size=1, max_size=30
)


def rows_of(content):
    heads = np.array([head for head, _ in content], dtype=np.int32)
    indptr = np.cumsum([0, *(len(tail) for _, tail in content)])
    values = np.array([value for _, tail in content for value in tail], dtype=np.int64)
    return Rows(heads, indptr, values)


@given(ROW_LISTS, st.sampled_from([0, 1, 3, 64]))
def test_rows_share_a_group_exactly_when_they_are_equal(content, hash_bits):
    groups = group_rows(rows_of(content), hash_bits)
    for i, row in enumerate(content):
        for j, other in enumerate(content):
            assert (groups.of_row[i] == groups.of_row[j]) == (row == other)
    for group, representative in enumerate(groups.representatives):
        assert groups.of_row[representative] == group


@given(ROW_LISTS, st.sampled_from([0, 1, 3, 64]), st.randoms(use_true_random=False))
def test_numbering_does_not_depend_on_the_order_of_rows(content, hash_bits, random):
    order = list(range(len(content)))
    random.shuffle(order)
    before = group_rows(rows_of(content), hash_bits)
    after = group_rows(rows_of([content[i] for i in order]), hash_bits)
    np.testing.assert_array_equal(after.of_row, before.of_row[order])


@given(ROW_LISTS, ROW_LISTS)
def test_recognised_rows_get_the_number_of_the_known_row(known, new):
    known = [row for i, row in enumerate(known) if row not in known[:i]]
    new = [row for i, row in enumerate(new) if row not in new[:i]]
    numbers = recognise_rows(rows_of(known), rows_of(new)).tolist()
    assert len(set(numbers)) == len(numbers)
    for row, number in zip(new, numbers, strict=True):
        if row in known:
            assert known[number] == row
        else:
            assert number >= len(known)


@given(ROW_LISTS)
def test_rows_with_equal_hashes_are_numbered_by_their_content(content):
    groups = group_rows(rows_of(content), hash_bits=0)
    ordered = [content[i] for i in groups.representatives.tolist()]
    assert ordered == sorted(ordered)
