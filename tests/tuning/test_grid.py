"""Grids: what they accept, and how cells and places correspond."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import InvalidParameterError
from mpgk_core.tuning import Cell, Grid

NUMBERS = st.lists(st.floats(0, 10), min_size=1, max_size=4)


@given(NUMBERS, NUMBERS, st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_cells_and_places_correspond(alphas, betas, iterations):
    grid = Grid(alphas, betas, iterations, variants=["A", "R"], features=["degree", "core-number"])
    places = list(product(*map(range, grid.shape)))
    cells = [grid.cell(place) for place in places]
    assert [grid.index(cell) for cell in cells] == places
    assert len(set(cells)) == len(cells)
    assert {cell.alpha for cell in cells} == set(alphas)
    assert {cell.T for cell in cells} == set(iterations)
    assert grid.alphas == tuple(sorted(set(alphas)))


@given(NUMBERS, NUMBERS)
def test_lines_reach_every_cell_once(alphas, betas):
    grid = Grid(alphas, betas, [1, 3], variants=["R", "A"], features=["degree", "auto"])
    reached = np.zeros(grid.shape)
    for line in grid.lines():
        reached[line] += 1
    assert np.all(reached == 1)


def test_default_is_twenty_by_twenty_by_eight():
    grid = Grid()
    assert grid.shape == (1, 1, 20, 20, 8)
    assert (grid.alphas[0], grid.alphas[-1], grid.iterations[-1]) == (0.05, 1.0, 8)


def test_equal_values_make_equal_grids():
    one = Grid(np.array([0.5, 1.0]), [1, 2], range(3))
    assert one == Grid([1.0, 0.5, 0.5], (2.0, 1.0), [2, 1, 0])
    assert hash(one) == hash(Grid([0.5, 1], [1, 2], [0, 1, 2]))


def test_kernel_of_a_cell_has_its_parameters():
    grid = Grid(normalize=True, branching=3, depth=5, random_state=7, edges="both")
    kernel = grid.node_kernel(Cell("A", "degree", 0.3, 0.4, 6))
    assert kernel.get_params() == {
        "neighbourhood": "A",
        "features": "degree",
        "alpha": 0.3,
        "beta": 0.4,
        "n_iterations": 6,
        "normalize": True,
        "branching": 3,
        "depth": 5,
        "random_state": 7,
        "edges": "both",
    }


@pytest.mark.parametrize(
    "bad",
    [
        {"alphas": []},
        {"alphas": 0.5},
        {"alphas": "0.5"},
        {"alphas": [0.5, -0.1]},
        {"alphas": [0.5, "x"]},
        {"alphas": [[0.5]]},
        {"alphas": [float("nan")]},
        {"betas": [float("inf")]},
        {"betas": [None]},
        {"iterations": [1, 2.5]},
        {"iterations": [-1]},
        {"iterations": [True]},
        {"variants": ["B"]},
        {"variants": ["R", "RR"]},
        {"variants": "R"},
        {"features": [len]},
        {"normalize": "yes"},
        {"branching": 1},
        {"depth": 0},
        {"random_state": -1},
    ],
)
def test_bad_values_are_refused(bad):
    with pytest.raises(InvalidParameterError):
        Grid(**bad)


def test_a_cell_outside_the_grid_is_refused():
    with pytest.raises(InvalidParameterError, match="'alpha' parameter of Cell"):
        Grid(alphas=[0.5]).index(Cell("R", "auto", 0.7, 0.2, 1))
