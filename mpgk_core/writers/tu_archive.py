"""Write graphs as a data set of the TU collection: an archive of plain tables.

Labels and classes are whole numbers there. Others are numbered in their canonical order, and
``README.txt`` says which number stands for which; names of vertices have no place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.archives import packed
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.graph_parts import encode_labels

_NAME = "graphs"
_MOST = np.iinfo(np.int64).max


def _write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    if classes is None and not graphs.sizes.all():
        raise InvalidGraphError(
            f"Graph {int(np.argmin(graphs.sizes))} has no vertices, and a TU data set has a place "
            "for it only if the graphs have classes. Give classes, or leave it out."
        )
    rows = np.repeat(np.arange(1, graphs.n_vertices + 1), np.diff(graphs.adjacency.indptr))
    pairs = zip(rows.tolist(), (graphs.adjacency.indices + 1).tolist(), strict=True)
    tables = {"A": _table(pairs), "graph_indicator": _column(graphs.graph_of_vertex + 1)}
    meanings: list[str] = []
    if classes is not None:
        tables["graph_labels"] = _table(_numbered(classes.tolist(), "Graph label", meanings))
    if graphs.labels is not None:
        tables["node_labels"] = _table(_numbered(graphs.labels, "Node label", meanings))
    if graphs.attributes is not None and graphs.attributes.size:
        tables["node_attributes"] = _table(graphs.attributes.tolist())
    files = {f"{_NAME}/{_NAME}_{part}.txt": content for part, content in tables.items()}
    if meanings:
        files[f"{_NAME}/README.txt"] = "".join(f"{line}\n" for line in meanings).encode()
    return packed(files)


def _numbered(values: Sequence[Any], what: str, meanings: list[str]) -> Iterable[Any]:
    """Return rows of whole numbers; what these stand for is added to the meanings."""
    is_row = {isinstance(value, tuple) for value in values}
    rows = values if is_row == {True} else list(zip(values, strict=True))
    if len(is_row) == 1 and _is_table(rows):
        return rows
    codes, meant = encode_labels(values)
    meanings += [f"{what} {code}: {shortened(str(value))}" for code, value in enumerate(meant)]
    return zip(codes.tolist(), strict=True)


def _is_table(rows: Sequence[Any]) -> bool:
    cells = [cell for row in rows for cell in row]
    is_whole = all(type(cell) is int and abs(cell) <= _MOST for cell in cells)
    return is_whole and len(cells) > 0 and len({len(row) for row in rows}) == 1


def _column(numbers: NDArray[np.int64]) -> bytes:
    return _table(zip(numbers.tolist(), strict=True))


def _table(rows: Iterable[Iterable[float]]) -> bytes:
    return "".join(", ".join(map(repr, row)) + "\n" for row in rows).encode()


WRITER = Writer(
    "TU data set",
    ".zip",
    _write,
    keeps_attributes=True,
    many_graphs=True,
    keeps_names=False,
    keeps_classes=True,
    numbers_labels=True,
)
