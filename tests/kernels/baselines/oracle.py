"""The kernels of other authors straight from their definitions: loops over networkx graphs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
from scipy.optimize import linprog


def gram(compare, members, others=None):
    """Compare every graph with every other one."""
    others = members if others is None else others
    return np.array([[compare(a, b) for b in others] for a in members], dtype=float)


def similarity(one, other, gamma):
    """κ(v, v'): equal labels, times the Gaussian (or, without gamma, linear) kernel."""
    if one["label"] != other["label"]:
        return 0.0
    x, y = np.array(one["attributes"]), np.array(other["attributes"])
    return x @ y if gamma is None else np.exp(-gamma * np.sum((x - y) ** 2))


def graph_hopper(a, b, gamma):
    """Σ over pairs of shortest paths with equally many vertices, place by place."""

    def paths(graph):
        found = [[v] for v in graph]
        for v in graph:
            for u in nx.node_connected_component(graph, v) - {v}:
                found += nx.all_shortest_paths(graph, v, u)
        return found

    return sum(
        similarity(a.nodes[v], b.nodes[u], gamma)
        for left in paths(a)
        for right in paths(b)
        if len(left) == len(right)
        for v, u in zip(left, right, strict=True)
    )


def colours(graph, n_rounds, start=lambda graph, v: graph.nodes[v]["label"]):
    """The colours of all vertices in rounds 0..h, as nested tuples."""
    now = {v: start(graph, v) for v in graph}
    rounds = [now]
    for _ in range(n_rounds):
        now = {v: (now[v], tuple(sorted((now[u] for u in graph[v]), key=repr))) for v in graph}
        rounds.append(now)
    return rounds


def graph_invariant(a, b, n_rounds, gamma):
    """Σ over pairs of vertices: in how many rounds they look alike, times κ."""
    left, right = colours(a, n_rounds), colours(b, n_rounds)
    return sum(
        sum(one[v] == other[u] for one, other in zip(left, right, strict=True))
        * similarity(a.nodes[v], b.nodes[u], gamma)
        for v in a
        for u in b
    )


def common_colours(left, right):
    """Σ over rounds and colours: how often here, times how often there."""
    total = 0
    for one, other in zip(left, right, strict=True):
        here, there = Counter(one.values()), Counter(other.values())
        total += sum(n * there[colour] for colour, n in here.items())
    return total


def diffused(graph, values, n_rounds):
    """Replace the values of all vertices by the means over their neighbours."""
    for _ in range(n_rounds):
        values = {
            v: sum(values[u] for u in graph[v]) / graph.degree(v) if graph.degree(v) else values[v]
            for v in graph
        }
    return values


def uniform_transport(costs):
    """The least cost of moving one uniform distribution to another, as a linear programme."""
    n, m = costs.shape
    rows = [np.repeat(np.eye(n)[i], m) for i in range(n)]
    columns = [np.tile(np.eye(m)[j], n) for j in range(m)]
    masses = [1 / n] * n + [1 / m] * m
    return linprog(costs.ravel(), A_eq=np.array([*rows, *columns]), b_eq=masses).fun


def wasserstein(a, b, distance):
    """W between two graphs; infinite if only one of them is empty."""
    if not len(a) or not len(b):
        return 0.0 if len(a) == len(b) else np.inf
    return uniform_transport(np.array([[distance(v, u) for u in b] for v in a], dtype=float))


def propagated_attributes(graph, n_rounds, labels):
    """(x⁰, ..., x^h), with x^(t + 1) half of x^t and half of the mean over the neighbours."""
    now = {
        v: np.array(
            [*graph.nodes[v]["attributes"], *(graph.nodes[v]["label"] == one for one in labels)]
        )
        for v in graph
    }
    rounds = [now]
    for _ in range(n_rounds):
        means = diffused(graph, now, 1)
        now = {v: (now[v] + means[v]) / 2 for v in graph}
        rounds.append(now)
    return {v: np.concatenate([one[v] for one in rounds]) for v in graph}


FORMS = {
    3: [(0, 0, 0), (0, 1, 1), (1, 1, 2), (2, 2, 2)],
    4: [
        (0, 0, 0, 0),
        (0, 0, 1, 1),
        (1, 1, 1, 1),
        (0, 1, 1, 2),
        (0, 2, 2, 2),
        (1, 1, 2, 2),
        (1, 1, 1, 3),
        (2, 2, 2, 2),
        (1, 2, 2, 3),
        (2, 2, 3, 3),
        (3, 3, 3, 3),
    ],
}
"""The degrees in every graph with 3 and 4 vertices; no two of them have the same."""


def graphlets(graph, size):
    """How often every small graph is an induced subgraph."""
    found = Counter(
        tuple(sorted(dict(graph.subgraph(chosen).degree).values()))
        for chosen in combinations(graph, size)
    )
    return [found[form] for form in FORMS[size]]


def deep(sentences, dimension):
    """f M fᵀ, with M from the pointwise mutual information of words in the same sentence.

    Parameters
    ----------
    sentences : list of lists of Counters
        For every kind of sentence, the words of every graph.
    """
    rows = []
    matrices = []
    for kind in sentences:
        words = sorted({word for one in kind for word, n in one.items() if n}, key=repr)
        counts = np.array([[one[word] for word in words] for one in kind], dtype=float)
        together = sum((np.outer(row, row) for row in counts), np.zeros((len(words),) * 2))
        of_word = together.sum(axis=1)
        with np.errstate(divide="ignore"):
            information = np.log(together * together.sum() / np.outer(of_word, of_word))
        matrices.append(np.maximum(information, 0.0))
        rows.append(counts)
    size = sum(map(len, matrices))
    whole, start = np.zeros((size, size)), 0
    for matrix in matrices:
        whole[start : start + len(matrix), start : start + len(matrix)] = matrix
        start += len(matrix)
    values, vectors = np.linalg.eigh(whole)
    chosen = np.argsort(-np.abs(values))[:dimension]
    similar = (vectors[:, chosen] * np.abs(values[chosen])) @ vectors[:, chosen].T
    table = np.hstack(rows)
    return table @ similar @ table.T
