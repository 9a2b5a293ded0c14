"""Texts that many rooms need: numbers with their nouns, and cells of CSV files."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from mpgk_core.checks import check_memory
from mpgk_core.errors import InvalidGraphError, shortened


def counted(n: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "vertex", "vertices"), counted(1_000, "edge")
    ('1 vertex', '1,000 edges')
    """
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"


_IS_ESCAPED = re.compile(r"'+[=+\-@\t\r]").match
_NEEDS_ESCAPE = re.compile(r"'*[=+\-@\t\r]").match
_IS_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z").match
_NEEDS_QUOTES = re.compile(r'[\s",;]|\A[#%{]').search


def listed(items: Sequence[str]) -> str:
    """Return some words as they stand in a sentence.

    Examples
    --------
    >>> listed(["labels"]), listed(["labels", "weights", "directions"])
    ('labels', 'labels, weights and directions')
    """
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


def cell_text(value: Hashable) -> str:
    """Return a name or a label as the text of a cell: numbers exactly, tuples as JSON lists.

    Parameters
    ----------
    value : str, number, None or tuple of them

    Returns
    -------
    str

    Examples
    --------
    >>> cell_text("C"), cell_text(0.1), cell_text(("C", 2)), cell_text(None)
    ('C', '0.1', '["C", 2]', '')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, (bool, int)):
        return str(int(plain))
    if isinstance(plain, float):
        return repr(plain)
    try:
        return json.dumps(plain, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        return str(plain)


def safe_text(text: str) -> str:
    """Return the text with a leading apostrophe if a spreadsheet could run it as a formula.

    Parameters
    ----------
    text : str
        Of one cell.

    Returns
    -------
    str
        The same, unless it starts with one of ``= + - @``, a tab or a carriage return and is
        not a number. So that :func:`unescaped` is an exact inverse, texts that start with
        apostrophes before these characters get one more.

    Examples
    --------
    >>> safe_text("=1+1"), safe_text("-1.5"), safe_text("-x"), safe_text("O'Brien")
    ("'=1+1", '-1.5', "'-x", "O'Brien")
    """
    return "'" + text if _NEEDS_ESCAPE(text) and not _IS_NUMBER(text) else text


def unescaped(text: str) -> str:
    """Return what :func:`safe_text` was given.

    Parameters
    ----------
    text : str
        Of one cell.

    Returns
    -------
    str

    Examples
    --------
    >>> unescaped("'=1+1"), unescaped("'tis")
    ('=1+1', "'tis")
    """
    return text[1:] if _IS_ESCAPED(text) else text


def quoted(text: str) -> str:
    """Return the text in quotation marks if it could not stand between separators without.

    Parameters
    ----------
    text : str
        Of one cell.

    Returns
    -------
    str

    Examples
    --------
    >>> quoted("C"), quoted("New York"), quoted('5" disk')
    ('C', '"New York"', '"5"" disk"')
    """
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES(text) else text


def csv_table(rows: Iterable[Iterable[Hashable]]) -> bytes:
    r"""Return a table as comma-separated UTF-8 text.

    Parameters
    ----------
    rows : iterable of iterables
        Names, labels and numbers.

    Returns
    -------
    bytes

    Examples
    --------
    >>> csv_table([("id", "label"), (1, "=x")])
    b"id,label\n1,'=x\n"
    """
    return b"".join(csv_lines(rows))


def csv_lines(
    rows: Iterable[Iterable[Hashable]], numbers: Iterable[NDArray[np.float64]] | None = None
) -> Iterator[bytes]:
    r"""Yield the lines of a table as UTF-8 text.

    Parameters
    ----------
    rows : iterable of iterables
        Names, labels and numbers: the first cells of every line.
    numbers : ndarray of shape (n, m) or iterable of its rows, optional
        The other cells, with all digits; numbers need no quoting.

    Yields
    ------
    bytes

    Examples
    --------
    >>> list(csv_lines([("a",), ("=b",)], np.eye(2)))
    [b'a,1.0,0.0\n', b"'=b,0.0,1.0\n"]
    """
    others = repeat([]) if numbers is None else (row.tolist() for row in numbers)
    for row, more in zip(rows, others, strict=numbers is not None):
        cells = (str(x) if type(x) is int else quoted(safe_text(cell_text(x))) for x in row)
        yield encoded(",".join([*cells, *map(repr, more)]) + "\n")


def text_array(values: Iterable[Hashable]) -> NDArray[np.str_]:
    """Return names, labels or classes as an array of texts, or raise where it takes too much room.

    Parameters
    ----------
    values : iterable of hashable

    Returns
    -------
    ndarray of str
    """
    texts = [cell_text(value) for value in values]
    check_memory(
        4 * len(texts) * max(map(len, texts), default=0),
        f"An array of {len(texts):,} texts",
        "Shorten the names, or choose CSV, where a text takes no more room than it needs.",
    )
    return np.array(texts, dtype=np.str_)


def encoded(text: str) -> bytes:
    """Return the text as UTF-8, or raise if there are characters that no file can hold."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidGraphError(
            f"{shortened(str(error.object)[error.start :])!r} is not text that UTF-8 can hold. "
            "Replace these characters."
        ) from None
