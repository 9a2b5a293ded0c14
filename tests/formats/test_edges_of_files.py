"""Labels, weights and directions of edges: what files say is kept, and written again."""

from __future__ import annotations

import io
import json
import re
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import (
    WRITERS,
    guess_edge_roles,
    losses_of_writing,
    read_many,
    read_tables,
    summary_of,
    write_graphs,
)
from mpgk_core.formats import edge_list as edge_list_module
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.graph_collector import is_symmetric
from mpgk_core.formats.source import Source
from mpgk_core.formats.tu_archive import unpaired
from mpgk_core.graphs.edges import Edges
from tests.strategies import edge_graphs

EVERY = pytest.mark.parametrize("key", WRITERS)
MATRICES = ("csv", "mtx", "npz")
#: A file without these has no place for edges.
HOLDERS = [key for key, writer in WRITERS.items() if writer.keeps_edges]


def arcs(edges: Edges, *, labels: bool = True, weights: bool = True) -> dict:
    """Every edge in both directions, or as it is directed: its ends and label, and its weight.

    Numbers and texts that look alike are one label. Without weights, edges weigh 1.
    """
    both = edges.directed()
    found: Counter = Counter()
    for row in range(both.n_edges):
        label = None
        if labels and both.labels is not None and both.labels[row] is not None:
            label = str(both.labels[row])
        key = int(both.sources[row]), int(both.targets[row]), label
        has_weight = weights and both.weights is not None
        found[key] = found[key] + both.weights[row] if has_weight else 1.0
    return {key: pytest.approx(weight) for key, weight in found.items()}


def back_from(key: str, graphs: GraphSet) -> GraphSet:
    return read_tables("graph" + WRITERS[key].extension, write_graphs(graphs, key)).graph_set()


def plain_names(graph: nx.Graph) -> nx.Graph:
    """The graph with whole numbers for labels of edges, so that TU archives hold them."""
    for *_, data in graph.edges(data=True):
        if "label" in data:
            data["label"] = {"-": 1, "=": 2}.get(data["label"], 3)
    return graph


@pytest.mark.parametrize("key", HOLDERS)
@settings(max_examples=60)
@given(graph=edge_graphs(min_vertices=1), has_numbers=st.booleans())
def test_what_is_known_of_edges_comes_back(key, graph, has_numbers):
    writer = WRITERS[key]
    if has_numbers or key == "tu":
        graph = plain_names(graph)
    graphs = GraphSet.from_networkx(graph)
    edges = graphs.all_edges()
    kept = {"labels": "labels" in writer.keeps_edges, "weights": "weights" in writer.keeps_edges}
    if key in MATRICES and 0 in arcs(edges, labels=False).values():
        with pytest.raises(InvalidGraphError, match="weight 0"):
            write_graphs(graphs, key)
        return
    back = back_from(key, graphs)
    if "directions" not in writer.keeps_edges:
        edges = Edges.of(edges.sources, edges.targets, labels=edges.labels, weights=edges.weights)
    assert arcs(back.all_edges(), **kept) == arcs(edges, **kept)
    assert back.names == graphs.names
    assert (back.adjacency != graphs.adjacency).nnz == 0
    if key not in MATRICES and "directions" in writer.keeps_edges and edges.n_edges:
        assert back.all_edges().is_directed == edges.is_directed


@pytest.mark.parametrize("key", [key for key in HOLDERS if WRITERS[key].many_graphs])
@settings(max_examples=30)
@given(members=st.lists(edge_graphs(min_vertices=1), min_size=2, max_size=4))
def test_sets_of_unlike_graphs_come_back(key, members):
    """Directed and undirected graphs together, some with labels or weights, and some without."""
    graphs = GraphSet.from_networkx([plain_names(member) for member in members])
    edges = graphs.all_edges()
    if key == "tu":
        edges = Edges.of(edges.sources, edges.targets, labels=edges.labels, weights=edges.weights)
        if None in edges.label_values:  # it gets a number, as all other labels do then
            return
    assert arcs(back_from(key, graphs).all_edges()) == arcs(edges)


@EVERY
@given(graph=edge_graphs(min_vertices=2))
def test_what_a_format_cannot_hold_is_said(key, graph):
    graphs = GraphSet.from_networkx(graph)
    said = " ".join(losses_of_writing(WRITERS[key], graphs))
    edges = graphs.edges
    there = {
        "labels": edges is not None and edges.label_codes is not None,
        "weights": edges is not None and edges.weights is not None,
        "directions": edges is not None and edges.is_directed,
    }
    for what, is_there in there.items():
        assert (f"edge {what}" in said) == (is_there and what not in WRITERS[key].keeps_edges)


def bytes_of(write, graph) -> bytes:
    file = io.BytesIO()
    write(graph, file)
    return file.getvalue()


NETWORKX = {
    "a.graphml": lambda graph: bytes_of(nx.write_graphml_xml, graph),
    "a.gexf": lambda graph: bytes_of(nx.write_gexf, graph),
    "a.gml": lambda graph: bytes_of(nx.write_gml, graph),
    "a.net": lambda graph: bytes_of(nx.write_pajek, graph),
    "a.json": lambda graph: json.dumps(nx.node_link_data(graph, edges="links")).encode(),
    "a.cyjs": lambda graph: json.dumps(nx.cytoscape_data(graph)).encode(),
    "a.edgelist": lambda graph: bytes_of(nx.write_edgelist, graph),
    "a.adjlist": lambda graph: bytes_of(nx.write_multiline_adjlist, graph),
}


@pytest.mark.parametrize("name", NETWORKX)
@settings(max_examples=40)
@given(graph=edge_graphs(min_vertices=2))
def test_edges_are_read_as_networkx_means_them(name, graph):
    kind = nx.DiGraph if graph.is_directed() else nx.Graph
    simple = kind()
    simple.add_nodes_from(graph)
    left_out = "label" if name == "a.net" else None  # which networkx does not write there
    for a, b, data in graph.edges(data=True):
        simple.add_edge(a, b, **{key: value for key, value in data.items() if key != left_out})
    lists_no_lone_vertices = name == "a.edgelist"
    if lists_no_lone_vertices:
        simple.remove_nodes_from(list(nx.isolates(simple)))
        simple = nx.convert_node_labels_to_integers(simple)
    if not simple.number_of_edges():
        return
    tables = read_tables(name, NETWORKX[name](simple))
    says_directions = name not in ("a.edgelist", "a.adjlist")
    assert tables.is_directed == (simple.is_directed() if says_directions else tables.is_directed)
    back = tables.graph_set(is_directed=simple.is_directed())
    expected = GraphSet.from_networkx(simple)
    place = {str(name): number for number, name in enumerate(simple)}
    order = np.array([place[str(name)] for name in back.names])
    found = back.all_edges().renumbered(order)
    assert arcs(found) == arcs(expected.all_edges())


CELLS = ["1", "2", "0.5", "-1", "1e3", "x", "07", "-0.5", "+1", "é", "0", "9" * 19, "1."]


@given(
    st.lists(st.tuples(st.sampled_from(CELLS), st.sampled_from(CELLS)), min_size=1, max_size=8),
    st.sampled_from([CELLS, CELLS[:2], CELLS[:5], ["0.5", "07"], ["-0.5", "1."]]),
    st.sampled_from([" ", ",", "\t"]),
)
@example([("1", "9999999999999999999")], CELLS, " ")
def test_regular_tables_are_read_as_row_by_row(rows, pool, separator):
    rows = [
        [f"v{i}", "w", *(pool[CELLS.index(cell) % len(pool)] for cell in row)]
        for i, row in enumerate(rows)
    ]
    content = "".join(separator.join(row) + "\n" for row in rows).encode()
    source = Source("a.edges", content)
    slow = edge_list_module.read_edges(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list_module, "SMALL", 0)
        fast = edge_list_module.read_edges(source)
    assert (slow[0], slow[1].tolist(), list(slow[2])) == (fast[0], fast[1].tolist(), list(fast[2]))
    for key, column in slow[2].items():
        assert column.dtype == fast[2][key].dtype
        assert column.tolist() == fast[2][key].tolist()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 1)), max_size=12))
def test_lines_in_both_directions_are_one_edge(lines):
    table = np.array(lines, dtype=np.int64).reshape(-1, 3)
    is_kept, n_one_way = unpaired(table[:, :2], [table[:, 2]])
    listed = Counter(lines)
    expected = Counter()
    for a, b, value in {(min(a, b), max(a, b), value) for a, b, value in lines}:
        both = listed[a, b, value], listed[b, a, value]
        expected[a, b, value] = max(both)
        n_one_way -= abs(both[0] - both[1])
    kept = Counter((min(a, b), max(a, b), value) for a, b, value in table[is_kept].tolist())
    assert kept == expected
    assert n_one_way == 0
    back = Counter((b, a, value) for a, b, value in lines)
    assert is_symmetric(table[:, :2], 4, table[:, 2]) == (back == listed)


@pytest.mark.parametrize(
    ("name", "cells", "role"),
    [
        ("weight", ["1.5", "0", "2"], "weight"),
        ("Edge Weight", ["1", "2", "3"], "weight"),
        ("weight", ["1", "1.0", "1"], "ignore"),
        ("weight", ["1", "-1", "1"], "label"),
        ("weight", ["1.5", "-1", "1"], "ignore"),
        ("weight", ["1.5", "", "1"], "ignore"),
        ("weight", ["inf", "2.5", "1"], "ignore"),
        ("strand", ["0.5", "2.5", "1"], "weight"),
        ("strand", ["1", "2", "1"], "label"),
        ("strand", ["1", "2", "3"], "weight"),
        ("bond", ["1", "2", "3"], "label"),
        ("kind", ["a", "b", "a"], "label"),
        ("kind", ["a", "", ""], "label"),
        ("note", ["a", "b", "c"], "ignore"),
        ("id", ["1", "2", "1"], "ignore"),
        ("key", ["0", "0", "1"], "ignore"),
    ],
)
def test_roles_are_guessed_with_a_reason(name, cells, role):
    guess = guess_edge_roles({name: column_of_cells(cells)})[name]
    assert guess.role == role
    assert guess.reason


def test_there_is_one_label_and_one_weight():
    columns = {key: column_of_cells(["1.5", "2", "3"]) for key in ("length", "weight", "height")}
    columns |= {key: column_of_cells(["a", "b", "a"]) for key in ("kind", "colour")}
    roles = {key: guess.role for key, guess in guess_edge_roles(columns).items()}
    assert roles == {
        "length": "weight",
        "weight": "ignore",
        "height": "ignore",
        "kind": "label",
        "colour": "ignore",
    }


TWO_COLUMNS = b"source,target,kind,size,weight\na,b,road,1,0.5\nb,c,rail,2,1.5\nc,a,road,1,2.5\n"


def test_roles_can_be_changed_and_several_labels_make_one():
    tables = read_tables("a.csv", TWO_COLUMNS)
    edges = tables.graph_set().edges
    assert edges.labels == ["road", "road", "rail"]
    assert edges.weights.tolist() == [0.5, 2.5, 1.5]
    edges = tables.graph_set(edge_roles={"kind": "label", "size": "label"}).edges
    assert edges.labels == [("road", 1), ("road", 1), ("rail", 2)]
    assert edges.weights is None
    assert tables.graph_set(edge_roles={}).edges is None
    assert tables.losses(edge_roles=dict.fromkeys(tables.edge_columns, "ignore"))[-1] == (
        "Edge columns not used: kind, size (another column is the label), weight."
    )


def test_directions_of_an_edge_list_are_for_the_user_to_say():
    tables = read_tables("a.txt", b"a b\nb c\n")
    assert tables.is_directed is None
    assert tables.graph_set().edges is None
    edges = tables.graph_set(is_directed=True).edges
    assert (edges.is_directed, edges.sources.tolist(), edges.targets.tolist()) == (
        True,
        [0, 1],
        [1, 2],
    )
    undirected = read_tables("a.graphml", write_graphs(tables.graph_set(), "graphml"))
    assert undirected.graph_set(is_directed=True).edges.n_edges == 4
    directed = read_tables("a.dot", b"digraph { a -> b; b -> a }")
    assert directed.graph_set(is_directed=False).edges is None


def test_a_column_of_types_gives_directions_as_gephi_writes_it():
    rows = b"Source,Target,Type,Id,Label,Weight\na,b,Directed,0,,2.0\nb,c,Undirected,1,,1.0\n"
    tables = read_tables("a.csv", rows)
    assert tables.is_directed
    assert tables.edges.tolist() == [[0, 1], [1, 2], [2, 1]]
    assert tables.edge_columns["Weight"].tolist() == [2, 1, 1]
    assert {key: guess.role for key, guess in tables.edge_guesses.items()} == {
        "Id": "ignore",
        "Weight": "weight",
    }
    undirected = read_tables("a.csv", rows.replace(b"Directed", b"Undirected"))
    assert undirected.is_directed is False


@pytest.mark.parametrize(
    ("content", "roles", "words"),
    [
        (
            b"a b -1.5\nb c 2\n",
            {"weight": "weight"},
            ", line 1: Column 'weight' of the edges is -1.5",
        ),
        (
            b"a b 1.5\nb c inf\n",
            {"weight": "weight"},
            ", line 2: Column 'weight' of the edges is inf",
        ),
        (
            b"a b 1.5\n\nb c nan\n",
            {"weight": "weight"},
            ", line 3: Column 'weight' of the edges is empty or NaN for 1 of 2 edges, first for "
            "the edge from vertex 'b' to vertex 'c'",
        ),
        (
            b"a b 3\nb c y\n",
            {"label": "weight"},
            ", line 2: Column 'label' of the edges holds text",
        ),
        (
            b"a b 1 2\nb c 3 4\n",
            {"column_3": "weight", "column_4": "weight"},
            ": Columns 'column_3' and 'column_4' of the edges are to be the weight",
        ),
    ],
)
def test_weights_that_cannot_be_used_are_refused_where_they_are_used(content, roles, words):
    tables = read_tables("a.txt", content)
    tables.graph_set()
    with pytest.raises(InvalidGraphError, match=r"a\.txt") as caught:
        tables.graph_set(edge_roles=roles)
    assert words in str(caught.value)
    assert str(caught.value).endswith(("Choose one of them.", "ignore it.", "that column."))


BAD = nx.Graph(
    [("a", "b", {"weight": 1.0}), ("b", "c", {"weight": -2.5}), ("c", "d", {"weight": 3.0})]
)
HAND_WRITTEN = {
    "a.edgelist": b"# three edges\na b 1\nlone\nb c -2.5\nc d 3\n",
    "a.csv": b"source,target,weight\n" + b"p,q,1\n" * 700 + b"\nb,c,-2.5\n",
    "both.csv": b"a b 1\nb a 1\nb c -2.5\nc b -2.5\n",
    "a.multiline": b"a 1\nb {'weight': 1}\nb 1\nc {'weight': -2.5}\nc 0\n",
    "gephi.csv": b"Source,Target,Type,Weight\na,b,Directed,1\nb,c,Undirected,-2.5\n",
    "matrix.csv": b",a,b,c\na,0,1,0\nb,1,0,-2.5\nc,0,-2.5,0\n",
    "a.net": b"*Vertices 3\n1 a\n2 b\n3 c\n*Edges\n1 2 1\n2 3 -2.5\n",
    "a.mtx": b"%%MatrixMarket matrix coordinate real general\n% a comment\n3 3 2\n1 2 1\n\n"
    b"2 3 -2.5\n",
    "a.dot": b"graph {\na -- b [weight=1];\nb -- c [weight=-2.5];\n}\n",
}
WRITTEN = {
    "a.graphml": lambda: bytes_of(nx.write_graphml_xml, BAD),
    "a.gexf": lambda: bytes_of(nx.write_gexf, BAD),
    "a.gml": lambda: bytes_of(nx.write_gml, BAD),
}


@pytest.mark.parametrize("name", [*HAND_WRITTEN, *WRITTEN])
def test_the_line_of_a_weight_that_cannot_be_used_is_named(name):
    content = HAND_WRITTEN.get(name) or WRITTEN[name]()
    tables = read_tables(name, content)
    column = next(key for key in tables.edge_columns if key.lower() == "weight")
    with pytest.raises(
        InvalidGraphError, match=r"of the edges is -2\.5 for the edge from"
    ) as caught:
        tables.graph_set(edge_roles={column: "weight"})
    number = int(re.match(rf"{re.escape(name)}, line (\d+): ", str(caught.value))[1])
    lines = content.decode().splitlines()
    begins = max(i for i, line in enumerate(lines, 1) if i <= number and line.strip())
    near = "\n".join(lines[begins - 1 : begins + 4])
    assert "-2.5" in near
    assert "-2.5" not in "\n".join(lines[: begins - 1])


def test_the_file_and_line_of_a_weight_are_named_in_sets_archives_and_pairs_of_tables():
    weight = {"weight": "weight"}
    bad = ("b.txt", b"a b 2\nb c -1\n")
    (joined,) = read_many(
        [("a.txt", b"a b 1\n"), bad, ("c.dot", b"digraph { a -> b [weight=1] }")], join="set"
    )
    with pytest.raises(InvalidGraphError, match=r"^b\.txt, line 2: Column 'weight' .* is -1"):
        joined.graph_set(edge_roles=weight)
    (lacking,) = read_many([("a.txt", b"a b 1\nb c 2\n"), ("b.txt", b"a b\n")], join="set")
    with pytest.raises(InvalidGraphError, match=r"^b\.txt, line 1: .* for 1 of 3 edges, first for"):
        lacking.graph_set(edge_roles=weight)
    tables = [("v.csv", b"id,kind\na,x\nb,y\n"), ("e.csv", b"source,target,weight\na,b,-1\n")]
    (pair,) = read_many(tables)
    with pytest.raises(InvalidGraphError, match=r"^e\.csv, line 2: "):
        pair.graph_set(edge_roles=weight)
    path = GraphSet.from_networkx(nx.path_graph(4))
    edges = Edges.of([0, 1, 2], [1, 2, 3], weights=[1, 2, -1])
    archive = write_graphs(GraphSet(None, path.offsets, edges=edges), "tu")
    with pytest.raises(InvalidGraphError, match=r"tables of edges, line 5: Column 'attribute_1'"):
        read_tables("a.zip", archive).graph_set(edge_roles={"attribute_1": "weight"})


def test_labels_that_look_like_numbers_come_back_as_numbers_where_a_format_has_no_types():
    graph = nx.Graph([("a", "b", {"label": "1"}), ("b", "c", {"label": "2"})])
    graphs = GraphSet.from_networkx(graph)
    untyped = {key for key in HOLDERS if not WRITERS[key].has_types}
    assert untyped == {"edgelist", "net", "tables"}
    for key in set(HOLDERS) - set(MATRICES) - {"tu"}:
        back = back_from(key, graphs).edges.labels
        assert back == ([1, 2] if key in untyped else ["1", "2"]), key
        said = " ".join(losses_of_writing(WRITERS[key], graphs))
        assert ("read as numbers" in said) == (key in untyped)


def test_an_edge_without_label_has_the_label_none():
    gml = b"graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 label 5 ]"
    tables = read_tables("a.gml", gml + b" edge [ source 2 target 3 ] ]")
    assert tables.graph_set().edges.labels == [5, None]
    assert tables.edge_guesses["label"].reason == "1 value, missing for 1 of 2 edges"
    assert arcs(back_from("graphml", tables.graph_set()).edges) == arcs(tables.graph_set().edges)


def test_parallel_edges_are_added_or_count_by_their_labels():
    tables = read_tables("a.csv", b"source,target,weight\na,b,2\na,b,3\nb,c,1\n")
    assert tables.graph_set().edges.weights.tolist() == [5, 1]
    assert tables.losses() == ("The weights of 1 repeated edge are added.",)
    tables = read_tables("a.csv", b"source,target,label\na,b,x\na,b,y\nb,c,x\n")
    graphs = tables.graph_set()
    assert (graphs.edges.labels, graphs.n_edges) == (["x", "y", "x"], 2)
    assert tables.losses() == ("1 repeated edge counts once per label.",)


def test_directed_and_undirected_graphs_in_one_set():
    files = [("a.dot", b"digraph { a -> b }"), ("b.dot", b"graph { a -- b [weight=2] }")]
    (tables,) = read_many(files, join="set")
    assert tables.is_directed
    assert tables.edges.tolist() == [[0, 1], [2, 3], [3, 2]]
    np.testing.assert_array_equal(tables.edge_columns["weight"], [np.nan, 2, 2])
    assert tables.edge_guesses["weight"] == ("ignore", "missing for 1 of 3 edges")
    (open_,) = read_many([("a.txt", b"a b\n"), ("b.txt", b"c c\n")], join="set")
    assert open_.is_directed is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.gml", b"graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] directed 1 ]"),
        (
            "a.graphml",
            b"<graphml><graph edgedefault='undirected'><node id='1'/><node id='2'/>"
            b"<edge source='1' target='2' directed='true'/></graph></graphml>",
        ),
        ("a.net", b"*Vertices 2\n*Arcs\n1 2\n"),
        ("a.npy", None),
    ],
)
def test_directions_are_read(name, content):
    if content is None:
        file = io.BytesIO()
        np.save(file, [[0, 2, 0], [0, 0, 0], [0, 0, 0]])
        content = file.getvalue()
    edges = read_tables(name, content).graph_set().edges
    assert (edges.is_directed, edges.sources.tolist(), edges.targets.tolist()) == (True, [0], [1])


def test_dot_gives_edges_their_attributes():
    text = b"digraph { edge [w=2]; a -> b; a -> {c d} [w=3, kind=x]; { edge [kind=y]; c -> d } }"
    tables = read_tables("a.dot", text)
    assert tables.edges.tolist() == [[0, 1], [0, 2], [0, 3], [2, 3]]
    assert tables.edge_columns["w"].tolist() == [2, 3, 3, 2]
    assert tables.edge_columns["kind"].tolist() == [None, "x", "x", "y"]
    many = "edge [" + " ".join(f"a{i}=1" for i in range(1999)) + "]; "
    with pytest.raises(UnreadableFileError, match="common attributes"):
        read_tables("a.dot", f"graph {{ {many} {'a -- b; ' * 3000} }}".encode())


@example(b"a b {'weight': 2.5, 'kind': 'x'}\nb c {}\n")
@example(b'a b {"weight": 2.5, "kind": "x"}\nb c {"weight": None}\n')
@given(st.just(b"a b {'kind': 'x', 'weight': 2.5}\n\nb c {'weight': None}\n"))
def test_dictionaries_in_an_edge_list_are_columns(content):
    tables = read_tables("a.edgelist", content)
    np.testing.assert_array_equal(tables.edge_columns["weight"], [2.5, np.nan])
    assert tables.edge_columns["kind"].tolist() == ["x", None]


def test_a_summary_says_what_is_there_and_what_kernels_ignore():
    found = summary_of(read_tables("a.csv", TWO_COLUMNS), is_directed=True)
    assert found.counts == "3 vertices, 3 edges, 2 edge labels, edge weights, edge directions"
    assert found.remarks[-1] == ("Kernels ignore edge labels, weights and directions by default.")
    assert summary_of(read_tables("a.txt", b"a b\n")).ignored == ()
