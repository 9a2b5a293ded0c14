"""Write graphs as GML.

The key "label" of GML is the name of a vertex; its label is called "vertex_label" there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from mpgk_core.formats.columns import Value, column_of, each_graph, texts_of_names, vertex_columns
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet

_NOT_PLAIN = re.compile("[^ !#-%'-~]|\"|&")


def _write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    return "".join(_parts(graphs, classes)).encode("ascii")


def _parts(graphs: GraphSet, classes: NDArray[Any] | None) -> Iterator[str]:
    names = texts_of_names(graphs)
    columns = vertex_columns(graphs, label="vertex_label")
    classes_of_graphs = None if classes is None else column_of("class", classes.tolist()).values
    for g, (start, stop, edges) in enumerate(each_graph(graphs)):
        yield "graph [\n  directed 0\n"
        if classes_of_graphs is not None:
            yield f"  class {_value(classes_of_graphs[g])}\n"
        for v in range(start, stop):
            yield f"  node [\n    id {v - start}\n    label {_value(names[v])}\n"
            yield from (f"    {column.name} {_value(column.values[v])}\n" for column in columns)
            yield "  ]\n"
        for a, b in edges:
            yield f"  edge [\n    source {a - start}\n    target {b - start}\n  ]\n"
        yield "]\n"


def _value(value: Value) -> str:
    """Return a value as GML writes it: a real number has a point, and text is plain ASCII."""
    if isinstance(value, str):
        return '"' + _NOT_PLAIN.sub(lambda match: f"&#{ord(match[0])};", value) + '"'
    if isinstance(value, int):
        return str(value)
    mantissa, exponent, power = repr(value).upper().partition("E")
    return mantissa + ("" if "." in mantissa or not exponent else ".0") + exponent + power


WRITER = Writer(
    "GML",
    ".gml",
    _write,
    keeps_attributes=True,
    many_graphs=True,
    keeps_classes=True,
    label_column="vertex_label",
)
