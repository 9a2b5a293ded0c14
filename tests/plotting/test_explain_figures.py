"""Pictures of explanations: every link is a contribution, every name is safe."""

import html
import re

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.explain import (
    HierarchyTable,
    colour_hierarchy,
    explain_four_variants,
    explain_graphs,
    explain_neighbourhoods,
    explain_vertices,
    pair_history,
)
from mpgk_core.plotting import hierarchy_figure as hierarchy_module
from mpgk_core.plotting.hierarchy_figure import drawn_nodes, hierarchy_figure, hierarchy_words
from mpgk_core.plotting.matching_figure import (
    MAX_LINKS_DRAWN,
    MAX_NEIGHBOURS_DRAWN,
    MAX_STRONGEST_DRAWN,
    facing_layouts,
    graph_matching_figure,
    history_figure,
    history_words,
    matching_figure,
    matching_words,
    pair_matrix_figure,
)
from mpgk_core.plotting.matrix_figure import MAX_ROWS_DRAWN
from mpgk_core.plotting.style import MARK_COLOUR

SCRIPT = "<img src=x onerror=alert(1)>"
MEMBERS = [nx.star_graph(5), nx.path_graph(4), nx.cycle_graph(5)]


def hostile(graph):
    return nx.relabel_nodes(graph, {v: f"{SCRIPT}{v}" for v in graph})


def is_safe(figure):
    return "<img" not in figure.to_json().replace("\\u003c", "<")


def links(figure):
    return figure.data[-1]


def texts_of(part):
    """Return all texts of a figure or of a part of it."""
    if isinstance(part, str):
        return [part]
    part = part.to_plotly_json() if hasattr(part, "to_plotly_json") else part
    members = part.values() if isinstance(part, dict) else part
    is_nested = isinstance(part, (dict, list, tuple))
    return [text for member in members for text in texts_of(member)] if is_nested else []


def vertices_of(figure):
    (vertices,) = [trace for trace in figure.data if trace.hovertext]
    return vertices


def molecule(labels):
    """Return a chain of atoms."""
    graph = nx.path_graph(len(labels))
    nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    return graph


@pytest.fixture(scope="module")
def ways():
    return explain_neighbourhoods(nx.star_graph(4), 0, 1)


@pytest.fixture(scope="module")
def variants():
    return explain_four_variants(MEMBERS, 0, 1)


def test_every_pair_of_neighbours_is_a_link(ways):
    for way, n_links in (("R", 4), ("A", 1)):
        figure = matching_figure(ways[way])
        assert sorted(links(figure).customdata) == list(range(n_links))
        (vertices,) = [trace for trace in figure.data if trace.mode == "markers+text"]
        assert vertices.customdata[:2] == (0, 1)
        assert sorted(vertices.customdata[2:]) == [0, 1, 2, 3, 4]
    is_grey = [colour == MARK_COLOUR for colour in vertices.marker.color]
    assert sum(is_grey) == len(ways["A"].unmatched[0]) == 3


def test_a_common_neighbour_may_have_a_partner_on_one_side_only():
    graph = nx.Graph([(0, 1), (2, 1), (2, 3), (2, 4), (3, 5), (3, 6)])
    for pair in (explain_neighbourhoods(graph, v, u)["A"] for v in graph for u in graph if v != u):
        figure = matching_figure(pair)
        (vertices,) = [trace for trace in figure.data if trace.mode == "markers+text"]
        n_grey = sum(colour == MARK_COLOUR for colour in vertices.marker.color)
        assert n_grey == abs(graph.degree(pair.left) - graph.degree(pair.right))


def test_wider_links_contribute_more():
    graph = nx.star_graph(3)
    graph.add_edges_from([(3, 4), (3, 5), (3, 6)])
    kernel = MessagePassingNodeKernel("R", n_iterations=1).fit(graph)
    pair = explain_vertices(kernel, graph, 0, 0)
    figure = matching_figure(pair)
    lines = [trace for trace in figure.data if trace.mode == "lines" and trace.opacity == 0.55]
    widths = [trace.line.width for trace in lines]
    assert widths == sorted(widths)
    assert len(lines[-1].x) == 3
    assert pair.contributions.values.max() == 16
    assert links(figure).text[0] == "3 · 3<br>adds 16 of 36"


def test_negative_contributions_are_dashed():
    graph = nx.path_graph(4)
    nx.set_node_attributes(graph, {0: 1.0, 1: 1.0, 2: -1.0, 3: 2.0}, "attributes")
    kernel = MessagePassingNodeKernel("R", n_iterations=1, features="attributes").fit(graph)
    figure = matching_figure(explain_vertices(kernel, graph, 1, 2))
    dashes = [trace.line.dash for trace in figure.data]
    assert "dash" in dashes


def test_hubs_are_drawn_in_part():
    graph = nx.star_graph(MAX_NEIGHBOURS_DRAWN + 30)
    for pair in explain_neighbourhoods(graph, 0, 0).values():
        figure = matching_figure(pair)
        (vertices,) = [trace for trace in figure.data if trace.mode == "markers+text"]
        assert len(vertices.x) == 2 * MAX_NEIGHBOURS_DRAWN + 2
        assert 0 < len(links(figure).x) <= MAX_LINKS_DRAWN


def test_at_t_0_there_is_nothing_to_link(ways):
    start = ways["R"]
    while start.own is not None:
        start = start.own
    assert len(links(matching_figure(start)).x) == 0
    assert matching_words(start) == "0 pairs contribute."


def test_two_graphs_are_linked_where_their_vertices_match(variants):
    for variant, pair in variants.items():
        figure = graph_matching_figure(pair)
        assert len(links(figure).x) == len(pair.contributions)
        vertices = vertices_of(figure)
        assert len(vertices.x) == 10
        assert vertices.text == (*"012345", *"0123")
        assert max(vertices.x[:6]) < min(vertices.x[6:])
        grey = sum(colour == MARK_COLOUR for colour in vertices.marker.color)
        assert grey == (2 if variant[1] == "A" else 0)


def test_the_history_stacks_both_parts(ways):
    found = pair_history(ways["R"])
    figure = history_figure(found)
    own, around = figure.data
    np.testing.assert_allclose(np.add(own.y, around.y), found.total)
    np.testing.assert_allclose(np.add(own.customdata, around.customdata), 100)
    assert figure.layout.barmode == "relative"
    assert history_words(found).count("At t = ") == 6
    assert history_words(found).startswith(f"At t = 0 the similarity is {found.own[0]:.5g}.")


def test_the_tree_is_drawn_by_the_number_of_vertices():
    table = HierarchyTable(*colour_hierarchy(nx.path_graph(7), 3))
    classes = np.array([0, 1, 2, 3, 2, 1, 0])
    (trace,) = hierarchy_figure(table, classes, [SCRIPT, "b", "c", "d"]).data
    assert trace.type == "sunburst"
    assert trace.values[0] == 7
    for node, parent in zip(trace.ids[1:], trace.parents[1:], strict=True):
        assert table.hierarchy.parents[int(node)] == int(parent)
    np.testing.assert_array_equal(trace.values, table.n_vertices[list(trace.customdata)])
    leaf = table.hierarchy.leaf_nodes[table.leaves[0]]
    where = list(trace.customdata).index(leaf)
    assert "&lt;img" in trace.hovertext[where]
    assert "2 vertices" in trace.hovertext[where]
    assert is_safe(hierarchy_figure(table, classes, [SCRIPT, "b", "c", "d"]))


def test_large_trees_are_cut_at_a_depth(monkeypatch):
    table = HierarchyTable(*colour_hierarchy(nx.path_graph(40), 10))
    assert len(drawn_nodes(table)) == table.hierarchy.n_nodes
    monkeypatch.setattr(hierarchy_module, "MAX_NODES_DRAWN", 30)
    nodes = drawn_nodes(table)
    assert 1 < len(nodes) <= 30
    deepest = table.hierarchy.depths[nodes].max()
    assert (table.hierarchy.depths <= deepest).sum() == len(nodes)
    assert (table.hierarchy.depths <= deepest + 1).sum() > 30


def test_the_words_of_a_tree_tell_how_many_leaves_are_pure():
    table = HierarchyTable(*colour_hierarchy(nx.path_graph(3), 1))
    assert "In 2 of these leaves" in hierarchy_words(table, np.array([0, 1, 0]))
    assert "In 1 of these leaves" in hierarchy_words(table, np.array([0, 1, 2]))


def test_a_matrix_shares_out_the_value_and_names_its_rows_and_columns():
    pairs = explain_four_variants([molecule("CCO"), molecule(["C", "Cl", "N", "C"])], 0, 1)
    for pair in pairs.values():
        figure = pair_matrix_figure(pair)
        (cells,) = figure.data
        assert cells.z.shape == (3, 4)
        assert np.nansum(np.abs(cells.z)) == pytest.approx(100)
        assert np.isfinite(cells.z).sum() == len(pair.contributions)
        found = pair.contributions
        for v, u, value in zip(found.left, found.right - 3, found.values, strict=True):
            assert cells.z[v, u] == pytest.approx(100 * value / found.total)
        assert figure.layout.yaxis.ticktext == ("C0", "C1", "O2")
        assert figure.layout.xaxis.ticktext == ("C0", "Cl1", "N2", "C3")
        assert (figure.layout.yaxis.title.text, figure.layout.xaxis.title.text) == (
            "first graph",
            "second graph",
        )
        assert figure.layout.yaxis.range == (2.5, -0.5)
        assert cells.text[2][1] == "O2 · Cl1"


def test_a_large_matrix_shows_the_vertices_that_contribute_most_and_names_a_few():
    graphs = [nx.star_graph(MAX_ROWS_DRAWN + 5), nx.star_graph(4)]
    pair = explain_four_variants(graphs, 0, 1, MessagePassingGraphKernel(n_iterations=1))["RR"]
    figure = pair_matrix_figure(pair)
    assert figure.data[0].z.shape == (MAX_ROWS_DRAWN, 5)
    assert figure.data[0].z.max() == figure.data[0].z[0, 0]
    assert 20 < len(figure.layout.yaxis.ticktext) <= 30
    assert len(figure.layout.xaxis.ticktext) == 5


def test_vertices_carry_their_labels_and_the_colours_of_these():
    graphs = [molecule("CCO"), molecule("NCCC")]
    for pair in explain_four_variants(graphs, 0, 1).values():
        vertices = vertices_of(graph_matching_figure(pair))
        assert vertices.text == ("C0", "C1", "O2", "N0", "C1", "C2", "C3")
        shown = dict(zip(vertices.text, vertices.marker.color, strict=True))
        shown = {text[0]: colour for text, colour in shown.items() if colour != MARK_COLOUR}
        assert len(set(shown.values())) == len(shown) >= 2
    long = [molecule(["a long label", "b"]), molecule(["b", "a long label"])]
    vertices = vertices_of(graph_matching_figure(explain_four_variants(long, 0, 1)["RR"]))
    assert vertices.text is None
    assert "a long label" in vertices.hovertext[0]


def test_the_strongest_of_all_pairs_are_linked():
    graphs = [nx.barbell_graph(4, 2), nx.path_graph(7)]
    pairs = explain_four_variants(graphs, 0, 1)
    values = pairs["RR"].contributions.values
    drawn = list(links(graph_matching_figure(pairs["RR"])).customdata)
    assert len(drawn) == MAX_STRONGEST_DRAWN < len(values)
    assert values[drawn].min() >= np.delete(values, drawn).max()
    assert len(links(graph_matching_figure(pairs["AA"])).customdata) == 7


def test_the_second_graph_is_mirrored_so_that_links_are_short():
    graphs = [molecule("NCCCO"), molecule("OCCCN")]
    pair = explain_four_variants(graphs, 0, 1)["AA"]
    first, second = facing_layouts(pair)
    found = pair.contributions

    def stretch(other):
        apart = first[found.left] - other[found.right - 5]
        return float(found.values @ (apart**2).sum(axis=1))

    for sides in ([1, -1], [-1, 1], [-1, -1]):
        assert stretch(second) <= stretch(second * sides)
    heights = [np.ptp(layout, axis=0) for layout in (first, second)]
    assert all(height >= width for width, height in heights)
    np.testing.assert_allclose(first[0, 1], second[4, 1], atol=1e-6)


def test_graphs_without_vertices_are_drawn_as_nothing():
    pair = explain_four_variants([nx.path_graph(3), nx.Graph()], 0, 1)["AA"]
    assert len(vertices_of(graph_matching_figure(pair)).x) == 3
    assert pair_matrix_figure(pair).data[0].z.shape == (3, 0)


def test_names_are_escaped_everywhere():
    graph = hostile(nx.star_graph(4))
    ways = explain_neighbourhoods(graph, 0, 1)
    assert all(is_safe(matching_figure(pair)) for pair in ways.values())
    assert "&lt;img" in links(matching_figure(ways["R"])).text[0]
    assert SCRIPT in matching_words(ways["R"])
    members = GraphSet.from_networkx([hostile(member) for member in MEMBERS])
    found = explain_four_variants(members, 0, 1, MessagePassingGraphKernel(n_iterations=1))
    assert all(is_safe(pair_matrix_figure(pair)) for pair in found.values())
    assert all(is_safe(graph_matching_figure(pair)) for pair in found.values())


@pytest.mark.parametrize("label", [SCRIPT, "<b>", "&lt"])
def test_labels_are_escaped_also_where_they_are_cut(label):
    graphs = [molecule([label, "C"]), molecule(["C", label])]
    for pair in explain_four_variants(graphs, 0, 1).values():
        drawn, matrix = graph_matching_figure(pair), pair_matrix_figure(pair)
        for figure in (drawn, matrix):
            assert not [text for text in texts_of(figure) if re.search(r"<(?!br>|/?extra>)", text)]
        for text in matrix.layout.yaxis.ticktext:
            assert len(html.unescape(text)) <= 10


def test_words_of_a_matching_name_the_largest_pairs_first():
    kernel = MessagePassingGraphKernel("RA", n_iterations=1).fit(MEMBERS)
    pair = explain_graphs(kernel, MEMBERS, 0, 1)
    words = matching_words(pair)
    row = pair.contributions.largest(1)[0]
    first = f"The pair of vertex {pair.contributions.left[row]} of the first graph and vertex"
    assert words.startswith(f"4 pairs add up to {pair.value:.5g}. {first}")
    assert words.endswith("2 vertices have no partner.")
