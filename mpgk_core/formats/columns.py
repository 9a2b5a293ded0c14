"""Columns of vertices and edges: from files, their roles, and back to text."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.text import cell_text, counted

_IS_WHOLE_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,400})\Z").match
_IS_NUMBER = re.compile(
    r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z"
    r"|[+-]?(?:inf|infinity)\Z|[+-]?nan\Z",
    re.IGNORECASE,
).match
#: Whole numbers up to this one are exact as floats.
EXACT_IN_FLOATS = 2**53


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
            float in kinds or all(abs(value or 0) <= EXACT_IN_FLOATS for value in values)
        ):
            return np.array(values, dtype=np.float64)
    except OverflowError:  # a whole number of more than 64 bits
        pass
    column = np.empty(len(values), dtype=object)
    shared: dict[str | None, str | None] = {}  # equal texts are one object
    column[:] = [shared.setdefault(text, text) for text in map(_text, values)]
    return column


def column_of_cells(cells: Sequence[str | None]) -> NDArray[Any]:
    """Return one column from cells of text, which is numeric only if every cell is a number.

    Cells have no types, so a label "1" that was written as text is the number 1 again.

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


def missing(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where a column has no value."""
    if column.dtype == object:
        return np.array([value is None or value != value for value in column], dtype=np.bool_)
    gaps: NDArray[np.bool_] = np.isnan(column)
    return gaps


Role = Literal["label", "attribute", "ignore"]
EdgeRole = Literal["label", "weight", "ignore"]

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
_EDGE_LABEL_WORDS = (*_LABEL_WORDS, "bond", "relation", "interaction", "sign")
_WEIGHT_WORDS = ("weight", "value", "length", "distance", "strength", "count", "cost", "capacity")
_EDGE_ID_WORDS = ("id", "key", "index", "name", "suid", "url")
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
    words = _words(key)
    if any(word in _IGNORED_WORDS for word in words) or len(column) == 0:
        return "ignore"
    is_called_label = any(word.startswith(_LABEL_WORDS) for word in words)
    if missing(column).any():
        return "ignore"
    if column.dtype == object:
        return "label" if _repeats(column, column) or is_called_label else "ignore"
    if not np.isfinite(column).all():
        return "ignore"
    if column.dtype.kind in "iub" and is_called_label:
        return "label"
    return "attribute"


def _words(key: str) -> list[str]:
    return key.lower().replace("_", " ").replace("-", " ").replace(":", " ").split()


def _repeats(column: NDArray[Any], present: NDArray[Any]) -> bool:
    """Return whether few values of a column differ."""
    distinct = len(set(present.tolist()))
    return distinct <= max(_MAX_LABELS, len(column) // 20) and distinct < len(column)


class EdgeGuess(NamedTuple):
    """What a column of edges is probably for, and why: a few words."""

    role: EdgeRole
    reason: str


def guess_edge_roles(columns: Mapping[str, NDArray[Any]]) -> dict[str, EdgeGuess]:
    """Return a role for every column of edges, with the reason.

    Numbers that are never negative are the weight in a column that is called one, or if no other
    column could be. Text and whole numbers of which few differ are a label, also if some edges
    have none. Identifiers and everything else are ignored. There is one label and one weight.

    Parameters
    ----------
    columns : mapping of str to ndarray
        As ``edge_columns`` of :class:`~mpgk_core.formats.GraphTables`.

    Returns
    -------
    dict of str to EdgeGuess

    Examples
    --------
    >>> guess_edge_roles({"bond": np.array([1, 2, 1]), "length": np.array([1.4, 1.2, 1.4])})
    {'bond': EdgeGuess(role='label', reason='2 values'),
     'length': EdgeGuess(role='weight', reason='its name; never negative')}
    """
    found = {key: _edge_guess(key, column) for key, column in columns.items()}
    if not any(guess.role == "weight" for guess in found.values()):
        possible = [key for key, guess in found.items() if guess.reason == _REAL]
        if len(possible) == 1:
            found[possible[0]] = EdgeGuess("weight", "the only column of numbers; never negative")
    for role in ("label", "weight"):
        for key in [key for key, guess in found.items() if guess.role == role][1:]:
            found[key] = EdgeGuess("ignore", f"another column is the {role}")
    return found


def is_called_weight(key: str) -> bool:
    """Return whether the name of a column of edges is one of weights.

    Examples
    --------
    >>> is_called_weight("edge length"), is_called_weight("kind")
    (True, False)
    """
    return any(word.startswith(_WEIGHT_WORDS) for word in _words(key))


_REAL = "numbers, but not called a weight"


def _edge_guess(key: str, column: NDArray[Any]) -> EdgeGuess:
    words = _words(key)
    if any(word in _EDGE_ID_WORDS for word in words):
        return EdgeGuess("ignore", "an identifier by its name")
    gaps = missing(column)
    n_missing = int(gaps.sum())
    lacking = f"missing for {n_missing:,} of {len(column):,} edges"
    present = column[~gaps]
    if column.dtype != object:
        if is_called_weight(key):
            is_weight = np.isfinite(present).all() and present.min(initial=0) >= 0
            if n_missing:
                return EdgeGuess("ignore", lacking)
            if (present == 1).all():
                return EdgeGuess("ignore", "1 for every edge")
            if is_weight:
                return EdgeGuess("weight", "its name; never negative")
        is_whole = bool((np.floor(present) == present).all()) and (
            column.dtype.kind == "i" or n_missing > 0
        )
        is_called_label = any(word.startswith(_EDGE_LABEL_WORDS) for word in words)
        if not (is_whole and (is_called_label or _repeats(column, present))):
            if n_missing:
                return EdgeGuess("ignore", lacking)
            if not np.isfinite(present).all():
                return EdgeGuess("ignore", "not finite everywhere")
            if present.min(initial=0) < 0:
                return EdgeGuess("ignore", "negative numbers")
            return EdgeGuess("ignore", _REAL)
    elif not _repeats(column, present) and not any(
        word.startswith(_EDGE_LABEL_WORDS) for word in words
    ):
        return EdgeGuess("ignore", "text that hardly repeats")
    n_values = len(set(present.tolist()))
    return EdgeGuess("label", counted(n_values, "value") + (f", {lacking}" if n_missing else ""))


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


def written_edges(graphs: GraphSet) -> tuple[NDArray[np.int64], list[Column]]:
    """Return the edges as they are written, with a column "label" and a column "weight".

    Parameters
    ----------
    graphs : GraphSet

    Returns
    -------
    edges : ndarray of shape (m, 2)
        Pairs of vertices, counted over all graphs from 0, in rising order.
    columns : list of Column
        Those that there are; a value is None where an edge has no label.

    Examples
    --------
    >>> import networkx as nx
    >>> path = GraphSet.from_networkx(nx.DiGraph([(1, 0, {"weight": 2.5})]))
    >>> edges, columns = written_edges(path)
    >>> edges.tolist(), columns[0].name, columns[0].values
    ([[0, 1]], 'weight', [2.5])
    """
    edges = graphs.edges
    if edges is None:
        return undirected_edges(graphs), []
    columns = []
    if edges.label_codes is not None:
        known = [value for value in edges.label_values if value is not None]
        plain = column_of("label", known)
        values = dict(zip(known, plain.values, strict=True))
        of_code = [values.get(value) for value in edges.label_values]
        codes = edges.label_codes.tolist()
        columns.append(Column("label", plain.kind, [of_code[code] for code in codes]))
    if edges.weights is not None:
        columns.append(Column("weight", "double", edges.weights.tolist()))
    return np.column_stack([edges.sources, edges.targets]).astype(np.int64), columns


def written_matrix(graph: GraphSet) -> csr_array:
    """Return the adjacency matrix of one graph with the weights of edges as its entries.

    The weights of parallel edges are added.

    Parameters
    ----------
    graph : GraphSet
        One graph.

    Returns
    -------
    csr_array of shape (n, n)
        Symmetric unless edges are directed.
    """
    if graph.edges is None:
        return graph.adjacency
    edges, n = graph.edges.directed(), graph.n_vertices
    weights = np.ones(edges.n_edges) if edges.weights is None else edges.weights
    matrix = coo_array((weights, (edges.sources, edges.targets)), shape=(n, n)).tocsr()
    if edges.weights is None:
        matrix.data[:] = 1
    if not matrix.data.all():
        raise InvalidGraphError(
            "An edge has the weight 0, and 0 means in a matrix that there is no edge. Choose "
            "another format."
        )
    return matrix


Value = int | float | str
_MAX_INT = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Column:
    """Values of one type, one for each vertex, edge or graph; None where there is none."""

    name: str
    kind: Literal["long", "double", "string"]
    values: Sequence[Value | None]


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


def each_graph(
    graphs: GraphSet, edges: NDArray[np.int64]
) -> Iterator[tuple[int, int, list[tuple[int, int, int]]]]:
    """Yield the first vertex of each graph, the one after its last, and its edges.

    Parameters
    ----------
    graphs : GraphSet
    edges : ndarray of shape (m, 2)
        From :func:`written_edges`.

    Yields
    ------
    start, stop : int
    edges : list of (int, int, int)
        The number of an edge and its two vertices, counted over all graphs.
    """
    ends = np.searchsorted(edges[:, 0], graphs.offsets)
    numbered = np.column_stack([np.arange(len(edges)), edges])
    spans = zip(pairwise(graphs.offsets.tolist()), pairwise(ends.tolist()), strict=True)
    for (start, stop), (first, last) in spans:
        yield start, stop, numbered[first:last].tolist()


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
