"""A cluster gives the same numbers as one process."""

import joblib
import pytest

from mpgk_core.evaluation import Journal, evaluate
from tests.evaluation.small_sets import QUICK, noisy_set
from tests.evaluation.test_run import facts


def test_two_dask_workers_equal_one_process(tmp_path):
    distributed = pytest.importorskip("distributed")
    graphs, classes = noisy_set()
    serial = evaluate(graphs, classes, "WL", QUICK)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        spread = evaluate(graphs, classes, "WL", QUICK, journal=Journal(tmp_path / "journal.jsonl"))
    assert facts(spread) == facts(serial)
