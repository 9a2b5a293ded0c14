"""Sweeps in a process of their own: the same numbers, ended early, and continued."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet
from mpgk_core.errors import UnreadableFileError
from mpgk_core.evaluation.job_folder import job_progress
from mpgk_core.tuning import Grid, ScoredCell, sweep, sweep_sets
from mpgk_core.tuning.cell_log import CellLog
from mpgk_core.tuning.job import SweepTask, prepare_sweep, start_sweep, sweep_so_far
from tests.evaluation.small_sets import noisy_set

GRID = Grid([0.2, 0.5], [0.1, 0.2], [1, 2], ["R", "A"], ["degree"])
TASK = SweepTask(GraphSet.from_networkx(nx.barbell_graph(4, 3)), GRID, ("gap", "points"))
CELLS = [ScoredCell((0, 0, 0, 0, t), {"gap": t / 3, "points": t}) for t in range(2)]


def run(folder, task):
    log = folder / "cells.jsonl"
    prepare_sweep(folder, log, task)
    assert start_sweep(folder).wait(timeout=240) == 0
    return sweep_so_far(log, task)


def test_a_job_goes_on_and_gives_the_numbers_of_a_direct_call(tmp_path):
    whole = sweep(TASK.graphs, GRID, TASK.scores)
    marks = {"gap": -1.0, "points": -1.0}
    CellLog(tmp_path / "cells.jsonl").append([ScoredCell((0, 0, 0, 0, 0), marks)])
    found = run(tmp_path, TASK)
    assert found.is_complete
    for name in TASK.scores:
        assert found.values[name][0, 0, 0, 0, 0] == -1.0
        np.testing.assert_array_equal(found.values[name].flat[1:], whole.values[name].flat[1:])
    progress = job_progress(tmp_path)
    assert (progress.done, progress.total, progress.is_finished) == (16, 16, True)
    assert progress.seconds_left == 0


def test_a_set_is_swept_under_its_protocol(tmp_path):
    graphs, classes = noisy_set()
    grid = Grid([0.5], [0.1], [1], ["RR"], ["labels"])
    task = SweepTask(graphs, grid, classes=tuple(classes), n_folds=3)
    steps = [cell.scores for cell in task.steps()]
    assert [dict(scores) for scores in steps] == [
        {"accuracy": run(tmp_path, task).values["accuracy"].item()}
    ]
    assert task.titles == sweep_sets(graphs, classes, grid, stop=lambda: True).titles


def test_a_problem_is_told(tmp_path):
    found = run(tmp_path, SweepTask(TASK.graphs, GRID, ("accuracy",)))
    assert found.n_done == 0
    assert "labels" in job_progress(tmp_path).problem


def test_nothing_is_computed_while_looking(tmp_path):
    prepare_sweep(tmp_path, tmp_path / "cells.jsonl", TASK)
    assert sweep_so_far(tmp_path / "cells.jsonl", TASK).n_done == 0
    assert job_progress(tmp_path).total == 16


def test_a_line_that_was_cut_off_is_not_read_and_then_removed(tmp_path):
    log = CellLog(tmp_path / "deep" / "cells.jsonl")
    log.append(CELLS[:1])
    with log.path.open("ab") as file:
        file.write(b"[[0, 0, 0")
    assert log.cells() == CELLS[:1]
    log.append(CELLS[1:])
    assert log.cells() == CELLS


@pytest.mark.parametrize("line", [b"no json\n", b"3\n", b'["ab", {}]\n', b"[[0], 5]\n"])
def test_other_damage_is_an_error_that_says_where(tmp_path, line):
    log = CellLog(tmp_path / "cells.jsonl")
    log.append(CELLS)
    with log.path.open("ab") as file:
        file.write(line)
    with pytest.raises(UnreadableFileError, match="line 3"):
        log.cells()
