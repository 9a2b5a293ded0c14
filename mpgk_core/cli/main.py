"""Run a command: parse the arguments, and turn whatever happens into an exit code."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentError, Namespace
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import BinaryIO, TextIO

from threadpoolctl import threadpool_limits

from mpgk_core.cli.command import PROGRAM
from mpgk_core.cli.console import Console
from mpgk_core.cli.parser import build_parser
from mpgk_core.errors import MPGKError

FINE, FAILED, MISUSED, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
"""The exit codes; the last two are those that shells give for these signals."""


def main(arguments: Sequence[str], stdin: BinaryIO, stdout: BinaryIO, stderr: TextIO) -> int:
    """Run the program on these streams.

    Parameters
    ----------
    arguments : sequence of str
        Without the name of the program.
    stdin, stdout : binary file
        Data in and out.
    stderr : text file
        Remarks and errors.

    Returns
    -------
    int
        The exit code: 0 fine; 1 the work cannot be done, for example because a file cannot be
        read; 2 wrong usage; 130 interrupted; 141 nobody reads the output any more.

    Examples
    --------
    >>> from io import BytesIO
    >>> out = BytesIO()
    >>> main(["orbits", "-"], BytesIO(b"a b"), out, StringIO())
    0
    >>> print(out.getvalue().decode(), end="")
    name,graph,orbit,colour,proven
    a,0,0,0,yes
    b,0,0,0,yes
    """
    console = Console(stdin, stdout, stderr)
    try:
        code = _parse_and_run(arguments, console)
        stdout.flush()
    except BrokenPipeError:
        return BROKEN_PIPE
    except KeyboardInterrupt:
        console.complain(f"{PROGRAM}: interrupted.")
        return INTERRUPTED
    except MPGKError as error:
        console.complain(f"{PROGRAM}: {error}")
        return FAILED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        console.complain(f"{PROGRAM}: {where}{error.strerror or error}.")
        return FAILED
    except MemoryError:
        console.complain(f"{PROGRAM}: There is not enough memory. Give a smaller graph.")
        return FAILED
    return code


def run() -> int:
    """Run the program on the streams of this process, and return its exit code."""
    code = main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer, sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        _close_quietly(stream)
    return code


def _parse_and_run(arguments: Sequence[str], console: Console) -> int:
    help_text, usage = StringIO(), StringIO()
    try:
        with redirect_stdout(help_text), redirect_stderr(usage):
            chosen = build_parser(arguments).parse_args(arguments)
    except SystemExit as end:
        console.stdout.write(help_text.getvalue().encode())
        console.stderr.write(usage.getvalue())
        return MISUSED if end.code else FINE
    return _run(chosen, replace(console, verbose=chosen.verbose))


def _run(chosen: Namespace, console: Console) -> int:
    try:
        with threadpool_limits(1):  # folds run in parallel; threads inside them would compete
            chosen.command.run(chosen, console)
    except ArgumentError as error:
        console.stderr.write(chosen.parser.format_usage())
        console.complain(f"{chosen.parser.prog}: error: {error}")
        return MISUSED
    return FINE


def _close_quietly(stream: TextIO) -> None:
    """Write what is left; where that fails, as it did before, let it go nowhere."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
