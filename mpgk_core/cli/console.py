"""What a command writes: its result, as CSV, JSON or NPZ, and remarks to standard error."""

from __future__ import annotations

import io
import json
from argparse import ArgumentError, Namespace
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, TextIO

import numpy as np
from numpy.typing import NDArray

from mpgk_core import __version__
from mpgk_core.errors import shortened
from mpgk_core.text import csv_lines, csv_table, encoded, text_array

_LONGEST_LINE = 2_000
_MEGABYTE = 1_000_000
_STDOUT = "-"

Option = tuple[list[str], dict[str, Any]]
"""The names of an option of the command line, and the other arguments of ``add_argument``."""

Options = list[str | Option]
"""The options of a command. A text begins a group: its title and, after a colon, a
description."""


def option(names: str, meaning: str, **settings: Any) -> Option:
    """Return an option, for the table of a command.

    Examples
    --------
    >>> option("-T --iterations", "number of rounds", type=int)
    (['-T', '--iterations'], {'help': 'number of rounds', 'type': <class 'int'>})
    """
    return names.split(), {"help": meaning, **settings}


@dataclass(frozen=True)
class Console:
    """Where bytes come from and go to.

    Attributes
    ----------
    stdin, stdout : binary file
        Data, and nothing else.
    stderr : text file
        Remarks and errors.
    verbose : bool
        Whether remarks are wanted even if standard error is not a terminal.
    """

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: TextIO
    verbose: bool = False

    def note(self, text: str) -> None:
        """Make a remark, if it is wanted."""
        if self._wants_remarks:
            self.complain(text)

    def complain(self, text: str) -> None:
        """Report an error or a loss."""
        self._write(f"{one_line(text)}\n")

    def loss(self, text: str) -> None:
        """Report a loss, unless remarks are wanted, which have told it already."""
        if not self._wants_remarks:
            self.complain(text)

    def progress(self, title: str) -> Callable[[int, int | None], None]:
        """Return a function that reports how many bytes of how many have arrived.

        On a terminal one line changes with every percent; elsewhere each tenth is a line.
        """
        steps = 100 if self.stderr.isatty() else 10
        reported = ""

        def report(done: int, total: int | None) -> None:
            nonlocal reported
            share = f" ({100 * (steps * done // total) // steps} %)" if total else ""
            mark = share or str(done // _MEGABYTE)
            if mark != reported:
                reported = mark
                self._report(f"{one_line(title)}: {done:,} bytes{share}", done == total)

        return report

    def work(self, title: str, unit_name: str = "steps") -> Work:
        """Return what reports on long work, on a terminal in one line."""
        return Work(self, title, unit_name)

    @property
    def _wants_remarks(self) -> bool:
        return self.verbose or self.stderr.isatty()

    def _report(self, line: str, is_last: bool) -> None:
        """Write a line of progress, on a terminal in the place of the previous one."""
        if self.stderr.isatty():
            end = "\n" if is_last else ""
            self._write(f"\r{line}\x1b[K{end}")
        elif self.verbose:
            self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        self.stderr.write(text)
        self.stderr.flush()


class Work:
    """Reports how far long work is, and what is being computed.

    Parameters
    ----------
    console : Console
    title : str
        Begins every line.
    unit_name : str
        What is counted.
    """

    def __init__(self, console: Console, title: str, unit_name: str = "steps") -> None:
        self._console, self._title, self._unit_name = console, one_line(title), unit_name
        self._counts, self._told = "", float("-inf")

    def progress(self, done: int, total: int, seconds_left: float) -> None:
        """Report how many steps of how many are done."""
        self._counts = f"{done} of {total} {self._unit_name}, about {seconds_left:,.0f} s left"
        self._console._report(f"{self._title}: {self._counts}", done == total)

    def activity(self, words: str) -> None:
        """Report what is being computed; in a file, every ten seconds at most."""
        if not self._console.stderr.isatty():
            if monotonic() - self._told < _LULL:
                return
            self._told = monotonic()
        counts = f"{self._counts}; " if self._counts else ""
        self._console._report(f"{self._title}: {counts}{one_line(words)}", is_last=False)


_LULL = 10.0


def one_line(text: str) -> str:
    r"""Return a message on one line, without characters that a terminal would obey.

    Examples
    --------
    >>> one_line("two\nlines\x1b[31m")
    'two lines�[31m'
    """
    return shortened(" ".join(text.split()), _LONGEST_LINE)


OUT = option("--out", "where to write (default: standard output)", default=_STDOUT, metavar="FILE")


def output_options(*formats: str) -> Options:
    """Return the options that name the file of a result and its format."""
    meaning = "default: by the name of the file, else csv; json also holds all settings"
    # Without a choice, the option holds all formats: the name of the file selects one.
    return ["destination", OUT, option("--format", meaning, choices=formats, default=formats)]


@dataclass(frozen=True)
class Result:
    """What a command has computed.

    Attributes
    ----------
    source : mapping
        What the command was given: files with their digests, format and sizes.
    parameters : mapping
        All settings, the defaults too, so that the result can be repeated.
    header : sequence
        Names of the columns of the table.
    rows : iterable of tuples
        The table, for CSV: names, labels and numbers.
    values : mapping of str to arrays, sequences, numbers and texts
        The same and more, for JSON and NPZ.
    numbers : ndarray of shape (number of rows, m), optional
        The last columns of the table.
    """

    source: Mapping[str, Any]
    parameters: Mapping[str, Any]
    header: Sequence[Hashable]
    rows: Iterable[tuple[Hashable, ...]]
    values: Mapping[str, Any]
    numbers: NDArray[np.float64] | None = None

    def write(self, chosen: Namespace, console: Console) -> None:
        """Write in the format, and to the file, that the options of ``output_options`` name."""
        description = {
            "command": chosen.command,
            "version": __version__,
            "source": self.source,
            "parameters": self.parameters,
        }
        match result_format(chosen):
            case "json":
                pieces: Iterable[bytes] = _as_json({**description, **self.values})
            case "npz":
                pieces = _as_npz(description, self.values)
            case _:
                pieces = chain([csv_table([self.header])], csv_lines(self.rows, self.numbers))
        write_bytes(pieces, chosen.out, console)


def result_format(chosen: Namespace) -> str:
    """Return the format that the options name, or the extension of the file."""
    if isinstance(chosen.format, str):
        return chosen.format
    by_name = Path(chosen.out).suffix.lower().removeprefix(".")
    return by_name if by_name in chosen.format else "csv"


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
    return text_array(value)
