"""Tables and arrays hold every digit, and the same numbers are the same bytes."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import (
    GraphSet,
    InvalidParameterError,
    KernelTooLargeError,
    MessagePassingNodeKernel,
    orbits,
)
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.export import embedding_csv, embedding_npz, kernel_csv, kernel_npz
from mpgk_core.text import cell_text, unescaped
from tests.export.studies import NASTY, STUDIES
from tests.strategies import graphs

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def rows_of(content):
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


@settings(max_examples=40)
@given(graph=graphs(min_vertices=1), data=st.data())
def test_any_kernel_comes_back_exactly(graph, data):
    prepared = GraphSet.from_networkx(graph)
    n = prepared.n_vertices
    numbers = data.draw(st.lists(NUMBERS, min_size=n * n, max_size=n * n))
    kernel = np.array(numbers).reshape(n, n)
    rows = rows_of(kernel_csv(prepared, kernel))
    back = np.array([row[1:] for row in rows[1:]], dtype=np.float64)
    assert back.tobytes() == kernel.tobytes()
    saved = np.load(io.BytesIO(kernel_npz(prepared, kernel)), allow_pickle=False)
    assert saved["kernel"].tobytes() == kernel.tobytes()


@pytest.fixture(scope="module")
def embedded():
    study = STUDIES["nasty R"]
    graph = study.data.build()
    way = trajectory(graph, MessagePassingNodeKernel(**study.kernel.settings()).fit(graph), 3)
    return graph, way, orbits(graph)


def test_names_and_labels_come_back_and_are_no_formulas(embedded):
    graph, way, roles = embedded
    header, *rows = rows_of(embedding_csv(graph, way, roles))
    assert header == ["vertex", "label", "orbit", "colour", "axis_1", "axis_2", "axis_3"]
    assert [unescaped(row[0]) for row in rows] == list(NASTY)
    assert [unescaped(row[1]) for row in rows] == list(map(cell_text, graph.labels))
    assert [int(row[2]) for row in rows] == (roles.of_vertex + 1).tolist()
    assert min(int(row[3]) for row in rows) == 1
    assert not any(row[0].startswith(("=", "+", "-", "@")) for row in rows)


def test_arrays_hold_all_rounds_and_no_objects(embedded):
    graph, way, _ = embedded
    saved = np.load(io.BytesIO(embedding_npz(*embedded)), allow_pickle=False)
    assert set(saved) == {"names", "labels", "orbit", "colour", "points", "explained"}
    assert saved["points"].shape == (way.n_rounds + 1, graph.n_vertices, 3)
    np.testing.assert_array_equal(saved["points"], way.points[:, way.class_of_vertex])
    np.testing.assert_array_equal(saved["explained"], way.explained)
    # numpy drops zero characters at the end of a text
    assert saved["names"].tolist() == [name.rstrip("\0") for name in NASTY]


def test_the_same_numbers_are_the_same_bytes(embedded, monkeypatch):
    graph, kernel = embedded[0], np.eye(len(NASTY))
    before = embedding_npz(*embedded), kernel_npz(graph, kernel)
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert (embedding_npz(*embedded), kernel_npz(graph, kernel)) == before


def test_numbers_of_another_graph_are_refused(embedded):
    other = STUDIES["preset R"].data.build()
    for write in (embedding_csv, embedding_npz):
        with pytest.raises(InvalidParameterError, match="13 rows, and the graph has 30 vertices"):
            write(other, *embedded[1:])
    for write in (kernel_csv, kernel_npz):
        with pytest.raises(InvalidParameterError, match="2 rows"):
            write(other, np.eye(2))


def test_one_endless_name_does_not_fill_the_memory(embedded, monkeypatch):
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "100")
    with pytest.raises(KernelTooLargeError, match="Shorten the names"):
        embedding_npz(*embedded)
