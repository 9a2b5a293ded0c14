"""What a command writes: its result as CSV, JSON or NPZ, to a file or to standard output."""

from __future__ import annotations

import io
import json
from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core import __version__
from mpgk_core.cli.console import Console
from mpgk_core.csv_cells import cell_text, csv_table, encoded, quoted, safe_text
from mpgk_core.limits import check_memory

Column = NDArray[Any] | Sequence[Hashable]
"""Numbers, or names and labels, one per row; a matrix of numbers stands for several columns."""


@dataclass(frozen=True)
class Result:
    """What a command has found.

    Attributes
    ----------
    command : str
        Its name.
    source : mapping
        What it was given: files with their digests, format and sizes.
    parameters : mapping
        All settings, the defaults too, so that the result can be repeated.
    header : sequence
        Names of the columns of the table.
    columns : sequence of Column
        The table.
    values : mapping of str to arrays, sequences, numbers and texts
        The same, and what a table has no place for.
    """

    command: str
    source: Mapping[str, Any]
    parameters: Mapping[str, Any]
    header: Sequence[Hashable]
    columns: Sequence[Column]
    values: Mapping[str, Any] = field(default_factory=dict)


def as_csv(result: Result) -> Iterator[bytes]:
    """Write the table, with all digits of every number and no formula for a spreadsheet."""
    yield csv_table([result.header])
    for row in zip(*map(_cells, result.columns), strict=True):
        yield encoded(",".join(row) + "\n")


def as_json(result: Result) -> Iterator[bytes]:
    """Write one object, in which every field and every row of a matrix has a line."""
    yield b"{"
    separator = "\n"
    for key, value in (_description(result) | dict(result.values)).items():
        yield encoded(f"{separator}  {_json(key)}: ")
        separator = ",\n"
        if isinstance(value, np.ndarray) and value.ndim == 2 and len(value):
            for i, row in enumerate(value):
                yield encoded(f"{',' if i else '['}\n    {_json(row)}")
            yield b"\n  ]"
        else:
            yield encoded(_json(value))
    yield b"\n}\n"


def as_npz(result: Result) -> Iterator[bytes]:
    """Write arrays; those of text are cells as in CSV, and ``description`` is a JSON text."""
    arrays = {key: _array(value) for key, value in result.values.items()}
    arrays["description"] = np.array(_json(_description(result)))
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    yield file.getvalue()


RENDERINGS: dict[str, Callable[[Result], Iterator[bytes]]] = {
    "csv": as_csv,
    "json": as_json,
    "npz": as_npz,
}
"""How a result can be written, by name."""


def _description(result: Result) -> dict[str, Any]:
    return {
        "command": result.command,
        "version": __version__,
        "source": result.source,
        "parameters": result.parameters,
    }


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


_STDOUT = "-"


@dataclass(frozen=True)
class Output:
    """Where a result goes.

    Attributes
    ----------
    target : str
        Path of a file; "-" is standard output.
    console : Console
    """

    target: str
    console: Console

    @classmethod
    def checked(cls, target: str, is_binary: bool, console: Console) -> Output:
        """Return the output, or raise where it cannot be written, before any work begins."""
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
        return cls(target, console)

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write bytes one after another."""
        if self.target == _STDOUT:
            self.console.stdout.writelines(pieces)
            return
        with Path(self.target).open("wb") as file:
            file.writelines(pieces)
        self.console.note(f"Wrote {self.target}.")


def add_out_option(parser: ArgumentParser) -> None:
    """Add the option that names the file."""
    parser.add_argument(
        "--out", default=_STDOUT, metavar="FILE", help="where to write (default: standard output)"
    )


def add_output_options(parser: ArgumentParser, formats: Sequence[str] = tuple(RENDERINGS)) -> None:
    """Add the options that name the file and its format."""
    add_out_option(parser)
    parser.add_argument(
        "--format",
        choices=formats,
        help="default: as the name of the file says, else csv; json also holds all settings",
    )
    parser.set_defaults(formats=formats)


def open_output(chosen: Namespace, console: Console) -> Output:
    """Return where the result of a command goes, from the options of `add_output_options`."""
    return Output.checked(chosen.out, _format(chosen) == "npz", console)


def rendered(result: Result, chosen: Namespace) -> Iterator[bytes]:
    """Return a result in the format that the options of `add_output_options` ask for."""
    return RENDERINGS[_format(chosen)](result)


def _format(chosen: Namespace) -> str:
    by_name = Path(chosen.out).suffix.lower().removeprefix(".")
    known: str = chosen.format or (by_name if by_name in chosen.formats else "csv")
    return known
