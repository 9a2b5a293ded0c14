"""Texts that many rooms need: a number with its noun."""

from __future__ import annotations


def counted(n: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "vertex", "vertices"), counted(1_000, "edge")
    ('1 vertex', '1,000 edges')
    """
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"
