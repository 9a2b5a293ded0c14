"""Tables of vertices and of edges: which is which, typed columns, and ends that lead nowhere."""

from contextlib import suppress

import numpy as np
import pytest

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import read_tables, vertex_and_edge_tables
from mpgk_core.formats.files import read_many
from mpgk_core.formats.source import Source
from mpgk_core.formats.vertex_and_edge_tables import kind_of_table, read_pair
from tests.formats.hostile import survives_everything

VERTICES = b"id,label,charge,mass,note\n3,C,0.5,1,\n1,O,-1,2,x\n2,C,1e-3,3,y\n"
EDGES = b"source,target,bond\n1,2,1\n2,3,2\n"


def pair(vertices=VERTICES, edges=EDGES):
    return read_pair(Source("v.csv", vertices), Source("e.csv", edges))


def test_columns_are_typed_and_vertices_keep_their_order():
    tables = pair()
    assert tables.names == [3, 1, 2]
    assert tables.edges.tolist() == [[1, 2], [2, 0]]
    assert tables.columns["label"].tolist() == ["C", "O", "C"]
    assert tables.columns["charge"].tolist() == [0.5, -1.0, 0.001]
    assert tables.columns["mass"].dtype == np.int64
    assert tables.columns["note"].tolist() == [None, "x", "y"]
    assert tables.edge_columns["bond"].tolist() == [1, 2]
    graphs = tables.graph_set()
    assert graphs.labels == ["C", "O", "C"]
    np.testing.assert_array_equal(graphs.attributes, [[0.5, 1], [-1, 2], [0.001, 3]])


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("id,label", "vertices"),
        ("Node ID;Value", "vertices"),
        ("label\tname", "vertices"),
        ("vertex,x,y", "vertices"),
        ("source,target", "edges"),
        ("Weight,To,From", "edges"),
        ("node_1;node_2", "edges"),
        ("Id,Source,Target,Type", "edges"),
        ("a,b", None),
    ],
)
def test_headers_tell_vertices_from_edges(header, kind):
    cells = header.replace(";", ",").replace("\t", ",").count(",") + 1
    row = "\n" + header.replace(header, ",".join("17"[:1] * cells))
    separator = ";" if ";" in header else "\t" if "\t" in header else ","
    assert kind_of_table(Source("a", (header + row.replace(",", separator)).encode())) == kind


def test_an_edge_list_without_a_header_will_do():
    assert pair(edges=b"1 2\n2 3\n").edges.tolist() == [[1, 2], [2, 0]]
    assert pair(edges=b"source,target\n").edges.tolist() == []


@pytest.mark.parametrize(
    ("vertices", "edges", "words"),
    [
        (VERTICES, b"source,target\n1,4\n", "e.csv: An edge ends at '4'"),
        (VERTICES + b"3,N,1,1,z\n", EDGES, "v.csv: There are two vertices '3'"),
        (VERTICES + b",N,1,1,z\n", EDGES, "Row 4 has no id"),
        (VERTICES + b"4,N\n", EDGES, "v.csv, line 5: This row has 2 cells, and the header has 5"),
        (b"id,a,a\n1,2,3\n", EDGES, "Two columns are called 'a'"),
        (b"id" + b",c" * 2001 + b"\n", EDGES, "2,002 columns"),
        (b"colour,shape\n1,2\n", EDGES, "No column names the vertices"),
        (b'id,a\n1,"b\n', EDGES, "v.csv, line 2: A quotation mark|v.csv, line 3: A quotation mark"),
        (VERTICES, b"source,target\n1\n,2\n", "name is missing"),
    ],
)
def test_errors_say_what_and_where(vertices, edges, words):
    with pytest.raises(UnreadableFileError, match=words):
        pair(vertices, edges)


def test_a_table_of_vertices_alone_asks_for_edges():
    for name in ("v.csv", "v.txt", "v"):
        with pytest.raises(UnreadableFileError, match="lists vertices, and no edges"):
            read_tables(name, VERTICES)


def test_long_tables_keep_their_types_across_parts(monkeypatch):
    monkeypatch.setattr(vertex_and_edge_tables, "_ROWS_AT_ONCE", 2)
    rows = ["1,1,,1,007", "2,2,5,a,1", "3,2.5,,2,2", "4,,,3.0,3", "5,5,6,,4"]
    text = "id,whole,sparse,mixed,code\n" + "\n".join(rows)
    columns = vertex_and_edge_tables.table_columns(Source("a.csv", text.encode()), 0)
    assert columns["id"].tolist() == ["1", "2", "3", "4", "5"]
    np.testing.assert_array_equal(columns["whole"], [1, 2, 2.5, np.nan, 5])
    np.testing.assert_array_equal(columns["sparse"], [np.nan, 5, np.nan, np.nan, 6])
    assert columns["mixed"].tolist() == ["1", "a", "2", "3.0", None]
    assert columns["code"].tolist() == ["007", "1", "2", "3", "4"]


def test_cells_that_look_like_formulas_lose_their_apostrophe():
    tables = pair(b"id,label\n'=1,'-x\nb,'tis\n", b"from,to\n'=1,b\n")
    assert tables.names == ["=1", "b"]
    assert tables.columns["label"].tolist() == ["-x", "'tis"]
    assert pair(b"id\n'=1\nb\n", b"from,to\n'=1,b\n").names == ["=1", "b"]


def test_damaged_files_never_crash():
    survives_everything("v.csv", VERTICES)
    for stop in range(len(VERTICES)):
        with suppress(UnreadableFileError):
            files = [("v.csv", VERTICES[:stop]), ("e.csv", EDGES)]
            (tables,) = read_many(files, join="set")
            assert tables.n_vertices >= 2
