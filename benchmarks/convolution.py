"""RR feature maps against T bare sparse products."""

from __future__ import annotations

import numpy as np

from benchmarks.measure import ratio
from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core import GraphSet, MessagePassingGraphKernel
from mpgk_core.graphs.features import FeatureEncoder
from mpgk_core.kernels.walks import walk_blocks

T = 4


def measure() -> Table:
    """Compare on every data set, with the features that it has."""
    table = Table(
        "RR feature map against T = 4 bare products `A @ X` of scipy",
        "Target: ratio at most 1.5. Both start from the encoded features X, of d columns; the last "
        "column is the ratio when `fit` is measured, which also encodes X (finds equal rows).",
        ["data", "features", "d", "feature map (s)", "4 × A @ X (s)", "ratio", "with encoding"],
    )
    if data_folder() is None:
        return table
    for name, features in [
        ("MUTAG", "labels"),
        ("ENZYMES", "attributes"),
        ("ENZYMES", "labels"),
        ("NCI1", "labels"),
        ("REDDIT-BINARY", "degree"),
        ("COLLAB", "degree"),
    ]:
        graphs = load(name).graphs
        start = FeatureEncoder(features).fit(graphs)
        X = np.asarray(start.rows)[start.of_vertex]
        with_x = GraphSet(graphs.adjacency, graphs.offsets, attributes=X)
        kernel = MessagePassingGraphKernel("RR", n_iterations=T, features="attributes")

        def bare(graphs: GraphSet = graphs, X: np.ndarray = X) -> None:
            for _ in range(T):
                X = graphs.adjacency @ X

        encoded = FeatureEncoder("attributes").fit(with_x)
        value, ours, theirs = ratio(
            lambda w=with_x, e=encoded: walk_blocks(w, e, T), bare, repeats=9
        )
        whole, _, _ = ratio(lambda w=with_x, k=kernel: k.fit(w), bare, repeats=9)
        table.add(name, features, X.shape[1], ours, theirs, value, whole)
    return table
