"""Random removal: seeded, nested, independent of the order of the vertices; and its curves."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidParameterError, MessagePassingNodeKernel
from mpgk_core.edits import compare, perturbation_curve, perturbation_steps, without_random_edges
from mpgk_core.edits.perturbation import CURVES, PerturbationTask
from mpgk_core.jobs import run_task
from tests.edits.versions import assert_same, content, editable
from tests.strategies import shuffled


@settings(max_examples=40)
@given(editable(), st.integers(0, 5), st.data())
def test_the_wanted_number_goes_and_each_removal_contains_those_before(graph, seed, data):
    k = data.draw(st.integers(0, graph.n_edges))
    vertices, edges = content(graph)
    some = without_random_edges(graph, k, seed)
    assert content(some)[0] == vertices
    assert content(some)[1] <= edges
    assert some.n_edges == graph.n_edges - k
    if k:
        assert content(some)[1] < content(without_random_edges(graph, k - 1, seed))[1]
    assert_same(some, without_random_edges(graph, k, seed))


@settings(max_examples=40)
@given(editable(), st.integers(0, 5), st.data())
def test_the_order_of_the_vertices_does_not_count(graph, seed, data):
    k = data.draw(st.integers(0, graph.n_edges))
    other = GraphSet.from_networkx(shuffled(graph.to_networkx()[0], seed + 3)[0])
    assert content(without_random_edges(graph, k, seed)) == content(
        without_random_edges(other, k, seed)
    )


def test_every_edge_can_be_hit():
    ring = GraphSet.from_networkx(nx.cycle_graph(5))
    all_edges = content(ring)[1]
    hit = [all_edges - content(without_random_edges(ring, 1, seed))[1] for seed in range(60)]
    assert set().union(*hit) == all_edges


def test_there_must_be_so_many_edges():
    ring = GraphSet.from_networkx(nx.cycle_graph(5))
    assert without_random_edges(ring, 5).n_edges == 0
    for wrong in (6, -1, 1.5):
        with pytest.raises(InvalidParameterError, match=r"'n_edges' parameter .* at most 5"):
            without_random_edges(ring, wrong)
    with pytest.raises(InvalidParameterError, match="'seed' parameter"):
        without_random_edges(ring, 1, seed=-1)


KERNEL = MessagePassingNodeKernel(features="degree", n_iterations=2)
GRAPH = GraphSet.from_networkx(nx.barbell_graph(4, 2))
STEPS, SEEDS = [0, 1, 3], [5, 2]


@pytest.fixture(scope="module")
def curve():
    return perturbation_curve(GRAPH, KERNEL, STEPS, SEEDS)


def test_every_value_is_that_of_a_comparison(curve):
    for i, seed in enumerate(SEEDS):
        for j, k in enumerate(STEPS):
            found = compare(GRAPH, without_random_edges(GRAPH, k, seed), KERNEL)
            assert curve.values["WL"][i, j] == pytest.approx(1 - found.share_recoloured[2])
            for way in ("R", "A"):
                mean = found.similarity(way)[2].mean()
                assert curve.values[way][i, j] == pytest.approx(mean, abs=1e-12)


def test_without_removed_edges_nothing_is_lost(curve):
    for name in CURVES:
        assert (curve.values[name][:, 0] == 1.0).all()
        assert ((curve.values[name] >= -1e-12) & (curve.values[name] <= 1.0)).all()


def test_means_and_bands_run_over_the_seeds(curve):
    assert curve.is_measured.all()
    assert curve.n_rounds == 2
    for name in CURVES:
        table = curve.values[name]
        np.testing.assert_allclose(curve.mean(name), table.mean(axis=0))
        np.testing.assert_array_equal(curve.lowest(name), table.min(axis=0))
        np.testing.assert_array_equal(curve.highest(name), table.max(axis=0))


def test_kernels_are_graded_where_colours_are_brittle():
    """One edge out of a ring: colours change in its sight, similarities hardly do."""
    ring = GraphSet.from_networkx(nx.cycle_graph(12))
    kernel = MessagePassingNodeKernel(features="degree", n_iterations=6)
    lost = perturbation_curve(ring, kernel, [1], [0])
    assert lost.mean("WL")[0] == 0.0
    assert lost.mean("R")[0] > 0.95
    assert 0.0 < lost.mean("A")[0] < 1.0


def test_a_part_of_the_measurements_is_a_part_of_the_curve(curve):
    task = PerturbationTask(GRAPH, KERNEL, tuple(STEPS), tuple(SEEDS))
    results = run_task(task)
    assert len(results) == 6
    for n_done in range(1, 7):
        part = task.curve(dict(list(results.items())[:n_done]))
        assert part.is_measured.sum() == n_done
        np.testing.assert_array_equal(
            part.values["A"][part.is_measured], curve.values["A"][part.is_measured]
        )
    first = task.curve(dict(list(results.items())[:1]))
    assert np.isnan(first.mean("R")).tolist() == [False, True, True]
    assert np.isnan(first.lowest("R")).tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("steps", "seeds", "message"),
    [
        ([], [0], "'steps' parameter of perturbation_curve is empty"),
        ([0], [], "'seeds' parameter of perturbation_curve is empty"),
        ([0, 14], [0], "'steps' parameter .* at least 0 and at most 13"),
        ([2, 1], [0], r"must rise. Got \[2, 1\]"),
        ([1, 1], [0], "must rise"),
        ([0], [-1], "'seeds' parameter"),
    ],
)
def test_wrong_steps_and_seeds_are_refused(steps, seeds, message):
    assert GRAPH.n_edges == 15
    graph = without_random_edges(GRAPH, 2)
    with pytest.raises(InvalidParameterError, match=message):
        perturbation_curve(graph, KERNEL, steps, seeds)


@pytest.mark.parametrize("n_edges", [0, 1, 2, 7, 78, 60_000])
def test_steps_rise_from_nothing_to_half(n_edges):
    steps = perturbation_steps(n_edges)
    assert steps[0] == 0
    assert steps[-1] == (n_edges + 1) // 2
    assert steps == sorted(set(steps))
    assert len(steps) <= 12


def test_a_graph_without_edges_has_a_curve_of_one_point():
    alone = perturbation_curve(GraphSet(np.zeros((2, 2)), [0, 2]), KERNEL)
    assert alone.n_removed.tolist() == [0]
    assert [alone.mean(name)[0] for name in CURVES] == [1.0, 1.0, 1.0]
