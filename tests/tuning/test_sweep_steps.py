"""Sweeps cell by cell: the same numbers, continued from wherever they were."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import orbits
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.tuning import (
    SCORES,
    Cell,
    Grid,
    score_problems,
    sweep,
    sweep_sets,
    sweep_sets_steps,
    sweep_steps,
)
from mpgk_core.tuning.record import collected
from tests.evaluation.small_sets import QUICK, noisy_set

GRAPH = nx.barbell_graph(4, 3)
GRID = Grid([0.2, 0.5], [0.1, 0.2], [1, 2, 3], ["R", "A"], ["degree"])
NAMES = ["recovered", "gap"]
TITLES = {name: SCORES[name].title for name in NAMES}
ALL = list(np.ndindex(*GRID.shape))


@settings(max_examples=15, deadline=None)
@given(st.sets(st.sampled_from(ALL)))
def test_what_is_known_is_not_tried_again_and_the_rest_is_the_same(known):
    whole = sweep(GRAPH, GRID, NAMES)
    cells = list(sweep_steps(GRAPH, GRID, NAMES, known=known))
    assert sorted([cell.place for cell in cells] + sorted(known)) == ALL
    part = collected(GRID, TITLES, cells)
    for name in NAMES:
        for place in ALL:
            expected = np.nan if place in known else whole.values[name][place]
            np.testing.assert_equal(part.values[name][place], expected)


def test_steps_of_a_set_go_on_where_they_were():
    graphs, classes = noisy_set()
    grid = Grid([0.5], [0.1, 0.2], [1, 2], ["RR"], ["labels"])
    whole = sweep_sets(graphs, classes, grid, QUICK.quick())
    known = [(0, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 0, 0, 1, 1)]
    [last] = sweep_sets_steps(graphs, classes, grid, QUICK.quick(), known=known)
    assert last.place == (0, 0, 0, 1, 0)
    assert last.scores["accuracy"] == whole.values["accuracy"][last.place]


def test_what_cannot_work_is_refused_before_the_first_cell():
    with pytest.raises(InvalidGraphError, match="labels"):
        sweep_steps(GRAPH, GRID, ["accuracy"])
    with pytest.raises(InvalidParameterError, match="between vertices"):
        sweep_sets_steps(*noisy_set(), GRID)


def test_rows_hold_every_tried_cell_with_all_scores():
    whole = sweep(GRAPH, GRID, NAMES)
    part = collected(GRID, TITLES, list(sweep_steps(GRAPH, GRID, NAMES))[:7])
    assert len(whole.rows()) == whole.n_cells
    assert len(part.rows()) == 7
    for row in whole.rows():
        cell = Cell(*(row[field] for field in Cell._fields))
        assert {name: row[name] for name in NAMES} == {
            name: whole.score(name, cell) for name in NAMES
        }


@pytest.mark.parametrize("variant", GRID.variants)
@pytest.mark.parametrize("T", GRID.iterations)
def test_best_of_a_map_is_the_best_of_its_cells(variant, T):
    whole = sweep(GRAPH, GRID, NAMES)
    shown = Cell(variant, "degree", 0.5, 0.2, T)
    cells = [shown._replace(alpha=a, beta=b) for a in GRID.alphas for b in GRID.betas]
    expected = max(cells, key=lambda cell: whole.score("gap", cell))
    assert whole.best_of_map("gap", shown) == expected


def test_an_empty_map_has_no_best_cell():
    assert collected(GRID, TITLES, []).best_of_map("gap", GRID.cell(ALL[0])) is None


def labelled(labels):
    graph = nx.path_graph(len(labels))
    nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    return graph


@pytest.mark.parametrize(
    ("graph", "missing"),
    [
        (nx.path_graph(4), {"silhouette", "accuracy"}),
        (nx.cycle_graph(4), {"silhouette", "accuracy", "gap"}),
        (labelled("aabb"), {"accuracy"}),
        (labelled("aaaaabbbbb"), set()),
        (labelled("aaaa"), {"silhouette", "accuracy"}),
    ],
)
def test_scores_with_a_problem_are_those_that_a_sweep_refuses(graph, missing):
    problems = score_problems(graph)
    assert problems == score_problems(graph, orbits(graph))
    assert {name for name, problem in problems.items() if problem} == missing
    grid = Grid([0.5], [0.5], [1], features=["degree"])
    for name, problem in problems.items():
        if problem:
            with pytest.raises(InvalidGraphError) as refusal:
                sweep(graph, grid, [name])
            assert str(refusal.value) == problem
        else:
            assert sweep(graph, grid, [name]).is_complete
