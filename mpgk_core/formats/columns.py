"""Names, labels and attributes of vertices: columns from files, their roles, and back to text."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.text import cell_text

_IS_WHOLE_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,400})\Z").match
_IS_NUMBER = re.compile(
    r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z"
    r"|[+-]?(?:inf|infinity)\Z|[+-]?nan\Z",
    re.IGNORECASE,
).match
_EXACT_IN_FLOATS = 2**53


def column_of_values(values: Sequence[Any]) -> NDArray[Any]:
    """Return one column from values that know whether they are numbers or text.

    Whole numbers become int64, other numbers float64, and everything else text. None, NaN and
    the empty text are missing values. Whole numbers that neither type can hold stay text.

    Parameters
    ----------
    values : sequence of bool, int, float, str, list, dict or None

    Returns
    -------
    ndarray
        Of int64; of float64, with NaN where a value is missing; or of objects that are text or
        None.

    Examples
    --------
    >>> column_of_values([1, 2]), column_of_values([1, None]), column_of_values([1, "C"])
    (array([1, 2]), array([ 1., nan]), array(['1', 'C'], dtype=object))
    """
    kinds = set(map(type, values))
    try:
        if kinds <= {bool, int}:
            return np.array(values, dtype=np.int64)
        if kinds <= {bool, int, float, type(None)} and (
            float in kinds or all(abs(value or 0) <= _EXACT_IN_FLOATS for value in values)
        ):
            return np.array(values, dtype=np.float64)
    except OverflowError:  # a whole number of more than 64 bits
        pass
    column = np.empty(len(values), dtype=object)
    column[:] = values if kinds == {str} and "" not in values else list(map(_text, values))
    return column


def column_of_cells(cells: Sequence[str | None]) -> NDArray[Any]:
    """Return one column from cells of text, which is numeric only if every cell is a number.

    Parameters
    ----------
    cells : sequence of str or None
        None and the empty text are missing values.

    Returns
    -------
    ndarray
        As from :func:`column_of_values`.

    Examples
    --------
    >>> column_of_cells(["1", "2.5", ""]), column_of_cells(["1", "01"])
    (array([1. , 2.5, nan]), array(['1', '01'], dtype=object))
    """
    present = [cell for cell in cells if cell]
    if present and all(map(_IS_WHOLE_NUMBER, present)):
        return column_of_values([int(cell) if cell else None for cell in cells])
    if present and all(map(_IS_NUMBER, present)):
        return column_of_values([float(cell) if cell else None for cell in cells])
    return column_of_values(cells)


def _text(value: Any) -> str | None:
    if value is None or value == "" or value != value:
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_IS_NUMBER_NAME = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z").match


def whole_numbers_or_text(names: Sequence[str]) -> list[Hashable]:
    """Return the names as whole numbers if each is written like one, and as they are if not.

    Parameters
    ----------
    names : sequence of str
        All names of a file.

    Returns
    -------
    list of int or list of str

    Examples
    --------
    >>> whole_numbers_or_text(["7", "-1"]), whole_numbers_or_text(["7", "07"])
    ([7, -1], ['7', '07'])
    """
    if all(map(_IS_NUMBER_NAME, names)):
        return list(map(int, names))
    return list(names)


def names_or_none(names: Sequence[str], offsets: Sequence[int]) -> list[Hashable] | None:
    """Return the names as numbers or text; None if they are 0, 1, 2, ... in every graph.

    Parameters
    ----------
    names : sequence of str
        All names of a file.
    offsets : sequence of int
        Graph g owns the names ``offsets[g]`` up to, not including, ``offsets[g + 1]``.

    Returns
    -------
    list or None

    Examples
    --------
    >>> names_or_none(["0", "1", "0"], [0, 2, 3]), names_or_none(["0", "2"], [0, 2])
    (None, [0, 2])
    """
    plain = whole_numbers_or_text(names)
    if all(plain[start:stop] == list(range(stop - start)) for start, stop in pairwise(offsets)):
        return None
    return plain


def all_differ(names: Sequence[Hashable], offsets: Sequence[int]) -> bool:
    """Return whether no two vertices of a graph have the same name, and none lacks one."""
    return None not in names and all(
        len(set(names[start:stop])) == stop - start for start, stop in pairwise(offsets)
    )


def merely_count(names: Sequence[str], offsets: Sequence[int]) -> bool:
    """Return whether the names of every graph are 0, 1, 2 ..., or 1, 2 ..., or n0, n1 ... only."""
    return any(
        all(
            list(names[start:stop]) == [f"{prefix}{first + i}" for i in range(stop - start)]
            for start, stop in pairwise(offsets)
        )
        for prefix in ("", "n")
        for first in (0, 1)
    )


Role = Literal["label", "attribute", "ignore"]

_LABEL_WORDS = (
    "label",
    "class",
    "type",
    "kind",
    "role",
    "group",
    "category",
    "element",
    "symbol",
    "atom",
    "community",
    "club",
    "colour",
    "color",
)
_IGNORED_WORDS = ("id", "name", "x", "y", "z", "pos", "position", "size", "viz", "url", "index")
_MAX_LABELS = 50


def guess_roles(columns: Mapping[str, NDArray[Any]]) -> dict[str, Role]:
    """Return a role for every column.

    Text that repeats is a label, and so are whole numbers in a column that is called one; other
    numbers are attributes. Columns with gaps, positions in a drawing, identifiers and text that
    (nearly) never repeats are ignored. Only the first label counts; the user may add others.

    Parameters
    ----------
    columns : mapping of str to ndarray
        As in :class:`~mpgk_core.formats.GraphTables`.

    Returns
    -------
    dict of str to {"label", "attribute", "ignore"}

    Examples
    --------
    >>> guess_roles({"element": np.array(["C", "O", "C"], dtype=object),
    ...              "charge": np.array([0.0, -0.5, 0.5]), "x": np.array([0.1, 0.7, 0.3])})
    {'element': 'label', 'charge': 'attribute', 'x': 'ignore'}
    """
    roles: dict[str, Role] = {key: _role(key, column) for key, column in columns.items()}
    labels = [key for key, role in roles.items() if role == "label"]
    for key in labels[1:]:
        roles[key] = "ignore"
    return roles


def _role(key: str, column: NDArray[Any]) -> Role:
    words = key.lower().replace("_", " ").replace("-", " ").replace(":", " ").split()
    if any(word in _IGNORED_WORDS for word in words) or len(column) == 0:
        return "ignore"
    is_called_label = any(word.startswith(_LABEL_WORDS) for word in words)
    if column.dtype == object:
        values = column.tolist()
        if any(value is None or value != value for value in values):
            return "ignore"
        distinct = len(set(values))
        repeats = distinct <= max(_MAX_LABELS, len(values) // 20) and distinct < len(values)
        return "label" if repeats or is_called_label else "ignore"
    if not np.isfinite(column).all():
        return "ignore"
    if column.dtype.kind in "iub" and is_called_label:
        return "label"
    return "attribute"


def undirected_edges(graphs: GraphSet) -> NDArray[np.int64]:
    """Return every edge once, its smaller end first, in rising order; self-loops too.

    Parameters
    ----------
    graphs : GraphSet

    Returns
    -------
    ndarray of shape (m, 2)
        Pairs of vertices, counted over all graphs from 0.

    Examples
    --------
    >>> import networkx as nx
    >>> undirected_edges(GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(3)])).tolist()
    [[0, 1], [2, 3], [3, 4]]
    """
    adjacency = graphs.adjacency
    rows = np.repeat(np.arange(graphs.n_vertices, dtype=np.int64), np.diff(adjacency.indptr))
    columns = adjacency.indices.astype(np.int64)
    once = rows <= columns
    return np.column_stack([rows[once], columns[once]])


Value = int | float | str
_MAX_INT = np.iinfo(np.int64).max


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
    if all(isinstance(value, int) and abs(value) <= _MAX_INT for value in plain):
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


def name_texts(graph: GraphSet) -> list[str]:
    """Return one text per vertex of one graph.

    Parameters
    ----------
    graph : GraphSet
        One graph.

    Returns
    -------
    list of str
        All different, none empty; otherwise this raises.

    Examples
    --------
    >>> import networkx as nx
    >>> name_texts(GraphSet.from_networkx(nx.Graph([("a", 1)])))
    ['a', '1']
    """
    texts = texts_of_names(graph)
    if "" in texts:
        raise InvalidGraphError(
            "A vertex has no name, and an empty name cannot be written in this format. Give every "
            "vertex a name, or choose another format."
        )
    return texts
