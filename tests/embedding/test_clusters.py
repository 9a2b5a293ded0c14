"""Kernel k-means on the vertices of a graph."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.embedding.clusters import kernel_clusters
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.sampling import induced_subgraph
from mpgk_core.refinement.agreement import agreeing
from tests.strategies import graphs


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@given(graph=graphs(), n_clusters=st.integers(1, 6), data=st.data())
@settings(max_examples=25)
def test_order_of_vertices_does_not_matter(neighbourhood, graph, n_clusters, data):
    whole = GraphSet.from_networkx(graph)
    order = np.array(data.draw(st.permutations(range(whole.n_vertices))), dtype=np.int64)
    other = induced_subgraph(whole, order)
    first, second = (
        kernel_clusters(
            g, MessagePassingNodeKernel(neighbourhood, n_iterations=2).fit(g), n_clusters
        )
        for g in (whole, other)
    )
    assert agreeing(first[order]).tolist() == agreeing(second).tolist()
    assert len(set(first.tolist())) <= n_clusters or whole.n_vertices == 0


def test_cliques_and_path_of_a_barbell_are_two_clusters():
    barbell = nx.barbell_graph(6, 5)
    kernel = MessagePassingNodeKernel("R", n_iterations=3, features="degree").fit(barbell)
    assert kernel_clusters(barbell, kernel, 2).tolist() == [0] * 6 + [1] * 5 + [0] * 6


def test_each_round_has_its_own_clusters():
    path = nx.path_graph(9)
    kernel = MessagePassingNodeKernel("R", n_iterations=4, features="degree").fit(path)
    n_clusters = [len(set(kernel_clusters(path, kernel, 9, t).tolist())) for t in range(5)]
    assert n_clusters == [2, 3, 4, 5, 5]


def test_no_clusters_is_an_error():
    path = nx.path_graph(3)
    with pytest.raises(InvalidParameterError, match="n_clusters"):
        kernel_clusters(path, MessagePassingNodeKernel("R").fit(path), 0)
