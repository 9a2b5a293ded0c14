"""Pictures of explanations: every link is a contribution, every name is safe."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import (
    GraphSet,
    InvalidParameterError,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
)
from mpgk_core.explain import (
    HierarchyTable,
    colour_hierarchy,
    explain_colours,
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
    graph_matching_figure,
    history_figure,
    history_words,
    matching_figure,
    matching_words,
)
from mpgk_core.plotting.matrix_figure import four_variants_figure
from mpgk_core.plotting.style import MARK_COLOUR

SCRIPT = "<img src=x onerror=alert(1)>"
MEMBERS = [nx.star_graph(5), nx.path_graph(4), nx.cycle_graph(5)]


def hostile(graph):
    return nx.relabel_nodes(graph, {v: f"{SCRIPT}{v}" for v in graph})


def is_safe(figure):
    return "<img" not in figure.to_json().replace("\\u003c", "<")


def links(figure):
    return figure.data[-1]


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
    assert matching_words(start) == "No pair contributes."


def test_two_graphs_are_linked_where_their_vertices_match(variants):
    for variant, pair in variants.items():
        figure = graph_matching_figure(pair)
        assert len(links(figure).x) == len(pair.contributions)
        (vertices,) = [trace for trace in figure.data if trace.mode == "markers" and trace.text][:1]
        assert len(vertices.x) == 10
        assert max(vertices.x[:6]) < min(vertices.x[6:])
        grey = sum(colour == MARK_COLOUR for colour in vertices.marker.color)
        assert grey == (2 if variant[1] == "A" else 0)
    assert len(links(graph_matching_figure(explain_colours(MEMBERS, 0, 1))).x) == 4


def test_the_history_stacks_both_parts(ways):
    found = pair_history(ways["R"])
    figure = history_figure(found)
    own, around = figure.data
    np.testing.assert_allclose(np.add(own.y, around.y), found.total)
    np.testing.assert_allclose(np.add(own.customdata, around.customdata), 100)
    assert figure.layout.barmode == "relative"
    assert history_words(found).count("At t = ") == 6
    assert history_words(found).startswith(f"At t = 0 the similarity is {found.own[0]:.5g}.")


@pytest.mark.parametrize("kind", ["icicle", "sunburst"])
def test_the_tree_is_drawn_by_the_number_of_vertices(kind):
    table = HierarchyTable(*colour_hierarchy(nx.path_graph(7), 3))
    classes = np.array([0, 1, 2, 3, 2, 1, 0])
    (trace,) = hierarchy_figure(table, classes, [SCRIPT, "b", "c", "d"], kind).data
    assert trace.type == kind
    assert trace.values[0] == 7
    for node, parent in zip(trace.ids[1:], trace.parents[1:], strict=True):
        assert table.hierarchy.parents[int(node)] == int(parent)
    np.testing.assert_array_equal(trace.values, table.n_vertices[list(trace.customdata)])
    leaf = table.hierarchy.leaf_nodes[table.leaves[0]]
    where = list(trace.customdata).index(leaf)
    assert "&lt;img" in trace.hovertext[where]
    assert "2 vertices" in trace.hovertext[where]
    assert is_safe(hierarchy_figure(table, classes, [SCRIPT, "b", "c", "d"], kind))


def test_large_trees_are_cut_at_a_depth(monkeypatch):
    table = HierarchyTable(*colour_hierarchy(nx.path_graph(40), 10))
    assert len(drawn_nodes(table)) == table.hierarchy.n_nodes
    monkeypatch.setattr(hierarchy_module, "MAX_NODES_DRAWN", 30)
    nodes = drawn_nodes(table)
    assert 1 < len(nodes) <= 30
    deepest = table.hierarchy.depths[nodes].max()
    assert (table.hierarchy.depths <= deepest).sum() == len(nodes)
    assert (table.hierarchy.depths <= deepest + 1).sum() > 30


def test_trees_have_one_of_two_shapes():
    table = HierarchyTable(*colour_hierarchy(nx.path_graph(3), 1))
    with pytest.raises(InvalidParameterError, match="'kind' parameter"):
        hierarchy_figure(table, kind="treemap")
    assert len(set(hierarchy_figure(table).data[0].marker.colors)) == 3
    assert "In 2 of these leaves" in hierarchy_words(table, np.array([0, 1, 0]))
    assert "class" not in hierarchy_words(table)


def test_four_panels_share_out_the_value(variants):
    figure = four_variants_figure(variants)
    assert [trace.z.shape for trace in figure.data] == [(6, 4)] * 4
    for trace, pair in zip(figure.data, variants.values(), strict=True):
        assert np.nansum(np.abs(trace.z)) == pytest.approx(100)
        assert np.isfinite(trace.z).sum() == len(pair.contributions)
    titles = [note.text for note in figure.layout.annotations]
    assert titles == [f"{name}: {pair.similarity:.4g}" for name, pair in variants.items()]


def test_names_are_escaped_everywhere():
    graph = hostile(nx.star_graph(4))
    ways = explain_neighbourhoods(graph, 0, 1)
    assert all(is_safe(matching_figure(pair)) for pair in ways.values())
    assert "&lt;img" in links(matching_figure(ways["R"])).text[0]
    assert SCRIPT in matching_words(ways["R"])
    members = GraphSet.from_networkx([hostile(member) for member in MEMBERS])
    found = explain_four_variants(members, 0, 1, MessagePassingGraphKernel(n_iterations=1))
    assert is_safe(four_variants_figure(found))
    assert all(is_safe(graph_matching_figure(pair)) for pair in found.values())


def test_words_of_a_matching_name_the_largest_pairs_first():
    kernel = MessagePassingGraphKernel("RA", n_iterations=1).fit(MEMBERS)
    pair = explain_graphs(kernel, MEMBERS, 0, 1)
    words = matching_words(pair)
    row = pair.contributions.largest(1)[0]
    first = f"The pair of vertex {pair.contributions.left[row]} of the first graph and vertex"
    assert words.startswith(f"4 pairs add up to {pair.value:.5g}. {first}")
    assert words.endswith("2 vertices have no partner.")
