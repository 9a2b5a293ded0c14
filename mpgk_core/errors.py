"""Every exception the engine raises on purpose, in one family.

Catch :class:`MPGKError` to catch them all. Each one also derives from the built-in exception
that a caller would expect, so ``except ValueError`` keeps working. Messages say what is wrong,
where, and what to do about it.
"""

from __future__ import annotations

from sklearn.exceptions import NotFittedError as _SklearnNotFittedError

__all__ = [
    "InvalidGraphError",
    "InvalidParameterError",
    "KernelOverflowError",
    "KernelTooLargeError",
    "MPGKError",
    "NotFittedError",
]


class MPGKError(Exception):
    """Base class of all errors raised by ``mpgk_core``."""


class InvalidGraphError(MPGKError, ValueError):
    """A graph, its labels or its attributes cannot be used as they are."""


class InvalidParameterError(MPGKError, ValueError):
    """A parameter has a value outside its range."""


class KernelTooLargeError(MPGKError, MemoryError):
    """A result would need more memory than there is; raised before the work starts."""


class KernelOverflowError(MPGKError, OverflowError):
    """A kernel value grew beyond what a floating-point number can hold."""


class NotFittedError(MPGKError, _SklearnNotFittedError):
    """A result was asked for before ``fit``."""
