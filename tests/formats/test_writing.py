"""What is written comes back: for every writer, whatever its format can hold."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError, InvalidParameterError
from mpgk_core.formats import WRITERS, losses_of_writing, read_graphs, read_tables, write_graphs
from tests.strategies import graph_lists, graphs

EVERY = pytest.mark.parametrize("key", WRITERS)
MANY = [key for key, writer in WRITERS.items() if writer.many_graphs]
NAMELESS = {"g6", "s6", "mtx", "npz", "tu"}
NAMED = [key for key in WRITERS if key not in NAMELESS]
TABLES = ["edgelist", "csv", "tables"]
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)
STRANGE = [
    *("a b", "=1+1", "-x", "'=x", 'say "x"', "é", "👩‍👧", "<img onerror=1>", "x,y;z", "#1", "%"),
    *("{a}", "source", "from", "7", "07", "مرحبا", "nan", "a\\b", "&amp;", "[", "x" * 10_000),
]


def name_of(key):
    return "graph" + WRITERS[key].extension


def assert_same(back, graphs, key):
    assert back.offsets.tolist() == graphs.offsets.tolist()
    assert back.names == graphs.names
    assert (back.adjacency != graphs.adjacency).nnz == 0
    if WRITERS[key].keeps_attributes and graphs.n_vertices:
        np.testing.assert_array_equal(back.label_codes, graphs.label_codes)
        np.testing.assert_array_equal(
            back.attributes.view(np.int64), graphs.attributes.view(np.int64)
        )


@EVERY
@settings(max_examples=40)
@given(graph=graphs(min_vertices=1))
def test_one_graph_comes_back(key, graph):
    graph_set = GraphSet.from_networkx(graph)
    assert_same(read_graphs(name_of(key), write_graphs(graph_set, key)), graph_set, key)


@pytest.mark.parametrize("key", MANY)
@settings(max_examples=40)
@given(members=graph_lists(min_vertices=1))
def test_many_graphs_come_back(key, members):
    graph_set = GraphSet.from_networkx(members)
    assert_same(read_graphs(name_of(key), write_graphs(graph_set, key)), graph_set, key)


@EVERY
@settings(max_examples=40)
@given(numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2))
def test_any_finite_attribute_comes_back(key, numbers):
    if not WRITERS[key].keeps_attributes:
        return
    graph = nx.path_graph(len(numbers))
    for vertex, number in enumerate(numbers):
        graph.nodes[vertex].update(label="C", attributes=[number, 0.5])
    graph_set = GraphSet.from_networkx(graph)
    assert_same(read_graphs(name_of(key), write_graphs(graph_set, key)), graph_set, key)


@pytest.mark.parametrize("key", NAMED)
@settings(max_examples=40)
@given(names=st.lists(st.sampled_from(STRANGE), unique=True, min_size=1), data=st.data())
def test_strange_names_come_back(key, names, data):
    graph = nx.Graph()
    graph.add_nodes_from(names)
    ends = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda e: e[0] != e[1])
    if len(names) > 1:
        graph.add_edges_from(data.draw(st.lists(ends)))
    expected = nx.relabel_nodes(graph, {"7": 7}) if names == ["7"] else graph
    back = read_graphs(name_of(key), write_graphs(GraphSet.from_networkx(graph), key))
    assert nx.utils.graphs_equal(
        nx.Graph(back.to_networkx()[0].edges()), nx.Graph(expected.edges())
    )
    assert set(back.names) == set(expected)


@pytest.mark.parametrize("key", TABLES)
@settings(max_examples=40)
@given(names=st.lists(TEXT, min_size=2, unique=True), label=TEXT)
@example(names=["a", "SMILES"], label="b")
def test_any_text_comes_back_from_tables(key, names, label):
    graph = nx.path_graph(len(names))
    nx.set_node_attributes(graph, f"x{label}", "label")
    graph_set = GraphSet.from_networkx(nx.relabel_nodes(graph, dict(enumerate(["v", *names[1:]]))))
    back = read_tables(name_of(key), write_graphs(graph_set, key))
    assert set(back.names) == set(graph_set.names)
    if key == "tables":
        assert set(back.columns["label"]) == {f"x{label}"}


@pytest.mark.parametrize("key", TABLES)
def test_names_over_several_lines_come_back(key):
    names = ["a\nb", "c\td", "e\rf", " lead", 'x"\r\ny,', "z"]
    graph = nx.relabel_nodes(nx.path_graph(6), dict(enumerate(names)))
    nx.set_node_attributes(graph, dict(zip(names, ["p\nq", "p\r\nq"] * 3, strict=True)), "label")
    graph_set = GraphSet.from_networkx(graph)
    back = read_graphs(name_of(key), write_graphs(graph_set, key))
    assert (back.names, (back.adjacency != graph_set.adjacency).nnz) == (names, 0)
    if key == "tables":
        assert back.labels == graph_set.labels


@EVERY
def test_self_loops_come_back_where_there_is_a_place_for_them(key):
    graph = nx.Graph([(0, 0), (0, 1), (1, 2)])
    nx.set_node_attributes(graph, "C", "label")
    graph_set = GraphSet.from_networkx(graph, self_loops="keep")
    try:
        content = write_graphs(graph_set, key)
    except InvalidGraphError as error:
        message = str(error)
    else:
        back = read_tables(name_of(key), content).graph_set(self_loops="keep")
        assert (back.adjacency != graph_set.adjacency).nnz == 0
        return
    assert "self-loop" in message


@EVERY
def test_graphs_without_edges_or_vertices_come_back_or_are_refused(key):
    lone = GraphSet.from_networkx(nx.empty_graph(1))
    assert read_graphs(name_of(key), write_graphs(lone, key)).sizes.tolist() == [1]
    nothing = GraphSet.from_networkx(nx.Graph())
    try:
        content = write_graphs(nothing, key)
    except InvalidGraphError as error:
        message = str(error)
    else:
        assert read_graphs(name_of(key), content).sizes.tolist() == [0]
        return
    assert message.endswith(".")


@EVERY
def test_the_same_graphs_make_the_same_bytes(key):
    graph_set = GraphSet.from_networkx(nx.karate_club_graph(), node_label="club")
    assert write_graphs(graph_set, key) == write_graphs(graph_set, key)


@EVERY
def test_several_graphs_need_a_format_that_holds_them(key):
    two = GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(3)])
    if key in MANY:
        assert read_graphs(name_of(key), write_graphs(two, key)).sizes.tolist() == [2, 3]
    else:
        with pytest.raises(InvalidGraphError, match="holds one graph, and there are 2"):
            write_graphs(two, key)


def test_wrong_questions_are_answered():
    one = GraphSet.from_networkx(nx.path_graph(2))
    with pytest.raises(InvalidParameterError, match="format must be one of 'edgelist'"):
        write_graphs(one, "doc")
    with pytest.raises(InvalidGraphError, match="2 classes for 1 graphs"):
        write_graphs(one, "g6", classes=np.array([0, 1]))


@pytest.mark.parametrize("key", TABLES)
def test_names_that_look_alike_in_a_file_are_refused(key):
    with pytest.raises(InvalidGraphError, match="same name in a file"):
        write_graphs(GraphSet.from_networkx(nx.Graph([(1, "1")])), key)
    with pytest.raises(InvalidGraphError, match="has no name"):
        write_graphs(GraphSet.from_networkx(nx.Graph([(1, "")])), key)
    with pytest.raises(InvalidGraphError, match="UTF-8"):
        write_graphs(GraphSet.from_networkx(nx.Graph([(1, "\ud800")])), key)


def graph_with_everything():
    graph = nx.Graph([("a", "b"), ("b", "c"), ("c", "d")])
    for place, vertex in enumerate(graph):
        graph.nodes[vertex].update(label="CO"[place % 2], attributes=[0.5 * place, 1.5])
    return GraphSet.from_networkx(graph)


@pytest.mark.parametrize("key", WRITERS)
def test_what_is_said_to_be_lost_is_lost_and_the_rest_comes_back(key):
    writer, graphs, classes = WRITERS[key], graph_with_everything(), np.array(["x"])
    tables = read_tables(f"a{writer.extension}", write_graphs(graphs, key, classes))
    back = tables.graph_set()
    said = " ".join(losses_of_writing(writer, graphs, classes))
    is_lost = {
        "names of vertices": list(back.names) != list(graphs.names),
        "labels": back.label_codes is None,
        "attributes": back.attributes is None,
        "classes of graphs": tables.classes is None,
    }
    for what, lost in is_lost.items():
        assert (what in said.partition(" holds whole numbers")[0]) == lost, what
    if writer.keeps_attributes and key != "tu":
        assert writer.label_column in tables.columns
    assert ("are numbered" in said) == (back.labels != graphs.labels and writer.keeps_attributes)


def test_a_plain_graph_loses_nothing_anywhere():
    plain = GraphSet.from_networkx(nx.path_graph(4))
    assert not [key for key, writer in WRITERS.items() if losses_of_writing(writer, plain)]


def test_columns_that_are_renamed_are_named():
    roles = {"club": "label", "age": "attribute", "attribute_2": "attribute", "x": "ignore"}
    graphs = graph_with_everything()
    assert losses_of_writing(WRITERS["graphml"], graphs, roles=roles) == (
        "Column 'club' is called 'label' in the file.",
        "Column 'age' is called 'attribute_1' in the file.",
    )
    assert "'vertex_label'" in " ".join(losses_of_writing(WRITERS["gml"], graphs, roles=roles))
    two = {"a": "label", "b": "label"}
    assert losses_of_writing(WRITERS["json"], graphs, roles=two) == (
        "Columns a, b are one column 'label' in the file.",
    )
    assert (
        len(
            losses_of_writing(
                WRITERS["json"], graphs, roles={f"c{i}": "attribute" for i in range(30)}
            )
        )
        == 11
    )
