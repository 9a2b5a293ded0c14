"""Where the names and the numbers of a square table stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mpgk_core.csv_cells import unescaped
from mpgk_core.formats.header_words import is_number
from mpgk_core.formats.number_table import FIRST_ROW
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import BLANKS, text_rows


@dataclass(frozen=True)
class Layout:
    """The number of vertices, and whether names stand above and beside the numbers."""

    n: int
    has_header: bool
    has_names: bool


def layout_of(rows: Sequence[Sequence[str]], n_rows: int) -> Layout | None:
    """Return the layout of a table; None if it is not square.

    Parameters
    ----------
    rows : sequence of sequences of str
        The first rows.
    n_rows : int
        How many there are.

    Returns
    -------
    Layout or None

    Examples
    --------
    >>> layout_of([["", "a", "b"], ["a", "0", "1"], ["b", "1", "0"]], n_rows=3)
    Layout(n=2, has_header=True, has_names=True)
    >>> layout_of([["a", "b"], ["0", "1"], ["1", "0"]], n_rows=3)
    Layout(n=2, has_header=True, has_names=False)
    """
    first, width = rows[0], len(rows[-1])
    if len(first) + 1 == width == n_rows:
        return Layout(len(first), True, True)
    if n_rows == 0 or any(len(row) != width for row in rows):
        return None
    if n_rows == width:
        is_named = _are_names(first) or (first[0] == "" and len(set(first)) == width)
        return (
            Layout(width - 1, True, True) if is_named and width > 1 else Layout(width, False, False)
        )
    if n_rows == width + 1 and _are_names(first):
        return Layout(width, True, False)
    if n_rows == width - 1 and _are_names([row[0] for row in rows]):
        return Layout(n_rows, False, True)
    return None


def _are_names(cells: Sequence[str]) -> bool:
    return not all(cell == "" or is_entry(cell) for cell in cells)


def is_entry(cell: str) -> bool:
    """Return whether a cell is a number, perhaps with a decimal comma."""
    return is_number(cell.replace(",", "."))


def count_rows(source: Source, separator: str) -> int:
    """Return how many rows a table has."""
    if b'"' in source.plain:
        return sum(1 for _ in text_rows(source, separator))
    return sum(1 for _ in FIRST_ROW.finditer(source.plain))


def matrix_rows(
    source: Source, separator: str, layout: Layout
) -> Iterator[tuple[int, list[str], bytes]]:
    """Yield every row: its line, its names, and the text of its numbers, without gaps.

    Parameters
    ----------
    source : Source
        The file.
    separator : str
        Between cells, or ``BLANKS``.
    layout : Layout
        Of the table. A header is all names.

    Yields
    ------
    line : int
    names : list of str
    numbers : bytes
        Separated by commas or blanks.
    """
    is_header = layout.has_header
    if b'"' in source.plain:
        for line, cells in text_rows(source, separator):
            n_names = len(cells) if is_header else int(layout.has_names)
            text = ";".join(cells[n_names:]).encode()
            yield line, cells[:n_names], _without_gaps(text.replace(b",", b"."), ";")
            is_header = False
        return
    source.text  # noqa: B018  raises unless all of it is text
    for line, row in enumerate(source.plain.splitlines(), start=1):
        if row.isspace() or not row or row.lstrip().startswith((b"#", b"%")):
            continue
        if is_header:
            yield line, _names(row, separator, -1), b""
        elif layout.has_names:
            name, *rest = row.split(None if separator == BLANKS else separator.encode(), 1)
            yield line, _names(name, separator, 0), _without_gaps(b"".join(rest), separator)
        else:
            yield line, [], _without_gaps(row, separator)
        is_header = False


def _names(text: bytes, separator: str, most: int) -> list[str]:
    cells = text.decode().split(None if separator == BLANKS else separator, most)
    return [unescaped(cell.strip()) for cell in cells]


def _without_gaps(numbers: bytes, separator: str) -> bytes:
    """Put 0 where a cell is empty, and a point where it has a decimal comma."""
    if separator == BLANKS:
        return numbers
    if separator == ";":
        numbers = numbers.replace(b",", b".")
    numbers = numbers.replace(separator.encode(), b",")
    dense = b"," + numbers.replace(b" ", b"") + b","
    if b",," not in dense:
        return numbers
    return b",".join(cell.strip() or b"0" for cell in numbers.split(b","))
