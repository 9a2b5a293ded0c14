"""Turn what a file says of its vertices into columns of numbers or of text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
        if kinds <= {bool, int, float, type(None)} and _floats_can_hold(values, kinds):
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


def _floats_can_hold(values: Sequence[Any], kinds: set[type]) -> bool:
    if float in kinds:
        return True
    return all(value is None or abs(value) <= _EXACT_IN_FLOATS for value in values)


def _text(value: Any) -> str | None:
    if value is None or value == "" or value != value:
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
