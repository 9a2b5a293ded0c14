"""Write the adjacency matrix of a graph as SciPy stores sparse matrices."""

from __future__ import annotations

import io
from typing import Any

from numpy.typing import NDArray
from scipy.sparse import save_npz

from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet


def _write(graphs: GraphSet, _: NDArray[Any] | None) -> bytes:
    file = io.BytesIO()
    save_npz(file, graphs.adjacency)
    return file.getvalue()


WRITER = Writer(
    "SciPy sparse matrix",
    ".npz",
    _write,
    keeps_attributes=False,
    many_graphs=False,
    keeps_names=False,
)
