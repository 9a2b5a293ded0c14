"""Texts that many rooms need: numbers with their nouns, and cells of CSV files."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable

import numpy as np

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
    lines = (",".join(quoted(safe_text(cell_text(cell))) for cell in row) for row in rows)
    return encoded("".join(line + "\n" for line in lines))


def encoded(text: str) -> bytes:
    """Return the text as UTF-8, or raise if there are characters that no file can hold."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidGraphError(
            f"{shortened(str(error.object)[error.start :])!r} is not text that UTF-8 can hold. "
            "Replace these characters."
        ) from None
