"""Edges between names or numbers, and the graph that they make."""

from __future__ import annotations

import secrets
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from mpgk_core.csv_cells import unescaped
from mpgk_core.formats.columns import whole_numbers_or_text
from mpgk_core.formats.graph_tables import GraphTables, edge_notes
from mpgk_core.formats.name_scanning import BAD_QUOTE, TOO_MANY, scan_names
from mpgk_core.formats.number_scanning import EMPTY_CELL, FINE, RAGGED_ROW
from mpgk_core.formats.number_table import FIRST_ROW, line_of, most_rows
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import BLANKS, WRONG_QUOTES, check_lengths

#: Numbers that lie this close are renumbered through a table, others by sorting.
_SPREAD = 4


def named_edges(
    source: Source, separator: str, has_header: bool, places: tuple[int, int] = (0, 1)
) -> tuple[list[str], NDArray[np.int64]]:
    r"""Read names and edges; a million lines take about half a second.

    Parameters
    ----------
    source : Source
        The file. Lines that start with ``#`` or ``%`` are comments.
    separator : str
        Between cells, or ``BLANKS``.
    has_header : bool
        Whether the first row is none of the edges.
    places : tuple of two int
        The columns that name the two ends.

    Returns
    -------
    names : list of str
        Distinct, as they first appear.
    edges : ndarray of shape (m, 2)
        Places in ``names``.

    Examples
    --------
    >>> named_edges(Source("a.csv", b"to,from\nb,a\nc,a\n"), ",", True, (1, 0))
    (['a', 'b', 'c'], array([[0, 1], [0, 2]]))
    """
    content = source.plain
    if b"\0" in content:
        source.text  # noqa: B018  its error says where
    header = FIRST_ROW.search(content) if has_header else None
    skipped = 0 if header is None else header.end()
    ends = np.empty(2 * most_rows(content), dtype=np.int32)
    status, position, width, n_edges, spans = scan_names(
        np.frombuffer(content, dtype=np.uint8)[skipped:],
        -1 if separator == BLANKS else ord(separator),
        *places,
        np.uint64(secrets.randbits(64)),
        source.bounds.vertices,
        ends,
    )
    _check(source, status, skipped + position, width)
    if width > source.bounds.columns:
        raise source.error(
            f"Lines have {width:,} cells, and at most {source.bounds.columns:,} are read.",
            "Write one edge per line: two names.",
        )
    source.bounds.check_edges(source.name, n_edges)
    starts, stops = (spans + skipped).T.tolist()
    texts = [content[start:stop] for start, stop in zip(starts, stops, strict=True)]
    names = _names(source, texts, separator)
    edges = ends[: 2 * n_edges].reshape(-1, 2).astype(np.int64)
    number = {name: place for place, name in enumerate(dict.fromkeys(names))}
    if len(number) < len(names):
        edges = np.array([number[name] for name in names])[edges]
    return list(number), edges


def in_order(
    texts: list[str], edges: NDArray[np.int64]
) -> tuple[list[Hashable], NDArray[np.int64]]:
    """Return names and edges: in rising order if all are whole numbers, and else as they are."""
    names = whole_numbers_or_text(texts)
    if names and isinstance(names[0], int):
        numbers = np.array(names, dtype=np.int64)
        return in_rising_order(numbers[edges], numbers)
    return names, edges


def in_rising_order(
    pairs: NDArray[np.int64], lone: NDArray[np.int64]
) -> tuple[list[Hashable], NDArray[np.int64]]:
    """Return the distinct numbers as names, and the edges between their places."""
    numbers = np.concatenate([pairs.ravel(), lone]) if len(lone) else pairs.ravel()
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > _SPREAD * len(numbers):
        distinct, places = np.unique(numbers, return_inverse=True)
    else:
        seen = np.zeros(high - low + 1, dtype=np.bool_)
        seen[numbers - low] = True
        distinct = np.flatnonzero(seen) + low
        places = (np.cumsum(seen) - 1)[numbers - low]
    return distinct.tolist(), places[: pairs.size].reshape(-1, 2)


def graph_of_edges(
    source: Source,
    title: str,
    names: list[Hashable],
    edges: NDArray[np.int64],
    *,
    weighted: bool = False,
) -> GraphTables:
    """Return the graph of names and of edges between their places, within the bounds."""
    n = len(names)
    source.bounds.check_vertices(source.name, n)
    source.bounds.check_edges(source.name, len(edges))
    merely_count = n > 0 and names[0] == 0 and names[-1] == n - 1
    return GraphTables(
        source.name,
        title,
        np.array([0, n], dtype=np.int64),
        edges,
        names=None if merely_count else names,
        notes=edge_notes(edges, n, weighted=weighted),
    )


def graph_of_named_edges(
    source: Source, title: str, texts: list[str], edges: NDArray[np.int64], *, weighted: bool
) -> GraphTables:
    """Return the graph of vertices that are named by text, in rising order if all are numbers."""
    return graph_of_edges(source, title, *in_order(texts, edges), weighted=weighted)


def graph_of_numbered_edges(source: Source, title: str, pairs: NDArray[np.int64]) -> GraphTables:
    """Return the graph whose vertices are the numbers that appear, in rising order."""
    if not len(pairs):
        raise source.error("There is no edge in it.", "Give at least one.")
    return graph_of_edges(source, title, *in_rising_order(pairs, pairs[:0, 0]))


def _names(source: Source, texts: list[bytes], separator: str) -> list[str]:
    try:
        names = [text.decode() for text in texts]
    except UnicodeDecodeError:
        source.text  # noqa: B018  its error says where
        raise
    names = [_without_quotes(name) if '"' in name else name for name in names]
    if separator != BLANKS:
        names = [unescaped(name) if "'" in name else name for name in names]
    check_lengths(source, names)
    return names


def _without_quotes(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _check(source: Source, status: int, position: int, width: int) -> None:
    if status == FINE:
        return
    line = line_of(source.plain, position)
    if status == TOO_MANY:
        source.bounds.check_vertices(source.name, source.bounds.vertices + 1, line)
    problem, remedy = {
        RAGGED_ROW: (
            f"This line does not have {width:,} cells as earlier ones have.",
            "Give every edge equally many; a name with blanks needs quotation marks.",
        ),
        EMPTY_CELL: ("A name is missing.", "Name both ends of every edge."),
        BAD_QUOTE: WRONG_QUOTES,
    }[status]
    raise source.error(problem, remedy, line)
