"""Matrix Market: what SciPy writes, every kind and symmetry, and headers that lie."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import mmread, mmwrite
from scipy.sparse import coo_array, csr_array

from mpgk_core import GraphSet
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import read_graphs, read_tables, write_graphs
from tests.formats.hostile import survives_everything
from tests.strategies import graphs

BANNER = "%%MatrixMarket matrix coordinate"


def square(values):
    sizes = st.integers(1, 5)
    return sizes.flatmap(lambda n: st.lists(values, min_size=n * n, max_size=n * n)).map(
        lambda flat: np.array(flat).reshape(int(len(flat) ** 0.5), -1)
    )


def expected(matrix):
    there = (matrix != 0) | (matrix != 0).T
    np.fill_diagonal(there, False)
    return there.astype(float)


def written(matrix, **options):
    file = io.BytesIO()
    mmwrite(file, matrix, **options)
    return file.getvalue()


@given(square(st.sampled_from([0.0, 0.0, 1.0, -2.5, 1e300])), st.booleans())
def test_real_matrices_are_read_as_scipy_reads_them(matrix, symmetric):
    matrix = matrix + matrix.T if symmetric else matrix
    for form in (matrix, coo_array(matrix)):
        content = written(form)
        read = read_graphs("a.mtx", content).adjacency.toarray()
        np.testing.assert_array_equal(read, expected(matrix))
        np.testing.assert_array_equal(
            read, expected(csr_array(mmread(io.BytesIO(content))).toarray())
        )


@given(square(st.integers(-1, 1)))
def test_every_symmetry_is_read_alike(matrix):
    skew = matrix - matrix.T
    for form in (matrix, skew, matrix @ matrix.T):
        for dense in (True, False):
            symmetry = "skew-symmetric" if form is skew else None
            content = written(form if dense else coo_array(form), symmetry=symmetry)
            np.testing.assert_array_equal(
                read_graphs("a.mtx", content).adjacency.toarray(), expected(form)
            )


@given(graphs())
def test_scipy_reads_our_files_alike(graph):
    graphs = GraphSet.from_networkx(graph)
    back = csr_array(mmread(io.BytesIO(write_graphs(graphs, "mtx"))))
    np.testing.assert_array_equal(back.toarray(), graphs.adjacency.toarray())


def test_patterns_comments_and_capitals():
    text = "%%matrixmarket MATRIX Coordinate Pattern Symmetric\n% c\n\n3 3 2\n% d\n2 1\n3 3\n"
    tables = read_tables("a.mtx", text.encode())
    assert tables.edges.tolist() == [[1, 0], [2, 2]]
    assert tables.losses() == ("1 self-loop is dropped.",)
    assert tables.losses("keep") == ("1 self-loop is kept.",)


def test_weights_and_directions_are_kept_and_zero_is_no_edge():
    tables = read_tables("a.mtx", f"{BANNER} real general\n3 3 3\n1 2 0\n2 3 0.5\n1 3 1\n".encode())
    assert tables.edges.tolist() == [[1, 2], [0, 2]]
    assert tables.is_directed
    assert tables.edge_columns["weight"].tolist() == [0.5, 1]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (f"{BANNER} complex general\n1 1 0\n", 1, "'complex' cannot be read"),
        (f"{BANNER} real lopsided\n1 1 0\n", 1, "'lopsided' is unknown"),
        (f"{BANNER} real\n1 1 0\n", 1, "first line"),
        ("%%MatrixMarket vector coordinate real general\n1 1 0\n", 1, "first line"),
        ("%%MatrixMarket matrix array pattern general\n1 1\n", 1, "cannot be read"),
        (f"{BANNER} real general\n", None, "size of the matrix is missing"),
        (f"{BANNER} real general\n2 2\n", 2, "3 whole numbers"),
        (f"{BANNER} real general\n% c\n2 3 0\n", 3, "2 rows and 3 columns"),
        (f"{BANNER} real general\n-2 -2 0\n", 2, "3 whole numbers"),
        (f"{BANNER} real general\nx 2 0\n", 2, "'x' is not a whole number"),
        (f"{BANNER} real general\n2 2 2\n1 2 1\n", None, "1 entries, and 2 were announced"),
        (f"{BANNER} real general\n2 2 1\n1 2 1\n2 1 1", None, "2 entries, and 1 were announced"),
        (f"{BANNER} real general\n2 2 1\n1 3 1\n", None, "outside of the 2 rows"),
        (f"{BANNER} real general\n2 2 1\n0 1 1\n", None, "outside of the 2 rows"),
        (f"{BANNER} real general\n2 2 1\n1.5 1 1\n", None, "outside of the 2 rows"),
        (f"{BANNER} real general\n2 2 1\n1 1e300 1\n", None, "outside of the 2 rows"),
        (f"{BANNER} real general\n2 2 1\nnan 1 1\n", None, "outside of the 2 rows"),
        (f"{BANNER} real general\n2 2 1\n1 2\n", 3, "does not have 3 cells"),
        (f"{BANNER} real general\n2 2 1\n1 2 nan\n", None, "NaN"),
        (f"{BANNER} pattern general\n2 2 1\n1 2 3\n", 3, "does not have 2 cells"),
        (f"{BANNER} pattern general\n1000000000 1000000000 0\n", 2, "at most 3,000,000"),
        (f"{BANNER} pattern general\n9 9 10000000000\n", 2, "at most 30,000,000"),
        ("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n", None, "announced"),
    ],
)
def test_errors_say_what_and_where(text, line, words):
    with pytest.raises(UnreadableFileError, match=words) as caught:
        read_tables("a.mtx", text.encode())
    assert caught.value.line == line


def test_damaged_files_never_crash():
    survives_everything("a.mtx", f"{BANNER} real general\n3 3 2\n1 2 0.5\n2 3 1e-5\n".encode())
    survives_everything("a.mtx", written(np.arange(9.0).reshape(3, 3)))
