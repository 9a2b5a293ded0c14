"""Message passing graph kernels (arXiv:1808.02510) on the command line.

How similar are the vertices of a graph, and how similar are graphs, after similarity has
travelled along the edges for T rounds?

first steps:
  mpgk info FILE        can my data be read?
  mpgk embed FILE       a point for every vertex; similar vertices lie close
  mpgk COMMAND --help   every option, what the columns mean, and an example

FILE is a file in any of the formats that `mpgk info --help` lists, - for standard
input, or the name of a data set or of a sample (try `mpgk info MUTAG`). Results go to
standard output and remarks to standard error. `python -m mpgk_core` is the same program.

exit codes:
  0 fine, 1 it cannot be done (one line says why), 2 wrong usage, 130 interrupted
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentError, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from importlib import import_module
from inspect import getdoc
from io import StringIO
from textwrap import fill
from typing import Any, BinaryIO, TextIO

from threadpoolctl import threadpool_limits

from mpgk_core import __version__
from mpgk_core.cli.console import Console, Result, check_target, result_format
from mpgk_core.errors import MPGKError

PROGRAM = "mpgk"
"""The name of the program, in its help."""

HELP_WIDTH = 86
"""The longest line of running text in the help."""

FINE, FAILED, MISUSED, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
"""The exit codes; the last two are those that shells give for these signals."""

COMMANDS = {
    "info": ("files", "what a file holds, and how it is understood"),
    "embed": ("kernels", "a point for every vertex, by kernel PCA"),
    "kernel": ("kernels", "the matrix of similarities between vertices, or between graphs"),
    "orbits": ("orbits", "which vertices play exactly the same role"),
    "convert": ("files", "write graphs in another format"),
    "fetch": ("files", "download data sets by name"),
    "classify": ("classify", "how well kernels predict the classes of graphs"),
    "regress": ("regress", "how well models predict numbers of graphs"),
    "reproduce": ("reproduce", "a table of the paper, with our figures beside the published ones"),
    "lessons": ("lessons", "check the files of lessons before a class sees them"),
}
"""The module and a short description of every command, in the order of the help.

A command is a function of its module with the same name; its docstring is its help, in which
what follows "output:" stands below the options. ``OPTIONS`` of the module lists the options of
its commands. The module is imported when one of its commands is used.
"""


def build_parser(arguments: Sequence[str]) -> ArgumentParser:
    """Return the parser. What it parses has ``command``, ``run`` and ``parser``, and the options.

    Parameters
    ----------
    arguments : sequence of str
        Those to be parsed. Only the command that they name gets its options, because the modules
        of the others would have to be imported.

    Returns
    -------
    ArgumentParser

    Examples
    --------
    >>> given = ["info", "karate_club.gml"]
    >>> build_parser(given).parse_args(given).command
    'info'
    """
    settings: Any = {"formatter_class": RawDescriptionHelpFormatter, "allow_abbrev": False}
    parser = ArgumentParser(PROGRAM, **settings)
    _explain(parser, __doc__, "first steps:\n")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (module_name, summary) in COMMANDS.items():
        own = commands.add_parser(name, help=summary, **settings)
        if name not in arguments[:1]:
            continue
        module = import_module(f"mpgk_core.cli.{module_name}")
        run = getattr(module, name)
        _explain(own, getdoc(run), "output:\n")
        group = own.add_argument_group()
        for item in module.OPTIONS[name]:
            if isinstance(item, str):
                title, _, text = item.partition(": ")
                group = own.add_argument_group(title, fill(text, HELP_WIDTH) or None)
            else:
                names, keywords = item
                group.add_argument(*names, **keywords)
        own.add_argument("--verbose", action="store_true", help="make remarks even in a pipe")
        own.set_defaults(command=name, run=run, parser=own)
    return parser


def _explain(parser: ArgumentParser, text: str | None, heading: str) -> None:
    """Set the help of a parser: a docstring, of which all from a heading on follows the options."""
    parser.description, heading, rest = (text or "").partition(heading)
    parser.epilog = heading + rest


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
        read; 2 wrong usage; 130 interrupted; 141 the reader of the output has closed it.

    Examples
    --------
    >>> from io import BytesIO
    >>> out = BytesIO()
    >>> main(["orbits", "-"], BytesIO(b"a b"), out, StringIO())
    0
    >>> print(out.getvalue().decode(), end="")
    name,graph,orbit,colour,proven
    a,0,1,1,yes
    b,0,1,1,yes
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
            chosen: Namespace = build_parser(arguments).parse_args(arguments)
    except SystemExit as end:
        console.stdout.write(help_text.getvalue().encode())
        console.stderr.write(usage.getvalue())
        return MISUSED if end.code else FINE
    try:
        with threadpool_limits(1):  # folds run in parallel; threads inside them would compete
            _run(chosen, replace(console, verbose=chosen.verbose))
    except ArgumentError as error:
        console.stderr.write(chosen.parser.format_usage())
        console.complain(f"{chosen.parser.prog}: error: {error}")
        return MISUSED
    return FINE


def _run(chosen: Namespace, console: Console) -> None:
    """Run a command, and write its result, if it has one; see first that it can be written."""
    if "format" in chosen:
        check_target(chosen.out, result_format(chosen) == "npz", console)
    result: Result | None = chosen.run(chosen, console)
    if result is not None:
        result.write(chosen, console)


def _close_quietly(stream: TextIO) -> None:
    """Write the rest of a stream; where that fails, as it did before, discard it."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
