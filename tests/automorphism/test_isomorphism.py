"""Isomorphic graphs: against NetworkX, on graphs that colours do not tell apart, and bounded."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import categorical_edge_match, categorical_node_match

from mpgk_core.automorphism.isomorphism import isomorphic_graphs
from mpgk_core.graphs import GraphSet


def shrikhande():
    steps = [(0, 1), (1, 0), (1, 1)]
    graph = nx.Graph()
    for x in range(4):
        for y in range(4):
            for a, b in steps:
                graph.add_edge((x, y), ((x + a) % 4, (y + b) % 4))
    return nx.convert_node_labels_to_integers(graph)


def rook():
    return nx.convert_node_labels_to_integers(nx.line_graph(nx.complete_bipartite_graph(4, 4)))


def shuffled(graph, seed=0):
    """Return the same graph with its vertices in another order."""
    order = np.random.default_rng(seed).permutation(list(graph)).tolist()
    mixed = type(graph)()
    mixed.add_nodes_from((v, graph.nodes[v]) for v in order)
    mixed.add_edges_from(graph.edges(data=True))
    return mixed


@st.composite
def small_graphs(draw, directed=False):
    """Return graphs of which some are isomorphic, with labels of vertices and edges."""
    n = draw(st.integers(1, 5))
    graph = (nx.DiGraph if directed else nx.Graph)()
    for v in range(n):
        graph.add_node(v, label=draw(st.integers(0, 1)))
    pairs = [(a, b) for a in range(n) for b in range(n) if (a != b if directed else a < b)]
    for a, b in pairs:
        if draw(st.booleans()):
            graph.add_edge(a, b, label=draw(st.sampled_from("xy")))
    return graph


def partition(groups):
    return [int(groups[i] == groups[j]) for i, j in combinations(range(len(groups)), 2)]


@pytest.mark.parametrize("directed", [False, True])
@given(data=st.data())
def test_groups_are_those_of_networkx(directed, data):
    graphs = data.draw(st.lists(small_graphs(directed=directed), min_size=2, max_size=5))
    graphs += [shuffled(graph, seed) for seed, graph in enumerate(graphs)]
    edges = "labels+both" if directed else "labels"
    found = isomorphic_graphs(GraphSet.from_networkx(graphs), edges=edges)
    same_label, same_edge = categorical_node_match("label", 0), categorical_edge_match("label", 0)
    expected = [
        int(nx.is_isomorphic(one, other, node_match=same_label, edge_match=same_edge))
        for one, other in combinations(graphs, 2)
    ]
    assert partition(found.of_graph) == expected
    assert found.n_undecided == 0
    assert found.possible.tolist() == found.of_graph.tolist()


@given(data=st.data())
def test_edges_that_are_ignored_do_not_count(data):
    graphs = data.draw(st.lists(small_graphs(), min_size=2, max_size=6))
    found = isomorphic_graphs(GraphSet.from_networkx(graphs))
    same_label = categorical_node_match("label", 0)
    expected = [
        int(nx.is_isomorphic(one, other, node_match=same_label))
        for one, other in combinations(graphs, 2)
    ]
    assert partition(found.of_graph) == expected


def test_follow_and_reverse_know_the_same_digraphs():
    path, same = nx.DiGraph([(0, 1), (1, 2)]), nx.DiGraph([(2, 1), (1, 0)])
    fork = nx.DiGraph([(1, 0), (1, 2)])
    graphs = GraphSet.from_networkx([path, same, fork])
    for edges in ("follow", "reverse", "both"):
        assert isomorphic_graphs(graphs, edges=edges).of_graph.tolist() == [0, 0, 1]
    assert isomorphic_graphs(graphs).of_graph.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))),
        (shrikhande(), rook()),
        (nx.circular_ladder_graph(5), nx.petersen_graph()),
    ],
)
def test_graphs_that_refinement_cannot_tell_apart_are_verified(one, other):
    found = isomorphic_graphs([one, other, shuffled(one, 1), shuffled(other, 2)])
    assert found.of_graph.tolist() == [0, 1, 0, 1]
    assert found.n_copies == 2
    assert found.has_twin.all()
    assert found.n_undecided == 0


def test_attributes_and_labels_have_to_be_equal():
    def path(label, attribute):
        graph = nx.path_graph(3)
        for v in graph:
            graph.nodes[v].update(label="a", attributes=(0.5,))
        graph.nodes[0].update(label=label, attributes=(attribute,))
        return graph

    graphs = [path("a", 0.5), path("b", 0.5), path("a", 0.5 + 1e-12), shuffled(path("b", 0.5), 3)]
    assert isomorphic_graphs(graphs).of_graph.tolist() == [0, 1, 2, 1]


def test_a_check_that_gives_up_says_so():
    graphs = [shrikhande(), rook(), shuffled(rook(), 1), nx.path_graph(3)]
    found = isomorphic_graphs(graphs, max_steps_per_pair=10)
    assert found.n_undecided > 0
    assert found.of_graph.tolist() == [0, 1, 2, 3], "nothing is claimed"
    assert found.possible.tolist() == [0, 0, 0, 1]
    assert found.has_twin.tolist() == [True, True, True, False]
    spent = isomorphic_graphs(graphs, max_steps=10)
    assert spent.n_undecided > 0
    assert isomorphic_graphs(graphs).of_graph.tolist() == [0, 1, 1, 2]


def test_empty_graphs_and_graphs_without_edges():
    graphs = [nx.empty_graph(n) for n in (0, 2, 0, 2, 1)]
    assert isomorphic_graphs(GraphSet.from_networkx(graphs)).of_graph.tolist() == [0, 1, 0, 1, 2]
    assert isomorphic_graphs([nx.path_graph(2), nx.path_graph(3)]).n_copies == 0


def test_large_symmetric_graphs_take_few_steps():
    graphs = [nx.complete_graph(150), nx.random_labeled_tree(400, seed=1), nx.grid_graph((12, 12))]
    graphs = [nx.convert_node_labels_to_integers(graph) for graph in graphs]
    both = graphs + [shuffled(graph, 5) for graph in graphs]
    found = isomorphic_graphs(both, max_steps=2_000_000)
    assert found.of_graph.tolist() == [0, 1, 2, 0, 1, 2]
