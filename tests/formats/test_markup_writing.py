"""GraphML, GEXF, GML, Pajek and JSON: what is written is read back, here and by networkx."""

import io
import json
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.formats import WRITERS, read_graphs, read_tables, write_graphs

MARKUP = ("graphml", "gexf", "gml", "net", "json", "cyjs")
WITH_ATTRIBUTES = tuple(key for key in MARKUP if WRITERS[key].keeps_attributes)
WITH_CLASSES = ("graphml", "gml", "json", "cyjs")

XML_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r\x85\u2028&<>\"'\\#;"),
    min_size=1,
    max_size=8,
)
NAMES = st.lists(XML_TEXT, min_size=1, max_size=6, unique=True)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)


@st.composite
def graph_sets(draw, n_graphs):
    """Graphs with any names, labels that are text or numbers, and any finite attributes."""
    names = [draw(NAMES) for _ in range(n_graphs)]
    offsets = np.cumsum([0, *map(len, names)])
    n = int(offsets[-1])
    adjacency = np.zeros((n, n))
    for start, stop in pairwise(offsets.tolist()):
        ends = st.integers(start, stop - 1)
        for a, b in draw(st.lists(st.tuples(ends, ends), max_size=8)):
            adjacency[a, b] = 1
    kind = draw(st.sampled_from([XML_TEXT, st.integers(-(2**63) + 1, 2**63 - 1)]))
    labels = draw(st.lists(kind, min_size=n, max_size=n))
    rows = draw(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=n, max_size=n))
    return GraphSet(
        adjacency,
        offsets,
        names=[name for some in names for name in some],
        labels=draw(st.sampled_from([labels, None])),
        attributes=draw(st.sampled_from([np.array(rows).reshape(n, 2), None])),
    )


def read_back(key: str, graphs: GraphSet, classes=None):
    return read_tables(f"file{WRITERS[key].extension}", write_graphs(graphs, key, classes))


def as_read(names: list) -> list:
    """Whole numbers, if all names are written like these."""
    texts = list(map(str, names))
    try:
        numbers = list(map(int, texts))
    except ValueError:
        return texts
    return numbers if list(map(str, numbers)) == texts else texts


@pytest.mark.parametrize("key", MARKUP)
@given(data=st.data())
def test_everything_comes_back(key, data):
    graphs = data.draw(graph_sets(data.draw(st.integers(1, 3)) if key != "gexf" else 1))
    again = read_back(key, graphs).graph_set()
    assert again.offsets.tolist() == graphs.offsets.tolist()
    assert list(again.names) == as_read(graphs.names)
    assert (again.adjacency != graphs.adjacency).nnz == 0
    if key in WITH_ATTRIBUTES:
        assert again.labels == graphs.labels
        assert (again.attributes is None) == (graphs.attributes is None)
        if graphs.attributes is not None:
            assert again.attributes.tobytes() == graphs.attributes.tobytes()


@pytest.mark.parametrize("key", WITH_CLASSES)
@pytest.mark.parametrize("classes", [[1, 0, 1], ["a", "<b>", "a"], [0.5, 1.5, 0.1]])
def test_classes_come_back(key, classes):
    graphs = GraphSet.from_networkx([nx.path_graph(n) for n in (2, 3, 1)])
    again = read_back(key, graphs, np.array(classes, dtype=object))
    assert again.classes.tolist() == classes


@pytest.mark.parametrize("key", MARKUP)
def test_graphs_without_vertices_or_edges_come_back(key):
    lonely = GraphSet.from_networkx(nx.empty_graph(3))
    assert read_back(key, lonely).graph_set().sizes.tolist() == [3]
    nobody = GraphSet.from_networkx(nx.Graph())
    assert read_back(key, nobody).graph_set().sizes.tolist() == [0]


@pytest.mark.parametrize("key", ["net", "json", "cyjs", "gml"])
def test_control_characters_come_back(key):
    name = "\x00\x01\x0b\x1f\x7f\ufffe"
    graphs = GraphSet.from_networkx(nx.Graph([(name, "b")]))
    assert list(read_back(key, graphs).names) == [name, "b"]


@pytest.mark.parametrize("key", ["graphml", "gexf"])
def test_characters_that_xml_cannot_hold_are_named(key):
    graphs = GraphSet.from_networkx(nx.Graph([("a\x01", "b")]))
    with pytest.raises(InvalidGraphError, match=r"XML cannot hold the character U\+0001"):
        write_graphs(graphs, key)


@pytest.mark.parametrize("key", MARKUP)
def test_half_characters_are_refused_or_replaced(key):
    graphs = GraphSet.from_networkx(nx.Graph([("a\ud800", "b")]))
    if key == "gml":
        assert list(read_back(key, graphs).names) == ["a\ufffd", "b"]
    else:
        with pytest.raises(InvalidGraphError):
            write_graphs(graphs, key)


@pytest.mark.parametrize("key", MARKUP)
def test_names_that_would_look_the_same_are_refused(key):
    graphs = GraphSet.from_networkx(nx.Graph([(1, "1")]))
    with pytest.raises(InvalidGraphError, match="the same name in a file"):
        write_graphs(graphs, key)


def test_an_empty_name_has_no_place_in_pajek_only():
    graphs = GraphSet.from_networkx(nx.Graph([("", "b")]))
    with pytest.raises(InvalidGraphError, match="empty name"):
        write_graphs(graphs, "net")
    for key in set(MARKUP) - {"net"}:
        assert read_back(key, graphs).graph_set().n_edges == 1


def test_gexf_holds_one_graph_only():
    with pytest.raises(InvalidGraphError, match="GEXF holds one graph"):
        write_graphs(GraphSet.from_networkx([nx.path_graph(2)] * 2), "gexf")


def test_labels_that_are_tuples_are_written_as_lists_in_json():
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, {0: ("C", 1), 1: ("O", 2)}, "label")
    for key in WITH_ATTRIBUTES:
        graphs = GraphSet.from_networkx(graph)
        assert read_back(key, graphs).graph_set().labels == ['["C", 1]', '["O", 2]']


def test_labels_of_numpy_are_plain_numbers():
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, {0: np.int64(3), 1: np.int32(4)}, "label")
    for key in WITH_ATTRIBUTES:
        assert read_back(key, GraphSet.from_networkx(graph)).graph_set().labels == [3, 4]


NETWORKX_READERS = {
    "graphml": lambda content: nx.read_graphml(io.BytesIO(content)),
    "gexf": lambda content: nx.read_gexf(io.BytesIO(content)),
    "gml": lambda content: nx.read_gml(io.BytesIO(content)),
    "net": lambda content: nx.Graph(nx.read_pajek(io.BytesIO(content))),
    "json": lambda content: nx.node_link_graph(json.loads(content), edges="edges"),
    "cyjs": lambda content: nx.cytoscape_graph(json.loads(content)),
}


@pytest.mark.parametrize("key", MARKUP)
def test_networkx_reads_what_is_written(key):
    graph = nx.Graph([("a", "b & <b>"), ("b & <b>", "ç☃")] if key != "net" else [("a", "b b")])
    for place, name in enumerate(graph):
        graph.nodes[name].update(label="CON"[place], attributes=(place / 7, 1e-7 * place))
    other = NETWORKX_READERS[key](write_graphs(GraphSet.from_networkx(graph), key))
    assert list(other) == list(graph)
    assert {frozenset(edge) for edge in other.edges} == {frozenset(edge) for edge in graph.edges}
    if key in WITH_ATTRIBUTES:
        label = "vertex_label" if key == "gml" else "label"
        for name in graph:
            if key != "gexf":
                assert other.nodes[name][label] == graph.nodes[name]["label"]
            assert other.nodes[name]["attribute_1"] == graph.nodes[name]["attributes"][0]
            assert other.nodes[name]["attribute_2"] == graph.nodes[name]["attributes"][1]


def test_the_same_graphs_give_the_same_bytes():
    graphs = GraphSet.from_networkx(nx.karate_club_graph())
    for key in MARKUP:
        assert write_graphs(graphs, key) == write_graphs(graphs, key)
        assert read_graphs(f"x{WRITERS[key].extension}", write_graphs(graphs, key)).n_edges == 78
