"""Put the graphs of several files one behind another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.formats.columns import column_of_values
from mpgk_core.formats.graph_tables import GraphTables

_MOST_NOTES = 10


def joined_tables(tables: Sequence[GraphTables], stems: Sequence[str], source: str) -> GraphTables:
    """Return one set of graphs from several.

    Parameters
    ----------
    tables : sequence of GraphTables
        At least one.
    stems : sequence of str
        What the graphs of each are called; several in one file are counted.
    source : str
        What all are called together.

    Returns
    -------
    GraphTables
        With all columns that any of them has; what one does not say is missing.
    """
    shifts = [0, *accumulate(table.n_vertices for table in tables)]
    formats = list(dict.fromkeys(table.format for table in tables))
    edges = [table.edges + shift for table, shift in zip(tables, shifts, strict=False)]
    offsets = [table.offsets[1:] + shift for table, shift in zip(tables, shifts, strict=False)]
    keys = list(dict.fromkeys(key for table in tables for key in table.columns))
    named = [table for table in tables if table.names is not None]
    return GraphTables(
        source,
        ", ".join(formats),
        np.concatenate([np.zeros(1, dtype=np.int64), *offsets]),
        np.concatenate(edges),
        names=[name for table in tables for name in _names(table)] if named else None,
        columns={key: joined_columns(_parts(tables, key)) for key in keys},
        classes=_classes(tables),
        graph_names=[
            name
            for table, stem in zip(tables, stems, strict=True)
            for name in _graph_names(table, stem)
        ],
        notes=_notes(tables),
        reading=tables[0].reading if len({table.reading for table in tables}) == 1 else "",
    )


def joined_columns(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return one column from several, as numbers if all are.

    Parameters
    ----------
    parts : sequence of ndarray
        Of int64, float64 or objects.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> joined_columns([np.array([1, 2]), np.array([0.5])])
    array([1. , 2. , 0.5])
    >>> joined_columns([np.array([1, 2]), np.array(["C"], dtype=object)])
    array(['1', '2', 'C'], dtype=object)
    """
    if len({part.dtype == object for part in parts}) == 1:
        return np.concatenate(parts)
    return column_of_values([value for part in parts for value in part.tolist()])


def _parts(tables: Sequence[GraphTables], key: str) -> list[NDArray[Any]]:
    is_text = any(table.columns[key].dtype == object for table in tables if key in table.columns)
    missing = None if is_text else np.nan
    dtype = object if is_text else np.float64
    return [
        table.columns.get(key, np.full(table.n_vertices, missing, dtype=dtype))
        for table in tables
        if table.n_vertices
    ] or [np.empty(0, dtype=dtype)]


def _names(table: GraphTables) -> Sequence[Hashable]:
    if table.names is not None:
        return table.names
    return [name for size in np.diff(table.offsets).tolist() for name in range(size)]


def _classes(tables: Sequence[GraphTables]) -> NDArray[Any] | None:
    classes = [table.classes for table in tables if table.classes is not None]
    return joined_columns(classes) if len(classes) == len(tables) else None


def _graph_names(table: GraphTables, stem: str) -> list[str]:
    if len(table) == 1:
        return [stem]
    own = table.graph_names or [str(g) for g in range(len(table))]
    return [f"{stem} {name}" for name in own]


def _notes(tables: Sequence[GraphTables]) -> tuple[str, ...]:
    notes = [f"{table.source}: {note}" for table in tables for note in table.notes]
    more = len(notes) - _MOST_NOTES
    return (*notes[:_MOST_NOTES], *([f"And {more:,} more notes."] if more > 0 else []))
