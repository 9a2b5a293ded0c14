"""Write a graph as an edge list: the names of both ends on a line, and lone vertices after them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.csv_cells import encoded, quoted
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import name_texts, undirected_edges
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet


def _write(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    if not graphs.n_vertices:
        raise InvalidGraphError(
            "An edge list cannot hold a graph without vertices. Choose another format."
        )
    names = [quoted(name) for name in name_texts(graphs)]
    lone = np.flatnonzero(np.diff(graphs.adjacency.indptr) == 0).tolist()
    lines = [f"{names[a]} {names[b]}" for a, b in undirected_edges(graphs).tolist()]
    lines += [names[vertex] for vertex in lone]
    if not all(isinstance(name, int) for name in graphs.names):
        lines.insert(0, names[0])  # a row of one name is never taken for a header
    return encoded("".join(line + "\n" for line in lines))


WRITER = Writer("Edge list", ".edgelist", _write, keeps_attributes=False, many_graphs=False)
