"""Adjacency matrices: every way to name rows and columns, and tables that are none."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import adjacency_matrix, read_graphs, read_tables
from mpgk_core.formats.files import format_of
from mpgk_core.formats.source import Source
from tests.formats.hostile import survives_everything
from tests.formats.test_matrix_market import expected, square

PATH = ["0 1 0 0", "1 0 1 0", "0 1 0 1", "0 0 1 0"]
SEPARATORS = [",", ";", "\t", " ", ", ", "  "]


def text_of(rows, separator=" ", line_end="\n"):
    return line_end.join(row.replace(" ", separator) for row in rows).encode()


def named(rows):
    return [f"{name} {row}" for name, row in zip("abcd", rows, strict=True)]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\n\n# a comment\n"])
def test_names_may_stand_above_beside_both_or_nowhere(separator, line_end):
    ways = {
        "nowhere": (PATH, None),
        "above": (["a b c d", *PATH], ["a", "b", "c", "d"]),
        "beside": (named(PATH), ["a", "b", "c", "d"]),
        "both": (["a b c d", *named(PATH)], ["a", "b", "c", "d"]),
        "corner": (["id a b c d", *named(PATH)], ["a", "b", "c", "d"]),
    }
    for rows, names in ways.values():
        content = text_of(rows, separator, line_end)
        assert format_of(Source("a.csv", content)).title == "Adjacency matrix"
        tables = read_tables("a.csv", content)
        assert tables.names == names
        assert tables.edges.tolist() == [[0, 1], [1, 2], [2, 3]]
        assert tables.notes == ()


def test_an_empty_corner_and_numbers_as_names():
    assert read_tables("a.csv", b",7,9\n7,0,1\n9,1,0\n").names == [7, 9]
    assert read_tables("a.csv", b",0,1\n0,0,1\n1,1,0\n").names is None
    assert read_tables("a.csv", b'"",a b,"c"\na b,0,1\nc,1,0\n').names == ["a b", "c"]
    assert read_tables("a.csv", b",x\nx,0\n").n_vertices == 1


def test_empty_cells_are_no_edges_and_others_are_weights():
    tables = read_tables("a.csv", b"0,,2.5,\n,0,,-1\n2.5,,, \n,-1,,0\n")
    assert tables.edges.tolist() == [[0, 2], [1, 3]]
    assert tables.edge_columns["weight"].tolist() == [2.5, -1]
    tables = read_tables("a.csv", b"0;0,5;0;0\n0,5;0;1,5;0\n0;1,5;0;0\n0;0;0;0\n")
    assert tables.edges.tolist() == [[0, 1], [1, 2]]
    assert tables.edge_columns["weight"].tolist() == [0.5, 1.5]


def test_directions_and_self_loops_are_noted():
    tables = read_tables("a.csv", b"1 1 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n")
    assert tables.edges.tolist() == [[0, 0], [0, 1]]
    assert tables.is_directed
    assert tables.losses() == ("1 self-loop is dropped.",)


@given(square(st.sampled_from([0, 0, 1, 1.5])), st.sampled_from(",;\t "))
def test_any_square_table_is_read_as_numpy_reads_it(matrix, separator):
    file = io.BytesIO()
    np.savetxt(file, matrix, fmt="%.17g", delimiter=separator)
    read = adjacency_matrix.read(Source("a.adj", file.getvalue())).graph_set()
    np.testing.assert_array_equal(read.adjacency.toarray(), expected(matrix))


@pytest.mark.parametrize("text", [b"1 2\n2 3", b"1 2 5\n2 3 7\n1 3 9", b"source,target\n0,1\n1,0"])
def test_small_edge_lists_are_not_taken_for_matrices(text):
    assert format_of(Source("a.txt", text)).title == "Edge list"


@pytest.mark.parametrize("text", [b"0 1\n1 0", b"0 1 1\n1 0 1\n1 1 0", b"a,b\n0,1\n1,0"])
def test_small_matrices_are_recognised_by_their_diagonal(text):
    assert format_of(Source("a.txt", text)).title == "Adjacency matrix"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (b"0 1 0 1\n1 0 1 0\n0 1 0 1\n", None, "no square table"),
        (b"0 1 0\n1 0\n0 0 0\n", None, "no square table"),
        (b"0 1\nx 0\n", 2, "'x' is not a number"),
        (b",a,b\na,0,1\nc,1,0\n", None, "Row 2 is called 'c', and its column 'b'"),
        (b",a,a\na,0,1\na,1,0\n", None, "same name"),
        (b"0 nan\nnan 0\n", None, "NaN"),
        (b"\xff\xff 0\n0 0\n", 1, "UTF-8"),
        (b"# nothing", None, "no square table"),
    ],
)
def test_errors_say_what_and_where(text, line, words):
    with pytest.raises(UnreadableFileError, match=words) as caught:
        adjacency_matrix.read(Source("a.adj", text))
    assert caught.value.line == line


def test_ragged_rows_beyond_the_first_ones_are_named():
    rows = ["0 " * 60] * 60
    rows[55] += "0 "
    with pytest.raises(UnreadableFileError, match="line 56: This row does not have 60 cells"):
        adjacency_matrix.read(Source("a.adj", "\n".join(rows).encode()))


def test_large_matrices_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_VERTICES", "3")
    with pytest.raises(UnreadableFileError, match="at most 3"):
        read_tables("a.csv", text_of(PATH))


def test_infinite_weights_are_edges():
    assert read_graphs("a.adj", b"0 inf 0 0\ninf 0 0 0\n0 0 0 0\n0 0 0 0").n_edges == 1


def test_damaged_files_never_crash():
    survives_everything("a.csv", text_of(["id a b c d", *named(PATH)], ","))
    survives_everything("a.adj", text_of(PATH))
