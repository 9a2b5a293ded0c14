"""What a long computation is doing, said while it runs, for those who wait.

Loops that take long say what they do by :func:`steps`. They may be nested: the share done counts
the steps of the outer loop and, within the one under way, those of the inner loops. Nothing is
said, and nothing costs time, unless somebody is :func:`listening`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeVar

_Item = TypeVar("_Item")
Listener = Callable[[str, float], None]
"""Told what is being done, in words, and the share of it that is done, from 0 to 1."""


def in_words(what: str, share: float) -> str:
    """Return what a listener was told, for people.

    Examples
    --------
    >>> in_words("kernels of 188 graphs", 0.25)
    'kernels of 188 graphs, 25 % done'
    """
    return f"{what}, {100 * share:.0f} % done"


_PAUSE = 0.2
"""Seconds between two reports."""


@dataclass
class _Loop:
    what: str
    done: int
    total: int


@dataclass
class _Report:
    listener: Listener
    loops: list[_Loop] = field(default_factory=list)
    last: float = float("-inf")

    def tell(self) -> None:
        if perf_counter() - self.last < _PAUSE:
            return
        self.last = perf_counter()
        share, width = 0.0, 1.0
        for loop in self.loops:
            width /= max(loop.total, 1)
            share += width * loop.done
        self.listener(", ".join(loop.what for loop in self.loops), share)


class _Here(threading.local):
    report: _Report | None = None


_here = _Here()


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener what this thread does within the block, several times a second at most.

    Parameters
    ----------
    listener : callable
        Called with words and a share, in the same thread.

    Examples
    --------
    >>> with listening(lambda what, share: print(what, share)):
    ...     for _ in steps([1, 2], "counting"):
    ...         pass
    counting 0.0
    """
    before, _here.report = _here.report, _Report(listener)
    try:
        yield
    finally:
        _here.report = before


def steps(items: Iterable[_Item], what: str) -> Iterator[_Item]:
    """Yield items, and say how many of them have been dealt with.

    Parameters
    ----------
    items : iterable
    what : str
        What is done with them, for people: "kernel matrices of 188 graphs".

    Yields
    ------
    The items.
    """
    report = _here.report
    if report is None:
        yield from items
        return
    known = list(items)
    depth, loop = len(report.loops), _Loop(what, 0, len(known))
    try:
        for loop.done, item in enumerate(known):
            report.loops[depth:] = [loop]  # also forgets inner loops that an error has ended
            report.tell()
            yield item
    finally:
        del report.loops[depth:]
