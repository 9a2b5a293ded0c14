"""Words that stand above the columns of tables of vertices and of edges."""

from __future__ import annotations

from collections.abc import Sequence

_FIRST_ENDS = {
    "source",
    "src",
    "from",
    "start",
    "tail",
    "end1",
    "node1",
    "vertex1",
    "id1",
    "sourceid",
    "fromid",
    "fromnode",
    "fromnodeid",
    "sourcenode",
    "startnode",
    "fromvertex",
    "sourcevertex",
    "node",
    "vertex",
    "nodea",
    "person1",
    "name1",
    "startid",
}
_SECOND_ENDS = {
    "target",
    "tgt",
    "dst",
    "dest",
    "destination",
    "to",
    "end",
    "head",
    "end2",
    "node2",
    "vertex2",
    "id2",
    "targetid",
    "toid",
    "tonode",
    "tonodeid",
    "targetnode",
    "endnode",
    "tovertex",
    "targetvertex",
    "neighbour",
    "neighbor",
    "nodeb",
    "person2",
    "name2",
    "endid",
}
_VERTICES = ("id", "nodeid", "vertexid", "node", "vertex", "name", "nodename", "vertexname", "key")


def edge_columns(header: Sequence[str]) -> tuple[int, int] | None:
    """Return which columns of a table of edges name the two ends; None if it is no such table.

    Parameters
    ----------
    header : sequence of str
        The words above the columns.

    Returns
    -------
    tuple of two int, or None

    Examples
    --------
    >>> edge_columns(["Source", "Target", "Weight"]), edge_columns(["id", "label"])
    ((0, 1), None)
    """
    words = [_word(cell) for cell in header]
    firsts = [place for place, word in enumerate(words) if word in _FIRST_ENDS]
    seconds = [place for place, word in enumerate(words) if word in _SECOND_ENDS]
    return (firsts[0], seconds[0]) if firsts and seconds else None


def vertex_column(header: Sequence[str]) -> int | None:
    """Return which column of a table of vertices names these; None if it is no such table.

    Parameters
    ----------
    header : sequence of str
        The words above the columns.

    Returns
    -------
    int or None

    Examples
    --------
    >>> vertex_column(["label", "id"]), vertex_column(["from", "to"])
    (1, None)
    """
    words = [_word(cell) for cell in header]
    if edge_columns(header) is not None:
        return None
    return next((words.index(word) for word in _VERTICES if word in words), None)


def is_edge_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row stands above edges instead of being one.

    Parameters
    ----------
    rows : sequence of sequences of str
        The first rows of the file.

    Returns
    -------
    bool
        True if it has the usual words, which are no names in later rows; or if none of its cells
        is a number but a column of later rows is all numbers.

    Examples
    --------
    >>> is_edge_header([["u", "v"], ["1", "2"]]), is_edge_header([["u", "v"], ["v", "w"]])
    (True, False)
    """
    if not rows or len(rows[0]) < 2:
        return False
    first, others = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    places = edge_columns(first)
    if places is not None:
        words = {first[place] for place in places}
        return not any(row[place] in words for row in others for place in places)
    numeric = (all(map(is_number, column)) for column in zip(*others, strict=True))
    return any(numeric) and not any(map(is_number, first))


def is_number(cell: str) -> bool:
    """Return whether a cell is a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _word(cell: str) -> str:
    return "".join(character for character in cell.lower() if character.isalnum())
