"""Write a graph as a table of zeros and ones, with the names above and beside it."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from mpgk_core.csv_cells import encoded, quoted, safe_text
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import name_texts
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet

_MOST_VERTICES = 5_000


def _write(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    n = graphs.n_vertices
    if not 0 < n <= _MOST_VERTICES:
        raise InvalidGraphError(
            f"An adjacency matrix is written for 1 to {_MOST_VERTICES:,} vertices, and there are "
            f"{n:,}. Choose another format."
        )
    names = [quoted(safe_text(name)) for name in name_texts(graphs)]
    lines = [",".join(["", *names])]
    indptr, indices = graphs.adjacency.indptr, graphs.adjacency.indices
    for vertex, name in enumerate(names):
        row = ["0"] * n
        for neighbour in indices[indptr[vertex] : indptr[vertex + 1]].tolist():
            row[neighbour] = "1"
        lines.append(",".join([name, *row]))
    return encoded("".join(line + "\n" for line in lines))


WRITER = Writer("Adjacency matrix", ".csv", _write, keeps_attributes=False, many_graphs=False)
