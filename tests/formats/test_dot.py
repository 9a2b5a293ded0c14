"""DOT by hand and from igraph: what Graphviz means by it, as far as it says what is joined."""

from itertools import pairwise

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.formats.dot import FORMAT
from mpgk_core.formats.source import Source
from tests.formats.markup_checks import (
    assert_same_graph,
    edges_of,
    names_of,
    read,
    refusal,
    survives_damage,
)
from tests.strategies import graphs

SAMPLE = """// a comment
strict digraph "my \\"graph\\"" {
  node [shape=box, colour=red]; rankdir = LR
  a:port:nw -> b -> { c; d } [weight=2];  /* chains and groups */
# a line for the preprocessor
  subgraph cluster_x { node [colour=blue] e; a [colour="gr" + "een"] }
  <b>x</b>> -> a; -1.5 -> .5
}
""".replace("<b>x</b>>", "<<b>x</b>>")


def pairs(*ends: str) -> set:
    return {frozenset(pair.split()) for pair in ends}


def test_reads_the_whole_subset():
    tables = read(FORMAT, SAMPLE)
    assert names_of(tables) == ["a", "b", "c", "d", "e", "<<b>x</b>>", "-1.5", ".5"]
    assert edges_of(tables) == pairs("a b", "b c", "b d", "<<b>x</b>> a", "-1.5 .5")
    assert tables.columns["colour"].tolist() == ["green"] + ["red"] * 3 + ["blue"] + ["red"] * 3
    assert tables.columns["shape"].tolist() == ["box"] * 8
    assert tables.graph_names == ['my "graph"']
    assert tables.is_directed
    assert "weight" in tables.edge_columns


@given(graphs(min_vertices=1), st.sampled_from([";\n", "\n", " ; ", " "]), st.booleans())
def test_separators_and_keywords_in_any_case_do_not_matter(graph, separator, in_subgraph):
    statements = [f"{v} [label={graph.nodes[v]['label']}]" for v in graph]
    statements += [f"{a} -- {b}" for a, b in graph.edges]
    body = separator.join(statements)
    body = f"SubGraph s {{ {body} }}" if in_subgraph else body
    tables = read(FORMAT, f"GRAPH {{ {body} }}")
    assert_same_graph(tables, graph)
    assert tables.columns["label"].tolist() == [graph.nodes[v]["label"] for v in graph]


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=3), min_size=2, max_size=4))
def test_chains_of_groups_join_each_with_all_of_the_next(groups):
    chain = " -- ".join("{" + " ".join(f"v{i}" for i in group) + "}" for group in groups)
    expected = {
        frozenset((f"v{a}", f"v{b}")) for one, other in pairwise(groups) for a in one for b in other
    }
    assert edges_of(read(FORMAT, f"graph {{ {chain}; }}")) == expected


def test_a_group_holds_the_vertices_of_the_groups_within():
    tables = read(FORMAT, "graph { a -- { b {c; subgraph x { d -- e; } } } -- f; }")
    joined = ["a b", "a c", "a d", "a e", "d e", "b f", "c f", "d f", "e f"]
    assert edges_of(tables) == pairs(*joined)


@pytest.mark.parametrize("names", [None, "distinct", "equal"])
def test_reads_what_igraph_writes(names, tmp_path):
    graph = igraph.Graph.Famous("petersen")
    expected = list(range(10))
    if names is not None:
        graph.vs["name"] = [f'v "{i if names == "distinct" else ""}" é' for i in range(10)]
        expected = graph.vs["name"] if names == "distinct" else expected
    path = tmp_path / "g.dot"
    graph.write_dot(str(path))
    tables = read(FORMAT, path.read_bytes())
    assert names_of(tables) == expected
    ends = {frozenset((expected[edge.source], expected[edge.target])) for edge in graph.es}
    assert edges_of(tables) == ends
    assert ("name" in tables.columns) == (names == "equal")


def test_columns_are_numbers_where_all_values_are_and_drawings_are_left_out():
    content = 'graph { a [n=1 x=".5" code="01" label="\\N" pos="1,2" width=3]; b [n=2; code=2] }'
    columns = read(FORMAT, content).columns
    assert columns["n"].dtype == np.int64
    np.testing.assert_array_equal(columns["x"], [0.5, np.nan])
    assert columns["code"].tolist() == ["01", "2"]
    assert set(columns) == {"n", "x", "code"}


def test_several_graphs_in_one_file():
    tables = read(FORMAT, "graph A { a -- b } digraph B { a -> c }")
    assert tables.offsets.tolist() == [0, 2, 4]
    assert tables.graph_names == ["A", "B"]
    assert edges_of(tables, 1) == pairs("a c")


def test_quoted_keywords_are_names():
    assert names_of(read(FORMAT, 'graph { "node" -- "graph"; nodes -- Edges2 }')) == [
        "node",
        "graph",
        "nodes",
        "Edges2",
    ]


def test_a_chain_may_end_like_a_plain_edge():
    assert edges_of(read(FORMAT, "graph { a -- b -- c; }")) == pairs("a b", "b c")
    assert edges_of(read(FORMAT, "graph { a -- b\n c -- d; }")) == pairs("a b", "c d")
    assert edges_of(read(FORMAT, "graph { a -- b\n -1 -- d }")) == pairs("a b", "-1 d")
    assert edges_of(read(FORMAT, 'graph { a -- b "c d" -- e }')) == pairs("a b") | {
        frozenset(("c d", "e"))
    }


@pytest.mark.parametrize(
    "attributes", ["[weight=2]", '[label="a ] b", weight=2]', '["weight"="2"]']
)
def test_edges_with_attributes_are_read_alike_with_and_without_semicolon(attributes):
    for end in (";", "\n", " c;"):
        tables = read(FORMAT, f"graph {{ a -- b {attributes}{end} }}")
        assert edges_of(tables) == pairs("a b")
        assert tables.edge_columns["weight"].tolist() == [2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("graph { a -- b", "The file ends early"),
        ("graph {\n a -- }", "line 2: An edge lacks its second end"),
        ("graph { a -- ; }", "An edge lacks its second end"),
        ("graph { -- b; }", "There is nothing before '--' to join"),
        ("graph { a -- -- b; }", "There is nothing before '--' to join"),
        ("graph { node -- b; }", "There is nothing before '--' to join"),
        ("graph { [x=1] }", "There is a '[' out of place"),
        ("graph { {a} [x=1] }", "There is a '[' out of place"),
        ("graph { a [x=] }", "There is a ']' where a name or a value should be"),
        ('graph { "a" + ; }', "There is a ';' where a name or a value should be"),
        ("graph { a = }", "There is a '}' where a name or a value should be"),
        ("graph { ] }", "There is a ']' out of place"),
        ("graph { subgraph x; }", "A subgraph needs a {"),
        ('graph { "a }', "A quotation mark is never closed"),
        ("graph { <a }", "A < is never closed"),
        ("graph {\n\n a@b }", "line 3: '@b }' is not understood"),
        ("graph x [ ]", "A graph needs a {"),
        ("tree { a }", "A graph must begin with 'graph' or 'digraph'"),
        ("graph { a } b", "A graph must begin with 'graph' or 'digraph'"),
        ("graph " + "{" * 100, "nested more than 60 deep"),
        ("/* nothing */", "There is no graph in it"),
    ],
)
def test_says_what_is_wrong_and_where(content, message):
    assert message in refusal(FORMAT, content)


def test_few_words_cannot_ask_for_too_much(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_EDGES", "1000000")
    group = "{" + " ".join(f"v{i}" for i in range(2000)) + "}"
    assert "MPGK_MAX_EDGES" in refusal(FORMAT, f"graph {{ {group} -- {group} }}")
    monkeypatch.setenv("MPGK_MAX_UNPACKED_BYTES", "1000000")
    defaults = ",".join(f"a{i}=1" for i in range(1000))
    assert "attributes" in refusal(FORMAT, f"graph {{ node [{defaults}] {group} }}")


def test_what_could_take_forever_does_not():
    assert "never closed" in refusal(FORMAT, "graph { a [label=" + "<" * 1_000_000)
    assert "never closed" in refusal(FORMAT, 'graph { "' + "\\" * 1_000_001)
    assert "not understood" in refusal(FORMAT, "graph { /*" + "*" * 1_000_000)
    assert not FORMAT.recognises(Source("a", b"/*" * 3000))


def test_damaged_files_are_refused_or_read():
    survives_damage("g.dot", SAMPLE.encode())


def test_a_graph_of_networkx_survives_the_trip():
    graph = nx.karate_club_graph()
    lines = [f"{v};" for v in graph] + [f"{a} -- {b};" for a, b in graph.edges]
    assert_same_graph(read(FORMAT, "graph {" + "\n".join(lines) + "}"), graph)
