"""Labels, weights and directions of edges survive whatever is done with a set of graphs."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.content_key import content_key
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.graph_set import induced_subgraph
from tests.strategies import edge_graphs


def described(graph):
    """All edges of a networkx graph with their values; an undirected one in either order."""

    def ends(a, b):
        return (a, b) if graph.is_directed() else tuple(sorted((a, b)))

    found = {}
    for a, b, data in graph.edges(data=True):
        key = (*ends(a, b), data.get("label"))
        found[key] = (found.get(key, 0.0) + data["weight"]) if "weight" in data else 1.0
    return found


members = st.lists(edge_graphs(), min_size=1, max_size=4)


@given(edge_graphs())
def test_networkx_and_back(graph):
    back = GraphSet.from_networkx(graph).to_networkx()[0]
    assert back.is_directed() == (graph.is_directed() and graph.size() > 0)
    assert described(back) == pytest.approx(described(graph))
    assert list(back) == list(graph)


@given(edge_graphs(), st.randoms())
def test_the_order_of_edges_does_not_matter(graph, random):
    other = graph.__class__()
    other.add_nodes_from(graph.nodes(data=True))
    edges = list(graph.edges(data=True))
    random.shuffle(edges)
    other.add_edges_from(edges)
    assert content_key(GraphSet.from_networkx(graph)) == content_key(GraphSet.from_networkx(other))


@given(members, st.data())
def test_slices_keep_the_edges_of_their_graphs(graphs, data):
    kind = graphs[0].is_directed()
    graphs = [graph for graph in graphs if graph.is_directed() == kind]
    together = GraphSet.from_networkx(graphs)
    chosen = data.draw(st.lists(st.integers(0, len(graphs) - 1), min_size=1, max_size=5))
    for position, back in zip(chosen, together[chosen].to_networkx(), strict=True):
        assert described(back) == pytest.approx(described(together[position].to_networkx()[0]))


@given(members)
def test_joining_single_sets_equals_reading_them_together(graphs):
    known = [nx.get_edge_attributes(graph, "weight") for graph in graphs if graph.edges]
    assume(all(known) or not any(known))  # parallel edges without weights count once
    together = GraphSet.from_networkx(graphs)
    joined = GraphSet.concatenate([GraphSet.from_networkx(graph) for graph in graphs])
    for one, other in zip(together.to_networkx(), joined.to_networkx(), strict=True):
        assert one.is_directed() == other.is_directed()
        assert described(one) == pytest.approx(described(other))


@given(edge_graphs(min_vertices=1), st.data())
def test_an_induced_subgraph_keeps_the_edges_between_its_vertices(graph, data):
    kept = data.draw(st.permutations(list(graph)))[: data.draw(st.integers(1, len(graph)))]
    part = induced_subgraph(GraphSet.from_networkx(graph), np.array(kept)).to_networkx()[0]
    assert list(part) == kept
    assert described(part) == pytest.approx(described(graph.subgraph(kept)))


@given(edge_graphs())
def test_the_adjacency_matrix_ignores_all_of_it(graph):
    plain = nx.Graph()
    plain.add_nodes_from(graph)
    plain.add_edges_from(graph.edges())
    read = GraphSet.from_networkx(graph)
    assert (read.adjacency != GraphSet.from_networkx(plain).adjacency).nnz == 0
    assert GraphSet.from_networkx(plain).edges is None


def test_parallel_edges_with_the_same_label_are_one_edge_with_the_sum_of_weights():
    edges = Edges.of([0, 1, 0], [1, 0, 1], labels=["a", "a", "b"], weights=[1.0, 2.0, 4.0])
    assert edges.labels == ["a", "b"]
    assert edges.weights.tolist() == [3.0, 4.0]


def test_parallel_edges_in_opposite_directions_stay_two():
    assert Edges.of([0, 1], [1, 0], is_directed=True).n_edges == 2


def test_undirected_graphs_among_directed_ones_become_arcs_in_both_directions():
    both = GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(2, create_using=nx.DiGraph)])
    assert [sorted(graph.edges) for graph in both.to_networkx()] == [[(0, 1), (1, 0)], [(0, 1)]]


@pytest.mark.parametrize("change", ["label", "weight", "direction"])
def test_every_fact_about_an_edge_changes_the_key(change):
    first = nx.DiGraph([(0, 1, {"label": "a", "weight": 1.0})])
    second = first.copy()
    if change == "direction":
        second = first.reverse()
    else:
        second.edges[0, 1][change] = {"label": "b", "weight": 2.0}[change]
    keys = {content_key(GraphSet.from_networkx(g, self_loops="keep")) for g in (first, second)}
    assert len(keys) == 2


def test_self_loops_are_dropped_unless_they_are_wanted():
    looped = nx.DiGraph([(0, 0), (0, 1)])
    assert GraphSet.from_networkx(looped).edges.n_edges == 1
    assert GraphSet.from_networkx(looped, self_loops="keep").edges.n_edges == 2


def test_what_is_no_label_or_weight_is_read_only_on_demand():
    odd = nx.Graph([(0, 1, {"label": [1], "weight": "heavy"})])
    assert GraphSet.from_networkx(odd).edges is None
    with pytest.raises(InvalidGraphError, match="not numbers"):
        GraphSet.from_networkx(nx.Graph([(0, 1, {"w": "heavy"})]), edge_weight="w")
    with pytest.raises(InvalidGraphError, match="No edge has a value for 'w'"):
        GraphSet.from_networkx(nx.path_graph(2), edge_weight="w")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sources": [0, 1], "targets": [1]}, "1 targets for 2 edges"),
        ({"sources": [0], "targets": [1], "labels": ["a", "b"]}, "2 labels for 1 edges"),
        ({"sources": [0], "targets": [1], "weights": [1, 2]}, "2 weights for 1 edges"),
    ],
)
def test_unequal_lengths_are_refused(arguments, words):
    with pytest.raises(InvalidGraphError, match=words):
        Edges.of(**arguments)


def test_edges_outside_the_set_are_refused():
    with pytest.raises(InvalidGraphError, match="there are 2 vertices"):
        GraphSet(None, [0, 2], edges=Edges.of([0], [2]))
    with pytest.raises(InvalidGraphError, match="not both"):
        GraphSet(np.zeros((2, 2)), [0, 2], edges=Edges.of([0], [1]))
