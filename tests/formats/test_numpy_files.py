"""Sparse NPZ: every layout of SciPy, and archives that would run code, inflate or mislead."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array, csr_matrix, save_npz

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import read_graphs, read_tables
from tests.formats.hostile import survives, survives_everything
from tests.formats.test_matrix_market import expected, square

LAYOUTS = ("csr", "csc", "coo", "bsr", "dia")


def saved(matrix, compressed=True):
    file = io.BytesIO()
    save_npz(file, matrix, compressed=compressed)
    return file.getvalue()


def packed(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def csr_parts(**changes):
    parts = {
        "format": np.array(b"csr"),
        "shape": np.array([2, 2]),
        "data": np.ones(2),
        "indices": np.array([1, 0]),
        "indptr": np.array([0, 1, 2]),
    }
    return {key: part for key, part in {**parts, **changes}.items() if part is not None}


@given(square(st.sampled_from([0.0, 0.0, 1.0, -2.5])), st.sampled_from(LAYOUTS), st.booleans())
def test_every_layout_is_read_alike(matrix, layout, compressed):
    for kind in (csr_array, csr_matrix):
        content = saved(kind(matrix).asformat(layout), compressed)
        for name in ("a.npz", "a.zip", "a"):
            np.testing.assert_array_equal(
                read_graphs(name, content).adjacency.toarray(), expected(matrix)
            )


@pytest.mark.parametrize("size", [2, 3])
def test_larger_blocks_and_rectangular_diagonals(size):
    matrix = np.kron(np.array([[0, 1], [1, 1]]), np.arange(size * size).reshape(size, size))
    blocks = csr_array(matrix).tobsr(blocksize=(size, size))
    np.testing.assert_array_equal(
        read_graphs("a.npz", saved(blocks)).adjacency.toarray(), expected(matrix)
    )


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", ">i4", "<u8", "f4", ">f8"])
def test_every_type_of_number(dtype):
    parts = csr_parts(
        data=np.ones(1, dtype=dtype),
        indices=np.array([1], dtype=">i2"),
        indptr=np.array([0, 1, 1], dtype="u8"),
    )
    assert read_tables("a.npz", packed(**parts)).edges.tolist() == [[0, 1]]


@pytest.mark.parametrize("offsets", [[1, 1], [1, 99], [1, -(2**63)]])
def test_repeated_diagonals_and_those_outside_are_harmless(offsets):
    parts = {
        "format": np.array(b"dia"),
        "shape": np.array([3, 3]),
        "data": np.ones((2, 3)),
        "offsets": np.array(offsets),
    }
    graphs = read_graphs("a.npz", packed(**parts))
    np.testing.assert_array_equal(graphs.adjacency.toarray(), np.eye(3, k=1) + np.eye(3, k=-1))


def test_graphs_without_vertices_or_edges():
    assert read_tables("a.npz", saved(coo_array((0, 0)))).n_vertices == 0
    assert read_tables("a.npz", saved(csr_array((3, 3)))).n_vertices == 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data": np.array([{}, {}], dtype=object)}, "Python objects"),
        ({"format": np.array("lil")}, "'lil' is unknown"),
        ({"format": np.array(3)}, "layout is no word"),
        ({"indices": None}, "'indices' is missing"),
        ({"shape": np.array([2, 3])}, "2 rows and 3 columns"),
        ({"shape": np.array([10**9, 10**9])}, "at most 3,000,000"),
        ({"shape": np.array([2])}, "two sides"),
        ({"shape": np.array([-2, -2])}, "two sides"),
        ({"shape": np.array([2.0, 2.0])}, "'shape' does not fit"),
        ({"indices": np.array([1, 2])}, "outside of the 2 rows"),
        ({"indices": np.array([1, -1])}, "outside of the 2 rows"),
        ({"indices": np.array([1])}, "does not fit"),
        ({"indptr": np.array([0, 1])}, "'indptr' does not fit"),
        ({"indptr": np.array([0, 2, 1])}, "'indptr' does not fit"),
        ({"indptr": np.array([0, 1, 10**12])}, "at most 30,000,000"),
        ({"data": np.array([1, np.nan])}, "NaN"),
        ({"data": np.array([1j, 1])}, "no plain array"),
        ({"data": np.array(["a", "b"])}, "'data' does not fit"),
        ({"data": np.ones((2, 2))}, "'data' does not fit"),
        ({"data": np.zeros(2, dtype=[("a", "f8")])}, "no plain array"),
    ],
)
def test_errors_say_what_is_wrong(changes, words):
    with pytest.raises(UnreadableFileError, match=words):
        read_tables("a.npz", packed(**csr_parts(**changes)))


def test_nothing_is_unpickled():
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("a pickle was opened",))

    trap = np.array([Trap(), Trap()], dtype=object)
    for key in ("data", "shape", "format"):
        with pytest.raises(UnreadableFileError, match="Python objects"):
            read_tables("a.npz", packed(**csr_parts(**{key: trap})))


def with_member(name, content):
    file = io.BytesIO()
    original = io.BytesIO(packed(**csr_parts()))
    with zipfile.ZipFile(original) as before, zipfile.ZipFile(file, "w") as after:
        for member in before.namelist():
            after.writestr(member, content if member == name else before.read(member))
    return file.getvalue()


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("(1000000000000,)", "longer or shorter"),
        ("(2, 2, 2, 2)", "no plain array"),
        ("((((((2,)))))", "no plain array"),
        ("(2, -2)", "no plain array"),
    ],
)
def test_headers_are_checked_before_anything_is_allocated(shape, words):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(16)
    with pytest.raises(UnreadableFileError, match=words):
        read_tables("a.npz", with_member("data.npy", array))


def test_damaged_files_never_crash():
    survives_everything("a.npz", saved(csr_array(np.eye(2)), compressed=False)[:700])
    content = saved(csr_array(1 - np.eye(3)))
    for place in range(0, len(content), 7):
        survives("a.npz", content[:place] + b"\xff" + content[place + 1 :])
