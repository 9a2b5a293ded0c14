"""Graphs in several parts, drawn side by side instead of far from each other."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from mpgk_core import GraphSet
from mpgk_core.plotting import colour_by_class, draw_graph, graph_layout
from ui.cache import cached
from ui.choices import ChosenGraph

_FILLED = 0.85


def is_in_parts(graph: GraphSet) -> bool:
    """Return whether some vertices cannot be reached from others."""
    return int(connected_components(graph.adjacency, directed=False)[0]) > 1


@cached()
def row_layout(chosen: ChosenGraph) -> str:
    """Return where edges and vertices are drawn if all parts stand in a row, as JSON."""
    graph = chosen.graph
    n_parts, part = connected_components(graph.adjacency, directed=False)
    positions = np.zeros((graph.n_vertices, 2))
    networks = graph.to_networkx()[0]
    names = graph.names
    for p in range(n_parts):
        members = np.flatnonzero(part == p)
        alone = GraphSet.from_networkx(networks.subgraph([names[v] for v in members]).copy())
        order = [alone.names.index(names[v]) for v in members]
        centre = np.array([(2 * p + 1) / n_parts - 1, 0.0])
        positions[members] = centre + graph_layout(alone)[order] * _FILLED / n_parts
    plain = colour_by_class("Part", part[np.newaxis].astype(np.int64), "part")
    traces = json.loads(draw_graph(graph, positions, plain).to_json())["data"]
    return json.dumps([{axis: trace[axis] for axis in "xy"} for trace in traces])


def numbers_of_trace(values: Any) -> NDArray[np.float64]:
    """Return the numbers of a trace, which are a list or packed."""
    if isinstance(values, dict):
        return np.frombuffer(b64decode(values["bdata"]), dtype="<f4").astype(np.float64)
    return np.asarray(values, dtype=np.float64)
