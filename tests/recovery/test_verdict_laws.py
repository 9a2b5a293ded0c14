"""What holds for the verdict on any graph."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import MessagePassingNodeKernel
from mpgk_core.recovery.confusion import Reason
from mpgk_core.recovery.verdict import verdict
from tests.recovery.test_verdict import judged
from tests.strategies import FEATURES, graphs, shuffled

WITHOUT_LABELS = st.sampled_from(
    ["constant", "degree", "log-degree", "triangles", "core-number+clustering"]
)
KERNELS = st.fixed_dictionaries(
    {
        "neighbourhood": st.sampled_from("RA"),
        "alpha": st.sampled_from([0.0, 0.8]),
        "beta": st.sampled_from([0.0, 0.2]),
        "n_iterations": st.integers(0, 3),
        "normalize": st.booleans(),
        "depth": st.sampled_from([1, 8]),
    }
)


def told(found):
    """Return all that is said about confusions, in an order of its own."""
    return sorted((c.reason, c.explanation, c.suggestion or "") for c in found.confusions)


@given(graphs(max_vertices=7), WITHOUT_LABELS, KERNELS)
def test_equivalent_vertices_always_share_a_point(graph, features, settings):
    found = judged(graph, features=features, **settings)
    pairs = set(zip(found.orbit_of_vertex.tolist(), found.point_of_vertex.tolist(), strict=True))
    assert len(pairs) == found.n_orbits
    assert found.largest_spread == 0.0
    assert found.split_orbits == ()


@given(graphs(min_vertices=1), FEATURES, KERNELS)
def test_numbers_of_a_verdict_fit_together(graph, features, settings):
    found = judged(graph, features=features, **settings)
    assert found.n_recovered <= min(found.n_orbits, found.n_points)
    assert found.is_complete == (not found.confusions and not found.split_orbits)
    of_vertex = dict(enumerate(found.point_of_vertex.tolist()))
    assert sorted(set(of_vertex.values())) == list(range(found.n_points))
    for confusion in found.confusions:
        assert len(confusion.vertices_by_orbit) >= 2
        for orbit, vertices in confusion.vertices_by_orbit.items():
            assert {of_vertex[v] for v in vertices.tolist()} == {confusion.point}
            assert {found.orbit_of_vertex[v] for v in vertices} == {orbit}


@given(graphs(min_vertices=1), FEATURES, KERNELS)
def test_every_shared_point_is_explained(graph, features, settings):
    found = judged(graph, features=features, **settings)
    pairs = set(zip(found.point_of_vertex.tolist(), found.orbit_of_vertex.tolist(), strict=True))
    shared = {p for p, _ in pairs if sum(p == q for q, _ in pairs) > 1}
    assert {c.point for c in found.confusions} == shared


@given(graphs(min_vertices=1), FEATURES, KERNELS.filter(lambda k: k["alpha"] > 0))
def test_points_part_with_every_round_and_never_meet(graph, features, settings):
    kernel = MessagePassingNodeKernel(features=features, **settings).fit(graph)
    for t in range(settings["n_iterations"]):
        before, after = (verdict(graph, kernel, s).point_of_vertex for s in (t, t + 1))
        assert len(set(zip(before, after, strict=True))) == len(set(after))


@given(graphs(min_vertices=1), FEATURES, KERNELS, st.integers(0, 50))
def test_the_verdict_does_not_depend_on_the_order_of_vertices(graph, features, settings, seed):
    moved, order = shuffled(graph, seed)
    first, second = (judged(g, features=features, **settings) for g in (graph, moved))
    same = set(zip(first.point_of_vertex[order], second.point_of_vertex, strict=True))
    assert len(same) == first.n_points == second.n_points
    assert told(first) == told(second)


@given(graphs(min_vertices=1, max_vertices=7), st.integers(0, 2))
def test_as_many_rounds_as_advised_leave_nothing_to_wait_for(graph, t):
    found = judged(graph, features="constant", n_iterations=t)
    needed = max((c.n_rounds for c in found.confusions if c.n_rounds), default=t)
    later = judged(graph, features="constant", n_iterations=needed)
    assert Reason.TOO_FEW_ROUNDS not in {c.reason for c in later.confusions}
    if needed > t:
        sooner = judged(graph, features="constant", n_iterations=needed - 1)
        waiting = {Reason.TOO_FEW_ROUNDS, Reason.NO_ROUNDS}
        assert waiting & {c.reason for c in sooner.confusions}


@given(graphs(min_vertices=2), FEATURES, KERNELS)
def test_the_gap_is_that_of_the_kernel_matrix(graph, features, settings):
    kernel = MessagePassingNodeKernel(features=features, **settings).fit(graph)
    found = verdict(graph, kernel)
    k, own = kernel.kernel_, kernel.kernel_.diagonal()
    distances = np.sqrt(np.maximum(own[:, np.newaxis] + own - 2 * k, 0.0))
    point, orbit = found.point_of_vertex, found.orbit_of_vertex
    apart = np.not_equal.outer(point, point) & np.not_equal.outer(orbit, orbit)
    gap = distances[apart].min() if apart.any() else None
    if found.smallest_gap is None or gap is None:
        assert found.smallest_gap is gap is None
    else:
        assert found.smallest_gap == pytest.approx(gap, abs=1e-6)
    within = np.equal.outer(orbit, orbit)
    assert found.largest_spread == pytest.approx(distances[within].max(), abs=1e-6)
