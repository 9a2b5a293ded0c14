"""All four variants on the largest data sets, and kernels between the vertices of large graphs."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from scipy.sparse import coo_array, load_npz, save_npz

from benchmarks.measure import in_fresh_process, peak_memory, ratio, seconds
from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core import GraphSet, MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.arrays import as_dense
from mpgk_core.warm_up import warm_up

VARIANTS = ("RR", "RA", "AR", "AA")


def measure() -> list[Table]:
    """Measure sets of many graphs, then single large graphs."""
    return [_sets(), _single_graphs()]


def _sets() -> Table:
    """Time and memory of the feature maps; the graphs come from a binary file, ready parsed."""
    table = Table(
        "Feature maps of the largest sets, T = 4, degree",
        "Target: below 4 GB for the whole process, graphs included.",
        [
            "data",
            "vertices",
            "adjacency entries",
            "variant",
            "feature map (s)",
            "non-zeros (million)",
            "peak of the process (GB)",
        ],
    )
    if data_folder() is None:
        return table
    with tempfile.TemporaryDirectory() as folder:
        for name in ["REDDIT-BINARY", "COLLAB"]:
            graphs = load(name).graphs
            save_npz(Path(folder) / "adjacency.npz", graphs.adjacency, compressed=False)
            np.save(Path(folder) / "offsets.npy", graphs.offsets)
            vertices, entries = graphs.n_vertices, graphs.adjacency.nnz
            del graphs
            for variant in VARIANTS:
                run = in_fresh_process("benchmarks.large_sets", folder, variant)
                table.add(
                    name,
                    vertices,
                    entries,
                    variant,
                    run["seconds"],
                    run["nonzeros"] / 1e6,
                    run["gigabytes"],
                )
    return table


def _single_graphs() -> Table:
    """Node kernels of a random graph of mean degree 10, against products with its matrix."""
    table = Table(
        "Kernels between vertices: a random graph, 50,000 vertices, 250,000 edges, T = 5",
        "R: `fit` and `feature_map` (6 d columns), against five bare products `A @ X` in double "
        "precision with the d columns of X that the kernel starts with. A: `fit` alone. CPU time, "
        "medians of turns in one run; compiled code is loaded and the GraphSet built before. "
        "Targets: R at most 10 times the products, A at most 3 s. Sums of "
        "whole numbers (degree, labels) are exact in any order. Sums of real numbers (log-degree) "
        "are not: equal neighbourhoods are put together first, and added up in an order of their "
        "own, so that no numbering of the vertices changes a bit.",
        [
            "features",
            "d",
            "5 × A @ X (s)",
            "R, fit and map (s)",
            "ratio",
            "A, fit (s)",
            "peak of the process (GB)",
        ],
    )
    for features in ("degree", "labels", "log-degree"):
        run = in_fresh_process("benchmarks.large_sets", features)
        shown = ("width", "products", "R", "ratio", "A", "gigabytes")
        table.add(features, *(run[key] for key in shown))
    return table


def _random_graph(n_vertices: int, n_edges: int) -> GraphSet:
    """Return a graph with so many distinct edges, drawn at random, and four labels."""
    rng = np.random.default_rng(0)
    ends = np.sort(rng.integers(n_vertices, size=(2, n_edges + n_edges // 100)), axis=0)
    pairs = np.unique((ends[0] * n_vertices + ends[1])[ends[0] != ends[1]])
    rows, columns = np.divmod(rng.permutation(pairs)[:n_edges], n_vertices)
    adjacency = coo_array((np.ones(len(rows)), (rows, columns)), shape=(n_vertices, n_vertices))
    labels = rng.integers(4, size=n_vertices).tolist()
    return GraphSet(adjacency, np.array([0, n_vertices]), labels=labels)


def _node_kernels(features: str) -> None:
    warm_up()
    graphs = _random_graph(50_000, 250_000)
    start = MessagePassingNodeKernel("R", n_iterations=0, features=features).fit(graphs)
    X = as_dense(start.initial_features_)

    def products() -> None:
        power = X
        for _ in range(5):
            power = graphs.adjacency @ power

    def convolution() -> None:
        kernel = MessagePassingNodeKernel("R", n_iterations=5, features=features)
        kernel.fit(graphs).feature_map()

    value, ours, bare = ratio(convolution, products, 9, process_time)
    assignment = MessagePassingNodeKernel("A", n_iterations=5, features=features)
    times = [seconds(lambda: assignment.fit(graphs), process_time) for _ in range(3)]
    answer = {"width": X.shape[1], "products": bare, "R": ours, "ratio": value}
    answer |= {"A": statistics.median(times), "gigabytes": peak_memory()}
    print(json.dumps(answer))


def _one(folder: Path, variant: str) -> None:
    warm_up()
    graphs = GraphSet(load_npz(folder / "adjacency.npz"), np.load(folder / "offsets.npy"))
    kernel = MessagePassingGraphKernel(variant, n_iterations=4, features="degree")
    time = seconds(lambda: kernel.fit(graphs))
    rows = kernel.fitted_features()
    print(json.dumps({"seconds": time, "nonzeros": rows.nnz, "gigabytes": peak_memory()}))


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _node_kernels(sys.argv[1])
    else:
        _one(Path(sys.argv[1]), sys.argv[2])
