"""Sweeps over vertices: every cell as a separate fit, stopped cleanly, refused early."""

from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, MessagePassingNodeKernel, orbits, verdict
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, KernelOverflowError
from mpgk_core.recovery.points import kernel_points
from mpgk_core.tuning import SCORES, Grid, sweep
from mpgk_core.tuning.cell_points import point_source
from mpgk_core.tuning.scores import facts_for
from tests.strategies import FEATURES, graphs

WEIGHTS = st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.8, 2.0]), min_size=1, max_size=3)


def labelled_barbell():
    graph = nx.barbell_graph(6, 5)
    for v in graph:
        graph.nodes[v]["label"] = "clique" if graph.degree(v) > 2 else "path"
    return graph


def assert_cells_equal_separate_fits(graph, grid, names, **options):
    prepared = GraphSet.from_networkx(graph)
    facts = facts_for(prepared, names, **options)
    found = sweep(prepared, grid, names, **options)
    assert found.is_complete
    for place in product(*map(range, grid.shape)):
        cell = grid.cell(place)
        kernel = grid.node_kernel(cell).fit(prepared)
        points = kernel_points(prepared, kernel, cell.T)
        for name in names:
            expected = SCORES[name].compute(points, facts)
            assert found.values[name][place] == pytest.approx(expected, rel=1e-9, abs=1e-9), cell


@settings(max_examples=40)
@given(
    graphs(min_vertices=1),
    st.sampled_from("RA"),
    FEATURES,
    WEIGHTS,
    WEIGHTS,
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
    st.booleans(),
)
def test_points_of_every_cell_are_those_of_a_separate_fit(
    graph, variant, features, alphas, betas, iterations, normalize
):
    prepared = GraphSet.from_networkx(graph)
    grid = Grid(alphas, betas, iterations, [variant], [features], normalize)
    source = point_source(prepared, grid, variant, features)
    shared = {}
    for alpha, beta in product(grid.alphas, grid.betas):
        cells = source(alpha, beta)
        for T, cell in zip(grid.iterations, cells, strict=True):
            points = cell.find()
            kernel = MessagePassingNodeKernel(
                variant, alpha, beta, T, features, normalize=normalize
            ).fit(prepared)
            alone = kernel_points(prepared, kernel, T)
            np.testing.assert_array_equal(points.of_vertex, alone.of_vertex)
            between = (points.rows @ points.rows.T).toarray()
            place = points.of_vertex
            np.testing.assert_allclose(
                between[np.ix_(place, place)], kernel.kernel_, rtol=1e-9, atol=1e-9
            )
            if cell.key is not None:
                known = shared.setdefault(cell.key, alone.of_vertex)
                np.testing.assert_array_equal(known, alone.of_vertex)


@pytest.mark.parametrize("normalize", [False, True])
def test_all_scores_of_every_cell_are_those_of_a_separate_fit(normalize):
    grid = Grid(
        [0, 0.3, 0.9], [0, 0.2], [0, 1, 4], ["R", "A"], ["degree", "labels+degree"], normalize
    )
    assert_cells_equal_separate_fits(labelled_barbell(), grid, list(SCORES), n_folds=3)


def test_attributes_with_signs_and_rounding_are_handled_as_in_a_separate_fit():
    graph = nx.Graph()
    for s, leaves in enumerate([[0.1, 0.2, -0.3, 1.0], [0.3, -0.3, 0.0, 1.0], [0.1, 0.2, 0.3]]):
        graph.add_node((s, "middle"), attributes=1.0)
        for i, x in enumerate(leaves):
            graph.add_node((s, i), attributes=x)
            graph.add_edge((s, "middle"), (s, i))
    grid = Grid([0, 0.8], [0.1, 1.0], [1, 2], ["R", "A"], ["attributes"])
    assert_cells_equal_separate_fits(graph, grid, ["points", "recovered", "gap"])


@pytest.mark.parametrize("variant", ["R", "A"])
def test_weights_too_small_for_numbers_count_as_in_a_separate_fit(variant):
    tiny = [0.0, 1e-320, 1e-200, 1e-80, 1e-40, 1.0]
    grid = Grid(tiny, tiny, [1, 4, 8], [variant], ["degree"])
    assert_cells_equal_separate_fits(nx.barbell_graph(4, 5), grid, ["points", "recovered"])


def test_recovered_classes_are_those_of_the_verdict():
    graph = nx.barbell_graph(10, 10)
    grid = Grid([0, 0.5], [0, 0.3], range(7), ["R", "A"], ["degree", "auto"])
    found = sweep(graph, grid)
    for place in product(*map(range, grid.shape)):
        kernel = grid.node_kernel(grid.cell(place)).fit(graph)
        assert found.values["recovered"][place] == verdict(graph, kernel).n_recovered


def test_a_sweep_repeats_itself_and_another_seed_gives_other_folds():
    graph = nx.gnp_random_graph(40, 0.1, seed=3)
    labels = [v % 2 for v in graph]
    grid = Grid([0.5, 1.0], [0.1, 0.2], [1, 2], ["R", "A"])
    one, two, other = (
        sweep(graph, grid, ["accuracy"], labels=labels, random_state=seed) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one.values["accuracy"], two.values["accuracy"])
    assert np.any(one.values["accuracy"] != other.values["accuracy"])


def test_stopping_keeps_what_is_done():
    grid = Grid(iterations=[1, 2, 3], features=["degree"])
    whole = sweep(nx.barbell_graph(4, 3), grid, ["recovered", "gap"])
    for n_parts in (0, 1, 4, 11):
        asked = iter([False] * n_parts)
        part = sweep(
            nx.barbell_graph(4, 3), grid, ["recovered", "gap"], stop=lambda a=asked: next(a, True)
        )
        assert part.n_done == n_parts * 20 * 3
        for name in ("recovered", "gap"):
            done = ~np.isnan(part.values[name])
            np.testing.assert_array_equal(part.values[name][done], whole.values[name][done])


def test_progress_tells_of_every_part_and_nothing_changes_a_sweep():
    seen = []
    whole = sweep(
        nx.barbell_graph(4, 3), None, ["points"], progress=lambda *told: seen.append(told)
    )
    assert [done for done, *_ in seen] == list(range(1, 21))
    assert all(total == 20 and left >= 0 for _, total, left in seen)
    assert seen[-1][2] == 0
    with pytest.raises(ValueError, match="read-only"):
        whole.values["points"][:] = 0


def test_best_cell_has_the_largest_score_and_the_smallest_t():
    grid = Grid([0.2, 0.5], [0.0, 0.2], range(1, 8), features=["degree"])
    found = sweep(nx.barbell_graph(10, 10), grid)
    best = found.best("recovered")
    assert (best.alpha, best.beta, best.T) == (0.2, 0.2, 4)
    assert found.score("recovered", best) == 7
    assert sweep(nx.path_graph(3), grid, stop=lambda: True).best("recovered") is None


def refuse_work(*_):
    raise AssertionError("work began before the checks were done")


@pytest.mark.parametrize(
    ("scores", "labels", "message"),
    [
        (["silhouette"], None, "have none"),
        (["silhouette"], [0, 1], "2 labels"),
        (["silhouette"], [0] * 17, "same label"),
        (["silhouette"], range(17), "label of its own"),
        (["silhouette"], [0, 1] * 8 + [None], "Vertex 16 has no label"),
        (["silhouette"], [0.0, 1.0] * 8 + [float("nan")], "NaN"),
        (["silhouette"], [[0], [1]] * 8 + [[0]], "type list"),
        (["accuracy"], ["a", "b"] * 8 + ["<b>rare"], "label <b>rare"),
    ],
)
def test_labels_that_cannot_work_are_refused_before_any_work(monkeypatch, scores, labels, message):
    monkeypatch.setattr("mpgk_core.tuning.sweeps.point_source", refuse_work)
    with pytest.raises(InvalidGraphError, match=message):
        sweep(nx.barbell_graph(6, 5), Grid(), scores, labels=labels)


@pytest.mark.parametrize("scores", ["recovered", [], ["speed"]])
def test_unknown_scores_are_refused(scores):
    with pytest.raises(InvalidParameterError, match="'scores' parameter of sweep"):
        sweep(nx.path_graph(3), Grid(), scores)


def test_a_gap_between_orbits_needs_two_orbits():
    with pytest.raises(InvalidGraphError, match="one orbit"):
        sweep(nx.petersen_graph(), Grid(), ["gap"])


def test_orbits_of_another_graph_are_refused():
    with pytest.raises(InvalidGraphError, match="orbits are those of 4"):
        sweep(nx.path_graph(3), orbits=orbits(nx.path_graph(4)))


def test_kernels_between_graphs_are_refused():
    with pytest.raises(InvalidParameterError, match="use sweep_sets"):
        sweep(nx.path_graph(3), Grid(variants=["RR"]))


@pytest.mark.parametrize("variant", ["R", "A"])
def test_numbers_beyond_all_bounds_are_refused(variant):
    grid = Grid([1.0, 1e200], [0.1], [1, 5], [variant])
    with pytest.raises(KernelOverflowError):
        sweep(nx.path_graph(3), grid, progress=refuse_work)


def test_missing_features_are_refused():
    with pytest.raises(InvalidGraphError, match="no vertex labels"):
        sweep(nx.path_graph(3), Grid(features=["labels"]), progress=refuse_work)


def test_graphs_with_one_vertex_or_none_have_scores():
    for n in (0, 1):
        found = sweep(nx.empty_graph(n), Grid([0.5], [0.5], [0, 2], ["R", "A"]), ["points"])
        assert np.all(found.values["points"] == n)
