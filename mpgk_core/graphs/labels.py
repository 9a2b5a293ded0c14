"""A canonical order for discrete labels, so that results never depend on which was seen first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError


def label_sort_key(label: Hashable) -> tuple[Any, ...]:
    """Return a key that puts numbers before text before tuples, each in its own order.

    Parameters
    ----------
    label : number, str, bytes, None or tuple of these
        A discrete label.

    Returns
    -------
    tuple
        A key comparable with the key of any other label.

    Examples
    --------
    >>> sorted(["C", 10, (1, "x"), 9], key=label_sort_key)
    [9, 10, 'C', (1, 'x')]
    """
    if label is None:
        return (0,)
    if isinstance(label, (bool, int, float, np.bool_, np.integer, np.floating)):
        if isinstance(label, (float, np.floating)) and np.isnan(label):
            raise InvalidGraphError("A label is NaN. Give every vertex a real label, or none.")
        return (1, label)
    if isinstance(label, str):
        return (2, label)
    if isinstance(label, bytes):
        return (3, label)
    if isinstance(label, tuple):
        return (4, len(label), *(label_sort_key(part) for part in label))
    raise InvalidGraphError(
        f"The label {label!r} is of type {type(label).__name__}. "
        "Use numbers, text, or tuples of them as labels."
    )


def encode_labels(
    labels: Sequence[Hashable], known: Iterable[Hashable] = ()
) -> tuple[NDArray[np.int32], tuple[Hashable, ...]]:
    """Replace labels by numbers: known labels keep their place, new ones follow in canonical order.

    Parameters
    ----------
    labels : sequence of hashable
        One label per vertex.
    known : iterable of hashable
        Labels that already have the numbers 0, 1, 2, ...

    Returns
    -------
    codes : ndarray of shape (n,)
        The number of every label.
    values : tuple
        ``values[code]`` is the label.

    Examples
    --------
    >>> encode_labels(["O", "C", "C"])
    (array([1, 0, 0], dtype=int32), ('C', 'O'))
    """
    for label in labels:
        if not isinstance(label, Hashable):
            raise InvalidGraphError(
                f"The label {label!r} is of type {type(label).__name__}. "
                "Use numbers, text, or tuples of them as labels."
            )
    number = {label: code for code, label in enumerate(known)}
    values = (*number, *sorted(set(labels) - number.keys(), key=label_sort_key))
    number = {label: code for code, label in enumerate(values)}
    codes = np.fromiter((number[label] for label in labels), dtype=np.int32, count=len(labels))
    return codes, values
