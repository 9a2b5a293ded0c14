"""Words and formulas of an explanation come from its numbers."""

import networkx as nx
import pytest

from mpgk_core import MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.explain import (
    difference_words,
    explain_four_variants,
    explain_graphs,
    explain_neighbourhoods,
    explain_vertices,
    formula,
)


def test_a_formula_tells_every_number_of_a_round():
    path = nx.path_graph(5)
    kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(path)
    pair = explain_vertices(kernel, path, 0, 4)
    assert formula(pair) == "k²(v, u) = 0.8 · 1.6 + 0.2 · 5 = 2.28"
    assert formula(pair.own.own) == "k⁰(v, u) = 1 · 1 = 1"


def test_a_formula_of_vertices_with_nothing_in_common_is_0():
    graph = nx.Graph([(0, 1)])
    nx.set_node_attributes(graph, {0: "C", 1: "N"}, "label")
    kernel = MessagePassingNodeKernel(n_iterations=1, features="labels", normalize=True).fit(graph)
    pair = explain_vertices(kernel, graph, 0, 1, 0)
    assert formula(pair) == "k⁰(v, u) = 0 = 0; 0 / √(1 · 1) = 0"


@pytest.mark.parametrize("levels", ["last", "all"])
def test_a_formula_of_graphs_adds_pairs_or_rounds(levels):
    members = [nx.path_graph(2), nx.path_graph(3), nx.star_graph(8)]
    kernel = MessagePassingGraphKernel("RR", n_iterations=1, levels=levels, normalize=False).fit(
        members
    )
    said = formula(explain_graphs(kernel, members, 0, 1))
    assert said.startswith("k(G, H) = ")
    assert said.count(" + ") == (1 if levels == "all" else 5)
    assert "… (27 terms)" in formula(explain_graphs(kernel, members[1:], 0, 1)) or levels == "all"


def test_hubs_are_named_where_they_dominate_and_not_where_nobody_does():
    with_hub = explain_four_variants([nx.star_graph(9), nx.path_graph(10)], 0, 1)
    words = difference_words(with_hub)
    assert "Under RR, vertex 0 of the first graph has 2.5 even shares, under RA" in words
    assert "so a hub dominates: vertex 0 of the first graph has degree 9" in words
    for variant, pair in with_hub.items():
        assert f"{variant}: similarity {pair.similarity:.5g};" in words
    alike = explain_four_variants([nx.cycle_graph(6), nx.cycle_graph(6)], 0, 1)
    assert "dominate" not in difference_words(alike)
    assert difference_words(alike).endswith("The similarity is the same under all of them.")


def test_vertices_are_compared_by_both_ways():
    graph = nx.barbell_graph(4, 2)
    words = difference_words(explain_neighbourhoods(graph, 3, 4))
    assert words.startswith("R: similarity ")
    assert " A: similarity " in words
    assert "graph" not in words
    assert "These values are not normalised" in words
    kernel = MessagePassingNodeKernel(normalize=True)
    assert "not normalised" not in difference_words(explain_neighbourhoods(graph, 3, 4, kernel))


def test_graphs_without_vertices_are_no_trouble():
    words = difference_words(explain_four_variants([nx.path_graph(3), nx.Graph()], 0, 1))
    assert words.count("no pair adds anything") == 4
