"""What tests of edits share: graphs to edit, and whether two versions are one graph."""

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from mpgk_core import GraphSet
from mpgk_core.edits import with_edge, without_edge
from tests.strategies import graphs


def editable(min_vertices=1, max_vertices=6):
    """Graphs with labels and attributes, with neither, and with names of several kinds."""
    return st.builds(
        dressed,
        graphs(max_vertices, min_vertices),
        st.booleans(),
        st.sampled_from([int, str, _odd]),
    )


def dressed(graph, has_values, name):
    renamed = nx.relabel_nodes(graph, {v: name(v) for v in graph})
    if not has_values:
        for v in renamed:
            renamed.nodes[v].clear()
    return GraphSet.from_networkx(renamed)


def _odd(v):
    return ("pair", v) if v % 2 else f"<b>{v}</b>"


def content(graph):
    """All that is in a graph, whatever the order of its vertices."""
    rows = [()] * graph.n_vertices if graph.attributes is None else graph.attributes.tolist()
    labels = graph.labels or [None] * graph.n_vertices
    vertices = {
        name: (label, tuple(row))
        for name, label, row in zip(graph.names, labels, rows, strict=True)
    }
    (whole,) = graph.to_networkx()
    return vertices, {frozenset(edge) for edge in whole.edges()}


def assert_same(one, other):
    """Assert that two graphs are equal, the order of their vertices included."""
    assert one.names == other.names
    assert one.labels == other.labels
    assert (one.attributes is None) == (other.attributes is None)
    if one.attributes is not None:
        np.testing.assert_array_equal(one.attributes, other.attributes)
    np.testing.assert_array_equal(one.adjacency.toarray(), other.adjacency.toarray())


def graph_of(edges, **options):
    return GraphSet.from_networkx(nx.Graph(edges), **options)


def toggled_edge(graph, one, other):
    """Remove the edge between two vertices, or add it where there is none."""
    is_there = frozenset([one, other]) in content(graph)[1]
    return (without_edge if is_there else with_edge)(graph, one, other)
