"""Colours: valid, distinct, visible on light and dark pages, and with one meaning."""

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import MessagePassingNodeKernel, orbits
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.plotting import colour_by_class, colour_by_number, colour_by_orbit
from mpgk_core.plotting.colouring import class_colours, scale_colours
from tests.strategies import graphs

LIGHT_PAGE, DARK_PAGE = "#ffffff", "#0e1117"


def is_hexadecimal(colour):
    return re.fullmatch("#[0-9a-f]{6}", colour) is not None


def luminance(colour):
    """Relative luminance as the WCAG define it."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("n_classes", range(41))
def test_every_class_has_a_colour_of_its_own(n_classes):
    colours = class_colours(n_classes)
    assert len(colours) == len(set(colours)) == n_classes
    assert all(map(is_hexadecimal, colours))


def test_more_classes_keep_the_colours_of_the_first():
    assert class_colours(40)[:12] == class_colours(12)
    assert class_colours(12)[:3] == class_colours(3)


def test_very_many_classes_have_valid_colours():
    colours = class_colours(3000)
    assert len(colours) == 3000
    assert all(map(is_hexadecimal, colours))


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE])
@pytest.mark.parametrize("colour", class_colours(10))
def test_first_ten_colours_show_on_every_page(colour, page):
    assert contrast(colour, page) >= 1.5


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE])
def test_whole_scale_shows_on_every_page(page):
    colours = scale_colours(np.linspace(0, 1, 101))
    assert min(contrast(colour, page) for colour in colours) >= 1.5


def test_scale_depends_on_the_order_of_numbers_only_through_their_values():
    values = np.array([3.0, -1.0, 7.0, 3.0])
    colours = scale_colours(values)
    assert all(map(is_hexadecimal, colours))
    assert colours[0] == colours[3]
    assert len(set(colours)) == 3
    assert scale_colours(values[::-1]) == colours[::-1]
    assert scale_colours(values * 10 + 5) == colours


def test_scale_runs_from_blue_to_orange():
    low, high = scale_colours(np.array([0.0, 1.0]))
    assert int(low[5:], 16) > int(low[1:3], 16)
    assert int(high[1:3], 16) > int(high[5:], 16)


def test_equal_numbers_get_the_middle_of_the_scale():
    middle = scale_colours(np.array([0.0, 0.5, 1.0]))[1]
    assert scale_colours(np.array([4.0, 4.0])) == [middle, middle]
    assert scale_colours(np.array([-2.0])) == [middle]


def test_no_numbers_get_no_colours():
    assert scale_colours(np.array([])) == []


def test_scale_spans_the_largest_numbers():
    largest = np.finfo(np.float64).max
    ends = scale_colours(np.array([0.0, 1.0]))
    assert scale_colours(np.array([-largest, largest])) == ends


def points_of(graph, neighbourhood="R", n_iterations=5):
    options = {"n_iterations": n_iterations, "features": "degree"}
    way = trajectory(graph, MessagePassingNodeKernel(neighbourhood, **options).fit(graph))
    return way.point_of_class[:, way.class_of_vertex]


def numbered(values):
    numbers = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
def test_orbits_of_a_barbell_part_as_its_points_do(neighbourhood):
    barbell = nx.barbell_graph(10, 10)
    found, points = orbits(barbell), points_of(barbell, neighbourhood)
    colouring = colour_by_orbit(found.of_vertex, points)
    assert [colouring.n_colours(t) for t in range(6)] == [3, 4, 5, 6, 7, 7]
    for t in range(6):
        assert numbered(colouring.colours[t]) == numbered(points[t].tolist())


@settings(max_examples=25)
@given(graph=graphs(max_vertices=7), n_iterations=st.integers(0, 3))
def test_one_point_has_one_colour_before_the_end_and_orbits_show_there(graph, n_iterations):
    orbit = orbits(graph).of_vertex
    points = points_of(graph, n_iterations=n_iterations)
    colouring = colour_by_orbit(orbit, points)
    assert len(colouring.colours) == len(colouring.words) == n_iterations + 1
    for t in range(n_iterations):
        colour_of_point = set(zip(points[t].tolist(), colouring.colours[t], strict=True))
        assert len(colour_of_point) == len(set(points[t].tolist()))
    assert numbered(colouring.colours[-1]) == numbered(orbit.tolist())


def test_last_round_shows_orbits_that_the_kernel_misses():
    cycles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))
    colouring = colour_by_orbit(orbits(cycles).of_vertex, points_of(cycles, n_iterations=2))
    assert [colouring.n_colours(t) for t in range(3)] == [1, 1, 2]
    assert numbered(colouring.colours[2]) == [0, 0, 0, 1, 1, 1, 1]


def test_merged_points_take_the_colour_of_their_first_orbit():
    colouring = colour_by_orbit(np.array([0, 1, 2, 1]), np.array([[0, 1, 0, 1], [0, 1, 2, 1]]))
    first, last = colouring.colours
    assert first == [last[0], last[1], last[0], last[1]]
    assert colouring.words == [["orbit 1", "orbit 2", "orbit 3", "orbit 2"]] * 2
    assert colouring.title == "Orbit"


def test_orbits_of_an_empty_graph_need_no_colours():
    colouring = colour_by_orbit(np.zeros(0, dtype=np.int64), np.zeros((3, 0), dtype=np.int64))
    assert colouring.colours == colouring.words == [[], [], []]
    assert colouring.n_colours(0) == 0


def test_classes_keep_their_colours_in_all_rounds():
    colouring = colour_by_class("Points", np.array([[0, 0, 0], [0, 1, 0], [2, 1, 0]]), "point")
    assert [colouring.n_colours(t) for t in range(3)] == [1, 2, 3]
    assert colouring.colours[0][0] == colouring.colours[1][2] == colouring.colours[2][2]
    assert colouring.colours[1][1] == colouring.colours[2][1]
    assert colouring.words[2] == ["point 3", "point 2", "point 1"]
    assert colouring.title == "Points"


def test_numbers_are_coloured_alike_in_all_rounds():
    colouring = colour_by_number("Degree", np.array([1.0, 2.5, 1.0]), n_rounds=2)
    assert len(colouring.colours) == len(colouring.words) == 3
    assert colouring.colours[0] == colouring.colours[1] == colouring.colours[2]
    assert numbered(colouring.colours[0]) == [0, 1, 0]
    assert colouring.words[0] == ["degree 1", "degree 2.5", "degree 1"]
