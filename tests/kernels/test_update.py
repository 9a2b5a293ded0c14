"""The paper's update, literally: the engine computes the same, and docs/equations.md leads here."""

from __future__ import annotations

import importlib
import re
from itertools import pairwise, permutations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import KernelOverflowError, MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.kernels.update import (
    KernelParameters,
    assignment,
    assignment_coefficients,
    convolution,
    convolution_coefficients,
    node_kernels,
    set_kernel,
    update,
)
from tests.kernels.oracle import neighbour_lists
from tests.strategies import FEATURES, graph_lists

ROOT = Path(__file__).parents[2]
WEIGHTS = st.sampled_from([0.0, 0.2, 0.8, 1.0, 1.7])
LINKS = re.findall(
    r"^\| ([^|]+) \| .* \| `([\w.]+)` \| `([\w./]+)::(\w+)` \|$",
    (ROOT / "docs" / "equations.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def strong_kernels(kernel, T):
    """k_s between all vertices, for every round."""
    found = []
    for t in range(T + 1):
        leaves = kernel.leaves_at(t)
        found.append(kernel.hierarchy_at(t).strong_kernel()[np.ix_(leaves, leaves)])
    return found


@given(st.floats(0, 10), st.floats(0, 10), WEIGHTS, WEIGHTS)
def test_an_update_weighs_the_past_and_the_neighbourhoods(past, around, alpha, beta):
    assert update(past, around, alpha, beta) == alpha * past + beta * around


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 99))
def test_assignment_is_the_best_of_all_matchings_and_convolution_the_sum(n, m, seed):
    similarity = np.random.default_rng(seed).random((n, m))
    small = similarity if n <= m else similarity.T
    best = max(
        sum(row[partner] for row, partner in zip(small, chosen, strict=True))
        for chosen in permutations(range(small.shape[1]), len(small))
    )
    assert assignment(similarity) == pytest.approx(best)
    assert convolution(similarity) == pytest.approx(sum(x for row in similarity for x in row))


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
@settings(max_examples=25)
@given(graph_lists(max_graphs=2), FEATURES, WEIGHTS, WEIGHTS, st.integers(0, 3))
def test_the_node_kernels_are_the_definition(neighbourhood, members, features, alpha, beta, T):
    parameters = KernelParameters(neighbourhood, alpha, beta, T, features)
    kernel = MessagePassingNodeKernel(**parameters.settings()).fit(members)
    strong = strong_kernels(kernel, T) if neighbourhood == "A" else ()
    neighbours = neighbour_lists(members)
    expected = node_kernels(kernel.kernel_at(0), neighbours, parameters, strong)
    for t in range(T + 1):
        np.testing.assert_allclose(kernel.kernel_at(t), expected[t], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
@settings(max_examples=25)
@given(graph_lists(max_graphs=3), FEATURES, st.integers(0, 2))
def test_the_graph_kernels_are_the_definition(variant, members, features, T):
    kernel = MessagePassingGraphKernel(
        variant, n_iterations=T, features=features, normalize=False, levels="sum"
    )
    computed = kernel.kernels_at_all_t(members)
    vertices = kernel.node_kernel(members)
    bounds = np.cumsum([0, *map(len, members)])
    sets = [range(start, stop) for start, stop in pairwise(bounds)]
    total = np.zeros((len(members), len(members)))
    for t in range(T + 1):
        similarity = vertices.kernel_at(t)
        if variant[1] == "A":
            leaves = vertices.leaves_at(t)
            similarity = vertices.hierarchy_at(t).strong_kernel()[np.ix_(leaves, leaves)]
        total += set_kernel(similarity, sets, variant[1])
        np.testing.assert_allclose(computed[t], total, rtol=1e-9, atol=1e-9)


@given(st.integers(0, 5), WEIGHTS, WEIGHTS, st.integers(0, 99))
def test_convolution_unrolls_to_powers_of_the_adjacency_matrix(T, alpha, beta, seed):
    adjacency = nx.to_numpy_array(nx.gnp_random_graph(6, 0.4, seed=seed))
    start = np.random.default_rng(seed).random((6, 2))
    kernel, powers = start @ start.T, [start]
    for row in convolution_coefficients(T, alpha, beta):
        unrolled = sum(c * power @ power.T for c, power in zip(row, powers, strict=False))
        np.testing.assert_allclose(unrolled, kernel, rtol=1e-9, atol=1e-9)
        kernel = update(kernel, adjacency @ kernel @ adjacency, alpha, beta)
        powers.append(adjacency @ powers[-1])


@given(st.integers(0, 5), WEIGHTS, WEIGHTS, st.lists(st.floats(0, 9), min_size=7, max_size=7))
def test_assignment_unrolls_to_one_block_for_every_round(T, alpha, beta, blocks):
    kernel, *around = blocks
    for row, k_n in zip(assignment_coefficients(T, alpha, beta), around, strict=False):
        assert np.dot(row, blocks[: T + 1]) == pytest.approx(kernel)
        kernel = update(kernel, k_n, alpha, beta)


@pytest.mark.parametrize("unroll", [convolution_coefficients, assignment_coefficients])
def test_coefficients_beyond_all_bounds_are_refused(unroll):
    with pytest.raises(KernelOverflowError, match="2000 iterations"):
        unroll(2000, 1e200, 1e200)


def test_every_equation_that_is_known_by_its_number_is_listed():
    listed = " ".join(name for name, *_ in LINKS)
    assert {int(n) for n in re.findall(r"Equation (\d)", listed)} == {2, 3, 6, 7, 8, 9}
    names = ("weights", "Weisfeiler–Lehman", "Nyström", "strong kernel", "initial kernel")
    assert all(name in listed for name in names)


@pytest.mark.parametrize(("name", "function", "file", "test"), LINKS, ids=lambda text: str(text))
def test_equations_lead_to_functions_and_tests(name, function, file, test):
    module, _, rest = function.rpartition(".")
    found = None
    while found is None:
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError:
            module, _, owner = module.rpartition(".")
            rest = f"{owner}.{rest}"
    for attribute in rest.split("."):
        found = getattr(found, attribute)
    number = re.match(r"Equations? (\d)", name)
    if number:
        assert f"Equation {number[1]}" in " ".join(found.__doc__.split()).replace(
            "Equations", "Equation"
        )
    assert re.search(rf"^def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
