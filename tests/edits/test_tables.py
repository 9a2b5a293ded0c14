"""Tables: there and back, and a clear word about every wrong cell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError, InvalidParameterError
from mpgk_core.edits import MAX_VERTICES, graph_from_tables, tables_of
from tests.edits.versions import assert_same, content, editable, graph_of

NAN = float("nan")


@settings(max_examples=40)
@given(editable())
def test_tables_lead_back_to_the_graph(graph):
    assert_same(graph_from_tables(*tables_of(graph), base=graph), graph)


@settings(max_examples=40)
@given(editable(), st.integers(0, 9))
def test_rows_may_come_in_any_order_and_ends_in_any_direction(graph, seed):
    vertices, edges = tables_of(graph)
    order = np.random.default_rng(seed).permutation(graph.n_vertices).tolist()
    vertices = {key: [column[v] for v in order] for key, column in vertices.items()}
    edges = {"to": edges["from"] * 2, "from": edges["to"] * 2}
    edited = graph_from_tables(vertices, edges, graph)
    assert content(edited) == content(graph)
    assert edited.names == [graph.names[v] for v in order]


def test_tables_show_names_as_text_and_values_as_they_are():
    graph = GraphSet([[0, 1], [1, 0]], [0, 2], labels=[3, 4], attributes=[[0.5, 1], [2, 3]])
    vertices, edges = tables_of(graph)
    assert vertices == {
        "name": ["0", "1"],
        "label": [3, 4],
        "attribute_1": [0.5, 2.0],
        "attribute_2": [1.0, 3.0],
    }
    assert edges == {"from": ["0"], "to": ["1"]}


def test_new_cells_take_the_type_of_the_old_ones():
    base = GraphSet(np.zeros((2, 2)), [0, 2], labels=[3, 4])
    vertices = {"name": ["0", "1", "12", " x "], "label": [3.0, 4.0, 5.0, np.float64(3)]}
    edited = graph_from_tables(vertices, {"from": ["12", 0.0], "to": ["x", np.int64(1)]}, base)
    assert edited.names == [0, 1, 12, "x"]
    assert [type(name) for name in edited.names] == [int, int, int, str]
    assert edited.labels == [3, 4, 5, 3]
    assert [type(label) for label in edited.labels] == [int] * 4
    assert content(edited)[1] == {frozenset([0, 1]), frozenset([12, "x"])}


def test_odd_names_and_labels_come_back_from_their_texts():
    base = GraphSet(np.zeros((2, 2)), [0, 2], names=[(1, 2), "a"], labels=[("C", 1), "O"])
    vertices, edges = tables_of(base)
    assert vertices == {"name": ["[1, 2]", "a"], "label": ['["C", 1]', "O"]}
    assert_same(graph_from_tables(vertices, edges, base), base)
    edited = graph_from_tables(vertices, {"from": ["a"], "to": ["[1, 2]"]}, base)
    assert content(edited)[1] == {frozenset([(1, 2), "a"])}


def test_tables_alone_make_a_graph():
    graph = graph_from_tables(
        {"name": ["a", "b"], "charge": [1, "2.5"], "label": ["C", "O"]}, {"from": [], "to": []}
    )
    assert (graph.names, graph.labels) == (["a", "b"], ["C", "O"])
    assert graph.attributes.tolist() == [[1.0], [2.5]]


AB = {"name": ["a", "b"]}
NONE = {"from": [], "to": []}
HOSTILE = "<img src=x onerror=alert(1)>\n" * 100


@pytest.mark.parametrize(
    ("vertices", "edges", "message"),
    [
        ({"name": []}, NONE, r"No vertex would be left. Keep at least one"),
        ({"name": range(MAX_VERTICES + 1)}, NONE, r"6,001 vertices, .* up to 6,000. Remove some"),
        ({"label": ["a"]}, NONE, r"The table of vertices has no column 'name'. Add it"),
        (AB, {"from": []}, r"The table of edges has no column 'to'. Add it"),
        (AB, {"from": ["a"], "to": []}, r"edges have different lengths: .* Give every row a cell"),
        ({"name": ["a", None]}, NONE, r"Row 2 of the vertices has no name. Name it, or remove"),
        ({"name": ["a", "  "]}, NONE, r"Row 2 of the vertices has no name"),
        ({"name": [NAN, "a"]}, NONE, r"Row 1 of the vertices has no name"),
        ({"name": ["a", "b", "a"]}, NONE, r"Rows 1 and 3 .* both called 'a'. Rename one"),
        ({"name": ["1", 1]}, NONE, r"Rows 1 and 2 .* both called '1'"),
        (AB | {"label": ["C", None]}, NONE, r"Vertex 'b' has no label. Fill it in"),
        (AB | {"size": [1.0, NAN]}, NONE, r"Vertex 'b': 'size' is empty. Fill in a number"),
        (AB | {"size": [1.0, "x"]}, NONE, r"Vertex 'b': 'size' is 'x'. Give a number"),
        (AB | {"size": [1.0, 10**400]}, NONE, r"Vertex 'b': 'size' is .*Give a number"),
        (AB | {"size": [np.inf, 1.0]}, NONE, r"Vertex 'a': 'size' is inf. Give a finite"),
        (AB, {"from": ["a"], "to": [None]}, r"Row 1 of the edges lacks an end. Name two"),
        (
            AB,
            {"from": ["a", "c"], "to": ["b", "a"]},
            r"Row 2 of the edges names 'c', and no vertex",
        ),
        (AB, {"from": ["b"], "to": ["b"]}, r"Row 1 of the edges joins 'b' to itself. Name two"),
    ],
)
def test_wrong_tables_are_refused(vertices, edges, message):
    with pytest.raises(InvalidGraphError, match=message):
        graph_from_tables(vertices, edges)


def test_foreign_text_in_a_message_is_short_and_on_one_line():
    with pytest.raises(InvalidGraphError) as caught:
        graph_from_tables(AB | {HOSTILE: [HOSTILE, 1.0]}, NONE)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 250


def test_edges_of_removed_vertices_can_go_with_them():
    base = graph_of([("a", "b"), ("b", "c")])
    vertices, edges = tables_of(base)
    vertices = {"name": ["a", "b"]}
    with pytest.raises(InvalidGraphError, match=r"Row 2 of the edges names 'c'"):
        graph_from_tables(vertices, edges, base)
    rest = graph_from_tables(vertices, edges, base, dangling_edges="drop")
    assert content(rest)[1] == {frozenset("ab")}
    with pytest.raises(InvalidParameterError, match="'dangling_edges' parameter"):
        graph_from_tables(vertices, edges, base, dangling_edges="keep")


@settings(max_examples=40)
@given(editable(), st.integers(0, 9))
def test_edges_follow_a_vertex_that_is_renamed(graph, row):
    vertices, edges = tables_of(graph)
    row %= graph.n_vertices
    vertices["name"][row] = "Zürich"
    renamed = graph_from_tables(vertices, edges, graph)
    assert (renamed.adjacency != graph.adjacency).nnz == 0
    assert renamed.names[row] == "Zürich"


def test_a_row_that_takes_the_name_of_another_is_not_a_new_name():
    base = graph_of([("a", "b"), ("b", "c")])
    edges = tables_of(base)[1]
    moved = graph_from_tables({"name": ["b", "c", "d"]}, edges, base, dangling_edges="drop")
    assert content(moved)[1] == {frozenset("bc")}


def test_names_and_labels_that_look_alike_cannot_be_shown():
    with pytest.raises(InvalidGraphError, match="two vertices would have the same name"):
        tables_of(GraphSet(np.zeros((2, 2)), [0, 2], names=[1, "1"]))
    with pytest.raises(InvalidGraphError, match="Two labels would look the same in a table"):
        tables_of(GraphSet(np.zeros((2, 2)), [0, 2], labels=[1, "1"]))
