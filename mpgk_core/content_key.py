"""Keys by content: the one place that decides when two things are the same to a cache or a store.

A key is a digest of a canonical, self-delimiting encoding. Types count (1, 1.0, True and "1" are
four things), so does the order of sequences, and the fields of a dataclass with the name of its
class. Other types are refused, never keyed by its address or its ``repr``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import issparse

_Update = Callable[[bytes | memoryview], None]

_PLAIN = frozenset((str, int, float, bool, type(None), complex, bytes))
"""Types whose ``repr`` tells all values, and all of these types, apart."""


def content_key(*parts: Any) -> str:
    """Return a key that only equal parts share.

    Parameters
    ----------
    *parts
        Numbers, text, bytes, paths, NumPy and SciPy arrays, sequences, sets, mappings, dataclasses,
        classes, and whatever has a method ``content`` that returns a tuple of all that makes it
        what it is; nested as deeply as needed.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    TypeError
        For anything else, because a key of it could be wrong.

    Examples
    --------
    >>> content_key(1, "a") == content_key(1, "a"), content_key(1) == content_key("1")
    (True, False)
    >>> content_key(("a", "b"), "c") == content_key("a", ("b", "c"))
    False
    >>> content_key(np.zeros(2)) == content_key(np.zeros(3))
    False
    """
    digest = hashlib.sha256()
    _add(parts, digest.update)
    return digest.hexdigest()


def _add(value: Any, update: _Update) -> None:
    kind = type(value)
    if kind in _PLAIN:
        _add_text("plain", repr(value), update)
    elif kind is tuple or kind is list:
        _add_all(kind.__name__, value, update)
    elif isinstance(value, np.ndarray) and value.dtype == object:
        _add_all(f"objects {value.shape}", value.ravel().tolist(), update)
    elif isinstance(value, np.ndarray):
        _add_text("array", f"{value.dtype.str} {value.shape}", update)
        update(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
    elif isinstance(value, type):
        _add_text("class", f"{value.__module__}.{value.__qualname__}", update)
    elif callable(getattr(kind, "content", None)):
        _add_all(kind.__qualname__, value.content(), update)
    elif is_dataclass(kind):
        names = _field_names(kind)
        values = [getattr(value, name) for name in names]
        _add_all(f"{kind.__qualname__} {names}", values, update)
    elif isinstance(value, np.generic):
        _add(np.asarray(value), update)
    elif issparse(value):
        rows = value.tocsr()
        _add_all("sparse", [rows.shape, rows.indptr, rows.indices, rows.data], update)
    elif isinstance(value, tuple | list):
        _add_all(kind.__name__, value, update)
    elif isinstance(value, Mapping):
        by_key = sorted(((content_key(key), key) for key in value), key=itemgetter(0))
        _add_all("mapping", [(key, value[key]) for _, key in by_key], update)
    elif isinstance(value, set | frozenset):
        _add_all("set", sorted(content_key(item) for item in value), update)
    elif isinstance(value, Path):
        _add_text("path", str(value), update)
    else:
        raise TypeError(
            f"A {kind.__name__} cannot be part of a key. Give it a method 'content', or "
            "pass what it depends on."
        )


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _add_all(kind: str, values: Sequence[Any], update: _Update) -> None:
    """Add a sequence; one of plain values at once, which is a hundred times faster."""
    if values and _PLAIN.issuperset(map(type, values)):
        _add_text(f"plain {kind}", repr(list(values)), update)
        return
    _add_text(kind, str(len(values)), update)
    for value in values:
        _add(value, update)


def _add_text(kind: str, text: str, update: _Update) -> None:
    encoded = text.encode("utf-8", "surrogatepass")
    update(b"%b %d:%b" % (kind.encode(), len(encoded), encoded))
