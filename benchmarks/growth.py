"""How time and memory grow with the number and the size of generated graphs."""

from __future__ import annotations

import gc
import json
import statistics
import sys

import numpy as np
from scipy.sparse import coo_array

from benchmarks.measure import forget_peak, in_fresh_process, peak_memory, seconds
from benchmarks.report import Table
from mpgk_core import GraphSet, MessagePassingGraphKernel
from mpgk_core.warm_up import warm_up

VARIANTS = ("RR", "RA", "AR", "AA")
GRAPH_COUNTS = [250 * 2**i for i in range(7)]
GRAPH_SIZES = [25 * 2**i for i in range(7)]


def measure() -> Table:
    """Double the number of graphs (30 vertices each), then the vertices of 500 graphs."""
    table = Table(
        "Growth of feature maps, T = 4, generated labelled graphs of mean degree 4",
        f"From {GRAPH_COUNTS[0]} to {GRAPH_COUNTS[-1]} graphs of 30 vertices, and from "
        f"{GRAPH_SIZES[0]} to {GRAPH_SIZES[-1]} vertices in 500 graphs. Exponent: slope of "
        "log(time) or log(memory above the start) over log(size), by least squares over the four "
        "largest. Target: at most 1.1.",
        [
            "variant",
            "what doubles",
            "smallest (s)",
            "largest (s)",
            "time exponent",
            "largest (GB)",
            "memory exponent",
        ],
    )
    for variant in VARIANTS:
        for what, sizes in [("graphs", GRAPH_COUNTS), ("vertices per graph", GRAPH_SIZES)]:
            runs = [in_fresh_process("benchmarks.growth", variant, what, str(s)) for s in sizes]
            table.add(
                variant,
                what,
                runs[0]["seconds"],
                runs[-1]["seconds"],
                _exponent(sizes, [run["seconds"] for run in runs]),
                runs[-1]["gigabytes"],
                _exponent(sizes, [run["gigabytes"] for run in runs]),
            )
    return table


def generated(n_graphs: int, n_vertices: int, seed: int = 0) -> GraphSet:
    """Return random graphs of mean degree 4 with five labels."""
    rng = np.random.default_rng(seed)
    n = n_graphs * n_vertices
    ends = rng.integers(0, n_vertices, size=(2, 2 * n))
    graph = np.repeat(np.arange(n_graphs), 2 * n_vertices) * n_vertices
    adjacency = coo_array((np.ones(2 * n), (ends[0] + graph, ends[1] + graph)), shape=(n, n))
    labels = rng.integers(0, 5, size=n).tolist()
    return GraphSet(adjacency, np.arange(n_graphs + 1) * n_vertices, labels=labels)


def _exponent(sizes: list[int], values: list[float]) -> float:
    largest = slice(-4, None)
    slope, _ = np.polyfit(np.log(sizes[largest]), np.log(np.maximum(values[largest], 1e-6)), 1)
    return float(slope)


def _one(variant: str, what: str, size: int) -> None:
    warm_up()
    graphs = generated(size, 30) if what == "graphs" else generated(500, size)
    gc.collect()
    forget_peak()
    before = peak_memory()
    kernel = MessagePassingGraphKernel(variant, n_iterations=4, features="labels")
    times = [seconds(lambda: kernel.fit(graphs)) for _ in range(3)]
    answer = {"seconds": statistics.median(times), "gigabytes": peak_memory() - before}
    print(json.dumps(answer))


if __name__ == "__main__":
    _one(sys.argv[1], sys.argv[2], int(sys.argv[3]))
