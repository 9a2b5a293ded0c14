"""Predictions as sums over vertices: the sum holds, and relabelling vertices permutes it."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import InvalidParameterError, MessagePassingGraphKernel
from mpgk_core.evaluation.regression import RegressionSpec, TargetColumn, fit_regression
from mpgk_core.graphs import GraphSet
from mpgk_core.plotting.molecule_drawing import ELEMENTS


def labelled(seed, n_graphs=30):
    chance = np.random.default_rng(seed)
    graphs = []
    for _ in range(n_graphs):
        graph = nx.gnp_random_graph(int(chance.integers(2, 9)), 0.4, seed=int(chance.integers(999)))
        for v in graph:
            graph.nodes[v]["label"] = ELEMENTS[5 + int(chance.integers(3))]
        for edge in graph.edges.values():
            edge["label"] = ("single", "double")[int(chance.integers(2))]
        graphs.append(graph)
    return GraphSet.from_networkx(graphs)


@given(st.sampled_from(["RA", "AA"]), st.sampled_from(["last", "sum", "all"]), st.integers(0, 9))
def test_parts_of_vertices_add_up_to_the_linear_function(variant, levels, seed):
    graphs, others = labelled(seed, 6), labelled(seed + 100, 6)
    kernel = MessagePassingGraphKernel(variant, n_iterations=2, levels=levels).fit(graphs)
    for some in (graphs, others):
        rows = kernel.feature_map(some)
        weights = np.random.default_rng(seed).normal(size=rows.shape[1])
        parts = kernel.parts_of_vertices(some, weights)
        sums = np.bincount(some.graph_of_vertex, parts, minlength=len(some))
        assert sums == pytest.approx(rows @ weights, abs=1e-9)


def test_vertices_in_the_same_tree_node_share_its_part_equally():
    star = GraphSet.from_networkx(nx.star_graph(4))
    kernel = MessagePassingGraphKernel("RA", n_iterations=1).fit(star)
    weights = np.arange(kernel.feature_map(star).shape[1], dtype=float)
    parts = kernel.parts_of_vertices(star, weights)
    assert parts[1:] == pytest.approx([parts[1]] * 4)
    assert parts[0] != pytest.approx(parts[1])


def test_other_variants_have_no_parts():
    graphs = labelled(0, 5)
    kernel = MessagePassingGraphKernel("RR").fit(graphs)
    with pytest.raises(InvalidParameterError, match="Only the exact variants RA and AA"):
        kernel.parts_of_vertices(graphs, np.ones(1))


@pytest.mark.parametrize("composition", [True, False])
@pytest.mark.parametrize("kernel", ["RA", ["AA", "RA"]])
def test_contributions_and_base_add_up_to_the_prediction(kernel, composition):
    graphs, others = labelled(1, 40), labelled(2, 10)
    sizes = TargetColumn("size", graphs.sizes + 0.5 * np.sin(np.arange(40.0)))
    parameters = {"n_iterations": 2, "edges": "labels"}
    spec = RegressionSpec.of("ridge", kernel, composition, parameters)
    fitted = fit_regression(graphs, sizes, spec)
    assert fitted.can_contribute
    for some in (graphs, others):
        found = fitted.contributions(some)
        sums = np.bincount(some.graph_of_vertex, found.values, minlength=len(some))
        assert sums + found.base == pytest.approx(fitted.predict(some)[0], abs=1e-9)


@pytest.mark.parametrize(
    ("model", "kernel"), [("ridge", "WL"), ("kernel-ridge", "RA"), ("mean", "")]
)
def test_other_models_have_no_contributions(model, kernel):
    graphs = labelled(3, 20)
    spec = RegressionSpec.of(model, kernel or "RA")
    fitted = fit_regression(graphs, TargetColumn("size", graphs.sizes.astype(float)), spec)
    assert not fitted.can_contribute
    with pytest.raises(InvalidParameterError, match="Only ridge on the maps of RA and AA"):
        fitted.contributions(graphs)
