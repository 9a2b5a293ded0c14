"""Automorphism orbits: against brute force, against known groups, and as laws."""

from __future__ import annotations

from itertools import permutations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mpgk_core import MessagePassingNodeKernel, colour_refinement
from mpgk_core.automorphism import orbit_search
from mpgk_core.automorphism.orbit_search import orbits
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.neighbourhoods import EdgeUse
from mpgk_core.refinement.colour_refinement import agreeing
from tests.kernels import edge_oracle
from tests.strategies import edge_graphs


@st.composite
def small_graphs(draw):
    """Up to six vertices, with labels and self-loops."""
    n = draw(st.integers(1, 6))
    pairs = [(u, v) for u in range(n) for v in range(u, n)]
    edges = [pair for pair in pairs if draw(st.booleans() if pair[0] < pair[1] else rarely)]
    graph = nx.Graph()
    graph.add_nodes_from((v, {"label": draw(st.integers(0, 1))}) for v in range(n))
    graph.add_edges_from(edges)
    return graph


rarely = st.integers(0, 5).map(lambda number: number == 0)


def numbered(classes):
    """Number classes in order of their first vertex."""
    numbers = {}
    return [numbers.setdefault(c, len(numbers)) for c in classes]


def orbits_by_trying_all(graph, respect_labels):
    n = len(graph)
    adjacency = nx.to_numpy_array(graph, nodelist=range(n))
    labels = np.array([graph.nodes[v]["label"] for v in range(n)]) * respect_labels
    first = np.arange(n)
    for order in map(list, permutations(range(n))):
        if np.array_equal(adjacency[np.ix_(order, order)], adjacency) and np.array_equal(
            labels[order], labels
        ):
            first = np.minimum(first, order)
    return numbered(first.tolist())


def orbits_by_igraph(graph, colours=None):
    igraph = pytest.importorskip("igraph")
    number = {v: i for i, v in enumerate(graph)}
    edges = [(number[u], number[v]) for u, v in graph.edges]
    peer = igraph.Graph(n=len(graph), edges=edges)
    images = nx.Graph()
    images.add_nodes_from(range(len(graph)))
    for generator in peer.automorphism_group(color=colours):
        images.add_edges_from(enumerate(generator))
    first = {v: min(orbit) for orbit in nx.connected_components(images) for v in orbit}
    return numbered(first[v] for v in range(len(graph)))


def copies(graph, k):
    return nx.disjoint_union_all([graph] * k)


def rooks_graph(n):
    return nx.line_graph(nx.complete_bipartite_graph(n, n))


def shrikhande_graph():
    steps = [(0, 1), (1, 0), (1, 1)]
    cells = product(range(4), range(4))
    return nx.Graph(
        ((i, j), ((i + a) % 4, (j + b) % 4)) for (i, j), (a, b) in product(cells, steps)
    )


def paley_graph(q):
    return nx.circulant_graph(q, sorted({x * x % q for x in range(1, q)}))


def houses_on_a_ring(k):
    """A cycle of k vertices, each with the tip of a roof; every house has four more vertices."""
    graph = nx.cycle_graph(k)
    for tip in range(k):
        left, right, low_left, low_right = range(k + 4 * tip, k + 4 * tip + 4)
        nx.add_cycle(graph, [tip, left, right])
        nx.add_path(graph, [left, low_left, low_right, right])
    return graph


def projective_plane(q):
    """Points and lines of the plane over the field of q elements, q prime; joined if incident."""
    points = [(1, a, b) for a in range(q) for b in range(q)]
    points += [(0, 1, a) for a in range(q)] + [(0, 0, 1)]
    return nx.Graph(
        (("point", p), ("line", line))
        for p, line in product(points, points)
        if sum(x * y for x, y in zip(p, line, strict=True)) % q == 0
    )


def cai_fuerer_immerman_graph(base, twisted=False):
    """Pairs of vertices for the edge ends of ``base``; colour refinement cannot see the twist."""
    graph = nx.Graph()
    edges = list(base.edges)
    for e, (u, v) in enumerate(edges):
        for bit in (0, 1):
            graph.add_edge((u, e, bit), (v, e, bit ^ (twisted and e == 0)))
    for v in base:
        ends = [e for e, edge in enumerate(edges) if v in edge]
        for bits in product((0, 1), repeat=len(ends)):
            if sum(bits) % 2 == 0:
                graph.add_edges_from(
                    ((v, bits), (v, e, bit)) for e, bit in zip(ends, bits, strict=True)
                )
    return graph


KNOWN = {
    "barbell": (lambda: nx.barbell_graph(10, 10), 7),
    "long barbell": (lambda: nx.barbell_graph(50, 2000), 1002),
    "square grid": (lambda: nx.grid_2d_graph(50, 50), 325),
    "oblong grid": (lambda: nx.grid_2d_graph(6, 10), 15),
    "torus": (lambda: nx.grid_2d_graph(50, 50, periodic=True), 1),
    "hypercube": (lambda: nx.hypercube_graph(10), 1),
    "binary tree": (lambda: nx.balanced_tree(2, 10), 11),
    "path": (lambda: nx.path_graph(3000), 1500),
    "complete": (lambda: nx.complete_graph(300), 1),
    "star": (lambda: nx.star_graph(3000), 2),
    "complete bipartite": (lambda: nx.complete_bipartite_graph(50, 50), 1),
    "uneven complete bipartite": (lambda: nx.complete_bipartite_graph(50, 51), 2),
    "complete multipartite": (lambda: nx.complete_multipartite_graph(*[3] * 60), 1),
    "cycle": (lambda: nx.cycle_graph(3000), 1),
    "circular ladder": (lambda: nx.circular_ladder_graph(1500), 1),
    "circular skip links": (lambda: nx.circulant_graph(41, [1, 9]), 1),
    "Petersen": (nx.petersen_graph, 1),
    "dodecahedron": (nx.dodecahedral_graph, 1),
    "Frucht": (nx.frucht_graph, 12),
    "random cubic": (lambda: nx.random_regular_graph(3, 1000, seed=0), 1000),
    "karate": (nx.karate_club_graph, 27),
    "Les Miserables": (nx.les_miserables_graph, 52),
    "caveman": (lambda: nx.caveman_graph(30, 10), 1),
    "connected caveman": (lambda: nx.connected_caveman_graph(20, 10), 4),
    "triangles": (lambda: copies(nx.cycle_graph(3), 300), 1),
    "many Petersens": (lambda: copies(nx.petersen_graph(), 200), 1),
    "cycles of all lengths": (lambda: nx.disjoint_union_all(map(nx.cycle_graph, range(3, 40))), 37),
    "wheel": (lambda: nx.wheel_graph(1000), 2),
    "houses on a ring": (lambda: houses_on_a_ring(100), 3),
    "Paley": (lambda: paley_graph(101), 1),
    "rook": (lambda: rooks_graph(4), 1),
    "Shrikhande": (shrikhande_graph, 1),
    "rook and Shrikhande": (lambda: nx.disjoint_union(rooks_graph(4), shrikhande_graph()), 2),
    "projective plane": (lambda: projective_plane(7), 1),
    "Cai-Fuerer-Immerman": (lambda: cai_fuerer_immerman_graph(nx.petersen_graph()), 2),
    "twisted and not": (
        lambda: nx.disjoint_union(
            cai_fuerer_immerman_graph(nx.complete_graph(4)),
            cai_fuerer_immerman_graph(nx.complete_graph(4), twisted=True),
        ),
        4,
    ),
}

STRUCTURED = {
    "sparse": lambda: nx.gnp_random_graph(300, 0.004, seed=1),
    "medium": lambda: nx.gnp_random_graph(200, 0.05, seed=1),
    "dense": lambda: nx.gnp_random_graph(60, 0.9, seed=1),
    "preferential": lambda: nx.barabasi_albert_graph(300, 2, seed=1),
    "trees": lambda: nx.random_labeled_tree(300, seed=1),
    "cubic pieces": lambda: nx.disjoint_union_all(
        nx.random_regular_graph(3, 10, seed=s) for s in range(20)
    ),
    "prism over Frucht": lambda: nx.cartesian_product(nx.frucht_graph(), nx.path_graph(2)),
    "Petersen of squares": lambda: nx.lexicographic_product(nx.petersen_graph(), nx.cycle_graph(4)),
    "joined cubic graphs": lambda: nx.full_join(
        nx.random_regular_graph(3, 8, seed=0), copies(nx.complete_graph(4), 2), rename="ab"
    ),
    "Tutte": nx.tutte_graph,
    "rook": lambda: rooks_graph(8),
    "twisted prism": lambda: nx.disjoint_union(
        cai_fuerer_immerman_graph(nx.circular_ladder_graph(4)),
        cai_fuerer_immerman_graph(nx.circular_ladder_graph(4), twisted=True),
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_orbits_of_well_known_graphs(name):
    make, n_orbits = KNOWN[name]
    found = orbits(make())
    assert found.proven
    assert found.n_orbits == n_orbits


@pytest.mark.parametrize("respect_labels", [False, True])
@settings(max_examples=100, deadline=None)
@given(graph=small_graphs())
def test_orbits_equal_brute_force(respect_labels, graph):
    graphs = GraphSet.from_networkx(graph, self_loops="keep")
    found = orbits(graphs, respect_labels=respect_labels)
    assert found.proven
    assert found.of_vertex.tolist() == orbits_by_trying_all(graph, respect_labels)


@pytest.mark.parametrize("name", STRUCTURED)
def test_orbits_agree_with_igraph(name):
    graph = STRUCTURED[name]()
    assert orbits(graph).of_vertex.tolist() == orbits_by_igraph(graph)


@pytest.mark.parametrize("name", STRUCTURED)
def test_orbits_of_labelled_graphs_agree_with_igraph(name):
    graph = STRUCTURED[name]()
    colours = [i % 7 == 0 for i in range(len(graph))]
    nx.set_node_attributes(graph, dict(zip(graph, colours, strict=True)), "label")
    found = orbits(graph, respect_labels=True)
    assert found.of_vertex.tolist() == orbits_by_igraph(graph, list(map(int, colours)))


@pytest.mark.parametrize("name", ["houses on a ring", "twisted and not", "Frucht", "caveman"])
def test_relabelling_vertices_permutes_the_orbits(name):
    graph = nx.convert_node_labels_to_integers(KNOWN[name][0]())
    new_place = np.random.default_rng(0).permutation(len(graph))
    moved = nx.Graph()
    moved.add_nodes_from(range(len(graph)))
    moved.add_edges_from((new_place[u], new_place[v]) for u, v in graph.edges)
    before, after = orbits(graph).of_vertex, orbits(moved).of_vertex
    assert numbered(after[new_place].tolist()) == before.tolist()


@pytest.mark.parametrize("name", STRUCTURED)
def test_the_complement_has_the_same_orbits(name):
    graph = STRUCTURED[name]()
    np.testing.assert_array_equal(orbits(nx.complement(graph)).of_vertex, orbits(graph).of_vertex)


def test_labels_count_only_when_asked():
    graph = nx.cycle_graph(6)
    nx.set_node_attributes(graph, {v: "C" if v else "N" for v in graph}, "label")
    assert orbits(graph).n_orbits == 1
    assert orbits(graph, respect_labels=True).of_vertex.tolist() == [0, 1, 2, 3, 2, 1]


def test_respecting_labels_of_a_graph_without_labels_changes_nothing():
    assert orbits(nx.cycle_graph(6), respect_labels=True).n_orbits == 1


def test_a_self_loop_tells_vertices_apart():
    graph = nx.cycle_graph(4)
    graph.add_edge(0, 0)
    kept = GraphSet.from_networkx(graph, self_loops="keep")
    assert orbits(kept).of_vertex.tolist() == [0, 1, 2, 1]
    assert orbits(graph).n_orbits == 1


def test_orbits_are_numbered_by_first_vertex_and_classes_list_them():
    found = orbits(nx.Graph([(0, 1), (0, 2), (3, 4)]))
    assert found.of_vertex.tolist() == [0, 1, 1, 2, 2]
    assert [members.tolist() for members in found.classes()] == [[0], [1, 2], [3, 4]]


def test_a_small_budget_gives_the_stable_colours_unproven():
    graph = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))
    found = orbits(graph, budget=1)
    assert not found.proven
    assert found.n_orbits == 1
    assert orbits(graph).n_orbits == 2


def test_a_search_that_runs_out_midway_gives_the_stable_colours_unproven():
    graph = rooks_graph(8)
    assert not orbits(graph, budget=60_000).proven
    assert orbits(graph).proven


def test_a_forest_needs_no_budget():
    found = orbits(nx.disjoint_union(nx.path_graph(4), nx.path_graph(4)), budget=0)
    assert found.proven
    assert found.of_vertex.tolist() == [0, 1, 1, 0, 0, 1, 1, 0]


def test_a_map_that_fails_the_check_is_not_believed(monkeypatch):
    monkeypatch.setattr(orbit_search, "_is_automorphism", lambda *_: False)
    assert not orbits(nx.petersen_graph()).proven


def test_calls_nested_too_deeply_end_the_search(monkeypatch):
    monkeypatch.setattr(orbit_search, "_DEEPEST", 2)
    assert not orbits(nx.hypercube_graph(5)).proven


def test_impatience_does_not_change_the_orbits(monkeypatch):
    graph = STRUCTURED["twisted prism"]()
    expected = orbits(graph).of_vertex
    monkeypatch.setattr(orbit_search, "_PATIENCE", 0)
    np.testing.assert_array_equal(orbits(graph).of_vertex, expected)


@pytest.mark.parametrize(("n", "n_orbits"), [(0, 0), (1, 1), (3, 1)])
def test_graphs_without_edges(n, n_orbits):
    found = orbits(nx.empty_graph(n))
    assert found.proven
    assert found.n_orbits == n_orbits == len(found.classes())


def test_more_than_one_graph_is_an_error():
    with pytest.raises(InvalidGraphError, match="one graph"):
        orbits([nx.path_graph(2), nx.path_graph(3)])


def test_a_negative_budget_is_an_error():
    with pytest.raises(InvalidParameterError, match="budget"):
        orbits(nx.cycle_graph(3), budget=-1)


def orbits_by_trying_everything(graph, edges):
    """Try all permutations; an automorphism keeps what is used of edges."""
    use = EdgeUse.of(edges)
    found = edge_oracle.used_edges(graph, use)
    facts = {pair: [] for pair in product(graph, repeat=2)}
    for (a, b, label), weight in found.items():
        facts[a, b].append((str(label), weight if use.weights else 0.0))
        facts[a, b].sort()
    image = {v: {v} for v in graph}
    for order in permutations(graph):
        moved = dict(zip(graph, order, strict=True))
        if all(facts[a, b] == facts[moved[a], moved[b]] for a in graph for b in graph):
            for v in graph:
                image[v].add(moved[v])
    first = {v: min(image[v]) for v in graph}
    return agreeing(np.array([first[v] for v in graph])).tolist()


@settings(max_examples=150)
@given(
    graph=edge_graphs(min_vertices=1),
    edges=st.sampled_from(["labels", "weights", "follow", "reverse", "labels+weights+both"]),
)
def test_orbits_keep_labels_weights_and_directions_of_edges(graph, edges):
    use, data = EdgeUse.of(edges), [values for *_, values in graph.edges(data=True)]
    assume(all("label" in values for values in data) or not use.labels)
    assume(all("weight" in values for values in data) or not use.weights)
    found = orbits(graph, edges=edges)
    assert found.proven
    assert found.of_vertex.tolist() == orbits_by_trying_everything(graph, edges)


@settings(max_examples=60)
@given(graph=edge_graphs(min_vertices=1), way=st.sampled_from("RA"))
def test_equivalent_vertices_have_equal_rows_where_edges_count(graph, way):
    edges = "both"
    found = orbits(graph, edges=edges).of_vertex
    kernel = MessagePassingNodeKernel(way, n_iterations=3, features="constant", edges=edges)
    rows = kernel.fit_transform(graph)
    colours = colour_refinement(graph, edges=edges)
    for orbit in range(found.max() + 1):
        members = np.flatnonzero(found == orbit)
        assert len(set(colours[members].tolist())) == 1
        np.testing.assert_allclose(rows[members], rows[members[:1]].repeat(len(members), 0))
        np.testing.assert_allclose(np.diag(rows)[members], rows[members[0], members[0]])
