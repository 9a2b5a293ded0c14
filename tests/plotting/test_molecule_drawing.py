"""Molecules: which labels are elements and bonds, their places, and their lines."""

import sys

import networkx as nx
import numpy as np
import pytest

from mpgk_core.datasets import load
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.generators import aspirin
from mpgk_core.plotting import draw_graph, graph_layout
from mpgk_core.plotting.colouring import colour_by_class
from mpgk_core.plotting.edge_looks import edge_looks
from mpgk_core.plotting.graph_layout import needed_distance
from mpgk_core.plotting.molecule_drawing import (
    ELEMENTS,
    bond_kinds,
    elements_of,
    inner_sides,
    molecule_layout,
)
from mpgk_core.plotting.still_picture import still_picture


def labelled(graph, labels):
    nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    return GraphSet.from_networkx(graph)


def plain(graph):
    codes = np.zeros((1, graph.n_vertices), dtype=np.int64)
    return colour_by_class("", codes, "")


def drawing(graph, positions):
    return draw_graph(graph, positions, plain(graph), "ignore")


def test_there_are_118_elements():
    assert len(set(ELEMENTS)) == 118
    assert [ELEMENTS.index(symbol) + 1 for symbol in ("H", "C", "Br", "Og")] == [1, 6, 35, 118]


@pytest.mark.parametrize(
    ("graph", "labels", "is_molecule"),
    [
        (nx.path_graph(3), ["C", "O", "C"], True),
        (nx.path_graph(3), ["C", "X", "C"], False),
        (nx.path_graph(3), [6, 8, 6], False),
        (nx.path_graph(3), ["B", "S", "S"], False),
        (nx.star_graph(5), ["C"] * 6, False),
        (nx.path_graph(2), [("C", 1), ("O", 0)], True),
        (nx.path_graph(2), [(1, "C"), (0, "O")], True),
    ],
)
def test_labels_are_elements_only_if_the_graph_can_be_a_molecule(graph, labels, is_molecule):
    assert (elements_of(labelled(graph, labels)) is not None) == is_molecule


def test_numbers_are_elements_where_the_set_names_them():
    graphs = load("MUTAG").graphs
    assert set(elements_of(graphs)) == {"C", "N", "O", "F", "I", "Cl", "Br"}
    looks = edge_looks(graphs[0], "ignore")
    assert {look.words for look in looks.legend} <= {"aromatic", "single", "double", "triple"}
    assert {look.bond for look in looks.looks} == {look.words for look in looks.looks}


def test_bonds_are_all_edges_or_none():
    assert bond_kinds(("SINGLE", "aromatic")) == ["single", "aromatic"]
    assert bond_kinds((1, 2)) is None
    assert bond_kinds(()) is None


@pytest.mark.parametrize("n", [3, 5, 6])
@pytest.mark.parametrize("turn", [1, -1])
def test_the_inner_side_of_a_ring_is_inside(n, turn):
    angles = turn * 2 * np.pi * np.arange(n) / n
    places = np.column_stack([np.cos(angles), np.sin(angles)])
    ends = np.array([(v, (v + 1) % n) for v in range(n)])
    assert inner_sides(ends, places).tolist() == [turn] * n


def lines_of(drawn, words):
    """Return the segments of all traces whose meta says how far they lie to the left."""
    return [trace for trace in drawn.data if trace.get("meta") and words in trace["name"]]


def test_a_double_bond_is_two_lines_at_equal_distances_and_a_triple_one_three():
    for bond, n_lines in (("single", 1), ("double", 2), ("triple", 3)):
        molecule = nx.Graph([(0, 1, {"label": bond})])
        graph = labelled(molecule, ["C", "N"])
        drawn = drawing(graph, np.array([[0.0, 0.0], [1.0, 0.0]]))
        heights = sorted(float(trace["y"][0]) for trace in lines_of(drawn, bond))
        assert len(heights) == n_lines
        assert heights == pytest.approx([-height for height in heights[::-1]])
        for trace in lines_of(drawn, bond):
            assert trace["y"][0] == trace["y"][1] == pytest.approx(trace["meta"][0][2])


def test_the_dotted_line_of_an_aromatic_bond_lies_inside_its_ring():
    graph = GraphSet.from_networkx(aspirin())
    places = graph_layout(graph)
    solid, dotted = lines_of(drawing(graph, places), "aromatic")
    assert (solid["line"]["dash"], dotted["line"]["dash"]) == ("solid", "dot")
    middle = places[:6].mean(axis=0)
    far, near = (
        np.hypot(*(np.array([trace["x"], trace["y"]]).T[0::3] - middle).T)
        for trace in (solid, dotted)
    )
    assert (near < far).all()


def test_still_pictures_have_dotted_lines_below_the_atoms():
    graph = GraphSet.from_networkx(aspirin())
    drawn = drawing(graph, graph_layout(graph))
    svg = still_picture(drawn.data, drawn.layout)
    assert 0 <= svg.index("stroke-dasharray") < svg.index("<circle")


def test_atoms_lie_where_rdkit_draws_them_and_elsewhere_without_it(monkeypatch):
    pytest.importorskip("rdkit")
    graph = GraphSet.from_networkx(aspirin())
    places = molecule_layout(graph)
    ends = np.array(graph.adjacency.nonzero()).T
    lengths = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    assert lengths == pytest.approx(1.5, abs=0.05)
    assert molecule_layout(GraphSet.from_networkx(nx.path_graph(4))) is None
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    assert molecule_layout(graph) is None
    own = graph_layout(graph)
    assert np.linalg.norm(own[0] - own[1]) >= needed_distance(own)


def test_a_set_of_molecules_is_drawn_the_same_every_time():
    pytest.importorskip("rdkit")
    graph = load("MUTAG").graphs[7]
    assert np.array_equal(graph_layout(graph), graph_layout(graph))
