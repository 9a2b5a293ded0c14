"""What was done, in words."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from mpgk_core import GraphSet
from mpgk_core.edits import with_edge, with_vertex, without_edge, without_vertices, words_of_change
from tests.edits.versions import editable, graph_of
from tests.strategies import shuffled

RING = GraphSet.from_networkx(nx.cycle_graph(6))
VALUED = GraphSet(np.zeros((2, 2)), [0, 2], labels="CC", attributes=[[1.0], [2.0]])


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (RING, RING, "changed nothing"),
        (RING, without_edge(RING, 4, 3), "removed edge 3 – 4"),
        (RING, with_edge(with_edge(RING, 0, 2), 3, 1), "added edges 0 – 2, 1 – 3"),
        (RING, GraphSet.from_networkx(nx.empty_graph(6)), "removed 6 edges"),
        (RING, without_vertices(RING, [2]), "removed vertex 2"),
        (RING, without_vertices(RING, [0, 1, 2, 3]), "removed 4 vertices"),
        (RING, with_vertex(RING, "x"), "added vertex x"),
        (RING, with_vertex(RING, "x", joined_to=[3, 1]), "added vertex x joined to 1, 3"),
        (RING, with_vertex(RING, joined_to=range(6)), "added vertex 6 joined to 6 vertices"),
        (
            RING,
            without_edge(without_vertices(RING, [2]), 4, 5),
            "removed vertex 2; removed edge 4 – 5",
        ),
        (
            VALUED,
            GraphSet(np.zeros((2, 2)), [0, 2], labels="CO", attributes=[[1.5], [2.0]]),
            "changed the label of 1; changed the attributes of 0",
        ),
        (
            VALUED,
            GraphSet(np.zeros((2, 2)), [0, 2], attributes=[[1.0], [2.0]]),
            "changed the labels of 0, 1",
        ),
    ],
)
def test_changes_are_said_in_words(before, after, words):
    assert words_of_change(before, after) == words


@settings(max_examples=40)
@given(editable())
def test_another_order_of_vertices_is_no_change(graph):
    other = GraphSet.from_networkx(shuffled(graph.to_networkx()[0], 1)[0])
    assert words_of_change(graph, other) == "changed nothing"


def test_hostile_names_stay_on_one_bounded_line():
    names = ["a\nb" * 50, "x" * 5_000]
    words = words_of_change(graph_of([names]), graph_of([*[(name, "c") for name in names]]))
    assert words.isprintable()
    assert len(words) < 400
