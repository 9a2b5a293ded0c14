"""What a command has found, in a form that every output format can write."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

__all__ = ["Column", "Result"]

Column = NDArray[Any] | Sequence[Hashable]
"""Numbers, or names and labels, one per row; a matrix of numbers stands for several columns."""


@dataclass(frozen=True)
class Result:
    """What a command has found.

    Attributes
    ----------
    command : str
        Its name.
    source : mapping
        What it was given: files with their digests, format and sizes.
    parameters : mapping
        All settings, the defaults too, so that the result can be repeated.
    header : sequence
        Names of the columns of the table.
    columns : sequence of Column
        The table.
    values : mapping of str to arrays, sequences, numbers and texts
        The same, and what a table has no place for.
    """

    command: str
    source: Mapping[str, Any]
    parameters: Mapping[str, Any]
    header: Sequence[Hashable]
    columns: Sequence[Column]
    values: Mapping[str, Any] = field(default_factory=dict)
