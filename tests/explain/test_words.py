"""Words and formulas of an explanation come from its numbers."""

from collections import Counter

import networkx as nx
import pytest

from mpgk_core import MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.explain import (
    difference_words,
    dominant_words,
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


@pytest.mark.parametrize("levels", ["last", "sum"])
def test_a_formula_of_graphs_adds_pairs_or_rounds(levels):
    members = [nx.path_graph(2), nx.path_graph(3), nx.star_graph(8)]
    kernel = MessagePassingGraphKernel("RR", n_iterations=1, levels=levels, normalize=False).fit(
        members
    )
    said = formula(explain_graphs(kernel, members, 0, 1))
    assert said.startswith("k(G, H) = ")
    assert said.count(" + ") == (1 if levels == "sum" else 5)
    assert "… (27 terms)" in formula(explain_graphs(kernel, members[1:], 0, 1)) or levels == "sum"


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


def labelled(graph, labels):
    nx.set_node_attributes(graph, dict(zip(graph, labels, strict=True)), "label")
    return graph


def test_what_dominates_among_labels_is_counted_pair_by_pair():
    graphs = [labelled(nx.path_graph(5), "CCCOC"), labelled(nx.star_graph(4), "NCCCO")]
    for variant, pair in explain_four_variants(graphs, 0, 1).items():
        labels, found = pair.graphs.labels, pair.contributions
        values, numbers = Counter(), Counter()
        for v, u, value in zip(found.left, found.right, found.values, strict=True):
            kind = "".join(sorted(labels[v] + labels[u]))
            values[kind] += value
            numbers[kind] += 1
        (_, most), *_ = values.most_common()
        pairs = "pairs" if variant[1] == "R" else "matched pairs"
        possible = [
            f"{100 * most / pair.value:.0f} % of the value comes from {pairs} of {kind_words(kind)}"
            f" ({100 * numbers[kind] / len(found):.0f} % of all {pairs})"
            for kind, value in values.items()
            if value > (1 - 1e-9) * most
        ]
        assert dominant_words(pair) in possible
        assert len(values) > len(possible)


def kind_words(kind):
    one, other = kind
    if one == other:
        return f"two vertices labelled {one}"
    return f"a vertex labelled {one} and one labelled {other}"


def test_pairs_of_two_labels_dominate_where_no_two_vertices_are_alike():
    graphs = [labelled(nx.path_graph(2), "CC"), labelled(nx.path_graph(2), "NN")]
    pair = explain_four_variants(graphs, 0, 1, MessagePassingGraphKernel(features="constant"))["RR"]
    assert dominant_words(pair) == (
        "100 % of the value comes from pairs of a vertex labelled C and one labelled N "
        "(100 % of all pairs)"
    )


def test_one_label_everywhere_says_nothing_so_vertices_are_named():
    graphs = [labelled(nx.star_graph(9), "C" * 10), labelled(nx.path_graph(10), "C" * 10)]
    pairs = explain_four_variants(graphs, 0, 1)
    busiest = pairs["RR"].contributions.busiest()
    assert dominant_words(pairs["RR"]) == (
        f"{100 * busiest.share:.0f} % of the value comes from vertex 0 of the first graph "
        "(an even share would be 10 %)"
    )
    assert dominant_words(pairs["AA"]).startswith("no vertex contributes more than 10 % of the")


def test_sums_of_rounds_and_of_signs_are_called_what_they_are():
    graphs = [nx.path_graph(3), nx.star_graph(3)]
    kernel = MessagePassingGraphKernel("RR", n_iterations=2, levels="sum").fit(graphs)
    assert "of the value of round 2" in dominant_words(explain_graphs(kernel, graphs, 0, 1))
    for graph in graphs:
        nx.set_node_attributes(graph, {v: float(v) - 1 for v in graph}, "attributes")
    kernel = MessagePassingGraphKernel("RR", n_iterations=1, features="attributes").fit(graphs)
    words = dominant_words(explain_graphs(kernel, graphs, 0, 1))
    assert "of the sum of absolute contributions" in words
