"""The map of a page: a point to click in every cell, and a frame around the chosen one."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core.plotting.clickable_map import clickable_map
from mpgk_core.plotting.sweep_figures import heat_map_figure
from mpgk_core.tuning import Cell, Grid, sweep
from mpgk_core.tuning.result import collected

GRID = Grid([0.3, 0.6, 0.9], [0.0, 0.2], [1, 2], ["R"], ["degree"])


def found(n_cells=12):
    whole = sweep(nx.barbell_graph(4, 3), GRID, ["gap"])
    places = [(*line, T) for line in GRID.lines() for T in range(2)][:n_cells]
    cells = [(place, {"gap": whole.values["gap"][place]}) for place in places]
    return collected(GRID, whole.titles, cells)


@pytest.mark.parametrize("alpha", GRID.alphas)
@pytest.mark.parametrize("beta", GRID.betas)
def test_the_frame_is_around_the_cell_and_clicks_tell_their_place(alpha, beta):
    cell = Cell("R", "degree", alpha, beta, 2)
    figure = clickable_map(found(), "gap", cell)
    heat, _, points = figure.data
    np.testing.assert_array_equal(heat.z, heat_map_figure(found(), "gap", cell).data[0].z)
    for (a, b), x, y in zip(points.customdata, points.x, points.y, strict=True):
        assert (x, y) == (f"{b:g}", f"{a:g}")
    assert len(points.x) == np.size(heat.z)
    for frame in figure.layout.shapes:
        assert (frame.x0 + frame.x1) / 2 == GRID.betas.index(beta)
        assert (frame.y0 + frame.y1) / 2 == GRID.alphas.index(alpha)


def test_points_say_the_score_or_that_there_is_none():
    texts = clickable_map(found(2), "gap", Cell("R", "degree", 0.3, 0.0, 1)).data[2].text
    assert float(texts[0]) == pytest.approx(found().values["gap"][0, 0, 0, 0, 0], abs=1e-5)
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
