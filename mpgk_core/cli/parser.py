"""The parser of all commands, made from their registry."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from textwrap import fill

from mpgk_core import __version__
from mpgk_core.cli.command import HELP_WIDTH, PROGRAM, Command
from mpgk_core.cli.commands import COMMANDS, command_named

_DESCRIPTION = (
    "Message passing graph kernels (arXiv:1808.02510): how similar are the vertices of a graph, "
    "and how similar are graphs, after similarity has travelled along the edges for T rounds?"
)
_EPILOGUE = f"""\
first steps:
  {PROGRAM} info FILE        does it take my data?
  {PROGRAM} embed FILE       a point for every vertex; alike vertices lie together
  {PROGRAM} COMMAND --help   every option, what the columns mean, and an example

FILE is a file in any of the formats that `{PROGRAM} info --help` lists, - for standard
input, or the name of a data set or of a sample (try `{PROGRAM} info MUTAG`). Results go to
standard output and remarks to standard error. `python -m mpgk_core` is the same program.

exit codes:
  0 fine, 1 it cannot be done (one line says why), 2 wrong usage, 130 interrupted"""


def build_parser(arguments: Sequence[str]) -> ArgumentParser:
    """Return the parser. What it parses has ``command`` and its ``parser``, beside the options.

    Parameters
    ----------
    arguments : sequence of str
        Those to be parsed. Only the command that they name gets its options: the others would
        have to be imported for it.

    Returns
    -------
    ArgumentParser

    Examples
    --------
    >>> given = ["info", "karate_club.gml"]
    >>> build_parser(given).parse_args(given).command.name
    'info'
    """
    parser = ArgumentParser(
        PROGRAM,
        description=_wrapped(_DESCRIPTION),
        epilog=_EPILOGUE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        own = commands.add_parser(
            name, help=summary, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False
        )
        if name in arguments[:1]:
            _configure(own, command_named(name))
    return parser


def _configure(parser: ArgumentParser, command: Command) -> None:
    parser.description, parser.epilog = _wrapped(command.description), command.epilogue()
    command.configure(parser)
    parser.add_argument(
        "--verbose", action="store_true", help="make remarks even if nobody watches"
    )
    parser.set_defaults(command=command, parser=parser)


def _wrapped(text: str) -> str:
    return "\n\n".join(
        fill(paragraph, HELP_WIDTH, break_on_hyphens=False) for paragraph in text.split("\n\n")
    )
