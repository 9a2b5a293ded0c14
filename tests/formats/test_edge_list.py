"""Edge lists: every separator, header and comment, and what is wrong with the others."""

import io

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import read_graphs, read_tables
from mpgk_core.formats.source import bounds
from tests.formats.hostile import survives, survives_everything
from tests.strategies import graphs

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1)


def edges_of(text, name="a.txt"):
    content = text if isinstance(text, bytes) else text.encode()
    return {frozenset(edge) for edge in read_graphs(name, content).to_networkx()[0].edges()}


def pairs(*edges):
    return {frozenset(edge) for edge in edges}


@pytest.mark.parametrize(
    "text",
    [
        "Ann Bob\nBob Cy\n",
        "Ann\tBob\nBob\tCy\n",
        "Ann,Bob\nBob,Cy",
        "Ann;Bob\r\nBob;Cy\r\n",
        "  Ann   Bob\n\n\tBob \t Cy\n",
        "Ann, Bob\nBob , Cy\n",
        "Ann,\tBob\nBob,\tCy\n",
        "# friends\n% of mine\nAnn Bob\n# more\nBob Cy\n",
        "Ann Bob # old friends\nBob Cy # new, or nearly\n",
        "source,target\nAnn,Bob\nBob,Cy\n",
        "From;To;Weight\nAnn;Bob;0,5\nBob;Cy;1,5\n",
        "Weight,Target,Source\n1,Bob,Ann\n2,Cy,Bob\n",
        "who,whom,years\nAnn,Bob,3\nBob,Cy,0\n",
        "Ann Bob 3\nBob Cy 0\n",
        "Ann Bob {'weight': 3, 'since': 'May'}\nBob Cy {}\n",
        '"Ann" "Bob"\n"Bob" "Cy"\n',
        '"Ann","Bob"\n"Bob","Cy"\n,\n',
        "Ann Bob\rBob Cy\r",
        "# friends\rAnn,Bob\rBob,Cy\r",
    ],
)
def test_every_way_to_write_two_edges(text):
    assert edges_of(text) == pairs(("Ann", "Bob"), ("Bob", "Cy"))
    assert edges_of(b"\xef\xbb\xbf" + text.encode()) == pairs(("Ann", "Bob"), ("Bob", "Cy"))
    assert edges_of(b"\xff\xfe" + text.encode("utf-16-le")) == pairs(("Ann", "Bob"), ("Bob", "Cy"))


@pytest.mark.parametrize(
    "text",
    [
        "7 9\n9 10\n",
        "a,b\n7,9\n9,10\n",
        "u v w\n7 9 1.5\n9 10 2\n",
        '"7" "9"\n9 10\n',
        "9 10\n7 9 # last\n",
        "7\t9\t\n9\t10\t\n",
    ],
)
def test_whole_numbers_are_names_in_rising_order(text):
    tables = read_tables("a.txt", text.encode())
    assert tables.names == [7, 9, 10]
    assert edges_of(text) == pairs((7, 9), (9, 10))


def test_one_name_that_is_no_canonical_number_makes_all_names_text():
    assert read_tables("a.txt", b"7 9\n9 010\n").names == ["7", "9", "010"]
    assert read_tables("a.txt", b"7 +9\n").names == ["7", "+9"]
    huge = "9" * 30
    assert read_tables("a.txt", f"7 {huge}\n".encode()).names == ["7", huge]


def test_a_line_with_one_name_is_a_lone_vertex():
    tables = read_tables("a.txt", b"5\n1 2\n7\n")
    assert (tables.names, tables.edges.tolist()) == ([1, 2, 5, 7], [[0, 1]])
    tables = read_tables("a.csv", b"Eve\nAnn,Bob\nDee\n")
    assert (tables.names, tables.edges.tolist()) == (["Eve", "Ann", "Bob", "Dee"], [[1, 2]])


def test_an_edge_of_usual_words_is_an_edge_if_these_are_names():
    assert edges_of("from to\nto home\n") == pairs(("from", "to"), ("to", "home"))
    assert edges_of("from to\nhere there\n") == pairs(("here", "there"))


def test_any_weight_is_an_edge():
    assert edges_of("1 2 0\n2 3 nan\n3 4 -1\n4 5 inf") == pairs((1, 2), (2, 3), (3, 4), (4, 5))


def test_notes_say_what_is_not_seen():
    assert read_tables("a.txt", b"1 2 7\n2 1 7\n3 3 1\n").losses() == (
        "Every edge is listed in both directions, and counts once.",
        "1 self-loop is dropped.",
    )
    assert read_tables("a.txt", b"1 2\n").notes == ()


def test_an_edge_repeated_256_times_is_an_edge():
    assert edges_of("1 2\n" * 256) == pairs((1, 2))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a b\nb c d\n", 2, "does not have 2 cells"),
        ("1 2 3\n2 3\n", 2, "does not have 3 cells"),
        ("a,b\nb,\n", 2, "name is missing"),
        ('a,"b\nc,d\n', 1, "quotation mark"),
        ('a,"b"c\n', 1, "quotation mark"),
        ("source,target\n", None, "no edge"),
        ("# nothing\n", None, "no edge"),
        ("a b\nb \0\n", 2, "zero byte"),
        (b"a b\nb \xff\n", 2, "UTF-8"),
        ("a b\nb " + "x" * 100_001, 2, "100,001 characters"),
    ],
)
def test_errors_say_what_and_where(text, line, words):
    content = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(UnreadableFileError, match=words) as caught:
        read_tables("a.txt", content)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "name", ["x" * 10_000, "مرحبا", "👩‍👩‍👧", "<img onerror=alert(1)>", "a\u2028b"]
)
def test_strange_names_stay_as_they_are(name):
    assert read_tables("a.csv", f"{name},b\n".encode()).names == [name, "b"]


def test_numbers_of_a_billion_are_only_names(monkeypatch):
    assert read_tables("a.txt", b"0 1000000000000\n").n_vertices == 2
    monkeypatch.setenv("MPGK_MAX_VERTICES", "3")
    assert bounds().vertices == 3
    for text in (b"1 2\n3 4\n", b"a b\nc d\n"):
        with pytest.raises(UnreadableFileError, match="at most 3"):
            read_tables("a.txt", text)
    monkeypatch.setenv("MPGK_MAX_EDGES", "1")
    for text in (b"1 2\n2 1\n", b"a b\nb a\n"):
        with pytest.raises(UnreadableFileError, match="at most 1 are"):
            read_tables("a.txt", text)


@given(graphs(min_vertices=1), st.booleans())
def test_networkx_files_are_read_alike(graph, data):
    file = io.BytesIO()
    nx.write_edgelist(graph, file, data=data)
    if graph.number_of_edges():
        read = read_graphs("a.edgelist", file.getvalue()).to_networkx()[0]
        expected = nx.read_edgelist(io.BytesIO(file.getvalue()), nodetype=int)
        assert nx.utils.graphs_equal(nx.Graph(read.edges()), nx.Graph(expected.edges()))


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1), st.sampled_from([",", ";", "\t", " "]))
def test_quoted_names_come_back(edges, separator):
    def cell(name):
        return '"' + name.replace('"', '""') + '"'

    text = "first\n" + "".join(f"{cell(a)}{separator}{cell(b)}\n" for a, b in edges)
    graph = read_graphs("a.edges", text.encode()).to_networkx()[0]
    expected = nx.Graph([(a, b) for a, b in edges if a != b])
    expected.add_nodes_from({"first", *(name for edge in edges for name in edge)})
    if set(map(str, graph)) == set(graph):
        unescaped = {
            name: name[1:] if separator != " " and _is_escaped(name) else name for name in expected
        }
        expected = nx.relabel_nodes(expected, unescaped)
    assert nx.utils.graphs_equal(graph, expected)


def _is_escaped(name):
    return name.startswith("'") and name.lstrip("'")[:1] in tuple("=+-@")


@pytest.mark.parametrize(
    "content",
    [
        b"1 2 0.5\n2 3 1e3\n",
        b'"a b",c\n"d ""e""",c\n',
        b"source;target\nx;y\n# c\nz\n",
        "日本 é\né 🙂\n".encode(),
    ],
)
def test_damaged_files_never_crash(content):
    for name in ("a.txt", "a.edges", "a.csv", "a"):
        survives_everything(name, content)


def test_names_that_hash_alike_are_told_apart():
    text = "".join(f"n{i % 5000} n{i * 7 % 5000}\n" for i in range(20_000))
    expected = nx.read_edgelist(io.BytesIO(text.encode()))
    expected.remove_edges_from(list(nx.selfloop_edges(expected)))
    assert nx.utils.graphs_equal(read_graphs("a.txt", text.encode()).to_networkx()[0], expected)


def test_a_single_word_is_not_taken_for_a_graph():
    assert survives("a", b"hello") is None


def test_bytes_that_are_no_text_are_named_without_noise(capfd):
    with pytest.raises(UnreadableFileError, match="UTF-8") as caught:
        read_tables("a.edgelist", b"1 2\n" * 20_000 + b"\xff\n1 2\n")
    assert caught.value.line == 20_001
    assert capfd.readouterr() == ("", "")
