"""Laws that hold for every graph, every variant and every seed."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import MessagePassingGraphKernel, MessagePassingNodeKernel
from tests.strategies import FEATURES, graph_lists, graphs, shuffled

VARIANTS = ["RR", "RA", "AR", "AA"]
APPROXIMATIONS = [None, "nystroem"]


@pytest.mark.parametrize("approximation", APPROXIMATIONS)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=25)
@given(members=graph_lists(), features=FEATURES, T=st.integers(0, 3), normalize=st.booleans())
def test_kernel_is_symmetric_and_positive_semidefinite(
    variant, approximation, members, features, T, normalize
):
    kernel = MessagePassingGraphKernel(
        variant,
        n_iterations=T,
        features=features,
        normalize=normalize,
        approximation=approximation,
        n_landmarks=5,
    ).fit_transform(members)
    np.testing.assert_array_equal(kernel, kernel.T)
    assert np.linalg.eigvalsh(kernel).min() >= -1e-9 * max(np.abs(kernel).max(), 1.0)


@pytest.mark.parametrize("approximation", APPROXIMATIONS)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=25)
@given(
    members=graph_lists(),
    features=FEATURES,
    T=st.integers(0, 3),
    seed=st.integers(0, 99),
    normalize=st.booleans(),
)
def test_order_of_vertices_and_graphs_does_not_matter_at_all(
    variant, approximation, members, features, T, seed, normalize
):
    kernel = MessagePassingGraphKernel(
        variant,
        n_iterations=T,
        features=features,
        normalize=normalize,
        approximation=approximation,
        n_landmarks=5,
    )
    before = kernel.fit_transform(members)
    order = np.random.default_rng(seed).permutation(len(members))
    moved = [shuffled(members[g], seed + g)[0] for g in order]
    after = kernel.fit_transform(moved)
    assert after.tobytes() == before[np.ix_(order, order)].tobytes()


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@settings(max_examples=40)
@given(
    graph=graphs(min_vertices=1), features=FEATURES, T=st.integers(0, 4), seed=st.integers(0, 99)
)
def test_relabelling_vertices_permutes_the_node_kernel(neighbourhood, graph, features, T, seed):
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=T, features=features)
    before = kernel.fit_transform(graph)
    moved, order = shuffled(graph, seed)
    after = kernel.fit_transform(moved)
    assert after.tobytes() == before[np.ix_(order, order)].tobytes()


@pytest.mark.parametrize("approximation", APPROXIMATIONS)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=25)
@given(
    members=graph_lists(max_graphs=5),
    features=FEATURES,
    T=st.integers(0, 3),
    levels=st.sampled_from(["last", "sum"]),
    data=st.data(),
)
def test_transform_equals_block_of_full_matrix(
    variant, approximation, members, features, T, levels, data
):
    kernel = MessagePassingGraphKernel(
        variant,
        n_iterations=T,
        features=features,
        levels=levels,
        approximation=approximation,
        n_landmarks=5,
    )
    full = kernel.fit_transform(members)
    chosen = data.draw(st.lists(st.integers(0, len(members) - 1), min_size=1, max_size=4))
    some = [members[g] for g in chosen]
    if any(len(graph) for graph in some):
        np.testing.assert_allclose(kernel.transform(some), full[chosen], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variant", ["RR", "AR"])
@settings(max_examples=20)
@given(known=graph_lists(), new=graph_lists(), features=FEATURES)
def test_transform_of_unseen_graphs_has_cauchy_schwarz_bounds(variant, known, new, features):
    kernel = MessagePassingGraphKernel(variant, features=features).fit(known)
    assert np.abs(kernel.transform(new)).max() <= 1 + 1e-9


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@pytest.mark.parametrize("normalize", [False, True])
@settings(max_examples=25)
@given(members=graph_lists(max_graphs=3), features=FEATURES, T=st.integers(0, 3))
def test_node_transform_equals_block_of_full_matrix(neighbourhood, normalize, members, features, T):
    kernel = MessagePassingNodeKernel(
        neighbourhood, n_iterations=T, features=features, normalize=normalize
    )
    full = kernel.fit_transform(members)
    np.testing.assert_allclose(kernel.transform(members), full, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("levels", ["last", "sum"])
@settings(max_examples=20)
@given(members=graph_lists(), features=FEATURES, T=st.integers(0, 3))
def test_feature_map_rows_multiply_to_the_kernel(variant, levels, members, features, T):
    kernel = MessagePassingGraphKernel(
        variant, n_iterations=T, features=features, levels=levels, normalize=False
    )
    full = kernel.fit_transform(members)
    rows = kernel.feature_map(members)
    np.testing.assert_allclose((rows @ rows.T).toarray(), full, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@settings(max_examples=20)
@given(graph=graphs(min_vertices=1), features=FEATURES, T=st.integers(0, 3))
def test_node_feature_map_rows_multiply_to_the_kernel(neighbourhood, graph, features, T):
    kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=T, features=features).fit(graph)
    for t in range(T + 1):
        rows = kernel.feature_map(t)
        product = (rows @ rows.T).toarray()
        np.testing.assert_allclose(product, kernel.kernel_at(t), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@settings(max_examples=20)
@given(graph=graphs(min_vertices=1), features=FEATURES)
def test_beta_zero_leaves_the_initial_kernel(neighbourhood, graph, features):
    kernel = MessagePassingNodeKernel(neighbourhood, alpha=1.0, beta=0.0, features=features)
    kernel.fit(graph)
    np.testing.assert_array_equal(kernel.kernel_at(5), kernel.kernel_at(0))


@pytest.mark.parametrize("variant", ["RA", "AA"])
@settings(max_examples=25)
@given(members=graph_lists(), features=FEATURES)
def test_nobody_matches_a_graph_better_than_itself(variant, members, features):
    kernel = MessagePassingGraphKernel(variant, features=features, normalize=False)
    full = kernel.fit_transform(members)
    assert np.all(full <= np.diag(full)[:, np.newaxis] + 1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_isomorphic_graphs_have_similarity_one(variant):
    petersen = nx.petersen_graph()
    twin = nx.relabel_nodes(petersen, {v: f"v{(7 * v + 3) % 10}" for v in petersen})
    other = nx.barbell_graph(4, 2)
    kernel = MessagePassingGraphKernel(variant).fit_transform([petersen, twin, other])
    assert kernel[0].tobytes() == kernel[1].tobytes()
    assert kernel[0, 1] == 1.0


def family(name):
    return {
        "barbell": nx.barbell_graph(6, 4),
        "grid": nx.grid_2d_graph(4, 5),
        "tree": nx.balanced_tree(2, 3),
        "petersen": nx.petersen_graph(),
        "karate": nx.karate_club_graph(),
        "ladder": nx.circular_ladder_graph(7),
    }[name]


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@pytest.mark.parametrize("name", ["barbell", "grid", "tree", "petersen", "karate", "ladder"])
def test_structurally_equivalent_vertices_get_identical_rows(neighbourhood, name):
    from mpgk_core import orbits

    graph = family(name)
    of_vertex = orbits(graph).of_vertex
    for features in ["degree", "triangles+clustering+core-number"]:
        kernel = MessagePassingNodeKernel(neighbourhood, features=features).fit_transform(graph)
        for orbit in range(of_vertex.max() + 1):
            members = np.flatnonzero(of_vertex == orbit)
            for v in members[1:]:
                assert kernel[v].tobytes() == kernel[members[0]].tobytes()
