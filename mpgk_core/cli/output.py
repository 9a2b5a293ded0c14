"""What a command writes: its result as CSV, JSON or NPZ, to a file or to standard output."""

from __future__ import annotations

import io
import json
from argparse import ArgumentError, Namespace
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core import __version__
from mpgk_core.cli.console import Console, Options, option
from mpgk_core.limits import check_memory
from mpgk_core.text import cell_text, csv_table, encoded, quoted, safe_text

Column = NDArray[Any] | Sequence[Hashable]
"""Numbers, or names and labels, one per row; a matrix of numbers stands for several columns."""

_STDOUT = "-"

OUT = option("--out", "where to write (default: standard output)", default=_STDOUT, metavar="FILE")


def output_options(*formats: str) -> Options:
    """Return the options that name the file of a result and its format."""
    meaning = "default: by the name of the file, else csv; json also holds all settings"
    # Without a choice, the option holds all formats: the name of the file selects one.
    return ["destination", OUT, option("--format", meaning, choices=formats, default=formats)]


def check_output(chosen: Namespace, console: Console) -> None:
    """Raise if the result cannot be written, before any work begins."""
    check_target(chosen.out, _format(chosen) == "npz", console)


def write_result(
    chosen: Namespace,
    console: Console,
    *,
    source: Mapping[str, Any],
    parameters: Mapping[str, Any],
    header: Sequence[Hashable],
    columns: Sequence[Column],
    values: Mapping[str, Any],
) -> None:
    """Write a result in the format, and to the file, that the options name.

    Parameters
    ----------
    chosen : Namespace
        With the options of :func:`output_options`.
    console : Console
    source : mapping
        What the command was given: files with their digests, format and sizes.
    parameters : mapping
        All settings, the defaults too, so that the result can be repeated.
    header : sequence
        Names of the columns of the table.
    columns : sequence of Column
        The table, for CSV.
    values : mapping of str to arrays, sequences, numbers and texts
        The same and more, for JSON and NPZ.
    """
    description = {
        "command": chosen.command,
        "version": __version__,
        "source": source,
        "parameters": parameters,
    }
    match _format(chosen):
        case "json":
            pieces = _as_json({**description, **values})
        case "npz":
            pieces = _as_npz(description, values)
        case _:
            pieces = _as_csv(header, columns)
    write_bytes(pieces, chosen.out, console)


def check_target(target: str, is_binary: bool, console: Console) -> None:
    """Raise if a file, or standard output ("-"), cannot be written."""
    if target == _STDOUT:
        if is_binary and console.stdout.isatty():
            raise ArgumentError(
                None,
                "the result is binary, and a terminal cannot show it: add --out FILE, or "
                "choose another format",
            )
    elif not Path(target).parent.is_dir():
        raise ArgumentError(None, f"there is no folder {str(Path(target).parent)!r} for --out")
    elif Path(target).is_dir():
        raise ArgumentError(None, f"{target!r} is a folder: give --out the name of a file")


def write_bytes(pieces: Iterable[bytes], target: str, console: Console) -> None:
    """Write bytes one after another to a file, or to standard output."""
    if target == _STDOUT:
        console.stdout.writelines(pieces)
        return
    with Path(target).open("wb") as file:
        file.writelines(pieces)
    console.note(f"Wrote {target}.")


def _format(chosen: Namespace) -> str:
    if isinstance(chosen.format, str):
        return chosen.format
    by_name = Path(chosen.out).suffix.lower().removeprefix(".")
    return by_name if by_name in chosen.format else "csv"


def _as_csv(header: Sequence[Hashable], columns: Sequence[Column]) -> Iterator[bytes]:
    """Write the table, with all digits of every number and no formula for a spreadsheet."""
    yield csv_table([header])
    for row in zip(*map(_cells, columns), strict=True):
        yield encoded(",".join(row) + "\n")


def _as_json(values: Mapping[str, Any]) -> Iterator[bytes]:
    """Write one object, in which every field and every row of a matrix has a line."""
    separator = "{\n"
    for key, value in values.items():
        yield encoded(f"{separator}  {_json(key)}: ")
        separator = ",\n"
        if isinstance(value, np.ndarray) and value.ndim == 2 and len(value):
            for i, row in enumerate(value):
                yield encoded(f"{',' if i else '['}\n    {_json(row)}")
            yield b"\n  ]"
        else:
            yield encoded(_json(value))
    yield b"\n}\n"


def _as_npz(description: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[bytes]:
    """Write arrays; those of text are cells as in CSV, and ``description`` is a JSON text."""
    arrays = {key: _array(value) for key, value in values.items()}
    arrays["description"] = np.array(_json(description))
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    yield file.getvalue()


def _cells(column: Column) -> Iterator[str]:
    if not isinstance(column, np.ndarray):
        return (quoted(safe_text(cell_text(value))) for value in column)
    if column.ndim == 1:
        return map(repr, column.tolist())
    return (",".join(map(repr, row.tolist())) for row in column)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else str(value)


def _array(value: Any) -> NDArray[Any]:
    """Return an array of numbers or of text, never of objects, which would need a pickle."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, str):
        return np.array(value)
    texts = [cell_text(item) for item in value]
    check_memory(
        4 * len(texts) * max(map(len, texts), default=0),
        f"An array of {len(texts):,} texts",
        "Choose --format json, where a text takes no more room than it needs.",
    )
    return np.array(texts, dtype=np.str_)
