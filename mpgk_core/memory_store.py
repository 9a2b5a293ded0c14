"""A store of computed values with one budget of bytes, and how many bytes a value takes."""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from itertools import chain, islice, takewhile
from threading import Lock
from time import monotonic
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Value = TypeVar("_Value")
_MOMENT = 0.2
"""Seconds in which a value is computed that may be forgotten soon."""

_SAMPLE = 1_000
_LEAVES = (str, bytes, bytearray, int, float, complex, type(None), np.generic, np.dtype, range)
_TELLS = (np.ndarray, bytes, bytearray, memoryview)
"""Owners of the memory of an array that say how large they are."""

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
"""What belongs to the program, not to the value."""


@dataclass(slots=True, eq=False)
class _Entry:
    """A value, where it is kept, how large it is, when and how often it was asked for.

    It is measured again at the use whose number is ``due``. A value that is ``quick`` to compute
    is forgotten some minutes after it was last ``seen``.
    """

    place: tuple[str, str]
    value: Any
    size: int
    seen: float
    is_quick: bool
    n_uses: int = 0
    due: int = 3


class MemoryStore:
    """Values by group and key, never more than a budget of bytes together.

    Every value belongs to a group, usually the function that computed it. When the budget is
    exceeded, the least recently used value is removed. Half of the budget is divided evenly among
    all groups, and what a group holds within its part is spared: however many values one function
    makes, the others keep their latest ones. Only the newest value may take that room too, where
    it is so large that nothing else will do.

    What was computed in a moment is forgotten after some minutes without use, so that memory
    follows the users who are there and not those who have been. What took longer, or was put here
    by its owner, stays as long as there is room.

    Any number of threads may use a store. A value that is being computed is not computed again;
    who asks for it waits.

    Parameters
    ----------
    budget : int
        In bytes. A larger value is computed, but not kept.
    idle : float
        Seconds after which quick values are forgotten.
    clock : callable
        Steady time in seconds.

    Examples
    --------
    >>> store = MemoryStore(1_000_000)
    >>> store.get_or_make("squares", "7", lambda: 7 * 7)
    49
    >>> store.get_or_make("squares", "7", lambda: 1 / 0)
    49
    """

    def __init__(
        self, budget: int, idle: float = 240.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self.budget, self.idle, self._now = budget, idle, clock
        self._lock = Lock()
        self._entries: OrderedDict[tuple[str, str], _Entry] = OrderedDict()
        self._bytes: Counter[str] = Counter()
        self._making: dict[tuple[str, str], Future[Any]] = {}

    def find(self, group: str, key: str, default: Any = None) -> Any:
        """Return a value that is kept, or else the default.

        A value may grow after it was put here, as objects do that remember what they have
        computed. So it is measured again at its third, ninth, 27th ... use.
        """
        with self._lock:
            entry = self._entries.get((group, key))
            if entry is None:
                return default
            self._entries.move_to_end(entry.place)
            entry.seen = self._now()
            entry.n_uses += 1
            is_due = entry.n_uses == entry.due
            entry.due *= 3 if is_due else 1
        if is_due:
            self._measure(entry)
        return entry.value

    def put(self, group: str, key: str, value: Any, is_quick: bool = False) -> None:
        """Keep a value, in the place of an older one with the same key.

        Parameters
        ----------
        group, key : str
        value : Any
        is_quick : bool
            Whether it may be forgotten some minutes after its last use.
        """
        entry = _Entry((group, key), value, size_of(value), self._now(), is_quick)
        with self._lock:
            self._drop(entry.place)
            if entry.size > self.budget:
                return
            self._entries[entry.place] = entry
            self._bytes[group] += entry.size
            self._forget_idle()
            self._make_room(entry)

    def get_or_make(
        self, group: str, key: str, make: Callable[[], _Value], *, lasts: bool = False
    ) -> _Value:
        """Return the value that is kept, or compute it and keep it.

        Parameters
        ----------
        group : str
        key : str
            Equal keys mean equal values within a group.
        make : callable
            Computes the value. What it raises is raised here, and nothing is kept.
        lasts : bool
            Whether it stays as long as there is room, however quickly it was computed.

        Returns
        -------
        The value. It must not be changed: others are given the same.
        """
        missing, mine = object(), Future[Any]()
        while True:
            with self._lock:
                making = self._making.setdefault((group, key), mine)
            if making is mine:
                break
            wait([making])
            if making.exception() is None:
                return making.result()  # type: ignore[no-any-return]
        try:
            found: Any = self.find(group, key, missing)
            if found is missing:
                begin = self._now()
                found = make()
                is_quick = not lasts and self._now() - begin < _MOMENT
                self.put(group, key, found, is_quick)
        except BaseException as problem:
            self._ended(group, key).set_exception(problem)  # one of those who wait computes it
            raise
        self._ended(group, key).set_result(found)
        return found  # type: ignore[no-any-return]

    def discard(self, group: str, key: str) -> None:
        """Forget a value, if it is there."""
        with self._lock:
            self._drop((group, key))

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._entries.clear()
            self._bytes.clear()

    @property
    def n_bytes(self) -> int:
        """How many bytes all values take."""
        with self._lock:
            return self._bytes.total()

    def keys(self, group: str) -> list[str]:
        """Return the keys of a group, the least recently used first."""
        with self._lock:
            return [key for of_key, key in self._entries if of_key == group]

    def _ended(self, group: str, key: str) -> Future[Any]:
        """Let the next who asks compute the value, and return what others wait for."""
        with self._lock:
            return self._making.pop((group, key))

    def _measure(self, entry: _Entry) -> None:
        size = size_of(entry.value)
        with self._lock:
            if self._entries.get(entry.place) is entry:
                self._bytes[entry.place[0]] += size - entry.size
                entry.size = size
                if size > self.budget:
                    self._drop(entry.place)
                else:
                    self._make_room(entry)

    def _drop(self, place: tuple[str, str]) -> None:
        entry = self._entries.pop(place, None)
        if entry is not None:
            self._bytes[place[0]] -= entry.size
            if not self._bytes[place[0]]:
                del self._bytes[place[0]]

    def _forget_idle(self) -> None:
        """Forget quick values that were not used lately; the oldest come first."""
        since = self._now() - self.idle
        idle = takewhile(lambda entry: entry.seen < since, self._entries.values())
        for place in [entry.place for entry in idle if entry.is_quick]:
            self._drop(place)

    def _make_room(self, newest: _Entry) -> None:
        """Forget what was not used for longest, until all fit."""
        while self._bytes.total() > self.budget:
            spared = self.budget / (2 * len(self._bytes))
            others = (place for place in self._entries if place != newest.place)
            oldest = next(others)
            above = (place for place in chain([oldest], others) if self._bytes[place[0]] > spared)
            self._drop(next(above, oldest))


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
