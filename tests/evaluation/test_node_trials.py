"""Nearest neighbours against a slow vote, and whatever the order of the vertices."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core.evaluation.node_trials import nearest_votes


@st.composite
def problems(draw):
    """Points on a coarse grid, so that equal distances are common; roles; who is labelled."""
    n = draw(st.integers(3, 12))
    places = np.array(draw(st.lists(st.tuples(*[st.integers(-2, 2)] * 2), min_size=n, max_size=n)))
    roles = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    n_labelled = draw(st.integers(1, n - 1))
    order = np.array(draw(st.permutations(range(n))))
    k = draw(st.integers(1, 4))
    return places.astype(float), roles, np.sort(order[:n_labelled]), np.sort(order[n_labelled:]), k


def slow_vote(places, roles, labelled, v, k):
    """Return the role that the nearest labelled vertices have most often."""
    distance = {u: float(((places[v] - places[u]) ** 2).sum()) for u in labelled}
    reach = sorted(distance.values())[min(k, len(labelled)) - 1]
    voters = [u for u in labelled if distance[u] <= reach]
    scores = []
    for role in sorted({int(roles[u]) for u in voters}):
        own = [distance[u] for u in voters if roles[u] == role]
        scores.append((-len(own), np.mean(own), role))
    return min(scores)[2]


@given(problems())
@settings(max_examples=200, deadline=None)
def test_votes_are_those_of_a_slow_count(problem):
    places, roles, labelled, others, k = problem
    said = nearest_votes(places @ places.T, roles, labelled, others, k)
    assert said.tolist() == [slow_vote(places, roles, labelled, v, k) for v in others]


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_the_vertices_does_not_matter(problem, chance):
    places, roles, labelled, others, k = problem
    shuffled, moved = labelled.tolist(), others.tolist()
    chance.shuffle(shuffled)
    kernel = places @ places.T
    first = nearest_votes(kernel, roles, labelled, others, k)
    again = nearest_votes(kernel, roles, np.array(shuffled), np.array(moved), k)
    assert first.tolist() == again.tolist()


@given(problems())
@settings(max_examples=50, deadline=None)
def test_roles_of_the_others_are_not_looked_at(problem):
    places, roles, labelled, others, k = problem
    kernel = places @ places.T
    hidden = roles.copy()
    hidden[others] = -1
    first = nearest_votes(kernel, roles, labelled, others, k)
    assert nearest_votes(kernel, hidden, labelled, others, k).tolist() == first.tolist()
