"""How many bytes a value keeps in memory, with all that it refers to."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SAMPLE = 1_000
_LEAVES = (str, bytes, bytearray, int, float, complex, type(None), np.generic, np.dtype, range)
_TELLS = (np.ndarray, bytes, bytearray, memoryview)
"""Owners of the memory of an array that say how large they are."""

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
"""What belongs to the program, not to the value."""


def size_of(value: Any) -> int:
    """Return about how many bytes a value takes.

    What is referred to twice counts once, and a view of an array counts as the whole array, which
    it keeps alive. Of long sequences an even sample is measured, so that the names of a million
    vertices take a millisecond.

    Parameters
    ----------
    value : Any
        Arrays, text, numbers, containers, and objects that hold such things in attributes.

    Returns
    -------
    int

    Examples
    --------
    >>> row = np.zeros(1_000)
    >>> 8_000 < size_of(row) < 8_200, size_of([row, row[:3]]) < 8_500
    (True, True)
    """
    return _Walk().bytes_of([value])


class _Walk:
    """A walk over all that a value refers to."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    def bytes_of(self, values: Iterable[Any]) -> int:
        """Return the bytes of all values that were not met before."""
        total = 0
        waiting = list(values)
        while waiting:
            one = waiting.pop()
            if id(one) in self.seen or isinstance(one, _SHARED):
                continue
            self.seen.add(id(one))
            total += sys.getsizeof(one)
            if isinstance(one, _LEAVES):
                continue
            if isinstance(one, np.ndarray):
                waiting.append(one.base)
                total += self._bytes_of_owner(one)
                if one.dtype == object and one.base is None:
                    total += self._bytes_of_many(one.size, one.flat)
            elif isinstance(one, memoryview):
                waiting.append(one.obj)
            elif isinstance(one, dict | MappingProxyType):
                parts = chain.from_iterable(one.items())
                total += self._bytes_of_many(2 * len(one), parts)
            elif isinstance(one, list | tuple | set | frozenset):
                total += self._bytes_of_many(len(one), one)
            else:
                waiting += _attributes(one)
        return total

    def _bytes_of_owner(self, array: NDArray[Any]) -> int:
        """Return the bytes that compiled code has given an array, where they are known."""
        owner: Any = array.base
        if owner is None or id(owner) in self.seen or isinstance(owner, _TELLS):
            return 0
        return max(int(getattr(owner, "size", 0)), array.nbytes)

    def _bytes_of_many(self, n: int, parts: Iterable[Any]) -> int:
        """Return the bytes of the elements of a sequence, of a long one by a sample."""
        if n <= 2 * _SAMPLE:
            return self.bytes_of(parts)
        step = (n // _SAMPLE) | 1  # odd, so that keys and values of a mapping take turns
        sample = parts[::step] if isinstance(parts, list | tuple) else islice(parts, 0, None, step)
        chosen = list(sample)
        is_pool = len(set(map(id, chosen))) < 0.9 * len(chosen)
        found = self.bytes_of(chosen)
        return found if is_pool else found * n // len(chosen)


def _attributes(one: Any) -> Iterator[Any]:
    """Return what the attributes of an object hold."""
    if hasattr(one, "__dict__"):
        yield one.__dict__
    for kind in type(one).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name != "__dict__" and hasattr(one, name):
                yield getattr(one, name)
