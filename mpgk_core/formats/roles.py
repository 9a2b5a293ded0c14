"""Guess what the columns of a file are: a label, an attribute, or nothing for a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

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
_MOST_LABELS = 50


def guess_roles(columns: Mapping[str, NDArray[Any]]) -> dict[str, Role]:
    """Return a role for every column.

    Text that repeats is a label, and so are whole numbers in a column that is called one; other
    numbers are attributes. Columns with gaps, positions in a drawing, identifiers and text that
    (nearly) never repeats are ignored. Only the first label counts; the user may add others.

    Parameters
    ----------
    columns : mapping of str to ndarray
        As in :class:`~mpgk_core.formats.graph_tables.GraphTables`.

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
        repeats = distinct <= max(_MOST_LABELS, len(values) // 20) and distinct < len(values)
        return "label" if repeats or is_called_label else "ignore"
    if not np.isfinite(column).all():
        return "ignore"
    if column.dtype.kind in "iub" and is_called_label:
        return "label"
    return "attribute"
