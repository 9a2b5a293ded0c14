"""The one cache of the server: results by the content of all that they depend on.

    @cached(spinner="Finding the orbits …")
    def orbits_of(choice: ChosenGraph, edges: str) -> Orbits: ...

The key of a result is a digest of the function's name and all its arguments; see
:mod:`mpgk_core.content_key`. An argument may be left out only with a stated reason. All results
share one budget, ``MPGK_CACHE_BYTES``; see :class:`mpgk_core.memory_store.MemoryStore`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import update_wrapper
from threading import Lock, local
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mpgk_core.checks import cache_bytes
from mpgk_core.content_key import content_key
from mpgk_core.memory_store import MemoryStore

STORE = MemoryStore(cache_bytes())
"""All results that the server keeps for more than one user."""

_P = ParamSpec("_P")
_R = TypeVar("_R")
_MISSING = object()
_FUNCTIONS: dict[str, CachedFunction[..., Any]] = {}
_waiting = local()


def cached(
    *, spinner: str = "", apart_from: Mapping[str, str] | None = None, lasts: bool = False
) -> Callable[[Callable[_P, _R]], CachedFunction[_P, _R]]:
    """Keep the results of a function for all users.

    The function must depend on nothing but its arguments, and its results must not be changed.

    Parameters
    ----------
    spinner : str
        Shown on the page while the function runs; nothing is shown if it is empty.
    apart_from : mapping of str to str, optional
        Names of arguments that do not count, each with the reason.
    lasts : bool
        Whether results stay as long as there is room, because they may not be had again; others
        that are quick to compute are forgotten some minutes after their last use.

    Returns
    -------
    callable
        The decorator.
    """
    return lambda function: CachedFunction(function, spinner, dict(apart_from or {}), lasts)


def cached_functions() -> Mapping[str, CachedFunction[..., Any]]:
    """Return all functions of the modules imported so far whose results are kept, by name."""
    return dict(_FUNCTIONS)


class CachedFunction(Generic[_P, _R]):
    """A function whose results are kept.

    Attributes
    ----------
    name : str
        Module and name, which stand for the function in keys.
    function : callable
    apart_from : dict of str to str
        Arguments that do not count, and why.
    """

    def __init__(
        self, function: Callable[_P, _R], spinner: str, apart_from: dict[str, str], lasts: bool
    ) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.function = function
        self.apart_from = apart_from
        self._spinner, self._lasts = spinner, lasts
        self._signature = inspect.signature(function)
        names = list(self._signature.parameters)
        self._counts = [name not in apart_from for name in names]
        update_wrapper(self, function)
        _FUNCTIONS[self.name] = self

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Return the result that is kept, or compute it."""
        key = self.key(*args, **kwargs)
        found: Any = STORE.find(self.name, key, _MISSING)
        if found is not _MISSING:
            return found  # type: ignore[no-any-return]
        with _shown(self._spinner):
            return STORE.get_or_make(
                self.name, key, lambda: self._computed(*args, **kwargs), lasts=self._lasts
            )

    def _computed(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with _TURNS:
            return self.function(*args, **kwargs)

    def kept(self, *args: _P.args, **kwargs: _P.kwargs) -> _R | None:
        """Return the result if it is kept, or else None; nothing is computed."""
        found: _R | None = STORE.find(self.name, self.key(*args, **kwargs))
        return found

    def key(self, *args: _P.args, **kwargs: _P.kwargs) -> str:
        """Return the key of a call."""
        values: tuple[Any, ...] = args
        if kwargs or len(args) < len(self._counts):
            bound = self._signature.bind(*args, **kwargs)
            bound.apply_defaults()
            values = tuple(bound.arguments.values())
        if self.apart_from:
            pairs = zip(values, self._counts, strict=True)
            values = tuple(value for value, counts in pairs if counts)
        return content_key(self.name, values)


class Turns:
    """Lets threads compute one after the other, as long as each of them is quick.

    Twenty threads that compute at once hand the interpreter lock to each other thousands of times
    a second, and need twice the processor time for the same work. So a thread waits for its turn,
    but not for one that computes for longer than ``patience``.

    Parameters
    ----------
    patience : float
        In seconds.
    """

    def __init__(self, patience: float = 0.05) -> None:
        self._patience = patience
        self._gate = Lock()
        self._own = local()

    def __enter__(self) -> None:
        depth = getattr(self._own, "depth", 0)
        if depth == 0:
            self._own.gate = self._entered()
        self._own.depth = depth + 1

    def __exit__(self, *_: object) -> None:
        self._own.depth -= 1
        if self._own.depth == 0:
            self._own.gate.release()

    def _entered(self) -> Lock:
        """Wait for the gate and return it; leave a gate to a thread that keeps it for long."""
        while True:
            gate = self._gate
            if gate.acquire(timeout=self._patience):
                return gate
            if self._gate is gate:
                self._gate = Lock()


_TURNS = Turns()


@contextmanager
def _shown(text: str) -> Iterator[None]:
    """Show what the page waits for; of nested functions, only the text of the outer one."""
    is_shown = getattr(_waiting, "is_shown", False)
    if not text or is_shown or get_script_run_ctx(suppress_warning=True) is None:
        yield
        return
    _waiting.is_shown = True
    try:
        with st.spinner(text):
            yield
    finally:
        _waiting.is_shown = False
