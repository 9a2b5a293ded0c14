"""Kernels that use labels, weights and directions of edges, straight from their definition."""

from __future__ import annotations

import networkx as nx
import numpy as np

from mpgk_core.graphs.neighbourhoods import EdgeUse
from tests.kernels.oracle import best_assignment, initial_kernel, leaf_similarity


def used_edges(graph: nx.Graph, use: EdgeUse) -> dict[tuple, float]:
    """All (end, other end, label) as far as they are used, with the sum of their weights."""
    found: dict[tuple, float] = {}
    has_directions = graph.is_directed() and use.direction != "merge"
    for a, b, data in graph.edges(data=True):
        ends = (a, b) if has_directions else (min(a, b), max(a, b))
        key = (*ends, data.get("label") if use.labels else None)
        found[key] = found.get(key, 0.0) + data.get("weight", 1.0)
    if not has_directions:
        found |= {(b, a, label): weight for (a, b, label), weight in found.items()}
    return found


def neighbours(members: list[nx.Graph], edges: str) -> list[list[tuple]]:
    """For every vertex, (channel, weight, neighbour) of all its neighbours, graphs stacked."""
    use, result, start = EdgeUse.of(edges), [], 0
    for graph in members:
        own: dict[int, list[tuple]] = {v: [] for v in graph}
        number = {v: start + i for i, v in enumerate(graph)}
        for (a, b, label), weight in used_edges(graph, use).items():
            factor = weight if use.multiplies else 1.0
            tie = (label, sum(weight > limit for limit in use.limits) if use.has_bins else 0)
            if use.direction != "reverse":
                own[a].append(((tie, "out"), factor, number[b]))
            if use.direction in ("reverse", "both"):
                own[b].append(((tie, "in"), factor, number[a]))
        result += [own[v] for v in graph]
        start += len(graph)
    return result


def neighbourhood_kernel(first: list[tuple], second: list[tuple], similarity, way: str) -> float:
    """Compare two neighbourhoods channel by channel."""
    total = 0.0
    for channel in {entry[0] for entry in first} & {entry[0] for entry in second}:
        ours = [entry for entry in first if entry[0] == channel]
        theirs = [entry for entry in second if entry[0] == channel]
        pairs = similarity[np.ix_([e[2] for e in ours], [e[2] for e in theirs])]
        if way == "R":
            total += np.array([e[1] for e in ours]) @ pairs @ np.array([e[1] for e in theirs])
        else:
            total += best_assignment(pairs)
    return total


def node_kernels(members, features, edges, way, alpha, beta, T, trees) -> list[np.ndarray]:
    around = neighbours(members, edges)
    kernels = [initial_kernel(members, features)]
    for t in range(T):
        similarity = kernels[-1] if way == "R" else leaf_similarity(*trees[t])
        k_n = np.array(
            [[neighbourhood_kernel(a, b, similarity, way) for b in around] for a in around]
        ).reshape(len(around), len(around))
        kernels.append(alpha * kernels[-1] + beta * k_n)
    return kernels


def graph_kernels(members, features, edges, variant, alpha, beta, T, trees) -> list[np.ndarray]:
    vertex = node_kernels(members, features, edges, variant[0], alpha, beta, T, trees)
    bounds = np.cumsum([0, *map(len, members)])
    blocks = [range(bounds[g], bounds[g + 1]) for g in range(len(members))]
    compare = np.sum if variant[1] == "R" else best_assignment
    result = []
    for t in range(T + 1):
        similarity = vertex[t] if variant[1] == "R" else leaf_similarity(*trees[t])
        result.append(
            np.array([[compare(similarity[np.ix_(a, b)]) for b in blocks] for a in blocks])
        )
    return result
