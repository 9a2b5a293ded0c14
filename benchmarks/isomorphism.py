"""How many graphs of the known sets are isomorphic, and what that does to accuracies."""

from __future__ import annotations

from time import process_time
from typing import Any

import networkx as nx
import numpy as np

from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core.automorphism import isomorphic_graphs
from mpgk_core.evaluation import Protocol, evaluate, isomorphism_bias, table_spec

SETS = (
    "MUTAG",
    "ENZYMES",
    "PROTEINS",
    "Synthie",
    "NCI1",
    "IMDB-BINARY",
    "IMDB-MULTI",
    "REDDIT-BINARY",
    "COLLAB",
)
EVALUATED = ("MUTAG", "IMDB-BINARY", "IMDB-MULTI")
METHODS = ("WL", "VH", "size")
PAIRS = 200
"""Pairs of isomorphic graphs that NetworkX verifies."""


def measure() -> list[Table]:
    """Count isomorphic graphs, and leave them out of accuracies."""
    found = Table(
        "Isomorphic graphs",
        "Graphs that are isomorphic to another one of the set, with equal labels and attributes "
        "of vertices and without labels of edges; pairs for which the check gave up; processor "
        f"time. NetworkX (VF2++) agrees on {PAIRS} pairs from these groups (or all).",
        ["set", "graphs", "isomorphic", "in %", "undecided", "CPU (s)", "confirmed"],
    )
    bias = Table(
        "Accuracy without isomorphic graphs",
        "One run of 10 folds, accuracy in per cent. Share: test graphs with an isomorphic graph in "
        "the training part of their fold.",
        ["set", "kernel", "share (%)", "all test graphs", "without these", "on these alone"],
    )
    if data_folder() is None:
        return [found, bias]
    isomorphic_graphs([nx.path_graph(3), nx.path_graph(3)])  # compile first
    for name in SETS:
        data = load(name)
        begin = process_time()
        groups = isomorphic_graphs(data.graphs)
        seconds = process_time() - begin
        n = int(np.count_nonzero(groups.has_twin))
        confirmed = _confirmed(data.graphs, groups.of_graph)
        size = len(data.graphs)
        found.add(name, size, n, 100 * n / size, groups.n_undecided, seconds, confirmed)
        for method in METHODS if name in EVALUATED else ():
            protocol = Protocol(n_repeats=1)
            spec = table_spec(method, data.graphs)
            one = evaluate(data.graphs, data.classes, spec, protocol)
            what = isomorphism_bias(one, groups)
            shares = what.share, what.usual.mean, what.strict.mean, what.twin_accuracy
            bias.add(name, method, *(f"{100 * share:.1f}" for share in shares))
    return [found, bias]


def _confirmed(graphs: Any, groups: Any) -> str:
    """Return how many pairs from the same group NetworkX finds isomorphic."""
    first: dict[int, int] = {}
    pairs = [(first[g], i) for i, g in enumerate(groups.tolist()) if first.setdefault(g, i) != i]
    chosen = pairs[:: max(len(pairs) // PAIRS, 1)][:PAIRS]
    drawn = {i: _with_labels(graphs[i]) for pair in chosen for i in pair}
    right = sum(nx.vf2pp_is_isomorphic(drawn[i], drawn[j], "label") for i, j in chosen)
    return f"{right} of {len(chosen)}"


def _with_labels(graph: Any) -> nx.Graph:
    made = nx.from_scipy_sparse_array(graph.adjacency)
    for v in made:
        code = None if graph.label_codes is None else int(graph.label_codes[v])
        row = () if graph.attributes is None else tuple(graph.attributes[v].tolist())
        made.nodes[v]["label"] = (code, row)
    return made
