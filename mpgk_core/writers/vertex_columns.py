"""What a file says of the vertices: their names as text, and columns of labels and attributes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from mpgk_core.csv_cells import cell_text
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.writers.undirected_edges import undirected_edges

Value = int | float | str
_MOST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Column:
    """Values of one type, one for each vertex or graph."""

    name: str
    kind: Literal["long", "double", "string"]
    values: Sequence[Value]


def column_of(name: str, values: Sequence[Hashable]) -> Column:
    """Return a column of whole numbers if all values are, of numbers if all are, or of text.

    Parameters
    ----------
    name : str
    values : sequence of str, number, None or tuple of them

    Returns
    -------
    Column

    Examples
    --------
    >>> column_of("label", [1, 2]).kind, column_of("label", [1, "C"]).values
    ('long', ['1', 'C'])
    """
    plain: list[Any] = [
        value.item() if isinstance(value, np.generic) else value for value in values
    ]
    if all(isinstance(value, int) and abs(value) <= _MOST for value in plain):
        return Column(name, "long", [int(value) for value in plain])
    if all(isinstance(value, float) for value in plain):
        return Column(name, "double", plain)
    return Column(name, "string", [cell_text(value) for value in plain])


def vertex_columns(graphs: GraphSet, label: str = "label") -> list[Column]:
    """Return the labels, and the attributes as columns attribute_1, attribute_2, ...

    Parameters
    ----------
    graphs : GraphSet
    label : str
        Name of the column of labels.

    Returns
    -------
    list of Column
    """
    columns = []
    if graphs.label_codes is not None:
        values = column_of(label, graphs.label_values)
        codes = graphs.label_codes.tolist()
        columns.append(Column(label, values.kind, [values.values[code] for code in codes]))
    if graphs.attributes is not None:
        columns += [
            Column(f"attribute_{number}", "double", column.tolist())
            for number, column in enumerate(graphs.attributes.T, start=1)
        ]
    return columns


def texts_of_names(graphs: GraphSet) -> list[str]:
    """Return the names of all vertices as text, or raise if two in a graph would look the same.

    Parameters
    ----------
    graphs : GraphSet

    Returns
    -------
    list of str
    """
    texts = [cell_text(name) for name in graphs.names]
    for g, (start, stop) in enumerate(pairwise(graphs.offsets.tolist())):
        if len(set(texts[start:stop])) < stop - start:
            raise InvalidGraphError(
                f"Graph {g}: two vertices would have the same name in a file, as 1 and '1' would. "
                "Rename one."
            )
    return texts


def each_graph(graphs: GraphSet) -> Iterator[tuple[int, int, list[list[int]]]]:
    """Yield the first vertex of each graph, the one after its last, and its edges.

    Parameters
    ----------
    graphs : GraphSet

    Yields
    ------
    start, stop : int
    edges : list of pairs of int
        Vertices counted over all graphs.
    """
    edges = undirected_edges(graphs)
    ends = np.searchsorted(edges[:, 0], graphs.offsets)
    spans = zip(pairwise(graphs.offsets.tolist()), pairwise(ends.tolist()), strict=True)
    for (start, stop), (first, last) in spans:
        yield start, stop, edges[first:last].tolist()
