"""What a cell of an edited table stands for: a value that the graph has, or a new one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mpgk_core.csv_cells import cell_text
from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats.columns import texts_of_names
from mpgk_core.graphs import GraphSet


@dataclass(frozen=True)
class KnownValues:
    """The names or the labels of a graph, by the text that shows them.

    Attributes
    ----------
    by_text : mapping of str to hashable

    Examples
    --------
    >>> known = KnownValues({"0": 0, "1": 1})
    >>> known.meant("1"), known.meant(1.0), known.meant(" 7 "), known.meant("x")
    (1, 1, 7, 'x')
    """

    by_text: Mapping[str, Hashable]

    def meant(self, cell: Any) -> Hashable:
        """Return the value with this text, or else what the cell holds.

        Blanks around new text do not count. Where all known values are whole numbers, so are new
        ones that look like it: a table shows numbers as text, or as floats once a cell is empty.
        """
        value: Any = cell.item() if isinstance(cell, np.generic) else cell
        if cell_text(value) in self.by_text:
            return self.by_text[cell_text(value)]
        if isinstance(value, str):
            value = value.strip()
        is_whole = (isinstance(value, float) and value.is_integer()) or (
            isinstance(value, str) and is_whole_number(value)
        )
        if is_whole and self._are_whole_numbers:
            value = int(value)
        known: Hashable = self.by_text.get(cell_text(value), value)
        return known

    @cached_property
    def _are_whole_numbers(self) -> bool:
        values = self.by_text.values()
        return bool(values) and all(isinstance(value, int) for value in values)


def known_names(graph: GraphSet | None) -> KnownValues:
    """Return the names of a graph, or raise if two look the same.

    Parameters
    ----------
    graph : GraphSet or None
        With one graph; None knows no names.

    Returns
    -------
    KnownValues
    """
    if graph is None:
        return KnownValues({})
    return KnownValues(dict(zip(texts_of_names(graph), graph.names, strict=True)))


def known_labels(graph: GraphSet | None) -> KnownValues:
    """Return the labels of a graph, or raise if two look the same.

    Parameters
    ----------
    graph : GraphSet or None
        None knows no labels.

    Returns
    -------
    KnownValues
    """
    labels = () if graph is None else graph.label_values
    by_text = {cell_text(label): label for label in labels}
    if len(by_text) < len(labels):
        raise InvalidGraphError(
            "Two labels would look the same in a table, as 1 and '1' would. Rename one."
        )
    return KnownValues(by_text)


def is_gap(cell: Any) -> bool:
    """Return whether a cell is empty: None, NaN and their like, or nothing but blanks."""
    value = cell.item() if isinstance(cell, np.generic) else cell
    if value is None or isinstance(value, str):
        return not (value or "").strip()
    return (value != value) is not False  # NaN differs from itself; others of its kind cannot say


def is_whole_number(text: str) -> bool:
    """Return whether a text is how a whole number of at least 0 is written."""
    return text.isascii() and text.isdigit() and len(text) <= 18 and str(int(text)) == text
