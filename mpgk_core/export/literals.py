"""Values as Python source: whatever is in a text, it stays a text."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from mpgk_core.errors import shortened

_WIDTH = 90
_LONGEST_COMMENT = 1_000
_ROOM = 100


def text_literal(name: str, text: str) -> str:
    r"""Return an assignment of a long text, in lines of bounded length and ASCII only.

    Escapes stand for everything that could end the text, hide in it, or turn its direction.

    Parameters
    ----------
    name : str
        The variable.
    text : str
        Any.

    Returns
    -------
    str

    Examples
    --------
    >>> print(text_literal("GRAPH", 'one\n"two"'))
    GRAPH = (
        'one\n'
        '"two"'
    )
    """
    lines = text.splitlines(keepends=True) or [""]
    pieces = [line[at : at + _WIDTH] for line in lines for at in range(0, len(line) or 1, _WIDTH)]
    return "\n".join([f"{name} = (", *(f"    {piece!a}" for piece in pieces), ")"])


def call(function: str, /, *positional: Any, **named: Any) -> str:
    """Return a call as source, on one line where that is short.

    Parameters
    ----------
    function : str
        As it is called in the program.
    *positional, **named : None, bool, number, str, or tuples of these
        Arguments.

    Returns
    -------
    str

    Examples
    --------
    >>> call("build_graph", "barbell", h=10, k=10)
    "build_graph('barbell', h=10, k=10)"
    """
    parts = [*map(_literal, positional), *(f"{k}={_literal(value)}" for k, value in named.items())]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= _ROOM - len("evaluations = "):
        return line
    return f"{function}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def comment(words: str) -> str:
    r"""Return sentences as comment lines, ASCII only, which foreign text in them cannot leave.

    Parameters
    ----------
    words : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(comment("One line.\nimport os"))
    # One line.\ufffdimport os
    """
    plain = ascii(shortened(words, _LONGEST_COMMENT))[1:-1]
    return textwrap.fill(plain, _WIDTH, initial_indent="# ", subsequent_indent="# ")


def _literal(value: Any) -> str:
    return ascii(_plain(value))


def _plain(value: Any) -> Any:
    """Return numpy's numbers as Python's, also within tuples."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value
