"""Tables of numbers: the same numbers as Python's own, and errors that name the line."""

import math
import struct

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import number_table
from mpgk_core.formats.number_table import (
    real_numbers,
    regular_names,
    regular_numbers,
    whole_numbers,
)
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import FIRST_ROW

WHOLE = st.integers(-(2**63), 2**63 - 1)
SEPARATORS = st.sampled_from([",", ", ", " ", "\t", "  \t"])
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\n# note, 1\n", "\n  % 2\n"])


INT64 = np.dtype(np.int64)


@pytest.fixture(params=["pyarrow", "Python"], autouse=True)
def both_parsers(request, monkeypatch):
    """Small tables are read by Python alone; here, pyarrow is asked first in every other run."""
    monkeypatch.setattr(number_table, "SMALL", 0 if request.param == "pyarrow" else 10**9)


def width(text):
    first = FIRST_ROW.search(text.encode())
    row = first.group().decode() if first else ""
    return len(row.split("," if "," in row else None))


def whole(text, n_columns=None, first_line=1):
    content = text.encode()
    columns = width(text) if n_columns is None else n_columns
    return whole_numbers(Source("a.txt", content), content, columns, first_line)


def real(text, n_columns=None):
    content = text.encode()
    columns = width(text) if n_columns is None else n_columns
    return real_numbers(Source("a.txt", content), content, columns)


def bits(numbers):
    return [struct.pack("<d", number) for number in numbers]


@given(
    st.integers(1, 4).flatmap(lambda k: st.lists(st.tuples(*[WHOLE] * k), min_size=1)),
    SEPARATORS,
    LINE_ENDS,
)
def test_whole_numbers_come_back(rows, separator, line_end):
    text = line_end.join(separator.join(map(str, row)) for row in rows)
    assert whole(text).tolist() == [list(row) for row in rows]


@given(st.lists(st.floats(), min_size=1))
def test_the_shortest_text_of_a_float_is_read_exactly(numbers):
    read = real("\n".join(map(repr, numbers))).ravel().tolist()
    for before, after in zip(numbers, read, strict=True):
        assert bits([before]) == bits([after]) or (math.isnan(before) and math.isnan(after))


@given(st.from_regex(r"\A[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,4})?\Z"))
@example("9007199254740993")
@example("9007199254740992.9999999999999999999")
@example("2.2250738585072011e-308")
@example("2.4703282292062327208e-324")
@example("1.7976931348623158079e308")
@example("1.7976931348623159e308")
@example("8.5e15")
@example("0e999999999999999999999")
def test_any_decimal_number_is_rounded_as_python_rounds_it(text):
    assert bits(real(text).ravel()) == bits([float(text)])


@given(st.integers(2**52, 2**53 - 1), st.integers(0, 10))
def test_ties_go_to_the_even_neighbour(mantissa, shift):
    tie = (2 * mantissa + 1) << shift
    assert bits(real(str(tie)).ravel()) == bits([float(tie)])
    fraction = f"{tie * 5**4}e-4"
    assert bits(real(fraction).ravel()) == bits([float(fraction)])


def test_many_floats_that_need_care_are_all_read():
    texts = [f"0.1000000000000000055511151231257827021181583404541015625{i}" for i in range(100)]
    assert real(" ".join(texts)).tolist() == [[float(text) for text in texts]]


def test_blank_lines_and_comments_are_no_rows():
    assert whole("# 1 2\n\n 3 4 \n% 5 6\n7\t8").tolist() == [[3, 4], [7, 8]]
    assert whole("").shape == (0, 0)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("1 2\n3\n", 2, "does not have 2 cells"),
        ("1 2\n3 4 5\n", 2, "does not have 2 cells"),
        ("1\r\n2\r\nx\r\n", 3, "'x' is not a whole number"),
        ("1\r2\rx\r", 3, "'x' is not a whole number"),
        ("# c\n\n1,2\n3,", 4, "A cell is empty"),
        ("1,2\n,3", 2, "A cell is empty"),
        ("1,2 3", 1, "'2 3' is not a whole number"),
        ("1.5", 1, "'1.5' is not a whole number"),
        ("1\n9223372036854775808", 2, "too large"),
        ("-9223372036854775809", 1, "too large"),
        ("1" * 500, 1, "too large"),
        ("-", 1, "'-' is not"),
        ("1 \0", 1, "is not"),
        ("1\nñ", 2, "'ñ' is not"),
    ],
)
def test_errors_name_the_line(text, line, words):
    with pytest.raises(UnreadableFileError, match=words) as caught:
        whole(text)
    assert caught.value.line == line


def test_lines_count_from_where_the_table_begins():
    with pytest.raises(UnreadableFileError, match=r"a\.txt, line 11: 'x'"):
        whole("1\nx\n", first_line=10)


@pytest.mark.parametrize("text", ["1_0", "e5", "1e", "1.2.3", ".", "+", "1e5.5", "0x10", "٣", "na"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(UnreadableFileError, match="is not a number"):
        real(text)


def test_a_given_width_is_demanded_and_cannot_inflate_anything():
    assert whole("1 2 3", 3).tolist() == [[1, 2, 3]]
    with pytest.raises(UnreadableFileError, match=r"does not have 1,000,000,000,000 cells"):
        whole("1 2 3", 10**12)
    with pytest.raises(UnreadableFileError, match="does not have 1 cell"):
        whole("1 2 3", 1)


@given(st.lists(st.tuples(st.integers(-(10**17), 10**17), st.integers(0, 99)), min_size=1))
def test_pairs_are_the_first_two_columns(rows):
    text = "\n".join(f"{a};{b};x" for a, b in rows).encode()
    np.testing.assert_array_equal(regular_numbers(text, ";", 3, [0, 1], INT64), rows)


@pytest.mark.parametrize(
    "text",
    [b"01 2", b"+1 2", b"-0 2", b"1 2\n3 4 5", b'1 2 "a b"', b"1 x", b"0x1 2", b"1 2\n3", b"1 "],
)
def test_unusual_pairs_are_left_to_others(text):
    assert regular_numbers(text, " ", 2, [0, 1], INT64) is None


def test_rows_of_one_cell_are_kept_apart():
    lone = []
    pairs = regular_numbers(b"5\n1 2\n6\n", " ", 2, [0, 1], INT64, lone)
    assert (pairs.tolist(), sorted(lone)) == ([[1, 2]], ["5", "6"])


def test_text_is_read_piece_by_piece(monkeypatch):
    monkeypatch.setattr(number_table, "_PIECE", 10)
    rows = [[i, 7 * i] for i in range(100)]
    text = "\n".join(f"{a} {b}" for a, b in rows).encode()
    assert regular_numbers(text, " ", 2, [0, 1], INT64).tolist() == rows
    names, codes = regular_names(text, " ", 2, [0, 1])
    assert [[names[a], names[b]] for a, b in codes] == [[str(a), str(b)] for a, b in rows]
    assert names == list(dict.fromkeys(str(cell) for row in rows for cell in row))


def test_a_narrow_type_is_widened_where_it_must_be():
    text = b"1\n4000000000\n"
    assert whole_numbers(Source("a.txt", text), text, 1, dtype=np.int32).tolist() == [
        [1],
        [4_000_000_000],
    ]
