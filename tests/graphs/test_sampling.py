"""Samples of graphs that are too large to be shown."""

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet
from mpgk_core.graphs.graph_set import induced_subgraph, neighbourhood_sample
from tests.strategies import graphs


@given(graphs(), st.integers(1, 12), st.integers(0, 5))
def test_a_sample_is_an_induced_subgraph_of_the_wanted_size(graph, size, seed):
    whole = GraphSet.from_networkx(graph)
    sample = neighbourhood_sample(whole, size, seed)
    assert sample.n_vertices == min(size, whole.n_vertices)
    part = sample.to_networkx()[0]
    assert nx.utils.graphs_equal(nx.Graph(part), nx.Graph(whole.to_networkx()[0].subgraph(part)))


def test_a_sample_of_a_connected_graph_is_connected():
    whole = GraphSet.from_networkx(nx.barabasi_albert_graph(300, 2, seed=1))
    for seed in range(5):
        assert nx.is_connected(neighbourhood_sample(whole, 40, seed).to_networkx()[0])


def test_the_same_seed_gives_the_same_sample():
    whole = GraphSet.from_networkx(nx.gnp_random_graph(200, 0.02, seed=3))
    first, again = (neighbourhood_sample(whole, 50, 7) for _ in range(2))
    assert first.names == again.names
    assert (first.adjacency != again.adjacency).nnz == 0
    assert neighbourhood_sample(whole, 50, 8).names != first.names


def test_names_labels_attributes_and_loops_come_along():
    graph = nx.path_graph(4)
    graph.add_edge(2, 2)
    whole = GraphSet.from_networkx(graph, self_loops="keep")
    labelled = GraphSet(
        whole.adjacency,
        [0, 4],
        names=list("abcd"),
        labels=list("xyxy"),
        attributes=np.arange(8.0).reshape(4, 2),
        self_loops="keep",
    )
    part = induced_subgraph(labelled, np.array([2, 1]))
    assert part.names == ["c", "b"]
    assert part.labels == ["x", "y"]
    assert part.attributes.tolist() == [[4.0, 5.0], [2.0, 3.0]]
    assert part.adjacency.toarray().tolist() == [[1.0, 1.0], [1.0, 0.0]]
