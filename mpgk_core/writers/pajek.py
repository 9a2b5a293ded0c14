"""Write graphs as networks for Pajek, with the names of the vertices and nothing else of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from mpgk_core.csv_cells import encoded
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import each_graph, texts_of_names
from mpgk_core.formats.format import Writer
from mpgk_core.graphs import GraphSet

_SPECIAL = re.compile(r'[\x00-\x1f"&\\]')


def _write(graphs: GraphSet, classes: NDArray[Any] | None) -> bytes:
    return encoded("".join(_parts(graphs)))


def _parts(graphs: GraphSet) -> Iterator[str]:
    names = texts_of_names(graphs)
    for g, (start, stop, edges) in enumerate(each_graph(graphs)):
        if len(graphs) > 1:
            yield f"*Network {g}\n"
        yield f"*Vertices {stop - start}\n"
        yield from (f"{v - start + 1} {_quoted(names[v])}\n" for v in range(start, stop))
        yield "*Edges\n"
        yield from (f"{a - start + 1} {b - start + 1}\n" for a, b in edges)


def _quoted(name: str) -> str:
    """Return a name in quotation marks, with special characters as Pajek writes them."""
    if not name:
        raise InvalidGraphError(
            "A vertex has an empty name, which Pajek cannot hold. Rename it, or choose another "
            "format."
        )
    return '"' + _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", name) + '"'


WRITER = Writer("Pajek", ".net", _write, keeps_attributes=False, many_graphs=True)
