"""Several files at once, uploaded together or in an archive."""

import io
import zipfile

import numpy as np
import pytest

from mpgk_core.errors import InvalidGraphError, InvalidParameterError, UnreadableFileError
from mpgk_core.formats import files as reading
from mpgk_core.formats import read_tables

VERTICES = ("nodes.csv", b"id,label\na,C\nb,O\n")
EDGES = ("links.csv", b"source,target\na,b\n")


def read_many(files):
    (tables,) = reading.read_many(files, join="set")
    return tables


def packed(*files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files:
            archive.writestr(name, text)
    return content.getvalue()


def test_several_files_are_several_sets_unless_one_is_asked_for():
    files = [("a.txt", b"1 2\n2 3\n"), ("b.txt", b"1 2\n")]
    assert [len(tables) for tables in reading.read_many(files)] == [1, 1]
    assert [len(tables) for tables in reading.read_many(files, join="set")] == [2]
    (pair,) = reading.read_many([EDGES, VERTICES])
    assert pair.source == "nodes.csv, links.csv"
    with pytest.raises(InvalidParameterError, match="join must be 'each' or 'set'"):
        reading.read_many(files, join="union")


def test_a_reading_holds_for_all_files():
    files = [("a.txt", b"0 1\n1 2\n"), ("b.txt", b"0 1\n1 0\n")]
    read = reading.read_many(files, reading="edge-array")
    assert [tables.reading for tables in read] == ["edge-array"] * 2


def test_two_tables_make_one_graph_in_any_order():
    for files in ((VERTICES, EDGES), (EDGES, VERTICES), (VERTICES, ("e.txt", b"a b\n"))):
        tables = read_many(files)
        assert (len(tables), tables.names, tables.edges.tolist()) == (1, ["a", "b"], [[0, 1]])
        assert tables.columns["label"].tolist() == ["C", "O"]


def test_one_file_is_read_as_it_is():
    assert read_many([EDGES]).edges.tolist() == [[0, 1]]


def test_other_files_make_graphs_one_behind_another():
    tables = read_many([("x/a.edges", b"1 2\n2 3\n"), ("b.g6", b"Bw\n@\n"), ("c.txt", b"p q\n")])
    assert tables.graph_names == ["a", "b 0", "b 1", "c"]
    assert tables.offsets.tolist() == [0, 3, 6, 7, 9]
    assert tables.names == [1, 2, 3, 0, 1, 2, 0, "p", "q"]
    assert tables.edges.tolist() == [[0, 1], [1, 2], [3, 4], [3, 5], [4, 5], [7, 8]]
    assert tables.format == "Edge list, graph6"
    assert tables.graph_set().sizes.tolist() == [3, 3, 1, 2]


def test_columns_are_joined_by_name_and_gaps_are_missing():
    first = packed(("v.csv", b"id,label,size\n1,C,2\n2,O,3\n"), ("e.csv", b"from,to\n1,2\n"))
    second = packed(("v.csv", b"id,label,x\n1,7,0.5\n2,8,0.25\n"), ("e.csv", b"from,to\n1,2\n"))
    tables = read_many([("a.zip", first), ("b.zip", second), ("c.edges", b"1 2 7\n")])
    assert tables.columns["label"].tolist() == ["C", "O", "7", "8", None, None]
    np.testing.assert_array_equal(tables.columns["size"], [2, 3] + 4 * [np.nan])
    np.testing.assert_array_equal(tables.columns["x"], [np.nan] * 2 + [0.5, 0.25] + [np.nan] * 2)
    np.testing.assert_array_equal(tables.edge_columns["weight"], [np.nan, np.nan, 7])


def test_many_notes_are_cut_short():
    tables = read_many([(f"{i}.edges", b"1 2\n2 1\n") for i in range(12)])
    assert len(tables.notes) == 11
    assert tables.notes[-1] == "And 2 more notes."


def test_an_archive_is_read_like_its_files():
    content = packed(VERTICES, EDGES, ("README.md", b"# hello"), ("__MACOSX/._x", b"\0"))
    for name in ("a.zip", "a.txt", "a"):
        tables = read_tables(name, content)
        assert (tables.names, tables.edges.tolist()) == (["a", "b"], [[0, 1]])
    tables = read_tables("a.zip", packed(("1.g6", b"Bw\n"), ("2.edges", b"1 2\n")))
    assert tables.graph_names == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (packed(), "holds no files"),
        (packed(("README", b"hello")), "holds no files"),
        (packed(("in.zip", packed(EDGES))), "archive within an archive"),
        (packed(VERTICES), "nodes.csv: This table lists vertices"),
        (packed(EDGES, ("b.edges", b"1 2\n2 3 4\n")), "a.zip/b.edges, line 2"),
    ],
)
def test_what_is_wrong_with_an_archive_is_said(content, words):
    with pytest.raises(UnreadableFileError, match=words):
        read_tables("a.zip", content)


def test_no_files_are_no_graphs():
    with pytest.raises(InvalidGraphError, match="no files"):
        read_many([])


def test_bounds_hold_for_all_files_together(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_VERTICES", "3")
    with pytest.raises(UnreadableFileError, match="4 vertices, and at most 3"):
        read_many([("a.edges", b"1 2\n"), ("b.edges", b"1 2\n")])
