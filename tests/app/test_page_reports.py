"""Reports of the pages: figures, numbers and parameters, and no foreign markup."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingGraphKernel, kernel_pca
from mpgk_core.evaluation.nystroem_quality import nystroem_quality
from mpgk_core.explain import explain_four_variants
from mpgk_core.export import (
    GivenGraph,
    GivenSet,
    KernelParameters,
    LandmarkStudy,
    PairStudy,
    SweepStudy,
    VariantStudy,
)
from mpgk_core.graphs import as_graph_set
from mpgk_core.tuning import Grid, VertexSweepTask, sweep
from mpgk_core.tuning.grid import collected
from ui.sources.sets import ChosenSet
from ui.tuning.export import tuning_report
from ui.tuning.views import SweepView
from ui.variants.export import landmark_report, pair_report, set_report

EVIL = "<img src=x onerror=alert(1)>"
KERNEL = KernelParameters(n_iterations=2, features="degree", random_state=41)
GRAPHS = as_graph_set(
    [GraphSet.from_networkx(nx.path_graph(["a", "b", EVIL, n])) for n in range(6)]
)
CLASSES = (EVIL, "b") * 3
SET = GivenSet(EVIL, GRAPHS, CLASSES)
CHOSEN = ChosenSet(EVIL, GRAPHS, CLASSES, EVIL, SET)


def kernel(variant="AA"):
    return MessagePassingGraphKernel(variant, **KERNEL.passing())


def pair_page():
    return pair_report(
        PairStudy(SET, KERNEL, (0, 1)), explain_four_variants(GRAPHS, 0, 1, kernel())
    )


def set_page():
    planes = {v: kernel_pca(kernel(v).fit_transform(GRAPHS), 2).points for v in ("RR", "AA")}
    return set_report(VariantStudy(SET, KERNEL), CHOSEN, planes)


def landmark_page():
    found = list(nystroem_quality(GRAPHS, (2, 3), **KERNEL.passing()))
    return landmark_report(LandmarkStudy(SET, (2, 3), kernel=KERNEL), CHOSEN, found)


def tuning_page():
    grid = Grid((0.5, 1), (0, 0.3), (1, 2), features=("degree",), random_state=41)
    study = SweepStudy(GivenGraph(EVIL, GRAPHS[0]), grid, ("recovered", "points"))
    found = sweep(GRAPHS[0], grid, study.scores)
    best = found.best("points")
    task = VertexSweepTask(GRAPHS[0], grid, study.scores)
    return tuning_report(study, found, SweepView("points", best._replace(T=1), best), task)


@pytest.mark.parametrize(
    ("page", "n_figures", "words"),
    [
        (pair_page, 8, ["0 and 1, counted from 0", "contributions</caption>"]),
        (set_page, 1, ['<td class="number">6</td>', "AA, axis 2"]),
        (landmark_page, 2, ["<td>2, 3</td>", "spread missed"]),
        (tuning_page, 3, ["<td>0.5, 1.0</td>", "best by distinct points", "8 of 8 cells"]),
    ],
)
def test_a_page_is_reported_with_its_parameters(page, n_figures, words):
    text = page()
    assert text.count('class="plot"') == n_figures
    assert '<td>random_state</td><td class="number">41</td>' in text
    assert EVIL not in text
    assert "&lt;img src=x onerror" in text
    for word in words:
        assert word in text


def test_a_sweep_that_has_only_begun_is_reported():
    grid = Grid((0.5, 1), (0, 0.3), (1, 2), features=("degree",))
    study = SweepStudy(GivenGraph("path", GRAPHS[0]), grid, ("points",))
    found = collected(grid, {"points": "Distinct points"}, [((0, 0, 0, 0, 0), {"points": 2.0})])
    assert found.n_done == 1
    other = grid.cell((0, 0, 1, 1, 1))
    assert np.isnan(found.score("points", other))
    view = SweepView("points", other, found.best("points"))
    text = tuning_report(study, found, view, VertexSweepTask(GRAPHS[0], grid, study.scores))
    assert "1 of 8 cells" in text
    assert "not tried yet" in text
