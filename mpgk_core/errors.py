"""Every exception the engine raises on purpose, in one family.

Catch :class:`MPGKError` to catch them all. Each one also derives from the built-in exception
that a caller would expect, so ``except ValueError`` keeps working. Messages say what is wrong,
where, and what to do about it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

__all__ = [
    "DownloadError",
    "InvalidGraphError",
    "InvalidParameterError",
    "KernelOverflowError",
    "KernelTooLargeError",
    "MPGKError",
    "NotFittedError",
    "UnreadableFileError",
    "not_fitted",
    "shortened",
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


if TYPE_CHECKING:

    class NotFittedError(MPGKError, ValueError, AttributeError):
        """A result was asked for before ``fit``."""


@cache
def __getattr__(name: str) -> Any:
    """Make ``NotFittedError`` when it is needed: it derives from scikit-learn's, a slow import."""
    if name != "NotFittedError":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sklearn.exceptions import NotFittedError as OfScikitLearn

    about = {"__doc__": "A result was asked for before ``fit``.", "__module__": __name__}
    return type(name, (MPGKError, OfScikitLearn), about)


def not_fitted(owner: str, remedy: str) -> NotFittedError:
    """Return the error of an estimator that was not fitted."""
    error: NotFittedError = __getattr__("NotFittedError")(
        f"This {owner} is not fitted yet. {remedy}"
    )
    return error


class DownloadError(MPGKError, OSError):
    """Something could not be downloaded.

    Parameters
    ----------
    problem : str
        What happened, in sentences.
    status : int, optional
        What the server answered, where it did: 404.
    """

    def __init__(self, problem: str, status: int | None = None) -> None:
        super().__init__(problem)
        self.problem, self.status = problem, status


class UnreadableFileError(MPGKError, ValueError):
    """A file is damaged, too large, or not what it claims to be.

    Parameters
    ----------
    file : str
        Name of the file, as the user gave it.
    problem : str
        A sentence: what is wrong.
    remedy : str
        A sentence: what to do about it.
    line : int, optional
        Where, counted from 1.

    Examples
    --------
    >>> print(UnreadableFileError("a.csv", "A row has 2 cells.", "Give every row 3.", line=7))
    a.csv, line 7: A row has 2 cells. Give every row 3.
    """

    def __init__(self, file: str, problem: str, remedy: str, line: int | None = None) -> None:
        self.file, self.problem, self.remedy, self.line = file, problem, remedy, line
        where = shortened(file) if line is None else f"{shortened(file)}, line {line}"
        super().__init__(f"{where}: {problem} {remedy}")


def shortened(text: str, length: int = 60) -> str:
    """Return foreign text fit for a message: printable, on one line, of bounded length."""
    printable = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:length]
    )
    return printable if len(text) <= length else printable + "…"
