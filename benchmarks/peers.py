"""AA for all t, Gram matrices included, against GraKeL's Weisfeiler-Lehman kernels."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from benchmarks.measure import ratio
from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core import GraphSet, MessagePassingGraphKernel, WeisfeilerLehmanSubtree

H = 4


def measure() -> Table:
    """Compare on labelled data sets; GraKeL gets its graphs ready-made for every run."""
    table = Table(
        "AA (T = 4, five Gram matrices, t = 0..4) against GraKeL",
        "Targets: at most 3 times WL (h = 4, one Gram matrix) on MUTAG, ENZYMES and NCI1; at most "
        "0.2 of WL-OA on ENZYMES. GraKeL's graph objects are built outside the measured time.",
        ["data", "features", "peer", "ours (s)", "peer (s)", "ratio"],
    )
    try:
        import grakel
    except ImportError:
        return table
    if data_folder() is None:
        return table
    warnings.filterwarnings("ignore")

    def subtree() -> Any:
        base = grakel.VertexHistogram
        return grakel.WeisfeilerLehman(n_iter=H, base_graph_kernel=base, normalize=True)

    def assignment() -> Any:
        return grakel.WeisfeilerLehmanOptimalAssignment(n_iter=H, normalize=True)

    for name, features, peer_name, peer, repeats in [
        ("MUTAG", "labels", "WL", subtree, 9),
        ("ENZYMES", "labels", "WL", subtree, 5),
        ("ENZYMES", "labels+attributes-standardised", "WL", subtree, 5),
        ("NCI1", "labels", "WL", subtree, 3),
        ("ENZYMES", "labels", "WL-OA", assignment, 1),
        ("ENZYMES", "labels+attributes-standardised", "WL-OA", assignment, 1),
    ]:
        graphs = load(name).graphs
        kernel = MessagePassingGraphKernel("AA", n_iterations=H, features=features)
        theirs = _peer_run(peer, graphs, repeats + 1)
        value, own, other = ratio(lambda k=kernel, g=graphs: k.kernels_at_all_t(g), theirs, repeats)
        table.add(name, features, f"GraKeL {peer_name}", own, other, value)
    for name, repeats in [("MUTAG", 9), ("ENZYMES", 5), ("NCI1", 3)]:
        graphs = load(name).graphs
        theirs = _peer_run(subtree, graphs, repeats + 1)
        own_wl = WeisfeilerLehmanSubtree(H, features="labels")
        value, own, other = ratio(lambda k=own_wl, g=graphs: k.fit_transform(g), theirs, repeats)
        table.add(name, "labels", "GraKeL WL (ours: our WL)", own, other, value)
    return table


def _peer_run(peer: Callable[[], Any], graphs: GraphSet, runs: int) -> Callable[[], Any]:
    """Return a run of the peer; it changes its inputs, so every run has graphs of its own."""
    supply = [_grakel_graphs(graphs) for _ in range(runs)]
    return lambda: peer().fit_transform(supply.pop())


def _grakel_graphs(graphs: GraphSet) -> list[Any]:
    import grakel

    labels = graphs.labels
    assert labels is not None
    indptr, indices = graphs.adjacency.indptr, graphs.adjacency.indices
    result = []
    for start, stop in zip(graphs.offsets[:-1].tolist(), graphs.offsets[1:].tolist(), strict=True):
        edges = {
            v - start: dict.fromkeys((indices[indptr[v] : indptr[v + 1]] - start).tolist(), 1.0)
            for v in range(start, stop)
        }
        names = {v - start: labels[v] for v in range(start, stop)}
        result.append(grakel.Graph(edges, node_labels=names))
    return result
