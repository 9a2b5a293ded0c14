"""Names of vertices: text in files, whole numbers where all of them are."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from itertools import pairwise

_IS_WHOLE_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z").match


def whole_numbers_or_text(names: Sequence[str]) -> list[Hashable]:
    """Return the names as whole numbers if each is written like one, and as they are if not.

    Parameters
    ----------
    names : sequence of str
        All names of a file.

    Returns
    -------
    list of int or list of str

    Examples
    --------
    >>> whole_numbers_or_text(["7", "-1"]), whole_numbers_or_text(["7", "07"])
    ([7, -1], ['7', '07'])
    """
    if all(map(_IS_WHOLE_NUMBER, names)):
        return list(map(int, names))
    return list(names)


def names_or_none(names: Sequence[str], offsets: Sequence[int]) -> list[Hashable] | None:
    """Return the names as numbers or text; None if they are 0, 1, 2, ... in every graph.

    Parameters
    ----------
    names : sequence of str
        All names of a file.
    offsets : sequence of int
        Graph g owns the names ``offsets[g]`` up to, not including, ``offsets[g + 1]``.

    Returns
    -------
    list or None

    Examples
    --------
    >>> names_or_none(["0", "1", "0"], [0, 2, 3]), names_or_none(["0", "2"], [0, 2])
    (None, [0, 2])
    """
    plain = whole_numbers_or_text(names)
    if all(plain[start:stop] == list(range(stop - start)) for start, stop in pairwise(offsets)):
        return None
    return plain


def all_differ(names: Sequence[Hashable], offsets: Sequence[int]) -> bool:
    """Return whether no two vertices of a graph have the same name, and none lacks one."""
    return None not in names and all(
        len(set(names[start:stop])) == stop - start for start, stop in pairwise(offsets)
    )


def merely_count(names: Sequence[str], offsets: Sequence[int]) -> bool:
    """Return whether the names of every graph are 0, 1, 2 ..., or 1, 2 ..., or n0, n1 ... only."""
    return any(
        all(
            list(names[start:stop]) == [f"{prefix}{first + i}" for i in range(stop - start)]
            for start, stop in pairwise(offsets)
        )
        for prefix in ("", "n")
        for first in (0, 1)
    )
