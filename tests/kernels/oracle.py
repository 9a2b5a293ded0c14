"""The kernels straight from the formulas: loops and ``linear_sum_assignment``, no tricks.

Everything is written out again here except the hierarchy itself, which is an input: the engine
says which tree was grown and in which leaf every vertex lies.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy.optimize import linear_sum_assignment

from mpgk_core import Hierarchy


def initial_kernel(members: list[nx.Graph], features: str) -> np.ndarray:
    """k⁰ as the sum of the kernels that the parts of ``features`` name."""
    vertices = [(g, v) for g, graph in enumerate(members) for v in graph]
    data = [members[g].nodes[v] for g, v in vertices]
    table = np.array([node["attributes"] for node in data], dtype=float)
    total = np.zeros((len(vertices), len(vertices)))
    for part in features.split("+"):
        for i, (g, v) in enumerate(vertices):
            for j, (h, u) in enumerate(vertices):
                if part == "labels":
                    total[i, j] += data[i]["label"] == data[j]["label"]
                elif part == "attributes":
                    total[i, j] += table[i] @ table[j]
                elif part == "attributes-standardised":
                    is_constant = np.ptp(table, axis=0) == 0
                    spread = np.where(is_constant, 1.0, table.std(axis=0))
                    z = (table - table.mean(axis=0)) / spread / np.sqrt(max(sum(~is_constant), 1))
                    z[:, is_constant] = 0.0
                    total[i, j] += z[i] @ z[j]
                elif part == "degree-label":
                    total[i, j] += members[g].degree(v) == members[h].degree(u)
                elif part == "degree":
                    total[i, j] += members[g].degree(v) * members[h].degree(u)
                else:
                    raise ValueError(part)
    return total


def neighbour_lists(members: list[nx.Graph]) -> list[list[int]]:
    """Neighbours of every vertex, all graphs stacked."""
    result, start = [], 0
    for graph in members:
        number = {v: start + i for i, v in enumerate(graph)}
        result += [[number[u] for u in graph[v]] for v in graph]
        start += len(graph)
    return result


def strong_kernel(hierarchy: Hierarchy, leaf_a: int, leaf_b: int) -> float:
    """Sum of ω over the tree nodes above both leaves, walking up from each."""

    def ancestors(leaf: int) -> set[int]:
        node, found = int(hierarchy.leaf_nodes[leaf]), set()
        while node >= 0:
            found.add(node)
            node = int(hierarchy.parents[node])
        return found

    return sum(hierarchy.omega[node] for node in ancestors(leaf_a) & ancestors(leaf_b))


def best_assignment(similarity: np.ndarray) -> float:
    """Value of the best matching of the smaller set into the larger one."""
    if 0 in similarity.shape:
        return 0.0
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    return float(similarity[rows, columns].sum())


def leaf_similarity(hierarchy: Hierarchy, leaves: np.ndarray) -> np.ndarray:
    """k_s between all vertices."""
    return np.array([[strong_kernel(hierarchy, a, b) for b in leaves] for a in leaves]).reshape(
        len(leaves), len(leaves)
    )


def node_kernels(members, features, neighbourhood, alpha, beta, T, trees) -> list[np.ndarray]:
    """k⁰, ..., k^T by the recurrence; ``trees[t]`` is (H_t, leaf of every vertex)."""
    neighbours = neighbour_lists(members)
    kernels = [initial_kernel(members, features)]
    for t in range(T):
        k, n = kernels[-1], len(neighbours)
        similarity = k if neighbourhood == "R" else leaf_similarity(*trees[t])
        updated = np.zeros_like(k)
        for v in range(n):
            for u in range(n):
                pairs = similarity[np.ix_(neighbours[v], neighbours[u])]
                around = pairs.sum() if neighbourhood == "R" else best_assignment(pairs)
                updated[v, u] = alpha * k[v, u] + beta * around
        kernels.append(updated)
    return kernels


def graph_kernels(members, features, variant, alpha, beta, T, trees) -> list[np.ndarray]:
    """The graph kernel for every t, from vertex kernels or hierarchies."""
    vertex_kernels = node_kernels(members, features, variant[0], alpha, beta, T, trees)
    bounds = np.cumsum([0, *map(len, members)])
    blocks = [range(bounds[g], bounds[g + 1]) for g in range(len(members))]
    result = []
    for t in range(T + 1):
        similarity = vertex_kernels[t] if variant[1] == "R" else leaf_similarity(*trees[t])
        kernel = np.zeros((len(members), len(members)))
        for g, own in enumerate(blocks):
            for h, other in enumerate(blocks):
                pairs = similarity[np.ix_(own, other)]
                kernel[g, h] = pairs.sum() if variant[1] == "R" else best_assignment(pairs)
        result.append(kernel)
    return result
