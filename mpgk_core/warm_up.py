"""Compile the inner loops once, so that nobody waits for it later.

Run as ``python -m mpgk_core.warm_up`` after installation, or call :func:`warm_up` in a thread
of its own when an app starts.
"""

from __future__ import annotations

import shutil

import networkx as nx

from mpgk_core import (
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    WeisfeilerLehmanOptimalAssignment,
    orbits,
    verdict,
)
from mpgk_core._compiled import other_versions
from mpgk_core.evaluation import Protocol, evaluate
from mpgk_core.formats import read_graphs
from mpgk_core.tuning import Grid, sweep


def warm_up() -> None:
    """Run everything once on tiny graphs, and forget the code of other versions."""
    for folder in other_versions():
        shutil.rmtree(folder, ignore_errors=True)
    graphs = [nx.barbell_graph(3, 1), nx.cycle_graph(4)]
    attributed = nx.path_graph(4)
    nx.set_node_attributes(attributed, {v: [v / 3, 1.0] for v in attributed}, "attributes")
    MessagePassingGraphKernel("RR", n_iterations=1, features="attributes").fit([attributed])
    for variant in ("RR", "RA", "AR", "AA"):
        kernel = MessagePassingGraphKernel(
            variant, n_iterations=1, features="triangles+core-number"
        )
        kernel.fit(graphs)
        kernel.transform(graphs)
    bonds = nx.path_graph(4)
    nx.set_edge_attributes(bonds, {(a, b): {"label": a, "weight": b} for a, b in bonds.edges})
    for variant, edges in (("RR", "labels"), ("RR", "weights"), ("RA", "labels"), ("AA", "labels")):
        MessagePassingGraphKernel(variant, n_iterations=1, edges=edges).fit_transform([bonds])
    for neighbourhood in ("R", "A"):
        node_kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=1, features="degree")
        node_kernel.fit_transform(graphs)
    WeisfeilerLehmanOptimalAssignment(n_iterations=1, features="degree").fit_transform(graphs)
    for graph in (*graphs, nx.petersen_graph()):
        node_kernel = MessagePassingNodeKernel(n_iterations=1, features="degree").fit(graph)
        verdict(graph, node_kernel, orbits=orbits(graph))
    path = nx.path_graph(4)
    nx.set_node_attributes(path, {v: v for v in path}, "label")
    verdict(path, MessagePassingNodeKernel("A", n_iterations=1).fit(path))
    sweep(path, Grid((0.5,), (0.5,), (1,), ("R", "A")), ["gap"])
    evaluate(graphs * 6, [0, 1] * 6, "SP", Protocol(n_folds=2, n_repeats=1, inner_folds=2))
    for file in (b"1 2\n", b"a b\n", b"Bw\n"):
        read_graphs("graph", file)


if __name__ == "__main__":
    warm_up()
