"""The three streams of a program, and who may hear what: results apart from remarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, TextIO

from mpgk_core.errors import shortened

_LONGEST_LINE = 2_000
_MEGABYTE = 1_000_000


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
        Whether remarks are wanted even where nobody watches.
    """

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: TextIO
    verbose: bool = False

    def note(self, text: str) -> None:
        """Make a remark, if someone watches or has asked for it."""
        if self.verbose or self.stderr.isatty():
            self._say(f"{one_line(text)}\n")

    def complain(self, text: str) -> None:
        """Say what went wrong."""
        self._say(f"{one_line(text)}\n")

    def progress(self, title: str) -> Callable[[int, int | None], None]:
        """Return a function that tells how many bytes of how many there are.

        On a terminal one line changes with every percent; elsewhere each tenth is a line.
        """
        if not (self.verbose or self.stderr.isatty()):
            return lambda done, total: None
        start, end, steps = ("\r", "\x1b[K", 100) if self.stderr.isatty() else ("", "\n", 10)
        told = ""

        def tell(done: int, total: int | None) -> None:
            nonlocal told
            share = f" ({100 * (steps * done // total) // steps} %)" if total else ""
            mark = share or str(done // _MEGABYTE)
            if mark != told:
                told = mark
                is_over = "\n" if start and done == total else ""
                self._say(f"{start}{one_line(title)}: {done:,} bytes{share}{end}{is_over}")

        return tell

    def counter(self, title: str) -> Callable[[int, int, str], None]:
        """Return a function that tells how much of how much is done, and a remark on it."""
        is_terminal = self.stderr.isatty()
        if not (self.verbose or is_terminal):
            return lambda done, total, remark: None
        start, end = ("\r", "\x1b[K") if is_terminal else ("", "\n")

        def tell(done: int, total: int, remark: str) -> None:
            is_over = "\n" if is_terminal and done == total else ""
            self._say(f"{start}{one_line(title)}: {done} of {total} {remark}{end}{is_over}")

        return tell

    def _say(self, text: str) -> None:
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
