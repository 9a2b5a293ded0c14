"""The columns of a table with a header, read in parts so that numbers never pile up as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import shortened
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import separator_of, text_rows

_ROWS_AT_ONCE = 20_000


def table_columns(source: Source, kept_as_text: int) -> dict[str, NDArray[Any]]:
    r"""Read all columns.

    Parameters
    ----------
    source : Source
        A table whose first row is the header.
    kept_as_text : int
        The column that names the rows: its cells stay text, whatever they look like.

    Returns
    -------
    dict of str to ndarray
        Columns of int64, float64 or text, by the words above them, in their order.

    Examples
    --------
    >>> table_columns(Source("a.csv", b"id,label,size\n1,C,2\n2,O,2.5\n"), kept_as_text=0)
    {'id': array(['1', '2'], dtype=object), 'label': array(['C', 'O'], dtype=object),
     'size': array([2. , 2.5])}
    """
    text_columns = {kept_as_text}
    columns, mixed = _read(source, text_columns)
    if mixed:
        columns, _ = _read(source, text_columns | mixed)
    return columns


def _read(source: Source, text_columns: set[int]) -> tuple[dict[str, NDArray[Any]], set[int]]:
    """Return the columns, and which ones turned out to hold both numbers and text."""
    rows = text_rows(source, separator_of(source), comments_anywhere=False)
    _, header = next(rows)
    keys = _keys(source, header)
    parts: list[list[NDArray[Any]]] = [[] for _ in keys]
    shared: dict[str, str] = {}
    n_rows = 0
    while some := list(islice(_checked(source, rows, len(keys)), _ROWS_AT_ONCE)):
        n_rows += len(some)
        source.bounds.check_vertices(source.name, n_rows)
        for place, cells in enumerate(zip(*some, strict=True)):
            same = [shared.setdefault(cell, cell) for cell in cells]
            parts[place].append(_texts(same) if place in text_columns else column_of_cells(same))
        shared = shared if len(shared) < _ROWS_AT_ONCE else {}
    columns = {key: _joined(part) for key, part in zip(keys, parts, strict=True)}
    mixed = {place for place, part in enumerate(parts) if _is_mixed(part)}
    return columns, mixed - text_columns


def _keys(source: Source, header: Sequence[str]) -> list[str]:
    if len(header) > source.bounds.columns:
        raise source.error(
            f"There are {len(header):,} columns, and at most {source.bounds.columns:,} are read.",
            "Leave some out, or set MPGK_MAX_COLUMNS to more.",
            1,
        )
    keys = [key.strip() or f"column_{place}" for place, key in enumerate(header, start=1)]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise source.error(
                f"Two columns are called {shortened(key)!r}.", "Give each its own name."
            )
    return keys


def _checked(
    source: Source, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[list[str]]:
    for line, cells in rows:
        if len(cells) != width:
            raise source.error(
                f"This row has {len(cells):,} cells, and the header has {width:,}.",
                "Give every row as many cells as the header has.",
                line,
            )
        yield cells


def _texts(cells: list[str]) -> NDArray[Any]:
    column = np.empty(len(cells), dtype=object)
    column[:] = [cell or None for cell in cells]
    return column


def _is_empty(part: NDArray[Any]) -> bool:
    return part.dtype == object and all(cell is None for cell in part)


def _is_mixed(parts: list[NDArray[Any]]) -> bool:
    kinds = {part.dtype == object for part in parts if not _is_empty(part)}
    return len(kinds) > 1


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Put parts of one kind behind one another; empty parts take on the kind of the others."""
    if any(part.dtype != object for part in parts):
        parts = [np.full(len(part), np.nan) if _is_empty(part) else part for part in parts]
    return np.concatenate(parts) if parts else np.empty(0, dtype=object)
