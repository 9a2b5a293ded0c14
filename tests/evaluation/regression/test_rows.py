from collections import Counter

import numpy as np
import pytest

from mpgk_core.evaluation.regression.rows import (
    EnvironmentCounts,
    KernelMaps,
    LabelCounts,
    LandmarkNumbers,
)
from mpgk_core.kernels import MessagePassingGraphKernel, WeisfeilerLehmanSubtree
from tests.evaluation.regression.made import labelled_graphs

GRAPHS = labelled_graphs(24)
TRAIN, TEST = GRAPHS[np.arange(16)], GRAPHS[np.arange(16, 24)]


def _counts(graph):
    """Atoms, atoms with their neighbours, and bonds, by looking at each of them."""
    (nx_graph,) = graph.to_networkx()
    label = nx_graph.nodes(data="label")
    found = Counter()
    for v in nx_graph:
        around = sorted((nx_graph.edges[v, u]["label"], label[u]) for u in nx_graph[v])
        found["atom", label[v]] += 1
        found["environment", label[v], tuple(around)] += 1
    for u, v, kind in nx_graph.edges(data="label"):
        found["bond", kind, *sorted([label[u], label[v]])] += 1
    return found


def test_counts_are_what_counting_gives():
    rows = EnvironmentCounts(least=1).fit(TRAIN).toarray()
    expected = [_counts(graph) for graph in TRAIN]
    columns = sorted({key for one in expected for key in one}, key=str)
    table = np.array([[one[key] for key in columns] for one in expected], dtype=float)
    assert sorted(map(tuple, rows.T.tolist())) == sorted(map(tuple, table.T.tolist()))


def test_rare_and_unknown_environments_have_no_column():
    counts = EnvironmentCounts(least=4)
    rows = counts.fit(TRAIN)
    assert (np.bincount(rows.indices, minlength=rows.shape[1]) >= 4).all()
    assert counts.rows(TEST).shape == (8, rows.shape[1])
    assert (counts.rows(TRAIN) != rows).nnz == 0


def test_unknown_labels_count_nowhere():
    counts = LabelCounts()
    (some,) = (graph for graph in [TRAIN[0]])
    counts.fit(some)
    known = {"C", "N", "O"} & set(some.labels)
    for graph in TEST:
        expected = sum(label in known for label in graph.labels)
        assert counts.rows(graph).sum() == expected


def test_several_maps_have_equal_means_and_add_up():
    kernels = [MessagePassingGraphKernel("RA"), WeisfeilerLehmanSubtree(2)]
    rows = KernelMaps(kernels).fit(TRAIN)
    product = (rows @ rows.T).toarray()
    expected = np.zeros((16, 16))
    for kernel in (MessagePassingGraphKernel("RA"), WeisfeilerLehmanSubtree(2)):
        own = kernel.unfitted(normalize=False).fit_transform(TRAIN)
        expected += own / np.mean(np.diag(own))
    np.testing.assert_allclose(product, expected, atol=1e-9)


@pytest.mark.parametrize("n_landmarks", [5, 99])
def test_landmark_numbers_are_the_nystroem_map(n_landmarks):
    maps = LandmarkNumbers("AA", {"n_iterations": 2}, n_landmarks, random_state=0)
    rows = maps.fit(TRAIN).toarray()
    m = min(n_landmarks, 16)
    assert rows.shape == (16, 2 * m)
    np.testing.assert_allclose(maps.rows(TRAIN).toarray(), rows, atol=1e-8)
    for t in (1, 2):
        part = rows[:, (t - 1) * m : t * m]
        kernel = MessagePassingGraphKernel("AA", n_iterations=t, normalize=False)
        exact = kernel.fit_transform(TRAIN)
        product = part @ part.T
        if m == 16:
            np.testing.assert_allclose(product, exact, rtol=1e-6, atol=1e-6)
        else:
            assert np.linalg.eigvalsh(exact - product).min() > -1e-6 * exact.max()
