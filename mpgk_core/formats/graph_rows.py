"""Tables whose rows are graphs: their classes, fixed splits, and kernel matrices of one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.arrays import FloatArray
from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.format import GraphTables
from mpgk_core.formats.numpy_files import array_of
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import is_number, text_rows

_CLASS_COLUMNS = ("class", "label", "y", "target", "classes", "labels")
TRAIN, OUT = -1, -2
"""In a split: a graph that is never tested, and one that takes no part."""


def graph_titles(tables: GraphTables) -> list[Hashable]:
    """Return what each graph is called, where the names are distinct; else 0, 1, 2, ..."""
    names = tables.graph_names
    if names is None or "" in names or len(set(names)) < len(names):
        return list(range(len(tables)))
    return list(names)


class GraphRows(NamedTuple):
    """A table, brought into the order of the graphs.

    Attributes
    ----------
    header : list of str
        Names of the columns; numbers counted from 1 where the table has none.
    cells : list of list of str
        One row for every graph, without its name.
    lines : list of int
        Where these rows stand in the file.
    n_unused : int
        Rows that name other graphs.
    """

    header: list[str]
    cells: list[list[str]]
    lines: list[int]
    n_unused: int


def graph_rows(source: Source, titles: Sequence[Hashable]) -> GraphRows:
    r"""Read a table with one row for every graph.

    Parameters
    ----------
    source : Source
        Text with a separator of any kind, with or without a header. The rows stand in the order of
        the graphs, or begin with the graph's name or the name of its file.
    titles : sequence of hashable
        What the graphs are called, such as ``GraphTables.graph_names``, or 0, 1, 2, ...

    Returns
    -------
    GraphRows

    Examples
    --------
    >>> table = Source("classes.csv", b"file,class\nb.gml,ring\na.gml,tree\n")
    >>> graph_rows(table, ["a", "b"])
    GraphRows(header=['class'], cells=[['tree'], ['ring']], lines=[3, 2], n_unused=0)
    """
    rows = list(text_rows(source, empty_rows=True))
    widths = Counter(len(cells) for _, cells in rows)
    if not rows:
        raise source.error("The table is empty.", "Give one row for every graph.")
    if len(widths) > 1:
        usual = widths.most_common(1)[0][0]
        line = next(line for line, cells in rows if len(cells) != usual)
        raise source.error(
            f"This row does not have {usual} cells, as most have.",
            "Give every row equally many.",
            line,
        )
    number = {str(title): g for g, title in enumerate(titles)}
    known = [_graph_named(cells[0], number) for _, cells in rows]
    if len(rows[0][1]) > 1 and _are_names(known, titles):
        return _by_name(source, rows, known, titles)
    has_header = len(rows) == len(titles) + 1
    if len(rows) - has_header != len(titles):
        raise source.error(
            f"There are {len(rows):,} rows for {len(titles):,} graphs.",
            "Give one row for every graph in their order, or begin every row with the name of "
            "its graph.",
        )
    header = rows[0][1] if has_header else _counted(len(rows[0][1]))
    body = rows[has_header:]
    return GraphRows(header, [cells for _, cells in body], [line for line, _ in body], 0)


def classes_of_graphs(
    source: Source, titles: Sequence[Hashable], column: str | None = None
) -> NDArray[Any]:
    r"""Read the class of every graph from a table.

    Parameters
    ----------
    source : Source
        See :func:`graph_rows`.
    titles : sequence of hashable
        What the graphs are called.
    column : str, optional
        The column of the class. Default: the only one, or one called class, label, y or target.

    Returns
    -------
    ndarray of shape (N,)
        Numbers or text.

    Examples
    --------
    >>> classes_of_graphs(Source("classes.txt", b"ring\ntree\n"), [0, 1]).tolist()
    ['ring', 'tree']
    """
    table = graph_rows(source, titles)
    words = [name.strip().lower() for name in table.header]
    usual = [i for i, word in enumerate(words) if word in _CLASS_COLUMNS]
    chosen = [0] if len(words) == 1 else usual[:1]
    if column is not None:
        chosen = [i for i, name in enumerate(table.header) if name == column]
    if not chosen:
        wanted = "Which column holds the class is not clear."
        if column is not None:
            wanted = f"There is no column {shortened(column)!r}."
        names = ", ".join(shortened(name, 30) for name in table.header[:20])
        raise source.error(wanted, f"Name one of these: {names}.")
    cells = [row[chosen[0]] for row in table.cells]
    for g, cell in enumerate(cells):
        if not cell:
            raise source.error(
                f"Graph {shortened(str(titles[g]))} has no class.",
                "Give it one, or leave the graph out.",
                table.lines[g],
            )
    return column_of_cells(cells)


def splits_of_graphs(source: Source, titles: Sequence[Hashable]) -> tuple[tuple[int, ...], ...]:
    r"""Read fixed splits from a table.

    Parameters
    ----------
    source : Source
        See :func:`graph_rows`. Every column is one repetition. A cell is the number of the fold in
        which the graph is tested, or ``train`` or ``test``; an empty cell or ``-`` leaves the
        graph out.
    titles : sequence of hashable
        What the graphs are called.

    Returns
    -------
    tuple of tuple of int
        For every repetition the fold of every graph, counted from 0; ``TRAIN`` for a graph that is
        never tested, ``OUT`` for one that takes no part.

    Examples
    --------
    >>> splits_of_graphs(Source("splits.csv", b"1,train\n1,train\n2,test\n2,-\n"), range(4))
    ((0, 0, 1, 1), (-1, -1, 0, -2))
    """
    table = graph_rows(source, titles)
    splits = []
    for column in zip(*table.cells, strict=True):
        folds = sorted({int(cell) for cell in column if cell.isascii() and cell.isdigit()})
        place = {str(fold): number for number, fold in enumerate(folds)}
        codes = []
        for cell, line in zip(column, table.lines, strict=True):
            word = cell.lower()
            fold = str(int(word)) if word.isascii() and word.isdigit() else ""
            code = {"train": TRAIN, "": OUT, "-": OUT, "test": 0}.get(word, place.get(fold))
            if code is None or (word == "test" and folds):
                raise source.error(
                    f"{shortened(cell)!r} is no part of a split"
                    + (" with numbered folds." if word == "test" else "."),
                    "Give the number of a fold, or train, test or -.",
                    line,
                )
            codes.append(code)
        splits.append(tuple(codes))
    return tuple(splits)


def matrix_of_graphs(source: Source, titles: Sequence[Hashable]) -> FloatArray:
    r"""Read a kernel matrix: a square table of numbers as text, or an array of NumPy.

    Parameters
    ----------
    source : Source
        A ``.npy`` file, or text as ``mpgk kernel`` writes it, with or without the names of the
        graphs above and beside the numbers. With names, rows may have any order.
    titles : sequence of hashable
        What the graphs are called.

    Returns
    -------
    ndarray of shape (N, N)
        In the order of the graphs; what it holds is not checked.

    Examples
    --------
    >>> matrix_of_graphs(Source("k.csv", b"graph,b,a\nb,2,1\na,1,3\n"), ["a", "b"]).tolist()
    [[3.0, 1.0], [1.0, 2.0]]
    """
    n = len(titles)
    if source.content.startswith(b"\x93NUMPY"):
        array = array_of(source)
        if array.shape != (n, n) or array.dtype.kind not in "biuf":
            raise _unfit_matrix(source, array.shape, n)
        return array.astype(np.float64)
    rows = list(text_rows(source, empty_rows=True))
    names: list[str] = []
    if len(rows) == n + 1 and all(len(cells) == n + 1 for _, cells in rows):
        names = rows[0][1][1:]
        if names != [cells[0] for _, cells in rows[1:]]:
            raise source.error("The names above and beside the numbers differ.", "Make them equal.")
        rows = [(line, cells[1:]) for line, cells in rows[1:]]
    if len(rows) != n or any(len(cells) != n for _, cells in rows):
        raise _unfit_matrix(source, (len(rows), len(rows[0][1]) if rows else 0), n)
    matrix = np.empty((n, n))
    for i, (line, cells) in enumerate(rows):
        bad = next((cell for cell in cells if not is_number(cell)), None)
        if bad is not None:
            raise source.error(f"{shortened(bad)!r} is not a number.", "Give numbers.", line)
        matrix[i] = np.array(cells, dtype=np.float64)
    number = {str(title): g for g, title in enumerate(titles)}
    places = [_graph_named(name, number) for name in names]
    if not names or set(places) != set(range(n)):
        if names and places != [None] * n:
            lost = names[next(i for i, place in enumerate(places) if place is None)]
            raise source.error(f"There is no graph {shortened(lost)!r}.", "Name every graph once.")
        return matrix
    order = np.argsort(np.array(places, dtype=np.int64))
    return matrix[np.ix_(order, order)]


def _by_name(
    source: Source,
    rows: Sequence[tuple[int, list[str]]],
    known: Sequence[int | None],
    titles: Sequence[Hashable],
) -> GraphRows:
    """Bring rows that begin with names into the order of the graphs."""
    has_header = known[0] is None
    width = len(rows[0][1]) - 1
    header = rows[0][1][1:] if has_header else _counted(width)
    found: dict[int, tuple[int, list[str]]] = {}
    for g, (line, row) in list(zip(known, rows, strict=True))[has_header:]:
        if g is None:
            continue
        if g in found:
            raise source.error(
                f"Graph {shortened(row[0])} has a row already, in line {found[g][0]}.",
                "Give every graph one row.",
                line,
            )
        found[g] = (line, row[1:])
    missing = next((g for g in range(len(titles)) if g not in found), None)
    if missing is not None:
        raise source.error(
            f"There is no row for graph {shortened(str(titles[missing]))}.",
            "Give every graph one row.",
        )
    ordered = [found[g] for g in range(len(titles))]
    n_unused = len(rows) - has_header - len(found)
    return GraphRows(
        header, [cells for _, cells in ordered], [line for line, _ in ordered], n_unused
    )


def _graph_named(cell: str, number: dict[str, int]) -> int | None:
    return number.get(cell, number.get(Source(cell, b"").stem))


def _are_names(known: Sequence[int | None], titles: Sequence[Hashable]) -> bool:
    """Return whether rows begin with names. Numbers are names only if they are all there."""
    if all(isinstance(title, int) for title in titles):
        return set(range(len(titles))) <= set(known)
    return any(g is not None for g in known)


def _counted(width: int) -> list[str]:
    return [str(i + 1) for i in range(width)]


def _unfit_matrix(source: Source, shape: tuple[int, ...], n: int) -> UnreadableFileError:
    shown = " × ".join(f"{size:,}" for size in shape)
    return source.error(
        f"The matrix has the shape {shown}, and there are {n:,} graphs.",
        "Give a square matrix with a row and a column for every graph.",
    )
