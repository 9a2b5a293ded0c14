"""Pictures of sweeps: the right numbers at the right places, safe texts, and one colour each."""

import json

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, orbits
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.plotting import colour_by_class, safe_names
from mpgk_core.plotting.embedding_figure import SEVERAL, Panel, panels_figure
from mpgk_core.plotting.sweep_figures import (
    clickable_map,
    heat_map_figure,
    heat_map_words,
    rounds_figure,
)
from mpgk_core.tuning import Cell, Grid, Sweep, sweep
from mpgk_core.tuning.grid import collected

GRAPH = GraphSet.from_networkx(nx.barbell_graph(5, 4))
GRID = Grid([0.3, 0.6, 0.9], [0.0, 0.2], [1, 2, 4], ["R", "A"], ["degree", "core-number"])
CELL = Cell("A", "core-number", 0.6, 0.2, 4)


@pytest.fixture(scope="module")
def found():
    return sweep(GRAPH, GRID, ["gap", "recovered"])


def partial(n_cells):
    whole = sweep(GRAPH, GRID, ["gap"])
    places = [(*line, T) for line in GRID.lines() for T in range(len(GRID.iterations))][:n_cells]
    cells = [(place, {"gap": whole.values["gap"][place]}) for place in places]
    return collected(GRID, whole.titles, cells)


def ways(*cells):
    return [(cell, trajectory(GRAPH, GRID.node_kernel(cell).fit(GRAPH))) for cell in cells]


def colouring(n_rounds=0):
    orbit = orbits(GRAPH).of_vertex
    return colour_by_class("Orbit", np.tile(orbit, (n_rounds + 1, 1)), "orbit")


def test_heat_map_shows_the_scores_of_its_variant_features_and_t(found):
    cells = heat_map_figure(found, "gap", CELL).data[0]
    np.testing.assert_array_equal(np.asarray(cells.z), found.values["gap"][1, 1, :, :, 2])
    assert list(cells.x) == ["0", "0.2"]
    assert list(cells.y) == ["0.3", "0.6", "0.9"]


def test_heat_map_cells_can_be_clicked(found):
    place = np.asarray(heat_map_figure(found, "gap", CELL).data[0].customdata)
    assert place.shape == (3, 2, 3)
    for a, b in np.ndindex(3, 2):
        alpha, beta, T = place[a, b]
        cell = CELL._replace(alpha=alpha, beta=beta, T=int(T))
        assert found.score("gap", cell) == found.values["gap"][1, 1, a, b, 2]


def test_star_is_on_the_best_cell(found):
    figure = heat_map_figure(found, "gap", CELL)
    cells, star = figure.data
    row, column = list(cells.y).index(star.y[0]), list(cells.x).index(star.x[0])
    assert np.asarray(cells.z)[row, column] == np.nanmax(np.asarray(cells.z))
    assert len(star.x) == 1


def test_all_rounds_share_one_scale_from_low_to_high(found):
    scales = {
        (cells.zmin, cells.zmax)
        for T in GRID.iterations
        for cells in [heat_map_figure(found, "recovered", CELL._replace(T=T)).data[0]]
    }
    [(low, high)] = scales
    table = found.values["recovered"]
    assert low < table.min() <= table.max() < high


def test_words_tell_the_best_cell(found):
    text = heat_map_words(found, "recovered", Cell("R", "degree", 0.3, 0.0, 4))
    assert text == "Classes recovered (R, degree, T = 4): best 4 at α = 0.3, β = 0.2"
    figure = heat_map_figure(found, "recovered", Cell("R", "degree", 0.3, 0.0, 4))
    assert figure.layout.title.text == text


def test_unfinished_sweeps_can_be_drawn():
    nothing, some = partial(0), partial(10)
    assert heat_map_words(nothing, "gap", CELL).endswith("nothing yet")
    assert len(heat_map_figure(nothing, "gap", CELL).data[1].x) == 0
    at = CELL._replace(variant="R", features="degree", T=1)
    assert heat_map_words(some, "gap", at).endswith("5 of 6 cells to come")
    assert len(rounds_figure(nothing, "gap", CELL).data) == 4


def test_rounds_figure_has_a_line_for_each_kernel(found):
    figure = rounds_figure(found, "gap", CELL)
    assert [line.name for line in figure.data] == [
        "R, degree",
        "R, core-number",
        "A, degree",
        "A, core-number",
    ]
    assert len({line.line.color for line in figure.data}) == 4
    for line, (v, f) in zip(figure.data, np.ndindex(2, 2), strict=True):
        assert list(line.x) == list(line.customdata) == [1, 2, 4]
        np.testing.assert_array_equal(line.y, found.values["gap"][v, f, 1, 1])


def test_panels_give_a_vertex_the_same_colour_in_all_panels():
    cells = [CELL, CELL._replace(variant="R"), CELL._replace(T=1), CELL._replace(beta=0.0)]
    shown = ways(*cells)
    names = safe_names(GRAPH.names)
    figure = panels_figure([Panel(cell.title, way, colouring(), names) for cell, way in shown])
    assert len(figure.data) == 4
    assert len({trace.xaxis for trace in figure.data}) == 4
    colour = colouring().colours[-1]
    for trace, (_, way) in zip(figure.data, shown, strict=True):
        for number, drawn in zip(trace.customdata, trace.marker.color, strict=True):
            point = way.point_of_class[-1]
            here = np.isin(way.class_of_vertex, np.flatnonzero(point == point[number]))
            own = {colour[v] for v in np.flatnonzero(here)}
            assert drawn == (own.pop() if len(own) == 1 else SEVERAL)
        np.testing.assert_array_equal(trace.x, way.points[-1, :, 0])
    assert [note.text for note in figure.layout.annotations] == [cell.title for cell in cells]


def test_foreign_texts_cannot_run_code():
    grid = Grid([0.5], [0.5], [1], features=["<img src=x onerror=alert(1)>", "degree"])
    found = Sweep(grid, {"gap": np.zeros(grid.shape)}, {"gap": "Gap"})
    cell = grid.cell((0, 0, 0, 0, 0))
    figures = [heat_map_figure(found, "gap", cell), rounds_figure(found, "gap", cell)]
    for figure in figures:
        text = json.dumps(figure.to_plotly_json(), default=str)
        assert "&lt;img" in text
        assert "<img" not in text


def test_a_cell_outside_the_grid_is_refused(found):
    with pytest.raises(InvalidParameterError, match="'T' parameter of Cell"):
        heat_map_figure(found, "gap", CELL._replace(T=3))
    with pytest.raises(InvalidParameterError, match="'alpha' parameter of Cell"):
        rounds_figure(found, "gap", CELL._replace(alpha=0.1))
    with pytest.raises(InvalidParameterError, match="'score' parameter of Sweep"):
        heat_map_figure(found, "speed", CELL)


SMALL_GRID = Grid([0.3, 0.6, 0.9], [0.0, 0.2], [1, 2], ["R"], ["degree"])


def small_sweep(n_cells=12):
    whole = sweep(nx.barbell_graph(4, 3), SMALL_GRID, ["gap"])
    places = [(*line, T) for line in SMALL_GRID.lines() for T in range(2)][:n_cells]
    cells = [(place, {"gap": whole.values["gap"][place]}) for place in places]
    return collected(SMALL_GRID, whole.titles, cells)


@pytest.mark.parametrize("alpha", SMALL_GRID.alphas)
@pytest.mark.parametrize("beta", SMALL_GRID.betas)
def test_the_frame_is_around_the_cell_and_clicks_tell_their_place(alpha, beta):
    cell = Cell("R", "degree", alpha, beta, 2)
    figure = clickable_map(small_sweep(), "gap", cell)
    heat, _, points = figure.data
    np.testing.assert_array_equal(heat.z, heat_map_figure(small_sweep(), "gap", cell).data[0].z)
    for (a, b), x, y in zip(points.customdata, points.x, points.y, strict=True):
        assert (x, y) == (f"{b:g}", f"{a:g}")
    assert len(points.x) == np.size(heat.z)
    for frame in figure.layout.shapes:
        assert (frame.x0 + frame.x1) / 2 == SMALL_GRID.betas.index(beta)
        assert (frame.y0 + frame.y1) / 2 == SMALL_GRID.alphas.index(alpha)


def test_points_say_the_score_or_that_there_is_none():
    texts = clickable_map(small_sweep(2), "gap", Cell("R", "degree", 0.3, 0.0, 1)).data[2].text
    assert float(texts[0]) == pytest.approx(small_sweep().values["gap"][0, 0, 0, 0, 0], abs=1e-5)
    assert set(texts[1:]) == {"not tried yet"}


def test_a_weak_variant_has_colours_of_its_own():
    grid = Grid([0.3, 0.6], [0.1, 0.2], [3, 4], ["R", "A"], ["degree"])
    both = sweep(nx.barbell_graph(6, 5), grid, ["gap"])
    for number, variant in enumerate(grid.variants):
        table = both.values["gap"][number]
        scales = {
            (heat.zmin, heat.zmax)
            for T in grid.iterations
            for heat in [clickable_map(both, "gap", Cell(variant, "degree", 0.3, 0.1, T)).data[0]]
        }
        [(low, high)] = scales
        width = table.max() - table.min()
        assert table.min() - 0.1 * width < low < table.min()
        assert table.max() < high < table.max() + 0.1 * width
