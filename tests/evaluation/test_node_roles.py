"""Roles are checked before any work, and graphs with roles keep them to themselves."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import InvalidGraphError, InvalidParameterError
from mpgk_core.automorphism import orbits
from mpgk_core.evaluation import ROLE_GRAPHS, checked_roles, role_graph


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        (["a", "a", "a", "a"], "same role"),
        (["a", "a", "b", "b", "b"], "4 vertices and 5 roles"),
        (["a", "a", "b", None], "Vertex 3 has no role"),
        (["a", "a", float("nan"), "b"], "Vertex 2 has no role"),
        (["a", "a", "a", "b"], "Only one vertex has the role 'b'"),
    ],
)
def test_roles_that_cannot_be_learnt_are_refused(roles, words):
    with pytest.raises(InvalidGraphError, match=words):
        checked_roles(roles, 4)


def test_too_many_roles_are_refused():
    with pytest.raises(InvalidGraphError, match="101 roles"):
        checked_roles([v // 2 for v in range(202)], 202)


def test_counts_and_chance():
    roles = checked_roles([3, 1, 3, 1, 3], 5)
    assert roles.names == ("1", "3")
    assert roles.counts.tolist() == [2, 3]
    assert roles.chance == 0.6


@pytest.mark.parametrize("name", list(ROLE_GRAPHS))
def test_graphs_do_not_contain_their_roles(name):
    graph, roles = role_graph(name, extra_edges=5)
    assert graph.labels is None
    assert graph.attributes is None
    assert len(roles.of_vertex) == graph.n_vertices


@pytest.mark.parametrize("name", list(ROLE_GRAPHS))
def test_orbits_do_not_cross_roles_of_undisturbed_houses_and_barbells(name):
    graph, roles = role_graph(name)
    groups = {}
    for orbit, role in zip(orbits(graph).of_vertex.tolist(), roles.of_vertex, strict=True):
        groups.setdefault(orbit, set()).add(int(role))
    crossed = [found for found in groups.values() if len(found) > 1]
    assert bool(crossed) == (name == "karate"), "only members with the same friends are alike"


def test_the_mirror_image_of_a_member_has_his_role():
    graph, roles = role_graph("karate")
    adjacency = graph.adjacency.toarray()
    assert (adjacency[:34, :34] == adjacency[34:, 34:]).all()
    assert adjacency[:34, 34:].sum() == 1
    assert (roles.of_vertex[:34] == roles.of_vertex[34:]).all()
    assert len(set(roles.of_vertex.tolist())) == 34


def test_extra_edges_are_seeded_and_nested():
    few, many = (role_graph("houses", n, 7)[0] for n in (5, 20))
    plain = role_graph("houses")[0]
    assert many.n_edges == plain.n_edges + 20
    edges = [set(nx.Graph(g.to_networkx()[0]).edges) for g in (plain, few, many)]
    assert edges[0] < edges[1] < edges[2]
    again = role_graph("houses", 5, 7)[0].adjacency
    assert (again != few.adjacency).nnz == 0
    assert (role_graph("houses", 5, 8)[0].adjacency != few.adjacency).nnz > 0


@pytest.mark.parametrize("wrong", [{"name": "moon"}, {"extra_edges": 61}, {"random_state": -1}])
def test_wrong_questions_are_answered(wrong):
    with pytest.raises(InvalidParameterError):
        role_graph(**{"name": "houses", **wrong})


def test_a_role_may_be_any_text():
    assert checked_roles(np.array(["<b>", "x", "<b>", "x"]), 4).names == ("<b>", "x")
