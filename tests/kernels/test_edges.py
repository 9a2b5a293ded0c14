"""Labels, weights and directions of edges: the definition, and all laws of the engine."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mpgk_core import (
    GraphSet,
    InvalidGraphError,
    InvalidParameterError,
    KernelOverflowError,
    KernelTooLargeError,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)
from mpgk_core.graphs.edges import Edges
from mpgk_core.graphs.neighbourhoods import EdgeUse
from mpgk_core.kernels.walks import walk_counts
from tests.kernels import edge_oracle
from tests.strategies import edge_graphs

VARIANTS = ["RR", "RA", "AR", "AA"]
BINS = ["weights@0.4", "labels+weights@0.4,2+both"]
FOR_A = ["labels", "follow", "reverse", "both", "labels+both", *BINS]
FOR_R = [*FOR_A, "weights", "labels+weights", "weights+follow", "labels+weights+both"]
FEATURES = st.sampled_from(["labels", "labels+attributes", "attributes"])


def choices(way):
    return st.sampled_from(FOR_R if way == "R" else FOR_A)


@st.composite
def sets(draw, min_graphs=1, max_graphs=3, **options):
    """Graphs that have the same facts about their edges."""
    directed = draw(st.booleans())
    keys = draw(st.sampled_from([("label",), ("weight",), ("label", "weight")]))
    own = edge_graphs(directed=directed, keys=keys, **options)
    members = draw(st.lists(own, min_size=min_graphs, max_size=max_graphs))
    assume(any(len(member) for member in members))
    return members


def usable(edges, members):
    """Whether the graphs have what the text asks for."""
    use = EdgeUse.of(edges)
    data = [values for member in members for *_, values in member.edges(data=True)]
    has_labels = all("label" in values for values in data)
    has_weights = all("weight" in values for values in data)
    return (has_labels or not use.labels) and (has_weights or not use.weights)


@pytest.mark.parametrize("way", ["R", "A"])
@settings(max_examples=120)
@given(data=st.data(), members=sets(), features=FEATURES, T=st.integers(0, 3))
def test_node_kernels_equal_the_definition(way, data, members, features, T):
    edges = data.draw(choices(way))
    assume(usable(edges, members))
    kernel = MessagePassingNodeKernel(
        way, 0.7, 0.6, T, features, edges=edges, branching=2, depth=3
    ).fit(members)
    trees = {t: (kernel.hierarchy_at(t), kernel.leaves_at(t)) for t in range(T + 1)}
    expected = edge_oracle.node_kernels(members, features, edges, way, 0.7, 0.6, T, trees)
    for t in range(T + 1):
        np.testing.assert_allclose(kernel.kernel_at(t), expected[t], rtol=1e-9, atol=1e-9)
        rows = kernel.feature_map(t)
        np.testing.assert_allclose((rows @ rows.T).toarray(), expected[t], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=60)
@given(data=st.data(), members=sets(), features=FEATURES, T=st.integers(0, 3))
def test_graph_kernels_equal_the_definition(variant, data, members, features, T):
    edges = data.draw(choices(variant[0]))
    assume(usable(edges, members))
    kernel = MessagePassingGraphKernel(
        variant, 0.7, 0.6, T, features=features, edges=edges, normalize=False, branching=2, depth=3
    )
    computed = kernel.kernels_at_all_t(members)
    trees = {t: (kernel.hierarchy_at(t), kernel.leaves_at(t, members)) for t in range(T + 1)}
    expected = edge_oracle.graph_kernels(members, features, edges, variant, 0.7, 0.6, T, trees)
    for ours, theirs in zip(computed, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("normalize", [False, True])
@settings(max_examples=60)
@given(data=st.data(), members=sets(min_graphs=2, max_graphs=4))
def test_transform_equals_the_block_of_the_full_matrix(variant, normalize, data, members):
    edges = data.draw(choices(variant[0]))
    assume(usable(edges, members))
    kernel = MessagePassingGraphKernel(
        variant, n_iterations=3, features="labels", edges=edges, normalize=normalize
    )
    full = kernel.fit_transform(members)
    again = kernel.transform(members)
    np.testing.assert_allclose(again, full, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_unseen_edge_labels_equal_only_themselves(variant):
    def path(*labels):
        graph = nx.path_graph(len(labels) + 1)
        nx.set_node_attributes(graph, "C", "label")
        for (a, b), label in zip(list(graph.edges), labels, strict=True):
            graph.edges[a, b]["label"] = label
        return graph

    new = [path("-", "#"), path("#", "x"), path("-", "-")]
    options = {"n_iterations": 3, "features": "labels", "edges": "labels", "normalize": True}
    kernel = MessagePassingGraphKernel(variant, **options).fit([path("-", "-"), path("-", "=")])
    found = kernel.transform(new)
    assert np.all(found <= 1 + 1e-12)
    assert found[2, 0] == pytest.approx(1.0)
    assert found[0, 0] < found[2, 0]
    if variant == "RR":  # the only variant without hierarchies: the joint matrix is known
        joint = MessagePassingGraphKernel(variant, **options).fit_transform(
            [path("-", "-"), path("-", "="), *new]
        )
        np.testing.assert_allclose(found, joint[2:, :2], rtol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=40)
@given(data=st.data(), members=sets(min_graphs=2), seed=st.integers(0, 5))
def test_the_order_of_vertices_edges_and_graphs_changes_no_byte(variant, data, members, seed):
    edges = data.draw(choices(variant[0]))
    assume(usable(edges, members))
    random = np.random.default_rng(seed)
    shuffled = []
    for member in members:
        other = member.__class__()
        names = random.permutation(len(member)).tolist()
        other.add_nodes_from((v, member.nodes[v]) for v in names)
        found = list(member.edges(data=True))
        random.shuffle(found)
        other.add_edges_from((a, b, values) for a, b, values in found)
        shuffled.append(other)
    order = random.permutation(len(members))
    options = {"variant": variant, "n_iterations": 3, "features": "labels+attributes"}
    kernel = MessagePassingGraphKernel(**options, edges=edges)
    first = kernel.fit_transform(members)
    second = kernel.fit_transform([shuffled[g] for g in order])
    np.testing.assert_array_equal(second, first[np.ix_(order, order)])


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=30)
@given(data=st.data(), members=sets(min_graphs=2, max_graphs=4))
def test_kernels_are_positive_semidefinite(variant, data, members):
    edges = data.draw(choices(variant[0]))
    assume(usable(edges, members))
    kernel = MessagePassingGraphKernel(variant, n_iterations=3, features="labels", edges=edges)
    matrix = kernel.fit_transform(members)
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > -1e-9


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=30)
@given(members=sets())
def test_what_is_not_used_changes_no_byte(variant, members):
    plain = []
    for member in members:
        graph = nx.Graph()
        graph.add_nodes_from(member.nodes(data=True))
        graph.add_edges_from(member.edges())
        plain.append(graph)
    kernel = MessagePassingGraphKernel(variant, n_iterations=3, features="labels,degree")
    np.testing.assert_array_equal(kernel.fit_transform(members), kernel.fit_transform(plain))


@pytest.mark.parametrize("variant", VARIANTS)
def test_landmarks_for_all_vertices_give_the_exact_kernel(variant):
    random = np.random.default_rng(3)
    members = []
    for seed in range(6):
        graph = nx.gnp_random_graph(7, 0.4, seed=seed)
        nx.set_node_attributes(graph, {v: "CN"[v % 2] for v in graph}, "label")
        nx.set_edge_attributes(graph, {e: int(random.integers(3)) for e in graph.edges}, "label")
        members.append(graph)
    options = {"n_iterations": 2, "features": "labels", "edges": "labels", "n_landmarks": 500}
    exact = MessagePassingGraphKernel(variant, **options)
    landmarks = MessagePassingGraphKernel(variant, **options, approximation="nystroem")
    if variant[1] == "R" and variant[0] == "R":
        np.testing.assert_allclose(
            landmarks.fit_transform(members), exact.fit_transform(members), rtol=1e-6
        )
    found = landmarks.fit(members).transform(members)
    np.testing.assert_allclose(found, landmarks.fit_transform(members), rtol=1e-9)


@pytest.mark.parametrize("kind", [WeisfeilerLehmanSubtree, WeisfeilerLehmanOptimalAssignment])
@settings(max_examples=60)
@given(members=sets(min_graphs=2), edges=st.sampled_from(FOR_A))
def test_weisfeiler_lehman_colours_count_with_the_edge_they_are_seen_over(kind, members, edges):
    assume(usable(edges, members))
    around = edge_oracle.neighbours(members, edges)
    colours = [data["label"] for member in members for _, data in member.nodes(data=True)]
    bounds = np.cumsum([0, *map(len, members)])
    levels = [colours]
    for _ in range(2):
        colours = [
            (own, tuple(sorted((str(e[0]), str(colours[e[2]])) for e in entries)))
            for own, entries in zip(colours, around, strict=True)
        ]
        levels.append(colours)
    expected = np.zeros((len(members), len(members)))
    for level in levels:
        for g in range(len(members)):
            for h in range(len(members)):
                ours, theirs = (level[bounds[i] : bounds[i + 1]] for i in (g, h))
                for colour in set(ours):
                    counts = ours.count(colour), theirs.count(colour)
                    is_subtree = kind is WeisfeilerLehmanSubtree
                    expected[g, h] += counts[0] * counts[1] if is_subtree else min(counts)
    kernel = kind(2, features="labels", normalize=False, edges=edges)
    np.testing.assert_allclose(kernel.fit_transform(members), expected)
    np.testing.assert_allclose(kernel.transform(members), expected)


def test_quantile_bins_are_learnt_from_training_graphs():
    graph = nx.path_graph(5)
    for (a, b), weight in zip(list(graph.edges), [1.0, 2.0, 3.0, 4.0], strict=True):
        graph.edges[a, b]["weight"] = weight
    quantiles = MessagePassingNodeKernel("A", edges="weights/2", features="constant")
    given_limits = MessagePassingNodeKernel("A", edges="weights@2", features="constant")
    first, second = quantiles.fit_transform(graph), given_limits.fit_transform(graph)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("way", ["R", "A"])
def test_direction_separates_roles_that_merging_confuses(way):
    """Grass and fox stand at the two ends of a chain, which looks the same turned round."""
    web = nx.DiGraph([("grass", "rabbit"), ("rabbit", "fox")])
    names = list(web)
    merged = MessagePassingNodeKernel(way, features="constant").fit_transform(web)
    followed = MessagePassingNodeKernel(way, features="constant", edges="both").fit_transform(web)
    grass, fox = names.index("grass"), names.index("fox")
    np.testing.assert_allclose(merged[grass], merged[fox])
    assert not np.allclose(followed[grass], followed[fox])


@pytest.mark.parametrize(
    ("edges", "words"),
    [("labels", "no labels"), ("weights", "no weights"), ("weights/3", "no weights")],
)
def test_what_graphs_lack_is_named(edges, words):
    with pytest.raises(InvalidGraphError, match=words):
        MessagePassingNodeKernel("R", edges=edges).fit(nx.path_graph(3))


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_weights_are_checked_where_they_are_used(weight):
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=weight)
    MessagePassingNodeKernel("R").fit(graph)
    with pytest.raises(InvalidGraphError, match="at least 0"):
        MessagePassingNodeKernel("R", edges="weights").fit(graph)


@pytest.mark.parametrize(
    "edges", ["label", "", "labels+labels", "follow+both", "weights/1", "weights@2,1", 3, "ignore+"]
)
def test_unknown_texts_are_refused(edges):
    with pytest.raises(InvalidParameterError, match="edges"):
        MessagePassingNodeKernel("R", edges=edges).fit(nx.path_graph(3))


def test_assignments_cannot_multiply_by_weights():
    with pytest.raises(InvalidParameterError, match="weights/4"):
        MessagePassingNodeKernel("A", edges="weights").fit(nx.path_graph(3))
    with pytest.raises(InvalidParameterError, match="weights/4"):
        WeisfeilerLehmanSubtree(edges="weights").fit(nx.path_graph(3))


def test_walks_beyond_memory_are_refused(monkeypatch):
    graph = nx.gnp_random_graph(30, 0.5, seed=1)
    nx.set_edge_attributes(graph, {e: i % 5 for i, e in enumerate(graph.edges)}, "label")
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "1000000")
    with pytest.raises(KernelTooLargeError, match="fewer rounds"):
        MessagePassingNodeKernel("R", n_iterations=9, edges="labels").fit(graph)


def test_walks_of_graphs_beyond_memory_are_refused(monkeypatch):
    graph = nx.gnp_random_graph(30, 0.5, seed=1)
    nx.set_edge_attributes(graph, {e: i % 5 for i, e in enumerate(graph.edges)}, "label")
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "1000000")
    with pytest.raises(KernelTooLargeError, match="fewer rounds"):
        MessagePassingGraphKernel("RR", n_iterations=9, edges="labels").fit([graph])


@pytest.mark.parametrize("edges", ["labels", "both"])
def test_labelled_walks_beyond_exact_integers_do_not_depend_on_the_order_of_vertices(edges):
    graph = nx.gnp_random_graph(40, 0.9, seed=3, directed=True)
    nx.set_edge_attributes(graph, {(a, b): (a + b) % 2 for a, b in graph.edges}, "label")
    order = np.random.default_rng(4).permutation(40).tolist()
    other = nx.DiGraph()
    other.add_nodes_from(order)
    other.add_edges_from(list(graph.edges(data=True))[::-1])
    kernel = MessagePassingGraphKernel(
        "RR", 0.5, 0.5, 12, features="constant", edges=edges, normalize=False
    )
    found = [kernel.fit_transform([one]) for one in (graph, other)]
    assert found[0][0, 0] > 2.0**106
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.parametrize("edges", ["weights", "weights+follow", "weights+reverse", "follow"])
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_walks_multiply_weights_whatever_the_order_of_arcs(edges, seed):
    rng = np.random.default_rng(seed)
    n, m = 9, 30
    ends, weights = rng.integers(n, size=(2, m)), rng.random(m) * 10.0 ** rng.integers(-9, 9, m)
    order = rng.permutation(m)
    graphs = [
        GraphSet(
            None,
            [0, n],
            self_loops="keep",
            edges=Edges.of(*ends[:, own], weights=weights[own], is_directed=True),
        )
        for own in (np.arange(m), order)
    ]
    found, moved = (walk_counts(one, 4, edges) for one in graphs)
    np.testing.assert_array_equal(found, moved)
    steps = np.zeros((n, n))
    own = graphs[0].edges
    values = own.weights if "weights" in edges else np.ones(own.n_edges)
    np.add.at(steps, (own.sources, own.targets), values)
    if edges == "weights":
        steps = steps + steps.T - np.diag(steps.diagonal())
    if "reverse" in edges:
        steps = steps.T
    for t in range(1, 5):
        np.testing.assert_allclose(found[t], steps.T @ found[t - 1], rtol=1e-12, atol=0)


def test_weighted_walks_beyond_all_numbers_are_an_error():
    graph = nx.path_graph(4)
    nx.set_edge_attributes(graph, 1e200, "weight")
    with pytest.raises(KernelOverflowError):
        MessagePassingGraphKernel("RR", edges="weights", n_iterations=3).fit([graph])


def test_vertices_that_nothing_reaches_have_no_walks():
    graph = nx.empty_graph(3)
    graph.add_edge(0, 1, weight=0.0)
    kernel = MessagePassingGraphKernel("RR", 0.0, 1.0, 2, edges="weights", normalize=False)
    assert kernel.fit_transform([graph]).tolist() == [[0.0]]
