"""The pieces that graphs in JSON are made of, as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from mpgk_core.csv_cells import encoded
from mpgk_core.formats.columns import column_of, each_graph, texts_of_names, vertex_columns
from mpgk_core.graphs import GraphSet


@dataclass(frozen=True)
class JsonGraph:
    """A graph whose names and fields are JSON already.

    Attributes
    ----------
    about : str
        An object with the class of the graph, if it has one.
    names : sequence of str
        The names of the vertices as text.
    ids : sequence of str
        The same, but whole numbers as numbers.
    fields : sequence of str
        Labels and attributes of each vertex, each with a comma before it.
    edges : sequence of pairs of int
        Positions in the lists above.
    """

    about: str
    names: Sequence[str]
    ids: Sequence[str]
    fields: Sequence[str]
    edges: Sequence[tuple[int, int]]


def json_graphs(graphs: GraphSet, classes: NDArray[Any] | None) -> Iterator[JsonGraph]:
    """Yield every graph in JSON.

    Parameters
    ----------
    graphs : GraphSet
    classes : ndarray of shape (N,), optional

    Yields
    ------
    JsonGraph
    """
    names = [_json(name) for name in texts_of_names(graphs)]
    ids = [
        str(name) if type(name) is int else text
        for name, text in zip(graphs.names, names, strict=True)
    ]
    columns = [
        [f", {_json(column.name)}: {_json(value)}" for value in column.values]
        for column in vertex_columns(graphs)
    ]
    fields = list(map("".join, zip(*columns, strict=True))) if columns else [""] * len(names)
    values = None if classes is None else column_of("class", classes.tolist()).values
    for g, (start, stop, edges) in enumerate(each_graph(graphs)):
        about = "{}" if values is None else f'{{"class": {_json(values[g])}}}'
        yield JsonGraph(
            about,
            names[start:stop],
            ids[start:stop],
            fields[start:stop],
            [(a - start, b - start) for a, b in edges],
        )


def json_list(items: Iterable[str]) -> str:
    """Return a list of items that are JSON already, one per line."""
    return "[\n" + ",\n".join(items) + "\n]"


def file_of_graphs(written: Sequence[str]) -> bytes:
    """Return one graph as it is, or several as a list."""
    return encoded((written[0] if len(written) == 1 else json_list(written)) + "\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
