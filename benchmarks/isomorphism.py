"""How many graphs of the known sets are isomorphic, and what that does to accuracies."""

from __future__ import annotations

from time import process_time

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


def measure() -> list[Table]:
    """Count isomorphic graphs, and leave them out of accuracies."""
    found = Table(
        "Isomorphic graphs",
        "Graphs that are isomorphic to another one of the set, with equal labels and attributes "
        "of vertices and without labels of edges; pairs for which the check gave up; processor "
        "time.",
        ["set", "graphs", "isomorphic", "in %", "undecided", "CPU (s)"],
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
        size = len(data.graphs)
        found.add(name, size, n, 100 * n / size, groups.n_undecided, seconds)
        for method in METHODS if name in EVALUATED else ():
            protocol = Protocol(n_repeats=1)
            spec = table_spec(method, data.graphs)
            one = evaluate(data.graphs, data.classes, spec, protocol)
            what = isomorphism_bias(one, groups)
            shares = what.share, what.usual.mean, what.strict.mean, what.twin_accuracy
            bias.add(name, method, *(f"{100 * share:.1f}" for share in shares))
    return [found, bias]
