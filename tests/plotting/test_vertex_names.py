"""Names of vertices cover neither vertices nor edges nor each other where there is room."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core.plotting.vertex_names import MAX_NAMED, name_vertices

SIZE = (330.0, 320.0)


def named(graph, places, **look):
    trace = {"x": [x for x, _ in places], "y": [y for _, y in places], "text": [""] * len(places)}
    layout = {"xaxis": {}, "yaxis": {}}
    adjacency = nx.to_scipy_sparse_array(graph, format="csr")
    name_vertices(trace, layout, adjacency, list(graph), size=SIZE, **look)
    return trace, layout


def circle(n):
    return [(np.sin(2 * np.pi * i / n), np.cos(2 * np.pi * i / n)) for i in range(n)]


@pytest.mark.parametrize("n", [5, 8, 12])
def test_names_of_a_ring_stand_outside(n):
    trace, _ = named(nx.cycle_graph(n), circle(n))
    for side, (x, y) in zip(trace["textposition"], circle(n), strict=True):
        up, along = side.split()
        way = {"left": -1, "right": 1}.get(along, 0), {"top": 1, "bottom": -1}.get(up, 0)
        assert np.dot(way, (x, y)) > -1e-9


@pytest.mark.parametrize(("height", "type_size"), [(140, 12), (190, 12), (200, 23)])
def test_the_names_at_the_ends_of_a_star_have_room(height, type_size):
    trace, layout = named(nx.star_graph(5), [(0, 0), *circle(5)], type_size=type_size)
    low, high = layout["yaxis"]["range"]
    assert trace["textposition"][1] == "top center"
    pixels = (high - max(trace["y"])) * height / (high - low)
    margin, radius = type_size / 2, 0.6 * type_size
    assert pixels + margin >= radius + type_size


def test_long_names_at_the_sides_have_room():
    graphs = nx.path_graph(2), nx.relabel_nodes(nx.path_graph(2), {0: "stickleback", 1: "snail"})
    short, long = (named(graph, [(0, 0), (1, 0)])[1]["xaxis"]["range"] for graph in graphs)
    assert long[0] < short[0] < 0
    assert long[1] > short[1] > 1


def test_many_vertices_have_no_names():
    n = MAX_NAMED + 1
    assert "textposition" not in named(nx.path_graph(n), circle(n))[0]


def test_a_name_keeps_away_from_the_lines_of_a_bond():
    places = [(0, 0), (-1, 0.6), (1, 0.6), (0, -1)]
    thin, wide = (named(nx.star_graph(3), places, edge_width=width)[0] for width in (0, 6))
    assert thin["textposition"][0] in {"top center", "middle right"}
    assert wide["textposition"][0] == "bottom right"
