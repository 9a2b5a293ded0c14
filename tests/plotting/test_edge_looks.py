"""Edges drawn by label, weight and direction, plainly where the kernel uses them."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingGraphKernel, orbits
from mpgk_core.explain import explain_four_variants
from mpgk_core.graphs.generators import PresetGraph, build_graph
from mpgk_core.plotting import Colouring, colour_by_orbit, graph_figure, graph_layout
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.edge_looks import COLOURS, edge_looks
from mpgk_core.plotting.graph_figure import MAX_STYLED, draw_graph, graph_words
from mpgk_core.plotting.matching_figure import graph_matching_figure

EVIL = "<img src=x onerror=alert(1)>"


def figure_of(graph, edges):
    found = orbits(graph).of_vertex
    colouring = colour_by_orbit(found, found[np.newaxis])
    return graph_figure(graph, graph_layout(graph, "circle"), colouring, edges=edges)


def test_edges_have_no_colour_of_vertices():
    assert not set(COLOURS) & set(class_colours(10))


@pytest.mark.parametrize("use", ["labels", "ignore"])
def test_every_label_has_a_dash_and_only_used_ones_a_colour(use):
    bonds = edge_looks(PresetGraph("aspirin").build(), use)
    assert [look.words for look in bonds.legend] == ["aromatic", "double", "single"]
    assert {look.dash for look in bonds.looks} == {"solid"}  # bonds differ by their lines
    graph = build_graph("aspirin")
    for _, _, facts in graph.edges(data=True):
        facts["label"] = f"kind {facts['label']}"
    looks = edge_looks(GraphSet.from_networkx(graph), use)
    assert len({look.dash for look in looks.looks}) == 3
    assert len({look.colour for look in looks.looks}) == (3 if use == "labels" else 1)
    assert ("not used" in looks.words) == (use == "ignore")


def test_the_heaviest_edge_is_the_widest_and_more_so_where_weights_are_used():
    graph = PresetGraph("ring-line").build()
    spans = []
    for use in ("weights", "ignore"):
        looks = edge_looks(graph, use)
        widths = np.array([look.width for look in looks.looks])[looks.of_edge]
        order = np.argsort(graph.edges.weights)
        assert (np.diff(widths[order]) >= 0).all()
        spans.append(np.ptp(widths))
    assert spans[0] > spans[1] > 0


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
def test_weights_that_no_kernel_takes_are_drawn_all_the_same(weight):
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=weight)
    assert len(edge_looks(GraphSet.from_networkx(graph), "ignore").looks) == 1


def test_arrows_lead_from_source_to_target():
    graph = PresetGraph("pond-food-web").build()
    places = graph_layout(graph)
    colouring = Colouring("", [["#000000"] * 7], [[""] * 7])
    lines, vertices, arcs = draw_graph(graph, places, colouring, "both").data
    assert len(lines["x"]) == 0
    assert len(vertices["x"]) == 7
    named = [(graph.names[v], graph.names[u]) for v, u in arcs["meta"]]
    assert sorted(named) == sorted(build_graph("pond-food-web").edges)
    sizes = np.array(arcs["marker"]["size"]).reshape(-1, 3)
    assert (sizes[:, 1] > 0).all()
    assert (sizes[:, [0, 2]] == 0).all()
    ends = np.column_stack([arcs["x"], arcs["y"]]).reshape(-1, 3, 2)[:, :2]
    np.testing.assert_allclose(ends, places[np.array(arcs["meta"])])


def test_plain_graphs_are_drawn_as_ever():
    graph = GraphSet.from_networkx(nx.path_graph(4))
    assert edge_looks(graph, "ignore") is None
    assert figure_of(graph, "ignore").to_json() == figure_of(graph, None).to_json()


def test_many_vertices_have_plain_edges():
    graph = PresetGraph("ring-line", {"n": MAX_STYLED + 1}).build()
    assert len(figure_of(graph, "weights").data) == 2


def test_labels_run_no_code():
    graph = nx.Graph()
    graph.add_edge(0, 1, label=EVIL)
    figure = figure_of(GraphSet.from_networkx(graph), "labels")
    assert EVIL not in figure.to_json()
    assert figure.layout.showlegend


def test_words_tell_what_edges_have():
    assert "edges have directions" in graph_words(PresetGraph("pond-food-web").build())
    assert "edge weights from 1 to 6" in graph_words(PresetGraph("ring-line").build())
    words = graph_words(PresetGraph("aspirin").build())
    assert "edge labels aromatic (6), single (5), double (2)" in words


def test_two_molecules_are_drawn_with_their_bonds():
    one, other = build_graph("aspirin"), build_graph("aspirin")
    other.edges["C9", "O3"]["label"] = "single"
    kernel = MessagePassingGraphKernel(n_iterations=1, features="labels", edges="labels")
    figure = graph_matching_figure(explain_four_variants([one, other], 0, 1, kernel)["AA"])
    named = [trace.name for trace in figure.data if trace.showlegend]
    assert named == ["┄ aromatic", "= double", "single"]
