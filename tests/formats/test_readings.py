"""Files are read for what they are; what could be meant otherwise is offered, or refused."""

import gzip
import io
import zipfile

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import InvalidParameterError, UnreadableFileError
from mpgk_core.formats import READINGS, read_graphs, read_tables
from tests.formats.hostile import survives_everything
from tests.formats.promises import outcome
from tests.strategies import graphs

KARATE = nx.karate_club_graph()
EDGE_INDEX = np.array(list(KARATE.edges)).T


def written(write, graph, **options):
    file = io.BytesIO()
    write(graph, file, **options)
    return file.getvalue()


def text_of(array, delimiter=",", fmt="%d"):
    file = io.BytesIO()
    np.savetxt(file, array, fmt=fmt, delimiter=delimiter)
    return file.getvalue()


def npy_of(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def size(tables):
    graph = tables.graph_set()
    return graph.n_vertices, graph.n_edges


def same_graph(tables, graph):
    read = tables.graph_set().to_networkx()[0]
    simple = nx.Graph(graph)
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    return nx.utils.graphs_equal(nx.Graph(read.edges), nx.Graph(simple.edges)) and (
        set(read) == set(simple)
    )


@pytest.mark.parametrize("name", ["a.csv", "edge_index.txt", "a.tsv", "a", "a.CSV"])
@pytest.mark.parametrize("delimiter", [",", ";", " ", "\t"])
@pytest.mark.parametrize("both", [False, True], ids=["once", "both directions"])
def test_two_rows_of_vertex_numbers_are_an_edge_array(name, delimiter, both):
    array = np.concatenate([EDGE_INDEX, EDGE_INDEX[::-1]], axis=1) if both else EDGE_INDEX
    tables = read_tables(name, text_of(array, delimiter))
    assert (tables.format, tables.reading) == ("Edge array", "edge-array")
    assert size(tables) == (34, 78)
    assert tables.notes == ()
    assert READINGS[tables.reading] == "an edge array: two rows of vertex numbers"


def test_an_edge_array_may_be_written_as_floats_or_by_pandas():
    floats = text_of(EDGE_INDEX, fmt="%.18e")
    assert size(read_tables("a.csv", floats)) == (34, 78)
    header = ",".join(map(str, range(78)))
    rows = [",".join(map(str, row)) for row in EDGE_INDEX.tolist()]
    for lines in ([header, *rows], ["," + header, "0," + rows[0], "1," + rows[1]]):
        assert size(read_tables("a.csv", "\n".join(lines).encode())) == (34, 78)


def test_a_table_of_two_columns_is_an_edge_list():
    tables = read_tables("a.csv", text_of(EDGE_INDEX.T))
    assert (tables.reading, size(tables), tables.other_readings) == ("edge-list", (34, 78), ())


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.float64])
def test_numpy_arrays_are_read_by_their_shape(dtype):
    adjacency = nx.to_numpy_array(KARATE, weight=None)
    for array, reading in (
        (EDGE_INDEX, "edge-array"),
        (EDGE_INDEX.T, "edge-list"),
        (adjacency, "adjacency-matrix"),
    ):
        for order in "CF":
            tables = read_tables("a.npy", npy_of(np.asarray(array, dtype=dtype, order=order)))
            assert (tables.reading, size(tables)) == (reading, (34, 78))
            assert (tables.format, tables.other_readings) == ("NumPy array", ())


def test_a_square_array_of_two_rows_can_be_read_in_three_ways():
    tables = read_tables("a.npy", npy_of(np.array([[0, 1], [1, 0]])))
    assert tables.reading == "adjacency-matrix"
    assert tables.other_readings == ("edge-array", "edge-list")
    tables = read_tables("a.npy", npy_of(np.array([[0, 1], [1, 2]])))
    assert tables.reading == "edge-array"
    assert size(read_tables("a.npy", npy_of(np.array([[3, 5], [4, 6]])), "edge-list")) == (4, 2)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.arange(5), "shape 5 "),
        (np.zeros((3, 4)), "3 rows and 4 columns"),
        (np.array([[0.5, 1, 2], [1, 2, 3]]), "0.5 is no vertex number"),
        (np.array([[-1, 1, 2], [1, 2, 3]]), "-1 is no vertex number"),
        (np.array([[np.nan, 1, 2], [1, 2, 3]]), "no vertex number"),
        (np.zeros((2, 0)), "no edge"),
        (np.array([["a", "b"]]), "type <U1"),
        (np.array([[None]]), "could run code"),
    ],
)
def test_arrays_that_are_no_graph_are_refused_in_words(array, words):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    with pytest.raises(UnreadableFileError, match=words):
        read_tables("a.npy", file.getvalue())


@pytest.mark.parametrize("name", ["karate.adjlist", "karate.txt", "karate.dat", "karate"])
def test_both_adjacency_lists_of_networkx_are_read(name):
    tables = read_tables(name, written(nx.write_adjlist, KARATE))
    assert (tables.reading, size(tables), tables.notes) == ("adjacency-list", (34, 78), ())
    tables = read_tables(name, written(nx.write_multiline_adjlist, KARATE))
    assert (tables.reading, size(tables)) == ("multiline-adjacency-list", (34, 78))
    weights = [weight for _, _, weight in KARATE.edges(data="weight")]
    assert sorted(tables.edge_columns["weight"].tolist()) == sorted(weights)


@given(graphs(min_vertices=1), st.sampled_from(["a.adjlist", "a.txt"]))
def test_adjacency_lists_hold_any_graph(graph, name):
    own = read_tables("a.adjlist", written(nx.write_adjlist, graph))
    assert same_graph(own, graph)
    if graph.number_of_edges():
        assert same_graph(read_tables(name, written(nx.write_adjlist, graph)), graph)
        assert same_graph(read_tables(name, written(nx.write_multiline_adjlist, graph)), graph)


@given(graphs(min_vertices=4))
def test_a_list_that_names_every_edge_twice_is_read_alike(graph):
    lines = [" ".join(map(str, [v, *graph[v]])) for v in graph]
    assert same_graph(read_tables("a.adjlist", "\n".join(lines).encode()), graph)
    assert read_tables("a.adjlist", "\n".join(lines).encode()).notes == ()


def test_a_cubic_graph_and_a_complete_one_are_no_tables():
    for graph in (nx.petersen_graph(), nx.complete_graph(4)):
        text = "\n".join(" ".join(map(str, [v, *graph[v]])) for v in graph).encode()
        tables = read_tables("a.txt", text)
        assert tables.reading == "adjacency-list"
        assert "edge-list" in tables.other_readings
        assert same_graph(tables, graph)


@pytest.mark.parametrize(
    ("text", "reading", "others"),
    [
        (b"1 2\n2 3\n", "edge-list", ("adjacency-matrix", "edge-array")),
        (b"0 1\n1 0\n", "adjacency-matrix", ("edge-array", "edge-list")),
        (b"1 2 5\n2 3 7\n1 3 9\n", "edge-list", ("adjacency-matrix",)),
        (b"1 2 5\n2 3 7\n", "edge-list", ("edge-array",)),
        (b"0 1 1 2\n1 0 2 1\n", "edge-array", ("edge-list",)),
        (b"1 2 3\n2 3 1\n3 1 2\n", "adjacency-list", ("adjacency-matrix", "edge-list")),
        (b"1 2\n2 3\n3 4\n", "edge-list", ()),
        (b"1 3 2\n2 1 1\n3 2 1\n4 1 3\n", "edge-list", ("adjacency-list",)),
        (b"1 2 0.5 7\n2 3 0.7 7\n1 3 1 8\n", "edge-list", ()),
        (b"source,target\n0,1\n1,0\n", "edge-list", ()),
        (b"graph { a -- b }", "", ()),
    ],
)
def test_the_reading_is_said_and_others_are_offered(text, reading, others):
    tables = read_tables("a.txt", text)
    assert (tables.reading, tables.other_readings) == (reading, others)
    for other in others:
        chosen = read_tables("a.txt", text, other)
        assert (chosen.reading, reading in chosen.other_readings) == (other, True)


def test_a_reading_that_was_asked_for_is_taken_or_refused():
    assert size(read_tables("a.txt", b"0 1\n1 0\n", "edge-array")) == (2, 1)
    assert read_graphs("a.txt", b"1 2\n3 4\n", "adjacency-matrix").n_vertices == 2
    assert read_graphs("a.txt", b"1.5 2\n2 3\n", "edge-list").n_vertices == 3
    with pytest.raises(UnreadableFileError, match="no square table"):
        read_tables("a.txt", b"0 1\n1 0\n0 0\n", "adjacency-matrix")
    with pytest.raises(InvalidParameterError, match="reading must be one of 'edge-list'"):
        read_tables("a.txt", b"0 1\n", "anything")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.txt", "1\n2\n3\n", "Every line holds one cell.*Write one edge per line"),
        ("a.csv", "degree\n1\n2\n3\n", "Every line holds one cell"),
        ("a", "1\n2\n3\n", "Every line holds one cell"),
        ("a.txt", "1 2\n" + "3\n4\n5\n6\n" * 5, "20 of the first 21 lines hold one name"),
        ("a.txt", "# 1 2\n" * 30 + "3 4\n", "30 lines are comments"),
        ("a.txt", "\n".join(" ".join("123456789") for _ in range(4)), "Every line has 9 cells"),
        ("a.edges", " ".join(map(str, range(78))), "Every line has 78 cells"),
        ("a.txt", "0 1 0 1\n1 0 1 0\n0 1 0 1\n", "3 rows and 4 columns"),
        ("a.csv", "5.1,3.5,1.4,0.2\n4.9,3.0,1.4,0.2\n", "5.1 is no name of a vertex"),
    ],
)
def test_implausible_readings_are_refused_with_the_reason(name, text, words):
    with pytest.raises(UnreadableFileError, match=words):
        read_tables(name, text.encode())


def test_vertices_without_edges_are_read_where_the_name_says_that_they_are():
    assert size(read_tables("a.edgelist", b"1\n2\n3\n")) == (3, 0)


@pytest.mark.parametrize("write", [nx.write_adjlist, nx.write_multiline_adjlist])
def test_damaged_adjacency_lists_never_crash(write):
    survives_everything("a.adjlist", written(write, nx.path_graph(5)))
    survives_everything("a.txt", written(write, nx.cycle_graph(4)))


def test_damaged_arrays_never_crash():
    survives_everything("a.npy", npy_of(EDGE_INDEX[:, :9]))
    survives_everything("a.csv", text_of(EDGE_INDEX[:, :9]))


@pytest.mark.parametrize(
    "text",
    [
        "a 999999999999999999999999\nb\n",
        "a 2\nb {}\n",
        "a 1\nb 1\n",
        "a -1\n",
        "0 1\n" * 1000,
        "x 0\n" * 1000,
        " ".join(map(str, range(200_000))) + "\n" + " ".join(map(str, range(200_000))),
        " ".join(map(str, range(50_000))) + "\n" + " ".join(map(str, range(49_999))),
    ],
    ids=range(8),
)
def test_hostile_lists_are_read_or_refused(text):
    for name in ("a.adjlist", "a.txt", "a.csv"):
        outcome(name, text.encode())


def test_bounds_hold_for_lists_and_arrays(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_VERTICES", "3")
    for name, content in (
        ("a.adjlist", b"0 1 2\n1 2\n2\n3\n"),
        ("a.csv", b"0,1,2,3,0\n1,2,3,0,2\n"),
        ("a.adjlist", b"0 3\n1\n2\n3\n"),
        ("a.npy", npy_of(EDGE_INDEX)),
    ):
        with pytest.raises(UnreadableFileError, match="at most 3"):
            read_tables(name, content)
    monkeypatch.setenv("MPGK_MAX_VERTICES", "9")
    monkeypatch.setenv("MPGK_MAX_EDGES", "2")
    for name, content in (("a.adjlist", b"0 1 2\n1 2\n2\n"), ("a.csv", b"0,1,2,3,0\n1,2,3,0,2\n")):
        with pytest.raises(UnreadableFileError, match="at most 2 are"):
            read_tables(name, content)


def zipped(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def test_gzip_is_unpacked_and_its_end_does_not_count():
    content = b"1 2\n2 3\n3 1\n"
    for name in ("a.txt.gz", "a.edges.GZ", "a.gz", "a.csv"):
        assert size(read_tables(name, gzip.compress(content))) == (3, 3)
    two = gzip.compress(b"1 2\n") + gzip.compress(b"2 3\n")
    assert size(read_tables("a.txt.gz", two)) == (3, 2)
    assert read_tables("a.g6.gz", gzip.compress(b"Bw\n")).format == "graph6"
    assert size(read_tables("a.npy.gz", gzip.compress(npy_of(EDGE_INDEX)))) == (34, 78)


def test_gzip_is_bounded(monkeypatch):
    bomb = gzip.compress(b"1 2\n" * 10_000_000)
    with pytest.raises(UnreadableFileError, match="fold"):
        read_tables("a.txt.gz", bomb)
    monkeypatch.setenv("MPGK_MAX_UNPACKED_BYTES", "1000")
    with pytest.raises(UnreadableFileError, match="more than 1,000 bytes"):
        read_tables("a.txt.gz", gzip.compress(b"1 2\n" * 1000))
    monkeypatch.setenv("MPGK_MAX_ARCHIVE_MEMBERS", "5")
    with pytest.raises(UnreadableFileError, match="more than 5 parts"):
        read_tables("a.txt.gz", gzip.compress(b"1 2\n") * 9)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.gz", gzip.compress(gzip.compress(b"1 2\n")), "archive within an archive"),
        ("a.zip.gz", gzip.compress(zipped(a="1 2\n")), "archive within an archive"),
        ("a.zip", zipped(**{"a.txt.gz": gzip.compress(b"1 2\n")}), "archive within an archive"),
        ("a.gz", gzip.compress(b"1 2\n" * 99)[:-9], "damaged or cut off"),
        ("a.gz", b"\x1f\x8b", "damaged or cut off"),
        ("a.gz", b"\x1f\x8b" + b"x" * 99, "damaged or cut off"),
        ("a.gz", gzip.compress(b""), "empty"),
        ("a.tar.gz", gzip.compress(b"\0" * 257 + b"ustar" + b"\0" * 250), "tar archive"),
        ("a.bz2", b"BZh91AY&SY", "Unpack it, or pack it as .zip or .gz"),
        ("a.xlsx", zipped(**{"xl/workbook.xml": ""}), "spreadsheet.*save the sheet as CSV"),
        ("a.zip", zipped(**{"xl/workbook.xml": ""}), "spreadsheet.*save the sheet as CSV"),
        ("a.txt", zipped(mimetype="application/vnd.oasis.opendocument.spreadsheet"), "spreadsheet"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "save the sheet as CSV"),
        ("a", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "save the sheet as CSV"),
        ("a.xlsx", b"1 2\n", "spreadsheet"),
        ("a.pt", zipped(**{"archive/data.pkl": ""}), "pickle.*npy"),
        ("a.pkl", b"\x80\x04\x95", "pickle.*npy"),
    ],
    ids=lambda value: "content" if isinstance(value, bytes) else None,
)
def test_packed_files_and_spreadsheets_get_a_clear_word(name, content, words):
    with pytest.raises(UnreadableFileError, match=words):
        read_tables(name, content)


def test_damaged_gzip_never_crashes():
    survives_everything("a.txt.gz", gzip.compress(b"1 2\n2 3\n"))
