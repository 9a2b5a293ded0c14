"""The verdict on known graphs, with a known reason for every confusion."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import (
    InvalidGraphError,
    InvalidParameterError,
    MessagePassingNodeKernel,
    NotFittedError,
    orbits,
)
from mpgk_core.recovery import Reason, verdict, verdicts
from tests.strategies import FEATURES, graphs, shuffled


def judged(graph, **settings):
    return verdict(graph, MessagePassingNodeKernel(**settings).fit(graph))


def confused(found):
    """Return all confused vertices, with the reason, for graphs with one confusion per point."""
    return {
        tuple(sorted(np.concatenate(list(c.vertices_by_orbit.values())).tolist())): c.reason
        for c in found.confusions
    }


def relabelled(graph, labels):
    nx.set_node_attributes(graph, dict(zip(graph, labels, strict=True)), "label")
    return graph


def test_a_barbell_is_recovered_after_five_rounds():
    found = judged(nx.barbell_graph(10, 10), n_iterations=5, features="degree")
    assert found.summary == "7 of 7 classes recovered"
    assert found.is_complete
    assert found.orbits_proven
    assert (found.n_orbits, found.n_points, found.n_recovered) == (7, 7, 7)
    assert found.confusions == found.split_orbits == ()
    assert found.largest_spread == 0.0
    assert 1.0 < found.smallest_gap < 2.0


def test_every_round_tells_one_more_class_of_a_barbell_apart():
    barbell = nx.barbell_graph(10, 10)
    kernel = MessagePassingNodeKernel(n_iterations=5, features="degree").fit(barbell)
    known = orbits(barbell)
    points = [verdict(barbell, kernel, t, known).n_points for t in range(6)]
    assert points == [3, 4, 5, 6, 7, 7]


def test_orbits_that_coincide_have_no_gap():
    barbell = nx.barbell_graph(10, 10)
    kernel = MessagePassingNodeKernel(n_iterations=5, features="degree").fit(barbell)
    gaps = [verdict(barbell, kernel, t).smallest_gap for t in range(6)]
    assert gaps[:4] == [0.0] * 4
    assert 0.0 < gaps[4] < gaps[5]
    assert judged(nx.frucht_graph()).smallest_gap == 0.0


def test_too_few_rounds_on_a_barbell():
    barbell = nx.barbell_graph(10, 10)
    found = judged(barbell, n_iterations=2, features="degree")
    assert found.summary == "4 of 7 classes recovered"
    assert confused(found) == {(12, 13, 14, 15, 16, 17): Reason.TOO_FEW_ROUNDS}
    confusion = found.confusions[0]
    assert [v.tolist() for v in confusion.vertices_by_orbit.values()] == [
        [12, 17],
        [13, 16],
        [14, 15],
    ]
    assert confusion.explanation == (
        "T is too small. The differences are up to 4 steps away, so T = 4 would show them."
    )
    assert confusion.suggestion == "Try T = 4."
    assert not judged(barbell, n_iterations=3, features="degree").is_complete
    assert judged(barbell, n_iterations=confusion.n_rounds, features="degree").is_complete


def test_before_the_first_round_only_the_features_count():
    found = judged(nx.path_graph(5), n_iterations=0)
    assert confused(found) == {(1, 2, 3): Reason.NO_ROUNDS}
    assert found.confusions[0].explanation.endswith(
        "The difference is 1 step away, so T = 1 would show it."
    )


def test_without_messages_only_the_features_count():
    barbell = nx.barbell_graph(10, 10)
    found = judged(barbell, beta=0.0, n_iterations=2, features="degree")
    assert confused(found) == {tuple(range(10, 20)): Reason.NO_MESSAGES}
    assert found.confusions[0].suggestion == "Try beta = 0.2 and T = 4."
    assert found.confusions[0].explanation == Reason.NO_MESSAGES.explanation
    later = judged(barbell, beta=0.0, n_iterations=5, features="degree")
    assert later.confusions[0].suggestion == "Try beta = 0.2."


def test_a_cycle_is_one_point():
    found = judged(nx.cycle_graph(8), features="degree")
    assert found.summary == "1 of 1 classes recovered"
    assert found.is_complete
    assert found.smallest_gap is None


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
def test_the_karate_club_is_recovered_after_one_round(neighbourhood):
    club = nx.Graph(nx.karate_club_graph().edges)
    assert judged(club, neighbourhood=neighbourhood, n_iterations=0).n_points == 11
    found = judged(club, neighbourhood=neighbourhood, n_iterations=1)
    assert found.summary == "27 of 27 classes recovered"


def test_messages_in_a_regular_graph_are_all_the_same():
    found = judged(nx.frucht_graph(), n_iterations=2)
    assert (found.n_orbits, found.n_points, found.n_recovered) == (12, 1, 0)
    assert confused(found) == {tuple(range(12)): Reason.REGULAR_GRAPH}
    assert found.confusions[0].suggestion == (
        "Add triangles or clustering coefficients to the features and take T = 4: "
        "this tells all of them apart."
    )
    better = judged(nx.frucht_graph(), n_iterations=4, features="degree+triangles")
    assert better.summary == "12 of 12 classes recovered"


def test_two_triangles_and_a_hexagon_share_a_point():
    rings = nx.disjoint_union_all(map(nx.cycle_graph, [3, 3, 6]))
    found = judged(rings, features="constant")
    assert (found.n_orbits, found.n_points) == (2, 1)
    assert confused(found) == {tuple(range(12)): Reason.REGULAR_GRAPH}
    assert "triangles" in found.confusions[0].suggestion
    assert judged(rings, features="triangles").is_complete


def test_no_suggestion_where_no_feature_helps():
    rings = nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(5))
    found = judged(rings)
    assert confused(found) == {tuple(range(9)): Reason.REGULAR_GRAPH}
    assert found.confusions[0].suggestion is None


def test_circular_skip_links_of_different_jumps_share_a_point():
    graph = nx.disjoint_union(nx.circulant_graph(41, [1, 9]), nx.circulant_graph(41, [1, 2]))
    found = judged(graph)
    assert (found.n_orbits, found.n_points) == (2, 1)
    assert found.confusions[0].reason is Reason.REGULAR_GRAPH
    assert found.confusions[0].suggestion.startswith("Add triangles or clustering")


def rings_with_tails():
    """Two rings of four and one of eight; every ring vertex has a leaf."""
    rings = nx.disjoint_union_all(map(nx.cycle_graph, [4, 4, 8]))
    rings.add_edges_from((v, v + 16) for v in range(16))
    return rings


def test_refinement_can_be_blind_where_the_graph_is_not_regular():
    found = judged(rings_with_tails())
    assert (found.n_orbits, found.n_points, found.n_recovered) == (4, 2, 0)
    assert confused(found) == {
        tuple(range(16)): Reason.REFINEMENT_IS_BLIND,
        tuple(range(16, 32)): Reason.REFINEMENT_IS_BLIND,
    }
    assert all(c.suggestion is None for c in found.confusions)


def test_a_point_can_be_confused_for_two_reasons():
    found = judged(rings_with_tails(), features="constant", n_iterations=0)
    assert [c.reason for c in found.confusions] == [
        Reason.NO_ROUNDS,
        Reason.REFINEMENT_IS_BLIND,
        Reason.REFINEMENT_IS_BLIND,
    ]
    assert [len(c.vertices_by_orbit) for c in found.confusions] == [4, 2, 2]
    assert found.confusions[0].n_rounds == 1


def test_a_feature_that_helps_a_little_says_so():
    rings = nx.disjoint_union_all(map(nx.cycle_graph, [3, 4, 5]))
    assert judged(rings).confusions[0].suggestion.endswith("this tells some of them apart.")


def test_a_kernel_without_memory_forgets():
    star = nx.star_graph(2)
    found = judged(star, alpha=0.0, n_iterations=1)
    assert confused(found) == {(0, 1, 2): Reason.NO_MEMORY}
    assert found.confusions[0].suggestion == "Try alpha = 0.5."
    assert judged(star, alpha=0.5, n_iterations=1).is_complete


def test_a_coarse_hierarchy_loses_what_refinement_sees():
    barbell = nx.barbell_graph(10, 10)
    found = judged(barbell, neighbourhood="A", depth=1, branching=2)
    assert confused(found) == {tuple(range(10, 20)): Reason.COARSE_HIERARCHY}
    assert found.confusions[0].suggestion == "Try depth = 8."
    assert judged(barbell, neighbourhood="A", depth=8, branching=2).is_complete


def path_and_broom():
    """Vertices 2 and 6 have neighbours of degrees 2 + 2 and 1 + 3."""
    return nx.disjoint_union(nx.path_graph(5), nx.Graph([(0, 1), (1, 2), (2, 3), (2, 4)]))


def test_sums_can_hide_different_neighbours():
    found = judged(path_and_broom(), n_iterations=1)
    lost = [c for c in found.confusions if c.reason is Reason.EQUAL_SUMS]
    assert [v.tolist() for v in lost[0].vertices_by_orbit.values()] == [[2], [6]]
    assert lost[0].suggestion == "Try neighbourhood = A."
    better = judged(path_and_broom(), n_iterations=1, neighbourhood="A").point_of_vertex
    assert better[2] != better[6]


def test_normalisation_hides_lengths():
    found = judged(nx.star_graph(3), n_iterations=0, normalize=True)
    assert confused(found) == {(0, 1, 2, 3): Reason.ONLY_DIRECTIONS}
    assert found.confusions[0].suggestion == "Try normalize = False."


def test_two_losses_at_once_need_two_changes():
    found = judged(nx.path_graph(4), alpha=0.0, beta=0.0, n_iterations=1, normalize=True)
    assert found.confusions[0].reason is Reason.ONLY_DIRECTIONS
    assert found.confusions[0].suggestion == "Try normalize = False and alpha = 0.5."
    better = judged(nx.path_graph(4), alpha=0.5, beta=0.0, n_iterations=1, normalize=False)
    assert better.is_complete


def test_labels_split_an_orbit_without_confusion():
    ring = relabelled(nx.cycle_graph(6), "NCCCCC")
    found = judged(ring, features="labels", n_iterations=5)
    assert (found.n_orbits, found.n_points, found.n_recovered) == (1, 4, 0)
    assert found.confusions == ()
    (split,) = found.split_orbits
    assert (split.orbit, split.n_points) == (0, 4)
    assert split.explanation.startswith("The features tell apart")
    assert found.smallest_gap is None
    assert found.largest_spread > 0.0


def test_orbits_that_respect_labels_can_be_given():
    ring = relabelled(nx.cycle_graph(6), "NCCCCC")
    kernel = MessagePassingNodeKernel(features="labels").fit(ring)
    found = verdict(ring, kernel, orbits=orbits(ring, respect_labels=True))
    assert found.summary == "4 of 4 classes recovered"


def test_a_split_class_of_unproven_orbits_is_not_called_an_orbit():
    rings = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))
    kernel = MessagePassingNodeKernel(features="triangles").fit(rings)
    found = verdict(rings, kernel, orbits=orbits(rings, budget=0))
    assert not found.orbits_proven
    assert found.split_orbits[0].explanation.endswith("is not known.")


@pytest.mark.parametrize("n", [0, 1, 4])
def test_graphs_without_edges_are_recovered(n):
    found = judged(nx.empty_graph(n), features="constant")
    assert found.is_complete
    assert found.n_orbits == found.n_points == min(n, 1)
    assert found.point_of_vertex.tolist() == [0] * n
    assert found.smallest_gap is None


def test_another_graph_than_that_of_the_kernel_is_an_error():
    kernel = MessagePassingNodeKernel().fit(nx.path_graph(5))
    with pytest.raises(InvalidGraphError, match="fitted to 5"):
        verdict(nx.path_graph(4), kernel)
    with pytest.raises(InvalidGraphError, match="orbits are those of 4"):
        verdict(nx.path_graph(5), kernel, orbits=orbits(nx.path_graph(4)))
    with pytest.raises(InvalidGraphError, match="orbits are those of 4"):
        verdicts(nx.path_graph(5), kernel, orbits(nx.path_graph(4)))
    pair = [nx.path_graph(2), nx.path_graph(3)]
    with pytest.raises(InvalidGraphError, match="one graph"):
        verdict(pair, MessagePassingNodeKernel().fit(pair))


def test_an_impossible_round_is_an_error():
    path = nx.path_graph(3)
    with pytest.raises(InvalidParameterError, match="Got 3"):
        verdict(path, MessagePassingNodeKernel(n_iterations=2).fit(path), t=3)
    with pytest.raises(NotFittedError):
        verdict(path, MessagePassingNodeKernel())


def test_a_verdict_is_final():
    with pytest.raises(FrozenInstanceError):
        judged(nx.path_graph(3)).n_points = 7


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
    distances[np.equal.outer(point, point)] = 0.0
    apart = np.not_equal.outer(orbit, orbit)
    gap = distances[apart].min() if apart.any() else None
    if found.smallest_gap is None or gap is None:
        assert found.smallest_gap is gap is None
    else:
        assert found.smallest_gap == pytest.approx(gap, abs=1e-6)
    within = np.equal.outer(orbit, orbit)
    assert found.largest_spread == pytest.approx(distances[within].max(), abs=1e-6)


@given(graphs(), FEATURES, KERNELS)
def test_all_rounds_at_once_are_the_rounds_one_by_one(graph, features, settings):
    kernel = MessagePassingNodeKernel(features=features, **settings).fit(graph)
    names = ["n_orbits", "n_points", "n_recovered", "smallest_gap", "largest_spread"]
    one_by_one = [verdict(graph, kernel, t) for t in range(settings["n_iterations"] + 1)]
    for numbers in (verdicts(graph, kernel), verdicts(graph, kernel, orbits(graph))):
        for light, full in zip(numbers, one_by_one, strict=True):
            assert all(getattr(light, name) == getattr(full, name) for name in names)
            assert light.summary == full.summary
