"""Sweeps in portions: the same numbers in any order, resumed from wherever they were."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, orbits
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.jobs import Store, run_task
from mpgk_core.tuning import (
    SCORES,
    Cell,
    Grid,
    SetSweepTask,
    VertexSweepTask,
    score_problems,
    sweep,
    sweep_sets,
)
from mpgk_core.tuning.grid import collected
from tests.evaluation.small_sets import QUICK, noisy_set

GRAPH = nx.barbell_graph(4, 3)
GRID = Grid([0.2, 0.5], [0.1, 0.2], [1, 2, 3], ["R", "A"], ["degree"])
NAMES = ["recovered", "gap"]
TITLES = {name: SCORES[name].title for name in NAMES}
ALL = list(np.ndindex(*GRID.shape))


def test_portions_in_any_order_give_the_cells_of_a_direct_call():
    large = GraphSet.from_networkx(nx.disjoint_union_all([GRAPH] * 800))
    task = VertexSweepTask(large, GRID, ("points",))
    assert len(task.units()) == 8
    results = {unit: task.run(unit, {}) for unit in reversed(task.units())}
    whole, found = sweep(large, GRID, ["points"]), task.sweep(results)
    np.testing.assert_array_equal(whole.values["points"], found.values["points"])
    part = task.sweep({task.units()[3]: results[task.units()[3]]})
    assert part.n_done == len(GRID.iterations)
    done = ~np.isnan(part.values["points"])
    np.testing.assert_array_equal(part.values["points"][done], whole.values["points"][done])


def test_a_set_is_swept_fold_by_fold_and_resumed(tmp_path):
    graphs, classes = noisy_set()
    grid = Grid([0.5], [0.1, 0.2], [1, 2], ["RR"], ["labels"])
    whole = sweep_sets(graphs, classes, grid, QUICK.quick())
    task = SetSweepTask(graphs, tuple(classes), grid, QUICK.quick())
    asked = iter([False] * 4)
    with Store(tmp_path / "results.sqlite") as store:
        part = task.sweep(run_task(task, store, stop=lambda: next(asked, True)))
        assert part.n_done == 2
        found = task.sweep(run_task(task, store))
    np.testing.assert_array_equal(found.values["accuracy"], whole.values["accuracy"])


def test_what_cannot_work_is_refused():
    with pytest.raises(InvalidGraphError, match="labels"):
        sweep(GRAPH, GRID, ["accuracy"])
    with pytest.raises(InvalidParameterError, match="between vertices"):
        sweep_sets(*noisy_set(), GRID)


def test_rows_hold_every_tried_cell_with_all_scores():
    whole = sweep(GRAPH, GRID, NAMES)
    assert len(whole.rows()) == whole.n_cells
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
