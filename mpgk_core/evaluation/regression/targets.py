"""Targets: columns of numbers to predict, and the rows that have none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.text_rows import is_number

_MAX_TOLD = 5


@dataclass(frozen=True, eq=False)
class TargetColumn:
    """Numbers to predict, one for every graph.

    Parameters
    ----------
    name : str
    values : ndarray of shape (N,)
        Finite, and not all the same.
    unit : str
        Of the values; empty where it is not known.

    Examples
    --------
    >>> TargetColumn("mu", np.array([1.0, 1.0, 1.0]))
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidGraphError: The target 'mu' is 1 for all 3 graphs: there is nothing
    to predict. Choose another column.
    """

    name: str
    values: FloatArray
    unit: str = ""

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        name = shortened(self.name)
        if values.ndim != 1:
            raise InvalidGraphError(
                f"The target {name!r} has shape {values.shape}. Give one number for every graph."
            )
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise InvalidGraphError(
                f"The target {name!r} is {values[bad[0]]} for graph {bad[0]}. Leave that graph "
                "out, or give a finite number."
            )
        if len(values) == 1:
            raise InvalidGraphError(
                f"There is one graph with the target {name!r}. Give several: some to learn from, "
                "some to test."
            )
        if len(values) and np.all(values == values[0]):
            raise InvalidGraphError(
                f"The target {name!r} is {values[0]:g} for all {len(values):,} graphs: there is "
                "nothing to predict. Choose another column."
            )
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @property
    def title(self) -> str:
        """The name, with the unit where it is known."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name

    def chosen(self, positions: IntArray) -> TargetColumn:
        """Return the target of some of the graphs."""
        return TargetColumn(self.name, self.values[positions], self.unit)

    def content(self) -> tuple[Any, ...]:
        """Return what makes the column what it is."""
        return self.name, self.values, self.unit


class Targets(NamedTuple):
    """Target columns, and the rows that all of them have a number in.

    Attributes
    ----------
    columns : list of TargetColumn
        With one value for every row that is kept.
    kept : ndarray of int
        The rows.
    problems : list of (row, reason)
        Of the others; rows from 0.
    """

    columns: list[TargetColumn]
    kept: IntArray
    problems: list[tuple[int, str]]

    @property
    def summary(self) -> str:
        """What was left out, in a sentence; empty where nothing was."""
        if not self.problems:
            return ""
        told = "; ".join(f"row {row + 1}: {why}" for row, why in self.problems[:_MAX_TOLD])
        more = f"; and {len(self.problems) - _MAX_TOLD:,} more" if len(self.problems) > 5 else ""
        n = len(self.problems)
        return f"{n:,} {'row was' if n == 1 else 'rows were'} left out ({told}{more})."


def target_columns(
    cells: Mapping[str, Sequence[Any]], units: Mapping[str, str] | None = None
) -> Targets:
    """Read columns of targets; a row with a gap or with text in one of them is left out.

    Parameters
    ----------
    cells : mapping of str to sequence
        Numbers, or cells of text, by the name of the target; all of the same length.
    units : mapping of str to str, optional

    Returns
    -------
    Targets

    Examples
    --------
    >>> found = target_columns({"mu": ["1.5", "", "polar", "2"]}, {"mu": "D"})
    >>> found.columns[0].values.tolist(), found.kept.tolist()
    ([1.5, 2.0], [0, 3])
    >>> found.summary
    "2 rows were left out (row 2: 'mu' is empty; row 3: 'mu' is 'polar', not a finite number)."
    """
    reasons: dict[int, str] = {}
    numbers: dict[str, FloatArray] = {}
    for name, column in cells.items():
        values = np.empty(len(column))
        for row, cell in enumerate(column):
            value = _number(cell)
            values[row] = np.nan if value is None else value
            if not isfinite(values[row]):
                reasons.setdefault(row, _reason(name, cell))
        numbers[name] = values
    if len({len(values) for values in numbers.values()}) > 1:
        raise InvalidGraphError("Target columns have different lengths. Give one value a graph.")
    n_rows = len(next(iter(numbers.values()), ()))
    kept = np.array([row for row in range(n_rows) if row not in reasons], dtype=np.int64)
    problems = sorted(reasons.items())
    if n_rows and not len(kept):
        row, why = problems[0]
        raise InvalidGraphError(
            f"No row has a number for {', '.join(map(repr, cells))}: row {row + 1}: {why}. "
            "Choose a column of numbers."
        )
    known = units or {}
    columns = [TargetColumn(name, v[kept], known.get(name, "")) for name, v in numbers.items()]
    return Targets(columns, kept, problems)


def _number(cell: Any) -> float | None:
    if isinstance(cell, str):
        text = cell.strip()
        return float(text) if is_number(text) else None
    return None if cell is None else float(cell)


def _reason(name: str, cell: Any) -> str:
    called = repr(shortened(name))
    if cell is None or cell == "" or cell != cell or (isinstance(cell, str) and not cell.strip()):
        return f"{called} is empty"
    return f"{called} is {shortened(str(cell))!r}, not a finite number"
