"""Pictures of a change: colours that mean the same in both, honest lines, safe names."""

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, MessagePassingNodeKernel, Orbits
from mpgk_core.edits import PerturbationCurve, compare, with_vertex, without_edge, without_vertices
from mpgk_core.plotting import graph_layout
from mpgk_core.plotting.change_figure import (
    MAX_BARS_DRAWN,
    carried_layout,
    colour_by_joint_refinement,
    colour_by_movement,
    colour_by_recolouring,
    comparison_words,
    draw_change,
    movement_figure,
)
from mpgk_core.plotting.perturbation_figure import _apart, perturbation_figure, perturbation_words
from mpgk_core.plotting.style import MARK_COLOUR, needed_distance
from tests.edits.versions import editable

KERNEL = MessagePassingNodeKernel(features="degree", n_iterations=2)
RING = GraphSet.from_networkx(nx.cycle_graph(8))
SCRIPT = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def parted():
    """A ring without one edge, without one vertex, and with another one."""
    after = without_vertices(without_edge(RING, 0, 1), [5])
    return compare(RING, with_vertex(after, "x", joined_to=[2]), KERNEL)


@pytest.fixture(scope="module")
def unchanged():
    return compare(RING, RING, KERNEL)


@pytest.fixture
def curve():
    nothing = np.full(3, np.nan)
    rows = {"WL": [1.0, 0.2, 0.0], "R": [1.0, 0.9, 0.8], "A": [1.0, 0.6, 0.4]}
    others = {"WL": [1.0, 0.4, np.nan], "R": [1.0, 0.95, np.nan], "A": [1.0, 0.7, np.nan]}
    values = {key: np.array([rows[key], others[key], nothing]) for key in rows}
    return PerturbationCurve(np.array([0, 1, 5]), np.array([0, 1, 2]), values, n_rounds=4)


@pytest.mark.parametrize("way", ["R", "A"])
def test_movement_is_coloured_alike_before_and_after(parted, way):
    before, after = colour_by_movement(parted, way)
    assert before.title == after.title == f"Movement under {way}"
    for t in range(3):
        for v, u in zip(parted.in_before, parted.in_after, strict=True):
            assert before.colours[t][v] == after.colours[t][u]
            assert before.words[t][v] == after.words[t][u]
        assert (before.colours[t][5], before.words[t][5]) == (MARK_COLOUR, "removed")
        assert (after.colours[t][-1], after.words[t][-1]) == (MARK_COLOUR, "new")
    colours = [[before.colours[t][v] for v in parted.in_before] for t in range(3)]
    by_colour = sorted(zip(parted.movement[way].ravel(), np.ravel(colours), strict=True))
    still = {colour for distance, colour in by_colour if distance == 0}
    assert len(still) == 1
    assert by_colour[-1][1] not in still
    assert before.words[0][3].startswith("moved ")


def test_a_graph_that_did_not_change_shows_no_movement(unchanged):
    moved, _ = colour_by_movement(unchanged, "A")
    kept, _ = colour_by_recolouring(unchanged)
    assert moved.n_colours(2) == kept.n_colours(2) == 1
    assert set(moved.words[2]) == {"moved 0, cosine 1.0000"}
    assert set(kept.words[2]) == {"WL colour kept"}
    one_edge, _ = colour_by_movement(compare(RING, without_edge(RING, 0, 1), KERNEL), "A")
    assert moved.colours[2][0] == one_edge.colours[0][4]


def test_recolouring_is_binary(parted):
    before, after = colour_by_recolouring(parted)
    for t in range(3):
        said = [before.words[t][v] == "WL colour changed" for v in parted.in_before]
        assert said == parted.is_recoloured[t].tolist()
        assert [after.colours[t][u] for u in parted.in_after] == [
            before.colours[t][v] for v in parted.in_before
        ]
    assert before.n_colours(1) == 3


def test_equal_refinement_colours_are_drawn_equal_in_both_pictures(parted):
    before, after = colour_by_joint_refinement(parted)
    for t in range(3):
        drawn = before.colours[t] + after.colours[t]
        true = [*parted.colours_before[t].tolist(), *parted.colours_after[t].tolist()]
        assert len(set(zip(drawn, true, strict=True))) == len(set(drawn)) == len(set(true))
        assert len(before.words[t]) == parted.before.n_vertices
        assert len(after.words[t]) == parted.after.n_vertices


def test_new_vertices_do_not_hide_others():
    path = GraphSet.from_networkx(nx.path_graph(3))
    after = path
    for _ in range(12):
        after = with_vertex(after, joined_to=[0, 2])
    placed = carried_layout(path, graph_layout(path), after)
    apart = np.linalg.norm(placed[:, np.newaxis] - placed, axis=2) + 9 * np.eye(len(placed))
    assert apart.min() >= needed_distance(placed)
    np.testing.assert_array_equal(placed[:3], graph_layout(path))


def test_drawings_show_only_their_own_edges_in_red(parted):
    positions = graph_layout(RING, "circle")
    before, after = draw_change(parted, positions, colour_by_movement(parted, "A"))
    for drawing, n_own in ((before, 3), (after, 1)):
        assert [trace["mode"] for trace in drawing.data] == ["lines", "markers", "lines"]
        assert len(drawing.data[2]["x"]) == 3 * n_own
        assert len(drawing.frames) == 3
        json.loads(drawing.to_json())
    old = np.column_stack([before.data[1][axis] for axis in "xy"])[parted.in_before]
    new = np.column_stack([after.data[1][axis] for axis in "xy"])[parted.in_after]
    np.testing.assert_array_equal(old, new)


@settings(max_examples=25)
@given(editable(min_vertices=2), st.data())
def test_a_layout_is_carried_over_by_name(graph, data):
    gone = data.draw(st.sampled_from(graph.names))
    after = with_vertex(with_vertex(without_vertices(graph, [gone]), "new"), "newer")
    positions = np.random.default_rng(0).uniform(-1, 1, (graph.n_vertices, 2))
    placed = carried_layout(graph, positions, after)
    for v, name in enumerate(after.names[:-2]):
        np.testing.assert_array_equal(placed[v], positions[graph.names.index(name)])
    assert np.abs(placed).max() <= 1.1
    assert len(np.unique(placed, axis=0)) == after.n_vertices


def test_a_new_vertex_is_drawn_beside_its_neighbours():
    positions = graph_layout(RING, "circle")
    twice = with_vertex(with_vertex(RING, joined_to=[3]), joined_to=[3])
    placed = carried_layout(RING, positions, twice)
    gaps = np.linalg.norm(placed[8:] - positions[3], axis=1)
    assert gaps == pytest.approx([0.12, 0.12])
    assert np.linalg.norm(placed[8] - placed[9]) > 0.05


def test_the_curve_has_a_band_and_a_named_line_for_each_method(curve):
    figure = perturbation_figure(curve)
    bands, lines = figure.data[::2], figure.data[1::2]
    assert [line.name for line in lines] == ["WL: same colour", "MPGK R", "MPGK A"]
    assert [note.text for note in figure.layout.annotations] == [line.name for line in lines]
    for name, band, line in zip(("WL", "R", "A"), bands, lines, strict=True):
        assert line.x.tolist() == [0, 1, 5]
        np.testing.assert_allclose(line.y, curve.mean(name))
        assert band.y.tolist() == [*curve.highest(name), *curve.lowest(name)[::-1]]
        assert band.fillcolor == line.line.color
    assert (
        len({line.line.color for line in lines}) == len({line.marker.symbol for line in lines}) == 3
    )


def test_a_curve_that_has_just_begun_shows_what_is_there(curve):
    values = {key: np.full((1, 3), np.nan) for key in curve.values}
    empty = PerturbationCurve(curve.n_removed, np.array([0]), values, 4)
    assert all(len(trace.x) == 0 for trace in perturbation_figure(empty).data)
    assert perturbation_words(empty) == "Nothing is measured yet."
    for table in values.values():
        table[0, 0] = 1.0
    first = PerturbationCurve(curve.n_removed, np.array([0]), values, 4)
    assert perturbation_words(first).startswith("With 0 edges removed, 100 % of the vertices")
    for table in values.values():
        table[0, 1] = 1.0
    begun = PerturbationCurve(curve.n_removed, np.array([0]), values, 4)
    assert perturbation_figure(begun).data[1].x.tolist() == [0, 1]
    assert perturbation_words(begun).count("removed") == 1


def test_negative_cosines_stay_in_sight(curve):
    assert perturbation_figure(curve).layout.yaxis.range == (-0.03, 1.06)
    curve.values["R"][1, 1] = -0.5
    assert perturbation_figure(curve).layout.yaxis.range[0] == pytest.approx(-0.53)


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_labels_keep_their_order_and_their_distance(heights):
    apart = _apart(heights)
    order = np.argsort(heights, kind="stable")
    assert (np.diff(np.array(apart)[order]) >= 0.07 - 1e-9).all()
    assert max(apart) <= 1.0 + 1e-9
    assert min(apart) >= -1e-9


def test_the_words_of_a_curve_tell_its_beginning_and_its_end(curve):
    assert perturbation_words(curve) == (
        "With 1 edge removed, 30 % of the vertices keep their WL colour after 4 rounds, and the "
        "mean cosine of a vertex with what it was is 0.925 under R and 0.650 under A. "
        "With 5 edges removed, 0 % of the vertices keep their WL colour after 4 rounds, and the "
        "mean cosine of a vertex with what it was is 0.800 under R and 0.400 under A."
    )


def test_bars_show_the_farthest_first_and_mark_changed_colours(parted):
    figure = movement_figure(parted)
    assert [bar.name for bar in figure.data] == ["MPGK R", "MPGK A"]
    total = np.add(figure.data[0].x, figure.data[1].x)
    assert (np.diff(total) <= 0).all()
    stars = [text.endswith(" *") for text in figure.layout.yaxis.ticktext]
    assert sum(stars) == parted.is_recoloured[2].sum() > 0
    assert len(total) == 7


def test_bars_are_few_and_names_are_safe():
    names = [SCRIPT + str(v) for v in range(MAX_BARS_DRAWN + 5)]
    graph = nx.relabel_nodes(nx.cycle_graph(len(names)), dict(enumerate(names)))
    ring = GraphSet.from_networkx(graph)
    figure = movement_figure(compare(ring, without_edge(ring, names[0], names[1]), KERNEL))
    assert all(len(bar.x) == MAX_BARS_DRAWN for bar in figure.data)
    assert len(figure.layout.yaxis.ticktext) == MAX_BARS_DRAWN
    assert "<img" not in figure.to_json().replace("\\u003c", "<")
    assert "&lt;img" in figure.layout.yaxis.ticktext[0]


def test_the_words_of_a_comparison(parted, unchanged):
    words = comparison_words(parted)
    n_changed = int(parted.is_recoloured[2].sum())
    assert words.startswith(f"After 2 rounds, {n_changed} of 7 vertices have another WL colour.")
    assert f"{parted.movement['A'][2].mean():.3g} on average" in words
    assert comparison_words(unchanged) == (
        "After 2 rounds, 0 of 8 vertices have another WL colour. "
        "Under R, a vertex moves by 0 on average and by 0 at most; its mean cosine with what it "
        "was is 1.0000. Under A, a vertex moves by 0 on average and by 0 at most; its mean cosine "
        "with what it was is 1.0000. There was 1 orbit before and there is 1 now; 100 % of the "
        "equivalent pairs still are."
    )


def test_orbits_that_are_not_proven_are_a_lower_bound():
    unsure = Orbits(np.zeros(8, dtype=np.int64), proven=False)
    found = compare(RING, RING, KERNEL, orbits_before=unsure, orbits_after=unsure)
    assert "There was at least 1 orbit before and there is at least 1 now" in comparison_words(
        found
    )


def test_edges_keep_their_labels_and_directions_before_and_after():
    graph = nx.DiGraph([(0, 1, {"label": "a"}), (1, 2, {"label": "b"}), (2, 0, {"label": "b"})])
    whole = GraphSet.from_networkx(graph)
    found = compare(whole, without_edge(whole, 0, 1), MessagePassingNodeKernel("R"))
    positions, colours = graph_layout(whole, "circle"), colour_by_movement(found, "R")
    drawings = draw_change(found, positions, colours, "labels")
    for drawing, n_looks in zip(drawings, (2, 1), strict=True):
        styled = [trace for trace in drawing.data if "meta" in trace]
        assert len(styled) == n_looks
        assert all(trace["marker"]["symbol"] == "arrow" for trace in styled)
        assert "meta" not in drawing.data[-1], "the edges of this version alone"
