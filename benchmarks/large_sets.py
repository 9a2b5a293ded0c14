"""All four variants on the largest data sets, each in a process of its own."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.sparse import load_npz, save_npz

from benchmarks.measure import in_fresh_process, peak_memory, seconds
from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core import GraphSet, MessagePassingGraphKernel
from mpgk_core.warm_up import warm_up

VARIANTS = ("RR", "RA", "AR", "AA")


def measure() -> Table:
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


def _one(folder: Path, variant: str) -> None:
    warm_up()
    graphs = GraphSet(load_npz(folder / "adjacency.npz"), np.load(folder / "offsets.npy"))
    kernel = MessagePassingGraphKernel(variant, n_iterations=4, features="degree")
    time = seconds(lambda: kernel.fit(graphs))
    rows = kernel.fitted_features()
    print(json.dumps({"seconds": time, "nonzeros": rows.nnz, "gigabytes": peak_memory()}))


if __name__ == "__main__":
    _one(Path(sys.argv[1]), sys.argv[2])
