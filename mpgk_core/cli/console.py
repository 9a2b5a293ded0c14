"""The three streams of the program: data on standard output, remarks on standard error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, TextIO

from mpgk_core.errors import shortened

_LONGEST_LINE = 2_000
_MEGABYTE = 1_000_000

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

    def counter(self, title: str) -> Callable[[int, int, str], None]:
        """Return a function that reports how much of how much is done, with a remark."""

        def report(done: int, total: int, remark: str) -> None:
            self._report(f"{one_line(title)}: {done} of {total} {remark}", done == total)

        return report

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


def one_line(text: str) -> str:
    r"""Return a message on one line, without characters that a terminal would obey.

    Examples
    --------
    >>> one_line("two\nlines\x1b[31m")
    'two lines�[31m'
    """
    return shortened(" ".join(text.split()), _LONGEST_LINE)
