"""Which format a file has: by its content under any name, and by its name where that decides."""

import re
import tokenize
from pathlib import Path

import networkx as nx
import pytest

import mpgk_core
from mpgk_core import GraphSet
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import FORMATS, WRITERS, read_graphs, read_tables, write_graphs
from mpgk_core.formats.files import format_of
from mpgk_core.formats.source import Source

KARATE = GraphSet.from_networkx(nx.karate_club_graph(), node_label="club")
ETHANOL_IN_3D = b"""ethanol
  made by hand

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    1.5000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    2.0000    1.4000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
  1  2  1  0  0  0  0
  2  3  1  0  0  0  0
M  END
$$$$
"""
#: Files of formats that have no writer, or that others could be mistaken for.
SAMPLES = [
    ("Edge list", b"1 2\n2 3\n3 4\n"),
    ("Edge list", b"source,target,weight\nAnn,Bob,1\nBob,Cy,2\n"),
    ("Edge list", b"# FromNodeId\tToNodeId\n0\t1\n0\t2\n"),
    ("Edge list", b"Ann;Bob\nBob;Cy\n"),
    ("Adjacency matrix", b"0 1 1\n1 0 0\n1 0 0\n"),
    ("Adjacency matrix", b",a,b\na,0,1\nb,1,0\n"),
    ("Edge array", b"0,0,1,1,2\n1,2,2,3,3\n"),
    ("Adjacency list", b"# GMT\n0 1 2\n1 2\n2\n"),
    ("Multiline adjacency list", b"# GMT\n0 2\n1 {}\n2 {}\n1 0\n2 0\n"),
    ("Vertex and edge tables", b"id,label\n1,C\n2,O\n"),
    ("graph6", b"Bw\nDQc\n"),
    ("sparse6", b":Bd\n"),
    ("Matrix Market", b"%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 1\n"),
    ("DOT", b"graph { a -- b; b -- c }\n"),
    ("DOT", b"strict digraph G {\n  a -> b\n}\n"),
    ("GML", b"graph [\n  node [ id 0 ]\n  node [ id 1 ]\n  edge [ source 0 target 1 ]\n]\n"),
    ("Pajek", b'*Vertices 2\n1 "a"\n2 "b"\n*Edges\n1 2\n'),
    ("SDF", ETHANOL_IN_3D),
    ("SMILES", b"smiles,name\nCCO,ethanol\nc1ccccc1,benzene\n"),
]


def written(writer_key):
    return write_graphs(KARATE, writer_key)


def test_every_format_has_a_sample_here_or_a_writer():
    titles = {title for title, _ in SAMPLES} | {writer.title for writer in WRITERS.values()}
    titles |= {"Zip archive of graph files", "NumPy array"}
    assert {item.title for item in FORMATS} <= titles


@pytest.mark.parametrize(("title", "content"), SAMPLES)
def test_samples_are_recognised_under_any_name(title, content):
    own = next(item for item in FORMATS if item.title == title).extensions
    for extension in (*own, ".txt", ""):
        assert format_of(Source("a" + extension, content)).title == title
        assert format_of(Source("a" + extension, b"\xef\xbb\xbf" + content)).title == title
        assert format_of(Source("a" + extension, content.replace(b"\n", b"\r\n"))).title == title


@pytest.mark.parametrize("key", WRITERS)
def test_written_files_are_read_alike_under_any_name(key):
    content = written(key)
    expected = read_graphs("a" + WRITERS[key].extension, content)
    for name in ("a.txt", "a", "A.DAT", "folder\\a.b.unknown"):
        read = read_graphs(name, content)
        assert (read.adjacency != expected.adjacency).nnz == 0
        assert (read.names, read.labels) == (expected.names, expected.labels)


def test_a_particular_extension_decides_between_formats_that_both_fit():
    square = b"1 0 1 0\n0 1 0 1\n1 0 1 0\n0 1 0 1\n"
    assert read_tables("a.adj", square).format == "Adjacency matrix"
    assert read_tables("a.txt", square).format == "Adjacency matrix"
    assert read_tables("a.edges", square).format == "Edge list"


@pytest.mark.parametrize("content", [b"", b" \n\t\r\n", b"\xef\xbb\xbf"])
def test_empty_files_are_called_empty(content):
    for name in ("a.csv", "a.graphml", "a"):
        with pytest.raises(UnreadableFileError, match="empty"):
            read_tables(name, content)


def test_unknown_files_are_answered_with_what_can_be_read():
    with pytest.raises(UnreadableFileError, match=r"These can be read: .*graph6.*Edge list"):
        read_tables("a.pdf", b"%PDF-1.7\n\x00\xff")


def test_a_file_that_only_its_extension_explains_is_blamed_by_that_format():
    with pytest.raises(UnreadableFileError, match=r"a\.csv, line 2: .*UTF-8"):
        read_tables("a.csv", b"a,b\nc,\xff\xff\n" + b"\x00" * 9)


def test_large_files_are_refused_at_once(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_FILE_BYTES", "5")
    with pytest.raises(UnreadableFileError, match="8 bytes, and at most 5"):
        read_tables("a.txt", b"1 2\n2 3\n")


def test_no_pattern_is_possessive():
    """Around subpatterns they match wrongly before Python 3.11.5 (CPython gh-106052)."""
    possessive = re.compile(r"[bf]?r[bf]?[\"'].*?(?:[])\w.][*+?}]\+|\(\?>)", re.DOTALL)
    for path in Path(mpgk_core.__file__).parent.rglob("*.py"):
        with tokenize.open(path) as file:
            texts = [
                t.string
                for t in tokenize.generate_tokens(file.readline)
                if t.type == tokenize.STRING
            ]
        assert not [text for text in texts if possessive.match(text)], path.name
