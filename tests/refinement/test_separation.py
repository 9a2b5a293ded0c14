"""When colour refinement tells vertices apart, against refinement itself."""

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, colour_refinement
from mpgk_core.refinement.agreement import agreeing
from mpgk_core.refinement.colour_refinement import mixed_classes, separation, until_stable
from tests.strategies import graphs

CLASSES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


def rounds_of(graph):
    prepared = GraphSet.from_networkx(graph)
    return until_stable(prepared, np.zeros(prepared.n_vertices, dtype=np.int32), 1)


@given(CLASSES)
def test_vertices_agree_in_all_classes_or_are_apart(pairs):
    first, second = np.array(pairs).T
    numbers = {}
    expected = [numbers.setdefault(pair, len(numbers)) for pair in pairs]
    assert agreeing(first, second).tolist() == expected


@given(CLASSES)
def test_a_class_is_mixed_if_it_holds_two_orbits(pairs):
    classes, orbits = (agreeing(column) for column in np.array(pairs).T)
    found = [members.tolist() for members in mixed_classes(classes, orbits)]
    members = [np.flatnonzero(classes == c) for c in range(classes.max() + 1)]
    assert found == [m.tolist() for m in members if len(set(orbits[m].tolist())) > 1]


@given(graphs(min_vertices=1))
def test_the_last_round_is_stable(graph):
    colours = list(rounds_of(graph))
    assert [len(set(c.tolist())) for c in colours] == [
        len(set(colour_refinement(graph, s).tolist())) for s in range(len(colours))
    ]
    assert len(set(colours[-1].tolist())) == len(set(colour_refinement(graph).tolist()))


def test_the_ends_of_a_path_are_told_at_once_and_its_middle_at_last():
    found = separation(rounds_of(nx.path_graph(9)), [np.array([0, 8]), np.array([1, 3, 4])])
    assert found.n_colours.tolist() == [1, 3]
    assert found.n_rounds.tolist() == [0, 4]
    assert len(set(found.colours.tolist())) == 5


def test_without_sets_only_the_colours_remain():
    found = separation(rounds_of(nx.path_graph(3)), [])
    assert found.n_colours.shape == found.n_rounds.shape == (0,)
    assert found.colours[0] == found.colours[2] != found.colours[1]
