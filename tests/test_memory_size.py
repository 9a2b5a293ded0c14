"""The measured size of a value is what it takes in memory."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingNodeKernel, kernel_pca, orbits
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.formats import read_many
from mpgk_core.memory_store import size_of
from mpgk_core.plotting import colour_by_orbit, draw_graph, graph_layout

RING = nx.cycle_graph(400)
NAMED = nx.relabel_nodes(RING, lambda v: f"vertex {v}")
RANDOM = GraphSet.from_networkx(nx.gnm_random_graph(800, 2_000, seed=1))
TABLE = b"id,kind,weight\n" + b"".join(b"v%d,%d x,0.5\n" % (v, v) for v in range(3_000))
LINKS = b"source,target\n" + b"".join(b"v%d,v%d\n" % (v, v + 1) for v in range(2_999))


def _graph() -> GraphSet:
    return GraphSet.from_networkx(NAMED)


def _drawing() -> Any:
    found = orbits(RANDOM).of_vertex
    return draw_graph(RANDOM, graph_layout(RANDOM), colour_by_orbit(found, found[np.newaxis]))


VALUES: dict[str, Callable[[], Any]] = {
    "array": lambda: np.zeros((300, 400)),
    "text": lambda: "ä" * 100_000,
    "bytes": lambda: bytes(100_000),
    "names": lambda: [f"vertex {v}" for v in range(50_000)],
    "numbers": lambda: {v: float(v) for v in range(1_000, 31_000)},
    "graph": _graph,
    "file": lambda: read_many([("vertices.csv", TABLE), ("edges.csv", LINKS)])[0],
    "kernel": lambda: MessagePassingNodeKernel("A", features="degree").fit(RANDOM),
    "plane": lambda: kernel_pca(np.outer(range(300), range(300)) + np.eye(300), 2),
    "trajectory": lambda: trajectory(RANDOM, MessagePassingNodeKernel().fit(RANDOM), 2),
    "drawing": _drawing,
    "figure": lambda: _drawing().figure(),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_size_is_the_memory_that_the_value_takes(name: str) -> None:
    VALUES[name]()  # imports and compiled loops stay in memory
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    value = VALUES[name]()
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert taken / 1.5 - 3_000 <= size_of(value) <= 1.5 * taken + 20_000


def test_what_is_shared_counts_once() -> None:
    row = np.zeros(10_000)
    assert size_of([row] * 50) < 2 * row.nbytes
    assert size_of({"first": row, "second": (row, row[5:])}) < 2 * row.nbytes


def test_a_view_counts_as_the_array_that_it_keeps() -> None:
    assert size_of(np.zeros((1_000, 100))[0]) > 800_000


def test_a_few_labels_in_a_long_list_count_as_a_few() -> None:
    labels = [f"{'label' * 50} {v}" for v in range(5)] * 20_000
    assert size_of(labels) < 8 * len(labels) + 10_000


def test_circles_and_parts_of_the_program_end_the_walk() -> None:
    circle: list[Any] = [np, gc.collect, GraphSet]
    circle.append(circle)
    assert size_of(circle) < 500
